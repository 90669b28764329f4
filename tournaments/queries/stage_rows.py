"""What a draw's page needs of the rows: names and matches, two queries however large the draw is."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Case, Q, When
from django.utils.translation import gettext as _

from scoring.models import MatchStatus
from tournaments.models import Pairing, PairingState, Stage, StageEntrant

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


@dataclass(frozen=True, slots=True)
class Rows:
    """The pairings that hold, by number, with the first of their boards. ``newest`` is the primary key of the
    one that was made last, 0 where none is.
    """

    placed: Mapping[int, Placed]
    newest: int = 0


NO_ROWS = Rows({})


def rows_in(stage: Stage, known: Rows = NO_ROWS, changed: Collection[int] = ()) -> Rows:
    """The pairings that hold (one query): all that are open.

    Of the others those that are not ``known`` from an earlier reading, whose numbers have ``changed`` since,
    or that were made after it. A decided pairing shows its ref alone, and that never changes.
    """
    pairings = Pairing.objects.filter(stage=stage).current().order_by("number", "-boards__number")
    if known.placed:
        settled = Q(state=PairingState.DECIDED, pk__lte=known.newest)
        pairings = pairings.filter(~settled | Q(number__in=changed))
    # Only of matches on whose sheet something stands: the states of all sheets of a large draw are megabytes.
    written = Q(boards__match__status=MatchStatus.PLAYING, boards__match__sheet__head_seq__gt=BEGUN)
    pairings = pairings.annotate(live=Case(When(written, then="boards__match__sheet__state")))
    columns = ("pk", "number", "ref", "table", "called_at", "started_at", "boards__match__ref")
    found, newest = dict[int, Placed](), known.newest
    for pk, number, ref, table, called_at, started_at, match, status, live in pairings.values_list(
        *columns, "boards__match__status", "live"
    ):
        begun = live is not None or (started_at is not None and status == MatchStatus.PLAYING)
        score = _score(live) if live is not None and stage.boards == 1 else None
        found[number] = Placed(ref, match, table, called_at, begun, score)
        newest = max(newest, pk)
    return Rows({**known.placed, **found}, newest)


def _score(state: str) -> tuple[int, int]:
    """Points of White and Black by the stored state of a match's sheet."""
    plain = json.loads(state)["score"]
    return plain["white"], plain["black"]
