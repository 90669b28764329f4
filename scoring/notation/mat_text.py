"""The bytes of a text file as text, whichever program and system wrote them."""

import codecs

from scoring.notation.record import RecordFlag
from scoring.rules.errors import InvalidNotation

_WIDE_MARKS = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_PADDING = b"\0\x1a"
"""What some systems fill up the last block of a text with."""


def wide_encoding(data: bytes) -> str | None:
    """The kind of UTF-16 that a text is in: by its mark, or because every other byte is zero.

    >>> wide_encoding("7 point".encode("utf-16-be")), wide_encoding(b"7 point")
    ('utf-16-be', None)
    """
    for mark, encoding in _WIDE_MARKS:
        if data.startswith(mark):
            return encoding
    start = data[:400]
    even, odd = start[::2], start[1::2]
    if len(start) > 7 and odd.count(0) > 0.9 * len(odd) and even.count(0) < 0.1 * len(even):
        return "utf-16-le"
    if len(start) > 7 and even.count(0) > 0.9 * len(even) and odd.count(0) < 0.1 * len(odd):
        return "utf-16-be"
    return None


def decoded(data: bytes) -> tuple[str, list[RecordFlag]]:
    """The text, and a flag where its encoding had to be guessed.

    Raises :class:`InvalidNotation` with the line for a zero byte within.
    """
    wide = wide_encoding(data)
    if wide is not None:
        text = data.decode(wide, errors="replace").lstrip("\ufeff").rstrip("\0\x1a")
        _refuse_zeros(text.encode())
        return text, []
    data = data.rstrip(_PADDING)
    _refuse_zeros(data)
    try:
        return data.decode("utf-8-sig"), []
    except UnicodeDecodeError:
        return _narrow(data), [RecordFlag(1, "encoding", "cp1252")]


def _refuse_zeros(data: bytes) -> None:
    if b"\0" in data:
        raise InvalidNotation(
            "not_text",
            "line {line}: a zero byte: this is not a text file",
            line=data[: data.index(b"\0")].count(b"\n") + 1,
        )


def _narrow(data: bytes) -> str:
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return data.decode("latin-1")
