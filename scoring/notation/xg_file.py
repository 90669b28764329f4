"""The container of an `.xg` file: a header, a picture, and compressed parts with a directory behind them.

Source: eXtreme Gammon's published description of its files (`TRichGameHeader`, `TSaveRec` and the archive in
which they lie). The records of the match are the first part. The directory is the last one: 532 bytes an
entry, the part's name as a Pascal string first.
"""

import struct

from scoring.notation.inflating import LARGEST_CONTENT, inflated, inflated_part
from scoring.rules.errors import InvalidNotation

LARGEST_COMMENTS = 4 * 1024 * 1024
"""Bytes of all comments as rich text: a comment on each of 1,500 decisions has some 2 MB."""
HEADER, RECORD = 8232, 2560
KIND = 8
"""Where a record says what it is."""
MATCH_HEADER, GAME_HEADER, CUBE, MOVE, GAME_FOOTER, MATCH_FOOTER = range(6)
_PICTURE = 20
"""Where the header says how many bytes the picture behind it has."""
_AFTER, _PLAYED, _COUNT_BEFORE, _COUNT, _CANDIDATES, _CANDIDATE_MOVES = 35, 68, 120, 188, 192, 1024
"""Of a play: the position it led to, its moves; how many candidates (twice), their positions and moves."""
_ENTRY = 532
_COMMENTS = b"temp.xgc"
_MOST_PARTS = 8


def records_of(data: bytes) -> bytes:
    """All records of the match, each of ``RECORD`` bytes, the match's header first.

    Raises InvalidNotation with the byte for a file that is cut off or damaged.
    """
    start = _start(data)
    records = inflated(data[start:], at=start, window=15)
    whole, rest = divmod(len(records), RECORD)
    if rest or not whole or records[KIND] != MATCH_HEADER:
        raise InvalidNotation(
            "records",
            "{whole} whole records and {rest} bytes follow byte {at}: the file is damaged",
            at=start,
            whole=whole,
            rest=rest,
        )
    return records


def put_played_moves(records: bytearray) -> None:
    """Give every play without an analysis itself as the only candidate.

    Converters read a play from the candidates of its analysis, where XG writes it a second time; a match that
    was never analysed has it in its own place alone. A roll that was not played has no moves there either.
    """
    for start in range(0, len(records), RECORD):
        if records[start + KIND] != MOVE or struct.unpack_from("<i", records, start + _COUNT)[0] != 0:
            continue
        moves = struct.unpack_from("<8i", records, start + _PLAYED)
        if not any(moves) or not all(-128 <= number < 128 for number in moves):
            continue
        after = records[start + _AFTER : start + _AFTER + 26]
        records[start + _CANDIDATES : start + _CANDIDATES + 26] = after
        struct.pack_into("<8b", records, start + _CANDIDATE_MOVES, *moves)
        for count in (_COUNT, _COUNT_BEFORE):
            struct.pack_into("<i", records, start + count, 1)


def comments_of(data: bytes) -> list[bytes]:
    """The comments, to which records refer by their number from 0: RTF, one a line; none without that part.

    Raises InvalidNotation for a file whose parts cannot be opened or whose comments are too large.
    """
    parts = _parts(data)
    if len(parts) < 2:
        return []
    names = [entry[1 : 1 + entry[0]] for entry in _entries(parts[-1])]
    if _COMMENTS not in names or names.index(_COMMENTS) >= len(parts) - 1:
        return []
    text = parts[names.index(_COMMENTS)]
    if len(text) > LARGEST_COMMENTS:
        raise InvalidNotation(
            "too_large",
            "the comments have {size} bytes, more than {limit}",
            size=len(text),
            limit=LARGEST_COMMENTS,
        )
    # A line's own line ends are written as 1 and 2.
    return [line.replace(b"\1\2", b"\r\n") for line in text.split(b"\r\n")]


def _start(data: bytes) -> int:
    if len(data) < HEADER:
        raise InvalidNotation(
            "truncated",
            "an .xg header has {header} bytes, the file ends at {at}",
            at=len(data),
            header=HEADER,
        )
    start = HEADER + int(struct.unpack_from("<I", data, _PICTURE)[0])
    if start >= len(data):
        raise InvalidNotation(
            "truncated",
            "the records should begin at {start}, the file ends at {at}",
            at=len(data),
            start=start,
        )
    return start


def _parts(data: bytes) -> list[bytes]:
    """All parts, which together may be as large as one file."""
    at = _start(data)
    parts: list[bytes] = []
    rest, limit = data[at:], LARGEST_CONTENT
    while len(parts) < _MOST_PARTS and rest[:1] == b"\x78":  # what every zlib stream begins with
        content, rest = inflated_part(rest, at=at, window=15, limit=limit)
        limit -= len(content)
        at = len(data) - len(rest)
        parts.append(content)
    return parts


def _entries(directory: bytes) -> list[bytes]:
    return [directory[at : at + _ENTRY] for at in range(0, len(directory) - _ENTRY + 1, _ENTRY)]
