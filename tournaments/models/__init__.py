"""What the desk keeps: events, their flights, draws, pairings and prizes."""

from tournaments.models.calling import PushCall
from tournaments.models.desk import DeskEvent, EventTable
from tournaments.models.event import (
    EntrantMember,
    EntrantRow,
    EntrantState,
    Event,
    EventStatus,
    FeePayment,
    Flight,
)
from tournaments.models.following import CalendarKey, Follow, PushAddress
from tournaments.models.stage import (
    Board,
    PaidHow,
    PairingRow,
    PairingState,
    Prize,
    StageEntrant,
    StageEvent,
    StageRow,
    StageStatus,
)

__all__ = [
    "Board",
    "CalendarKey",
    "DeskEvent",
    "EntrantMember",
    "EntrantRow",
    "EntrantState",
    "Event",
    "EventStatus",
    "EventTable",
    "FeePayment",
    "Flight",
    "Follow",
    "PaidHow",
    "PairingRow",
    "PairingState",
    "Prize",
    "PushAddress",
    "PushCall",
    "StageEntrant",
    "StageEvent",
    "StageRow",
    "StageStatus",
]
