"""The entrants of a division as rows of its list."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from clubs.http.ways import way_to
from clubs.models.person import sort_key
from clubs.people.pages import page_of
from scoring.drawing.figures import rating
from tournaments.events.queries.event_page import FlightBlock
from tournaments.models import EntrantRow, EntrantState


@dataclass(frozen=True, slots=True)
class FieldLine:
    """An entrant in the list of players; empty values are not shown.

    ``page`` is where a tap leads: the entry for a director, else the player's page. ``paid`` says how the
    fees were paid, for directors alone.
    """

    title: str
    own: bool
    page: str
    seed: str
    rating: str
    pools: str
    absent: bool
    paid: str


def field_lines(
    block: FlightBlock, seeds: Mapping[str, int], *, runs: bool, directs: bool
) -> Sequence[FieldLine]:
    """The entrants of a division with a place, by seed once drawn, else by name (no query).

    ``runs`` shows what is paid, ``directs`` links to the entries.
    """
    named = [(each, each.title) for each in block.entered]
    unseeded = len(seeds) + 1
    named.sort(key=lambda each: (seeds.get(each[0].ref, unseeded), sort_key(each[1])))
    checks = bool(block.checked_in)
    return [
        FieldLine(
            title,
            block.mine is not None and each.pk == block.mine.pk,
            _page(each, runs=runs, directs=directs),
            str(seeds.get(each.ref, "")),
            rating(each.rating) if each.rating else "",
            ", ".join(each.pools),
            checks and each.state != EntrantState.PRESENT,
            _paid(each) if runs and block.costs else "",
        )
        for each, title in named
    ]


def _page(entrant: EntrantRow, *, runs: bool, directs: bool) -> str:
    if runs:
        return way_to("tournaments:edit_entry", entrant.ref) if directs else ""
    players = entrant.players
    return page_of(players[0]) if len(players) == 1 and not entrant.name else ""


def _paid(entrant: EntrantRow) -> str:
    return _("refunded") if entrant.refunded_at else entrant.way_paid
