import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deploy.checkout import copy_project, roots_home_of
from tests.chaos.installation import Up, as_started_before


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


@pytest.fixture(scope="session")
def built(new_checkout: Callable[[str], Path]) -> Path:
    """A fresh copy of the project, its ``.venv`` made from the production lock alone by a first ``up``."""
    checkout = copy_project(new_checkout("built"))
    with Up(checkout) as up:
        assert up.stop() == 0
    return checkout


@pytest.fixture(scope="module")
def running(built: Path, new_checkout: Callable[[str], Path], request: pytest.FixtureRequest) -> Iterator[Up]:
    """One installation for all tests of a module; each test leaves it healthy."""
    name = request.module.__name__.rpartition(".")[2]
    with Up(as_started_before(built, new_checkout(name))) as up:
        up.wait_until(up.ready, "readiness")
        yield up
