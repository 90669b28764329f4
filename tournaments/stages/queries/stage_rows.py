"""The rows behind a draw's page: names, matches and log entries.

Two queries for names and matches, however large the draw is.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import connection
from django.utils.translation import gettext as _

from clubs.models.columns import Columns, read
from scoring.codec import from_plain
from scoring.models import Match, MatchStatus, Sheet
from scoring.rules.match_state import Status
from tournaments.core.stages.stage import Entry
from tournaments.events.queries.entrant_rows import numbers_of
from tournaments.models import Board, EntrantRow, PairingRow, PairingState, StageEntrant, StageRow

BEGUN = 1  # a sheet's first event opens the match; the second is played


@dataclass(slots=True)
class Named:
    """An entrant as a draw shows it; ``players`` are refs, for followers.

    ``club`` is the club of its entry, empty for none and for an erased player.
    """

    number: int
    ref: str
    team: str = ""
    names: list[str] = field(default_factory=list)
    players: list[str] = field(default_factory=list)
    club: str = ""

    @property
    def title(self) -> str:
        return self.team or " / ".join(self.names)


@dataclass(frozen=True, slots=True)
class PlacedPairing:
    """The row of a published pairing: its own ref and its match's, where it is played and since when.

    ``begun``: the desk has said that it is being played, or its sheet shows it.
    ``score`` is how a match that is being played stands by its sheet, in points of the first entrant and the
    second; None for another, and for a tie of several boards. ``penalties`` are those of these points that
    were given by penalty.
    """

    ref: str
    match: str | None
    table: int | None
    called_at: datetime | None
    begun: bool
    score: tuple[int, int] | None = None
    penalties: tuple[int, int] = (0, 0)

    @property
    def stirred(self) -> bool:
        """Whether it has more than a match not started."""
        return self.begun or self.table is not None or self.called_at is not None


def names_in(stage: StageRow) -> Mapping[int, Named]:
    """The entrants of a drawn stage by number (one query)."""
    player = "entrant__members__player"
    entered = ("entrant__ref", "entrant__name", "entrant__from_club")
    columns = ("number", *entered, f"{player}__ref", f"{player}__person__name")
    rows = StageEntrant.objects.filter(stage=stage).order_by("number", "entrant__members__position")
    found: dict[int, Named] = {}
    erased = _("Erased player")
    for number, ref, team, club, who, name in rows.values_list(*columns):
        named = found.get(number)
        if named is None:
            named = found[number] = Named(number, ref, team)
        if who is not None:
            named.names.append(name or erased)
            named.players.append(who)
        if name:
            named.club = " ".join(club.split())
    return found


def names_among(entrants: Iterable[EntrantRow]) -> Mapping[int, Mapping[int, Named]]:
    """The entrants of each draw by number, by the key of the stage (no query).

    Load them as :func:`shown_entrants` does.
    """
    found: dict[int, dict[int, Named]] = defaultdict(dict)
    for entrant in entrants:
        players = entrant.players
        names, refs = [player.name for player in players], [player.ref for player in players]
        known = any(hasattr(player, "person") for player in players)
        club = " ".join(entrant.from_club.split()) if known else ""
        for stage, number in numbers_of(entrant).items():
            found[stage][number] = Named(number, entrant.ref, entrant.name, names, refs, club)
    return {stage: dict(sorted(named.items())) for stage, named in found.items()}


@dataclass(frozen=True, slots=True)
class Rows:
    """The current pairings by number, with their first boards.

    ``newest`` is the primary key of the latest one, 0 without any.
    """

    placed: Mapping[int, PlacedPairing]
    newest: int = 0


NO_ROWS = Rows({})


def rows_in(stage: StageRow, known: Rows = NO_ROWS, changed: Collection[int] = ()) -> Rows:
    """The pairings that hold (one query).

    Where some are ``known`` from an earlier reading, only those that may be others since: made after it, of
    whose numbers the outcomes ``changed``, and of those to be played the ones that were or are called, at a
    table or at play. A decided pairing shows its ref alone, and that never changes; nor does a bye.
    """
    if not known.placed:
        return rows_among([stage])[stage.pk]
    again = [*changed, *(number for number, row in known.placed.items() if row.stirred)]
    # A tie shows its first board, whichever of them is being played: all that are open are read.
    whole = stage.boards > 1
    values = {"stages": [stage.pk], "newest": known.newest, "again": again, "whole": whole}
    found = _read([stage], _ROWS_AGAIN, values)[stage.pk]
    return Rows({**known.placed, **found.placed}, max(known.newest, found.newest))


def rows_among(stages: Sequence[StageRow]) -> Mapping[int, Rows]:
    """The pairings that hold of several stages, by the key of the stage (one query)."""
    return _read(stages, _ROWS, {"stages": [stage.pk for stage in stages]})


def _read(stages: Sequence[StageRow], statement: str, values: Mapping[str, Any]) -> Mapping[int, Rows]:
    """The rows of a statement about these stages."""
    placed: dict[int, dict[int, PlacedPairing]] = {stage.pk: {} for stage in stages}
    newest = dict.fromkeys(placed, 0)
    boards = {stage.pk: stage.boards for stage in stages}
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        for stage, pk, number, ref, table, called_at, started_at, match, status, live in cursor.fetchall():
            begun = live is not None or (started_at is not None and status == MatchStatus.PLAYING)
            stands = _score(live) if live is not None and boards[stage] == 1 else (None, (0, 0))
            placed[stage][number] = PlacedPairing(ref, match, table, called_at, begun, *stands)
            newest[stage] = max(newest[stage], pk)
    return {stage: Rows(found, newest[stage]) for stage, found in placed.items()}


# Written out: as a query of Django's, to build it would take ten times as long as to ask it, after each
# result. The state only of matches on whose sheet something stands: those of all sheets of a large draw are
# megabytes.
_WRITTEN = f"(match.status = '{MatchStatus.PLAYING}' AND sheet.head_seq > {BEGUN})"
_OF_STAGES = f"""
    SELECT pairing.stage_id, pairing.id, pairing.number, pairing.ref, pairing."table", pairing.called_at,
        pairing.started_at, match.ref, match.status, CASE WHEN {_WRITTEN} THEN sheet.state END
    FROM {PairingRow._meta.db_table} AS pairing
        LEFT JOIN {Board._meta.db_table} AS board ON board.pairing_id = pairing.id
        LEFT JOIN {Match._meta.db_table} AS match ON match.id = board.match_id
        LEFT JOIN {Sheet._meta.db_table} AS sheet ON sheet.id = match.sheet_id
    WHERE pairing.stage_id = ANY(%(stages)s) AND pairing.state <> '{PairingState.REPLACED}'
"""  # noqa: S608 - names of our own
_IN_ORDER = "ORDER BY pairing.number, board.number DESC"
_ROWS = f"{_OF_STAGES} {_IN_ORDER}"
_ROWS_AGAIN = f"""{_OF_STAGES} AND (
        pairing.id > %(newest)s OR pairing.number = ANY(%(again)s) OR (
            pairing.state = '{PairingState.OPEN}' AND (
                %(whole)s OR pairing."table" IS NOT NULL OR pairing.called_at IS NOT NULL
                OR pairing.started_at IS NOT NULL OR {_WRITTEN}
            )
        )
    ) {_IN_ORDER}
"""


def pairings_at(stage: StageRow, numbers: Collection[int]) -> dict[int, PairingRow]:
    """The current pairings with these numbers, complete (one query)."""
    return {row.number: row for (row,) in read(_PAIRINGS, [stage.pk, list(numbers)], _WHOLE)}


def entrants_at(stage: StageRow, numbers: Collection[int]) -> dict[int, int]:
    """Primary keys of the entrants with these numbers (one query)."""
    with connection.cursor() as cursor:
        cursor.execute(_ENTRANTS, [stage.pk, list(numbers)])
        return dict(cursor.fetchall())


_WHOLE = Columns(PairingRow, "pairing")
_PAIRINGS = f"""
    SELECT {_WHOLE.text} FROM {PairingRow._meta.db_table} AS pairing
    WHERE stage_id = %s AND number = ANY(%s) AND state <> '{PairingState.REPLACED}'
"""  # noqa: S608 - names of our own
_ENTRANTS = f"""
    SELECT number, entrant_id FROM {StageEntrant._meta.db_table} WHERE stage_id = %s AND number = ANY(%s)
"""  # noqa: S608 - a name of our own


def _score(state: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """Points of White and Black by the stored state of a match's sheet, and those given by penalty."""
    plain = json.loads(state)
    return (plain["score"]["white"], plain["score"]["black"]), _given(plain)


@dataclass(frozen=True, slots=True)
class SheetState:
    """The status and the penalty points of White and Black, by the stored state of a match's sheet."""

    status: Status = Status.PLAYING
    penalties: tuple[int, int] = (0, 0)


def sheet_state(state: str) -> SheetState:
    plain = json.loads(state)
    return SheetState(Status(plain["status"]), _given(plain))


def _given(plain: Mapping[str, Any]) -> tuple[int, int]:
    white, black = plain.get("penalties", (0, 0))
    return white, black


def entry_of(kind: str, body: Mapping[str, Any], where: str) -> Entry:
    """The log entry in a row. Raises InvalidValue for an invalid row."""
    entry: Entry = from_plain(Entry, {"kind": kind, **body}, where)
    return entry
