"""Writing ``.mat``: see :mod:`scoring.notation.mat`."""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.notation.plays import format_moves
from scoring.notation.remarks import NOT_PLAYED, remark
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
    Resigned,
    Rolled,
    Taken,
)
from scoring.rules.guards import GAME_KINDS
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


def write(
    players: tuple[str, str], events: Sequence[Event], tags: Mapping[str, str], *, complete: bool
) -> str:
    """See :func:`scoring.notation.mat.write_mat`."""
    for name in players:
        if not name.strip() or " : " in name or not name.isprintable():
            raise InvalidValue("player_name", "{name!r} cannot be written to a .mat file", name=name)
    if not events or not isinstance(events[0], MatchStarted):
        raise InvalidValue("no_start", "a record begins with the start of the match")
    writer = _Writer(players, begin(events[0]), complete=complete)
    for event in events[1:]:
        writer.add(event)
    head = [f'; [{key} "{value}"]' for key, value in {**tags, **_option_tags(events[0])}.items()]
    if complete:
        head.append(remark(events[0], rolled=False))
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


def _has_words(event: Event) -> bool:
    """Whether the format can say this event by itself."""
    if isinstance(event, OpeningRolled):
        return event.white != event.black
    if isinstance(event, Rolled):
        return event.void is None
    if isinstance(event, Played):
        return event.status is PlayStatus.LEGAL
    if isinstance(event, Doubled):
        return event.status is DoubleStatus.OK
    return type(event) in _WORDS


class _Writer:
    def __init__(self, players: tuple[str, str], state: MatchState, *, complete: bool) -> None:
        self.players = players
        self.state = state
        self.complete = complete
        self.games: list[list[str]] = []
        self.rows: list[list[str] | str] = []
        self.is_open = False
        self.resigned: Resigned | None = None
        self._open_game()

    def _open_game(self) -> None:
        if self.is_open:
            return
        score = self.state.score
        left = f"{self.players[0]} : {score.white}"
        heading = f" Game {len(self.games) + 1}", f" {left:<{_LEFT_NAME}} {self.players[1]} : {score.black}"
        self.games.append(list(heading))
        self.rows, self.is_open = [], True

    def add(self, event: Event) -> None:
        """Write ``event`` and let it happen."""
        before = self.state
        if event.kind in GAME_KINDS:
            self._open_game()
        self._tell_what_is_not_said(event)
        self._write(event)
        self.state = apply(before, event)
        if len(self.state.games) > len(before.games):
            self._result()

    def finish(self) -> list[str]:
        """All lines."""
        self._tell_resignation()
        self._close_game()
        if self.complete and self.state.game.roll is not None:
            self.games[-1].append(NOT_PLAYED)
        if len(self.games[-1]) == 2 and len(self.games) > 1:
            self.games.pop()  # the game that was to come next
        return [line for game in self.games for line in (*game, "")][:-1]

    def _tell_what_is_not_said(self, event: Event) -> None:
        """In a complete record: a remark, unless the words of the format say this event."""
        if not self.complete or _has_words(event):
            return
        if isinstance(event, Resigned):
            self.resigned = event
        elif isinstance(event, Accepted) and self.resigned and self._is_read_alike(self.resigned.by):
            self.resigned = None
        else:
            self._tell_resignation()
            self._remark(event)

    def _tell_resignation(self) -> None:
        """The resignation that waits, as a remark: its answer does not follow at once."""
        if self.resigned is not None:
            self._remark(self.resigned)
            self.resigned = None

    def _is_read_alike(self, loser: Side) -> bool:
        """Whether a result alone is read as this resignation: with dice on the board only by their player."""
        return self.state.game.roll is None or self.state.game.player is loser

    def _remark(self, event: Event) -> None:
        rolled = self.state.game.roll is not None
        text = remark(event, rolled=rolled)
        if rolled:
            last = self.rows.pop()
            if isinstance(last, list) and all(last):
                self.rows.append([last[0], ""])
                last = ["", last[1]]
            self.rows += [text, last]
        elif self.is_open:
            self.rows.append(text)
        else:
            self.games[-1].append(text)

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
        elif isinstance(event, Accepted | GameRecorded) and game.roll is not None:
            self._given_up(event)

    def _given_up(self, event: Accepted | GameRecorded) -> None:
        """The roll is not played: its player resigned, or in a record of words alone it is left out."""
        game = self.state.game
        loser = event.winner.other if isinstance(event, GameRecorded) else None
        if game.resignation is not None:
            loser = game.resignation.by
        if loser is game.player:
            self._append(game.player, "????")
        elif not self.complete:
            last = self.rows.pop()
            if isinstance(last, list) and all(last):
                self.rows.append([last[0], ""])

    def _cell(self, side: Side, text: str) -> None:
        last = self.rows[-1] if self.rows else ""
        if side is Side.WHITE:
            self.rows.append([text, ""])
        elif isinstance(last, list) and not last[1]:
            last[1] = text
        else:
            self.rows.append(["", text])

    def _append(self, side: Side, text: str) -> None:
        column = 0 if side is Side.WHITE else 1
        last = self.rows[-1]
        assert isinstance(last, list)  # noqa: S101 - the row of the dice is the last one
        last[column] = f"{last[column]} {text}".rstrip()

    def _result(self) -> None:
        finished = self.state.games[-1]
        points = finished.outcome.points
        text = f"Wins {points} point{'s' if points > 1 else ''}"
        if self.state.score.winner is not None:
            text += " and the match"
        self._close_game()
        indent = 6 if finished.outcome.winner is Side.WHITE else 34
        self.games[-1].append(" " * indent + text)
        self.is_open = False

    def _close_game(self) -> None:
        number = 0
        for row in self.rows:
            if isinstance(row, str):
                self.games[-1].append(row)
                continue
            number += 1
            self.games[-1].append(f"{number:3d}) {row[0]:<{_LEFT_CELL}} {row[1]}".rstrip())
        self.rows = []
