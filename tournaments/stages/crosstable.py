"""The crosstable as columns of the standings: the score of each entrant against each other."""

from collections.abc import Mapping, Sequence
from html import escape

from django.utils.translation import gettext as _

from tournaments.stages.bracket_names import short_names
from tournaments.stages.queries.entrant_results import EntrantResult, entrant_results
from tournaments.stages.queries.stage_picture import Picture


def cross_heads(picture: Picture, order: Sequence[int]) -> str:
    """A head for each opponent, in the order of the rows."""
    short = short_names(picture.names)
    return "".join(
        f'<th scope="col" class="against" title="{escape(picture.names[n].title)}">'
        f"<span>{escape(short[n])}</span></th>"
        for n in order
    )


def cross_cells(picture: Picture, order: Sequence[int]) -> Mapping[int, str]:
    """The cells of each entrant, a column for each opponent."""
    met: dict[tuple[int, int], list[EntrantResult]] = {}
    for entrant, results in entrant_results(picture, playoffs=False).items():
        for result in results:
            met.setdefault((entrant, result.opponent), []).append(result)
    words = {"won": _("won"), "lost": _("lost"), "table": _("T%(table)s")}
    own = '<td class="self" aria-hidden="true"></td>'
    return {
        n: "".join(own if n == other else _cell(met.get((n, other), ()), words) for other in order)
        for n in order
    }


def _cell(results: Sequence[EntrantResult], words: Mapping[str, str]) -> str:
    if not results:
        return '<td class="met"></td>'
    return f'<td class="met">{"".join(_result(each, words) for each in results)}</td>'


def _result(result: EntrantResult, words: Mapping[str, str]) -> str:
    """A score, own points first; of an unplayed match the word; of one at a table the table."""
    kind = "" if result.won is None else " w" if result.won else " l"
    if result.own is not None:
        score = f"<b>{result.own}</b><i>–</i><u>{result.other}</u>"
    elif result.won is not None:
        score = words["won"] if result.won else words["lost"]
    elif result.table:
        score = f"<small>{words['table'] % {'table': result.table}}</small>"
    else:
        score = "·"
    return f'<span class="score{kind}">{score}</span>'
