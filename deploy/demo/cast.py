"""The invented members of the demo club.

Levels go from 0 (weakest) to 1; ``comes`` is the relative frequency of attending a club night.
"""

from dataclasses import dataclass
from random import Random

NAMES = (
    "Anneliese Gräf", "Tomáš Dvořák", "Íñigo Echeverría", "Zeynep Çağlar", "Łucja Wiśniewska",
    "Søren Bjerregård", "Noa Ben-Ari", "Ωριγένης Παππάς", "Tiago Guimarães", "Émilie Lefèvre-Roux",
    "Ağca Məmmədova", "Ștefan Țurcanu", "Kwame Asante", "Ólöf Hallgrímsdóttir", "Дарья Кузнецова",
    "Rúben Conceição", "نور الهاشمي", "Nguyễn Thị Hạnh", "Giorgos Antoniou", "მაია ლომიძე",
    "Jürgen Öztürk", "Màiri NicDhòmhnaill", "Priya Raghunathan", "Ebba Sjöström", "Gábor Szűcs",
    "יעל שפירא", "Ana Quiñones", "Oisín Ó Briain", "田中 さくら", "李 文博",
)  # fmt: skip
"""Names in many scripts, as in real clubs; the first is the director, the second a member."""

LOGINS = 2
FILE_NAMES = ("tomas_d", "Passerby")
"""The two names in the uploaded file; the member who can sign in claims the first."""


@dataclass(frozen=True, slots=True)
class CastMember:
    """A member of the demo club."""

    name: str
    level: float
    comes: float


def cast(members: int, dice: Random) -> list[CastMember]:
    """Members with levels spread evenly over the club, in shuffled order.

    Raises ValueError for fewer than 4 or more than there are names.
    """
    if not 4 <= members <= len(NAMES):
        raise ValueError(f"the demo club has 4 to {len(NAMES)} members, not {members}")
    levels = [n / (members - 1) for n in range(members)]
    dice.shuffle(levels)
    return [
        CastMember(name, level, comes=dice.uniform(0.7, 1.3))
        for name, level in zip(NAMES, levels, strict=False)
    ]
