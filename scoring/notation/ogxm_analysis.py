"""The analysis in an OGXM document: ours, gammonview's, or another program's.

Source: gammonview's `gvformat` 3.1, which writes and reads the format. A roll's ``analysis`` lists
``alternatives``, best first, with their equities and chances, and ``luck``; its ``cube_decision`` or
``missed_double`` is the cube before the roll. A double's ``analysis`` has the three equities of the cube.
``analysis_info`` names who analysed: ``model_id`` holds the exact label in files of ours. ``rollout_se`` is
the standard error of a rollout's equity; that of a cube is an addition of ours, which the format has not.

**Perspective**: of the player who moves or doubles; points as in :mod:`scoring.notation.ogxm_cells`.
**Units**: equities are EMG, at the cube before the decision.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scoring.notation.annotations import (
    CONFIDENCE,
    MOST_CANDIDATES,
    MOST_DECISIONS,
    Annotation,
    Annotations,
    Damaged,
    Five,
    Option,
    Program,
    equity,
    interval,
    luck,
    probabilities,
)
from scoring.notation.ogxm_cells import moves_of
from scoring.notation.plays import format_moves
from scoring.notation.record import MatchRecord
from scoring.notation.transcript import Step, transcript
from scoring.rules.errors import IllegalPlay, InvalidValue
from scoring.rules.events import Doubled, Played
from scoring.rules.plays import Move, mechanical_result
from scoring.rules.position import Position
from scoring.rules.sides import Side

ERROR = "rollout_se"
_PARTS = (3, 4)
_LONGEST_LABEL = 110
"""Characters: with the word for the file a label still fits its column."""
_LABEL = re.compile(r"[A-Za-z0-9._+@/-]+")
_NOT_IN_LABEL = re.compile(r"[^A-Za-z0-9._+@/-]+")
_PLIES = re.compile(r"(\d{1,2})ply")
_TABLE, _UNNAMED = "Kazaross-XG2", "unknown"
_CHANCES = ("win", "gammon_win", "bg_win", "gammon_loss", "bg_loss")
_EQUITIES = {
    "no double": "no_double_equity",
    "double/take": "double_take_equity",
    "double/pass": "double_pass_equity",
}


def ogxm_annotations(
    record: MatchRecord, plies: Sequence[Mapping[str, Any] | None], document: Mapping[str, Any]
) -> Annotations | None:
    """The analysis of a document; ``plies[n]`` tells ``record.events[n]``. None without one.

    What cannot be read is left out and counted.
    """
    info = document.get("analysis_info")
    if not isinstance(info, Mapping):
        return None
    reader = _Reader(record, plies, str(info.get("eval_level") or ""))
    moments = tuple(reader.moments())
    return Annotations(Program.STATED, moments, damaged=reader.damaged, stated=stated_label(info))


def stated_label(info: Mapping[str, Any]) -> str:
    """The label that a document gives its analysis, in the parts of ours (the table can be missing).

    Of another program it is what it calls itself, its depth and its table.

    >>> stated_label({"model_id": "gnubg 1.07.001 fast@1 Kazaross-XG2", "eval_level": "2ply"})
    'gnubg 1.07.001 fast@1 Kazaross-XG2'
    >>> stated_label({"model_id": "gv-bgsage/2.0", "eval_level": "3ply", "met_id": "kazaross-xg2"})
    'gv-bgsage/2.0 - 3ply Kazaross-XG2'
    """
    named = str(info.get("model_id") or "")
    words = named.split()
    if len(words) in _PARTS and len(named) <= _LONGEST_LABEL and all(map(_LABEL.fullmatch, words)):
        return " ".join(words)
    parts = [_word(named, 40), "-", _word(info.get("eval_level"), 20), _word(info.get("met_id"), 40)]
    table = _TABLE if parts[3].casefold() == _TABLE.casefold() else parts[3]
    return " ".join([*parts[:3], table])


def _word(value: object, longest: int) -> str:
    return _NOT_IN_LABEL.sub("-", str(value or "")).strip("-")[:longest] or _UNNAMED


class _Reader:
    def __init__(self, record: MatchRecord, plies: Sequence[Mapping[str, Any] | None], level: str) -> None:
        self.record, self.plies, self.level = record, plies, level
        self.damaged = 0

    def moments(self) -> Iterator[Annotation]:
        told = 0
        for step in transcript(enumerate(self.record.events)):
            ply = self.plies[step.seq]
            analysis = ply.get("analysis") if ply is not None else None
            if not isinstance(analysis, Mapping):
                continue
            for moment in self._of(step, analysis):
                if told < MOST_DECISIONS and (moment.options or moment.luck is not None):
                    told += 1
                    yield moment

    def _of(self, step: Step, analysis: Mapping[str, Any]) -> Iterator[Annotation]:
        if not isinstance(step.event, Doubled | Played):
            return
        side = step.before.player
        before = step.before.seen_by(side)
        if step.roll is None:  # a double
            yield Annotation(step.game, before.key, None, self._cube(analysis))
            return
        cube = _cube_in(analysis)
        if isinstance(cube, Mapping):
            yield Annotation(step.game, before.key, None, self._cube(cube))
        options = self._plays(analysis, side, before)
        told = analysis.get("luck")
        dice = (step.roll.high, step.roll.low)
        by_luck = luck(float(told)) if options and isinstance(told, int | float) else None
        yield Annotation(step.game, before.key, dice, options, luck=by_luck)

    def _plays(self, analysis: Mapping[str, Any], side: Side, before: Position) -> tuple[Option, ...]:
        told = analysis.get("alternatives")
        if not isinstance(told, list):
            return ()
        try:
            return tuple(self._play(each, side, before) for each in told[:MOST_CANDIDATES])
        except (Damaged, InvalidValue, IllegalPlay, LookupError, TypeError, ValueError, AttributeError):
            self.damaged += 1
            return ()

    def _play(self, told: Mapping[str, Any], side: Side, before: Position) -> Option:
        moves = tuple(Move(*pair) for pair in moves_of(side, told.get("move") or ()))
        return Option(
            action=format_moves(before, moves),
            equity=equity(float(told["equity"])),
            probabilities=_chances(told.get("eval")),
            level=_level(told.get("eval_level") or self.level),
            position=mechanical_result(before, moves).key,
            interval=_interval(told),
        )

    def _cube(self, told: Mapping[str, Any]) -> tuple[Option, ...]:
        if not any(name in told for name in _EQUITIES.values()):
            return ()
        try:
            chances, level = _chances(told.get("eval")), _level(told.get("eval_level") or self.level)
            error = _interval(told)
            return tuple(
                Option(action, equity(float(told[name])), chances, level, interval=error)
                for action, name in _EQUITIES.items()
            )
        except (Damaged, LookupError, TypeError, ValueError):
            self.damaged += 1
            return ()


def put_back_errors(document: Mapping[str, Any], canonical: Mapping[str, Any]) -> None:
    """Give a canonical document the standard errors of the one that it was made of: its form has none."""
    for told, game in zip(document["games"], canonical["games"], strict=False):
        for source, ply in zip(told.get("plies") or (), game.get("plies") or (), strict=False):
            told_of, analysis = source.get("analysis"), ply.get("analysis")
            if isinstance(told_of, Mapping) and isinstance(analysis, dict):
                _put_back(told_of, analysis)


def _put_back(source: Mapping[str, Any], analysis: dict[str, Any]) -> None:
    pairs: list[tuple[Any, Any]] = [(source, analysis)]
    pairs.append((_cube_in(source), _cube_in(analysis)))  # one form calls a missed double a cube decision
    given, options = source.get("alternatives"), analysis.get("alternatives")
    if isinstance(given, list) and isinstance(options, list) and len(given) == len(options):
        pairs += zip(given, options, strict=True)
    for told, kept in pairs:
        if isinstance(told, Mapping) and isinstance(kept, dict) and told.get(ERROR) is not None:
            kept[ERROR] = told[ERROR]


def _cube_in(analysis: Mapping[str, Any]) -> Any:
    return analysis.get("cube_decision") or analysis.get("missed_double")


def _interval(told: Mapping[str, Any]) -> float | None:
    error = told.get(ERROR)
    return None if error is None else interval(CONFIDENCE * float(error))


def _chances(told: object) -> Five | None:
    return probabilities(float(told[name]) for name in _CHANCES) if isinstance(told, Mapping) else None


def _level(told: object) -> str:
    """A depth in our words: ``2ply`` is ``2-ply``."""
    return _PLIES.sub(r"\1-ply", str(told)[:40])
