"""What the desk keeps: events, their flights, draws, pairings and prizes."""

from tournaments.models.calling import PushCall
from tournaments.models.desk import DeskEvent, EventTable
from tournaments.models.drawn import EarlierDraw, EarlierEntrant, StageEntrant
from tournaments.models.event import (
    Entrant,
    EntrantMember,
    EntrantState,
    Event,
    EventStatus,
    Flight,
    Payment,
)
from tournaments.models.feeding import Declined, Feed, FeedKind, Sent
from tournaments.models.following import CalendarKey, Follow, PushAddress
from tournaments.models.stage import (
    Board,
    PaidHow,
    Pairing,
    PairingState,
    Prize,
    Stage,
    StageEvent,
    StageStatus,
)

__all__ = [
    "Board",
    "CalendarKey",
    "Declined",
    "DeskEvent",
    "EarlierDraw",
    "EarlierEntrant",
    "Entrant",
    "EntrantMember",
    "EntrantState",
    "Event",
    "EventStatus",
    "EventTable",
    "Feed",
    "FeedKind",
    "Flight",
    "Follow",
    "PaidHow",
    "Pairing",
    "PairingState",
    "Payment",
    "Prize",
    "PushAddress",
    "PushCall",
    "Sent",
    "Stage",
    "StageEntrant",
    "StageEvent",
    "StageStatus",
]
