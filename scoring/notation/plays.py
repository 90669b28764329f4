"""Plays as they are written: ``13/8 6/5``, ``bar/20*``, ``8/off``, ``6/4(2)``.

Source: docs/reference/notation.md, "Plays".

Reading accepts every spelling met in real files: ``25/20``, ``1/0``, ``b/20`` and ``1/o`` beside ``bar/20``
and ``1/off``, any case, one checker's steps joined (``20/8(2)`` for a 66), moves in any order, and
``Cannot Move`` or nothing for no move. Writing is canonical: rearmost checkers first, steps joined unless the
middle one hits, equal moves counted.
"""

import re
from itertools import pairwise
from typing import NamedTuple

from scoring.rules.errors import InvalidNotation
from scoring.rules.plays import Move, Play
from scoring.rules.position import BAR, OFF, Position

_WORD = re.compile(r"[^\s,]+")
_MOVE = re.compile(r"(?P<path>[0-9a-z]+\*?(?:/[0-9a-z]+\*?)+)(?:\((?P<times>[1-4])\))?", re.IGNORECASE)
_SLOT_NAMES = {"bar": BAR, "b": BAR, "off": OFF, "o": OFF, **{str(slot): slot for slot in range(BAR + 1)}}
_NO_MOVE = "cannot move"


def parse_moves(text: str) -> tuple[Move, ...]:
    """The moves that ``text`` names, as written: joined steps stay joined, ``(2)`` is spelled out.

    Raises :class:`InvalidNotation` with the offset of the first word that is not a move.

    >>> parse_moves("bar/20* 6/4(2)")
    (Move(source=25, target=20), Move(source=6, target=4), Move(source=6, target=4))
    >>> parse_moves("24/18*/13"), parse_moves("Cannot Move")
    ((Move(source=24, target=18), Move(source=18, target=13)), ())
    """
    if " ".join(text.lower().split()) == _NO_MOVE:
        return ()
    moves: list[Move] = []
    for word in _WORD.finditer(text):
        moves.extend(_read_word(word.group(), word.start()))
    return tuple(moves)


def format_play(position: Position, play: Play) -> str:
    """``play`` in canonical notation, hits starred; the empty text for no move.

    ``position`` is where the play began, seen by its player.

    >>> from scoring.rules.dice import Roll
    >>> from scoring.rules.explain import resolve_play
    >>> from scoring.rules.position import STARTING_POSITION
    >>> play = resolve_play(STARTING_POSITION, Roll(2, 2), parse_moves("6/4 6/4 24/22 22/20"))
    >>> format_play(STARTING_POSITION, play)
    '24/20 6/4(2)'
    """
    return format_moves(position, play.moves)


def format_moves(position: Position, moves: tuple[Move, ...]) -> str:
    """As :func:`format_play`, for bare moves, legal or not."""
    blots = {point for point in range(1, 25) if position.opponent[25 - point] == 1}
    paths: list[list[_Stop]] = []
    for move in sorted(moves, reverse=True):  # the text must not depend on the order of equal plays
        path = next((path for path in paths if path[-1].slot == move.source), None)
        if path is None:
            path = [_Stop(move.source, hit=False)]
            paths.append(path)
        path.append(_Stop(move.target, hit=move.target in blots))
        blots.discard(move.target)
    return " ".join(_group(paths))


class _Stop(NamedTuple):
    slot: int
    hit: bool


def _group(paths: list[list[_Stop]]) -> list[str]:
    """The paths as words, rearmost first; equal ones are counted, and starred where one of them hit."""
    times: dict[tuple[int, ...], int] = {}
    hits: dict[tuple[int, ...], set[int]] = {}
    for path in paths:
        named = [path[0], *(stop for stop in path[1:-1] if stop.hit), path[-1]]
        slots = tuple(stop.slot for stop in named)
        times[slots] = times.get(slots, 0) + 1
        hits.setdefault(slots, set()).update(stop.slot for stop in named if stop.hit)
    return [
        "/".join(_slot_name(slot) + ("*" if slot in hits[slots] else "") for slot in slots)
        + (f"({times[slots]})" if times[slots] > 1 else "")
        for slots in sorted(times, reverse=True)
    ]


def _slot_name(slot: int) -> str:
    return "bar" if slot == BAR else "off" if slot == OFF else str(slot)


def _read_word(word: str, start: int) -> list[Move]:
    match = _MOVE.fullmatch(word)
    if match is None:
        raise InvalidNotation("move", "{word!r} at {at} is not a move", at=start, word=word)
    slots: list[int] = []
    at = start
    for name in match["path"].split("/"):
        slot = _SLOT_NAMES.get(name.rstrip("*").lower())
        if slot is None:
            raise InvalidNotation(
                "slot", "{word!r}: there is no point {name!r} (at {at})", at=at, word=word, name=name
            )
        slots.append(slot)
        at += len(name) + 1
    steps = [Move(source, target) for source, target in pairwise(slots)]
    return steps * int(match["times"] or 1)
