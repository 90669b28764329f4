"""Finds the files whose texts follow the rules of language."""

from pathlib import Path

from deploy.checkout import ROOT
from deploy.wording.texts import Text, texts_in

PLACES = ("clubs", "scoring", "tournaments", "deploy", "templates", "docs", ".github")
PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md")
ENDINGS = frozenset({".py", ".html", ".txt", ".svg", ".xml", ".md"})
# Landed migrations never change; the rules quote what is never written.
NOT_READ = frozenset({"migrations", "wording", "node_modules"})
# The page that explains the language quotes what is never written, too.
LANGUAGE = Path("docs/engineers/language.md")


def texts(paths: tuple[Path, ...] = ()) -> list[Text]:
    """Every text of these files and folders, or of all of Midpoint."""
    return [text for path in files(paths) for text in texts_in(path, ROOT)]


def files(paths: tuple[Path, ...] = ()) -> list[Path]:
    """The files with texts, in order."""
    places = paths or tuple(ROOT / name for name in (*PLACES, *PAGES))
    found = {file for place in places for file in (place.rglob("*") if place.is_dir() else [place])}
    return sorted(file for file in found if _is_read(file))


def _is_read(file: Path) -> bool:
    name = file.relative_to(ROOT)
    return (
        file.is_file()
        and file.suffix in ENDINGS
        and name != LANGUAGE
        and NOT_READ.isdisjoint(name.parts)
        and "static" not in name.parts
    )
