import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deploy.checkout import copy_project, roots_home_of
from tests.chaos.installation import Up, bare_environment, with_environment


@pytest.fixture(scope="session")
def new_checkout() -> Iterator[Callable[[str], Path]]:
    """Makes directories that an ordinary user can enter, unlike pytest's own; removed at the end."""
    base = Path(tempfile.mkdtemp(prefix="midpoint-chaos-"))
    base.chmod(stat.S_IRWXU | stat.S_IXGRP | stat.S_IXOTH | stat.S_IRGRP | stat.S_IROTH)

    def make(name: str) -> Path:
        path = base / name
        path.mkdir()
        return path

    yield make
    for checkout in base.iterdir():
        if os.geteuid() == 0:
            shutil.rmtree(roots_home_of(checkout / "var"), ignore_errors=True)
    shutil.rmtree(base, ignore_errors=True)


class Shared:
    """One installation for all tests that can share it. One may stop or kill it; the next starts it again."""

    def __init__(self, checkout: Path) -> None:
        self.checkout = checkout
        self.backups = checkout / "backups"
        self.backups.mkdir()
        self.first_words = ""
        self._up: Up | None = None

    def running(self) -> Up:
        if self._up is None or not self._up.alive:
            self._up = Up(self.checkout, environment=self.environment()).__enter__()
            self.first_words = self.first_words or self._up.printed
        return self._up

    def environment(self) -> dict[str, str]:
        """A person's shell, with a folder for the nightly backups."""
        return bare_environment(BACKUP_FOLDER=str(self.backups))

    def stop(self) -> None:
        if self._up is not None:
            self._up.__exit__()


@pytest.fixture(scope="session")
def shared(new_checkout: Callable[[str], Path]) -> Iterator[Shared]:
    """A fresh copy of the project, with the environment of this run and nothing else."""
    made = Shared(with_environment(copy_project(new_checkout("shared"))))
    yield made
    made.stop()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Stop the shared installation at last, or it has to be started once more."""
    items.sort(key=lambda item: bool({"running_at_last", "stopped"} & set(getattr(item, "fixturenames", ()))))


@pytest.fixture
def running(shared: Shared) -> Up:
    """The shared installation, ready."""
    up = shared.running()
    up.wait_until(up.ready, "readiness")
    return up


@pytest.fixture
def running_at_last(running: Up) -> Up:
    """The shared installation for a test that stops it: such tests come last."""
    return running
