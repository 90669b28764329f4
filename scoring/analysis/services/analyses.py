"""Request and store analyses of matches, each once.

The row of an analysis is the truth; the engine runs in a process of its own and is given only positions that
the rules engine has replayed. Progress is written as it comes, decisions and "done" in one transaction:
a worker that loses the row in between leaves nothing behind.
"""

from collections.abc import Sequence
from dataclasses import asdict
from time import monotonic

from django.conf import settings
from django.db import IntegrityError, transaction

from clubs.live.topics import publish
from clubs.models import User, WorkStatus
from clubs.work import services as work
from scoring.analysis.queries.worst import worst_error
from scoring.engines.chouette_questions import ChouetteRequest, Faced, chouette_request
from scoring.engines.errors import EngineError, EngineRefused
from scoring.engines.protocol import Progress
from scoring.engines.questions import request_for
from scoring.engines.registry import analyse
from scoring.engines.requests import AnalysisRequest, AnalysisResult
from scoring.log.queries.boards import game_of, table_record
from scoring.log.queries.sheets import events_of, has_plays
from scoring.models import Analysis, ChouettePlayer, DecisionOwner, DecisionRow, Match, MatchStatus
from scoring.theory.performance import by_game, by_side, sums_of

HEARTBEAT_SECONDS = 1.0
STANDING = (WorkStatus.QUEUED, WorkStatus.RUNNING, WorkStatus.DONE)


def request_analysis(*, match: Match, user: User | None = None, preset: str = "") -> Analysis | None:
    """Request the analysis of a match's current sheet, or return the existing one.

    None without plays, and for a chouette's game that was taken back: there is nothing to judge. An analysis
    that failed is requested again.
    """
    if not has_plays(match.sheet) or (match.in_chouette and _is_taken_back(match)):
        return None
    preset = preset or settings.ANALYSIS_PRESET
    head = {"match": match, "head_seq": match.sheet.head_seq, "head_hash": match.sheet.head_hash}
    standing = Analysis.objects.filter(**head, preset=preset, status__in=STANDING)
    if analysis := standing.first():
        return analysis
    try:
        with transaction.atomic():
            return Analysis.objects.create(**head, preset=preset, requested_by=user)
    except IntegrityError:  # somebody else asked at the same moment
        return standing.get()


def _is_taken_back(match: Match) -> bool:
    """Whether the chouette's game was removed although its record exists."""
    return match.status == MatchStatus.VOID or game_of(match).number is None


def run_analysis(analysis: Analysis) -> Analysis:
    """Analyse a match and store the decisions; the caller has claimed ``analysis``.

    An engine that fails gives the row back (for good when it refuses the match); raises WorkLostError when
    somebody else holds the row by now.
    """
    request, chouette = _asked(analysis)
    try:
        result = analyse(request, on_progress=_progress_of(analysis))
    except EngineError as error:
        work.fail(analysis, error=f"{error.code}: {error}", final=isinstance(error, EngineRefused))
        _tell(analysis)
    else:
        with work.finish(analysis) as current:
            _write(current, result, chouette)
        _tell(analysis)
    analysis.refresh_from_db()
    return analysis


def _asked(analysis: Analysis) -> tuple[AnalysisRequest, ChouetteRequest | None]:
    """The questions, with the deciding players for a chouette game."""
    log = events_of(analysis.match.sheet, upto=analysis.head_seq)
    if not analysis.match.in_chouette:
        events, refs = [numbered.event for numbered in log], [str(numbered.seq) for numbered in log]
        return request_for(events, preset=analysis.preset, refs=refs), None
    seating, options, moments, proxies = table_record(game_of(analysis.match))
    board = [(numbered.seq, numbered.event) for numbered in log]
    asked = chouette_request(seating, options, board, moments, preset=analysis.preset, proxies=proxies)
    return asked.request, asked


def _progress_of(analysis: Analysis) -> Progress:
    last = monotonic() - HEARTBEAT_SECONDS

    def progress(done: int, total: int) -> None:
        nonlocal last
        if monotonic() - last < HEARTBEAT_SECONDS and done < total:
            return
        last = monotonic()
        work.heartbeat(analysis)
        Analysis.objects.filter(pk=analysis.pk).update(done_decisions=done, all_decisions=total)
        _tell(analysis)

    return progress


def _write(current: Analysis, result: AnalysisResult, chouette: ChouetteRequest | None) -> None:
    faced = None if chouette is None else chouette.faced
    current.decisions.all().delete()
    # What an engine says twice of one decision, of a double with two kinds of answer, counts once.
    decisions = [each for each in result.decisions if faced is None or each.ref in faced]
    rows = DecisionRow.objects.bulk_create(
        DecisionRow(
            analysis=current,
            number=number,
            event_seq=int(decision.ref) if faced is None else faced[decision.ref].board_seq,
            game=decision.game,
            ply=decision.ply,
            kind=decision.kind,
            colour=decision.side,
            played=decision.played,
            candidates=[asdict(candidate) for candidate in decision.candidates],
            error=decision.error,
            counted=decision.counted,
            luck=decision.luck,
            legal=decision.legal,
        )
        for number, decision in enumerate(decisions)
    )
    if faced is not None:
        _write_owners(current, rows, [faced[decision.ref] for decision in decisions])
    current.label = str(result.label)
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


def _tell(analysis: Analysis) -> None:
    """Tell the open pages of the analysis and of its match."""
    with transaction.atomic():
        fresh = Analysis.objects.select_for_update(no_key=True).get(pk=analysis.pk)
        fresh.version += 1
        fresh.save(update_fields=["version"])
        publish(fresh.ref, fresh.version)
        if fresh.status != WorkStatus.RUNNING:
            match = Match.with_boards.select_for_update(no_key=True).get(pk=fresh.match_id)
            match.version += 1
            match.save(update_fields=["version"])
            publish(match.ref, match.version)
