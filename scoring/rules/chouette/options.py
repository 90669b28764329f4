"""House rules of a chouette, and the built-in sets.

Source: docs/reference/chouettes.md, "House rules".

Sources of the built-in sets: the published rules of the Cambridge club and of Colorado Backgammon, and the
Los Angeles rules as described by Joe Russell (BGonline, 28 April 2013).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from scoring.rules.errors import InvalidValue

FEWEST_WITH_PARTNER = 4
OPENING_DICE = (1, 2)


class BoxKeeps(StrEnum):
    """When the box stays in the box."""

    BEAT_CAPTAIN = "beat_captain"
    NET_NOT_NEGATIVE = "net_not_negative"
    LAST_ACTIVE_CUBE = "last_active_cube"


class NewBox(StrEnum):
    """The next box when the box beat the captain but lost to another crew player."""

    ACTING_CAPTAIN = "acting_captain"
    CAPTAIN = "captain"


class ThreePlayers(StrEnum):
    """The box's options when a crew of two offers its first doubles together."""

    FREE = "free"
    BOTH_OR_NONE = "both_or_none"
    BOTH = "both"


class Automatic(StrEnum):
    """Whether equal opening dice double every cube.

    Never, if the box wishes, or always the first time.
    """

    NEVER = "never"
    BOX_WISHES = "box_wishes"
    FIRST_ALWAYS = "first_always"


class Extras(StrEnum):
    """Whether players who passed can buy an extra, and whether takers must accept."""

    NONE = "none"
    OPTIONAL = "optional"
    COMPULSORY = "compulsory"


class Consultation(StrEnum):
    """When the crew may consult on plays; shown to the players, not enforced."""

    NEVER = "never"
    FROM_START = "from_start"
    CUBE_TURNED = "cube_turned"
    CUBE_IN_GAME = "cube_in_game"


@dataclass(frozen=True, slots=True)
class ChouetteOptions:
    """A house's rules.

    ``multi_cube``       each crew player has a cube; otherwise the crew shares one;
    ``jacoby``           gammons count only on a turned cube, decided for each cube separately;
    ``lone_taker_beavers``  a lone taker of the box's double to the whole crew must beaver;
    ``takes_half``       of the crew's first doubles, offered together, the box takes half or more, or none;
    ``takes_captain``    a box that takes any cube offered together must take the captain's;
    ``three_players``    the rule for a crew of two, in place of ``takes_half``;
    ``double_stand_up``  if the box leaves after beating the captain, the captain goes down too;
    ``partner_from``     fewest players for an optional partner of the box (None: never);
    ``partner_must``     fewest players for a compulsory partner (None: never);
    ``newcomers_last``   a player who joins during a game sits behind its loser; otherwise ahead;
    ``opening_dice``     dice that each player rolls for places;
    ``max_cube``         the highest cube value (None: no limit).

    Raises :class:`InvalidValue` for an impossible number.
    """

    multi_cube: bool = True
    jacoby: bool = True
    beavers: bool = True
    raccoons: bool = False
    lone_taker_beavers: bool = False
    takes_half: bool = False
    takes_captain: bool = False
    three_players: ThreePlayers = ThreePlayers.FREE
    automatic: Automatic = Automatic.NEVER
    extras: Extras = Extras.NONE
    settlements: bool = False
    box_keeps: BoxKeeps = BoxKeeps.BEAT_CAPTAIN
    new_box: NewBox = NewBox.ACTING_CAPTAIN
    double_stand_up: bool = False
    partner_from: int | None = 6
    partner_must: int | None = None
    newcomers_last: bool = False
    opening_dice: int = 1
    consultation: Consultation = Consultation.CUBE_TURNED
    proxies: bool = True
    max_cube: int | None = None

    def __post_init__(self) -> None:
        for number in (self.partner_from, self.partner_must):
            if number is not None and number < FEWEST_WITH_PARTNER:
                raise InvalidValue(
                    "partner_least",
                    "a box with a partner needs at least {least} players, not {number}",
                    least=FEWEST_WITH_PARTNER,
                    number=number,
                )
        if self.partner_must is not None and self.partner_must < (self.partner_from or self.partner_must + 1):
            raise InvalidValue(
                "partner_must",
                "a partner cannot be compulsory from {must} players unless one is allowed with that many",
                must=self.partner_must,
            )
        if self.opening_dice not in OPENING_DICE:
            raise InvalidValue(
                "opening_dice",
                "players roll 1 or 2 dice for places, not {number}",
                number=self.opening_dice,
            )
        if self.max_cube is not None and (self.max_cube < 1 or self.max_cube & (self.max_cube - 1)):
            raise InvalidValue("max_cube", "a cube cannot show {number}", number=self.max_cube)


HOUSES: Final[Mapping[str, ChouetteOptions]] = {
    "house": ChouetteOptions(),
    "cambridge": ChouetteOptions(beavers=False, automatic=Automatic.BOX_WISHES, partner_from=None),
    "colorado": ChouetteOptions(opening_dice=2, consultation=Consultation.CUBE_IN_GAME),
    "los_angeles": ChouetteOptions(
        takes_half=True,
        takes_captain=True,
        three_players=ThreePlayers.BOTH_OR_NONE,
        extras=Extras.COMPULSORY,
        settlements=True,
        box_keeps=BoxKeeps.LAST_ACTIVE_CUBE,
        double_stand_up=True,
        partner_must=7,
        consultation=Consultation.NEVER,
    ),
}
"""Built-in house rules; options their sources leave open have the default."""
