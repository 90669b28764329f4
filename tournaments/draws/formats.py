"""The table of formats. A new format is one module and one line here."""

from typing import Final

from tournaments.draws.elimination_formats import DoubleElimination, Knockout
from tournaments.draws.errors import DrawRefused
from tournaments.draws.format import Format
from tournaments.draws.ladder import Ladder
from tournaments.draws.lives import Lives
from tournaments.draws.monrad import Monrad
from tournaments.draws.ready import Ready
from tournaments.draws.round_robin import RoundRobin
from tournaments.draws.swiss import Swiss

FORMATS: Final[dict[str, Format]] = {
    chosen.key: chosen
    for chosen in (
        Knockout(),
        DoubleElimination(),
        Swiss(),
        Lives(),
        RoundRobin(),
        Monrad(),
        Ready(),
        Ladder(),
    )
}


def format_of(key: str) -> Format:
    """The format with this key.

    Raises:
        DrawRefused: ``unknown_format``.
    """
    try:
        return FORMATS[key]
    except KeyError:
        raise DrawRefused(
            "unknown_format", f"there is no format {key!r}; there are {', '.join(FORMATS)}", format=key
        ) from None
