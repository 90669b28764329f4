"""What the desk keeps: events, their flights, draws, pairings and prizes."""

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
from tournaments.models.stage import (
    Board,
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
    "DeskEvent",
    "Entrant",
    "EntrantMember",
    "EntrantState",
    "Event",
    "EventStatus",
    "EventTable",
    "Flight",
    "Pairing",
    "PairingState",
    "Payment",
    "Prize",
    "Stage",
    "StageEntrant",
    "StageEvent",
    "StageStatus",
]
