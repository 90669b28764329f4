"""The options of a match or money session: each is a choice between sources.

Source: docs/reference/rules.md, "The cube" and "Irregularities".  A club's rules profile is one value of
:class:`RuleOptions`.
"""

from dataclasses import dataclass
from enum import StrEnum

from scoring.rules.errors import InvalidValue


class PrematureRoll(StrEnum):
    """A roll before the opponent's turn ended: stands (US 4.6), void or optional."""

    STANDS = "stands"
    VOID = "void"
    OPPONENT_CHOICE = "opponent_choice"


class PrematureCube(StrEnum):
    """A double before the opponent ended the turn: it stands or is void."""

    STANDS = "stands"
    VOID = "void"


class DieOnChecker(StrEnum):
    """A die that comes to rest on a checker: cocked, so both are rolled again, or valid (WBF 3.5)."""

    COCKED = "cocked"
    VALID = "valid"


class MovesPolicy(StrEnum):
    """An illegal play noticed in time.

    ``LEGAL``               must be corrected (WBF 4.2 iii);
    ``RESPONSIBLE``         the opponent decides (WBF 4.2 iv);
    ``ACCEPT_OR_DEMAND``    the opponent accepts it or demands a correction (an older custom).

    Under each, an illegal play that nobody noticed before the next roll or double stands.
    """

    LEGAL = "legal"
    RESPONSIBLE = "responsible"
    ACCEPT_OR_DEMAND = "accept_or_demand"


@dataclass(frozen=True, slots=True)
class RuleOptions:
    """The agreed rules.  Match options have no effect in money play, and vice versa.

    ``cube``                play with the doubling cube;
    ``max_cube``            highest cube value, a power of two, or None for no limit;
    ``crawford``            matches: the one game without a cube;
    ``holland``             matches: after the Crawford game no double before each side has rolled twice;
    ``forbid_dead_cube``    matches: refuse a double that cannot help the doubler, in place of a warning;
    ``jacoby``              money: gammons count only once a double was taken;
    ``beavers``             money: the taker may turn the cube again and keep it;
    ``raccoons``            money: the doubler may turn a beaver again;
    ``automatic_doubles``   money: how many tied opening rolls of a game double the cube, 0 for none;
    ``penalty_majority``    matches: penalty points above half the length win the match (UKBGF).

    Raises :class:`InvalidValue` for a maximum that is no power of two, or a negative number of automatic
    doubles.
    """

    cube: bool = True
    max_cube: int | None = None
    crawford: bool = True
    holland: bool = False
    forbid_dead_cube: bool = False
    jacoby: bool = True
    beavers: bool = True
    raccoons: bool = True
    automatic_doubles: int = 1
    penalty_majority: bool = False
    premature_roll: PrematureRoll = PrematureRoll.STANDS
    premature_cube: PrematureCube = PrematureCube.STANDS
    die_on_checker: DieOnChecker = DieOnChecker.COCKED
    moves_policy: MovesPolicy = MovesPolicy.LEGAL

    def __post_init__(self) -> None:
        limit = self.max_cube
        if limit is not None and (type(limit) is not int or limit < 1 or limit & (limit - 1)):
            raise InvalidValue(
                "max_cube", "the highest cube cannot be {value!r}: a power of two is needed", value=limit
            )
        autos = self.automatic_doubles
        if type(autos) is not int or autos < 0:
            raise InvalidValue(
                "automatic_doubles", "{value!r} is not a number of automatic doubles", value=autos
            )


STANDARD_OPTIONS = RuleOptions()
"""The default of every choice."""
