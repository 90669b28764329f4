"""Read foreign match files in a child process bounded in time and memory.

The converters of `.xg`, `.bgf` and OGXM are another package's, written for whole files: what a damaged or
malicious one makes them do is bounded from outside. Texts (`.mat`) are read by our own parser, here.
"""

import base64
import json
from collections.abc import Mapping
from contextlib import closing
from typing import Any

from scoring.engines.errors import EngineCrashed, EngineMemory, EngineTimeout
from scoring.engines.process import run_lines
from scoring.notation.annotations import Annotations
from scoring.notation.formats import FileFormat, annotations_in, read_match
from scoring.notation.record import MatchRecord
from scoring.rules.errors import InvalidNotation

CHILD = "scoring.engines.conversion"
TIME_LIMIT = 60.0
"""Seconds of wall clock: the largest match seen takes under one, a busy machine some more."""
MEMORY_LIMIT = 1024**3
"""Bytes of address space."""


class ConversionTimeout(InvalidNotation):
    """The file was not read within its time."""


class ConversionBroke(InvalidNotation):
    """The file made its reader run out of memory, or break down."""


def read_bounded(data: bytes, *, time_limit: float | None = None) -> MatchRecord:
    """`read_match`, where another package's code is given `time_limit` seconds (`TIME_LIMIT` by default).

    Raises what `read_match` raises, ConversionTimeout and ConversionBroke; all are InvalidNotation.
    """
    seconds = TIME_LIMIT if time_limit is None else time_limit
    return read_match(data, document_of=lambda found, content: _document(found, content, seconds))


def annotations_bounded(data: bytes) -> Annotations | None:
    """`annotations_in`, bounded as `read_bounded`. Raises InvalidNotation."""
    return annotations_in(data, document_of=lambda found, content: _document(found, content, TIME_LIMIT))


def _document(found: FileFormat, content: bytes, seconds: float) -> Mapping[str, Any]:
    try:
        return _asked(found, content, seconds)
    except EngineTimeout as error:
        raise ConversionTimeout(
            "too_slow", "the file was not read within {seconds:g} seconds", seconds=seconds
        ) from error
    except EngineMemory as error:
        raise ConversionBroke(
            "too_much_memory", "reading the file needs more than {limit} bytes of memory", limit=MEMORY_LIMIT
        ) from error
    except EngineCrashed as error:
        raise ConversionBroke(
            "damaged", "the file is damaged: the reader crashed ({how})", how=str(error)[:200]
        ) from error


def _asked(found: FileFormat, content: bytes, seconds: float) -> Mapping[str, Any]:
    request = {"format": found.value, "content": base64.b64encode(content).decode()}
    parts: list[str] = []
    lines = run_lines(CHILD, [], request, time_limit=seconds, memory_limit=MEMORY_LIMIT)
    with closing(lines):
        for message in lines:
            if "refused" in message:
                refused = message["refused"]
                raise InvalidNotation(refused["code"], refused["template"], **refused["parameters"])
            parts.append(message["part"])
    document: Mapping[str, Any] = json.loads("".join(parts))
    return document
