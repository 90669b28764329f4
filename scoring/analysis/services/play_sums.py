"""Store what each side's play in an analysed match comes to, for the pages that add up many matches.

Sums are written with the analysis, and go with it. Those of analyses from before are made in batches, each
analysis in a transaction of its own: a run that was stopped goes on where it was.
"""

from collections.abc import Iterable, Iterator, Mapping

from django.db import transaction
from django.db.models import Exists, OuterRef

from scoring.analysis.queries.analyses import decision_of
from scoring.engines.questions import request_for
from scoring.engines.requests import CheckerQuestion, Question
from scoring.log.queries.sheets import events_of
from scoring.models import Analysis, Match, MistakeSum, OpeningReply, PlaySum, SidePlay, SideRow
from scoring.models.analysis import AnalysisQuerySet, current_counting
from scoring.rules.errors import ScoringError
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


def sum_up_all() -> Iterator[str]:
    """Store the sums of analyses that have none, oldest first; yields the ref of each as it is stored."""
    last = 0
    while found := list(
        without_sums().filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:BATCH]
    ):
        for pk in found:
            with transaction.atomic():
                locked = Analysis.objects.select_for_update(no_key=True, of=("self",)).filter(pk=pk).first()
                # Asked after the lock: another run may have stored them while this one waited.
                if locked is not None and without_sums().filter(pk=pk).exists():
                    store_play_sums(locked)
                    yield locked.ref
        last = found[-1]


def store_play_sums(analysis: Analysis) -> None:
    """Replace the sums of an analysis of a match by those of its stored decisions.

    Call it in a transaction that has locked the analysis. An estimate and a chouette's game get none.
    """
    match: Match = analysis.match
    analysis.side_plays.all().delete()
    if analysis.is_estimate or match.in_chouette:
        return
    decisions = [decision_of(row) for row in analysis.decisions.order_by("number")]
    faced = _faced(decisions, _questions(analysis))
    for side in SideRow.objects.filter(match=match).order_by("pk"):
        own = [each for each in faced if each.decision.side is Side(side.colour)]
        _store(analysis, side, play_sums(own), own)


def _store(analysis: Analysis, side: SideRow, sums: PlaySums, faced: Iterable[FacedDecision]) -> None:
    total, dice = sums.total, sums.dice
    errors = [each.decision.error or 0.0 for each in faced if each.decision.counted]
    row = SidePlay.objects.create(
        analysis=analysis,
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


def _questions(analysis: Analysis) -> tuple[Question, ...]:
    log = events_of(analysis.match.sheet, upto=analysis.head_seq)
    refs = [str(numbered.seq) for numbered in log]
    return request_for([numbered.event for numbered in log], preset=analysis.preset, refs=refs).questions


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
