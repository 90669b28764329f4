"""Static files for browsers: our scripts and styles without comments, compressed.

Comments are a quarter of them; Brotli saves a seventh of gzip's size, but would take 15 seconds for all
third-party files. The source is what is read and tested; collecting strips it. Third-party files are sent
unchanged.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.files.base import ContentFile
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

if TYPE_CHECKING:
    from django.core.files.base import File

OURS = ("clubs/", "scoring/", "tournaments/")
SCRIPT_COMMENT = re.compile(r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*\n|//[^\n]*\n)", re.DOTALL | re.MULTILINE)
"""A comment on its own lines; after code only a parser could recognize it."""
STYLE_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
INDENT = re.compile(r"\s*\n\s*")


def _script(text: str) -> str:
    return SCRIPT_COMMENT.sub("", text)


def _style(text: str) -> str:
    return INDENT.sub("\n", STYLE_COMMENT.sub("", text)).lstrip()


SHORTER: dict[str, Callable[[str], str]] = {".js": _script, ".css": _style}


def shortened(name: str, text: str) -> str:
    """A script or style of ours without comments; other files unchanged."""
    if name.startswith(OURS) and "/vendor/" not in name:
        for ending, shorten in SHORTER.items():
            if name.endswith(ending):
                return shorten(text)
    return text


class BestForPages(Compressor):  # type: ignore[misc]
    """Compresses files of every page with Brotli and gzip, others with gzip."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.quick = Compressor(**kwargs, use_brotli=False)

    def compress(self, path: str) -> list[str]:
        name = Path(path).relative_to(settings.STATIC_ROOT).as_posix()
        if name.startswith((*OURS, "django_htmx/")):
            return list(super().compress(path))
        return list(self.quick.compress(path))


class ShortStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Collects as WhiteNoise does, stripping ours before hashing their names."""

    def _save(self, name: str, content: "File[bytes]") -> str:
        if name.startswith(OURS) and name.endswith(tuple(SHORTER)):
            text = b"".join(content.chunks()).decode()  # from the beginning: its digest has been taken
            content = ContentFile(shortened(name, text).encode())
        return str(super()._save(name, content))

    def create_compressor(self, **kwargs: Any) -> Compressor:
        return BestForPages(**kwargs)
