"""How the games of a ``.mat`` file ended: what cells, headings and the board say, turned into events.

The heading of the next game is the score that this game led to; the cell with the result names its winner by
its column alone.
"""

import re

from scoring.notation.mat_cells import WrittenCell
from scoring.notation.mat_layout import MatFile, number_in
from scoring.notation.mat_results import (
    StatedResult,
    cubes_from,
    deciding_level,
    level_of,
    stated_totals,
    worth_of,
)
from scoring.notation.mat_turns import Bookmark, Turns
from scoring.notation.remarks import Remark
from scoring.rules.endings import Ending, GameEnd
from scoring.rules.errors import InvalidNotation
from scoring.rules.events import Accepted, GameRecorded, MatchEnded, Passed, Resigned
from scoring.rules.game import BETWEEN_MOVES, Phase, Resignation
from scoring.rules.match import MatchScore, Win
from scoring.rules.match_state import Status
from scoring.rules.sides import Side

PLACE = re.compile(r"^line \d+: ")
_POINTS = re.compile(r"\w+\s+(?P<points>\d+)")
_MATCH = re.compile(r"\bmatch\b", re.IGNORECASE)


class Endings(Turns):
    """A reading that can close the game it is in.

    ``exact`` is a record of our own that tells all its events: it is held to every word.
    """

    def __init__(self, file: MatFile) -> None:
        super().__init__(file)
        told = any(isinstance(cell, Remark) for section in file.sections for cell in section.cells)
        self.exact = told or file.start is not None
        self.problem: InvalidNotation | None = None
        """The first thing that could not be read."""
        self.offset = (0, 0)
        """How far the headings are ahead of the games' points."""
        self.score_before: MatchScore
        self.before_game: Bookmark
        self.games_before = 0
        """Of the game that is read."""
        self.before_cell: Bookmark
        """Before the last cell that was read."""
        self.open(0)

    def open(self, number: int) -> None:
        """Turn to a section, nothing of it being read."""
        section, *following = self.file.sections[number : number + 2]
        self.section = section
        self.game_number = number + 1
        self.following = following[0] if following else None
        self.line, self.turn = section.line, 0
        self.resigned = None
        self.broken = False
        self.plays_hidden = False
        """Whether plays are left out with which the game went on: a hidden play is then no resignation."""
        self.cube_seen = 1
        self.offered = 0
        self.loser: WrittenCell | None = None
        self.told_of_rest = False

    def _told_by_heading(self) -> StatedResult | None:
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
        return StatedResult(Side.WHITE if won[0] else Side.BLACK, max(won))

    def end_without_result(self) -> bool:
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
                raise self.wrong(
                    "no_result", "the previous game has no result, and the score does not show it"
                )
            self.flag("no_result", "{}–{}".format(*(self.following.points or ("?", "?"))))
            return self._is_left_out()
        try:
            self._close(told.winner, *plan)
        except InvalidNotation as error:
            if self.exact:
                raise
            self.problem = self.problem or error
            self.flag("no_result", PLACE.sub("", str(error)))
            return False
        return True

    def has_ended(self) -> bool:
        """Whether the game that is read is over."""
        return len(self.state.games) > self.games_before

    def _is_left_out(self) -> bool:
        """Take a game back that did not count: the next heading has the score that this one had."""
        if self.following is None or self.section.points is None:
            return False
        later = any(section.cells for section in self.file.sections[self.game_number :])
        if self.following.points != self.section.points or not later:
            return False
        flags = self.flags[:]
        self.back_to(self.before_game)
        self.flags = flags
        return True

    def wins(self, cell: WrittenCell) -> None:
        if self.has_ended():
            self._compare_result(cell)
        elif self.state.status is Status.PLAYING:
            self._close_as_told(cell, cell.side)

    def _compare_result(self, cell: WrittenCell) -> None:
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
        if heading is not None and heading == StatedResult(cell.side or outcome.winner, points or 0):
            self._overrule(heading, outcome.points)
        else:
            self._doubt(cell, same_winner=same_winner, kept=f"{self.name(outcome.winner)} {outcome.points}")

    def _heading_of_the_end(self) -> StatedResult | None:
        """As :meth:`_told_by_heading`, when the game's points are counted already."""
        before = self.section.points
        if before is None or self.following is None or self.following.points is None:
            return None
        return self._told_by_heading()

    def _overrule(self, told: StatedResult, worth: int) -> None:
        """The statement and the next heading agree against the board: the last play was recorded wrongly."""
        here, events, lines = self.mark(), self.events[:], self.lines[:]
        flags = len(self.flags)
        self.back_to(self.before_cell)
        plan = worth_of(self.score_before, told, self._cubes())
        try:
            if plan is None:
                raise self.wrong("points", "{points} points cannot be won here", points=told.points)
            self.add(GameRecorded(told.winner, *plan, GameEnd.RESIGNATION))
        except InvalidNotation:
            self.state, self.events, self.lines, self.resigned = here.state, events, lines, here.resigned
        del self.flags[flags:]
        self.flag("points_differ", f"{worth} / {self.name(told.winner)} {told.points}")

    def _doubt(self, cell: WrittenCell, *, same_winner: bool, kept: str) -> None:
        self.flag("points_differ" if same_winner else "winner_differs", f"{cell.text[:40]} / {kept}")

    def _points(self, cell: WrittenCell) -> int | None:
        found = _POINTS.match(cell.text)
        return number_in(found["points"], cell.line) if found and len(found["points"]) <= 5 else None

    def _close_as_told(self, cell: WrittenCell, side: Side | None) -> None:
        """The game is not over on the board: its loser passed or resigned, and the cell says with what."""
        if self.state.game.resignation is not None:
            self._accept(cell, side, self.state.game.resignation)
            return
        heading = self._told_by_heading()
        winner = self._winner(cell, side, heading)
        if winner is None:
            self.flag("no_result", cell.text[:60])
            return
        points = self._points(cell)
        plan = self._plan(StatedResult(winner, points)) if points else None
        if plan is None and self.exact:
            raise self.wrong(
                "points",
                "{points} points cannot be won with the cube at {cube}",
                points=points,
                cube=self.state.game.cube.value,
            )
        if plan is None and self._is_given_up(cell, winner, points):
            self.add(MatchEnded(Ending.RETIRED, winner))
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

    def _accept(self, cell: WrittenCell, side: Side | None, offer: Resignation) -> None:
        """The result answers the resignation in a record of ours: it cannot say anything else."""
        winner, score = offer.by.other, self.state.score
        if side is not winner:
            raise self.wrong("resigned", "{name} resigned and cannot win", name=self.name(offer.by))
        worth = self.state.game.cube.value * offer.level
        if self._points(cell) not in stated_totals(score, winner, worth):
            raise self.wrong(
                "points_differ",
                "{text!r}, but {name} resigned {points} points",
                text=cell.text,
                name=self.name(offer.by),
                points=worth,
            )
        self.add(Accepted())

    def _winner(self, cell: WrittenCell, side: Side | None, heading: StatedResult | None) -> Side | None:
        """Who won: the cell's side, unless they gave up; told by what else there is where it has none."""
        if side is not None and self.resigned is not side:
            return self._winner_by_column(cell, side, heading)
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

    def _winner_by_column(self, cell: WrittenCell, side: Side, heading: StatedResult | None) -> Side:
        """The cell's side; the other where the next heading alone tells these points, and tells them so."""
        if self.exact or heading is None or heading.winner is side:
            return side
        is_told = self.resigned or self.loser or self.state.game.phase is Phase.OFFERED
        if is_told or heading.points != self._points(cell):
            return side
        self._doubt(cell, same_winner=False, kept=self.name(heading.winner))
        return heading.winner

    def _plan(self, told: StatedResult) -> tuple[Win, int] | None:
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
        return cubes_from(self.state.score, max(self.cube_seen, game.cube.value), fixed=fixed)

    def _least(self, cell: WrittenCell, winner: Side, points: int | None) -> tuple[Win, int]:
        """The least that the game can have been worth when its stated points cannot be right."""
        score, cube = self.state.score, self._cubes()[0]
        decides = not score.is_money and (
            _MATCH.search(cell.text) is not None or (points or 0) >= score.away(winner)
        )
        return (decides and deciding_level(score, winner, cube)) or Win.SINGLE, cube

    def _is_given_up(self, cell: WrittenCell, winner: Side, points: int | None) -> bool:
        """Whether the match was given to a player who cannot have won it by this game."""
        score = self.state.score
        if score.is_money or deciding_level(score, winner, self._cubes()[0]) is not None:
            return False
        return points in {score.away(winner), score.length} or _MATCH.search(cell.text) is not None

    def _close(self, winner: Side, win: Win, cube: int) -> None:
        game = self.state.game
        if self.broken or cube != game.cube.value or game.phase not in {*BETWEEN_MOVES, Phase.OFFERED}:
            self.add(GameRecorded(winner, win, cube, GameEnd.RESIGNATION))
        elif game.phase is Phase.OFFERED and game.on_roll is winner and win is Win.SINGLE:
            self.add(Passed())
        elif game.phase is Phase.OFFERED:
            self.add(GameRecorded(winner, win, cube, GameEnd.RESIGNATION))
        else:
            self.add(Resigned(winner.other, win))
            self.add(Accepted())
