"""Every file format of matches that is read: `.mat`, `.sgf`, `.xg`, `.bgf`, OGXM, told apart by content.

`.mat` and `.sgf` are read by our own parsers. The others go through gammonview's `gvformat`, whose documents
put the players in the order of their names; the columns are restored here. All are then written as `.mat`
cells, one a line, and read by the same parser: so a match is replayed with one set of rules and comes out as
the same `MatchRecord`, whichever file told it. What `.xg`, `.sgf` and OGXM say beside the plays is read
separately.

Sources: docs/reference/notation.md, "Match text" and "Other match files"; gvformat 3.1 (OGXM: action 0-20 a
roll, 21 double, 22 take, 23 pass, 24-30 ends, 31 a stated position, 32 beaver, 33 raccoon; points counted as
White's opponent counts them). Not supported: positions without a match, matches that begin in the middle of a
game.
"""

import json
import re
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum
from typing import Any

from gvformat import canonicalize, read_gvab
from gvformat.bgf import convert_bgf, decode_smile, read_bgf
from gvformat.xg import convert_xg

from scoring.notation.annotations import Annotations
from scoring.notation.inflating import inflated
from scoring.notation.mat import read_mat
from scoring.notation.mat_text import wide_encoding
from scoring.notation.ogxm_analysis import ogxm_annotations, put_back_errors
from scoring.notation.ogxm_cells import MatText, mat_text
from scoring.notation.ogxm_damage import without_analyses, without_damaged
from scoring.notation.record import MatchRecord, RecordFlag
from scoring.notation.sgf_reader import read_sgf_match
from scoring.notation.xg_analysis import xg_annotations
from scoring.notation.xg_file import HEADER, RECORD, put_played_moves, records_of
from scoring.rules.errors import InvalidNotation

LARGEST_FILE = 8 * 1024 * 1024
"""Bytes of a file as it comes; the largest match seen is under 1 MB."""
_XG_NAMES = ((9, 41), (50, 41), (880, 258), (1138, 258))
"""Where a match header keeps the names: offset and width, ANSI of both players, then UTF-16 of both."""
_SMILE = b":)\n"
_BGF_HEADER = re.compile(rb'"format"\s*:\s*"BGF"')
_SGF_START = re.compile(rb"\(\s*;")
_MAT_MARK = re.compile(
    rb"^[ \t]*Game[ \t]*\d+[ \t]*(?:[.:(].*)?\r*$"
    rb"|(?<!\d)\d{1,5}[ -]*(?:point|pt)s?[ -]+match|match[ \t]+to[ \t]+\d",
    re.MULTILINE | re.IGNORECASE,
)
# Whatever a damaged file makes a converter raise; a MemoryError is not among them.
_DAMAGE = (
    ValueError, LookupError, TypeError, AttributeError, ArithmeticError, EOFError, OSError, RecursionError,
    AssertionError, struct.error, zlib.error,
)  # fmt: skip


class FileFormat(StrEnum):
    """A format by its usual ending."""

    MAT = "mat"
    SGF = "sgf"
    XG = "xg"
    BGF = "bgf"
    OGXM_JSON = "ogxm"
    OGXM_BINARY = "gvab"


_OGXM = {FileFormat.OGXM_JSON, FileFormat.OGXM_BINARY}
_LEFT_OUT, _REFUSED = "left_out", "refused"
"""Added to a canonical document: the analyses that it lost, and why it lost all of them."""
_MOST_NAMED = 5


class UnsupportedFormat(InvalidNotation):
    """A file that is recognised, and not read: an archive."""


def document(found: FileFormat, content: bytes) -> Mapping[str, Any]:
    """The content of a file that is no text as an OGXM document, White being the file's first player.

    Another package's code does this, without a limit of its own (`scoring.engines.conversion` gives it one).
    Raises InvalidNotation.
    """
    return _READERS[found](content)


def read_match(
    data: bytes, *, document_of: Callable[[FileFormat, bytes], Mapping[str, Any]] = document
) -> MatchRecord:
    """The match in a file of any supported format, replayed with our rules.

    A gzip envelope is opened. For formats that are no text, the lines of the record and of its flags are the
    numbers of the actions in the file, from 1 (each game's heading is one). Raises InvalidNotation, which
    names the line or the place in the file, and UnsupportedFormat.
    """
    content = opened(data)
    found = detect_format(content)
    if found is FileFormat.MAT:
        return read_mat(content)
    if found is FileFormat.SGF:
        return _annotated(*read_sgf_match(content))
    told = document_of(found, content)
    text = mat_text(told)
    record = _record(text)
    if found is FileFormat.XG:
        return _annotated(record, xg_annotations(content))
    if found in _OGXM:
        plies = [text.ply(action) for action in record.lines]
        annotations = ogxm_annotations(record, plies, told)
        record = replace(record, flags=(*record.flags, *_damage_flags(told, text)))
        return record if annotations is None else _annotated(record, annotations)
    return record


def annotations_in(
    data: bytes, *, document_of: Callable[[FileFormat, bytes], Mapping[str, Any]] = document
) -> Annotations | None:
    """What a file that was read before says beside its plays; None for a format that says nothing."""
    content = opened(data)
    found = detect_format(content)
    if found is FileFormat.SGF:
        return read_sgf_match(content)[1]
    if found is FileFormat.XG:
        return xg_annotations(content)
    return read_match(content, document_of=document_of).annotations if found in _OGXM else None


def opened(data: bytes) -> bytes:
    """The file without a gzip envelope; raises InvalidNotation for one that is damaged or too large."""
    if len(data) > LARGEST_FILE:
        raise InvalidNotation(
            "too_large", "the file has {size} bytes, more than {limit}", size=len(data), limit=LARGEST_FILE
        )
    if not data.startswith(b"\x1f\x8b"):
        return data
    return inflated(data, at=0, window=31)


def detect_format(data: bytes) -> FileFormat:
    """The format that the content shows; the name of the file says nothing.

    >>> detect_format(b" 7 point match"), detect_format(b"RGMH....")
    (<FileFormat.MAT: 'mat'>, <FileFormat.XG: 'xg'>)

    Raises UnsupportedFormat for what is known and not read, InvalidNotation for anything else.
    """
    if data.startswith(b"RGMH"):
        return FileFormat.XG
    if data.startswith(b"OGXM"):
        return FileFormat.OGXM_BINARY
    if wide := wide_encoding(data):
        data = data.decode(wide, errors="replace").lstrip("\ufeff").encode()
    start = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"{"):
        return FileFormat.BGF if _BGF_HEADER.search(data[:4096].split(b"\n", 1)[0]) else FileFormat.OGXM_JSON
    if _SGF_START.match(start):
        return FileFormat.SGF
    if start.startswith(b"PK\x03\x04"):
        raise UnsupportedFormat(
            "unsupported_format", "unsupported format: {format}; unpack it first", format="archive"
        )
    if start.startswith(b";") or _MAT_MARK.search(data):
        return FileFormat.MAT
    if not start:
        raise InvalidNotation("empty", "the file is empty; choose the match file", line=1)
    raise InvalidNotation(
        "unknown_format",
        "this is not a match file: it begins with {start!r}. Choose a .mat, .txt, .sgf, .xg, .bgf or "
        "OGXM file",
        at=0,
        start=data[:16].decode("latin-1"),
    )


def _damage_flags(told: Mapping[str, Any], text: MatText) -> Iterator[RecordFlag]:
    """The flags of analyses in a document that were left out, each with its place, and how many more."""
    left_out = told.get(_LEFT_OUT, ())
    actions = {id(ply): action for action, ply in enumerate(text.plies, 1) if ply is not None}
    for game, place, reason in left_out[:_MOST_NAMED]:
        ply = told["games"][game]["plies"][place]
        yield RecordFlag(actions.get(id(ply), 1), "analysis_value", reason, game=game + 1)
    if len(left_out) > _MOST_NAMED:
        yield RecordFlag(1, "analysis_damaged", str(len(left_out) - _MOST_NAMED))
    if told.get(_REFUSED):
        yield RecordFlag(1, "analysis_refused", told[_REFUSED])


def _annotated(record: MatchRecord, annotations: Annotations) -> MatchRecord:
    """The record with what the file says of it, and flags for what of that could not be read."""
    flags = list(record.flags)
    if annotations.damaged:
        flags.append(RecordFlag(1, "analysis_damaged", str(annotations.damaged)))
    if annotations.unread:
        flags.append(RecordFlag(1, "comments_unread", annotations.unread))
    return replace(record, annotations=annotations, flags=tuple(flags))


def _record(text: MatText) -> MatchRecord:
    """Read the cells with our own parser and put back what only the file knows."""
    try:
        record = read_mat(text.data)
    except InvalidNotation as error:
        place = text.place(error.line)
        raise InvalidNotation(
            error.code,
            "{place}: {reason}",
            place=place,
            reason=re.sub(r"^line \d+: ", "", str(error)),
        ) from error
    return replace(
        record,
        players=text.players,
        tags=text.tags,
        lines=tuple(text.action(line) for line in record.lines),
        # A row of the text is an action here, not a turn of both players.
        flags=tuple(replace(flag, line=text.action(flag.line), turn=0) for flag in record.flags),
    )


def _read_xg(data: bytes) -> Mapping[str, Any]:
    """An `.xg` as OGXM with its first player as White, whatever the names."""
    records = bytearray(records_of(data))
    names = _xg_names(bytes(records[:RECORD]))
    _put_ordered_names(records)
    put_played_moves(records)
    # gvformat takes records that are not compressed as they are; no thumbnail stands before them.
    plain = data[:20] + struct.pack("<I", 0) + data[24:HEADER] + bytes(records)
    document = _converted(convert_xg, plain)
    return {**document, "player_white": names[0], "player_black": names[1]}


def _xg_names(header: bytes) -> tuple[str, str]:
    def ansi(offset: int) -> str:
        return header[offset + 1 : offset + 1 + header[offset]].decode("cp1252", errors="replace")

    def wide(offset: int, width: int) -> str:
        return header[offset : offset + width].decode("utf-16-le", errors="replace").split("\0", 1)[0]

    (ansi_1, _), (ansi_2, _), (wide_1, width), (wide_2, _) = _XG_NAMES
    return wide(wide_1, width) or ansi(ansi_1), wide(wide_2, width) or ansi(ansi_2)


def _put_ordered_names(records: bytearray) -> None:
    """Give the players of the header the names A and B: their order by name is then that of the columns."""
    for number, (offset, width) in enumerate(_XG_NAMES):
        name = b"AB"[number % 2 : number % 2 + 1]
        content = b"\1" + name if number < 2 else name
        records[offset : offset + width] = content.ljust(width, b"\0")


def _read_bgf(data: bytes) -> Mapping[str, Any]:
    """A `.bgf` as OGXM with Green as White."""
    head, newline, payload = data.partition(b"\n")
    if not payload.startswith(_SMILE):
        envelope = 31 if payload.startswith(b"\x1f\x8b") else 15
        payload = inflated(payload, at=len(head) + 1, window=envelope)
    plain = head + newline + payload
    _, smile = _converted(read_bgf, plain)
    content = _converted(decode_smile, smile)
    if not isinstance(content, dict):
        raise InvalidNotation("damaged", "the content after byte {at} is not a match", at=len(head) + 1)
    green, red = str(content.get("nameGreen", "")), str(content.get("nameRed", ""))
    if green == red:
        raise InvalidNotation(
            "same_name", "both players are named {name!r}, so the .bgf file does not show who won", name=green
        )
    document = _converted(convert_bgf, plain)
    return document if document["player_white"] == green else turned(document)


def _read_ogxm(data: bytes) -> Mapping[str, Any]:
    try:
        document = json.loads(data.removeprefix(b"\xef\xbb\xbf"))
    except json.JSONDecodeError as error:
        raise InvalidNotation("json", "character {at}: {reason}", at=error.pos, reason=error.msg) from error
    except (UnicodeDecodeError, RecursionError) as error:
        raise InvalidNotation("json", "not JSON: {reason}", reason=str(error)) from error
    if not isinstance(document, dict) or not isinstance(document.get("games"), list):
        raise InvalidNotation("not_a_match", "this JSON file is not a match: it has no list of games")
    try:
        canonical: Mapping[str, Any] = _converted(canonicalize, document)
    except InvalidNotation as error:
        canonical = _without_damage(document, str(error))
    put_back_errors(document, canonical)
    return canonical


def _without_damage(document: Mapping[str, Any], reason: str) -> Mapping[str, Any]:
    """The canonical document without what is damaged in its analysis: those decisions, else the whole of it.

    Raises InvalidNotation where the match itself is damaged.
    """
    sound, left_out = without_damaged(document)
    if left_out:
        with suppress(InvalidNotation):
            told = [(each.game, each.ply, each.reason) for each in left_out]
            return {**_converted(canonicalize, sound), _LEFT_OUT: told}
    return {**_converted(canonicalize, without_analyses(document)), _REFUSED: reason}


def _read_gvab(data: bytes) -> Mapping[str, Any]:
    document: Mapping[str, Any] = _converted(read_gvab, data)
    return document


def turned(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same match with the players in the other columns.

    Points are counted from one fixed side in the document, so each is told from the other end.
    """
    return {
        **document,
        "player_white": document["player_black"],
        "player_black": document["player_white"],
        "games": [_turned_game(game) for game in document["games"]],
    }


def _turned_game(game: Mapping[str, Any]) -> Mapping[str, Any]:
    winner = game.get("winner")
    plies = [_turned_ply(ply) for ply in game.get("plies") or ()]
    return {**game, "winner": 1 - winner if winner in (0, 1) else winner, "plies": plies}


def _turned_ply(ply: Mapping[str, Any]) -> Mapping[str, Any]:
    changed = {**ply, "color": 1 - ply["color"]}
    if ply.get("moves"):
        changed["moves"] = [{**move, "from": 25 - move["from"]} for move in ply["moves"]]
    if ply.get("set_position"):
        changed["set_position"] = [-count for count in reversed(ply["set_position"])]
    return changed


def _converted(convert: Callable[..., Any], source: Any) -> Any:
    try:
        return convert(source)
    except _DAMAGE as error:
        raise InvalidNotation(
            "damaged",
            "the file is damaged: {kind}: {reason}",
            kind=type(error).__name__,
            reason=str(error)[:200],
        ) from error


_READERS: Mapping[FileFormat, Callable[[bytes], Mapping[str, Any]]] = {
    FileFormat.XG: _read_xg,
    FileFormat.BGF: _read_bgf,
    FileFormat.OGXM_JSON: _read_ogxm,
    FileFormat.OGXM_BINARY: _read_gvab,
}
