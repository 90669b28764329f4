from scoring.models.analysis import Analysis, Decision, DecisionKind
from scoring.models.match import (
    Colour,
    Confirmation,
    Ended,
    FinalBy,
    Match,
    MatchStatus,
    Objection,
    ObjectionWindow,
    Result,
    Seat,
    Side,
)
from scoring.models.profile import ClubProfile
from scoring.models.rating import Rating, RatingChange, RatingList, RatingUpdate
from scoring.models.sheet import Claim, ClaimSide, ClockState, Sheet, SheetEvent, SheetKind
from scoring.models.source import Alias, Source, Upload

__all__ = [
    "Alias",
    "Analysis",
    "Claim",
    "ClaimSide",
    "ClockState",
    "ClubProfile",
    "Colour",
    "Confirmation",
    "Decision",
    "DecisionKind",
    "Ended",
    "FinalBy",
    "Match",
    "MatchStatus",
    "Objection",
    "ObjectionWindow",
    "Rating",
    "RatingChange",
    "RatingList",
    "RatingUpdate",
    "Result",
    "Seat",
    "Sheet",
    "SheetEvent",
    "SheetKind",
    "Side",
    "Source",
    "Upload",
]
