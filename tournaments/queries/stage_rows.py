"""What a draw's page needs of the rows: names and matches, two queries however large the draw is."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Case, When
from django.utils.translation import gettext as _

from scoring.models import MatchStatus
from tournaments.models import Pairing, Stage, StageEntrant

BEGUN = 1  # a sheet's first event opens the match; the second is played


@dataclass(slots=True)
class Named:
    """An entrant as a draw shows it; ``players`` are refs, for whoever follows one of them."""

    number: int
    ref: str
    team: str = ""
    names: list[str] = field(default_factory=list)
    players: list[str] = field(default_factory=list)

    @property
    def title(self) -> str:
        return self.team or " / ".join(self.names)


@dataclass(frozen=True, slots=True)
class Placed:
    """The row of a published pairing: its own ref and its match's, where it is played and since when.

    ``begun``: the desk has said that it is being played, or its sheet shows it.
    ``score`` is how a match that is being played stands by its sheet, in points of the first entrant and the
    second; None for another, and for a tie of several boards.
    """

    ref: str
    match: str | None
    table: int | None
    called_at: datetime | None
    begun: bool
    score: tuple[int, int] | None = None


def names_in(stage: Stage) -> Mapping[int, Named]:
    """The entrants of a drawn stage by number (one query)."""
    player = "entrant__members__player"
    columns = ("number", "entrant__ref", "entrant__name", f"{player}__ref", f"{player}__person__name")
    rows = StageEntrant.objects.filter(stage=stage).order_by("number", "entrant__members__position")
    found: dict[int, Named] = {}
    erased = _("Erased player")
    for number, ref, team, who, name in rows.values_list(*columns):
        named = found.get(number)
        if named is None:
            named = found[number] = Named(number, ref, team)
        if who is not None:
            named.names.append(name or erased)
            named.players.append(who)
    return found


def placed_in(stage: Stage) -> Mapping[int, Placed]:
    """The pairings that hold, by number, with the first of their boards (one query)."""
    rows = Pairing.objects.filter(stage=stage).current().order_by("number", "-boards__number")
    # Only of matches that are being played: the states of all sheets of a large draw are megabytes.
    rows = rows.annotate(
        live=Case(When(boards__match__status=MatchStatus.PLAYING, then="boards__match__sheet__state"))
    )
    columns = ("number", "ref", "table", "called_at", "started_at", "boards__match__ref")
    events = "boards__match__sheet__head_seq"
    return {
        number: _placed(stage, ref, match, table, called_at, started_at, (events or 0) > BEGUN, live)
        for number, ref, table, called_at, started_at, match, events, live in rows.values_list(
            *columns, events, "live"
        )
    }


def _placed(
    stage: Stage,
    ref: str,
    match: str | None,
    table: int | None,
    called_at: datetime | None,
    started_at: datetime | None,
    written: bool,  # noqa: FBT001 - a column of a row
    live: str | None,
) -> Placed:
    score = None
    if written and live and stage.boards == 1:
        plain = json.loads(live)["score"]
        score = plain["white"], plain["black"]
    begun = live is not None and (written or started_at is not None)
    return Placed(ref, match, table, called_at, begun, score)
