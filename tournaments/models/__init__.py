"""Models of events, flights, draws, pairings and prizes."""

from tournaments.models.desk import DeskEvent, EventTable
from tournaments.models.drawn_field import EarlierDraw, EarlierEntrant, StageEntrant
from tournaments.models.event import (
    PAID_BY,
    EntrantMember,
    EntrantRow,
    EntrantState,
    Event,
    EventStatus,
    FeePayment,
    Flight,
    ListColumns,
)
from tournaments.models.feeds import Declined, Feed, FeedKind, Sent
from tournaments.models.following import CalendarKey, Follow, PushAddress
from tournaments.models.forbidden import ForbiddenEntrant, ForbiddenKind, ForbiddenPairs
from tournaments.models.money import Auction, AuctionLot, CashClosing, LotEntrant, LotPrize
from tournaments.models.poster import EventPoster
from tournaments.models.push_calls import PushCall
from tournaments.models.stage import (
    Board,
    PaidHow,
    PairingRow,
    PairingState,
    Prize,
    StageEvent,
    StageRow,
    StageStatus,
)

__all__ = [
    "PAID_BY",
    "Auction",
    "AuctionLot",
    "Board",
    "CalendarKey",
    "CashClosing",
    "Declined",
    "DeskEvent",
    "EarlierDraw",
    "EarlierEntrant",
    "EntrantMember",
    "EntrantRow",
    "EntrantState",
    "Event",
    "EventPoster",
    "EventStatus",
    "EventTable",
    "FeePayment",
    "Feed",
    "FeedKind",
    "Flight",
    "Follow",
    "ForbiddenEntrant",
    "ForbiddenKind",
    "ForbiddenPairs",
    "ListColumns",
    "LotEntrant",
    "LotPrize",
    "PaidHow",
    "PairingRow",
    "PairingState",
    "Prize",
    "PushAddress",
    "PushCall",
    "Sent",
    "StageEntrant",
    "StageEvent",
    "StageRow",
    "StageStatus",
]
