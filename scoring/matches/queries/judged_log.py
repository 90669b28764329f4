"""The steps of a match with one analysis, kept by each process for the next page of the same match.

Who goes through a match asks for one step after another. A log never changes behind its hash, and the
decisions of an analysis that is done only with the rule that they are counted by: both are in the key, so
that what is kept is never out of date.
"""

from collections import OrderedDict, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any

from scoring.analysis.queries.analyses import decision_of
from scoring.analysis.queries.judgements import Judgement, SeatOwner
from scoring.analysis.queries.standing import Standing
from scoring.drawing.chances import ChanceGraph
from scoring.log.queries.sheets import steps_of
from scoring.matches.queries.match_sums import SideSums, side_sums
from scoring.matches.queries.stops import BigError, Stop, chance_graph, worst_first
from scoring.models import Match
from scoring.notation.transcript import Step
from scoring.rules.guards import GAME_KINDS
from scoring.theory.decisions import Decision
from scoring.theory.performance import DEFAULT_THRESHOLDS

MOST_STEPS = 10_000
"""Steps that one process keeps with their decisions: about 30 MB."""


@dataclass(frozen=True)
class JudgedLog:
    """The steps of a log, and the decisions of one analysis in the order of play; what follows from both.

    ``names`` are White's and Black's.
    """

    steps: tuple[Step, ...]
    decisions: tuple[Decision, ...]
    names: tuple[str, str]

    def judged_by(self, owners: Sequence[Sequence[SeatOwner]]) -> tuple[Stop, ...]:
        """Each step with its judgements; ``owners`` are the chouette players of each decision."""
        judged: dict[int, list[Judgement]] = defaultdict(list)
        for decision, seats in zip(self.decisions, owners, strict=True):
            names = ", ".join(owner.name for owner in seats)
            judged[int(decision.ref)].append(Judgement(decision, DEFAULT_THRESHOLDS.mark(decision), names))
        by_side = {"white": self.names[0], "black": self.names[1]}
        return tuple(
            Stop(
                step,
                by_side[step.side] if step.side else "",
                tuple(judged[step.roll_seq] if step.roll_seq else ()) + tuple(judged[step.seq]),
            )
            for step in self.steps
        )

    @cached_property
    def written(self) -> dict[tuple[str, str], str]:
        """Parts of a page that follow from steps, decisions and names, by language and name: written once."""
        return {}

    @cached_property
    def stops(self) -> tuple[Stop, ...]:
        """Each step with its judgements."""
        return self.judged_by([()] * len(self.decisions))

    @cached_property
    def marked(self) -> tuple[Stop, ...]:
        """The stops with an error or a blunder."""
        return tuple(stop for stop in self.stops if stop.worst)

    @cached_property
    def graph(self) -> ChanceGraph | None:
        """White's chances over the match, without a step that is shown."""
        return chance_graph(self.by_game)

    @cached_property
    def errors(self) -> list[BigError]:
        """Errors and blunders, largest first."""
        return worst_first(self.stops)

    @cached_property
    def by_game(self) -> dict[int, list[Stop]]:
        """The stops of each game that was begun."""
        return by_game(self.stops)

    @cached_property
    def sums(self) -> tuple[SideSums, SideSums]:
        """What the match came to for White and Black, if it is over."""
        return side_sums(self.stops, is_over=True)


def by_game(stops: Sequence[Stop]) -> dict[int, list[Stop]]:
    """Stops by game; what happened to the match between games stands with the one before."""
    found: dict[int, list[Stop]] = {}
    waiting: list[Stop] = []
    for stop in stops:
        if stop.step.game in found:
            found[stop.step.game].append(stop)
        elif stop.step.kind in GAME_KINDS:
            found[stop.step.game] = [*waiting, stop]
            waiting = []
        elif found:
            found[max(found)].append(stop)
        else:
            waiting.append(stop)
    return found


_kept: OrderedDict[tuple[Any, ...], JudgedLog] = OrderedDict()
_lock = Lock()


def judged_log(match: Match, analysis: Standing | None) -> JudgedLog:
    """The log of a match with the decisions of an analysis that is done (two queries the first time).

    Load the match with its sheet and players.
    """
    names = match.white.name, match.black.name
    log = match.sheet_id, match.sheet.head_hash, names
    if analysis is None:
        return _known(log) or _keep(log, JudgedLog(steps_of(match.sheet), (), names))
    key = *log, type(analysis).__name__, analysis.pk, analysis.head_hash, analysis.counting
    if (found := _known(key)) is not None:
        return found
    plain = _known(log)
    steps = plain.steps if plain is not None else steps_of(match.sheet)
    decisions = tuple(decision_of(row) for row in analysis.decisions.order_by("number"))
    return _keep(key, JudgedLog(steps, decisions, names))


def forget_logs() -> None:
    """Forget what is kept, to measure a process that has just started."""
    with _lock:
        _kept.clear()


def _known(key: tuple[Any, ...]) -> JudgedLog | None:
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
        return _kept.get(key)


def _keep(key: tuple[Any, ...], log: JudgedLog) -> JudgedLog:
    with _lock:
        _kept[key] = log
        _kept.move_to_end(key)
        steps = sum(len(each.steps) for each in _kept.values())
        while steps > MOST_STEPS and len(_kept) > 1:
            _key, gone = _kept.popitem(last=False)
            steps -= len(gone.steps)
    return log
