"""Writing OGXM: the open match format of gammonview, as JSON, through its own `gvformat`.

The match is written as `.mat` first, which `gvformat` converts. It loses moves of some plays on the way
(joined moves that hit, plays from the bar), and matches of players with certain names: the moves are told
from the sheet, die by die, and the names afterwards. Not every sheet can be told so: a game of which only
the result is recorded has no plays to show.

Points count as White's opponent does: White moves from 1 to 24 with its bar at 0, Black from 24 to 1 with its
bar at 25. A move is its point and its pips.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gvformat import to_ogxm_json
from gvformat.mat import mat_to_data
from gvformat.mat_parser import parse_mat_file

from scoring.notation.mat import write_mat
from scoring.notation.plays import parse_moves
from scoring.notation.transcript import Step, transcript
from scoring.rules.dice import Roll
from scoring.rules.errors import InvalidValue
from scoring.rules.events import Doubled, DoubleStatus, Event, Passed, Played, Taken
from scoring.rules.plays import Move, legal_plays, mechanical_result
from scoring.rules.position import BAR, Position
from scoring.rules.sides import Side

# What the converter raises for a record that it does not follow.
_REFUSALS = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, AssertionError)
_SEATS = ("A", "B")
"""Stand for the names on the way: the converter puts the first in the alphabet on the white side."""
_KINDS = {Played: "checker", Doubled: "cube_decision", Taken: "cube_response", Passed: "cube_response"}
_LAST_TURN = 23
"""Of the numbers of actions: rolls, doubles, takes and passes; those above end a game."""

Entry = dict[str, Any]
Telling = Callable[[Step, Entry], None]


def write_ogxm(players: tuple[str, str], events: Sequence[Event], tags: Mapping[str, str]) -> bytes:
    """The match as OGXM in UTF-8 JSON.

    Raises InvalidValue for a match that the format, or `.mat`, cannot tell.
    """
    return json.dumps(ogxm_document(players, events, tags), ensure_ascii=False).encode()


def ogxm_document(
    players: tuple[str, str],
    events: Sequence[Event],
    tags: Mapping[str, str],
    *,
    tell: Telling | None = None,
    finish: Telling | None = None,
    summary: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The match as an OGXM document.

    ``tell`` adds what is known of a turn to its entry, before the converter makes a ply of it, ``finish`` to
    its ply what the converter leaves out; ``summary`` is what it is told of the whole. Raises InvalidValue as
    ``write_ogxm``.
    """
    text = write_mat(_SEATS, events, tags)
    try:
        data = mat_to_data(parse_mat_file(text))
        turns = _turns(data["games"], transcript(enumerate(events)))
        for game in turns:
            for step, entry in game:
                if tell is not None:
                    tell(step, entry)
        data["summary"] |= summary or {}
        document: dict[str, Any] = to_ogxm_json(data)
    except InvalidValue:
        raise
    except _REFUSALS as error:
        raise _refused(str(error)) from error
    document["player_white"], document["player_black"] = players
    for told, game in zip(document["games"], turns, strict=True):
        plies = [ply for ply in told["plies"] if ply["action_id"] <= _LAST_TURN]
        for (step, _entry), ply in zip(game, plies, strict=False):
            if finish is not None:
                finish(step, ply)
            _tell_moves(step, ply)
    return document


def single_moves(before: Position, roll: Roll, moves: Sequence[Move], side: Side) -> list[dict[str, int]]:
    """A play as moves of one die each, in the points of the format; of an illegal one as it was played."""
    result = mechanical_result(before, moves)
    told = next((play.moves for play in legal_plays(before, roll) if play.result == result), tuple(moves))
    return [
        {"from": BAR - source if side is Side.WHITE else source, "pips": source - target}
        for source, target in told
    ]


def _turns(games: Sequence[Mapping[str, Any]], steps: Sequence[Step]) -> list[list[tuple[Step, Entry]]]:
    """The turns of each game with their entries. Raises InvalidValue where they do not fit."""
    by_game: dict[int, list[Step]] = {}
    for step in steps:
        if _is_turn(step):
            by_game.setdefault(step.game, []).append(step)
    found = []
    for game in games:
        number = game["game_number"]
        own, entries = by_game.pop(number, []), game["moves"]
        if len(entries) < len(own):
            raise _refused(f"game {number} has turns that it does not tell")
        pairs = list(zip(own, entries, strict=False))  # a roll that was not played may follow
        for step, entry in pairs:
            seat = _SEATS[0] if step.side is Side.WHITE else _SEATS[1]
            if entry["kind"] != _KINDS[type(step.event)] or entry["player"] != seat:
                raise _refused(f"game {number} is told in another order")
        found.append(pairs)
    if by_game:
        raise _refused(f"game {min(by_game)} is not told")
    return found


def _is_turn(step: Step) -> bool:
    if isinstance(step.event, Doubled):
        return step.event.status is DoubleStatus.OK
    return isinstance(step.event, Played | Taken | Passed)


def _tell_moves(step: Step, ply: Entry) -> None:
    event, side = step.event, step.side
    if not isinstance(event, Played) or side is None or step.roll is None:
        return
    before = step.before.seen_by(side)
    ply["moves"] = single_moves(before, step.roll, event.moves, side)
    for candidate in ply.get("analysis", {}).get("alternatives", ()):
        candidate["move"] = single_moves(before, step.roll, parse_moves(candidate["notation"]), side)


def _refused(reason: str) -> InvalidValue:
    return InvalidValue("not_in_ogxm", "this match cannot be written as OGXM: {reason}", reason=reason)
