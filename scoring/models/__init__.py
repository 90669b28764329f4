from scoring.models.analysis import Analysis, Decision, DecisionKind
from scoring.models.match import Colour, Confirmation, Ended, Match, MatchStatus, Result, Seat, Side
from scoring.models.rating import Rating, RatingChange, RatingList, RatingUpdate
from scoring.models.sheet import Sheet, SheetEvent, SheetKind
from scoring.models.source import Alias, Source, Upload

__all__ = [
    "Alias",
    "Analysis",
    "Colour",
    "Confirmation",
    "Decision",
    "DecisionKind",
    "Ended",
    "Match",
    "MatchStatus",
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
