"""Store what each side's play in an analysed match comes to, for the pages that add up many matches.

Sums are written with the analysis, and go with it. Those of analyses from before are made in batches, each
analysis in a transaction of its own: a run that was stopped goes on where it was.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from scoring.analysis.queries.analyses import decision_of
from scoring.engines.questions import request_for
from scoring.engines.requests import CheckerQuestion, Question
from scoring.log.queries.sheets import NumberedEvent, events_of
from scoring.models import (
    Analysis,
    FileAnalysis,
    Match,
    MistakeSum,
    OpeningReply,
    PlaySum,
    Seat,
    SidePlay,
    SideRow,
)
from scoring.models.analysis import AnalysisQuerySet, current_counting
from scoring.rules.errors import ScoringError
from scoring.rules.events import Event
from scoring.rules.position import STARTING_POSITION, Position
from scoring.rules.sides import Side
from scoring.theory.decisions import Decision
from scoring.theory.play_sums import FacedDecision, PlaySums, play_sums

BATCH = 100


def without_sums() -> AnalysisQuerySet:
    """Finished analyses of matches that have no sums yet: those from before there were any."""
    done = Analysis.objects.done().without_estimates().filter(match__in_chouette=False)
    done = done.filter(counting=current_counting())
    return done.filter(~Exists(SidePlay.objects.filter(analysis=OuterRef("pk"))))


def files_without_sums() -> QuerySet[FileAnalysis]:
    """Analyses in files that judge their match's current sheet and have no sums yet."""
    current = FileAnalysis.objects.filter(
        counting=current_counting(), head_hash=F("source__match__sheet__head_hash")
    )
    return current.filter(~Exists(SidePlay.objects.filter(file_analysis=OuterRef("pk"))))


def sum_up_all() -> Iterator[str]:
    """Store the sums of analyses that have none, oldest first; yields the ref of each as it is stored."""
    for pk in _in_batches(without_sums()):
        with transaction.atomic():
            locked = Analysis.objects.select_for_update(no_key=True, of=("self",)).filter(pk=pk).first()
            # Asked after the lock: another run may have stored them while this one waited.
            if locked is not None and without_sums().filter(pk=pk).exists():
                store_play_sums(locked)
                yield locked.ref
    for pk in _in_batches(files_without_sums()):
        with transaction.atomic():
            rows = FileAnalysis.objects.select_for_update(no_key=True, of=("self",))
            of_file = rows.filter(pk=pk).first()
            if of_file is not None and files_without_sums().filter(pk=pk).exists():
                store_file_sums(of_file)
                yield of_file.ref


def _in_batches(rows: QuerySet[Any]) -> Iterator[int]:
    last = 0
    while keys := list(rows.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:BATCH]):
        yield from keys
        last = keys[-1]


def store_play_sums(analysis: Analysis) -> None:
    """Replace the sums of an analysis of a match by those of its stored decisions.

    Call it in a transaction that has locked the analysis. An estimate and a chouette's game get none.
    """
    match: Match = analysis.match
    analysis.side_plays.all().delete()
    if analysis.is_estimate or match.in_chouette:
        return
    # Before its seats, in the order of locks: whoever stores an analysis tells the match's pages of it.
    Match.objects.select_for_update(no_key=True).values_list("pk").get(pk=match.pk)
    log = events_of(match.sheet, upto=analysis.head_seq)
    decisions = [decision_of(row) for row in analysis.decisions.order_by("number")]
    _store_sides(SidePlay(analysis=analysis, match=match, label=analysis.label), decisions, log)


def store_file_sums(analysis: FileAnalysis) -> None:
    """Replace the sums of a file's analysis by those of its decisions.

    Call it in a transaction, while the analysis judges the match's current sheet.
    """
    match: Match = analysis.source.match
    analysis.side_plays.all().delete()
    decisions = [decision_of(row) for row in analysis.decisions.order_by("number")]
    sums_of_file = SidePlay(file_analysis=analysis, match=match, label=analysis.exact_label)
    _store_sides(sums_of_file, decisions, events_of(match.sheet))


def _store_sides(of: SidePlay, decisions: Sequence[Decision], log: Sequence[NumberedEvent[Event]]) -> None:
    """Store the sums of both sides; ``of`` says of which match and analysis."""
    refs = [str(numbered.seq) for numbered in log]
    questions = request_for([numbered.event for numbered in log], preset="", refs=refs).questions
    faced = _faced(decisions, questions)
    # Held, so that a merge of players finds these sums.
    seats = list(Seat.objects.select_for_update(no_key=True).filter(match=of.match).order_by("pk"))
    for side in SideRow.objects.filter(match=of.match).order_by("pk"):
        own = [each for each in faced if each.decision.side is Side(side.colour)]
        players = [seat.player_id for seat in seats if seat.side_id == side.pk]
        _store(of, side, players[0] if len(players) == 1 else None, play_sums(own), own)


def _store(
    of: SidePlay, side: SideRow, player: int | None, sums: PlaySums, faced: Iterable[FacedDecision]
) -> None:
    total, dice = sums.total, sums.dice
    errors = [each.decision.error or 0.0 for each in faced if each.decision.counted]
    row = SidePlay.objects.create(
        player_id=player,
        played_at=of.match.played_at,
        analysis=of.analysis,
        file_analysis=of.file_analysis,
        match=of.match,
        label=of.label,
        side=side,
        colour=side.colour,
        worst=max(errors, default=0.0),
        **{name: getattr(total, name) for name in total.__slots__},
        **{name: getattr(dice, name) for name in dice.__slots__},
    )
    PlaySum.objects.bulk_create(
        PlaySum(
            of=row,
            phase=phase,
            kind=kind,
            score=score,
            **{name: getattr(tally, name) for name in tally.__slots__},
        )
        for (phase, kind, score), tally in sums.cells.items()
    )
    MistakeSum.objects.bulk_create(
        MistakeSum(of=row, phase=phase, kind=kind, counted=tally.counted, loss=tally.loss)
        for (phase, kind), tally in sums.mistakes.items()
    )
    OpeningReply.objects.bulk_create(
        OpeningReply(
            of=row,
            earlier=each.earlier,
            roll=each.roll,
            played=each.played,
            best=each.best,
            error=each.error,
        )
        for each in sums.openings
    )


def _faced(decisions: Iterable[Decision], questions: Iterable[Question]) -> list[FacedDecision]:
    """Each decision with what its player saw; those of irregular positions have no phase and are left out."""
    asked = _by_ref(questions)
    faced: list[FacedDecision] = []
    turns: dict[int, int] = {}
    opened: dict[int, str] = {}
    for decision in decisions:
        question, is_answer = asked.get((decision.ref, decision.kind.is_cube), (None, False))
        if question is None:
            continue
        at = question.situation
        try:
            position = Position.from_key(at.position)
        except ScoringError:
            continue
        own_away, opponent_away = at.own_away, at.opponent_away
        if is_answer:
            position, own_away, opponent_away = position.flipped(), opponent_away, own_away
        dice, turn, earlier = None, 0, ""
        if isinstance(question, CheckerQuestion):
            dice = question.dice
            turn = turns[decision.game] = turns.get(decision.game, 0) + 1
            if turn == 1 and position == STARTING_POSITION:
                opened[decision.game] = f"{dice[0]}{dice[1]}: {decision.played}"
            earlier = opened.get(decision.game, "") if turn == 2 else ""
        faced.append(
            FacedDecision(
                decision,
                position,
                own_away,
                opponent_away,
                crawford=at.crawford,
                dice=dice,
                turn=turn,
                earlier=earlier,
            )
        )
    return faced


def _by_ref(questions: Iterable[Question]) -> Mapping[tuple[str, bool], tuple[Question, bool]]:
    """The question of each decision, by ref and whether it is of the cube, and whether it is the answer."""
    found: dict[tuple[str, bool], tuple[Question, bool]] = {}
    for question in questions:
        is_cube = not isinstance(question, CheckerQuestion)
        found[question.ref, is_cube] = (question, False)
        if not isinstance(question, CheckerQuestion) and question.response_ref:
            found[question.response_ref, True] = (question, True)
    return found
