"""Archive of a stage: JSON from which anyone can repeat the draw.

An archive holds opaque refs, never names, notes or waiting lists; keys that do not belong are refused, so
none can slip in (docs/reference/tournaments.md, "Faults a draw must not have").
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from scoring.codec import from_plain, to_plain
from tournaments.core.brackets.bracket import Bracket
from tournaments.core.brackets.formats import Elimination
from tournaments.core.brackets.resolve import BracketStatus
from tournaments.core.formats.table import FORMATS
from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.errors import InvalidArchive
from tournaments.core.stages.slots import LoserOf, Seed, WinnerOf, unpack
from tournaments.core.stages.stage import Entry, Stage, seed_hash

EDITION = 1


@dataclass(frozen=True, slots=True)
class MatchClaim:
    """How an archive states one match of a bracket.

    Slots are text, contents are numbers or ``Empty`` values.
    """

    match: int
    section: str
    round: int
    slots: tuple[str, str]
    holds: tuple[int, int]
    status: BracketStatus


@dataclass(frozen=True, slots=True)
class Archive:
    """A draw, its seed and everything since.

    ``bracket`` is present for elimination formats only.
    """

    edition: int
    format: str
    version: int
    options: Any
    seed: str
    seed_hash: str
    field: tuple[Entrant, ...]
    order: tuple[int, ...]
    log: tuple[Entry, ...] = ()
    bracket: tuple[MatchClaim, ...] = ()


def archive_of(stage: Stage, *, drawn: Stage) -> Archive:
    """The archive of a stage; ``drawn`` is the same stage as it was when it had just been drawn."""
    chosen = FORMATS[stage.format]
    claims = match_claims(chosen, stage) if isinstance(chosen, Elimination) else ()
    return Archive(
        EDITION,
        stage.format,
        stage.version,
        stage.options,
        stage.seed,
        seed_hash(stage.seed),
        drawn.field,
        drawn.order,
        stage.log,
        claims,
    )


def dumps(archive: Archive) -> str:
    """The archive as JSON text, the same bytes for the same stage."""
    return as_text(body_of(archive))


def as_text(body: Mapping[str, Any]) -> str:
    """JSON text with one order of keys."""
    return json.dumps(body, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def body_of(archive: Archive) -> dict[str, Any]:
    """The archive as plain JSON values."""
    body: dict[str, Any] = to_plain(archive)
    return {"log": [], **body}


def loads(text: str) -> Archive:
    """Read an archive.

    Raises:
        InvalidArchive: not JSON, another edition, or an unknown format.
        InvalidValue: an unknown or missing key, or a wrong type.
    """
    return from_body(json_object(text))


def json_object(text: str) -> dict[str, Any]:
    """The JSON object in a text.

    Raises:
        InvalidArchive: ``not_json``.
    """
    try:
        body = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InvalidArchive("not_json", f"not JSON: {error}") from error
    if not isinstance(body, dict):
        raise InvalidArchive("not_json", "an archive is a JSON object")
    return body


def from_body(body: Mapping[str, Any]) -> Archive:
    """Read an archive from plain JSON values.

    Raises:
        InvalidArchive, InvalidValue: as ``loads``.
    """
    key = body.get("format")
    if not isinstance(key, str) or key not in FORMATS:
        raise InvalidArchive(
            "unknown_format", f"format: {key!r} is not one of {', '.join(FORMATS)}", format=key
        )
    rest = {name: value for name, value in body.items() if name not in ("options", "log")}
    options = from_plain(FORMATS[key].options, body.get("options"), "options")
    log = from_plain(tuple[Entry, ...], body.get("log", []), "log")
    shell: Archive = from_plain(Archive, {**rest, "options": {}}, "archive")
    if shell.edition != EDITION:
        raise InvalidArchive("edition", f"edition {shell.edition}: this reads edition {EDITION}")
    return replace(shell, options=options, log=log)


def drawn_stage(archive: Archive) -> Stage:
    """The stage as the archive says it was drawn, before anything happened."""
    return Stage(archive.format, archive.version, archive.options, archive.seed, archive.field, archive.order)


def match_claims(chosen: Elimination, stage: Stage) -> tuple[MatchClaim, ...]:
    """Every match of the bracket as it stands now."""
    state = chosen.resolution(stage)
    return tuple(
        MatchClaim(
            m, r.section, r.number, slot_texts(state.bracket, m), (state.a[m], state.b[m]), state.status(m)
        )
        for r in state.bracket.rounds
        for m in r.matches
    )


def slot_texts(bracket: Bracket, match: int) -> tuple[str, str]:
    """``"seed 3"``, ``"winner of 5"``, ``"loser of 5"`` or ``"bye"`` for both slots of a match."""
    return _slot_text(bracket.a[match - 1]), _slot_text(bracket.b[match - 1])


def _slot_text(code: int) -> str:
    match unpack(code):
        case Seed(number):
            return f"seed {number}"
        case WinnerOf(number):
            return f"winner of {number}"
        case LoserOf(number):
            return f"loser of {number}"
        case _:
            return "bye"
