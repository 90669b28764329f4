"""Our scripts and styles as they are sent: without their comments, which are half of them.

What is read and tested stays the source; collecting makes what browsers get. Other people's files are sent
as they came.
"""

from typing import TYPE_CHECKING

from django.core.files.base import ContentFile
from rcssmin import cssmin
from rjsmin import jsmin
from whitenoise.storage import CompressedManifestStaticFilesStorage

if TYPE_CHECKING:
    from django.core.files.base import File

OURS = ("clubs/", "scoring/", "tournaments/")
SHORTER = {".js": jsmin, ".css": cssmin}


def shortened(name: str, text: str) -> str:
    """A script or style of ours without comments and needless space; anything else as it is."""
    if name.startswith(OURS) and "/vendor/" not in name:
        for ending, shorten in SHORTER.items():
            if name.endswith(ending):
                return str(shorten(text))
    return text


class ShortStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Collects static files as WhiteNoise does, ours shortened before they are named by their content."""

    def _save(self, name: str, content: "File[bytes]") -> str:
        if name.startswith(OURS) and name.endswith(tuple(SHORTER)):
            text = b"".join(content.chunks()).decode()  # from the beginning: its digest has been taken
            content = ContentFile(shortened(name, text).encode())
        return str(super()._save(name, content))
