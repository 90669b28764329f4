"""Rich text as plain text: enough of RTF 1.9 to read a comment.

Kept are characters, paragraphs, line breaks and tabs. Tables of fonts, colours and styles, pictures and every
group that begins with ``\\*`` are left out.
"""

import re

_TOKEN = re.compile(
    rb"\\(?P<word>[a-z]{1,32})(?P<number>-?\d{1,6})? ?"
    rb"|\\'(?P<hex>[0-9a-f]{2})"
    rb"|\\(?P<symbol>.)"
    rb"|(?P<brace>[{}])"
    rb"|(?P<text>[^\\{}]+)",
    re.IGNORECASE | re.DOTALL,
)
_TABLES = frozenset(
    {b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pict", b"object", b"header", b"footer"}
)
_BREAKS = {b"par": "\n", b"line": "\n", b"tab": "\t"}
_SYMBOLS = {b"\\": "\\", b"{": "{", b"}": "}", b"~": "\u00a0", b"_": "-"}
_START = b"{\\rtf"


def plain_text(data: bytes) -> str:
    """The text of a comment that is RTF, or else is taken as Windows-1252.

    >>> plain_text(rb"{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}d\\'e9j\\u224?\\par vu}")
    'déjà\\nvu'
    >>> plain_text(b"a good play")
    'a good play'
    """
    if not data.lstrip().startswith(_START):
        return data.decode("cp1252", errors="replace").strip()
    return _Reader().read(data)


class _Reader:
    def __init__(self) -> None:
        self.text: list[str] = []
        self.hidden = [False]
        self.skip = 0
        """Characters that stand in for one that was written as a number."""

    def read(self, data: bytes) -> str:
        for token in _TOKEN.finditer(data):
            if token["brace"] == b"{":
                self.hidden.append(self.hidden[-1])
            elif token["brace"]:
                self.hidden = self.hidden[:-1] or [True]
            elif token["word"]:
                self._word(token["word"].lower(), token["number"])
            elif token["hex"]:
                self._add(bytes.fromhex(token["hex"].decode()).decode("cp1252", errors="replace"))
            elif token["symbol"] == b"*":
                self.hidden[-1] = True
            elif token["symbol"]:
                self._add(_SYMBOLS.get(token["symbol"], ""))
            else:
                text = token["text"].decode("cp1252", errors="replace")
                self._add(text.replace("\r", "").replace("\n", ""))
        # A character beyond the first 65,536 is written as two halves.
        halves = "".join(self.text).encode("utf-16-le", errors="surrogatepass")
        return halves.decode("utf-16-le", errors="replace").strip()

    def _word(self, word: bytes, number: bytes | None) -> None:
        if word in _TABLES:
            self.hidden[-1] = True
        elif word in _BREAKS:
            self._add(_BREAKS[word])
        elif word == b"u" and number is not None:
            self._add(chr(int(number) & 0xFFFF))
            self.skip = 1

    def _add(self, text: str) -> None:
        if self.hidden[-1]:
            return
        kept = text[self.skip :]
        self.skip = max(0, self.skip - len(text))
        self.text.append(kept)
