"""The table of formats. A new format is one module and one line here."""

from typing import Final

from tournaments.core.brackets.formats import DoubleElimination, Knockout
from tournaments.core.ladders.ladder import Ladder
from tournaments.core.rounds.keizer import Keizer
from tournaments.core.rounds.lives import Lives
from tournaments.core.rounds.monrad import Monrad
from tournaments.core.rounds.ready import Ready
from tournaments.core.rounds.round_robin import RoundRobin
from tournaments.core.rounds.swiss import Swiss
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.format import Format

FORMATS: Final[dict[str, Format]] = {
    chosen.key: chosen
    for chosen in (
        Knockout(),
        DoubleElimination(),
        Swiss(),
        Lives(),
        RoundRobin(),
        Monrad(),
        Keizer(),
        Ready(),
        Ladder(),
    )
}

EARLIER: Final[dict[str, frozenset[int]]] = dict.fromkeys(("knockout", "double", "ready"), frozenset({1}))
"""Earlier versions whose draws a format still continues and proves; their order is drawn alike."""


def reads(chosen: Format, version: int) -> bool:
    """Whether a format continues draws of this version as they were drawn."""
    return version == chosen.version or version in EARLIER.get(chosen.key, frozenset())


def format_of(key: str) -> Format:
    """The format with this key.

    Raises:
        DrawRefused: ``unknown_format``.
    """
    try:
        return FORMATS[key]
    except KeyError:
        raise DrawRefused(
            "unknown_format", f"there is no format {key!r}; choose from {', '.join(FORMATS)}", format=key
        ) from None
