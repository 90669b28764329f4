"""Drawn pages of stages that this process keeps: made once for each version, compared with the ones before.

A name may change or be erased without the event changing, so a drawing is made anew after a minute.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from hashlib import blake2b
from threading import Lock
from time import monotonic
from typing import Any

from django.utils.translation import get_language

from tournaments.models import Stage
from tournaments.queries.stage_picture import picture_of
from tournaments.services.stages import load
from tournaments.templatetags.draws import Drawing, draw_stage_page

STAGES_KEPT = 16
VERSIONS_KEPT = 40
FRESH = 60.0  # seconds
# A part of more characters is not sent to everybody at once: each page asks for it when it likes.
LARGE_PART = 20_000
MANY_PARTS = 200


@dataclass
class _Kept:
    """The newest drawing of a stage, and what each part was at earlier versions."""

    lock: Lock = field(default_factory=Lock)
    version: int = 0
    made_at: float = 0.0
    drawing: Drawing | None = None
    digest: str = ""
    history: OrderedDict[int, dict[str, int]] = field(default_factory=OrderedDict)


_kept: OrderedDict[tuple[int, str], _Kept] = OrderedDict()
_lock = Lock()


def forget() -> None:
    """Keep nothing, as a process that has just begun; for measurements and tests."""
    with _lock:
        _kept.clear()


def kept_digest(stage: Stage) -> str:
    """The digest of the stage's drawing if it is kept as the event is now; else empty. No query."""
    kept = _of(stage)
    fresh = monotonic() - kept.made_at < FRESH
    return kept.digest if fresh and kept.version == stage.flight.event.version else ""


def drawing_of(stage: Stage) -> tuple[Drawing, str]:
    """The drawing of a drawn stage at its event's version, and its digest (three queries when it is made)."""
    kept = _of(stage)
    version = stage.flight.event.version
    with kept.lock:
        fresh = monotonic() - kept.made_at < FRESH
        if kept.drawing is None or kept.version < version or not fresh:
            _make(kept, stage, version)
        if kept.drawing is None:
            raise RuntimeError(f"stage {stage.ref} was not drawn")
        return kept.drawing, kept.digest


def changes_since(stage: Stage, since: int) -> dict[str, Any]:
    """What a page that shows version ``since`` replaces: ``parts`` by id (None: fetch it by itself).

    ``whole`` when the page has to be fetched: it has other parts, too many changed, or ``since`` is unknown.
    """
    drawing, _digest = drawing_of(stage)
    kept = _of(stage)
    now = kept.history[kept.version]
    before = kept.history.get(since)
    answer: dict[str, Any] = {"version": kept.version, "whole": False, "parts": {}}
    if before is None or before.keys() != now.keys():
        return answer | {"whole": before != now}
    changed = [key for key, digest in now.items() if before[key] != digest]
    if len(changed) > MANY_PARTS:
        return answer | {"whole": True}
    answer["parts"] = {
        key: None if len(drawing.parts[key]) > LARGE_PART else drawing.parts[key] for key in changed
    }
    return answer


def _of(stage: Stage) -> _Kept:
    key = (stage.pk, get_language() or "")
    with _lock:
        kept = _kept.setdefault(key, _Kept())
        _kept.move_to_end(key)
        while len(_kept) > STAGES_KEPT:
            _kept.popitem(last=False)
        return kept


def _make(kept: _Kept, stage: Stage, version: int) -> None:
    drawing = draw_stage_page(picture_of(stage, load(stage)))
    kept.drawing, kept.version, kept.made_at = drawing, version, monotonic()
    kept.digest = blake2b(drawing.whole.encode(), digest_size=12).hexdigest()
    kept.history[version] = {key: hash(html) for key, html in drawing.parts.items()}
    kept.history.move_to_end(version)
    while len(kept.history) > VERSIONS_KEPT:
        kept.history.popitem(last=False)
