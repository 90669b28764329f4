"""A card as it is asked, and as it is answered: the position, what can be answered, the verdict."""

from dataclasses import dataclass
from functools import cached_property

from scoring.drawing.board_view import Arrow, ArrowMeaning, BoardView, DrawnCube
from scoring.learning.queries.faced import faced_by, seen_by_roller
from scoring.models import Card
from scoring.notation.plays import format_play, parse_moves
from scoring.notation.xgid import Offer, Xgid, decode_xgid
from scoring.rules.errors import InvalidNotation, ScoringError
from scoring.rules.explain import resolve_play
from scoring.rules.plays import Move, Play, legal_plays, legal_sequences
from scoring.rules.sides import Side
from scoring.theory.cards import CUBE_ANSWERS, AnswerVerdict, FacedRoll, judge_play, listed, loss_of
from scoring.theory.decisions import Decision, DecisionKind


@dataclass(frozen=True, slots=True)
class Given:
    """An answer that is legal: its canonical text, and the play if it is one."""

    text: str
    play: Play | None = None


@dataclass(frozen=True)
class Question:
    """What a card asks. It tells nothing of the answer."""

    card: Card

    @cached_property
    def xgid(self) -> Xgid:
        return decode_xgid(self.card.xgid)

    @property
    def kind(self) -> DecisionKind:
        return DecisionKind(self.card.decision)

    @property
    def side(self) -> Side:
        """The side of the player who is asked."""
        return Side(self.card.colour)

    @cached_property
    def faced(self) -> FacedRoll | None:
        return None if self.kind.is_cube else faced_by(self.xgid)

    @property
    def answers(self) -> tuple[str, ...]:
        """The cube actions to choose from; none for a play."""
        return CUBE_ANSWERS.get(self.kind, ())

    @property
    def roll(self) -> str:
        return f"{self.xgid.roll.high}-{self.xgid.roll.low}" if self.xgid.roll else ""

    @property
    def points(self) -> tuple[int, int]:
        """The points of the player who is asked, and the opponent's."""
        points = (self.xgid.white, self.xgid.black)
        return points if self.side is Side.WHITE else points[::-1]

    @property
    def away(self) -> tuple[int, int] | None:
        """How many points each needs, the player's first; None for money."""
        if not self.xgid.length:
            return None
        own, other = self.points
        return self.xgid.length - own, self.xgid.length - other

    @property
    def is_offered(self) -> bool:
        return self.xgid.offer is Offer.DOUBLE

    @property
    def can_play(self) -> bool:
        """Whether anything can be moved."""
        return self.faced is not None and bool(legal_plays(self.faced.position, self.faced.roll))

    @cached_property
    def sequences(self) -> tuple[tuple[Move, ...], ...]:
        """Every order of moves of the legal plays, for the board that is touched."""
        return legal_sequences(self.faced.position, self.faced.roll) if self.faced else ()

    @property
    def board(self) -> BoardView:
        return self.drawn()

    def drawn(self, *arrows: Arrow, bottom: Side | None = None) -> BoardView:
        """The board from the player's side."""
        cube, xgid = self.xgid.cube, self.xgid
        offered = xgid.turn.other if xgid.offer else None
        return BoardView(
            position=seen_by_roller(xgid),
            on_roll=xgid.turn,
            bottom=bottom or self.side,
            cube=DrawnCube(cube.value * (2 if offered else 1), cube.owner, offered)
            if xgid.has_cube
            else None,
            roll=(xgid.roll.high, xgid.roll.low) if xgid.roll else None,
            arrows=arrows,
        )

    def read(self, text: str) -> Given:
        """The answer that a text gives.

        Raises InvalidNotation for what cannot be read, IllegalPlay for a play that the roll does not allow.
        """
        if self.faced is None:
            if text not in self.answers:
                raise InvalidNotation("answer", "{text!r} is not one of the answers", at=0, text=text)
            return Given(text)
        play = resolve_play(self.faced.position, self.faced.roll, parse_moves(text))
        return Given(format_play(self.faced.position, play), play)

    def judge(self, given: Given, decision: Decision) -> AnswerVerdict:
        """The verdict on an answer by the decision as it stands."""
        if self.faced is None or given.play is None:
            return AnswerVerdict(loss_of(decision, given.text))
        return judge_play(decision, self.faced, given.play)

    def written(self, decision: Decision, given: Given) -> str:
        """The answer as the decision lists it, so that one play has one text."""
        if self.faced is None or given.play is None:
            return given.text
        same = listed(decision, self.faced, given.play)
        return same.action if same else given.text


def arrows_of(best: str, mine: str, played: str) -> tuple[Arrow, ...]:
    """Arrows for the best play, the answer, and the play of the match; equal ones are drawn once."""
    arrows: list[Arrow] = []
    wanted = ((ArrowMeaning.BEST, best), (ArrowMeaning.MINE, mine), (ArrowMeaning.PLAYED, played))
    for meaning, text in wanted:
        moves = _moves(text)
        if moves and all(set(moves) != set(arrow.moves) for arrow in arrows):
            arrows.append(Arrow(meaning, moves))
    return tuple(arrows)


def _moves(text: str) -> tuple[Move, ...]:
    try:
        return parse_moves(text)
    except ScoringError:  # a cube action
        return ()
