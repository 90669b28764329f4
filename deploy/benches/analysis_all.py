"""As `bench analysis`, over every match file of the shared data: about an hour on two cores."""

from collections.abc import Iterator

from deploy.benches.analysis import DATA, measured
from deploy.figures import Figure


def run() -> Iterator[Figure]:
    files = [*(DATA / "matches").iterdir(), *(DATA / "xg").iterdir()]
    yield from measured(sorted(files))
