"""Read a stage's log into its value, and write it: the only place that does.

Everything the desk does is: lock the stage, ``load`` it, let a pure function of
``tournaments.core.play.acts`` make the next value, ``write`` what that value has more. The rows of the
pairings and their matches follow from the value in the same transaction.
"""

import json
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Any, TypeAlias

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import JSONObject

from clubs.models import User
from scoring.codec import from_plain, to_plain
from scoring.log.services.chains import append
from scoring.models import Match, SheetEvent
from scoring.rules.errors import InvalidValue
from scoring.rules.events import MatchStarted, Ruled, Voided
from tournaments.core.brackets.formats import Elimination
from tournaments.core.formats.table import FORMATS, format_of
from tournaments.core.play.acts import publish as publish_due
from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.outcomes import Outcome
from tournaments.core.stages.pairings import Pairing
from tournaments.core.stages.stage import Entry, Reported, Stage
from tournaments.events.services.events import touch
from tournaments.models import (
    Board,
    EarlierDraw,
    EntrantRow,
    PairingRow,
    PairingState,
    StageEntrant,
    StageEvent,
    StageRow,
)
from tournaments.stages.queries.stage_rows import entrants_at, entry_of, pairings_at
from tournaments.stages.services.boards import open_boards, void_boards
from tournaments.stages.services.labels import as_listed_when_due

MOST_SEATS = 1 << 18
"""Twice as many as the largest bracket that is drawn: a file may name any number."""
LogRow: TypeAlias = tuple[int, str, str, Any]
FieldRow: TypeAlias = Mapping[str, Any]
"""An entrant as drawn: its number, ref and seat, and what the draw was told of it."""


def begun_in(stage: StageRow) -> frozenset[int]:
    """Numbers of open pairings whose sheets have entries."""
    rows = PairingRow.objects.filter(
        stage=stage, state=PairingState.OPEN, boards__match__sheet__head_seq__gt=1
    )
    return frozenset(rows.values_list("number", flat=True))


def play_in(stage: StageRow, value: Stage) -> frozenset[int]:
    """Numbers of pairings with a result, with entries on a sheet, or started at the desk.

    An undone result leaves two entries on the sheet of a match that has not begun: these do not count.
    """
    started = PairingRow.objects.filter(stage=stage, started_at__isnull=False).current()
    undone = SheetEvent.objects.filter(sheet=OuterRef("sheet"), replaces=OuterRef("seq"))
    entries = SheetEvent.objects.filter(
        sheet__match__board__pairing__stage=stage, sheet__match__board__pairing__state=PairingState.OPEN
    )
    written = entries.exclude(kind__in=(MatchStarted.kind, Ruled.kind, Voided.kind)).exclude(Exists(undone))
    return frozenset(value.outcomes).union(
        written.values_list("sheet__match__board__pairing__number", flat=True),
        started.values_list("number", flat=True),
    )


def walkovers_in(value: Stage) -> frozenset[int]:
    """Numbers of pairings decided by a walkover or disqualification, as by a withdrawal."""
    return frozenset(number for number, outcome in value.outcomes.items() if not outcome.played)


def drawn(stage: StageRow) -> Stage:
    """The stage as drawn, before any entry (one query, none if folded)."""
    known = _known(stage.pk, _draw_of(stage))
    return known.drawn if known else _as_drawn(stage, stage, _field_of(stage))


def drawn_before(stage: StageRow, old: EarlierDraw) -> Stage:
    """An undone draw of the stage, as drawn (one query).

    Raises InvalidValue for an invalid row.
    """
    return _as_drawn(stage, old, _field_of(old))


def _field_of(draw: StageRow | EarlierDraw) -> Iterable[FieldRow]:
    """The field of a draw (one query)."""
    rows = draw.numbers.filter(drawn__isnull=False)
    return rows.values_list(
        JSONObject(number="number", ref="drawn__ref", seat="seat", told="told"), flat=True
    )


def _as_drawn(stage: StageRow, draw: StageRow | EarlierDraw, rows: Iterable[FieldRow]) -> Stage:
    """A draw from its seed and its field in any order.

    Raises InvalidValue for too many seats.
    """
    if draw.seats > MOST_SEATS:
        raise InvalidValue("seats", "{seats} seats are more than a draw can have", seats=draw.seats)
    field = sorted(rows, key=lambda row: row["number"])
    numbers = {row["seat"]: row["number"] for row in field}
    return Stage(
        format=stage.format,
        version=draw.algorithm,
        options=from_plain(FORMATS[stage.format].options, draw.options, "options"),
        seed=draw.seed,
        field=tuple(
            from_plain(Entrant, {**row["told"], "ref": row["ref"]}, f"field[{n}]")
            for n, row in enumerate(field)
        ),
        order=tuple(numbers.get(seat, 0) for seat in range(1, draw.seats + 1)),
    )


def told(entrant: Entrant) -> dict[str, Any]:
    """What the draw knows of an entrant besides the ref, for a row of the field."""
    body: dict[str, Any] = to_plain(entrant)
    del body["ref"]
    return body


def load(stage: StageRow, *, fresh: bool = False) -> Stage:
    """The stage as a value (one query, which includes the draw if not loaded).

    ``fresh``: the stage was just read, as under its lock; nothing is queried if this process has folded the
    log up to its head. Raises InvalidValue for rows that are not a log.
    """
    draw = _draw_of(stage)
    base = _known(stage.pk, draw)
    if fresh and base is not None and (base.seq, base.hash) == (stage.head_seq, stage.head_hash):
        return base.value
    if base is not None and base.seq <= stage.drawn_behind:
        base = None  # of a draw without entries: there is none to know it by
    rows = list(_entries(stage, base.seq)) if base else []
    if base is not None and rows and rows[0][:2] == (base.seq, base.hash):
        first, value, rows = base.drawn, base.value, rows[1:]
        if not rows:
            return value
    else:
        first, rows = _whole_log(stage)
        value = first
    value = _behind(value, rows)
    if rows:
        _keep(stage.pk, _Folded(draw, rows[-1][0], rows[-1][1], value, first))
    return value


def load_fresh(stage: StageRow) -> Stage:
    """A stage that was just read as a value (no query if this process has folded its log)."""
    return load(stage, fresh=True)


def load_all(stages: Sequence[StageRow]) -> dict[int, Stage]:
    """Drawn stages that were just read, as values by primary key (one query).

    None if this process has folded all logs up to their heads. Raises InvalidValue for rows that are not a
    log or a draw.
    """
    found: dict[int, Stage] = {}
    for stage in stages:
        known = _known(stage.pk, _draw_of(stage))
        if known and (known.seq, known.hash) == (stage.head_seq, stage.head_hash):
            found[stage.pk] = known.value
    unread = [stage for stage in stages if stage.pk not in found]
    if not unread:
        return found
    logs = _whole_logs(unread)
    for stage in unread:
        first, rows = logs[stage.pk]
        found[stage.pk] = _behind(first, rows)
        if len(unread) <= FOLDED_KEPT:
            seq, link = rows[-1][:2] if rows else (stage.head_seq, stage.head_hash)
            _keep(stage.pk, _Folded(_draw_of(stage), seq, link, found[stage.pk], first))
    return found


def read_anew(stage: StageRow) -> tuple[Stage, Stage]:
    """The stage as drawn and as it is, from storage alone (one query).

    Ignores what this process has folded. Raises InvalidValue for rows that are not a log or a draw.
    """
    first, rows = _whole_log(stage)
    return first, _behind(first, rows)


def _behind(value: Stage, rows: Iterable[LogRow]) -> Stage:
    return value.after(*(entry_of(kind, body, f"log[{seq}]") for seq, _link, kind, body in rows))


def _draw_of(stage: StageRow) -> tuple[Any, ...]:
    """Identifies a draw; a redraw has another time."""
    made = (stage.drawn_at, stage.format, stage.algorithm, stage.seed, stage.seats)
    return (*made, json.dumps(stage.options, sort_keys=True))


def _whole_log(stage: StageRow) -> tuple[Stage, list[LogRow]]:
    """The draw and all entries after it (one query)."""
    return _whole_logs([stage])[stage.pk]


def _whole_logs(stages: Sequence[StageRow]) -> dict[int, tuple[Stage, list[LogRow]]]:
    """The draws and all entries after them, by primary key (one query)."""
    fields: dict[int, list[FieldRow]] = {stage.pk: [] for stage in stages}
    logs: dict[int, list[LogRow]] = {stage.pk: [] for stage in stages}
    with connection.cursor() as cursor:
        cursor.execute(_LOGS, [list(logs)])
        for pk, seq, link, kind, body, field in cursor.fetchall():
            if seq is not None:
                logs[pk].append((seq, link, kind, json.loads(body)))
            if field is not None:
                fields[pk] = json.loads(field)
    return {stage.pk: (_as_drawn(stage, stage, fields[stage.pk]), logs[stage.pk]) for stage in stages}


# Written out: to build it took Django longer than the database takes to answer it.
_LOGS = f"""
    SELECT stage.id, entry.seq, entry.hash, entry.kind, entry.body,
        CASE WHEN entry.seq IS NULL OR entry.seq = stage.drawn_behind + 1 THEN (
            SELECT jsonb_agg(jsonb_build_object(
                'number', field.number, 'ref', drawn.ref, 'seat', field.seat, 'told', field.told
            ))
            FROM {StageEntrant._meta.db_table} AS field
                JOIN {EntrantRow._meta.db_table} AS drawn ON drawn.id = field.drawn_id
            WHERE field.stage_id = stage.id
        ) END
    FROM {StageRow._meta.db_table} AS stage
        LEFT JOIN {StageEvent._meta.db_table} AS entry
            ON entry.stage_id = stage.id AND entry.seq > stage.drawn_behind
    WHERE stage.id = ANY(%s)
    ORDER BY entry.seq
"""  # noqa: S608 - names of our own


def _entries(stage: StageRow, since: int) -> QuerySet[StageEvent, LogRow]:
    """Number, hash, kind and body of the draw's entries from ``since`` on."""
    since = max(since, stage.drawn_behind + 1)
    log = StageEvent.objects.filter(stage=stage, seq__gte=since).order_by("seq")
    return log.values_list("seq", "hash", "kind", "body")


def write(*, stage: StageRow, before: Stage, after: Stage, user: User | None, noted: bool = False) -> Stage:
    """Append the new entries of ``after``, publish due pairings, update the rows.

    A later round is paired by the list of forbidden pairs, the clubs and the titles of this moment.
    Where rounds wait for the director nothing is published. The caller holds the stage's lock; ``noted`` when
    the caller's entry in the event's log updates the open pages. Returns the value including new
    publications.
    """
    after = _without_stale(after)
    value = after if _waits(stage, after) else publish_due(as_listed_when_due(stage, after))
    entries = [_row_of(stage, entry, user) for entry in value.log[len(before.log) :]]
    if entries:
        append(stage, entries, status=stage.status)
    else:
        stage.save(update_fields=["status"])
    _follow(stage, before, value)
    if not noted:
        touch(stage.flight.event)
    if entries:
        first = drawn(stage) if before.log else before
        folded = _Folded(_draw_of(stage), stage.head_seq, stage.head_hash, value, first)
        transaction.on_commit(partial(_keep, stage.pk, folded))
    return value


def _row_of(stage: StageRow, entry: Entry, user: User | None) -> StageEvent:
    body = to_plain(entry, Entry)
    return StageEvent(stage=stage, kind=body.pop("kind"), body=body, user=user)


def _without_stale(value: Stage) -> Stage:
    """Undo outcomes of matches whose entrants have changed.

    Their matches are voided, and must not count again should a second correction bring the same two together.
    """
    fmt = format_of(value.format)
    if not isinstance(fmt, Elimination):
        return value
    return value.after(*(Reported(number, None) for number in fmt.resolution(value).stale))


def _waits(stage: StageRow, value: Stage) -> bool:
    """Whether a director publishes the next round; the first comes with the draw."""
    return stage.rounds_wait and stage.in_rounds and value.rounds > 0


def numbers_of(stage: StageRow) -> dict[int, EntrantRow]:
    """The entrants by number (one query); ``numbered_entrants`` has their names."""
    rows = StageEntrant.objects.filter(stage=stage).select_related("entrant").defer("told")
    return {row.number: row.entrant for row in rows}


def _follow(stage: StageRow, before: Stage, value: Stage) -> None:
    """Make, replace and decide pairing rows to match the value.

    They match ``before`` already, so only those that the change touches are read, however large the draw.
    """
    held, holding = _that_hold(before), _that_hold(value)
    touched = set(_touched(before, value, held, holding))
    if not touched:
        return
    rows = pairings_at(stage, touched)
    entrants = entrants_at(
        stage, {n for number in touched if number in holding for n in _players(holding[number])}
    )
    gone = [
        row
        for number, row in rows.items()
        if number not in holding or _sides(holding[number], entrants) != (row.a_id, row.b_id)
    ]
    if gone:
        PairingRow.objects.filter(pk__in=[row.pk for row in gone]).update(state=PairingState.REPLACED)
        void_boards(gone)
        for row in gone:
            del rows[row.number]
    made = [
        _row(stage, holding[number], entrants)
        for number in sorted(touched)
        if number in holding and number not in rows
    ]
    PairingRow.objects.bulk_create(made)
    open_boards(stage, [row for row in made if row.state == PairingState.OPEN])
    changed = []
    for row in (*rows.values(), *made):
        wanted = _decided(value.outcomes.get(row.number), entrants)
        if row.state != PairingState.BYE and wanted != (row.state, row.winner_id, row.ended):
            row.state, row.winner_id, row.ended = wanted
            changed.append(row)
    if len(changed) == 1:  # as nearly every result: a statement for many takes several times as long
        changed[0].save(update_fields=["state", "winner", "ended"])
    else:
        PairingRow.objects.bulk_update(changed, ["state", "winner", "ended"], batch_size=1000)


def _touched(
    before: Stage,
    value: Stage,
    held: Mapping[int, Pairing],
    holding: Mapping[int, Pairing],
) -> Iterator[int]:
    """The pairings that differ between two values."""
    yield from held.keys() ^ holding.keys()
    # A late entrant has a new number; a substitute has the number of the entrant replaced.
    fields = zip(before.field, value.field, strict=False)
    others = {number for number, (old, new) in enumerate(fields, 1) if old is not new and old != new}
    for number, pairing in holding.items():
        was = held.get(number)
        # Most are the very same objects: those need not be compared in full.
        another = was is not pairing and was != pairing
        if another or (others and not others.isdisjoint(_players(pairing))):
            yield number
    for number in before.outcomes.keys() | value.outcomes.keys():
        old, new = before.outcomes.get(number), value.outcomes.get(number)
        if old is not new and old != new:
            yield number


def _players(pairing: Pairing) -> tuple[int, ...]:
    """The numbers of its entrants: two, or one with a bye."""
    return (pairing.a,) if pairing.is_bye else (pairing.a, pairing.b)


def _that_hold(value: Stage) -> Mapping[int, Pairing]:
    """The published pairings, without bracket matches whose entrants changed."""
    fmt = format_of(value.format)
    if not isinstance(fmt, Elimination):
        return value.pairings
    state = fmt.resolution(value)
    return {n: p for n, p in value.pairings.items() if (state.a[n], state.b[n]) == (p.a, p.b)}


def _sides(pairing: Pairing, entrants: Mapping[int, int]) -> tuple[int, int | None]:
    return entrants[pairing.a], None if pairing.is_bye else entrants[pairing.b]


def _row(stage: StageRow, pairing: Pairing, entrants: Mapping[int, int]) -> PairingRow:
    a, b = _sides(pairing, entrants)
    return PairingRow(
        stage=stage,
        number=pairing.number,
        round=pairing.round,
        a_id=a,
        b_id=b,
        state=PairingState.BYE if pairing.is_bye else PairingState.OPEN,
        reasons=[to_plain(reason) for reason in pairing.reasons],
        length=pairing.length or stage.length_of(pairing.round),
        deadline=pairing.deadline,
    )


def _decided(outcome: Outcome | None, entrants: Mapping[int, int]) -> tuple[str, int | None, str]:
    """State, winner (the entrant's key) and ending of a pairing with this outcome."""
    if outcome is None:
        return PairingState.OPEN.value, None, ""
    winner = None if outcome.advances is None else entrants[outcome.winner]
    return PairingState.DECIDED.value, winner, outcome.ended.value


def pairing_of(match: Match) -> PairingRow | None:
    """The pairing that a match was made for, None for a match outside every event (one query).

    It may have been replaced since: then the match is void.
    """
    board = Board.objects.filter(match=match).select_related("pairing__stage").first()
    return None if board is None else board.pairing


FOLDED_KEPT = 32


@dataclass(frozen=True, slots=True)
class _Folded:
    """The value of a log after ``seq`` entries, the last of which has this hash, on this draw; and as it was
    ``drawn``.

    It is named by the log's own hash chain: it counts only while the stored log still has that hash at that
    place, so a transaction that was rolled back or another process can never make it wrong.
    """

    draw: tuple[Any, ...]
    seq: int
    hash: str
    value: Stage
    drawn: Stage


_kept: OrderedDict[int, _Folded] = OrderedDict()
_lock = Lock()


def _known(stage_id: int, draw: tuple[Any, ...]) -> _Folded | None:
    """The last folded value of the stage with this key, if of the same draw."""
    with _lock:
        found = _kept.get(stage_id)
        if found is None or found.draw != draw:
            return None
        _kept.move_to_end(stage_id)
        return found


def _keep(stage_id: int, folded: _Folded) -> None:
    with _lock:
        _kept[stage_id] = folded
        _kept.move_to_end(stage_id)
        while len(_kept) > FOLDED_KEPT:
            _kept.popitem(last=False)


def forget_folded() -> None:
    """Forget folded logs, to measure a process that has just started."""
    with _lock:
        _kept.clear()
