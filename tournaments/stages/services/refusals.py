"""Refusals of a draw with names instead of numbers."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from django.utils.translation import gettext as _

from clubs.refusals import Remedy
from tournaments.core.stages.errors import DrawRefused
from tournaments.models import EntrantRow, PairingRow, StageEntrant, StageRow
from tournaments.words.refusals import ENTRANTS, MATCHES, sentence

FORBIDDEN = frozenset({"forbidden_pair", "forbidden_by_hand", "forbidden_bye"})
"""Codes of draws that the list of forbidden pairs does not allow."""

MOST_NAMED = 6
"""Matches that a sentence names: all later ones may stand on a result of a large Swiss."""


class NamedRefused(DrawRefused):
    """The refusal of a draw in names, with where its reason can be changed."""

    def __init__(self, code: str, message: str, remedy: Remedy | None, **params: object) -> None:
        super().__init__(code, message, **params)
        self.remedy = remedy


@contextmanager
def in_names(stage: StageRow) -> Iterator[None]:
    """Re-raise DrawRefused from inside with names, in the reader's language.

    Code and parameters are kept. Names are those of the moment: call it before an entrant's number changes
    hands. Queries only on a refusal.
    """
    try:
        yield
    except DrawRefused as refused:
        said = sentence(refused, _words(stage, refused.params))
        if said is None:
            raise
        raise NamedRefused(refused.code, said, _remedy(stage, refused.code), **refused.params) from refused


def _remedy(stage: StageRow, code: str) -> Remedy | None:
    """Where a director changes what makes a draw impossible."""
    if code in FORBIDDEN:
        words, args = _("Change forbidden pairs"), (stage.flight.ref,)
        return Remedy(words, "tournaments:forbidden", "api:forbidden_pairs", args)
    if code == "too_few_entrants" and not stage.fed_by.exists():
        args = (stage.flight.event.ref,)
        return Remedy(_("Enter players"), "tournaments:entries", "api:event_entrants", args)
    return None


def remedy_in_log(stage: StageRow) -> Remedy:
    """The event's log, where decisions are undone."""
    return Remedy(_("Open log"), "tournaments:log", "api:event_log", (stage.flight.event.ref,))


def sides_of(stage: StageRow, numbers: Iterable[int]) -> str:
    """The sides of these pairings, e.g. ``Ann – Bob, Cleo – Dan`` (seven queries).

    Of many pairings the first ones and how many more.
    """
    wanted = sorted(numbers)
    rows = PairingRow.objects.filter(stage=stage, number__in=wanted).current().order_by("number")
    rows = rows.select_related("a", "b").prefetch_related(
        "a__members__player__person", "b__members__player__person"
    )
    named = ", ".join(
        _("%(a)s – %(b)s") % {"a": row.a.title, "b": row.b.title if row.b else _("bye")}
        for row in rows[:MOST_NAMED]
    )
    if len(wanted) <= MOST_NAMED:
        return named
    return _("%(matches)s and %(count)s more") % {"matches": named, "count": len(wanted) - MOST_NAMED}


def _number(parameter: object) -> int:
    return int(str(parameter))


def _words(stage: StageRow, params: Mapping[str, object]) -> dict[str, object]:
    words: dict[str, object] = {"stage": stage.name}
    words |= {name: value for name, value in params.items() if name not in ENTRANTS | MATCHES | {"ref"}}
    numbers = {name: _number(params[name]) for name in params.keys() & ENTRANTS}
    if numbers:
        rows = StageEntrant.objects.filter(stage=stage, number__in=numbers.values())
        rows = rows.select_related("entrant").prefetch_related("entrant__members__player__person")
        titles = {row.number: row.entrant.title for row in rows}
        words |= {name: titles[number] for name, number in numbers.items() if number in titles}
    for name in params.keys() & MATCHES:
        if sides := sides_of(stage, [_number(params[name])]):
            words["match"] = sides
    if "ref" in params:
        entrant = EntrantRow.objects.filter(ref=params["ref"]).with_players().first()
        if entrant is not None:
            words["name"] = entrant.title
    return words
