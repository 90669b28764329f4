"""Request and store analyses of matches, each once.

The row of an analysis is the truth; the engine runs in a process of its own and is given only positions that
the rules engine has replayed. Progress is written as it comes, the decisions and "done" in one transaction.
A long match is stored in parts, each in a transaction of its own: a worker that loses the row leaves the
parts that are whole, and nothing else.
"""

from collections.abc import Sequence
from time import monotonic

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import ngettext

from clubs.live.topics import publish
from clubs.models import User, WorkStatus
from clubs.refusals import Refused
from clubs.work import services as work
from scoring.analysis.queries.asked import MatchQuestions, engine_of, questions_of
from scoring.analysis.queries.engines import EngineChoice, asked_for, of_club
from scoring.analysis.queries.worst import worst_error
from scoring.analysis.services.parts import (
    PART_LIMIT,
    done_in,
    is_one,
    part_of,
    size_after,
    size_after_timeout,
    size_of_next,
    store_part,
    stored_parts,
    whole,
)
from scoring.analysis.services.play_sums import store_play_sums
from scoring.analysis.services.turns import must_give_way
from scoring.engines.chouette_questions import ChouetteRequest, Faced
from scoring.engines.errors import EngineCancelled, EngineError, EngineRefused, EngineTimeout
from scoring.engines.protocol import Cancelled, Progress
from scoring.engines.registry import analyse
from scoring.engines.requests import AnalysisResult
from scoring.log.queries.boards import game_of
from scoring.log.queries.sheets import events_of, has_plays
from scoring.models import (
    Analysis,
    ChouettePlayer,
    DecisionOwner,
    DecisionRow,
    Level,
    Match,
    MatchStatus,
    Urgency,
)
from scoring.models.analysis import current_counting
from scoring.signals import analysed
from scoring.theory.counting import counted_again
from scoring.theory.performance import by_game, by_side, sums_of

HEARTBEAT_SECONDS = 1.0
PRESETS = {Level.ESTIMATE: "estimate", Level.DEEP: "deep"}
"""What is run besides the standard analysis, which the settings name."""
MOST_WAITING = 5
"""Analyses of one member that can wait at the same time."""
STANDING = (WorkStatus.QUEUED, WorkStatus.RUNNING, WorkStatus.DONE)


class TooManyAnalyses(Refused):
    """A member has requested as many analyses as can wait at the same time."""

    code = "too_many_analyses"


def request_finished(*, match: Match) -> list[Analysis]:
    """Request what a match gets by itself when it is finished: an estimate, and the standard analysis.

    Called in the transaction that finishes the match. An imported match gets no estimate: nobody has just
    played it.
    """
    imported = not match.in_chouette and not match.sheet.profile
    standard = request_analysis(match=match, urgency=Urgency.IMPORTED if imported else Urgency.PLAYED)
    if standard is None:
        return []
    if imported or not settings.ANALYSIS_ESTIMATE or standard.status == WorkStatus.DONE:
        return [standard]
    estimate = EngineChoice(standard.engine, PRESETS[Level.ESTIMATE])
    return [_requested(match, estimate, Level.ESTIMATE, Urgency.ESTIMATE), standard]


def request_analysis(
    *,
    match: Match,
    user: User | None = None,
    engine: str = "",
    preset: str = "",
    urgency: Urgency = Urgency.REQUESTED,
) -> Analysis | None:
    """Request the analysis of a match's current sheet, or return the existing one.

    By the club's engine and preset unless others are named; raises EngineNotOffered for those that are not
    installed. None without plays, and for a chouette's game that was taken back: there is nothing to judge.
    An analysis that failed is requested again; one that waits and is more urgent now goes forward.
    """
    if not has_plays(match.sheet) or (match.in_chouette and _is_taken_back(match)):
        return None
    named = bool(engine or preset)
    choice = asked_for(match.club, engine=engine, preset=preset) if named else of_club(match.club)
    return _requested(match, choice, level_of(choice.preset), urgency, user)


def request_by_member(*, match: Match, user: User, engine: str = "", preset: str = "") -> Analysis | None:
    """Request an analysis that a member asks for, by any installed engine.

    As `request_analysis`; raises TooManyAnalyses while several requests of the member are waiting.
    """
    with transaction.atomic():
        # Two requests at once would both find room.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        waiting = Analysis.objects.filter(
            requested_by=user, status__in=[WorkStatus.QUEUED, WorkStatus.RUNNING]
        )
        found = waiting.count()
        analysis = request_analysis(match=match, user=user, engine=engine, preset=preset)
        if found >= MOST_WAITING and waiting.count() > found:
            raise TooManyAnalyses(
                ngettext(
                    "%(number)s analysis that you requested is waiting. Try again when it is finished.",
                    "%(number)s analyses that you requested are waiting. Try again when one is finished.",
                    found,
                )
                % {"number": found}
            )
    return analysis


def level_of(preset: str) -> Level:
    """How deep a preset looks."""
    return next((level for level, name in PRESETS.items() if name == preset), Level.STANDARD)


def _requested(
    match: Match, choice: EngineChoice, level: Level, urgency: Urgency, user: User | None = None
) -> Analysis:
    asked = {"match": match, "head_seq": match.sheet.head_seq, "head_hash": match.sheet.head_hash}
    asked |= {"engine": choice.engine, "preset": choice.preset}
    standing = Analysis.objects.filter(**asked, status__in=STANDING)
    analysis = standing.first()
    if analysis is None:
        try:
            with transaction.atomic():
                return Analysis.objects.create(**asked, level=level, urgency=urgency, requested_by=user)
        except IntegrityError:  # another request at the same moment
            analysis = standing.get()
    if urgency < analysis.urgency:
        waiting = Analysis.objects.filter(pk=analysis.pk, status=WorkStatus.QUEUED)
        if waiting.update(urgency=urgency):
            analysis.urgency = urgency
    return analysis


def _is_taken_back(match: Match) -> bool:
    """Whether the chouette's game was removed although its record exists."""
    return match.status == MatchStatus.VOID or game_of(match).number is None


def run_analysis(analysis: Analysis) -> Analysis:
    """Analyse a match to the end, part by part; the caller has claimed ``analysis``.

    Raises WorkLostError when another worker has the row.
    """
    analysis = run_part(analysis)
    while claimed := work.claim(Analysis, ref=analysis.ref):
        analysis = run_part(claimed)
    return analysis


def run_part(analysis: Analysis) -> Analysis:
    """Analyse the next part of a match and store it; the caller has claimed ``analysis``.

    With the last part the whole is written and the row is done; before that it is queued again. An engine
    that fails gives the row back (for good when it refuses the match). Raises WorkLostError when another
    worker has the row.
    """
    asked = questions_of(analysis)
    first = done_in(stored_parts(analysis))
    part = part_of(asked.request, first=first, size=size_of_next(analysis))
    began = monotonic()
    try:
        result = analyse(
            part,
            engine=engine_of(analysis),
            time_limit=PART_LIMIT,
            on_progress=_progress_of(analysis, first=first, total=len(asked.request.questions)),
            cancelled=watch_of(analysis),
        )
    except EngineCancelled:
        with work.pause(analysis):
            pass
    except EngineTimeout as error:
        _after_timeout(analysis, error, len(part.questions))
    except EngineError as error:
        give_up(analysis, error)
    else:
        size = size_after(len(part.questions), monotonic() - began)
        store_result(analysis, asked, result, questions=len(part.questions), next_size=size)
    analysis.refresh_from_db()
    return analysis


def give_up(analysis: Analysis, error: EngineError) -> None:
    """Give back the row after an engine failed: for good where it refused the match."""
    work.fail(analysis, error=f"{error.code}: {error}", final=isinstance(error, EngineRefused))
    tell(analysis)


def store_result(
    analysis: Analysis,
    asked: MatchQuestions,
    result: AnalysisResult,
    *,
    questions: int,
    next_size: int | None = None,
) -> bool:
    """Store the next part, of so many questions; with the last one the whole, and the row is done.

    The caller holds the row, which is queued again while questions are left. False if the parts so far are
    of another label: then they are forgotten, and this one is not stored. Raises WorkLostError when another
    worker has the row.
    """
    parts = stored_parts(analysis)
    first = done_in(parts)
    done = first + questions
    so_far = whole(parts, result)
    if not is_one(parts, so_far, part_of(asked.request, first=0, size=done)):
        _begin_again(analysis)
        return False
    if done < len(asked.request.questions):
        with work.pause(analysis) as current:
            store_part(current, result, first=first, questions=questions)
            current.part_size = next_size or current.part_size
            current.done_decisions = done
    else:
        with transaction.atomic():
            with work.finish(analysis) as current:
                _write(current, so_far, asked.chouette)
                store_play_sums(current)
                current.parts.all().delete()
                _request_deep(current)
            analysed.send(sender=Match, match=current.match)
        tell(analysis)
    return True


def _after_timeout(analysis: Analysis, error: EngineTimeout, questions: int) -> None:
    size = size_after_timeout(questions)
    if not size:
        work.fail(analysis, error=f"{error.code}: {error}", final=True)
        tell(analysis)
        return
    with work.pause(analysis) as current:
        current.part_size = size


def _begin_again(analysis: Analysis) -> None:
    """Forget the parts of another engine version, or of other questions, and use up an attempt."""
    with transaction.atomic():
        work.fail(analysis, error="The engine has changed since the first part of this analysis.")
        analysis.parts.all().delete()


def _request_deep(done: Analysis) -> None:
    """Queue the deep analysis that workers make when nothing else waits."""
    if not settings.ANALYSIS_DEEP or done.level != Level.STANDARD:
        return
    match = done.match
    if match.sheet.head_hash == done.head_hash:
        _requested(match, EngineChoice(done.engine, PRESETS[Level.DEEP]), Level.DEEP, Urgency.IDLE)


def _progress_of(analysis: Analysis, *, first: int, total: int) -> Progress:
    last = monotonic() - HEARTBEAT_SECONDS

    def progress(done: int, of: int) -> None:
        nonlocal last
        if monotonic() - last < HEARTBEAT_SECONDS and done < of:
            return
        last = monotonic()
        work.heartbeat(analysis)
        Analysis.objects.filter(pk=analysis.pk).update(done_decisions=first + done, all_decisions=total)
        tell(analysis)

    return progress


def watch_of(analysis: Analysis) -> Cancelled:
    """Keeps the row while the engine is silent; tells it to stop when the analysis must give way."""
    last = monotonic()

    def cancelled() -> bool:
        nonlocal last
        if monotonic() - last < HEARTBEAT_SECONDS:
            return False
        last = monotonic()
        work.heartbeat(analysis)
        return must_give_way(analysis)

    return cancelled


def _write(current: Analysis, result: AnalysisResult, chouette: ChouetteRequest | None) -> None:
    faced = None if chouette is None else chouette.faced
    current.decisions.all().delete()
    # What an engine says twice of one decision, of a double with two kinds of answer, counts once.
    decisions = counted_again(each for each in result.decisions if faced is None or each.ref in faced)
    rows = DecisionRow.objects.bulk_create(
        DecisionRow.of(
            decision,
            number=number,
            event_seq=int(decision.ref) if faced is None else faced[decision.ref].board_seq,
            analysis=current,
        )
        for number, decision in enumerate(decisions)
    )
    if faced is not None:
        _write_owners(current, rows, [faced[decision.ref] for decision in decisions])
    current.label = str(result.label)
    current.counting = current_counting()
    current.done_decisions = current.all_decisions
    current.summary = {
        "match": sums_of(by_side(decisions)),
        "games": {game: sums_of(sides) for game, sides in by_game(decisions).items()},
    }
    if chouette is None:
        log = events_of(current.match.sheet, upto=current.head_seq)
        worst = worst_error(decisions, [(numbered.seq, numbered.event) for numbered in log])
        current.summary["worst"] = worst.plain() if worst else None
    if chouette is not None and chouette.left_out:
        current.summary["left_out"] = list(chouette.left_out)


def _write_owners(current: Analysis, rows: Sequence[DecisionRow], faced: Sequence[Faced]) -> None:
    seated = ChouettePlayer.objects.filter(chouette__games__match=current.match_id)
    names = dict(seated.values_list("ref", "pk"))
    DecisionOwner.objects.bulk_create(
        DecisionOwner(decision=row, player_id=names[decider.player], cubes=list(decider.cubes))
        for row, each in zip(rows, faced, strict=True)
        for decider in each.deciders
    )


def tell(analysis: Analysis) -> None:
    """Tell the open pages of the analysis and of its match."""
    with transaction.atomic():
        fresh = Analysis.objects.select_for_update(no_key=True).get(pk=analysis.pk)
        fresh.version += 1
        fresh.save(update_fields=["version"])
        publish(fresh.ref, fresh.version)
        if fresh.is_estimate and fresh.status == WorkStatus.DONE:
            _tell_waiting(fresh.match_id)
        if fresh.status != WorkStatus.RUNNING:
            match = Match.with_boards.select_for_update(no_key=True).get(pk=fresh.match_id)
            match.version += 1
            match.save(update_fields=["version"])
            publish(match.ref, match.version)


def _tell_waiting(match: int) -> None:
    """Tell the pages that wait for a deeper analysis of a match: they can show its estimate."""
    waiting = Analysis.objects.filter(match=match, status__in=[WorkStatus.QUEUED, WorkStatus.RUNNING])
    waiting.update(version=F("version") + 1)
    for ref, version in waiting.values_list("ref", "version"):
        publish(ref, version)
