"""One reading of a ``.mat`` file: its games replayed in order, each closed by what the file says of its end.

Where a game cannot be played on, the rest of it is kept by its result alone, which is flagged; where nothing
tells its result, the record stops.  A record of our own that tells all its events is held to every word.
"""

import re

from scoring.notation.mat_layout import Cell, Kind, MatFile, misplaced, number_in
from scoring.notation.mat_results import (
    Told,
    cubes_from,
    deciding_level,
    level_of,
    stated_totals,
    worth_of,
)
from scoring.notation.mat_turns import Turns
from scoring.notation.record import MatchRecord
from scoring.notation.remarks import Remark
from scoring.rules.errors import InvalidNotation
from scoring.rules.events import (
    Accepted,
    Ended,
    EndReason,
    GameRecorded,
    MatchEnded,
    MatchStarted,
    Passed,
    Played,
    Resigned,
)
from scoring.rules.game import BETWEEN_MOVES, Phase
from scoring.rules.match import Win
from scoring.rules.match_state import Status
from scoring.rules.options import RuleOptions
from scoring.rules.sides import Side

_POINTS = re.compile(r"\w+\s+(?P<points>\d+)")
_MATCH = re.compile(r"\bmatch\b", re.IGNORECASE)
_PLACE = re.compile(r"^line \d+: ")


class Replay(Turns):
    """Turns the sections of a file into events under one set of options."""

    def __init__(self, file: MatFile, options: RuleOptions, length: int) -> None:
        super().__init__(file)
        self.options = options
        self.length = length
        told = any(isinstance(cell, Remark) for section in file.sections for cell in section.cells)
        self.exact = told or file.start is not None
        self.problem: InvalidNotation | None = None
        """The first thing that could not be read."""
        self.offset = (0, 0)
        """How far the headings are ahead of the games' points."""
        self._open(0)

    def _open(self, number: int) -> None:
        """Turn to a section, nothing of it being read."""
        section, *following = self.file.sections[number : number + 2]
        self.section = section
        self.game_number = number + 1
        self.following = following[0] if following else None
        self.line, self.turn = section.line, 0
        self.resigned = None
        self.broken = False
        self.cube_seen = 1
        self.offered = 0
        self.loser: Cell | None = None
        self.told_of_rest = False

    def run(self) -> MatchRecord:
        """The record.  Raises :class:`InvalidNotation` where no match can be told."""
        self._begin()
        sections = self.file.sections
        for number in range(len(sections)):
            self._open(number)
            if self.state.status is Status.OVER and not self.exact:
                self.flag("after_match", str(len(sections) - number))
                break
            if not self._game(number):
                break
        self._finish()
        return MatchRecord(
            players=self.file.players,
            length=self.length,
            events=tuple(self.events),
            lines=tuple(self.lines),
            state=self.state,
            flags=tuple(self.flags),
            tags=tuple(self.file.tags),
        )

    def _begin(self) -> None:
        self.line = self.file.length_line
        stated = points = self.file.sections[0].points or (0, 0)
        if not self.length and not self.exact:
            self.offset, points = stated, (0, 0)
        start = MatchStarted(self.length, self.options, *points)
        if self.file.start not in {None, start}:
            raise self.wrong("start_differs", "the match does not start as its remark says")
        self.start(start)
        if any(stated) and not self.exact:
            self.line = self.file.sections[0].line
            self.flag("handicap", "{}–{}".format(*stated))

    def _finish(self) -> None:
        if self.after_roll and self.exact:
            raise misplaced(self.after_roll[0])
        if self.file.not_played is not None and self.exact and self.state.game.roll is None:
            self.line = self.file.not_played
            raise self.wrong("remark", "no roll waits to be played here")
        told = self.state.games or any(isinstance(event, Played) for event in self.events)
        if not told and self.state.outcome is None and not self.exact:
            self._refuse_what_tells_nothing()
        untouched = self.state.status is Status.PLAYING and self.state.game.is_untouched
        if not self.length and not self.exact and untouched and self.state.games:
            self.add(MatchEnded(EndReason.AGREED))
        if self.state.status is not Status.OVER:
            self.flag("unfinished", str(self.state.score))

    def _refuse_what_tells_nothing(self) -> None:
        if self.problem is not None:
            raise self.problem
        skipped = next((flag for flag in self.flags if flag.code in {"line_skipped", "no_result"}), None)
        if skipped is not None:
            raise InvalidNotation(
                "row", "line {line}: {text!r} is not a row of a game", line=skipped.line, text=skipped.detail
            )

    def _game(self, number: int) -> bool:
        """Read one game; False if the record stops in it."""
        self._compare_heading()
        self.score_before = self.state.score
        for index, cell in enumerate(self.section.cells):
            self.line = cell.line
            if isinstance(cell, Cell):
                self.turn = cell.turn or self.turn
                self._cell(cell, self.section.cells[index + 1 :], number)
            else:
                self._remark(cell)
        if len(self.state.games) > number or self.state.status is not Status.PLAYING:
            return True
        return self._end_without_result()

    def _remark(self, told: Remark) -> None:
        if told.rolled:
            self.after_roll.append(told)
            return
        try:
            self.add(told.event)
        except InvalidNotation as error:
            self._break(error)

    def _compare_heading(self) -> None:
        if self.section.points is None:
            return
        score = self.state.score
        offset = self.section.points[0] - score.white, self.section.points[1] - score.black
        if self.exact and any(offset):
            raise self.wrong(
                "score_differs",
                "the score is {white}-{black} here, the games before it give {score}",
                white=self.section.points[0],
                black=self.section.points[1],
                score=str(score),
            )
        if offset != self.offset and any(offset):
            self.flag("score_differs", "{}–{} / {}–{}".format(*self.section.points, score.white, score.black))
        self.offset = offset

    def _cell(self, cell: Cell, rest: list[Cell | Remark], number: int) -> None:
        if cell.kind is Kind.WINS:
            self._wins(cell, number)
        elif cell.kind is Kind.LOSES:
            self.loser = cell
        elif len(self.state.games) > number or self.state.status is Status.OVER:
            self._after_the_end(cell)
        elif self.broken:
            self._skim(cell)
        else:
            self.before_cell = self.mark()
            try:
                self.act(cell, rest)
            except InvalidNotation as error:
                self._break(error)
                self._skim(cell)

    def _after_the_end(self, cell: Cell) -> None:
        if self.exact:
            raise self.wrong("after_end", "{text!r} comes after the end of the game", text=cell.text)
        if not self.told_of_rest:
            self.told_of_rest = True
            self.flag("after_game", cell.text[:60])

    def _break(self, error: InvalidNotation) -> None:
        """From here on only the result of the game is kept."""
        if self.exact:
            raise error
        self.problem = self.problem or error
        self.broken = True
        self.after_roll = []
        self.cube_seen = self.state.game.cube.value
        self.flag("rest_unread", _PLACE.sub("", str(error)))

    def _skim(self, cell: Cell) -> None:
        """Follow no more than the cube, and who gave up."""
        if cell.kind is Kind.DOUBLE:
            self.offered = self.cube_seen * 2
        elif cell.kind in {Kind.TAKE, Kind.BEAVER, Kind.RACCOON} and self.offered:
            self.cube_seen = self.offered * (1 if cell.kind is Kind.TAKE else 2)
            self.offered = 0
        elif cell.kind in {Kind.PASS, Kind.RESIGN} or cell.text.endswith("???"):
            self.resigned = cell.side

    def _told_by_heading(self) -> Told | None:
        """Who won how much by the scores before and after the game."""
        if self.following is None or self.following.points is None:
            return None
        before = self.section.points
        if self.exact or before is None:
            score = self.state.score
            before = score.white + self.offset[0], score.black + self.offset[1]
        won = self.following.points[0] - before[0], self.following.points[1] - before[1]
        if min(won) != 0 or max(won) < 1:
            return None
        return Told(Side.WHITE if won[0] else Side.BLACK, max(won))

    def _end_without_result(self) -> bool:
        """Close a game that has no result of its own, if anything tells it."""
        if self.loser is not None and self.loser.side is not None:
            self._close_as_told(self.loser, self.loser.side.other)
            return True
        if self.following is None:
            return True
        self.line = self.following.line
        told = self._told_by_heading()
        plan = self._plan(told) if told else None
        if told is None or plan is None:
            if self.exact:
                raise self.wrong("no_result", "the game before has no result, and the score does not tell it")
            self.flag("no_result", "{}–{}".format(*(self.following.points or ("?", "?"))))
            return False
        self._close(told.winner, *plan)
        return True

    def _wins(self, cell: Cell, number: int) -> None:
        if len(self.state.games) > number:
            self._compare_result(cell)
        elif self.state.status is Status.PLAYING:
            self._close_as_told(cell, cell.side)

    def _compare_result(self, cell: Cell) -> None:
        """The game is over on the board: hold the statement against it, and against the next heading."""
        outcome = self.state.games[-1].outcome
        points = self._points(cell)
        same_winner = cell.side in {None, outcome.winner}
        totals = stated_totals(self.score_before, outcome.winner, outcome.points)
        if same_winner and (points is None or points in totals):
            return
        if self.exact:
            raise self.wrong(
                "points_differ",
                "{text!r}, but the game was won by {winner} with {points}",
                text=cell.text,
                winner=self.name(outcome.winner),
                points=outcome.points,
            )
        heading = self._heading_of_the_end()
        if heading is not None and heading == Told(cell.side or outcome.winner, points or 0):
            self._overrule(heading, outcome.points)
        else:
            self._doubt(cell, same_winner=same_winner, kept=f"{self.name(outcome.winner)} {outcome.points}")

    def _heading_of_the_end(self) -> Told | None:
        """As :meth:`_told_by_heading`, when the game's points are counted already."""
        before = self.section.points
        if before is None or self.following is None or self.following.points is None:
            return None
        return self._told_by_heading()

    def _overrule(self, told: Told, worth: int) -> None:
        """The statement and the next heading agree against the board: the last play was recorded wrongly."""
        here, events, lines = self.mark(), self.events[:], self.lines[:]
        flags = len(self.flags)
        self.back_to(self.before_cell)
        plan = worth_of(self.score_before, told, self._cubes())
        try:
            if plan is None:
                raise self.wrong("points", "{points} points cannot be won here", points=told.points)
            self.add(GameRecorded(told.winner, *plan, Ended.RESIGNATION))
        except InvalidNotation:
            self.state, self.events, self.lines, self.resigned = here.state, events, lines, here.resigned
        del self.flags[flags:]
        self.flag("points_differ", f"{worth} / {self.name(told.winner)} {told.points}")

    def _doubt(self, cell: Cell, *, same_winner: bool, kept: str) -> None:
        self.flag("points_differ" if same_winner else "winner_differs", f"{cell.text[:40]} / {kept}")

    def _points(self, cell: Cell) -> int | None:
        found = _POINTS.match(cell.text)
        return number_in(found["points"], cell.line) if found and len(found["points"]) <= 5 else None

    def _close_as_told(self, cell: Cell, side: Side | None) -> None:
        """The game is not over on the board: its loser passed or resigned, and the cell says with what."""
        heading = self._told_by_heading()
        winner = self._winner(cell, side, heading)
        if winner is None:
            self.flag("no_result", cell.text[:60])
            return
        points = self._points(cell)
        plan = self._plan(Told(winner, points)) if points else None
        if plan is None and self.exact:
            raise self.wrong(
                "points",
                "{points} points cannot be won with the cube at {cube}",
                points=points,
                cube=self.state.game.cube.value,
            )
        if plan is None and self._is_given_up(cell, winner, points):
            self.add(MatchEnded(EndReason.RETIRED, winner))
            self.flag("conceded", self.name(winner))
            return
        if plan is None:
            told = heading is not None and heading.winner is winner
            plan = (self._plan(heading) if heading and told else None) or self._least(cell, winner, points)
            self._doubt(cell, same_winner=True, kept=f"{self.name(winner)} {plan[0] * plan[1]}")
        try:
            self._close(winner, *plan)
        except InvalidNotation as error:
            self.problem = self.problem or error
            self.flag("no_result", cell.text[:60])

    def _winner(self, cell: Cell, side: Side | None, heading: Told | None) -> Side | None:
        """Who won: the cell's side, unless they gave up; told by what else there is where it has none."""
        if side is not None and self.resigned is not side:
            return side
        if side is None:
            if heading is not None:
                return heading.winner
            loser = self.resigned or (self.loser.side if self.loser else None)
            if loser is not None:
                return loser.other
            return self.state.game.on_roll if self.state.game.phase is Phase.OFFERED else None
        if self.exact:
            raise self.wrong("resigned", "{name} resigned and cannot win", name=self.name(side))
        winner = heading.winner if heading is not None else side.other
        if winner is not side:
            self._doubt(cell, same_winner=False, kept=self.name(winner))
        return winner

    def _plan(self, told: Told) -> tuple[Win, int] | None:
        """The level and the cube that make the points told in the game as it stands."""
        game = self.state.game
        if self.broken or game.phase is Phase.OPENING:
            return worth_of(self.state.score, told, self._cubes())
        cube = game.cube.value
        if game.phase is Phase.OFFERED:
            if game.on_roll is told.winner and told.points in stated_totals(
                self.state.score, told.winner, cube
            ):
                return Win.SINGLE, cube
            return worth_of(self.state.score, told, [cube * 2])
        level = level_of(self.state.score, told, cube)
        return (level, cube) if level is not None and game.counted(level) is level else None

    def _cubes(self) -> list[int]:
        """What the cube may have shown at the end: as it was seen last, or turned further."""
        game = self.state.game
        fixed = game.terms.crawford or not game.terms.options.cube
        return cubes_from(max(self.cube_seen, game.cube.value), fixed=fixed)

    def _least(self, cell: Cell, winner: Side, points: int | None) -> tuple[Win, int]:
        """The least that the game can have been worth when its stated points cannot be right."""
        score, cube = self.state.score, self._cubes()[0]
        decides = not score.is_money and (
            _MATCH.search(cell.text) is not None or (points or 0) >= score.away(winner)
        )
        return (decides and deciding_level(score, winner, cube)) or Win.SINGLE, cube

    def _is_given_up(self, cell: Cell, winner: Side, points: int | None) -> bool:
        """Whether the match was given to a player who cannot have won it by this game."""
        score = self.state.score
        if score.is_money or deciding_level(score, winner, self._cubes()[0]) is not None:
            return False
        return points in {score.away(winner), score.length} or _MATCH.search(cell.text) is not None

    def _close(self, winner: Side, win: Win, cube: int) -> None:
        game = self.state.game
        if self.broken or cube != game.cube.value or game.phase not in {*BETWEEN_MOVES, Phase.OFFERED}:
            self.add(GameRecorded(winner, win, cube, Ended.RESIGNATION))
        elif game.phase is Phase.OFFERED and game.on_roll is winner and win is Win.SINGLE:
            self.add(Passed())
        elif game.phase is Phase.OFFERED:
            self.add(GameRecorded(winner, win, cube, Ended.RESIGNATION))
        else:
            self.add(Resigned(winner.other, win))
            self.add(Accepted())
