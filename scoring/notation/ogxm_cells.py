"""An OGXM document as `.mat` text, one cell a line, so that our own parser replays it.

OGXM counts points as White's opponent does: White moves from 1 to 24 with its bar at 0, Black from 24 to 1
with its bar at 25. A play that no roll can make is written there as the position that it led to; here it
becomes the moves between the two positions again.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from scoring.rules.errors import InvalidNotation
from scoring.rules.position import BAR, OFF, STARTING_POSITION
from scoring.rules.sides import Side

_LAST_ROLL, _DOUBLE, _TAKE, _PASS = 20, 21, 22, 23
_ENDS = range(24, 31)
_RESIGNED = (27, 28)
_POSITION, _BEAVER, _RACCOON = 31, 32, 33
_RIGHT_COLUMN = 40
_ANSWERS = {_TAKE: "Takes", _PASS: "Drops", _BEAVER: "Beavers", _RACCOON: "Raccoons"}
_CUBE_FACTOR = {_DOUBLE: 2, _BEAVER: 2, _RACCOON: 2}
_WINNERS = {0: Side.WHITE, 1: Side.BLACK}


@dataclass(frozen=True, slots=True)
class MatText:
    """The text, what it leaves out, and which action each of its lines is.

    ``plies`` has the ply of the document that a line tells, None for headings and results.
    """

    data: bytes
    players: tuple[str, str]
    tags: tuple[tuple[str, str], ...]
    first_line: int
    places: tuple[str, ...]
    plies: tuple[Mapping[str, Any] | None, ...]

    def action(self, line: int) -> int:
        """The number of the action on this line of the text, from 1; the head of the text is action 1."""
        return max(1, line - self.first_line + 1)

    def place(self, line: int | None) -> str:
        """This line of the text in the words of the file: its game and action."""
        if line is None or not 0 <= line - self.first_line < len(self.places):
            return "head of the match"
        return self.places[line - self.first_line]

    def ply(self, action: int) -> Mapping[str, Any] | None:
        """The ply that the action of this number tells."""
        return self.plies[action - 1] if 0 < action <= len(self.plies) else None


@dataclass(slots=True)
class _Board:
    """Both sides' checkers, each in their own numbering, after the plays so far."""

    counts: dict[Side, list[int]] = field(
        default_factory=lambda: {
            Side.WHITE: list(STARTING_POSITION.own),
            Side.BLACK: list(STARTING_POSITION.opponent),
        }
    )

    def move(self, side: Side, source: int, target: int) -> None:
        own, other = self.counts[side], self.counts[side.other]
        if not 1 <= source <= BAR or own[source] < 1:
            raise InvalidNotation(
                "no_checker", "{side} has no checker on {source}", side=str(side), source=source
            )
        own[source] -= 1
        own[target] += 1
        if target != OFF and other[25 - target] == 1:
            other[25 - target] = 0
            other[BAR] += 1


def mat_text(document: Mapping[str, Any]) -> MatText:
    """The match of a valid OGXM document. Raises InvalidNotation for what `.mat` cannot say."""
    length = int(document.get("match_length") or 0)
    if int(document.get("variant") or 0):
        raise InvalidNotation("variant", "only backgammon matches can be read: this is another game")
    head = [f'; [{key} "{value}"]' for key, value in _rules(document)]
    head.append(f" {length} point match")
    rows: list[tuple[str, str, Mapping[str, Any] | None]] = []
    score = _start(document)
    for number, game in enumerate(document["games"], start=1):
        named = f"game {number}"
        rows.append((f" Game {number}", named, None))
        rows.append((f" White : {score[Side.WHITE]}          Black : {score[Side.BLACK]}", named, None))
        for action, (side, cell, ply) in enumerate(_cells(game, number), start=1):
            rows.append((_row(action, side, cell), f"{named}, action {action}", ply))
        winner = _WINNERS.get(game.get("winner", -1))
        if winner is not None:
            score[winner] += int(game.get("points_won") or 0)
    text = "\n".join([*head, *(row for row, _, _ in rows)]) + "\n"
    return MatText(
        data=text.encode(),
        players=(str(document.get("player_white") or "White"), str(document.get("player_black") or "Black")),
        tags=(*_facts(document), *_rules(document)),
        first_line=len(head) + 1,
        places=tuple(place for _, place, _ in rows),
        plies=tuple(ply for _, _, ply in rows),
    )


def _rules(document: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the document says of the options, as the tags that our parser knows."""
    tags = [
        (tag, "On" if document[key] else "Off")
        for tag, key in (("Crawford", "crawford"), ("Jacoby", "jacoby"), ("Beaver", "beaver"))
        if document.get(key) is not None
    ]
    limit = int(document.get("cube_limit") or 0)
    return [*tags, ("CubeLimit", str(limit))] if limit > 0 else tags


def _facts(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for tag, key in (("Event", "event"), ("Site", "site")):
        if document.get(key):
            yield tag, str(document[key])
    seconds = int(document.get("timestamp") or 0)
    if 0 < seconds < 1 << 40:
        yield "EventDate", datetime.fromtimestamp(seconds, UTC).strftime("%Y.%m.%d")


def _start(document: Mapping[str, Any]) -> dict[Side, int]:
    start = document.get("score_start")
    if not start:
        return {Side.WHITE: 0, Side.BLACK: 0}
    values = (start.get("white"), start.get("black")) if isinstance(start, Mapping) else tuple(start)
    return dict(zip(Side, (int(value or 0) for value in values), strict=True))


def _row(number: int, side: Side, cell: str) -> str:
    row = f"{number:3d}) "
    return row + cell if side is Side.WHITE else row.ljust(_RIGHT_COLUMN) + cell


def _cells(game: Mapping[str, Any], number: int) -> Iterator[tuple[Side, str, Mapping[str, Any] | None]]:
    """What each player wrote in their own column, in order of play, and the ply that says so."""
    if game.get("auto_doubles") or int(game.get("initial_cube_value") or 1) != 1:
        raise InvalidNotation("cube", "game {game} starts with a turned cube", game=number)
    board, cube, resigned = _Board(), 1, False
    for action, ply in enumerate(game.get("plies") or (), start=1):
        kind, side = ply.get("action_id"), Side.WHITE if ply.get("color") else Side.BLACK
        if kind in _ENDS:
            resigned = resigned or kind in _RESIGNED
        elif kind == _DOUBLE:
            yield side, f" Doubles => {cube * 2}", ply
        elif kind in _ANSWERS:
            yield side, f" {_ANSWERS[kind]}", ply
        elif kind == _POSITION or (type(kind) is int and 0 <= kind <= _LAST_ROLL):
            yield side, _roll(board, side, ply, where=f"game {number}, action {action}"), ply
        else:
            raise InvalidNotation(
                "action",
                "game {game}, action {action}: unknown kind {kind}",
                game=number,
                action=action,
                kind=kind,
            )
        cube *= _CUBE_FACTOR.get(kind, 1)
    winner, points = _WINNERS.get(game.get("winner", -1)), int(game.get("points_won") or 0)
    if winner is not None and points:
        if resigned:
            yield winner.other, " Resigns", None
        yield winner, f" Wins {points} point{'s' if points > 1 else ''}", None


def _roll(board: _Board, side: Side, ply: Mapping[str, Any], *, where: str) -> str:
    dice = (ply.get("d1"), ply.get("d2"))
    if not all(type(die) is int and 1 <= die <= 6 for die in dice):
        raise InvalidNotation("dice", "{where}: {dice} is not a roll", where=where, dice=dice)
    try:
        moves = (
            _restated(board, side, ply) if ply.get("set_position") else moves_of(side, ply.get("moves") or ())
        )
        for source, target in moves:
            board.move(side, source, target)
    except InvalidNotation as error:
        raise InvalidNotation(error.code, "{where}: {reason}", where=where, reason=str(error)) from error
    return f"{dice[0]}{dice[1]}: " + " ".join(f"{source}/{target}" for source, target in moves)


def moves_of(side: Side, told: Iterable[Mapping[str, Any]]) -> list[tuple[int, int]]:
    """Moves of the document as points of the mover: from and to."""
    moves = []
    for move in told:
        source = 25 - int(move["from"]) if side is Side.WHITE else int(move["from"])
        moves.append((source, max(OFF, source - int(move["pips"]))))
    return moves


def _restated(board: _Board, side: Side, ply: Mapping[str, Any]) -> list[tuple[int, int]]:
    """The moves from the board to a stated position, rearmost checkers first."""
    stated = [int(count) for count in ply["set_position"]]
    if len(stated) != BAR + 1:
        raise InvalidNotation("position", "a position has 26 places, not {places}", places=len(stated))
    if side is Side.WHITE:
        after = [0, *(max(0, stated[25 - slot]) for slot in range(1, BAR + 1))]
    else:
        after = [0, *(max(0, -stated[slot]) for slot in range(1, BAR + 1))]
    before = board.counts[side]
    sources = [slot for slot in range(BAR, 0, -1) for _ in range(before[slot] - after[slot])]
    targets = [slot for slot in range(BAR, 0, -1) for _ in range(after[slot] - before[slot])]
    if len(targets) > len(sources):
        raise InvalidNotation(
            "checkers_came_back", "{side} has more checkers than before the turn", side=str(side)
        )
    targets += [OFF] * (len(sources) - len(targets))
    return list(zip(sources, targets, strict=True))
