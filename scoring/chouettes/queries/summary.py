"""A chouette in a few lines to share: games, totals and payments."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.formats.dates import day
from clubs.formats.numbers import signed
from scoring.chouettes.queries.payments import payments_of
from scoring.chouettes.queries.told import told
from scoring.log.queries.chouettes import SeenTable


@dataclass(frozen=True, slots=True)
class NightSummary:
    """The heading, facts, each player's points (the winner first) and the payments in words."""

    heading: str
    facts: str
    totals: tuple[tuple[str, int], ...]
    payments: tuple[str, ...]

    @property
    def text(self) -> str:
        """The summary as plain text, a line per player and payment."""
        totals = [f"{name} {signed(points)}" for name, points in self.totals]
        return "\n".join([self.heading, self.facts, *totals, *self.payments])


def summary_of(seen: SeenTable) -> NightSummary:
    """The summary for a viewer: without payments where money is not shown."""
    table, chouette = told(seen), seen.chouette
    games = len(table.state.games)
    balances = table.state.balances
    totals = [(table.names.get(seat.player, "?"), balances[seat.player][0]) for seat in table.state.seats]
    counted = ngettext("%(count)s game", "%(count)s games", games) % {"count": games}
    date = day(chouette.created_at, chouette.club.zone)
    return NightSummary(
        heading=chouette.title,
        facts=f"{chouette.club.name} · {date} · {counted}",
        totals=tuple(sorted(totals, key=lambda each: (-each[1], each[0]))),
        payments=tuple(
            _("%(payment)s (paid)") % {"payment": each["words"]} if each["paid"] else str(each["words"])
            for each in payments_of(table)
        ),
    )
