"""One way to judge a decision for every engine: screen everything, look deeper only where it matters.

The engine evaluates positions at a depth; which positions, and how deep, is decided here by the thresholds of
a preset (`scoring.engines.presets`). Equities are cubeful and normalised, as in `scoring.theory.decisions`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from scoring.engines.cube_decisions import cube_decisions, cube_errors
from scoring.engines.decisions import CubeValues, five, play_decision
from scoring.engines.presets import EnginePreset, Look, Rollout
from scoring.engines.requests import CheckerQuestion, CubeQuestion, Question, Situation
from scoring.notation.plays import format_moves, format_play
from scoring.rules.dice import Roll
from scoring.rules.plays import Move, Play, legal_plays
from scoring.rules.position import STARTING_POSITION, Position
from scoring.theory.decisions import Candidate, Decision
from scoring.theory.met import MatchPhase, equity_after, equity_of, match_equity

SHOWN = 10
"""Candidates of a play that are kept, and the one that was made."""
_PLACES = 4


class Value(NamedTuple):
    """A position after a play, for the player who made it; ``interval`` as in a candidate."""

    equity: float
    chances: Sequence[float]
    interval: float | None = None


class CubeValue(NamedTuple):
    """The doubler's equities and chances before the roll."""

    values: CubeValues
    chances: Sequence[float]
    interval: float | None = None


class Evaluator(Protocol):
    """What an engine can do; every number depends on the arguments alone."""

    def after(self, situation: Situation, results: Sequence[str], depth: int) -> Sequence[Value]:
        """Each of these positions (frame of the player who moved), ``depth`` plies deep."""
        ...

    def screened(self, question: CheckerQuestion, results: Sequence[str], depth: int) -> Sequence[Value]:
        """As `after`, for every play of a roll at once: ``results`` has all of them."""
        ...

    def before(self, situation: Situation, depth: int) -> CubeValue:
        """The situation before the roll."""
        ...

    def roll_worth(self, situation: Situation) -> float:
        """The mean equity over the 21 rolls, each played as the screen would, at the screen's depth."""
        ...

    def rolled_out(self, situation: Situation, results: Sequence[str], rollout: Rollout) -> Sequence[Value]:
        """Each of these positions, played out."""
        ...

    def cube_rolled_out(self, situation: Situation, rollout: Rollout) -> CubeValue:
        """The situation before the roll, played out."""
        ...


def judged(question: Question, evaluator: Evaluator, preset: EnginePreset) -> list[Decision]:
    """One decision for a play, one or two for a cube action."""
    if isinstance(question, CheckerQuestion):
        return [_Plays(question, evaluator, preset).decision()]
    return _cube(question, evaluator, preset)


@dataclass(frozen=True, slots=True)
class _Seen:
    """One play as far as it was looked at; ``rank`` is the number of the look, 0 for the screen."""

    index: int
    value: Value
    rank: int
    level: str

    @property
    def equity(self) -> float:
        return self.value.equity


class _Plays:
    """A roll that was played, looked at stage by stage."""

    def __init__(self, question: CheckerQuestion, evaluator: Evaluator, preset: EnginePreset) -> None:
        self.question, self.evaluator, self.preset = question, evaluator, preset
        self.position = Position.from_key(question.situation.position)
        self.legal = list(legal_plays(self.position, Roll(*question.dice)))
        plays = list(self.legal) or [Play((), self.position)]
        self.choices = len(plays)
        if question.played and question.played not in {play.result.key for play in plays}:
            plays.append(Play((), Position.from_key(question.played)))  # an illegal one that was accepted
        self.plays = plays
        self.results = [play.result.key for play in plays]
        self.made = self.results.index(question.played) if question.played else None
        self.seen: dict[int, _Seen] = {}
        self.losses: list[float] = []
        self.screened: list[_Seen] = []

    def decision(self) -> Decision:
        situation, preset = self.question.situation, self.preset
        everything = range(len(self.plays))
        values = self.evaluator.screened(self.question, self.results, preset.screen)
        self._note(everything, values, rank=0, level=f"{preset.screen}-ply")
        self.screened = self._deepest()
        luck = self._luck()
        for rank, stage in enumerate(preset.stages, 1):
            if chosen := self._chosen(stage):
                self._look(chosen, stage.depth, rank)
        if preset.rollout and self.choices > 1:
            chosen = self._nearest(self._deepest(), preset.rollout.near, preset.rollout.most)
            found = [self.results[index] for index in chosen]
            values = self.evaluator.rolled_out(situation, found, preset.rollout)
            self._note(chosen, values, rank=len(preset.stages) + 1, level="rollout")
        return self._judged(luck)

    def _look(self, chosen: Sequence[int], depth: int, rank: int) -> None:
        """Evaluate these plays; what was seen of them at this depth already is not asked again."""
        level = f"{depth}-ply"
        new = [index for index in chosen if self.seen[index].level != level]
        found = [self.results[index] for index in new]
        told = dict(zip(new, self.evaluator.after(self.question.situation, found, depth), strict=True))
        values = [told.get(index, self.seen[index].value) for index in chosen]
        self._note(chosen, values, rank=rank, level=level)

    def _note(self, indices: Sequence[int], values: Sequence[Value], *, rank: int, level: str) -> None:
        for index, value in zip(indices, values, strict=True):
            self.seen[index] = _Seen(index, value, rank, level)
        self.losses.append(self._loss())

    def _ordered(self) -> list[_Seen]:
        """Deepest first, then best first: equities of different depths are never compared."""
        return sorted(self.seen.values(), key=lambda seen: (-seen.rank, -seen.equity, seen.index))

    def _deepest(self) -> list[_Seen]:
        """The legal plays that were looked at deepest, best first."""
        order = [seen for seen in self._ordered() if seen.index < self.choices]
        return [seen for seen in order if seen.rank == order[0].rank]

    def _loss(self) -> float:
        """What the play that was made lost so far; 0 where nothing was played."""
        if self.made is None:
            return 0.0
        return max(0.0, self._deepest()[0].equity - self.seen[self.made].equity)

    def _chosen(self, stage: Look) -> list[int]:
        """The plays that a stage looks at; none where it settles nothing."""
        if self.choices == 1 and len(self.plays) == 1:
            return []
        deepest = self._deepest()
        gap = deepest[0].equity - deepest[1].equity if len(deepest) > 1 else float("inf")
        shift = abs(self.losses[-1] - self.losses[-2]) if len(self.losses) > 1 else 0.0
        wanted = self._loss() > stage.error or gap < stage.gap or shift > stage.shift
        if not wanted and (self.made is not None or stage.error == float("inf")):
            return []
        order = self.screened if stage.again else self._deepest()
        chosen = self._nearest(order, stage.near, stage.most)
        return chosen if len(chosen) > 1 else []

    def _nearest(self, order: Sequence[_Seen], near: float, most: int) -> list[int]:
        """The first of these plays and those near it, two at least if so many are near; the one made, too."""
        close = [seen.index for seen in order if order[0].equity - seen.equity <= near]
        chosen = close[:most]
        if self.made is not None and self.made not in chosen:
            chosen.append(self.made)
        return chosen if len(chosen) > 1 else close[:2]

    def _luck(self) -> float | None:
        """The roll's equity above the average roll; the opening roll's above the score before the game."""
        best = max(seen.equity for seen in self._deepest())
        if self.position == STARTING_POSITION:
            return round(best - score_equity(self.question.situation), _PLACES)
        return round(best - self.evaluator.roll_worth(self.question.situation), _PLACES)

    def _judged(self, luck: float | None) -> Decision:
        order = self._ordered()
        shown = [seen for n, seen in enumerate(order) if n < SHOWN or seen.index == self.made]
        legal = self.made is None or self.made < self.choices
        asked = self.made is not None and (self.choices > 1 or not legal)
        candidates = [self._candidate(seen) for seen in shown]
        return play_decision(
            self.question, candidates, self._loss() if asked else None, legal=legal, luck=luck
        )

    def _candidate(self, seen: _Seen) -> Candidate:
        play = self.plays[seen.index]
        illegal = seen.index >= self.choices
        interval = seen.value.interval
        return Candidate(
            action=_moved(self.position, play.result) if illegal else format_play(self.position, play),
            equity=round(seen.equity, _PLACES),
            probabilities=five(seen.value.chances),
            level=seen.level,
            position=play.result.key,
            played=seen.index == self.made,
            interval=None if interval is None else round(interval, _PLACES),
        )


def _cube(question: CubeQuestion, evaluator: Evaluator, preset: EnginePreset) -> list[Decision]:
    depth, level = preset.screen, f"{preset.screen}-ply"
    found = evaluator.before(question.situation, depth)
    for stage in preset.stages:
        if _is_looked_at(question, found.values, stage):
            found, level = evaluator.before(question.situation, stage.depth), f"{stage.depth}-ply"
    if preset.rollout:
        found, level = evaluator.cube_rolled_out(question.situation, preset.rollout), "rollout"
    interval = None if found.interval is None else round(found.interval, _PLACES)
    return cube_decisions(question, found.values, five(found.chances), level, interval=interval)


def _is_looked_at(question: CubeQuestion, values: CubeValues, stage: Look) -> bool:
    if not question.doubled and values.no_double - values.doubled > stage.cube_obvious:
        return False
    gaps = [values.error]
    if question.response is not None:
        gaps.append(abs(values.take - values.passed))
    return max(cube_errors(question, values)) > stage.cube_error or min(gaps) < stage.cube_gap


def phase_of(situation: Situation) -> MatchPhase:
    """Which game of the match it is."""
    if situation.crawford:
        return MatchPhase.CRAWFORD
    at_one = 1 in {situation.own_away, situation.opponent_away}
    return MatchPhase.AFTER_CRAWFORD if at_one else MatchPhase.BEFORE_CRAWFORD


def score_equity(situation: Situation) -> float:
    """What the score is worth before the game, as equity at this cube; 0 in money play."""
    own, opponent = situation.own_away, situation.opponent_away
    if not own:
        return 0.0
    phase = phase_of(situation)
    now = match_equity(own, opponent, crawford_played=phase is MatchPhase.AFTER_CRAWFORD)
    return equity_of(now, own, opponent, cube=situation.cube, phase=phase)


def equity_of_win(situation: Situation, multiplier: int) -> float:
    """The equity of a match's game that is won by a single game (1), gammon (2) or backgammon (3)."""
    own, opponent, cube, phase = (
        situation.own_away,
        situation.opponent_away,
        situation.cube,
        phase_of(situation),
    )
    chance = equity_after(own, opponent, multiplier * cube, phase=phase)
    return equity_of(chance, own, opponent, cube=cube, phase=phase)


def _moved(before: Position, after: Position) -> str:
    """The moves that an illegal play amounts to, from the rearmost checker on."""
    slots = range(len(before.own) - 1, -1, -1)
    sources = [slot for slot in slots for _ in range(before.own[slot] - after.own[slot])]
    targets = [slot for slot in slots for _ in range(after.own[slot] - before.own[slot])]
    return format_moves(before, tuple(map(Move, sources, targets)))
