"""One reading of a ``.mat`` file: its games replayed in order, each closed by what the file says of its end.

Where a game cannot be played on, the rest of it is kept by its result alone, which is flagged; where nothing
tells its result, the record stops.  A record of our own that tells all its events is held to every word.
"""

from scoring.notation.mat_cells import CellKind, WrittenCell
from scoring.notation.mat_endings import PLACE, Endings
from scoring.notation.mat_layout import MatFile, misplaced
from scoring.notation.mat_results import HIGHEST_CUBE
from scoring.notation.record import MatchRecord, bounded
from scoring.notation.remarks import Remark
from scoring.rules.endings import Ending
from scoring.rules.errors import InvalidNotation
from scoring.rules.events import MatchEnded, MatchStarted, Played
from scoring.rules.match_state import Status
from scoring.rules.options import RuleOptions


class Replay(Endings):
    """Turns the sections of a file into events under one set of options."""

    def __init__(self, file: MatFile, options: RuleOptions, length: int) -> None:
        super().__init__(file)
        self.options = options
        self.length = length

    def run(self) -> MatchRecord:
        """The record.  Raises :class:`InvalidNotation` where no match can be told."""
        self._begin()
        sections = self.file.sections
        for number in range(len(sections)):
            self.open(number)
            if self.state.status is Status.OVER and not self.exact:
                self.flag("after_match", str(len(sections) - number))
                break
            if not self._game():
                break
        self._finish()
        return MatchRecord(
            players=self.file.players,
            length=self.length,
            events=tuple(self.events),
            lines=tuple(self.lines),
            state=self.state,
            flags=bounded(self.flags),
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
            raise self.wrong("remark", "there is no roll to play here")
        told = self.state.games or any(isinstance(event, Played) for event in self.events)
        if not told and self.state.outcome is None and not self.exact:
            self._refuse_what_tells_nothing()
        untouched = self.state.status is Status.PLAYING and self.state.game.is_untouched
        if not self.length and not self.exact and untouched and self.state.games:
            self.add(MatchEnded(Ending.AGREED))
        if self.state.status is not Status.OVER:
            self.flag("unfinished", str(self.state.score))

    def _refuse_what_tells_nothing(self) -> None:
        if self.problem is not None:
            raise self.problem
        codes = {"line_skipped", "no_result"}
        skipped = next((flag for flag in self.flags if flag.code in codes), None)
        if skipped is not None and skipped.code == "no_result":
            raise InvalidNotation(
                "no_game", "line {line}: there is no play or result above it", line=skipped.line
            )
        if skipped is not None:
            raise InvalidNotation(
                "row", "line {line}: {text!r} is not a row of a game", line=skipped.line, text=skipped.detail
            )

    def _game(self) -> bool:
        """Read one game; False if the record stops in it."""
        self._compare_heading()
        self.score_before = self.state.score
        self.games_before = len(self.state.games)
        self.before_game = self.mark()
        for index, cell in enumerate(self.section.cells):
            self.line = cell.line
            if isinstance(cell, WrittenCell):
                self.turn = cell.turn or self.turn
                self._cell(cell, self.section.cells[index + 1 :])
            else:
                self._remark(cell)
        if self.has_ended() or self.state.status is not Status.PLAYING:
            return True
        return self.end_without_result()

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
                "the score is {white}-{black} here, but the previous games give {score}",
                white=self.section.points[0],
                black=self.section.points[1],
                score=str(score),
            )
        if offset != self.offset and any(offset):
            self.flag("score_differs", "{}–{} / {}–{}".format(*self.section.points, score.white, score.black))
        self.offset = offset

    def _cell(self, cell: WrittenCell, rest: list[WrittenCell | Remark]) -> None:
        if cell.kind is CellKind.WINS:
            self.wins(cell)
        elif cell.kind is CellKind.LOSES:
            self.loser = cell
        elif self.has_ended() or self.state.status is Status.OVER:
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

    def _after_the_end(self, cell: WrittenCell) -> None:
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
        self.plays_hidden = error.code == "not_recorded"
        self.after_roll = []
        self.cube_seen = self.state.game.cube.value
        self.flag("rest_unread", PLACE.sub("", str(error)))

    def _skim(self, cell: WrittenCell) -> None:
        """Follow no more than the cube, and who gave up."""
        if cell.kind in {CellKind.ROLL, CellKind.DOUBLE}:
            self.resigned = None
        if cell.kind is CellKind.DOUBLE:
            self.offered = self.cube_seen * 2
        elif cell.kind in {CellKind.TAKE, CellKind.BEAVER, CellKind.RACCOON} and self.offered:
            self.cube_seen = min(self.offered * (1 if cell.kind is CellKind.TAKE else 2), HIGHEST_CUBE)
            self.offered = 0
        elif cell.kind in {CellKind.PASS, CellKind.RESIGN} or (
            cell.text.endswith("???") and not self.plays_hidden
        ):
            self.resigned = cell.side
