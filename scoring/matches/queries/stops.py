"""The stops of a match as its page shows them: steps with their judgements, boards and places in a game."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from scoring.analysis.queries.judgements import SHOWN_CANDIDATES, CandidateLine, Judgement
from scoring.drawing.board_view import Arrow, ArrowMeaning, BoardView, DrawnCube
from scoring.drawing.chances import ChanceBand, ChanceGraph, ChanceMark
from scoring.drawing.figures import error_size
from scoring.matches.queries.chances import Stakes, white_chance
from scoring.notation.plays import parse_moves
from scoring.notation.transcript import Step
from scoring.rules.match_state import FinishedGame
from scoring.rules.plays import legal_positions
from scoring.rules.sides import Side
from scoring.theory.cube_window import CubeWindow
from scoring.theory.decisions import Candidate, DecisionKind
from scoring.theory.performance import ErrorMark, Performance


@dataclass(frozen=True)
class Stop:
    """One step of the match with its judgements; ``name`` is who acted. What follows is worked out once."""

    step: Step
    name: str
    judgements: tuple[Judgement, ...]

    @cached_property
    def written(self) -> dict[str, str]:
        """What the list of plays says of this step, by language: written once."""
        return {}

    @cached_property
    def worst(self) -> Judgement | None:
        """The judgement that marks this step in the list, if any does."""
        marked = [judgement for judgement in self.judgements if judgement.mark]
        return max(marked, key=lambda judgement: judgement.error, default=None)

    @property
    def mark(self) -> ErrorMark:
        return self.worst.mark if self.worst else ErrorMark.NONE

    @property
    def verdict(self) -> "StepVerdict | None":
        """The judgement that the page leads with: the worst one, else the one on what was done here."""
        judged = self.worst or next(reversed(self.judgements), None)
        return None if judged is None else StepVerdict(judged, self.step, self.name)

    @property
    def others(self) -> list["StepVerdict"]:
        """Other decisions at this step: the double before the roll, or the play."""
        first = self.verdict
        rest = [each for each in self.judgements if first and each is not first.judgement]
        return [StepVerdict(each, self.step, self.name) for each in rest]

    @cached_property
    def chance(self) -> float | None:
        """White's chance after this step, by the last of its judgements that tells it."""
        chances = (white_chance(each.decision, self.step) for each in reversed(self.judgements))
        return next((chance for chance in chances if chance is not None), None)


@dataclass(frozen=True, slots=True)
class StepVerdict:
    """A judgement at its step: with what it cost of the match, and the rank of what was played."""

    judgement: Judgement
    step: Step
    name: str

    @property
    def stakes(self) -> Stakes:
        return Stakes.of(self.step, self.judgement.decision.side)

    @property
    def cost(self) -> float | None:
        """What the error costs of the chance to win the match, 0..1; None without one, and where unknown."""
        error = self.judgement.error
        return self.stakes.cost(error) if error else None

    @property
    def rows(self) -> list[CandidateLine]:
        """The best play, the next few by their equity, and what was played; engines order by depth, too."""
        candidates = self.judgement.decision.candidates
        ordered = [*candidates[:1], *sorted(candidates[1:], key=lambda each: -each.equity)]
        best, error = candidates[0] if candidates else None, self.judgement.decision.error
        lines = [
            CandidateLine(
                each,
                error if each.played and error is not None else candidates[0].equity - each.equity,
                each is best,
            )
            for each in ordered
        ]
        return [line for place, line in enumerate(lines) if place < SHOWN_CANDIDATES or line.candidate.played]

    @property
    def cube_rows(self) -> list[tuple[Candidate, float, float | None]]:
        """The cube's candidates in the order of the question: the loss, and the chance to win the match."""
        order = ("no double", "double/take", "double/pass", "take", "pass")
        places = {action: place for place, action in enumerate(order)}
        rows = [
            (row.candidate, row.loss, self.stakes.match_chance(row.candidate.equity)) for row in self.rows
        ]
        return sorted(rows, key=lambda row: places.get(row[0].action, len(order)))

    @property
    def window(self) -> CubeWindow | None:
        """The doubling window at this score; None for a play, and where the chances are not known."""
        decision = self.judgement.decision
        if not decision.kind.is_cube or decision.best is None:
            return None
        return self.stakes.window(decision.best, doubles=decision.kind is DecisionKind.DOUBLE)

    @property
    def plays(self) -> int:
        """How many plays were legal; 0 for a cube action."""
        roll, game = self.step.roll, self.step.before
        if self.judgement.decision.kind is not DecisionKind.CHECKER or roll is None or game.on_roll is None:
            return 0
        return len(legal_positions(game.seen_by(game.on_roll), roll))

    @property
    def rank(self) -> int | None:
        """The place of the play among all legal ones, None where there is no choice or it is not known."""
        candidates, plays = self.judgement.decision.candidates, self.plays
        played = next((each for each in candidates if each.played), None)
        # Candidates are the best few: one that is worse than the others may have better ones beyond them.
        if played is None or plays < 2:
            return None
        if played is candidates[0]:
            return 1
        better = max(1, sum(each.equity > played.equity for each in candidates))
        is_last = better + 1 == len(candidates) < plays
        return None if is_last else better + 1


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A line of a game's list: what White did and what Black did after it, or what happened to the match."""

    number: int
    white: Stop | None = None
    black: Stop | None = None
    both: Stop | None = None


@dataclass(frozen=True, slots=True)
class GameView:
    """One game: its stops, how it ended, and both sides' error rates in it."""

    number: int
    stops: tuple[Stop, ...]
    finished: FinishedGame | None
    winner: str
    performances: tuple[Performance, Performance] | None

    @property
    def first(self) -> int:
        """The number of its first step."""
        return self.stops[0].step.number

    @property
    def score(self) -> tuple[int, int]:
        """White's and Black's points when it began."""
        return score_before(self.number, self.stops)

    @property
    def rows(self) -> list[SheetRow]:
        return rows_of(self.stops)

    @property
    def sides(self) -> list["GameSide"]:
        """White's and Black's figures in the game; none before it is analysed."""
        if self.performances is None:
            return []
        marks = [
            (each.decision.side, each.mark) for stop in self.stops for each in stop.judgements if each.mark
        ]
        return [
            GameSide(each, marks.count((side, ErrorMark.ERROR)), marks.count((side, ErrorMark.BLUNDER)))
            for side, each in zip(Side, self.performances, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class GameSide:
    """One side's figures in one game; a blunder is no error here."""

    performance: Performance
    errors: int
    blunders: int


@dataclass(frozen=True, slots=True)
class BigError:
    """A line of the list of errors, largest first."""

    judgement: Judgement
    stop: Stop

    @property
    def best(self) -> Candidate | None:
        return self.judgement.decision.best

    @property
    def thumb(self) -> BoardView:
        """The position of the decision, without arrows."""
        return replace(board_of(self.stop), arrows=())


def rows_of(stops: Iterable[Stop]) -> list[SheetRow]:
    """Stops as a match record writes them: White's on the left, and Black's beside it."""
    rows: list[SheetRow] = []
    for stop in stops:
        last = rows[-1] if rows else None
        if stop.step.side is Side.BLACK and last and last.black is None and last.both is None:
            rows[-1] = replace(last, black=stop)
        elif stop.step.side is None:
            rows.append(SheetRow(len(rows) + 1, both=stop))
        elif stop.step.side is Side.WHITE:
            rows.append(SheetRow(len(rows) + 1, white=stop))
        else:
            rows.append(SheetRow(len(rows) + 1, black=stop))
    return rows


def board_of(stop: Stop) -> BoardView:
    """The board of a step: the position as it was faced, its dice, arrows for the play made and the best."""
    step, game = stop.step, stop.step.before
    on_roll = game.on_roll or Side.WHITE
    offered = on_roll.other if step.kind in {"take", "pass", "beaver"} else None
    cube = None
    if game.terms.options.cube and not game.terms.crawford and step.score.length != 1:
        value = game.cube.value * 2 if offered else game.cube.value
        cube = DrawnCube(value, game.cube.owner, offered)
    return BoardView(
        position=game.seen_by(on_roll),
        on_roll=on_roll,
        bottom=Side.WHITE,
        cube=cube,
        roll=(step.roll.high, step.roll.low) if step.roll else None,
        arrows=_arrows(stop),
        turn=game.on_roll is not None,
    )


def _arrows(stop: Stop) -> tuple[Arrow, ...]:
    if not stop.step.play:
        return ()
    checker = next((j for j in stop.judgements if j.decision.kind is DecisionKind.CHECKER), None)
    played = parse_moves(stop.step.play)
    if checker is None or checker.decision.best is None:
        return (Arrow(ArrowMeaning.PLAYED, played),)
    if checker.error == 0.0:
        return (Arrow(ArrowMeaning.BEST, played),)
    best = parse_moves(checker.decision.best.action)
    label = error_size(checker.error) if checker.mark else ""
    return (Arrow(ArrowMeaning.PLAYED, played, label), Arrow(ArrowMeaning.BEST, best))


def chance_graph(games: Mapping[int, Sequence[Stop]]) -> ChanceGraph | None:
    """White's chances over the stops of these games, None where no step tells one."""
    stops = [stop for found in games.values() for stop in found]
    points = tuple((stop.step.number, stop.chance) for stop in stops if stop.chance is not None)
    if not points:
        return None
    marks = tuple(
        ChanceMark(stop.step.number, stop.chance, worst.decision.side, worst.mark is ErrorMark.BLUNDER)
        for stop in stops
        if (worst := stop.worst) and stop.chance is not None
    )
    bands = tuple(
        ChanceBand(
            number, found[0].step.number, found[-1].step.number, "{}–{}".format(*score_before(number, found))
        )
        for number, found in games.items()
    )
    return ChanceGraph(len(stops), points, bands, marks, by_luck=_by_luck(stops))


def _by_luck(stops: Sequence[Stop]) -> tuple[tuple[int, float], ...]:
    """Where White would stand after each roll by luck alone; nothing where it is not known of every roll."""
    stand = Stakes.of(stops[0].step, Side.WHITE).before_game
    found = []
    for stop in stops:
        for decision in (each.decision for each in stop.judgements if each.decision.luck is not None):
            gained = Stakes.of(stop.step, decision.side).cost(decision.luck or 0.0)
            if stand is None or gained is None:
                return ()
            stand += gained if decision.side is Side.WHITE else -gained
            found.append((stop.step.number, stand))
    return tuple(found)


def score_before(game: int, stops: Sequence[Stop]) -> tuple[int, int]:
    """White's and Black's points when a game began."""
    score = next((stop.step.score for stop in stops if stop.step.game == game), None)
    return (score.capped(Side.WHITE), score.capped(Side.BLACK)) if score else (0, 0)


def worst_first(stops: Sequence[Stop]) -> list[BigError]:
    """All marked judgements, largest loss first, ties in order of play."""
    found = [BigError(judgement, stop) for stop in stops for judgement in stop.judgements if judgement.mark]
    return sorted(found, key=lambda line: -line.judgement.error)
