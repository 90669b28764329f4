"""Count the decisions of stored analyses again, without an engine.

Each analysis is one transaction under the lock of its row, and says afterwards by which rule it is counted: a
run that was stopped goes on where it was, two runs and the workers share the work, and no page sees decisions
counted by one rule and a summary by another.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from clubs.models import WorkStatus
from scoring.analysis.queries.worst import worst_error, worst_from
from scoring.log.queries.sheets import events_of
from scoring.models import Analysis, DecisionRow, FileAnalysis, FileDecision, Match
from scoring.models.analysis import current_counting
from scoring.rules.sides import Side
from scoring.signals import analysed
from scoring.theory.counting import counted_again
from scoring.theory.decisions import Candidate, Decision, DecisionKind
from scoring.theory.performance import biggest_errors, by_game, by_side, sums_of

BATCH = 200
_COLUMNS = (
    "pk",
    "event_seq",
    "game",
    "ply",
    "kind",
    "colour",
    "candidates",
    "error",
    "counted",
    "luck",
    "legal",
)


@dataclass(frozen=True, slots=True)
class Recounted:
    """What one analysis came to: decisions looked at, and those that count or do not count since."""

    ref: str
    decisions: int
    changed: int


def waiting() -> int:
    """How many analyses are counted by another rule than the present one (two queries)."""
    return _own().count() + _of_files().count()


def recount_all() -> Iterator[Recounted]:
    """Count every analysis that is counted by another rule, in batches, oldest first.

    Yields each as it is stored. Those that a second run has counted meanwhile are left out.
    """
    for keys in _batches(_own()):
        yield from (done for pk in keys if (done := _recount_own(pk)) is not None)
    for keys in _batches(_of_files()):
        yield from (done for pk in keys if (done := _recount_of_file(pk)) is not None)


def _own() -> QuerySet[Analysis]:
    return Analysis.objects.filter(status=WorkStatus.DONE).exclude(counting=current_counting())


def _of_files() -> QuerySet[FileAnalysis]:
    return FileAnalysis.objects.exclude(counting=current_counting())


def _batches(rows: QuerySet[Any]) -> Iterator[list[int]]:
    last = 0
    while keys := list(rows.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:BATCH]):
        yield keys
        last = keys[-1]


@transaction.atomic
def _recount_own(pk: int) -> Recounted | None:
    analysis = _own().select_for_update(no_key=True).filter(pk=pk).first()
    if analysis is None:
        return None
    decisions, changed = _recount(DecisionRow.objects.filter(analysis=analysis))
    before = analysis.summary or {}
    analysis.summary = before | _sums(decisions)
    if "worst" in before:
        analysis.summary["worst"] = _worst(analysis, decisions)
    analysis.counting = current_counting()
    analysis.save(update_fields=["summary", "counting"])
    analysis.side_plays.all().delete()  # ``sum_up_play`` adds them up again
    if changed:
        analysed.send(sender=Match, match=analysis.match)
    return Recounted(analysis.ref, len(decisions), changed)


@transaction.atomic
def _recount_of_file(pk: int) -> Recounted | None:
    analysis = _of_files().select_for_update(no_key=True).filter(pk=pk).first()
    if analysis is None:
        return None
    decisions, changed = _recount(FileDecision.objects.filter(analysis=analysis))
    analysis.summary = analysis.summary | _sums(decisions)
    analysis.counting = current_counting()
    analysis.save(update_fields=["summary", "counting"])
    analysis.side_plays.all().delete()  # ``sum_up_play`` adds them up again
    return Recounted(analysis.ref, len(decisions), changed)


def _recount(rows: QuerySet[Any]) -> tuple[tuple[Decision, ...], int]:
    """The decisions as they count now, stored so, and how many have changed."""
    plain = list(rows.order_by("number").values(*_COLUMNS))
    decisions = counted_again(_decision(row) for row in plain)
    changed = [
        (row["pk"], each.counted)
        for row, each in zip(plain, decisions, strict=True)
        if row["counted"] != each.counted
    ]
    for counted in (True, False):
        if keys := [pk for pk, counts in changed if counts is counted]:
            rows.filter(pk__in=keys).update(counted=counted)
    return decisions, len(changed)


def _decision(row: dict[str, Any]) -> Decision:
    """A stored decision with what counting needs of its candidates."""
    return Decision(
        ref=str(row["event_seq"]),
        game=row["game"],
        ply=row["ply"],
        side=Side(row["colour"]),
        kind=DecisionKind(row["kind"]),
        played="",
        candidates=tuple(
            Candidate(each["action"], each["equity"], None, "", played=each["played"])
            for each in row["candidates"]
        ),
        error=row["error"],
        counted=row["counted"],
        luck=row["luck"],
        legal=row["legal"],
    )


def _sums(decisions: tuple[Decision, ...]) -> dict[str, Any]:
    return {
        "match": sums_of(by_side(decisions)),
        "games": {game: sums_of(sides) for game, sides in by_game(decisions).items()},
    }


def _worst(analysis: Analysis, decisions: tuple[Decision, ...]) -> dict[str, Any] | None:
    """The biggest error as the summary has it; the scoresheet is replayed only if it is another one now."""
    now, before = next(iter(biggest_errors(decisions, limit=1)), None), worst_from(analysis.summary)
    if before is not None and now is not None and (int(now.ref), now.side) == (before.seq, before.side):
        return before.plain()
    log = events_of(analysis.match.sheet, upto=analysis.head_seq)
    worst = worst_error(decisions, [(numbered.seq, numbered.event) for numbered in log])
    return worst.plain() if worst else None
