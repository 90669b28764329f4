"""A match for its page: games, steps and analysed decisions.

Everything follows from the sheet's events, replayed here, and from one analysis; the number of queries does
not depend on how long the match was.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from clubs.models import Role, WorkStatus
from scoring.analysis.queries.analyses import performance_of
from scoring.analysis.queries.judgements import SeatOwner
from scoring.analysis.queries.privacy import Choices
from scoring.analysis.queries.standing import Standing, chosen, in_order, of_each_label
from scoring.drawing.board_view import BoardView
from scoring.drawing.chances import ChanceGraph
from scoring.files.queries.file_analyses import FileOpinion, FileWord, opinions_of, sources_of
from scoring.log.queries.results import disputes_of, is_backdated, waiting_names
from scoring.log.queries.sheets import events_of
from scoring.matches.queries.judged_log import JudgedLog, by_game, judged_log
from scoring.matches.queries.match_sums import SideSums, side_sums
from scoring.matches.queries.steps import ALL, StepFilter, Stepping, first_shown
from scoring.matches.queries.stops import (
    BigError,
    GameView,
    StepVerdict,
    Stop,
    board_of,
    chance_graph,
    worst_first,
)
from scoring.models import Analysis, Colour, DecisionOwner, Level, Match, MatchStatus, Source
from scoring.notation.mat import mat_name, write_mat
from scoring.notation.transcript import Step
from scoring.notation.xgid import xgid_at
from scoring.rules.errors import ScoringError
from scoring.rules.events import GameRecorded
from scoring.rules.guards import GAME_KINDS
from scoring.rules.match import Crawford, MatchScore
from scoring.rules.match_state import FinishedGame
from scoring.rules.sides import Side
from scoring.sheets.queries.exports import tags_of
from scoring.theory.decisions import Decision
from scoring.theory.performance import ErrorMark, Performance, performance


class MatchPage:
    """All that the page of a match shows. Give it a match loaded with ``with_players()``."""

    def __init__(
        self,
        match: Match,
        number: int | None = 1,
        *,
        judged: bool,
        viewer: Side | None = None,
        wanted: StepFilter = ALL,
        shown: str = "",
        role: Role | None = None,
        choices: Choices | None = None,
    ) -> None:
        """The page at step ``number``, by default the ``first_shown`` for ``viewer``.

        Nothing of an analysis is loaded unless ``judged``: the viewer can see the match's analyses. ``shown``
        is the ref of the analysis that the viewer has chosen, ``role`` the viewer's in the match's club,
        ``choices`` what its players chose, if that has been read.
        """
        self.shown = shown
        self.match = match
        self.judged = judged
        self.viewer = viewer
        self.role = role
        self.choices = choices
        self.wanted = wanted
        self.names = {Side.WHITE: match.white.name, Side.BLACK: match.black.name}
        self.number = 0
        if self.has_positions:
            asked = self._first_shown() if number is None else number
            self.number = max(1, min(asked, len(self.steps)))

    def _first_shown(self) -> int:
        over = self.match.status != MatchStatus.PLAYING
        return first_shown(self.stops, viewer=self.viewer, is_over=over)

    @cached_property
    def log(self) -> JudgedLog:
        """The steps of the match with the analysis that is shown."""
        return judged_log(self.match, self.analysis)

    @property
    def steps(self) -> tuple[Step, ...]:
        return judged_log(self.match, None).steps

    @cached_property
    def has_positions(self) -> bool:
        """Whether any step shows a board: results and rulings alone do not."""
        return any(step.kind in GAME_KINDS and step.kind != GameRecorded.kind for step in self.steps)

    @property
    def is_result_alone(self) -> bool:
        """Whether the match is over and nothing but results was recorded."""
        return bool(self.steps) and not self.has_positions and self.match.status == MatchStatus.FINISHED

    @cached_property
    def analyses(self) -> list[Analysis]:
        """Newest first (one query); none that the viewer cannot see."""
        if not self.judged:
            return []
        return list(Analysis.objects.filter(match=self.match).order_by("-queued_at", "-pk"))

    @cached_property
    def sources(self) -> list[Source]:
        """The match's files, for who can see their analyses (one query)."""
        return sources_of(self.match) if self.judged else []

    @cached_property
    def standing(self) -> list[Standing]:
        """The analyses that judge the sheet as it stands, first the one that is shown by itself."""
        of_files = [source.analysis for source in reversed(self.sources) if hasattr(source, "analysis")]
        newest = sorted(self.analyses, key=lambda each: each.finished_at or each.queued_at, reverse=True)
        return in_order(self.match, newest, of_files)

    @cached_property
    def labels(self) -> list[Standing]:
        """The analyses to choose from, one a label, with the one that is shown."""
        return of_each_label([*([self.analysis] if self.analysis else []), *self.standing])

    @cached_property
    def analysis(self) -> Standing | None:
        """The analysis that is shown: the chosen one, else the first that stands."""
        return chosen(self.standing, self.shown)

    @property
    def own(self) -> Analysis | None:
        """The first analysis of ours that stands."""
        return next((each for each in self.standing if isinstance(each, Analysis)), None)

    @cached_property
    def pending(self) -> Analysis | None:
        """The analysis that is waiting or running, or that failed since the last one that was done.

        Neither an estimate nor what is analysed deeper because nothing else waits: nobody waits for these.
        """
        newest = next((a for a in self.analyses if not (a.is_estimate or a.is_idle)), None)
        return newest if newest is not None and newest.status != WorkStatus.DONE else None

    @property
    def level(self) -> int:
        """The level of the analysis that is shown; 0 without one."""
        return self.analysis.level if isinstance(self.analysis, Analysis) else 0

    @property
    def rates(self) -> tuple[Performance, Performance] | None:
        """The performances that stand beside the names: not those of an estimate."""
        return None if self.level == Level.ESTIMATE else self.performances

    @property
    def is_awaited(self) -> bool:
        """Whether an analysis waits or runs."""
        return self.pending is not None and self.pending.status in {WorkStatus.QUEUED, WorkStatus.RUNNING}

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return self.log.decisions

    @property
    def left_out(self) -> int:
        """How many doubles of a chouette fit no turn on the board, and were not judged."""
        summary = self.analysis.summary if self.analysis else None
        return len(summary.get("left_out", [])) if summary else 0

    @cached_property
    def owners(self) -> Sequence[Sequence[SeatOwner]]:
        """The players of each decision in a chouette game (one query); else empty."""
        if not isinstance(self.analysis, Analysis) or not self.match.in_chouette:
            return [()] * len(self.decisions)
        rows = DecisionOwner.objects.filter(decision__analysis=self.analysis).order_by("pk")
        found: dict[int, list[SeatOwner]] = defaultdict(list)
        for number, pk, name in rows.values_list(
            "decision__number", "player", "player__player__person__name"
        ):
            found[number].append(SeatOwner(pk, name or "–"))
        return [found[number] for number in range(len(self.decisions))]

    @cached_property
    def owner_performances(self) -> list[tuple[str, Performance]]:
        """Each chouette player's error rates in this game, by first decision."""
        if not self.match.in_chouette:
            return []
        own: dict[SeatOwner, list[Decision]] = defaultdict(list)
        for decision, owners in zip(self.decisions, self.owners, strict=True):
            for owner in owners:
                own[owner].append(decision)
        return [(owner.name, performance(decisions)) for owner, decisions in own.items()]

    @cached_property
    def stops(self) -> tuple[Stop, ...]:
        return self.log.judged_by(self.owners) if self.match.in_chouette else self.log.stops

    @cached_property
    def games(self) -> list[GameView]:
        """The games that were begun."""
        stops = by_game(self.stops) if self.match.in_chouette else self.log.by_game
        return [self._game(number, found) for number, found in stops.items()]

    def _game(self, number: int, stops: Sequence[Stop]) -> GameView:
        finished = None
        for step in (stop.step for stop in stops):
            if step.outcome is not None and step.final is not None:
                points = (self._capped(step.final, side) for side in Side)
                finished = FinishedGame(number, step.outcome, step.before.terms.crawford, *points)
        summary = self.analysis.summary if self.analysis else None
        performances = None
        if summary is not None and str(number) in summary["games"]:
            performances = (
                performance_of(summary, Colour.WHITE, number),
                performance_of(summary, Colour.BLACK, number),
            )
        winner = self.names[finished.outcome.winner] if finished else ""
        return GameView(number, tuple(stops), finished, winner, performances)

    def _capped(self, score: MatchScore, side: Side) -> int:
        """A side's points as the match counts them, whose length may have been corrected since."""
        points = score.points(side)
        return min(points, self.match.length) if self.match.length else points

    @cached_property
    def performances(self) -> tuple[Performance, Performance] | None:
        """White's and Black's sums over the match, None before it is analysed."""
        if self.analysis is None or self.analysis.summary is None:
            return None
        summary = self.analysis.summary
        return performance_of(summary, Colour.WHITE), performance_of(summary, Colour.BLACK)

    @cached_property
    def errors(self) -> list[BigError]:
        """Errors and blunders, largest first, each with the step where it was made."""
        return worst_first(self.stops) if self.match.in_chouette else self.log.errors

    @cached_property
    def counts(self) -> list[tuple[int, int]]:
        """How many errors and blunders each side made, White first; a blunder is no error here."""
        marks = [(line.judgement.decision.side, line.judgement.mark) for line in self.errors]
        return [
            (marks.count((side, ErrorMark.ERROR)), marks.count((side, ErrorMark.BLUNDER))) for side in Side
        ]

    @cached_property
    def sums(self) -> tuple[SideSums, SideSums] | None:
        """What the match came to for White and Black, None before it is analysed."""
        if not self.performances:
            return None
        if self.match.status == MatchStatus.FINISHED and not self.match.in_chouette:
            return self.log.sums
        return side_sums(self.stops, is_over=self.match.status == MatchStatus.FINISHED)

    @cached_property
    def current(self) -> Stop | None:
        return self.stops[self.number - 1] if self.number else None

    @cached_property
    def opinions(self) -> list[FileOpinion]:
        """What the files of the match say of it (one query at most)."""
        if not self.judged:
            return []
        step = self.current.step if self.current else None
        return opinions_of(self.match, self.sources, step, shown=self.analysis)

    @property
    def analysed_files(self) -> list[FileOpinion]:
        """The files that have an analysis, without the one that is shown."""
        return [
            opinion
            for opinion in self.opinions
            if opinion.performances is not None and opinion.source.analysis != self.analysis
        ]

    @cached_property
    def file_words(self) -> list[FileWord]:
        """What the files say of the current step, of the one that is shown only its comments."""
        if self.current is None:
            return []
        words = (opinion.word_on(self.current.step) for opinion in self.opinions)
        return [word for word in words if word is not None]

    @cached_property
    def verdict(self) -> StepVerdict | None:
        """The main verdict on the current step: ours, else a file's."""
        if self.current is None or self.current.verdict is not None or self.analysis is not None:
            return self.current.verdict if self.current else None
        said = (word.worst for word in self.file_words)
        judgement = next((each for each in said if each is not None), None)
        return None if judgement is None else StepVerdict(judgement, self.current.step, self.current.name)

    @cached_property
    def current_game(self) -> GameView | None:
        if self.current is None:
            return None
        return next((game for game in self.games if self.current in game.stops), None)

    @cached_property
    def board(self) -> BoardView | None:
        """The position of the current step, with its dice, cube, and the plays made and best; White below."""
        return board_of(self.current) if self.current else None

    @property
    def scores(self) -> tuple[int, int]:
        """White's and Black's points at the current step, as the match counts them."""
        score = self.current.step.score if self.current else None
        return (score.capped(Side.WHITE), score.capped(Side.BLACK)) if score else (0, 0)

    @property
    def corrections(self) -> int:
        """How often the result was corrected."""
        result = getattr(self.match, "result", None)
        return result.revision - 1 if result is not None else 0

    @cached_property
    def xgid(self) -> str | None:
        """The position of the current step as XGID, None where it has none: an irregular position."""
        if self.current is None:
            return None
        try:
            return f"XGID={xgid_at(self.current.step.before, self.current.step.score)}"
        except ScoringError:
            return None

    @cached_property
    def missing(self) -> list[str]:
        """Names still to confirm the result; empty if it is final or missing."""
        result = getattr(self.match, "result", None)
        if self.match.status != MatchStatus.FINISHED or result is None or result.final_at is not None:
            return []
        return waiting_names(self.match, result, self.names)

    @cached_property
    def disputes(self) -> list[tuple[str, str]]:
        """The names of those who dispute the result, each with the reason, which may be ""."""
        if not self.missing:
            return []
        return [
            (self.names[Side(each.side)], each.note.text if each.note else "")
            for each in disputes_of(self.match)
        ]

    @cached_property
    def backdated(self) -> bool:
        """Whether the date is why a director has to confirm the result."""
        return bool(self.missing) and is_backdated(self.match)

    def mat_text(self) -> str:
        """The match as ``.mat`` text."""
        events = [numbered.event for numbered in events_of(self.match.sheet)]
        names = (mat_name(self.names[Side.WHITE]), mat_name(self.names[Side.BLACK]))
        return write_mat(names, events, tags_of(self.match))

    @cached_property
    def stepping(self) -> Stepping:
        """Where the buttons lead."""
        marked = self.log.marked if not self.match.in_chouette else self.stops
        errors = [stop.step.number for stop in marked if self.wanted.has(stop)]
        return Stepping(self.number, len(self.steps), errors)

    @cached_property
    def graph(self) -> ChanceGraph | None:
        """White's chances over the match; None before there is an analysis that tells them."""
        if not self.number:
            return None
        graph = chance_graph(by_game(self.stops)) if self.match.in_chouette else self.log.graph
        return replace(graph, now=self.number) if graph else None


def is_crawford(step: Step) -> bool:
    """Whether the step belongs to the Crawford game."""
    return step.score.crawford is Crawford.NOW
