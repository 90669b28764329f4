"""Finds our scripts as an installation sends them: joined, and made from the sources when first asked for."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import AppDirectoriesFinder, BaseFinder

from deploy.joined_scripts import joined
from deploy.static_files import is_script_of_ours, shortened


def sources() -> dict[str, str]:
    """Our scripts by their names."""
    return {
        name: Path(storage.path(name)).read_text()
        for name, storage in AppDirectoriesFinder().list([])
        if is_script_of_ours(name)
    }


@cache
def folder() -> Path:
    """Where they are, until the process ends."""
    made = Path(tempfile.mkdtemp(prefix="midpoint-scripts-"))
    atexit.register(shutil.rmtree, made)
    for name, text in joined(sources()).items():
        path = made / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(shortened(name, text))
    return made


class JoinedScripts(BaseFinder):
    def find(self, path: str, find_all: bool = False, **_options: Any) -> Any:
        if not is_script_of_ours(path) or not (found := folder() / path).is_file():
            return []
        return [str(found)] if find_all else str(found)

    def check(self, **_options: Any) -> list[Any]:
        return []

    def list(self, ignore_patterns: Any) -> Any:
        """None: what is collected is joined then."""
        return iter(())
