"""The traditional calls of the 21 rolls at the backgammon tables of the east.

Source: docs/reference/rules.md, "Calls of the dice".

Three tables: Turkish, Levantine and Persian, Bulgarian. They are Persian numbers ("yek, dü, se, cihar, penc,
şeş") with Turkish ones among them; spelling differs from town to town, and one usual form is kept of each.

>>> call_of(Roll(6, 5), Tradition.TURKISH)
'Şeş Beş'
"""

from collections.abc import Mapping
from enum import StrEnum

from scoring.rules.dice import Roll


class Tradition(StrEnum):
    """The languages of dice names."""

    TURKISH = "turkish"
    LEVANTINE = "levantine"
    BULGARIAN = "bulgarian"


_NAMES = """
11 Hep Yek|هبت يك|Еп-ек
22 Dubara|دوبارة|Дю-бара
21 İki Bir|دُو يك|Ик-и-бир
33 Dü Se|دوسة|Дю-се
32 Seba-i Dü|سِه دُو|Себа-и-дю
31 Se Yek|سِه يك|Се-и-ек
44 Dört Cihar|درجي|Дьорт-джехар
43 Cihar-ü Se|جهار سِه|Джехар-у-се
42 Cihar-i Dü|جهار دُو|Джехар-и-дю
41 Cihar-ı Yek|جهار يك|Джехар-и-ек
55 Dü Beş|دبش|Дю-беш
54 Beş Dört|پنج جهار|Беш-дьорт
53 Penc-ü Se|پنج سِه|Пендж-и-се
52 Penc-i Dü|پنج دُو|Пендж-и-дю
51 Beş Bir|پنج يك|Пендж-и-ек
66 Dü Şeş|دشش|Дю-шеш
65 Şeş Beş|شيش بيش|Шеш-беш
64 Şeş Cihar|شيش جهار|Шеш-джехар
63 Şeş-ü Se|شيش سِه|Шеш-у-се
62 Şeş-i Dü|شيش دُو|Шеш-и-дю
61 Şeş-i Yek|شيش يك|Шеш-у-ек
"""

DICE_NAMES: Mapping[Tradition, Mapping[str, str]] = {
    tradition: {line[:2]: line[3:].split("|")[column] for line in _NAMES.strip().splitlines()}
    for column, tradition in enumerate(Tradition)
}
"""The names by the dice as two digits, the higher first."""


def call_of(roll: Roll, tradition: Tradition) -> str:
    """The traditional name of ``roll``."""
    return DICE_NAMES[tradition][f"{roll.high}{roll.low}"]
