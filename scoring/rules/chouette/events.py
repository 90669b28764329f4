"""Everything that can be written in the log of a chouette, as values.

Source: docs/reference/chouettes.md, "Box, crew and captain".

Players are named by opaque references. A cube is named by who plays it: a crew player's own by the player,
an extra by ``payer>holder``.

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
    """A table is open under the house rules called ``name``."""

    kind: ClassVar[str] = "chouette_start"
    options: ChouetteOptions
    name: str = ""


@dataclass(frozen=True, slots=True)
class OptionsChanged:
    """Other house rules, from the next game on."""

    kind: ClassVar[str] = "options"
    options: ChouetteOptions
    name: str = ""


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody sits down, at the bottom; ``stake`` is minor units a point."""

    kind: ClassVar[str] = "join"
    player: str
    stake: int


@dataclass(frozen=True, slots=True)
class Agreed:
    """A player accepts the rules as they stand, announced changes included."""

    kind: ClassVar[str] = "agree"
    player: str


@dataclass(frozen=True, slots=True)
class PlaceThrow:
    """What one player threw for the places."""

    player: str
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlacesThrown:
    """The places were thrown for: the highest is the box, the second captain. Who ties throws again."""

    kind: ClassVar[str] = "places"
    throws: tuple[PlaceThrow, ...]


@dataclass(frozen=True, slots=True)
class PlacesAgreed:
    """Everybody's place by consent: the box, the captain, the rest in order."""

    kind: ClassVar[str] = "order"
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Swapped:
    """Two players change places by consent."""

    kind: ClassVar[str] = "swap"
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class SatOut:
    """A player sits out, from the next game on."""

    kind: ClassVar[str] = "sit_out"
    player: str


@dataclass(frozen=True, slots=True)
class CameBack:
    """A player who sat out is back, at the bottom."""

    kind: ClassVar[str] = "come_back"
    player: str


@dataclass(frozen=True, slots=True)
class LeftTable:
    """A player leaves, from the next game on; the balance stays."""

    kind: ClassVar[str] = "leave"
    player: str


@dataclass(frozen=True, slots=True)
class StakeSet:
    """A player plays for another stake, from the next game on."""

    kind: ClassVar[str] = "stake"
    player: str
    stake: int


@dataclass(frozen=True, slots=True)
class ProxyNamed:
    """``proxy`` decides for a player who is away; None ends that."""

    kind: ClassVar[str] = "proxy"
    player: str
    proxy: str | None = None


@dataclass(frozen=True, slots=True)
class GameBegun:
    """The next game begins; the box may have taken a partner out of the crew."""

    kind: ClassVar[str] = "game_start"
    partner: str | None = None


@dataclass(frozen=True, slots=True)
class OpeningTied:
    """Equal opening dice; with ``doubled`` every cube counts twice as much."""

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
    """``by``, having just taken the cube, doubles it and keeps it."""

    kind: ClassVar[str] = "beaver"
    by: str
    cube: str


@dataclass(frozen=True, slots=True)
class CubeRaccooned:
    """``by``, having just been beavered, doubles again; the cube stays where it is."""

    kind: ClassVar[str] = "raccoon"
    by: str
    cube: str


@dataclass(frozen=True, slots=True)
class ExtraTaken:
    """``payer``, who passed, pays ``holder``, who took, to hold a cube against him.

    Where extras are compulsory this is the payer's demand, and the holder is not asked.
    """

    kind: ClassVar[str] = "extra"
    payer: str
    holder: str


@dataclass(frozen=True, slots=True)
class RefusedExtra:
    """``holder`` does not hold an extra against ``payer``, who asked: only where a taker may say no."""

    kind: ClassVar[str] = "extra_refused"
    payer: str
    holder: str


@dataclass(frozen=True, slots=True)
class CubeSettled:
    """The two players of a cube end it: the crew's side gets ``points`` (negative: pays)."""

    kind: ClassVar[str] = "settle"
    cube: str
    points: int


@dataclass(frozen=True, slots=True)
class CubeTakenOver:
    """``by`` carries on with the crew's side of a cube and gets ``points`` for it (negative: pays)."""

    kind: ClassVar[str] = "take_over"
    cube: str
    by: str
    points: int


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game ended on the board, or was resigned by the box or by the whole team."""

    kind: ClassVar[str] = "game_over"
    box_won: bool
    win: Win
    ended: GameEnd = GameEnd.BORNE_OFF


@dataclass(frozen=True, slots=True)
class SessionClosed:
    """The night is over."""

    kind: ClassVar[str] = "chouette_end"


@dataclass(frozen=True, slots=True)
class SeatHanded:
    """A player's seat was opened for another phone: it says by whom, and changes nothing at the table."""

    kind: ClassVar[str] = "seat"
    player: str


@dataclass(frozen=True, slots=True)
class Nothing:
    """Stands where a correction took an event away."""

    kind: ClassVar[str] = "nothing"


ChouetteEvent = (
    SessionStarted | OptionsChanged | Joined | Agreed | PlacesThrown | PlacesAgreed | Swapped | SatOut |
    CameBack | LeftTable | StakeSet | ProxyNamed | GameBegun | OpeningTied | Offered | Answered |
    CubeBeavered | CubeRaccooned | ExtraTaken | RefusedExtra | CubeSettled | CubeTakenOver | GameOver |
    SessionClosed | SeatHanded | Nothing
)  # fmt: skip

CHOUETTE_EVENT_TYPES: Mapping[str, type[Any]] = {event.kind: event for event in get_args(ChouetteEvent)}
"""The event types by kind."""


def chouette_event_to_plain(event: ChouetteEvent) -> tuple[str, dict[str, Any]]:
    """The event's kind and its body as plain data, defaults left out."""
    return event.kind, to_plain(event, full=False)


def chouette_event_from_plain(kind: str, body: Mapping[str, Any]) -> ChouetteEvent:
    """Undo :func:`chouette_event_to_plain`.

    Raises :class:`InvalidValue` for an unknown kind or field, a missing field, or a value that cannot be.
    """
    if kind not in CHOUETTE_EVENT_TYPES:
        raise InvalidValue("event_kind", "there is no event of the kind {kind!r}", kind=kind)
    event: ChouetteEvent = from_plain(CHOUETTE_EVENT_TYPES[kind], body, where=kind)
    return event
