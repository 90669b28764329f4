"""What the desk keeps: events, their flights, draws, pairings and prizes."""

from tournaments.models.calling import PushCall
from tournaments.models.desk import DeskEvent, EventTable
from tournaments.models.event import (
    Entrant,
    EntrantMember,
    EntrantState,
    Event,
    EventStatus,
    Flight,
    Payment,
)
from tournaments.models.following import CalendarKey, Follow, PushAddress
from tournaments.models.stage import (
    Board,
    PaidHow,
    Pairing,
    PairingState,
    Prize,
    Stage,
    StageEntrant,
    StageEvent,
    StageStatus,
)

__all__ = [
    "Board",
    "CalendarKey",
    "DeskEvent",
    "Entrant",
    "EntrantMember",
    "EntrantState",
    "Event",
    "EventStatus",
    "EventTable",
    "Flight",
    "Follow",
    "PaidHow",
    "Pairing",
    "PairingState",
    "Payment",
    "Prize",
    "PushAddress",
    "PushCall",
    "Stage",
    "StageEntrant",
    "StageEvent",
    "StageStatus",
]
