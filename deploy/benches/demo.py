"""The demo club at its full size: how long it takes, and how well its ratings follow its players' strength.

There is no peer: nobody else plays a club's year. The promise is under two minutes on two processors, and a
rank correlation of at least 0.6.
"""

from collections.abc import Iterator

from deploy.demo.making import make_demo
from deploy.demo.plan import Size
from deploy.figures import Figure

ENGINES = True


def run() -> Iterator[Figure]:
    """Make it once, from the seed that ``manage.py demo`` takes."""
    report = make_demo(
        seed=1, size=Size(), say=lambda _words: None, progress=lambda _words: lambda _done, _total: None
    )
    size = f"{report.members} people, {report.matches} matches, {report.analysed} analysed"
    yield Figure("demo_s", report.seconds, "s", size=size)
    yield Figure("spearman", report.spearman or 0.0, "rho", size=size, higher_is_better=True)
