"""Decompress parts of match files up to a size limit."""

import zlib

from scoring.rules.errors import InvalidNotation

LARGEST_CONTENT = 64 * 1024 * 1024
"""Bytes of a file once inflated: an analysed match of 25 points has about 10 MB of records."""


def inflated(data: bytes, *, at: int, window: int) -> bytes:
    """Decompressed data from an offset on; raises if damaged or too large."""
    return inflated_part(data, at=at, window=window)[0]


def inflated_part(data: bytes, *, at: int, window: int, limit: int = LARGEST_CONTENT) -> tuple[bytes, bytes]:
    """``inflated``, and what follows behind it."""
    stream = zlib.decompressobj(window)
    try:
        content = stream.decompress(data, limit + 1)
    except zlib.error as error:
        raise InvalidNotation("compressed", "byte {at}: {reason}", at=at, reason=str(error)) from error
    if len(content) > limit:
        raise InvalidNotation(
            "too_large",
            "the compressed data from byte {at} is larger than {limit} bytes",
            at=at,
            limit=limit,
        )
    if not stream.eof:
        raise InvalidNotation("truncated", "the compressed data from byte {at} is cut off", at=at)
    return content, stream.unused_data
