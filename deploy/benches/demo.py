"""The full demo club: time to create it, and how well ratings follow strength.

There is no peer. The target is under two minutes on two processors, and a rank correlation of at least 0.6.
"""

from collections.abc import Iterator

from deploy.demo.making import make_demo
from deploy.demo.plan import Size
from deploy.figures import Figure

ENGINES = True


def run() -> Iterator[Figure]:
    """Create it once with the default seed of ``manage.py demo``."""
    report = make_demo(
        seed=1, size=Size(), say=lambda _words: None, progress=lambda _words: lambda _done, _total: None
    )
    size = f"{report.members} people, {report.matches} matches, {report.analysed} analysed"
    yield Figure("demo_s", report.seconds, "s", size=size)
    yield Figure("spearman", report.spearman or 0.0, "rho", size=size, higher_is_better=True)
