"""Static files for browsers: our scripts joined, scripts and styles without comments, compressed.

Comments are a quarter of them; the headers of sixty small modules weighed as much as half of the code. Brotli
saves a seventh of gzip's size, but would take 15 seconds for all third-party files. Third-party files are
sent unchanged.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.management import CommandError
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

from deploy.joined_scripts import CannotJoin, joined

if TYPE_CHECKING:
    from django.core.files.base import File

Paths = dict[str, tuple[Any, str]]
"""The storage of each file that was found, and its path there."""

OURS = ("clubs/", "scoring/", "tournaments/")
SCRIPT_COMMENT = re.compile(r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*\n|//[^\n]*\n)", re.DOTALL | re.MULTILINE)
"""A comment on its own lines; after code only a parser could recognize it."""
STYLE_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
INDENT = re.compile(r"\s*\n\s*")
JOINED = r'(?m)(?P<matched>^import (?P<what>(?:\{[^}]*\} from )?)"(?P<url>[^"]+)";$)'
"""How a joined script imports another, whose name is that of its content."""


def _script(text: str) -> str:
    text = SCRIPT_COMMENT.sub("", text)
    # White space at the beginning of a line means something in a template over several lines alone.
    return text if any(line.count("`") % 2 for line in text.splitlines()) else INDENT.sub("\n", text)


def _style(text: str) -> str:
    return INDENT.sub("\n", STYLE_COMMENT.sub("", text)).lstrip()


SHORTER: dict[str, Callable[[str], str]] = {".js": _script, ".css": _style}


def is_script_of_ours(name: str) -> bool:
    return name.startswith(OURS) and name.endswith(".js") and "/vendor/" not in name


def shortened(name: str, text: str) -> str:
    """A script or style of ours without comments and indentation; other files unchanged."""
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
    """Collects as WhiteNoise does, joining and stripping ours before hashing their names."""

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        *((f"{app}*.js", ((JOINED, 'import %(what)s"%(url)s";'),)) for app in OURS),
    )
    max_post_process_passes = 10  # one for each file in a chain of imports

    def post_process(self, paths: Paths, dry_run: bool = False, **options: Any) -> Iterator[Any]:  # noqa: FBT001, FBT002 - Django's
        if not dry_run:
            paths = self._join(paths)
        yield from super().post_process(paths, dry_run=dry_run, **options)

    def _join(self, paths: Paths) -> Paths:
        """Put the joined scripts in the place of the collected ones; return what is there then."""
        sources = {}
        for name in filter(is_script_of_ours, paths):
            storage, path = paths[name]
            with storage.open(path) as file:
                sources[name] = file.read().decode()
            self.delete(name)
        try:
            files = joined(sources)
        except CannotJoin as error:
            raise CommandError(f"the scripts cannot be joined: {error}") from error
        for name, text in files.items():
            self.save(name, ContentFile(text.encode()))
        kept = {name: found for name, found in paths.items() if name not in sources}
        return kept | {name: (self, name) for name in files}

    def _save(self, name: str, content: "File[bytes]") -> str:
        if name.startswith(OURS) and name.endswith(tuple(SHORTER)):
            text = b"".join(content.chunks()).decode()  # from the beginning: its digest has been taken
            content = ContentFile(shortened(name, text).encode())
        return str(super()._save(name, content))

    def create_compressor(self, **kwargs: Any) -> Compressor:
        return BestForPages(**kwargs)
