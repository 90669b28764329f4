"""The cells of a game in a ``.mat`` file turned into events, each of which is applied at once."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.notation.mat_cells import CellKind, WrittenCell
from scoring.notation.mat_layout import MatFile, number_in
from scoring.notation.mat_results import HIGHEST_CUBE
from scoring.notation.plays import format_play, parse_moves
from scoring.notation.record import RecordFlag
from scoring.notation.remarks import Remark
from scoring.rules.dice import Roll
from scoring.rules.errors import IllegalPlay, InvalidNotation, InvalidValue, ScoringError
from scoring.rules.events import (
    Beavered,
    Doubled,
    DoubleStatus,
    Event,
    MatchStarted,
    NotRolled,
    OpeningRolled,
    Passed,
    Played,
    PlayStatus,
    Raccooned,
    Rolled,
    Taken,
)
from scoring.rules.explain import INCOMPLETE, explain_play
from scoring.rules.game import Phase, is_closed_out
from scoring.rules.match_state import MatchState, Status
from scoring.rules.plays import Move, Play, legal_plays, mechanical_result
from scoring.rules.position import OFF, Position
from scoring.rules.sheet import apply, begin, why_not
from scoring.rules.sides import Side

_VALUE = re.compile(r"\d+")
_NOT_RECORDED = re.compile(r"\?+|illegal play\b.*|(?:resign|concede|gives? up).*", re.IGNORECASE)
_NO_MOVE = re.compile(
    r"(?:cannot|can't|cant|can not) (?:move|play)|no (?:legal )?(?:moves?|plays?)|\(no (?:move|play)\)"
    r"|dances?|fans|pass(?:es)?|--?",
    re.IGNORECASE,
)
_ENDS = frozenset({CellKind.WINS, CellKind.LOSES, CellKind.RESIGN})
_NOTHING_LEFT = Move(OFF, OFF)
"""``0/0``: how some programs write a die for which no checker is left."""
_MOST_MOVES = 8
"""Twice what a double allows: an illegal play may have moved too often, a damaged line has no end."""
_VOID = {
    "crawford": DoubleStatus.VOID_CRAWFORD,
    "holland": DoubleStatus.VOID_HOLLAND,
    "not_owner": DoubleStatus.VOID_NOT_OWNER,
    "after_roll": DoubleStatus.VOID_AFTER_ROLL,
}
_ANSWERS: Mapping[CellKind, Event] = {
    CellKind.TAKE: Taken(),
    CellKind.PASS: Passed(),
    CellKind.BEAVER: Beavered(),
    CellKind.RACCOON: Raccooned(),
}


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A place in a reading that can be gone back to."""

    state: MatchState
    events: int
    flags: int
    resigned: Side | None


class Turns:
    """A reading so far: events, the state they lead to, and flags.

    ``resigned`` is who gave the game up; ``strict`` refuses plays that are not legal: something is tried out.
    """

    def __init__(self, file: MatFile) -> None:
        self.file = file
        self.events: list[Event] = []
        self.lines: list[int] = []
        self.flags = list(file.flags)
        self.line = file.length_line
        self.game_number = 0
        self.turn = 0
        self.strict = False
        self.resigned: Side | None = None
        self.after_roll: list[Remark] = []
        cells = [cell for cell in file.sections[-1].cells if isinstance(cell, WrittenCell)]
        self.waits = cells[-1] if cells and file.not_played is not None else None
        self.state: MatchState

    def start(self, event: MatchStarted) -> None:
        """Begin the match."""
        try:
            self.state = begin(event)
        except InvalidValue as error:
            raise InvalidNotation(
                "start", "line {line}: {reason}", line=self.line, reason=str(error)
            ) from error
        self.events.append(event)
        self.lines.append(self.line)

    def add(self, event: Event) -> None:
        """Let ``event`` happen; raises :class:`InvalidNotation` with the line if it cannot."""
        try:
            self.state = apply(self.state, event)
        except ScoringError as error:
            raise InvalidNotation(
                error.code, "line {line}: {reason}", line=self.line, reason=str(error)
            ) from error
        self.events.append(event)
        self.lines.append(self.line)

    def flag(self, code: str, detail: str = "") -> None:
        """Say something of the place that is read."""
        self.flags.append(RecordFlag(self.line, code, detail, self.game_number, self.turn))

    def wrong(self, code: str, template: str, **parameters: Any) -> InvalidNotation:
        """A refusal of the line that is read."""
        return InvalidNotation(code, "line {line}: " + template, line=self.line, **parameters)

    def mark(self) -> Bookmark:
        """This place."""
        return Bookmark(self.state, len(self.events), len(self.flags), self.resigned)

    def back_to(self, mark: Bookmark) -> None:
        """Forget what was read since."""
        self.state, self.resigned = mark.state, mark.resigned
        del self.events[mark.events :]
        del self.lines[mark.events :]
        del self.flags[mark.flags :]

    def name(self, side: Side) -> str:
        """The player's name, or the colour of one who has none."""
        return self.file.players[0 if side is Side.WHITE else 1] or side.value.capitalize()

    def act(self, cell: WrittenCell, rest: Sequence[WrittenCell | Remark]) -> None:
        """Let the cell happen; ``rest`` is what follows it in the game.

        Raises :class:`InvalidNotation` where it cannot be read or is not possible.
        """
        side = cell.side or self.state.game.to_act
        if side is None:
            raise self.wrong("cell", "{text!r} cannot be read", text=cell.text)
        if cell.kind in {CellKind.ROLL, CellKind.DOUBLE}:
            self.resigned = None  # who plays on has not given up
        if cell.kind is CellKind.ROLL:
            self._roll(cell, side, rest)
        elif cell.kind is CellKind.DOUBLE:
            self._double(cell, side)
        elif cell.kind is CellKind.RESIGN:
            self.resigned = side
        elif self.resigned is None or cell.kind is not CellKind.TAKE:  # else: the resignation is accepted
            self._answer(cell, side, _ANSWERS[cell.kind])

    def _turn_of(self, cell: WrittenCell, side: Side) -> None:
        """See to it that the cell's player is on roll.

        A take, or the turn of a closed-out opponent, may have been left out.
        """
        game = self.state.game
        if game.phase is Phase.OFFERED and game.on_roll is side and not self.strict:
            self.flag("take_guessed", self.name(side.other))
            self.add(Taken())
        elif (
            game.on_roll is side.other
            and game.phase is Phase.TURN
            and is_closed_out(game.seen_by(side.other))
        ):
            self.add(NotRolled())
        if self.state.game.on_roll is not side:
            raise self._not_the_turn(cell, side)

    def _not_the_turn(self, cell: WrittenCell, side: Side) -> InvalidNotation:
        return self.wrong(
            "turn", "{text!r}: it is not the turn of {name}", text=cell.text, name=self.name(side)
        )

    def _roll(self, cell: WrittenCell, side: Side, rest: Sequence[WrittenCell | Remark]) -> None:
        try:
            roll = Roll.parse(cell.text.partition(":")[0])
        except InvalidNotation as error:
            raise error.on_line(cell.line) from error
        if self.state.game.phase is Phase.OPENING:
            white, black = (roll.high, roll.low) if side is Side.WHITE else (roll.low, roll.high)
            if roll.is_double:
                raise self.wrong("opening_double", "the opening roll cannot be {roll}", roll=str(roll))
            self.add(OpeningRolled(white, black))
        else:
            self._turn_of(cell, side)
            self.add(Rolled(roll))
        waiting, self.after_roll = self.after_roll, []
        for told in waiting:
            self.line = told.line
            self.add(told.event)
        self.line = cell.line
        text = cell.text[3:].strip()
        if cell is self.waits and not text:
            return
        if self.state.status is Status.PLAYING and self.state.game.phase is Phase.MOVING:
            self._play(side, roll, text, rest)

    def _play(self, side: Side, roll: Roll, text: str, rest: Sequence[WrittenCell | Remark]) -> None:
        position = self.state.game.seen_by(side)
        follows = any(isinstance(cell, WrittenCell) and cell.kind not in _ENDS for cell in rest)
        unwritten = _NOT_RECORDED.fullmatch(text) is not None
        if not text:
            plays = legal_plays(position, roll)
            unwritten = len(plays) > 1
            moves = plays[0].moves if len(plays) == 1 else ()
        elif unwritten or _NO_MOVE.fullmatch(" ".join(text.split())):
            moves = ()
        else:
            try:
                moves = tuple(move for move in parse_moves(text) if move != _NOTHING_LEFT)
            except InvalidNotation as error:
                self._repair(position, roll, text, rest, error.on_line(self.line))
                return
        if len(moves) > _MOST_MOVES:
            raise self.wrong("too_many_moves", "{count} moves are too many for a play", count=len(moves))
        if not unwritten:
            self._moved(position, roll, moves)
        elif follows:
            reason = self.wrong("not_recorded", "the play of the roll {roll} is not recorded", roll=str(roll))
            self._repair(position, roll, text, rest, reason)
        else:
            self.resigned = side

    def _moved(self, position: Position, roll: Roll, moves: tuple[Move, ...]) -> None:
        answer = explain_play(position, roll, moves)
        if isinstance(answer, Play):
            self.add(Played(answer.moves))
        elif self.strict:
            raise self.wrong(answer.code, "{reason}", reason=str(answer))
        else:
            self._keep_illegal(position, moves, answer)

    def _keep_illegal(self, position: Position, moves: tuple[Move, ...], reason: IllegalPlay) -> None:
        incomplete = reason.code in INCOMPLETE
        status = PlayStatus.INCOMPLETE_ACCEPTED if incomplete else PlayStatus.ILLEGAL_ACCEPTED
        try:
            result = mechanical_result(position, moves)
        except IllegalPlay:
            moves = tuple(sorted(moves, reverse=True))
            try:
                result = mechanical_result(position, moves)
            except IllegalPlay as error:
                raise self.wrong("impossible_play", "{reason}", reason=str(error)) from error
        self.flag(status.value, str(reason))
        self.add(Played(moves, status, result))

    def _repair(
        self,
        position: Position,
        roll: Roll,
        text: str,
        rest: Sequence[WrittenCell | Remark],
        reason: InvalidNotation,
    ) -> None:
        """Make the only play after which the game can go on as written; raises ``reason`` if many can."""
        if self.strict:
            raise reason
        written = "" if _NOT_RECORDED.fullmatch(text) else text
        fitting = [play for play in legal_plays(position, roll) if _fits(play, written)]
        follows = any(isinstance(cell, WrittenCell) and cell.kind is CellKind.ROLL for cell in rest)
        if len(fitting) > 1 and follows:
            fitting = self._playable(fitting, rest)
        if len(fitting) != 1:
            raise reason
        self.flag("repaired", f"{text or '?'} → {format_play(position, fitting[0]) or '–'}")
        self.add(Played(fitting[0].moves))

    def _playable(self, plays: list[Play], rest: Sequence[WrittenCell | Remark]) -> list[Play]:
        """Those plays after which the rest of the game is legal: two at most."""
        found: list[Play] = []
        for play in plays:
            here, line = self.mark(), self.line
            self.strict = True
            try:
                self.add(Played(play.moves))
                self._try_out(rest)
                found.append(play)
            except InvalidNotation:
                pass  # this is the answer: it does not fit
            finally:
                self.strict, self.line = False, line
                self.after_roll = []
                self.back_to(here)
            if len(found) > 1:
                break
        return found

    def _try_out(self, rest: Sequence[WrittenCell | Remark]) -> None:
        games = len(self.state.games)
        for index, cell in enumerate(rest):
            if not isinstance(cell, WrittenCell) or cell.kind in {CellKind.WINS, CellKind.LOSES}:
                return
            self.line = cell.line
            if len(self.state.games) > games:
                raise self.wrong("after_end", "{text!r} comes after the end of the game", text=cell.text)
            self.act(cell, rest[index + 1 :])

    def _double(self, cell: WrittenCell, side: Side) -> None:
        game = self.state.game
        if game.phase is Phase.TURN:
            self._turn_of(cell, side)
        refused = why_not(self.state, Doubled.kind)
        if refused is not None and refused.code in _VOID:
            self.flag("void_double", str(refused))
            self.add(Doubled(_VOID[refused.code]))
            return
        told = _VALUE.search(cell.text)
        value = number_in(told.group(), cell.line) if told else game.cube.value * 2
        if game.cube.value >= HIGHEST_CUBE:
            raise self.wrong("highest_cube", "a cube cannot go above {highest}", highest=HIGHEST_CUBE)
        if value != game.cube.value * 2:
            raise self.wrong(
                "cube", "the cube cannot go from {now} to {value}", now=game.cube.value, value=value
            )
        self.add(Doubled())

    def _answer(self, cell: WrittenCell, side: Side, event: Event) -> None:
        last = self.events[-1]
        if isinstance(last, Doubled) and last.status is not DoubleStatus.OK:
            if isinstance(event, Passed):
                self.resigned = side
            return
        if self.state.game.to_act is not side:
            raise self._not_the_turn(cell, side)
        self.add(event)


def _fits(play: Play, text: str) -> bool:
    """Whether the play has every move of the text, and the readable half of one that cannot be read."""
    named = _named_by(play.moves)
    for word in text.split():
        try:
            if not named.issuperset(parse_moves(word)):
                return False
        except InvalidNotation:
            source, _slash, target = (half.strip("*") for half in word.partition("/"))
            halves = {name for move in named for name in ((str(move.source), ""), ("", str(move.target)))}
            if source.isdigit() and (source, "") not in halves:
                return False
            if target.isdigit() and ("", target) not in halves:
                return False
    return True


def _named_by(moves: Sequence[Move]) -> set[Move]:
    """Every way of naming these moves, one checker's steps joined or not."""
    named = set(moves)
    for move in moves:
        named |= {Move(before.source, move.target) for before in named if before.target == move.source}
    return named
