"""The data beside the project (``../shared/data``): real matches and events that are not copied into it.

Where it is absent, the tests that need it are left out and counted; with ``CI=true`` they fail instead.
"""

import os
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

SHARED_DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
ABSENT = "data beside the project is absent"


def shared_files(pattern: str) -> list[ParameterSet]:
    """Parameters for ``pytest.mark.parametrize``: one path per file that matches, e.g. ``matches/*.txt``.

    Without the data there is one parameter, whose test is left out and counted.
    """
    found = sorted(SHARED_DATA.glob(pattern))
    paths = found or [SHARED_DATA / pattern]
    return [pytest.param(path, id=path.name, marks=pytest.mark.shared_data) for path in paths]


def require_shared_data() -> Path:
    """The folder itself; leaves the calling test out, or fails it with ``CI=true``, where it is absent."""
    if not SHARED_DATA.is_dir():
        reason = f"{ABSENT}: {SHARED_DATA}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    return SHARED_DATA
