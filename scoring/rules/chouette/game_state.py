"""State of one chouette game: its cubes and their results.

Source: docs/reference/chouettes.md, "Cubes".
"""

from dataclasses import dataclass
from enum import StrEnum

from scoring.rules.chouette.costs import CubeResult, Payment, Seating
from scoring.rules.chouette.options import ChouetteOptions
from scoring.rules.endings import GameEnd
from scoring.rules.errors import IllegalAction
from scoring.rules.match import Win

FIRST_VALUE = 1


class Half(StrEnum):
    """The two sides of a cube: the box's and the crew's."""

    BOX = "box"
    TEAM = "team"

    @property
    def other(self) -> "Half":
        return Half.TEAM if self is Half.BOX else Half.BOX


class Fresh(StrEnum):
    """The last action on a cube that a beaver or raccoon can answer."""

    NO = "no"
    TAKEN = "taken"
    BEAVERED = "beavered"


@dataclass(frozen=True, slots=True)
class TableCube:
    """A cube on the table.

    ``player`` has the crew's side, ``against`` (None: the box) the box's.

    ``account`` is the player who took over the crew's side. ``offered`` is the side whose double is
    unanswered; a cube with a ``result`` is over.
    """

    player: str
    against: str | None = None
    value: int = FIRST_VALUE
    owner: Half | None = None
    turned: bool = False
    offered: Half | None = None
    fresh: Fresh = Fresh.NO
    account: str | None = None
    result: CubeResult | None = None

    @property
    def key(self) -> str:
        return self.player if self.against is None else f"{self.against}>{self.player}"

    @property
    def holder(self) -> str:
        """The player who decides and pays for the crew's side."""
        return self.account or self.player

    @property
    def asked(self) -> Half | None:
        """The side that must answer a double."""
        return None if self.offered is None else self.offered.other

    @property
    def live(self) -> bool:
        return self.result is None

    def outcome(self, *, box_won: bool, win: Win, how: GameEnd, agreed: int | None = None) -> CubeResult:
        """The cube's result if it ends now."""
        return CubeResult(
            self.player, box_won, win, self.value, how, self.turned, self.against, agreed, self.account
        )


@dataclass(frozen=True, slots=True)
class TableGame:
    """A game in progress. ``results`` are those of finished cubes, in order.

    A round is the set of doubles offered together: ``round_offered`` is their number, ``round_passed`` the
    keys of those passed.
    """

    number: int
    seating: Seating
    options: ChouetteOptions
    cubes: tuple[TableCube, ...]
    results: tuple[CubeResult, ...] = ()
    payments: tuple[Payment, ...] = ()
    ties: int = 0
    must_beaver: str | None = None
    round_offered: int = 0
    round_passed: tuple[str, ...] = ()
    refused_extras: tuple[str, ...] = ()

    @property
    def over(self) -> bool:
        return not any(cube.live for cube in self.cubes)

    @property
    def captain(self) -> str | None:
        """The acting captain: the first crew player still in; None without one."""
        still = {cube.player for cube in self.cubes if cube.live and cube.against is None}
        return next((player for player in self.seating.crew if player in still), None)

    @property
    def offered(self) -> tuple[TableCube, ...]:
        """The cubes with an unanswered double."""
        return tuple(cube for cube in self.cubes if cube.offered is not None)

    def cube(self, key: str) -> TableCube:
        """The cube with this key. Raises IllegalAction without one."""
        found = next((cube for cube in self.cubes if cube.key == key), None)
        if found is None:
            raise IllegalAction("no_cube", "{cube} has no cube in this game", cube=key)
        return found

    def side_of(self, cube: TableCube, player: str) -> Half | None:
        """The side of the cube that a player decides for; None for another player's cube."""
        if player == cube.holder:
            return Half.TEAM
        return Half.BOX if player == (cube.against or self.seating.box) else None
