"""Names in bracket cells, shortened to fit.

The server does not know the reader's fonts, so widths are estimates on the wide side. A name that may be too
long is written with the width that it has to keep: it cannot cover its points in any font.
"""

import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from tournaments.stages.queries.stage_rows import Named

SQUEEZED = 1.25  # letters may be narrowed by as much, and stay legible
SURE = 0.85  # of an estimate: a narrow font is not stretched to it
_NARROW = frozenset("ijlItf.,:;'’!|()[] -")
_WIDE = frozenset("mwMW@%")


@dataclass(frozen=True, slots=True)
class Fitted:
    """A written name: ``squeezed`` is its fixed width if too long, ``scale`` its size."""

    text: str
    rtl: bool = False
    squeezed: float | None = None
    scale: float = 1.0


def width_of(text: str, font: float) -> float:
    """Estimated width of a text in a common sans at this size; rather too wide."""
    return font * sum(map(_advance, text))


def _advance(letter: str) -> float:
    if letter in _NARROW:
        return 0.38
    if letter in _WIDE:
        return 0.98
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.05
    if unicodedata.combining(letter):
        return 0
    return 0.72 if letter.isupper() else 0.62


def fitted(name: str, room: float, font: float, least: float) -> Fitted:
    """Fit a name: whole, with initials, or the surname, cut at size ``least``."""
    for text in (name, initials(name), surnames(name)):
        whole = _whole(text, room, font)
        if whole is not None:
            return whole
    rtl, scale = is_rtl(name), room * SQUEEZED / width_of(text, font)
    if font * scale >= least:
        return Fitted(text, rtl, room, scale)
    scale = min(1.0, least / font)
    return Fitted(_cut(text, room * SQUEEZED, font * scale), rtl, room, scale)


def fitted_club(club: str, room: float, font: float) -> Fitted:
    """Fit the name of a club in letters of this size: whole, or its beginning.

    >>> fitted_club("Porto", 80, 11).text, fitted_club("Clube de Gamão do Porto", 80, 11).text
    ('Porto', 'Clube de Gam…')
    """
    return _whole(club, room, font) or Fitted(_cut(club, room * SQUEEZED, font), is_rtl(club), room)


def _whole(text: str, room: float, font: float) -> Fitted | None:
    """A text in letters of this size, narrowed if needed; None if that is not enough."""
    wide = width_of(text, font)
    if wide <= room:
        return Fitted(text, is_rtl(text))
    return Fitted(text, is_rtl(text), min(room, wide * SURE)) if wide <= room * SQUEEZED else None


def _cut(text: str, room: float, font: float) -> str:
    while len(text) > 1 and width_of(text, font) > room:
        text = text[:-2].rstrip() + "…"
    return text


def is_rtl(name: str) -> bool:
    """Whether the first letter that has a direction runs from right to left.

    >>> is_rtl("ליאור כהן"), is_rtl("Lior")
    (True, False)
    """
    for letter in name:
        direction = unicodedata.bidirectional(letter)
        if direction in {"L", "R", "AL"}:
            return direction != "L"
    return False


def initials(name: str) -> str:
    """Given names as initials, of each player of a pair. Scripts without capitals have no initials.

    >>> initials("Marta Sofia Albuquerque"), initials("Ludo"), initials("Ann Lee / Bo van den Berg")
    ('M. S. Albuquerque', 'Ludo', 'A. Lee / B. van den Berg')
    """
    return " / ".join(map(_initialled, name.split(" / ")))


def surnames(name: str) -> str:
    """Surnames with their particles, of each player of a pair.

    >>> surnames("Marta Sofia Albuquerque"), surnames("Ann Lee / Bo van den Berg")
    ('Albuquerque', 'Lee / van den Berg')
    """
    return " / ".join(_parts(each)[1] for each in name.split(" / "))


def _initialled(name: str) -> str:
    given, surname = _parts(name)
    return " ".join([*(f"{each[0]}." for each in given), surname])


def _parts(name: str) -> tuple[list[str], str]:
    """Given names, and the surname with its particles."""
    words = name.split()
    if len(words) < 2 or not all(word[0].isupper() or word[0].islower() for word in words):
        return [], name
    first = next((n for n, word in enumerate(words[1:], 1) if word[0].islower()), len(words) - 1)
    return words[:first], " ".join(words[first:])


def short_names(names: Mapping[int, Named]) -> Mapping[int, str]:
    """Surnames where they are unique in the field, with initials where they are not; teams as they are."""
    short = {n: named.team or surnames(named.title) for n, named in names.items()}
    often = Counter(short.values())
    found = {n: text if often[text] == 1 else initials(names[n].title) for n, text in short.items()}
    again = Counter(found.values())
    return {n: text if again[text] == 1 else names[n].title for n, text in found.items()}
