"""Stages that this process has folded lately, so that a log is read once and afterwards only its end.

What is kept is named by the log's own hash chain: an entry counts only while the stored log still has that
hash at that place, so a rolled-back transaction or another process can never make it wrong.
"""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Any

from tournaments.core.stages.stage import Stage as StageValue

KEPT = 32


@dataclass(frozen=True, slots=True)
class Folded:
    """The value of a log after ``seq`` entries, the last of which has this hash, on this draw: what tells one
    draw of the stage from every other.
    """

    draw: tuple[Any, ...]
    seq: int
    hash: str
    value: StageValue


_kept: OrderedDict[int, Folded] = OrderedDict()
_lock = Lock()


def known(stage_id: int, draw: tuple[Any, ...]) -> Folded | None:
    """What was folded last of the stage with this primary key, if it was drawn like this."""
    with _lock:
        found = _kept.get(stage_id)
        if found is None or found.draw != draw:
            return None
        _kept.move_to_end(stage_id)
        return found


def keep(stage_id: int, folded: Folded) -> None:
    with _lock:
        _kept[stage_id] = folded
        _kept.move_to_end(stage_id)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)


def forget() -> None:
    """Start from the stored logs again, for measurements of a process that has just begun."""
    with _lock:
        _kept.clear()
