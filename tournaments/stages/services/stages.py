"""The log of a stage: read into the pure value, and written only here.

Everything the desk does is: lock the stage, ``load`` it, let a pure function of
``tournaments.core.play.acts`` make the next value, ``write`` what that value has more. The rows of the
pairings and their matches follow from the value in the same transaction.
"""

import json
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from threading import Lock
from typing import Any

from django.db import connection, transaction
from django.db.models import Case, QuerySet, When

from clubs.models import User
from scoring.models import Match
from tournaments.core.brackets.formats import Elimination
from tournaments.core.formats.table import FORMATS, format_of
from tournaments.core.play.acts import publish as publish_due
from tournaments.core.stages.encoding import decode, encode
from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.outcomes import Outcome
from tournaments.core.stages.pairings import Pairing
from tournaments.core.stages.stage import Entry, Reported, Stage
from tournaments.events.services.events import touch
from tournaments.models import Board, EntrantRow, PairingRow, PairingState, StageEntrant, StageEvent, StageRow
from tournaments.models.stage import THE_DRAW
from tournaments.stages.queries.stage_rows import entrants_at, pairings_at
from tournaments.stages.services.boards import open_boards, void_boards


def begun_in(stage: StageRow) -> frozenset[int]:
    """The numbers of the open pairings on whose sheets something stands already."""
    rows = PairingRow.objects.filter(
        stage=stage, state=PairingState.OPEN, boards__match__sheet__head_seq__gt=1
    )
    return frozenset(rows.values_list("number", flat=True))


def drawn(stage: StageRow) -> Stage:
    """The stage as it was drawn, before anything happened (one query where the draw was not loaded along)."""
    if not stage.get_deferred_fields().isdisjoint(THE_DRAW):
        stage.refresh_from_db(fields=THE_DRAW)
    return Stage(
        format=stage.format,
        version=stage.algorithm,
        options=decode(FORMATS[stage.format].options, stage.options, "options"),
        seed=stage.seed,
        field=tuple(decode(Entrant, each, f"field[{n}]") for n, each in enumerate(stage.field)),
        order=tuple(stage.order),
    )


def drawn_before(stage: StageRow, old: Mapping[str, Any]) -> Stage:
    """A draw of the stage that was taken back, as it was drawn. Raises InvalidArchive for what is none."""
    return Stage(
        format=stage.format,
        version=old["algorithm"],
        options=decode(FORMATS[stage.format].options, old["options"], "options"),
        seed=old["seed"],
        field=tuple(decode(Entrant, each, f"field[{n}]") for n, each in enumerate(old["field"])),
        order=tuple(old["order"]),
    )


def load(stage: StageRow, *, fresh: bool = False) -> Stage:
    """The stage as a value (one query, which brings the draw along where it was not loaded).

    ``fresh`` for a stage that was read just now, as under its lock: where this process has folded the log as
    far as the stage's head says, nothing is read. Raises InvalidArchive for rows that are no log.
    """
    draw = _draw_of(stage)
    base = _known(stage.pk, draw)
    if fresh and base is not None and (base.seq, base.hash) == (stage.head_seq, stage.head_hash):
        return base.value
    rows = list(_entries(stage, base.seq)) if base else _whole_log(stage)
    if base is not None:
        if not rows or rows[0][:2] != (base.seq, base.hash):
            base, rows = None, _whole_log(stage)
        elif len(rows) == 1:
            return base.value
        else:
            rows = rows[1:]
    value = drawn(stage) if base is None else base.value
    value = value.after(*(decode(Entry, body, f"log[{seq}]") for seq, _link, body in rows))
    if rows:
        _keep(stage.pk, _Folded(draw, rows[-1][0], rows[-1][1], value))
    return value


def _draw_of(stage: StageRow) -> tuple[Any, ...]:
    """What tells this draw from every other one: a stage that is drawn anew is drawn at another time."""
    return (stage.drawn_at, stage.format, stage.algorithm, stage.seed)


def _whole_log(stage: StageRow) -> list[tuple[int, str, Any]]:
    """All entries. A draw that was not loaded with the stage comes with the first of them."""
    if stage.get_deferred_fields().isdisjoint(THE_DRAW):
        return list(_entries(stage, 0))
    begins = stage.drawn_behind + 1
    first = {f"draw_{name}": Case(When(seq=begins, then=f"stage__{name}")) for name in THE_DRAW}
    log = StageEvent.objects.filter(stage=stage, seq__gte=begins).annotate(**first).order_by("seq")
    rows = list(log.values_list("seq", "hash", "body", *first))
    if rows:
        stage.field, stage.order = rows[0][3:]
    return [row[:3] for row in rows]


def _entries(stage: StageRow, since: int) -> QuerySet[StageEvent, tuple[int, str, Any]]:
    """Number, hash and body of the draw's entries from ``since`` on."""
    since = max(since, stage.drawn_behind + 1)
    log = StageEvent.objects.filter(stage=stage, seq__gte=since).order_by("seq")
    return log.values_list("seq", "hash", "body")


def write(*, stage: StageRow, before: Stage, after: Stage, user: User | None, noted: bool = False) -> Stage:
    """Append what ``after`` has more than ``before``, publish what is due (but where rounds wait for the
    director), bring the pairings' rows along.

    The caller holds the stage's lock; where it is ``noted``, the caller's entry in the event's log tells the
    open pages. Returns the value with what was published.
    """
    after = _without_stale(after)
    value = after if _waits(stage, after) else publish_due(after)
    rows: list[list[Any]] = []
    for entry in value.log[len(before.log) :]:
        body = encode(entry, kind=True)
        stage.head_seq += 1
        stage.head_hash = link_of(stage.head_hash, stage.head_seq, body)
        rows.append([stage.head_seq, body, stage.head_hash])
    head: list[Any] = [stage.head_seq, stage.head_hash, stage.status, stage.pk]
    with connection.cursor() as cursor:
        cursor.execute(_APPEND, [*head, stage.pk, user.pk if user else None, json.dumps(rows)])
    _follow(stage, before, value)
    if not noted:
        touch(stage.flight.event)
    if rows:
        folded = _Folded(_draw_of(stage), stage.head_seq, stage.head_hash, value)
        transaction.on_commit(partial(_keep, stage.pk, folded))
    return value


# The log's new entries and the stage's head in one statement: every result writes them.
_APPEND = f"""
    WITH moved AS (
        UPDATE {StageRow._meta.db_table} SET head_seq = %s, head_hash = %s, status = %s WHERE id = %s
    )
    INSERT INTO {StageEvent._meta.db_table} (stage_id, user_id, seq, body, hash)
    SELECT %s, %s, (row->>0)::int, row->1, row->>2 FROM jsonb_array_elements(%s::jsonb) AS row
"""  # noqa: S608 - the tables' names are our own


def _without_stale(value: Stage) -> Stage:
    """The outcomes of matches whose entrants are others now are taken back: their matches are voided, and
    must not count again should a second correction bring the same two together.
    """
    fmt = format_of(value.format)
    if not isinstance(fmt, Elimination):
        return value
    return value.after(*(Reported(number, None) for number in fmt.resolution(value).stale))


def _waits(stage: StageRow, value: Stage) -> bool:
    """Whether the next round is the director's to publish; the first comes with the draw."""
    return stage.rounds_wait and stage.in_rounds and value.rounds > 0


def link_of(previous: str, seq: int, body: Any) -> str:
    """The hash of a log's entry: SHA-256, in hex, over the previous hash and the entry."""
    plain = json.dumps([previous, seq, body], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(plain.encode()).hexdigest()


def numbers_of(stage: StageRow, *, names: bool = False) -> dict[int, EntrantRow]:
    """The entrants by number (one query; two more with their names)."""
    rows = StageEntrant.objects.filter(stage=stage).select_related("entrant")
    if names:
        rows = rows.prefetch_related("entrant__members__player__person")
    return {row.number: row.entrant for row in rows}


def damage_of(stage: StageRow) -> str:
    """What is wrong with a stored log, empty when all is well: numbers, chain, head."""
    link = ""
    last = 0
    for seq, body, stored in stage.log.order_by("seq").values_list("seq", "body", "hash"):
        if seq != last + 1:
            return f"entry {last + 1} is missing"
        link, last = link_of(link, seq, body), seq
        if link != stored:
            return f"entry {seq} was changed after it was written"
    if (stage.head_seq, stage.head_hash) != (last, link):
        return f"the head says {stage.head_seq} entries, the log has {last}"
    return ""


def _follow(stage: StageRow, before: Stage, value: Stage) -> None:
    """Make, replace and decide the rows of the pairings so that they say what the value says.

    They say what ``before`` says already: only those that the change touches are read, however many others a
    large draw has.
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
    """The pairings that another value makes others: published, taken back, decided, or with somebody else."""
    yield from held.keys() ^ holding.keys()
    # A late entrant has a number of his own; who takes over another's is somebody else at the same place.
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
    """The published pairings, without those of a bracket whose entrants are no longer who was published."""
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
        reasons=[encode(reason) for reason in pairing.reasons],
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
    boards = Board.objects.filter(match=match).select_related("pairing__stage")
    board = boards.defer(*(f"pairing__stage__{name}" for name in THE_DRAW)).first()
    return None if board is None else board.pairing


FOLDED_KEPT = 32


@dataclass(frozen=True, slots=True)
class _Folded:
    """The value of a log after ``seq`` entries, the last of which has this hash, on this draw.

    It is named by the log's own hash chain: it counts only while the stored log still has that hash at that
    place, so a transaction that was rolled back or another process can never make it wrong.
    """

    draw: tuple[Any, ...]
    seq: int
    hash: str
    value: Stage


_kept: OrderedDict[int, _Folded] = OrderedDict()
_lock = Lock()


def _known(stage_id: int, draw: tuple[Any, ...]) -> _Folded | None:
    """What was folded last of the stage with this primary key, if it was drawn like this."""
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
    """Start from the stored logs again, for measurements of a process that has just begun."""
    with _lock:
        _kept.clear()
