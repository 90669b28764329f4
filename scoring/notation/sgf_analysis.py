"""The analysis and comments in the nodes of GNU Backgammon's `.sgf`.

Source: GNU Backgammon's own files, and how it reads them. ``A[0][...][...]`` lists plays, best first: each
its points, then ``E ver 3``, the five chances, the equity and the depth (``2C``: 2-ply, cubeful), or ``X
ver 3``, a rollout by named parts. ``DA[...]`` is the cube before the roll: the depth and noise, then for no
double and for double and take the five chances, the cubeless and the cubeful equity. ``LU`` is luck, ``C``
a comment. Files of ours name the label of their analysis in ``AN``; the depths that the format cannot say in
``LV`` (of plays) and ``LD`` (of a cube); half of the 95% interval of a rollout in ``LI`` and ``LC``.

**Perspective**: of the player on roll, also where ``DA`` stands with the answer to a double. **Units**:
equities of plays are EMG; those of a cube are points at the cube before the double in a money game, and
chances of winning the match in a match.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from scoring.notation.annotations import (
    CONFIDENCE,
    LONGEST_COMMENT,
    MOST_CANDIDATES,
    MOST_COMMENTS,
    MOST_DECISIONS,
    Annotation,
    Annotations,
    Damaged,
    Option,
    Program,
    Unit,
    chance,
    equity,
    interval,
    luck,
    plain,
    probabilities,
)
from scoring.notation.plays import format_moves
from scoring.notation.record import MatchRecord
from scoring.notation.sgf import Node, text_of
from scoring.notation.transcript import Step, transcript
from scoring.rules.errors import IllegalPlay, InvalidValue
from scoring.rules.events import Doubled, Passed, Played, Taken
from scoring.rules.plays import Move, mechanical_result
from scoring.rules.position import Position
from scoring.rules.sides import Side

_PLIES = re.compile(r"(\d{1,2})(C?)")
_FLOAT = r"[-+]?(?:\d[\d.]*(?:e[-+]?\d{1,3})?|nan|inf\w*)"
_SCORE = re.compile(rf"\bScore ({_FLOAT})", re.IGNORECASE)
_TRIALS = re.compile(r"\bTrials (\d{1,9})")
_DEVIATION = re.compile(rf"\bStdDev ((?:{_FLOAT} ?){{7}})", re.IGNORECASE)
_OUTPUT = re.compile(rf"\bOutput ((?:{_FLOAT} ?){{7}})", re.IGNORECASE)
_LONGEST_ENTRY = 4_000
_OUTPUTS = 7
ANNOTATOR = "Midpoint"
"""Stands before the exact label in ``AN``, and in ``AP``, of a file of ours."""
_OURS = re.compile(rf"{ANNOTATOR} ([A-Za-z0-9._+@/-]+(?: [A-Za-z0-9._+@/-]+){{2,3}})")
_LONGEST_LABEL, _LONGEST_LEVEL = 110, 40
_OLD_HEAD, _OLD = 4, 2
"""Numbers at the head of a cube's analysis that only files before version 2 have, and that version."""


def sgf_annotations(record: MatchRecord, nodes: Sequence[Node | None], roots: Sequence[Node]) -> Annotations:
    """What the nodes say; ``nodes[n]`` tells ``record.events[n]``, ``roots[n]`` is where game n + 1 begins.

    What cannot be read is left out and counted.
    """
    reader = _Reader(record, nodes)
    moments = tuple(reader.moments())
    texts = [(n, text) for n, root in enumerate(roots, 1) for text in _texts(root)]
    remarks = [(0 if root_text_of_match(n, roots) else n, text) for n, text in texts]
    stated = _stated(roots[0])
    return Annotations(
        Program.STATED if stated else Program.GNUBG,
        moments,
        remarks=tuple(remarks[:MOST_COMMENTS]),
        damaged=reader.damaged,
        stated=stated,
    )


def _stated(root: Node) -> str:
    """The label in a file that we wrote, and no program since; empty in any other."""
    found = _OURS.fullmatch((root.first("AN") or "").strip())
    ours = (root.first("AP") or "").split(":")[0] == ANNOTATOR
    return found[1] if found and ours and len(found[1]) <= _LONGEST_LABEL else ""


def root_text_of_match(number: int, roots: Sequence[Node]) -> bool:
    """Whether what the root of this game says is said of the match: ``GC`` stands in the first."""
    return number == 1 and "GC" in roots[0].properties


def _texts(node: Node) -> Iterator[str]:
    for name in ("GC", "C"):
        if text := plain(node.first(name) or "", LONGEST_COMMENT):
            yield text


class _Reader:
    def __init__(self, record: MatchRecord, nodes: Sequence[Node | None]) -> None:
        self.record, self.nodes = record, nodes
        self.unit = Unit.CHANCE if record.length else Unit.EQUITY
        self.damaged = self.comments = 0
        self.judged_double = False

    def moments(self) -> Iterator[Annotation]:
        told = 0
        for step in transcript(enumerate(self.record.events)):
            node = self.nodes[step.seq]
            if node is None or told >= MOST_DECISIONS:
                continue
            for moment in self._of(step, node):
                if moment.options or moment.comment or moment.luck is not None:
                    told += 1
                    yield moment

    def _of(self, step: Step, node: Node) -> Iterator[Annotation]:
        game = step.before
        side = game.on_roll
        if side is None:
            return
        before = game.seen_by(side)
        if isinstance(step.event, Played):
            yield Annotation(step.game, before.key, None, self._cube(node), self.unit)
            yield self._play(step, node, side, before)
        elif isinstance(step.event, Doubled):
            options = self._cube(node)
            self.judged_double = bool(options)
            yield Annotation(step.game, before.key, None, options, self.unit, comment=self._comment(node))
        elif isinstance(step.event, Taken | Passed):
            comment = self._comment(node)
            yield Annotation(step.game, before.key, None, comment=comment, answer=True)

    def _comment(self, node: Node) -> str:
        text = next(_texts(node), "")
        self.comments += bool(text)
        return text if self.comments <= MOST_COMMENTS else ""

    def _play(self, step: Step, node: Node, side: Side, before: Position) -> Annotation:
        roll = step.roll
        options: tuple[Option, ...] = ()
        entries = node.properties.get("A", ())[1:]
        try:
            found = [_option(text_of(entry), side, before, self.unit) for entry in entries[:MOST_CANDIDATES]]
            levels = node.properties.get("LV", ())
            if len(levels) == len(entries):
                named = zip(found, levels, strict=False)
                found = [replace(option, level=_named(level)) for option, level in named]
            widths = node.properties.get("LI", ())
            if len(widths) == len(entries):
                widened = zip(found, widths, strict=False)
                found = [replace(option, interval=_interval(width)) for option, width in widened]
            options = tuple(found)
        except (Damaged, InvalidValue, IllegalPlay):
            self.damaged += 1
        number = node.first("LU")
        return Annotation(
            step.game,
            before.key,
            (roll.high, roll.low) if roll else None,
            options,
            luck=luck(_number(number)) if options and number is not None else None,
            comment=self._comment(node),
        )

    def _cube(self, node: Node) -> tuple[Option, ...]:
        told = node.first("DA")
        if told is None or not told.strip():
            return ()
        try:
            options = tuple(_actions(told[: 2 * _LONGEST_ENTRY], self.unit))
            width = _interval((node.properties.get("LC") or [""])[0])
        except Damaged:
            self.damaged += 1
            return ()
        level = node.properties.get("LD")
        named = tuple(replace(each, interval=width) for each in options) if width is not None else options
        return tuple(replace(each, level=_named(level[0])) for each in named) if level else named


def _interval(width: str) -> float | None:
    return interval(_number(width)) if width else None


def _named(level: str) -> str:
    return plain(text_of(level), _LONGEST_LEVEL)


def slot(side: Side, letter: str) -> int | None:
    """The mover's number of a point's letter: 25 is the bar, 0 off; None for what is no point.

    >>> slot(Side.WHITE, "f"), slot(Side.BLACK, "f"), slot(Side.BLACK, "y"), slot(Side.WHITE, "z")
    (6, 19, 25, 0)
    """
    if letter == "y":
        return 25
    if letter == "z":
        return 0
    if not "a" <= letter <= "x":
        return None
    return ord(letter) - ord("a") + 1 if side is Side.WHITE else ord("x") - ord(letter) + 1


def _option(entry: str, side: Side, before: Position, unit: Unit) -> Option:
    letters, _space, rest = entry[:_LONGEST_ENTRY].partition(" ")
    moves = _moves(letters, side)
    width = None
    if rest.startswith(("X", "R")):
        level, values, score = _rollout(rest)
        width = next(_widths(rest, unit), None)
    else:
        level, values, score = _evaluation(rest)
    return Option(
        action=format_moves(before, moves),
        equity=equity(score),
        probabilities=probabilities(values[:5]),
        level=level,
        position=mechanical_result(before, moves).key,
        interval=width,
    )


def _moves(letters: str, side: Side) -> tuple[Move, ...]:
    slots = [slot(side, letter) for letter in letters[:8]]
    if len(letters) % 2 or None in slots:
        raise Damaged(f"{letters} is not a play")
    numbers = [number for number in slots if number is not None]
    return tuple(Move(*pair) for pair in zip(numbers[::2], numbers[1::2], strict=True))


def _evaluation(text: str) -> tuple[str, list[float], float]:
    """Depth, the five chances, equity: of ``E ver 3 0.5 0.1 0 0.1 0 0.02 2C 0 1 0.000000 1``."""
    words = _words(text)[1]
    if len(words) < 7:
        raise Damaged(f"{text[:40]} is not an evaluation")
    numbers = [_number(word) for word in words[:6]]
    return _level(words[6]), numbers[:5], numbers[5]


def _rollout(text: str) -> tuple[str, list[float], float]:
    score, output = _SCORE.search(text), _OUTPUT.search(text)
    if score is None or output is None:
        raise Damaged(f"{text[:40]} is not a rollout")
    return _rolled_out(text), [_number(word) for word in output[1].split()], _number(score[1])


def _widths(text: str, unit: Unit) -> Iterator[float]:
    """Half of each equity's 95% interval; in a match deviations are those of chances, and none is told."""
    if unit is Unit.EQUITY:
        for found in _DEVIATION.finditer(text):
            yield interval(CONFIDENCE * _number(found[1].split()[-1]))


def _rolled_out(text: str) -> str:
    trials = _TRIALS.search(text)
    return f"rollout of {trials[1]}" if trials else "rollout"


def _actions(text: str, unit: Unit) -> Iterator[Option]:
    """No double, double and take, double and pass."""
    width: float | None = None
    if text.startswith(("X", "R")):
        level, tables = _rolled_out(text), [found[1].split() for found in _OUTPUT.finditer(text)]
        width = max(_widths(text, unit), default=None)
    else:
        version, words = _words(text)
        words = words[_OLD_HEAD:] if version < _OLD else words
        if len(words) != 1 + (4 if version == _OLD else 3) + 2 * _OUTPUTS:
            raise Damaged(f"{text[:40]} is not a cube analysis")
        level, numbers = _level(words[0]), words[-2 * _OUTPUTS :]
        tables = [numbers[:_OUTPUTS], numbers[_OUTPUTS:]]
    if len(tables) != 2 or any(len(table) != _OUTPUTS for table in tables):
        raise Damaged(f"{text[:40]} is not a cube analysis")
    values = [[_number(word) for word in table] for table in tables]
    told = chance if unit is Unit.CHANCE else equity
    for action, table in zip(("no double", "double/take"), values, strict=True):
        yield Option(action, told(table[6]), probabilities(table[:5]), level, interval=width)
    yield Option("double/pass", 1.0, probabilities(values[0][:5]), level)


def _words(text: str) -> tuple[int, list[str]]:
    """The version of an analysis, and its words after that."""
    words = text.split()[1:40]
    if words[:1] != ["ver"]:
        return 0, words
    return int(words[1]) if len(words) > 1 and re.fullmatch(r"\d{1,3}", words[1]) else 0, words[2:]


def _level(word: str) -> str:
    found = _PLIES.fullmatch(word)
    if found is None:
        raise Damaged(f"{word[:20]} is not a depth")
    return f"{found[1]}-ply" if found[2] else f"{found[1]}-ply cubeless"


def _number(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        return math.nan
