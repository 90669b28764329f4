"""Identity of matches in files: players and plays.

The digest leaves out what formats tell differently: the order of a play's moves, joined steps, which die
went first when nothing was hit, the rolls of a closed-out player, spelling of names, headings, options,
dates, and who sits in which column.
"""

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

from scoring.notation.record import MatchRecord
from scoring.rules.events import (
    Accepted,
    Event,
    GameRecorded,
    MatchEnded,
    MatchStarted,
    NotRolled,
    OpeningRolled,
    Played,
    PositionSet,
    Resigned,
    Rolled,
    Ruled,
    ScoreRecorded,
    Voided,
)
from scoring.rules.plays import Move
from scoring.rules.position import BAR, OFF, STARTING_POSITION, Position
from scoring.rules.sides import Side

_SILENT = (MatchStarted, Ruled, Voided)
"""Events that are told by what follows, or are words."""


def match_digest(record: MatchRecord) -> str:
    """SHA-256 in 64 hexadecimal characters of the players and plays, the same for either order of columns."""
    return match_digest_of(record.players, record.length, record.events)


def match_digest_of(players: tuple[str, str], length: int, events: Iterable[Event]) -> str:
    """The digest of a match that did not come from a file, e.g. one entered at the board."""
    names = {Side.WHITE: _folded(players[0]), Side.BLACK: _folded(players[1])}
    told = tuple(_actions(events))
    return min(_hashed(names, length, told, first=side) for side in Side)


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _hashed(names: dict[Side, str], length: int, told: tuple[tuple[Any, ...], ...], *, first: Side) -> str:
    seats = {first: 0, first.other: 1}
    actions = [[_seated(item, seats) for item in action] for action in told]
    document = [[names[first], names[first.other]], length, actions]
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def _seated(item: Any, seats: dict[Side, int]) -> Any:
    """A player by their own seat; per-player values in seat order."""
    if isinstance(item, Side):
        return seats[item]
    return [item[side] for side in sorted(item, key=seats.__getitem__)] if isinstance(item, dict) else item


def _actions(events: Iterable[Event]) -> Iterator[tuple[Any, ...]]:
    """Every action in one spelling; a `Side` in it stands for a player, a dictionary for what each has."""
    board = _Board()
    for event in events:
        if isinstance(event, _SILENT) or _is_no_roll(event):
            continue
        if isinstance(event, OpeningRolled):
            board = _Board()
            board.on_roll = Side.WHITE if event.white > event.black else Side.BLACK
            board.roll = (max(event.white, event.black), min(event.white, event.black))
        elif isinstance(event, Rolled):
            board.roll = (event.dice.high, event.dice.low)
        elif isinstance(event, NotRolled):
            board.on_roll = board.on_roll.other
        elif isinstance(event, Played):
            mover, roll, shut = board.on_roll, board.roll, board.is_closed_out
            board.play(event)
            # Some files write a closed-out player's roll, others leave the turn out.
            if not shut:
                yield "play", mover, roll, *board.told(mover)
        else:
            if board.roll is not None:
                yield "roll", board.on_roll, board.roll
                board.roll = None
            yield _other(event, board)


def _is_no_roll(event: Event) -> bool:
    """Tied opening dice and rolls that did not count."""
    tied = isinstance(event, OpeningRolled) and event.white == event.black
    return tied or (isinstance(event, Rolled) and event.void is not None)


def _other(event: Event, board: "_Board") -> tuple[Any, ...]:
    if isinstance(event, PositionSet):
        board.state(event.position)
        board.on_roll = event.on_roll or board.on_roll
        return "position", {side: board.told(side)[0] for side in Side}
    if isinstance(event, Resigned):
        return "resign", event.by, int(event.level)
    if isinstance(event, Accepted):
        return ("accept",)
    if isinstance(event, GameRecorded):
        return "game", event.winner, int(event.win), event.cube
    if isinstance(event, ScoreRecorded):
        return "score", {Side.WHITE: event.white, Side.BLACK: event.black}
    if isinstance(event, MatchEnded):
        return "end", str(event.reason), event.winner
    return (event.kind,)


class _Board:
    """Both sides' checkers, each in their own numbering, moved without checks."""

    def __init__(self) -> None:
        self.on_roll = Side.WHITE
        self.roll: tuple[int, int] | None = None
        self.state(STARTING_POSITION)

    def state(self, position: Position) -> None:
        self.counts = {Side.WHITE: list(position.own), Side.BLACK: list(position.opponent)}

    def play(self, event: Played) -> None:
        side = self.on_roll
        if event.result is not None:
            self.counts = {side: list(event.result.own), side.other: list(event.result.opponent)}
        else:
            for move in event.moves:
                self._move(side, move)
        self.on_roll, self.roll = side.other, None

    @property
    def is_closed_out(self) -> bool:
        """Whether the player on roll is on the bar against six made points."""
        other = self.counts[self.on_roll.other]
        return self.counts[self.on_roll][BAR] > 0 and all(other[point] > 1 for point in range(1, 7))

    def told(self, side: Side) -> tuple[str, str]:
        own, other = (",".join(map(str, self.counts[seat])) for seat in (side, side.other))
        return own, other

    def _move(self, side: Side, move: Move) -> None:
        own, other = self.counts[side], self.counts[side.other]
        own[move.source] -= 1
        own[move.target] += 1
        if move.target != OFF and other[25 - move.target] == 1:
            other[25 - move.target] -= 1
            other[BAR] += 1
