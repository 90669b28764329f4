"""A game of a chouette as a value: its cubes, and how each of them stands.

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
    """The two sides of a cube: the box's, and the crew's."""

    BOX = "box"
    TEAM = "team"

    @property
    def other(self) -> "Half":
        return Half.TEAM if self is Half.BOX else Half.BOX


class Fresh(StrEnum):
    """What was just done with a cube, which a beaver or a raccoon may answer."""

    NO = "no"
    TAKEN = "taken"
    BEAVERED = "beavered"


@dataclass(frozen=True, slots=True)
class TableCube:
    """A cube on the table. ``player`` has the crew's side, ``against`` (None: the box) the box's.

    ``account`` pays and gets for the crew's side, where somebody took it over. ``offered`` is the side that
    doubles and waits for the answer; ``result`` ends the cube.
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
        """Who decides and pays for the crew's side."""
        return self.account or self.player

    @property
    def asked(self) -> Half | None:
        """The side that has to answer a double."""
        return None if self.offered is None else self.offered.other

    @property
    def live(self) -> bool:
        return self.result is None

    def outcome(self, *, box_won: bool, win: Win, how: GameEnd, agreed: int | None = None) -> CubeResult:
        """The cube's result as it stands now."""
        return CubeResult(
            self.player, box_won, win, self.value, how, self.turned, self.against, agreed, self.account
        )


@dataclass(frozen=True, slots=True)
class TableGame:
    """A game under way. ``results`` are those of the cubes that ended, in that order.

    A round are the doubles that wait together: ``round_offered`` is how many, ``round_passed`` names the
    cubes of those that were passed.
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
        """Who moves for the crew: the first of the crew who is still in, None when nobody is."""
        still = {cube.player for cube in self.cubes if cube.live and cube.against is None}
        return next((player for player in self.seating.crew if player in still), None)

    @property
    def offered(self) -> tuple[TableCube, ...]:
        """The cubes that wait for an answer."""
        return tuple(cube for cube in self.cubes if cube.offered is not None)

    def cube(self, key: str) -> TableCube:
        """Raises IllegalAction where there is no such cube."""
        found = next((cube for cube in self.cubes if cube.key == key), None)
        if found is None:
            raise IllegalAction("no_cube", "{cube} has no cube in this game", cube=key)
        return found

    def side_of(self, cube: TableCube, player: str) -> Half | None:
        """Which side of the cube a player decides for, None for somebody else's."""
        if player == cube.holder:
            return Half.TEAM
        return Half.BOX if player == (cube.against or self.seating.box) else None
