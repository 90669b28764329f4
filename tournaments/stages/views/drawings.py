"""Cache of drawings: one per stage and version, without and with clubs, compared with earlier ones.

This process keeps what a drawing was made of, and writes of the next one only what differs. The cache of the
installation keeps the text for the processes that have drawn nothing yet. Whoever hands a drawing out has
asked before whether the viewer may know the stage; nothing in it hangs on who looks.

A name may change or be erased without the event changing, so no names are kept for more than a minute.
"""

import json
import zlib
from collections import OrderedDict, deque
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from hashlib import blake2b
from threading import Lock
from time import monotonic, time
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest
from django.utils.safestring import mark_safe
from django.utils.translation import get_language

from clubs.cached import from_cache, to_cache
from tournaments.models import StageRow
from tournaments.stages.drawing import Drawing, DrawnPiece, draw_stage_page
from tournaments.stages.queries.draw_pieces import Piece
from tournaments.stages.queries.stage_picture import Picture, picture_of
from tournaments.stages.queries.stage_rows import Named
from tournaments.stages.services.stages import load

CLUBS = "clubs"
"""What ``?show=`` adds to the names of a draw."""
STAGES_KEPT = 16
VERSIONS_KEPT = 40
FRESH = 60.0  # seconds
# A part of more characters is not sent to all pages at once: each asks for it at a moment of its choice.
LARGE_PART = 20_000
MANY_PARTS = 200


@dataclass
class _Kept:
    """The newest drawing of a stage, and its history.

    ``clubs`` whether it has the clubs of the entrants.
    ``history`` has for each version the digests that the parts which it changed had before it, None for a
    part that was not there. The first version has none.
    """

    clubs: bool
    lock: Lock = field(default_factory=Lock)
    version: int = 0
    named_at: float = 0.0  # when the names in it were read
    drawing: Drawing | None = None
    digest: str = ""
    shared: bool = False
    drawn_at: datetime | None = None
    picture: Picture | None = None  # behind a drawing that another process made
    history: deque[tuple[int, Mapping[str, int | None]]] = field(
        default_factory=lambda: deque(maxlen=VERSIONS_KEPT)
    )


_kept: OrderedDict[tuple[int, str, bool], _Kept] = OrderedDict()
_lock = Lock()


def asks_for_clubs(request: HttpRequest) -> bool:
    """Whether the address asks for clubs below the names: ``?show=clubs``."""
    return request.GET.get("show") == CLUBS


def forget() -> None:
    """Empty this process's cache, for measurements and tests; the shared one stays."""
    with _lock:
        _kept.clear()


def forget_drawing(stage: StageRow) -> None:
    """Like :func:`forget`, and remove the stage from the shared cache."""
    forget()
    version = stage.flight.event.version
    cache.delete_many([_key(stage, version, clubs=clubs) for clubs in (False, True)])


def kept_digest(stage_id: int, version: int, *, clubs: bool = False) -> str:
    """The digest of this process's drawing of the stage at this version, or empty."""
    kept = _of(stage_id, clubs=clubs)
    fresh = monotonic() - kept.named_at < FRESH
    return kept.digest if fresh and kept.version == version else ""


def drawing_of(
    stage: StageRow,
    *,
    share: bool = False,
    clubs: bool = False,
    names: Mapping[int, Named] | None = None,
) -> tuple[Drawing, str]:
    """The drawing of a stage at its event's version, and its digest; with ``clubs`` below the names.

    Three queries when it is made, two with the ``names`` just read. With ``share`` other processes get it
    from the cache: what one reader asked for whole, others will too.
    """
    kept = _of(stage.pk, clubs=clubs)
    with kept.lock:
        drawing = _brought_up(kept, stage, names)
        if share and not kept.shared:
            kept.shared = True
            _share_drawing(stage, kept)
        return drawing, kept.digest


def drawn_picture(
    stage: StageRow, *, clubs: bool = False, names: Mapping[int, Named] | None = None
) -> Picture:
    """The picture behind the drawing of a stage (no query if this process has made that drawing).

    Else three, two with the ``names`` just read. Like the drawing's, its names are at most a minute old.
    """
    kept = _of(stage.pk, clubs=clubs)
    with kept.lock:
        drawn = _brought_up(kept, stage, names).drawn
        if drawn is not None:
            return drawn.picture
        if kept.picture is None:
            kept.picture = picture_of(stage, load(stage, fresh=True), names=names)
        return kept.picture


def changes_since(stage: StageRow, since: int, *, clubs: bool = False) -> dict[str, Any]:
    """The changes since version ``since``: ``parts`` by id (None: reload it).

    ``whole`` when the page must be reloaded: other parts, too many changes, or ``since`` is unknown.
    """
    kept = _of(stage.pk, clubs=clubs)
    # Of one version: another request may bring the drawing on as soon as the lock is free.
    with kept.lock:
        drawing, version = _brought_up(kept, stage), kept.version
        before = _digests_at(kept, since)
    answer: dict[str, Any] = {"version": version, "whole": False, "parts": {}}
    if before is None:
        return answer | {"whole": True}
    parts = drawing.parts
    now = {key: hash(parts[key]) if key in parts else None for key in before}
    changed = [key for key, digest in before.items() if digest != now[key]]
    if len(changed) > MANY_PARTS or any(None in (before[key], now[key]) for key in changed):
        return answer | {"whole": True}
    answer["parts"] = {key: None if len(parts[key]) > LARGE_PART else parts[key] for key in changed}
    return answer


def _digests_at(kept: _Kept, version: int) -> Mapping[str, int | None] | None:
    """The parts changed since a version, as they were then; None if unknown."""
    found: dict[str, int | None] = {}
    for known, before in reversed(kept.history):
        if known == version:
            return found
        found |= before
    return None


def _of(stage_id: int, *, clubs: bool = False) -> _Kept:
    key = (stage_id, get_language() or "", clubs)
    with _lock:
        kept = _kept.setdefault(key, _Kept(clubs))
        _kept.move_to_end(key)
        while len(_kept) > STAGES_KEPT:
            _kept.popitem(last=False)
        return kept


def _brought_up(kept: _Kept, stage: StageRow, names: Mapping[int, Named] | None = None) -> Drawing:
    """The drawing at the stage's version or later; the caller holds ``kept.lock``."""
    version = stage.flight.event.version
    fresh = monotonic() - kept.named_at < FRESH
    if kept.drawn_at != stage.drawn_at:
        # A redraw has nothing in common with the draw that was undone.
        kept.drawing, kept.drawn_at = None, stage.drawn_at
        kept.history.clear()
    if kept.drawing is None or kept.version < version or not fresh:
        _make(kept, stage, version, names, fresh=fresh)
    if kept.drawing is None:
        raise RuntimeError(f"stage {stage.ref} was not drawn")
    return kept.drawing


def _make(
    kept: _Kept, stage: StageRow, version: int, names: Mapping[int, Named] | None, *, fresh: bool
) -> None:
    """Update the drawing to this version, from the cache or by drawing.

    The names of a ``fresh`` one are used again; of another, those just read if there are any.
    """
    found = _shared_drawing(stage, version, clubs=kept.clubs) if kept.drawing is None else None
    earlier = kept.drawing.parts if kept.drawing else None
    if found is not None:
        kept.drawing, age = found
        kept.named_at, kept.shared = monotonic() - age, True
    else:
        before, began = kept.drawing.drawn if kept.drawing else None, monotonic()
        picture = picture_of(
            stage, load(stage, fresh=True), before.seen if before else None, same_names=fresh, names=names
        )
        if before is None or picture.names is not before.seen.names or not fresh:
            kept.named_at = began
        kept.drawing, kept.shared = draw_stage_page(picture, before, clubs=kept.clubs), False
    kept.version, kept.picture = version, None
    digest = blake2b(kept.drawing.whole.encode(), digest_size=12)
    digest.update(b"%d" % kept.drawing.has_clubs)
    kept.digest = digest.hexdigest()
    _remember(kept, earlier, kept.drawing.parts)


def _remember(kept: _Kept, then: Mapping[str, str] | None, now: Mapping[str, str]) -> None:
    """Record the changes from ``then`` to the current version; None for the first."""
    before: dict[str, int | None] = {}
    if then is not None:
        # Most are the very same objects: those need not be compared in full.
        changed = [key for key, html in now.items() if (was := then.get(key)) is not html and was != html]
        changed += then.keys() - now.keys()
        before = {key: hash(then[key]) if key in then else None for key in changed}
    if kept.history and kept.history[-1][0] == kept.version:
        before |= kept.history.pop()[1]  # drawn again with other names: what was before both
    kept.history.append((kept.version, before))


def _key(stage: StageRow, version: int, *, clubs: bool) -> str:
    return f"drawing-{stage.ref}-{version}-{get_language()}{'-clubs' if clubs else ''}"


def _share_drawing(stage: StageRow, kept: _Kept) -> None:
    """Store the text and the positions of its parts for other processes."""
    drawing, left = kept.drawing, FRESH - (monotonic() - kept.named_at)
    if drawing is None or left <= 0:
        return
    places, at = [], 0
    for key, html in drawing.parts.items():
        at = drawing.whole.index(html, at)
        places.append((key, at, at + len(html)))
        at += len(html)
    pieces, at = [], 0
    for each in drawing.pieces:
        at = drawing.whole.index(each.html, at)
        pieces.append((asdict(each.piece), at, at + len(each.html)))
        at += len(each.html)
    told = {"named_at": time() - FRESH + left, "parts": places, "pieces": pieces}
    header = json.dumps(told | {"has_clubs": drawing.has_clubs})
    text = zlib.compress(f"{header}\n{drawing.whole}".encode(), 1)
    to_cache(_key(stage, kept.version, clubs=kept.clubs), text, left)


def _shared_drawing(stage: StageRow, version: int, *, clubs: bool) -> tuple[Drawing, float] | None:
    """Another process's drawing of this version and its age in seconds, if recent."""
    stored = from_cache(_key(stage, version, clubs=clubs))
    if stored is None:
        return None
    header, whole = zlib.decompress(stored).decode().split("\n", 1)
    told = json.loads(header)
    age = max(0.0, time() - told["named_at"])
    if age >= FRESH:
        return None
    parts = {key: whole[begin:end] for key, begin, end in told["parts"]}
    pieces = [DrawnPiece(Piece(**piece), mark_safe(whole[begin:end])) for piece, begin, end in told["pieces"]]  # noqa: S308 - as the pen wrote it
    return Drawing(mark_safe(whole), parts, pieces=pieces, has_clubs=told["has_clubs"]), age  # noqa: S308 - as the pen wrote it
