"""The page of one position: the board, its notations, what engines said, and what heads count."""

from dataclasses import dataclass, replace
from functools import cached_property

from clubs.access import Viewer
from clubs.models import User
from scoring.drawing.board_view import BoardView, DrawnCube
from scoring.engines.asked import SCORES, Asked, asked_of, by_score
from scoring.log.queries.words import text_of
from scoring.models import Depth, PositionAnalysis, SavedPosition
from scoring.notation.editing import CUBES, START
from scoring.notation.identifiers import Identifiers, identifiers_of
from scoring.notation.xgid import Xgid, encode_xgid
from scoring.positions.queries.advice import PositionAdvice, Window
from scoring.positions.queries.answers import Answer, answer_of, cube_verdict
from scoring.positions.queries.depths import depths, engine_in_use
from scoring.rules.cube import Cube
from scoring.rules.dice import ALL_ROLLS
from scoring.rules.errors import ScoringError
from scoring.rules.position import OFF
from scoring.rules.sides import Side
from scoring.theory.decisions import Decision


@dataclass(frozen=True, slots=True)
class ScoreCell:
    """The cube action at one score, and what the next-best action of the doubler costs.

    ``action`` is ``ND``, ``DT``, ``DP`` or ``TG`` (too good); ``xgid`` is the position at this score.
    """

    action: str
    cost: float
    xgid: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """The scores at which the player on roll needs ``away`` points."""

    away: int
    cells: list[ScoreCell]


class PositionPage:
    """All that the page of a position shows."""

    def __init__(self, seen: Xgid = START, *, viewer: Viewer) -> None:
        self.seen = seen
        self.viewer = viewer

    @property
    def xgid(self) -> str:
        return encode_xgid(self.seen)

    @cached_property
    def identifiers(self) -> Identifiers:
        return identifiers_of(self.seen)

    @cached_property
    def _asked(self) -> Asked | ScoringError:
        try:
            return asked_of(self.seen)
        except ScoringError as refusal:
            return refusal

    @property
    def asked(self) -> Asked | None:
        return self._asked if isinstance(self._asked, Asked) else None

    @property
    def why_not(self) -> str:
        """Why nothing can be analysed here, translated; "" if it can."""
        return text_of(self._asked) if isinstance(self._asked, ScoringError) else ""

    @cached_property
    def _by_score(self) -> Asked | None:
        try:
            return by_score(self.seen)
        except ScoringError:
            return None

    @cached_property
    def _found(self) -> dict[str, list[Answer]]:
        """Answers by digest, deepest first (one query)."""
        digests = [asked.digest for asked in (self.asked, self._by_score) if asked]
        rows = PositionAnalysis.objects.filter(digest__in=digests, engine=engine_in_use())
        order = list(Depth)
        found: dict[str, list[Answer]] = {digest: [] for digest in digests}
        for row in sorted(rows, key=lambda row: -order.index(Depth(row.level))):
            found[row.digest].append(answer_of(row))
        return found

    @property
    def answers(self) -> list[Answer]:
        """What engines said of this position, in whatever state, deepest first."""
        return self._found[self.asked.digest] if self.asked else []

    @property
    def main(self) -> Answer | None:
        """The deepest answer that is done."""
        return next((each for each in self.answers if each.decision), None)

    @property
    def others(self) -> list[Answer]:
        """The answers beside the main one."""
        return [each for each in self.answers if each is not self.main]

    @property
    def further(self) -> list[Depth]:
        """The levels that can be asked for: deeper than what is done, not under way."""
        if self.asked is None:
            return []
        standing = {each.level for each in self.answers if each.analysis.is_standing}
        deepest = self.main.level if self.main else None
        order = list(Depth)
        return [
            level
            for level in depths()
            if level not in standing and (deepest is None or order.index(level) > order.index(deepest))
        ]

    @property
    def scores(self) -> Answer | None:
        """The analysis of the cube action by score, in whatever state."""
        found = self._found.get(self._by_score.digest, []) if self._by_score else []
        return next(iter(found), None)

    @property
    def can_ask_scores(self) -> bool:
        return self._by_score is not None and (self.scores is None or not self.scores.analysis.is_standing)

    @cached_property
    def score_rows(self) -> list[ScoreRow]:
        """The table of cube actions; empty until it is analysed."""
        if self.scores is None:
            return []
        decisions = {decision.ref: decision for decision in self.scores.decisions}
        return [
            ScoreRow(
                own,
                [
                    self._cell(decisions[f"{own}-{opponent}"], own, opponent)
                    for opponent in SCORES
                    if f"{own}-{opponent}" in decisions
                ],
            )
            for own in SCORES
            if decisions
        ]

    def _cell(self, decision: Decision, own: int, opponent: int) -> ScoreCell:
        named = {candidate.action: candidate.equity for candidate in decision.candidates}
        cube = cube_verdict(decision)
        doubled = min(named.get("double/take", 0.0), named.get("double/pass", 0.0))
        if cube is None or not cube.double:
            action = "TG" if cube and not cube.take and named.get("no double", 0.0) > 1.0 else "ND"
        else:
            action = "DT" if cube.take else "DP"
        away = {self.seen.turn: own, self.seen.turn.other: opponent}
        length = max(self.seen.length, own, opponent)
        at_score = replace(
            self.seen,
            cube=Cube(),
            white=length - away[Side.WHITE],
            black=length - away[Side.BLACK],
            length=length,
            crawford=False,
            jacoby=False,
            beavers=False,
            roll=None,
            offer=None,
        )
        situation = self.asked.situation if self.asked else None
        current = situation is not None and (situation.own_away, situation.opponent_away) == (own, opponent)
        return ScoreCell(action, abs(named.get("no double", 0.0) - doubled), encode_xgid(at_score), current)

    @cached_property
    def advice(self) -> PositionAdvice | None:
        """Counts for the head; None where a side has borne off."""
        asked = self.asked or self._by_score
        return PositionAdvice(asked.situation) if asked else None

    @cached_property
    def window(self) -> Window | None:
        """The doubling window at the chances of the main answer."""
        return Window.of(self.main.best) if self.main and self.main.best else None

    @property
    def board(self) -> BoardView:
        seen = self.seen
        on_roll = seen.turn
        offered = on_roll.other if seen.offer else None
        value = seen.cube.value * (2 if offered else 1)
        return BoardView(
            position=seen.position if on_roll is Side.WHITE else seen.position.flipped(),
            on_roll=on_roll,
            bottom=Side.WHITE,
            cube=DrawnCube(value, seen.cube.owner, offered) if seen.has_cube else None,
            roll=(seen.roll.high, seen.roll.low) if seen.roll else None,
        )

    @property
    def points(self) -> tuple[int, int]:
        """White's and Black's points."""
        return self.seen.white, self.seen.black

    @property
    def away(self) -> tuple[int, int]:
        """The points that White and Black need; 0 in money play."""
        length = self.seen.length
        return (length - self.seen.white, length - self.seen.black) if length else (0, 0)

    @property
    def on_board(self) -> tuple[int, int]:
        """White's and Black's checkers that are not off."""
        position = self.seen.position
        return 15 - position.own[OFF], 15 - position.opponent[OFF]

    @property
    def cubes(self) -> list[int]:
        """The values to choose from, and the one that is shown."""
        return sorted({*CUBES, self.seen.cube.value})

    @property
    def rolls(self) -> list[str]:
        return [str(roll) for roll in reversed(ALL_ROLLS)]

    @property
    def chosen_roll(self) -> str:
        return str(self.seen.roll) if self.seen.roll else ""

    @cached_property
    def saved(self) -> SavedPosition | None:
        """This position as the viewer has saved it (one query)."""
        if not isinstance(self.viewer, User):
            return None
        return SavedPosition.objects.filter(user=self.viewer, xgid=self.xgid).first()
