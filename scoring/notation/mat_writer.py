"""Writing ``.mat``: see :mod:`scoring.notation.mat`."""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.notation.plays import format_moves
from scoring.rules.dice import Roll
from scoring.rules.errors import InvalidValue
from scoring.rules.events import (
    Accepted,
    Beavered,
    Doubled,
    DoubleStatus,
    Event,
    GameRecorded,
    MatchStarted,
    OpeningRolled,
    Passed,
    Played,
    PlayStatus,
    Raccooned,
    Rolled,
    Taken,
)
from scoring.rules.game import Phase
from scoring.rules.match_state import MatchState
from scoring.rules.sheet import apply, begin
from scoring.rules.sides import Side

_LEFT_CELL = 27
_LEFT_NAME = 31
_WORDS: Mapping[type[Any], str] = {
    Taken: " Takes",
    Passed: " Drops",
    Beavered: " Beavers",
    Raccooned: " Raccoons",
}


def write(players: tuple[str, str], events: Sequence[Event], tags: Mapping[str, str]) -> str:
    """See :func:`scoring.notation.mat.write_mat`."""
    for name in players:
        if not name.strip() or " : " in name or not name.isprintable():
            raise InvalidValue("player_name", "{name!r} cannot stand in a .mat file", name=name)
    if not events or not isinstance(events[0], MatchStarted):
        raise InvalidValue("no_start", "a record begins with the start of the match")
    writer = _Writer(players, begin(events[0]))
    for event in events[1:]:
        writer.add(event)
    head = [f'; [{key} "{value}"]' for key, value in {**tags, **_option_tags(events[0])}.items()]
    return "\n".join([*head, "", f" {events[0].length} point match", "", *writer.finish(), ""])


def _option_tags(start: MatchStarted) -> dict[str, str]:
    """What a reader must know to score the games alike."""
    options = start.options
    if start.length:
        found = {"Crawford": "On" if options.crawford else "Off"}
    else:
        found = {"Jacoby": "On" if options.jacoby else "Off", "Beaver": "On" if options.beavers else "Off"}
    if options.max_cube is not None:
        found["CubeLimit"] = str(options.max_cube)
    return found


class _Writer:
    def __init__(self, players: tuple[str, str], state: MatchState) -> None:
        self.players = players
        self.state = state
        self.games: list[list[str]] = []
        self.rows: list[list[str]] = []
        self._open_game()

    def _open_game(self) -> None:
        score = self.state.score
        left = f"{self.players[0]} : {score.white}"
        heading = f" Game {len(self.games) + 1}", f" {left:<{_LEFT_NAME}} {self.players[1]} : {score.black}"
        self.games.append(list(heading))
        self.rows = []

    def add(self, event: Event) -> None:
        """Write ``event`` and let it happen."""
        before = self.state
        self._write(event)
        self.state = apply(before, event)
        if len(self.state.games) > len(before.games):
            self._result()

    def finish(self) -> list[str]:
        """All lines."""
        self._close_game()
        if len(self.games[-1]) == 2 and len(self.games) > 1:
            self.games.pop()  # the game that was to come next
        return [line for game in self.games for line in (*game, "")][:-1]

    def _write(self, event: Event) -> None:
        game = self.state.game
        if isinstance(event, OpeningRolled) and event.white != event.black:
            side = Side.WHITE if event.white > event.black else Side.BLACK
            self._cell(side, f"{Roll(event.white, event.black)}:")
        elif isinstance(event, Rolled) and event.void is None:
            self._cell(game.player, f"{event.dice}:")
        elif isinstance(event, Played) and event.status is not PlayStatus.ILLEGAL_CORRECTED:
            self._append(game.player, format_moves(game.seen_by(game.player), event.moves))
        elif isinstance(event, Doubled) and event.status is DoubleStatus.OK:
            self._cell(game.player, f" Doubles => {game.cube.value * 2}")
        elif type(event) in _WORDS and game.to_act is not None:
            self._cell(game.to_act, _WORDS[type(event)])
        elif (
            isinstance(event, Accepted | GameRecorded)
            and game.phase is not Phase.OPENING
            and game.roll is not None
        ):
            self._append(game.player, "????")

    def _cell(self, side: Side, text: str) -> None:
        if side is Side.WHITE:
            self.rows.append([text, ""])
        elif self.rows and not self.rows[-1][1]:
            self.rows[-1][1] = text
        else:
            self.rows.append(["", text])

    def _append(self, side: Side, text: str) -> None:
        column = 0 if side is Side.WHITE else 1
        self.rows[-1][column] = f"{self.rows[-1][column]} {text}".rstrip()

    def _result(self) -> None:
        finished = self.state.games[-1]
        points = finished.outcome.points
        text = f"Wins {points} point{'s' if points > 1 else ''}"
        if self.state.score.winner is not None:
            text += " and the match"
        self._close_game()
        indent = 6 if finished.outcome.winner is Side.WHITE else 34
        self.games[-1].append(" " * indent + text)
        self._open_game()

    def _close_game(self) -> None:
        for number, (left, right) in enumerate(self.rows, start=1):
            self.games[-1].append(f"{number:3d}) {left:<{_LEFT_CELL}} {right}".rstrip())
        self.rows = []
