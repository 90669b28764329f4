"""Changes to real `.xg` files, for tests: without an analysis, with part of one, with a damaged one."""

import struct
import zlib
from collections.abc import Callable, Iterator

from scoring.notation.xg_file import CUBE, HEADER, KIND, MOVE, RECORD, records_of

PICTURE = 20


def changed(data: bytes, change: Callable[[bytearray], None]) -> bytes:
    """The file with its records changed; what stands behind them stays."""
    start = HEADER + int(struct.unpack_from("<I", data, PICTURE)[0])
    stream = zlib.decompressobj()
    stream.decompress(data[start:])
    records = bytearray(records_of(data))
    change(records)
    return data[:start] + zlib.compress(bytes(records)) + stream.unused_data


def of_kind(records: bytearray, kind: int) -> Iterator[int]:
    """Where the records of a kind begin."""
    return (at for at in range(0, len(records), RECORD) if records[at + KIND] == kind)


def without_analysis(records: bytearray, *, plays_from: int = 0) -> None:
    """As XG stores a match that was not analysed: no candidates, no equities of the cube."""
    for at in list(of_kind(records, MOVE))[plays_from:]:
        records[at + 192 : at + 2304] = bytes(2304 - 192)
        struct.pack_into("<i", records, at + 188, 0)
        struct.pack_into("<i", records, at + 120, 0)
        struct.pack_into("<2d", records, at + 2312, -1000.0, -1000.0)
    for at in list(of_kind(records, CUBE))[plays_from:]:
        records[at + 124 : at + 196] = bytes(196 - 124)
