"""Analyses in an OGXM document with a value that cannot be: found by place, so that the match is still read.

Source: gammonview's `gvformat` 3.1, which refuses a whole document for one such value. The names are those of
:mod:`scoring.notation.ogxm_analysis`.
"""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_REQUIRED = frozenset(
    {"equity", "luck", "no_double_equity", "double_take_equity", "double_pass_equity", "from", "pips"}
)
_NUMBERS = _REQUIRED | {
    *("best_equity", "played_equity", "equity_loss", "diff", "ply", "rollout_se", "cubeless_equity"),
    *("win", "gammon_win", "bg_win", "gammon_loss", "bg_loss"),
}
_OBJECTS = frozenset({"eval", "cube_decision", "missed_double"})
_LISTS = frozenset({"alternatives", "move"})
_WORDS = frozenset({"eval_level", "notation"})
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A damaged analysis: the places of its game and ply, from 0, and the value that cannot be."""

    game: int
    ply: int
    reason: str


def without_damaged(document: Mapping[str, Any]) -> tuple[dict[str, Any], list[LeftOut]]:
    """The document without its damaged analyses, and what was wrong with each; reads no other part of it."""
    left_out: list[LeftOut] = []
    games = []
    for number, game in enumerate(document["games"]):
        if not isinstance(game, Mapping) or not isinstance(game.get("plies"), list):
            games.append(game)
            continue
        plies = []
        for place, ply in enumerate(game["plies"]):
            reason = next(_damage(ply["analysis"], ""), "") if _is_analysed(ply) else ""
            if reason:
                left_out.append(LeftOut(number, place, reason))
            plies.append(_unanalysed(ply) if reason else ply)
        games.append({**game, "plies": plies})
    return {**document, "games": games}, left_out


def without_analyses(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document's match alone."""
    games = [
        {**game, "plies": [_unanalysed(ply) for ply in game["plies"]]}
        if isinstance(game, Mapping) and isinstance(game.get("plies"), list)
        else game
        for game in document["games"]
    ]
    return {**{name: value for name, value in document.items() if name != "analysis_info"}, "games": games}


def _is_analysed(ply: object) -> bool:
    return isinstance(ply, Mapping) and ply.get("analysis") is not None


def _unanalysed(ply: Any) -> Any:
    if not isinstance(ply, Mapping):
        return ply
    return {name: value for name, value in ply.items() if name != "analysis"}


def _damage(value: Any, path: str) -> Iterator[str]:
    """What is wrong in an analysis: the path to each damaged value, and the value."""
    name = path.rpartition(".")[2]
    if not _can_be(name, value):
        yield f"{path or 'analysis'} is {json.dumps(value)[:_LONGEST]}"
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from _damage(each, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list) and name in _LISTS:
        for number, each in enumerate(value, 1):
            if isinstance(each, Mapping):
                yield from _damage(each, f"{path}.{number}")
            else:
                yield f"{path}.{number} is {json.dumps(each)[:_LONGEST]}"


def _can_be(name: str, value: Any) -> bool:
    if name in _NUMBERS:
        if value is None:
            return name not in _REQUIRED
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if name in _LISTS:
        return value is None or isinstance(value, list)
    if name in _WORDS:
        return value is None or isinstance(value, str)
    if name in _OBJECTS:
        return isinstance(value, Mapping) or (value is None and name != "eval")
    return bool(name) or isinstance(value, Mapping)
