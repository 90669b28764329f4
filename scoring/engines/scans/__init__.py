"""Turn the pages of a PDF into pictures, in a child process bounded in time and memory.

PDFium draws them; what a damaged or malicious file makes it do is bounded from outside, and nothing of the
file but the pixels of its pages comes back.
"""

import base64
from contextlib import closing

from scoring.engines.errors import EngineCrashed, EngineMemory, EngineTimeout
from scoring.engines.process import run_lines

CHILD = "scoring.engines.scans"
MARK = b"%PDF-"
"""What a PDF begins with (ISO 32000-1, section 7.5.2)."""
TIME_LIMIT = 20.0
"""Seconds of wall clock for all pages."""
MEMORY_LIMIT = 1024**3
"""Bytes of address space."""


class ScanError(Exception):
    """A PDF whose pages cannot be drawn. ``code`` is "damaged", "password", "pages" or "slow"."""

    def __init__(self, code: str, *, pages: int = 0) -> None:
        super().__init__(code)
        self.code, self.pages = code, pages


def pages_of(content: bytes, *, most: int, long_side: int) -> list[bytes]:
    """The pages of a PDF as JPEGs, ``long_side`` pixels wide or high, smaller ones at 300 dots per inch.

    Raises ScanError, with the number of ``pages`` where there are more than ``most``.
    """
    request = {"content": base64.b64encode(content).decode(), "most": most, "long_side": long_side}
    pages: list[bytes] = []
    parts: list[str] = []
    try:
        with closing(
            run_lines(CHILD, [], request, time_limit=TIME_LIMIT, memory_limit=MEMORY_LIMIT)
        ) as lines:
            for message in lines:
                if "refused" in message:
                    raise ScanError(message["refused"], pages=message["pages"])
                parts.append(message["part"])
                if message["last"]:
                    pages.append(base64.b64decode("".join(parts)))
                    parts = []
    except EngineTimeout as error:
        raise ScanError("slow") from error
    except (EngineMemory, EngineCrashed) as error:
        raise ScanError("damaged") from error
    return pages
