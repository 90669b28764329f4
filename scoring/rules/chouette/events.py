"""Events of a chouette's log.

Source: docs/reference/chouettes.md, "Box, crew and captain".

Players are opaque references. A cube's key is the crew player's reference, or ``payer>holder`` for an
extra.

>>> chouette_event_to_plain(Offered("ana", ("jon", "eva")))
('offer', {'by': 'ana', 'cubes': ['jon', 'eva']})
>>> chouette_event_from_plain("answer", {"by": "jon", "takes": ["jon"]})
Answered(by='jon', takes=('jon',), passes=())
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, get_args

from scoring.rules.chouette.options import ChouetteOptions
from scoring.rules.codec import from_plain, to_plain
from scoring.rules.endings import GameEnd
from scoring.rules.errors import InvalidValue
from scoring.rules.match import Win


@dataclass(frozen=True, slots=True)
class SessionStarted:
    """A table opens with the house rules ``name``."""

    kind: ClassVar[str] = "chouette_start"
    options: ChouetteOptions
    name: str = ""


@dataclass(frozen=True, slots=True)
class OptionsChanged:
    """New house rules, from the next game."""

    kind: ClassVar[str] = "options"
    options: ChouetteOptions
    name: str = ""


@dataclass(frozen=True, slots=True)
class Joined:
    """A player joins at the bottom; ``stake`` is minor units per point."""

    kind: ClassVar[str] = "join"
    player: str
    stake: int


@dataclass(frozen=True, slots=True)
class Agreed:
    """A player agrees to the current rules, announced changes included."""

    kind: ClassVar[str] = "agree"
    player: str


@dataclass(frozen=True, slots=True)
class PlaceThrow:
    """One player's roll for places."""

    player: str
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlacesThrown:
    """Rolls for places: the highest is the box, the second the captain.

    Ties roll again.
    """

    kind: ClassVar[str] = "places"
    throws: tuple[PlaceThrow, ...]


@dataclass(frozen=True, slots=True)
class PlacesAgreed:
    """The order by agreement: the box, the captain, the rest."""

    kind: ClassVar[str] = "order"
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Swapped:
    """Two players swap places by agreement."""

    kind: ClassVar[str] = "swap"
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class SatOut:
    """A player sits out from the next game."""

    kind: ClassVar[str] = "sit_out"
    player: str


@dataclass(frozen=True, slots=True)
class CameBack:
    """A player who sat out returns, at the bottom."""

    kind: ClassVar[str] = "come_back"
    player: str


@dataclass(frozen=True, slots=True)
class LeftTable:
    """A player leaves after this game; the balance stays."""

    kind: ClassVar[str] = "leave"
    player: str


@dataclass(frozen=True, slots=True)
class StakeSet:
    """A player changes their stake, from the next game."""

    kind: ClassVar[str] = "stake"
    player: str
    stake: int


@dataclass(frozen=True, slots=True)
class ProxyNamed:
    """``proxy`` decides for an absent player; None ends that."""

    kind: ClassVar[str] = "proxy"
    player: str
    proxy: str | None = None


@dataclass(frozen=True, slots=True)
class GameBegun:
    """The next game begins, perhaps with a new partner for the box."""

    kind: ClassVar[str] = "game_start"
    partner: str | None = None


@dataclass(frozen=True, slots=True)
class OpeningTied:
    """Equal opening dice; ``doubled`` if they double every cube."""

    kind: ClassVar[str] = "tie"
    doubled: bool


@dataclass(frozen=True, slots=True)
class Offered:
    """``by`` doubles on these cubes."""

    kind: ClassVar[str] = "offer"
    by: str
    cubes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """``by`` answers doubles; the box answers all that were offered to it at once."""

    kind: ClassVar[str] = "answer"
    by: str
    takes: tuple[str, ...] = ()
    passes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CubeBeavered:
    """``by``, who just took the cube, doubles it and keeps it."""

    kind: ClassVar[str] = "beaver"
    by: str
    cube: str


@dataclass(frozen=True, slots=True)
class CubeRaccooned:
    """``by``, who was just beavered, doubles again; the cube keeps its owner."""

    kind: ClassVar[str] = "raccoon"
    by: str
    cube: str


@dataclass(frozen=True, slots=True)
class ExtraTaken:
    """``payer``, who passed, pays ``holder``, who took, to hold an extra.

    If extras are compulsory, the holder cannot refuse.
    """

    kind: ClassVar[str] = "extra"
    payer: str
    holder: str


@dataclass(frozen=True, slots=True)
class RefusedExtra:
    """``holder`` refuses an extra against ``payer``; only if extras are optional."""

    kind: ClassVar[str] = "extra_refused"
    payer: str
    holder: str


@dataclass(frozen=True, slots=True)
class CubeSettled:
    """The two players of a cube settle it.

    The crew's side gets ``points`` (negative: pays).
    """

    kind: ClassVar[str] = "settle"
    cube: str
    points: int


@dataclass(frozen=True, slots=True)
class CubeTakenOver:
    """``by`` takes over the crew's side of a cube.

    They get ``points`` for it (negative: they pay).
    """

    kind: ClassVar[str] = "take_over"
    cube: str
    by: str
    points: int


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game ends on the board, or the box or the whole crew resigns."""

    kind: ClassVar[str] = "game_over"
    box_won: bool
    win: Win
    ended: GameEnd = GameEnd.BORNE_OFF


@dataclass(frozen=True, slots=True)
class SessionClosed:
    """The chouette ends."""

    kind: ClassVar[str] = "chouette_end"


@dataclass(frozen=True, slots=True)
class SeatHanded:
    """A player's seat moves to another phone; nothing changes at the table."""

    kind: ClassVar[str] = "seat"
    player: str


@dataclass(frozen=True, slots=True)
class PaymentMade:
    """``payer`` has paid ``receiver`` so many minor units, during the chouette or after its end.

    Fits whatever came before: a correction changes what is still to pay, not what has been paid.
    """

    kind: ClassVar[str] = "paid"
    payer: str
    receiver: str
    minor: int


@dataclass(frozen=True, slots=True)
class Nothing:
    """A correction that deletes an event."""

    kind: ClassVar[str] = "nothing"


ChouetteEvent = (
    SessionStarted | OptionsChanged | Joined | Agreed | PlacesThrown | PlacesAgreed | Swapped | SatOut |
    CameBack | LeftTable | StakeSet | ProxyNamed | GameBegun | OpeningTied | Offered | Answered |
    CubeBeavered | CubeRaccooned | ExtraTaken | RefusedExtra | CubeSettled | CubeTakenOver | GameOver |
    SessionClosed | SeatHanded | PaymentMade | Nothing
)  # fmt: skip

CHOUETTE_EVENT_TYPES: Mapping[str, type[Any]] = {event.kind: event for event in get_args(ChouetteEvent)}
"""The event types by kind."""


def chouette_event_to_plain(event: ChouetteEvent) -> tuple[str, dict[str, Any]]:
    """The event's kind and its body as plain data, defaults left out."""
    return event.kind, to_plain(event, full=False)


def chouette_event_from_plain(kind: str, body: Mapping[str, Any]) -> ChouetteEvent:
    """Undo :func:`chouette_event_to_plain`.

    Raises :class:`InvalidValue` for an unknown kind or field, a missing field, or an invalid value.
    """
    if kind not in CHOUETTE_EVENT_TYPES:
        raise InvalidValue("event_kind", "there is no event of the kind {kind!r}", kind=kind)
    event: ChouetteEvent = from_plain(CHOUETTE_EVENT_TYPES[kind], body, where=kind)
    return event
