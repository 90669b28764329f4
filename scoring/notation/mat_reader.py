"""Reading ``.mat`` and its relatives: see :mod:`scoring.notation.mat`."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from string import ascii_letters
from typing import Any, NamedTuple

from scoring.notation.plays import parse_moves
from scoring.notation.record import MatchRecord, RecordFlag
from scoring.notation.remarks import NOT_PLAYED, Remark, read_remark
from scoring.rules.dice import Roll
from scoring.rules.errors import IllegalPlay, InvalidNotation, InvalidValue, ScoringError
from scoring.rules.events import (
    Accepted,
    Beavered,
    Doubled,
    DoubleStatus,
    Ended,
    EndReason,
    Event,
    GameRecorded,
    MatchEnded,
    MatchStarted,
    NotRolled,
    OpeningRolled,
    Passed,
    Played,
    PlayStatus,
    Raccooned,
    Resigned,
    Rolled,
    Taken,
)
from scoring.rules.explain import INCOMPLETE, explain_play
from scoring.rules.game import Phase, is_closed_out
from scoring.rules.match import Win
from scoring.rules.match_state import MatchState, Status
from scoring.rules.options import RuleOptions
from scoring.rules.plays import Move, Play, legal_plays, mechanical_result
from scoring.rules.position import Position
from scoring.rules.sheet import apply, begin, why_not
from scoring.rules.sides import Side

_TAG = re.compile(r';\s*\[(?P<key>[^"\]]+?)\s*"(?P<value>[^"]*)"\]')
_LENGTH = re.compile(r"\s*(?P<length>\d+) point match\s*", re.IGNORECASE)
_GAME = re.compile(r"\s*Game (?P<number>\d+)\s*", re.IGNORECASE)
_PLAYERS = re.compile(
    r"\s*(?P<white>\S.*?) : (?P<white_points>\d+)\s+(?P<black>\S.*?) : (?P<black_points>\d+)\s*"
)
_ROW = re.compile(r"(?P<number>\s*\d+\) ?)(?P<cells>.*)")
_CELL = re.compile(
    r"(?<!\S)(?:(?P<dice>[1-6]{2}):|Doubles\b|Takes\b|Drops\b|Beavers?\b|Raccoons?\b|Resigns\b|Wins\b|Losses\b)"
)
_DOUBLES = re.compile(r"Doubles => (?P<value>\d+)")
_WINS = re.compile(r"(?:Wins|Losses) (?P<points>\d+) points?(?: and the match)?")
_RIGHT_COLUMN = 20
"""A cell alone in its row that starts here or later stands in the right column (33 or 40)."""

_UNLIMITED = ("BackgammonGalaxy", 16)
_RESIGNED_AFTER_ROLLING = "????"
_MOST_MOVES = 8
"""Twice what a double allows: an illegal play may have moved too often, a damaged line has no end."""

_VOID = {
    "crawford": DoubleStatus.VOID_CRAWFORD,
    "holland": DoubleStatus.VOID_HOLLAND,
    "not_owner": DoubleStatus.VOID_NOT_OWNER,
    "after_roll": DoubleStatus.VOID_AFTER_ROLL,
}


class _Cell(NamedTuple):
    line: int
    side: Side
    text: str


@dataclass(slots=True)
class _Section:
    """One game as written: its heading, and its cells and remarks in the order of play."""

    line: int
    white_points: int
    black_points: int
    cells: list[_Cell | Remark]


@dataclass(slots=True)
class _File:
    length: int
    length_line: int
    players: tuple[str, str]
    tags: list[tuple[str, str]]
    sections: list[_Section]
    flags: list[RecordFlag]
    start: MatchStarted | None = None
    not_played: int | None = None
    """The line that says that the last roll waits for its play."""


def read(data: bytes) -> MatchRecord:
    """See :func:`scoring.notation.mat.read_mat`."""
    file = _read_file(data)
    tags = dict(file.tags)
    options = file.start.options if file.start else _options(tags, file.length_line)
    if file.length or file.start or "Jacoby" in tags:
        return _Replay(file, options).run()
    try:
        return _Replay(file, options).run()
    except InvalidNotation as error:
        if error.code not in {"points_differ", "jacoby"}:
            raise
        # nothing in the file says whether Jacoby was agreed on: the points do
        return _Replay(file, replace(options, jacoby=False)).run()


def _decode(data: bytes) -> tuple[str, list[RecordFlag]]:
    if b"\0" in data:
        raise InvalidNotation(
            "not_text",
            "line {line}: a zero byte: this is no text file",
            line=data[: data.index(b"\0")].count(b"\n") + 1,
        )
    try:
        return data.decode("utf-8-sig"), []
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace"), [RecordFlag(1, "encoding", "cp1252")]


def _read_file(data: bytes) -> _File:
    text, flags = _decode(data)
    file = _File(0, 0, ("", ""), [], [], flags)
    lines = enumerate(text.splitlines(), start=1)
    _read_head(file, lines)
    for number, line in lines:
        if line.strip() == NOT_PLAYED:
            file.not_played = number
        elif not line.strip() or line.lstrip().startswith(";"):
            told = read_remark(line, number)
            if told is not None and file.sections:
                file.sections[-1].cells.append(told)
            elif told is not None:
                raise _misplaced(told)
        elif _GAME.fullmatch(line):
            _read_players(file, lines, number)
        elif not file.sections:
            raise InvalidNotation(
                "no_game",
                "line {line}: {text!r} stands before the first game",
                line=number,
                text=line.strip(),
            )
        else:
            file.sections[-1].cells += _read_row(line, number)
    if not file.sections:
        raise InvalidNotation(
            "no_game", "line {line}: the file ends before the first game", line=text.count("\n") + 1
        )
    return file


def _read_head(file: _File, lines: Iterator[tuple[int, str]]) -> None:
    number = 0
    for number, line in lines:
        tag = _TAG.match(line.strip())
        length = _LENGTH.fullmatch(line)
        told = read_remark(line, number)
        if told is not None:
            if not isinstance(told.event, MatchStarted):
                raise _misplaced(told)
            file.start = told.event
        elif tag:
            file.tags.append((tag["key"].strip(), tag["value"]))
        elif length:
            file.length, file.length_line = _number(length["length"], number), number
            break
        elif line.strip() and not line.lstrip().startswith(";"):
            raise InvalidNotation(
                "no_length",
                "line {line}: {text!r} is not the length of a match",
                line=number,
                text=line.strip(),
            )
    else:
        raise InvalidNotation(
            "no_length", "line {line}: the file ends before the length of the match", line=max(number, 1)
        )
    if (dict(file.tags).get("Site"), file.length) == _UNLIMITED:
        file.flags.append(RecordFlag(number, "unlimited", str(file.length)))


def _misplaced(told: Remark) -> InvalidNotation:
    return InvalidNotation(
        "remark",
        "line {line}: a remark of the kind {kind!r} cannot stand here",
        line=told.line,
        kind=told.event.kind,
    )


def _read_players(file: _File, lines: Iterator[tuple[int, str]], heading: int) -> None:
    number, line = next(lines, (heading, ""))
    match = _PLAYERS.fullmatch(line)
    if match is None:
        raise InvalidNotation(
            "players",
            "line {line}: {text!r} does not name two players and their points",
            line=number,
            text=line.strip(),
        )
    players = match["white"], match["black"]
    if file.sections and players != file.players:
        raise InvalidNotation(
            "players_changed",
            "line {line}: the players were {before}",
            line=number,
            before=" and ".join(file.players),
        )
    file.players = players
    points = _number(match["white_points"], number), _number(match["black_points"], number)
    file.sections.append(_Section(number, *points, []))


def _read_row(line: str, number: int) -> list[_Cell]:
    """The cells of a row, left one first."""
    row = _ROW.fullmatch(line)
    start = len(row["number"]) if row else 0
    starts = [match.start() for match in _CELL.finditer(line, start)]
    if len(starts) > 2 or line[start : starts[0] if starts else None].strip():
        raise InvalidNotation(
            "row", "line {line}: {text!r} is not a row of a game", line=number, text=line.strip()
        )
    if not starts:
        return []
    texts = [line[begin:end].strip() for begin, end in zip(starts, [*starts[1:], None], strict=True)]
    if len(starts) == 1 and starts[0] >= _RIGHT_COLUMN:
        return [_Cell(number, Side.BLACK, texts[0])]
    return [_Cell(number, side, text) for side, text in zip(Side, texts, strict=False)]


def _number(digits: str, line: int) -> int:
    if len(digits) > 5:
        raise InvalidNotation(
            "number", "line {line}: {digits} is too large a number", line=line, digits=digits
        )
    return int(digits)


def _options(tags: Mapping[str, str], line: int) -> RuleOptions:
    variation = tags.get("Variation", "Backgammon")
    if variation.lower() != "backgammon":
        raise InvalidNotation(
            "variation", "line {line}: {variation!r} is not backgammon", line=line, variation=variation
        )
    options = RuleOptions()
    limit = tags.get("CubeLimit", "")
    if limit.isascii() and limit.isdigit():
        try:
            options = replace(options, max_cube=_number(limit, line))
        except InvalidValue as error:
            raise InvalidNotation(
                "cube_limit", "line {line}: {reason}", line=line, reason=str(error)
            ) from error
    on = {
        key: tags[key].lower() in {"on", "true", "yes", "1"}
        for key in ("Crawford", "Jacoby", "Beaver")
        if key in tags
    }
    return replace(
        options,
        crawford=on.get("Crawford", options.crawford),
        jacoby=on.get("Jacoby", options.jacoby),
        beavers=on.get("Beaver", options.beavers),
    )


class _Replay:
    """Turns the cells of a file into events, each of which is applied at once."""

    def __init__(self, file: _File, options: RuleOptions) -> None:
        self.file = file
        self.options = options
        self.events: list[Event] = []
        self.lines: list[int] = []
        self.flags = list(file.flags)
        self.line = file.length_line
        self.resigned: Side | None = None
        self.after_roll: list[Remark] = []
        cells = [cell for cell in file.sections[-1].cells if isinstance(cell, _Cell)]
        self.waits = cells[-1] if cells and file.not_played is not None else None
        self.state: MatchState

    def run(self) -> MatchRecord:
        first = self.file.sections[0]
        start = MatchStarted(self.file.length, self.options, first.white_points, first.black_points)
        if self.file.start not in {None, start}:
            raise self._wrong("start_differs", "the match does not start as its remark says")
        self._start(start)
        for number, section in enumerate(self.file.sections):
            self._begin_game(section, number)
            for cell in section.cells:
                self.line = cell.line
                if isinstance(cell, _Cell):
                    self._cell(cell, number)
                elif cell.rolled:
                    self.after_roll.append(cell)
                else:
                    self._add(cell.event)
        if self.after_roll:
            raise _misplaced(self.after_roll[0])
        if self.file.not_played is not None and self.state.game.roll is None:
            self.line = self.file.not_played
            raise self._wrong("remark", "no roll waits to be played here")
        if not self.file.length and not self.file.start and self.state.game.is_untouched and self.state.games:
            self._add(MatchEnded(EndReason.AGREED))
        if self.state.status is not Status.OVER:
            self.flags.append(RecordFlag(self.line, "unfinished", str(self.state.score)))
        return MatchRecord(
            players=self.file.players,
            length=self.file.length,
            events=tuple(self.events),
            lines=tuple(self.lines),
            state=self.state,
            flags=tuple(self.flags),
            tags=tuple(self.file.tags),
        )

    def _start(self, event: MatchStarted) -> None:
        try:
            self.state = begin(event)
        except InvalidValue as error:
            raise InvalidNotation(
                "start", "line {line}: {reason}", line=self.line, reason=str(error)
            ) from error
        self.events.append(event)
        self.lines.append(self.line)

    def _add(self, event: Event) -> None:
        try:
            self.state = apply(self.state, event)
        except ScoringError as error:
            raise InvalidNotation(
                error.code, "line {line}: {reason}", line=self.line, reason=str(error)
            ) from error
        self.events.append(event)
        self.lines.append(self.line)

    def _wrong(self, code: str, template: str, **parameters: Any) -> InvalidNotation:
        return InvalidNotation(code, "line {line}: " + template, line=self.line, **parameters)

    def _begin_game(self, section: _Section, number: int) -> None:
        self.line = section.line
        self.resigned = None
        won = section.white_points - self.state.score.white, section.black_points - self.state.score.black
        if len(self.state.games) < number:
            self._end_without_result(won)
        elif any(won):
            raise self._wrong(
                "score_differs",
                "the score is {white}-{black} here, the games before it give {score}",
                white=section.white_points,
                black=section.black_points,
                score=str(self.state.score),
            )

    def _end_without_result(self, won: tuple[int, int]) -> None:
        """The game before has no result of its own: the score that follows tells it."""
        if min(won) != 0 or max(won) < 1:
            raise self._wrong("no_result", "the game before has no result, and the score does not tell it")
        self._resign_to(Side.WHITE if won[0] else Side.BLACK, max(won))

    def _cell(self, cell: _Cell, number: int) -> None:
        over = len(self.state.games) > number
        word = cell.text[: len(cell.text) - len(cell.text.lstrip(ascii_letters))]
        if word == "Losses" and _WINS.fullmatch(cell.text):
            return
        if word == "Wins":
            self._wins(cell, over=over)
        elif over:
            raise self._wrong("after_end", "{text!r} comes after the end of the game", text=cell.text)
        elif not word:
            self._roll(cell)
        elif word == "Doubles":
            self._double(cell)
        elif cell.text.rstrip("s") in self._SAID:
            self._SAID[cell.text.rstrip("s")](self, cell)
        else:
            raise self._wrong("cell", "{text!r} cannot be read", text=cell.text)

    def _turn_of(self, cell: _Cell) -> None:
        """See to it that the cell's player is on roll: a closed-out opponent may have been left out."""
        game = self.state.game
        if (
            game.on_roll is cell.side.other
            and game.phase is Phase.TURN
            and is_closed_out(game.seen_by(cell.side.other))
        ):
            self._add(NotRolled())
            game = self.state.game
        if game.on_roll is not cell.side:
            raise self._wrong(
                "turn", "{text!r} is not the turn of {name}", text=cell.text, name=self._name(cell.side)
            )

    def _name(self, side: Side) -> str:
        return self.file.players[0] if side is Side.WHITE else self.file.players[1]

    def _roll(self, cell: _Cell) -> None:
        roll = Roll.parse(cell.text[:2])
        if self.state.game.phase is Phase.OPENING:
            white, black = (roll.high, roll.low) if cell.side is Side.WHITE else (roll.low, roll.high)
            if roll.is_double:
                raise self._wrong("opening_double", "the opening roll cannot be {roll}", roll=str(roll))
            self._add(OpeningRolled(white, black))
        else:
            self._turn_of(cell)
            self._add(Rolled(roll))
        waiting, self.after_roll = self.after_roll, []
        for told in waiting:
            self.line = told.line
            self._add(told.event)
        self.line = cell.line
        text = cell.text[3:].strip()
        if cell is self.waits and not text:
            return
        if self.state.status is Status.PLAYING and self.state.game.phase is Phase.MOVING:
            self._play(cell, roll, text)

    def _play(self, cell: _Cell, roll: Roll, text: str) -> None:
        position = self.state.game.seen_by(cell.side)
        if text == _RESIGNED_AFTER_ROLLING:
            self.resigned = cell.side
            return
        try:
            moves = parse_moves(text)
        except InvalidNotation as error:
            raise error.on_line(cell.line) from error
        if len(moves) > _MOST_MOVES:
            raise self._wrong("too_many_moves", "{count} moves are no play", count=len(moves))
        if not text:
            plays = legal_plays(position, roll)
            if len(plays) > 1:
                self.resigned = cell.side
                return
            moves = plays[0].moves if plays else ()
        answer = explain_play(position, roll, moves)
        if isinstance(answer, Play):
            self._add(Played(answer.moves))
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
                raise self._wrong("impossible_play", "{reason}", reason=str(error)) from error
        self.flags.append(RecordFlag(self.line, status.value, str(reason)))
        self._add(Played(moves, status, result))

    def _double(self, cell: _Cell) -> None:
        match = _DOUBLES.fullmatch(cell.text)
        if match is None:
            raise self._wrong("double", "{text!r} is not a double", text=cell.text)
        game = self.state.game
        if game.phase is Phase.TURN:
            self._turn_of(cell)
        refused = why_not(self.state, Doubled.kind)
        if refused is not None and refused.code in _VOID:
            self.flags.append(RecordFlag(cell.line, "void_double", str(refused)))
            self._add(Doubled(_VOID[refused.code]))
            return
        value = _number(match["value"], cell.line)
        if value != game.cube.value * 2:
            raise self._wrong(
                "cube", "the cube cannot go from {now} to {value}", now=game.cube.value, value=value
            )
        self._add(Doubled())

    def _answer(self, cell: _Cell, event: Event) -> None:
        if self._answers_void_double():
            if isinstance(event, Passed):
                self.resigned = cell.side
            return
        if self.state.game.to_act is not cell.side:
            raise self._wrong(
                "turn", "{text!r} is not the turn of {name}", text=cell.text, name=self._name(cell.side)
            )
        self._add(event)

    def _answers_void_double(self) -> bool:
        last = self.events[-1]
        return isinstance(last, Doubled) and last.status is not DoubleStatus.OK

    def _resigns(self, cell: _Cell) -> None:
        self.resigned = cell.side

    def _wins(self, cell: _Cell, *, over: bool) -> None:
        match = _WINS.fullmatch(cell.text)
        if match is None:
            raise self._wrong("result", "{text!r} is not a result", text=cell.text)
        points = _number(match["points"], cell.line)
        if not over:
            self._resign_to(cell.side, points)
            return
        outcome = self.state.games[-1].outcome
        if (outcome.winner, outcome.points) != (cell.side, points):
            raise self._wrong(
                "points_differ",
                "{text!r}, but the game was won by {winner} with {points}",
                text=cell.text,
                winner=self._name(outcome.winner),
                points=outcome.points,
            )

    def _resign_to(self, winner: Side, points: int) -> None:
        """The game is not over on the board: its loser passed or resigned."""
        game = self.state.game
        if self.resigned is winner:
            raise self._wrong("resigned", "{name} resigned and cannot win", name=self._name(winner))
        if game.phase is Phase.OPENING:
            cube = points & -points if points > 3 else 1
            self._add_game(winner, points, cube)
            return
        if game.phase is Phase.OFFERED and game.on_roll is winner and points == game.cube.value:
            self._add(Passed())
            return
        self._add(Resigned(winner.other, self._level(points, game.cube.value)))
        self._add(Accepted())

    def _add_game(self, winner: Side, points: int, cube: int) -> None:
        self._add(GameRecorded(winner, self._level(points, cube), cube, Ended.RESIGNATION))

    def _level(self, points: int, cube: int) -> Win:
        level, rest = divmod(points, cube)
        if rest or not 1 <= level <= 3:
            raise self._wrong(
                "points", "{points} points cannot be won with the cube at {cube}", points=points, cube=cube
            )
        return Win(level)

    _SAID: Mapping[str, Callable[["_Replay", _Cell], None]] = {
        "Take": lambda self, cell: self._answer(cell, Taken()),
        "Drop": lambda self, cell: self._answer(cell, Passed()),
        "Beaver": lambda self, cell: self._answer(cell, Beavered()),
        "Raccoon": lambda self, cell: self._answer(cell, Raccooned()),
        "Resign": _resigns,
    }
