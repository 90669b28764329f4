"""``manage.py demo``: create the club, play, record and analyse; resumable.

The club exists within seconds; its matches follow one by one while the engine plays the next. Each is one
transaction with the count of those done, so that a killed run is resumed, and no match is recorded twice.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from statistics import correlation
from threading import Event
from time import monotonic

from django.db import connection
from django.utils.timezone import localdate

from clubs.models import Club, DemoProgress, WorkStatus
from clubs.work import services as work
from clubs.work.services import WorkLostError
from deploy.demo.club import LAST_STEP, accounts_of, fill_demo, found_demo, games_left, keep_passwords
from deploy.demo.farm import play
from deploy.demo.learning import record_learning
from deploy.demo.plan import ZONE, DemoPlan, Size, demo_plan
from scoring.analysis.services.analyses import run_analysis
from scoring.models import Analysis, Level, Match, Rating

# An arbitrary key: two runs at once would create two clubs.
_LOCK = 0x6D6964706F696E74
_PATIENCE = 600.0  # seconds for analyses that other workers hold
_LOOK_AGAIN = 0.5

Say = Callable[[str], None]
Progress = Callable[[int, int], None]


class DemoBusyError(Exception):
    """Another process is creating or clearing the demo."""


@dataclass(frozen=True, slots=True)
class DemoReport:
    """The finished demo. ``spearman`` correlates strength and rating; 1 is perfect."""

    club: Club
    made_now: bool
    members: int
    matches: int
    analysed: int
    spearman: float | None
    seconds: float


def make_demo(
    *,
    seed: int,
    size: Size,
    say: Say,
    progress: Callable[[str], Progress],
    hands: int | None = None,
    founded: Callable[[Club], None] = lambda _club: None,
    patient: bool = False,
) -> DemoReport:
    """Create the demo club, or finish the existing one.

    ``hands`` is how many analyses run at a time (None: as many as there are processors, at most two).
    ``say`` gets a line for each step, ``progress(words)`` what counts along within one, ``founded`` the club
    as soon as its page can be seen. Raises DemoBusyError unless ``patient``, and EngineError when the engine
    cannot play.
    """
    began = monotonic()
    with alone(patient=patient):
        club = Club.objects.filter(is_demo=True).order_by("pk").first()
        made_now = club is None
        if club is None:
            day = localdate(timezone=ZONE)
            club = found_demo(demo_plan(seed, day, size), seed=seed, day=day, size=size).club
        keep_passwords()
        founded(club)
        so_far = DemoProgress.objects.select_related("club").filter(club=club).first()
        spearman = None if so_far is None or so_far.complete else _fill(so_far, say, progress, hands)
        if not made_now and (so_far is None or so_far.complete):
            say(f"The demo club already exists: {club.name}")
            analyse_missing(club, size.analysed, say, progress, hands)
    return DemoReport(
        club=club,
        made_now=made_now,
        members=club.memberships.count(),
        matches=Match.objects.in_club(club).count(),
        analysed=analysed_in(club),
        spearman=spearman,
        seconds=monotonic() - began,
    )


def _fill(
    so_far: DemoProgress, say: Say, progress: Callable[[str], Progress], hands: int | None
) -> float | None:
    """Record what is missing of the club's plan; return the rank correlation."""
    size = Size(so_far.members, so_far.matches, so_far.analysed)
    plan = demo_plan(so_far.seed, so_far.day, size)
    games = games_left(so_far, plan)
    again = "" if not so_far.done else f"; {so_far.done} already done"
    say(f"1 of 2: playing and recording {len(games)} matches, a year of club nights{again}")
    with closing(play(games, on_progress=progress("played"))) as played:
        fill_demo(so_far, plan, played)
    before = len(plan.fixtures) + LAST_STEP

    def count(done: int, _total: int) -> None:
        # Complete only when everything is: what cannot be analysed is left to the workers.
        now_done = min(before + done, so_far.total - 1)
        DemoProgress.objects.filter(pk=so_far.pk, done__lt=now_done).update(done=now_done)

    analyse_missing(so_far.club, size.analysed, say, progress, hands, count)
    record_learning(so_far.club, accounts_of(so_far))
    DemoProgress.objects.filter(pk=so_far.pk).update(done=so_far.total)
    return strength_correlation(so_far.club, plan)


def analyse_missing(
    club: Club,
    wanted: int,
    say: Say,
    progress: Callable[[str], Progress],
    hands: int | None,
    count: Progress = lambda _done, _total: None,
) -> None:
    """Analyse matches of the club until so many are analysed."""
    missing = wanted - analysed_in(club)
    if missing <= 0:
        return
    say(f"2 of 2: analysing {missing} short matches; the site shows them live")
    shown = progress("analysed")

    def both(done: int, total: int) -> None:
        enough = min(done, total)  # the workers analyse, too
        shown(enough, total)
        count(enough, total)

    analyse(club, wanted, both, hands or min(2, os.cpu_count() or 1))


@contextmanager
def alone(*, patient: bool = False) -> Iterator[None]:
    """Hold the site's lock for demos.

    Raises DemoBusyError when another process has it, unless ``patient``: then wait for it.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [_LOCK])
        if not cursor.fetchone()[0]:
            if not patient:
                raise DemoBusyError(
                    "another process is creating or clearing the demo; wait for it: manage.py demo --wait"
                )
            cursor.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [_LOCK])


def analyse(club: Club, wanted: int, on_progress: Progress, hands: int = 1) -> None:
    """Analyse some of the club's matches, ``hands`` at a time; wait for others' work.

    When interrupted it releases its claims, so that the next run or a worker takes them at once.
    """
    table = _Analyses(club, wanted, on_progress, held={}, stop=Event())
    if hands == 1:
        table.work()
        return
    with ThreadPoolExecutor(hands) as threads:
        tasks = [threads.submit(table.in_thread) for _ in range(hands)]
        try:
            wait(tasks, return_when="FIRST_EXCEPTION")
        finally:
            table.give_back()
    for task in tasks:
        task.result()


@dataclass(frozen=True, slots=True)
class _Analyses:
    """Analyses in progress; ``held`` are those of this process."""

    club: Club
    wanted: int
    on_progress: Progress
    held: dict[int, Analysis]
    stop: Event

    def in_thread(self) -> None:
        """Run ``work`` in a thread with its own database connection."""
        try:
            self.work()
        finally:
            connection.close()

    def work(self) -> None:
        end = monotonic() + _PATIENCE
        open_ones = Analysis.objects.filter(match__club=self.club, level=Level.STANDARD)
        while (done := analysed_in(self.club)) < self.wanted:
            self.on_progress(done, self.wanted)
            running = open_ones.filter(status=WorkStatus.RUNNING).count()
            waiting = open_ones.filter(status=WorkStatus.QUEUED).order_by("head_seq", "pk").first()
            if self.stop.is_set() or monotonic() > end or not (running or waiting):
                return
            claimed = None
            if waiting is not None and done + running < self.wanted:
                claimed = work.claim(Analysis, ref=waiting.ref)
            if claimed is None:
                self.stop.wait(_LOOK_AGAIN)
            else:
                self._run(claimed)
        self.on_progress(done, self.wanted)

    def give_back(self) -> None:
        """Stop: requeue held work, whose engines end at their next heartbeat."""
        self.stop.set()
        for analysis in list(self.held.values()):
            with suppress(WorkLostError):
                work.fail(analysis, error="interrupted")

    def _run(self, analysis: Analysis) -> None:
        self.held[analysis.pk] = analysis
        try:
            with suppress(WorkLostError):  # its lease ran out, or it was released
                run_analysis(analysis)
        finally:
            self.held.pop(analysis.pk, None)


def analysed_in(club: Club) -> int:
    """Number of the club's analysed matches."""
    return Match.objects.filter(club=club, analyses__status=WorkStatus.DONE).distinct().count()


def strength_correlation(club: Club, plan: DemoPlan) -> float:
    """Spearman's rank correlation of the members' strength and their rating."""
    levels = {person.name: person.level for person in plan.people}
    ratings = Rating.objects.filter(list__club=club).select_related("player__person")
    pairs = [(levels[row.player.name], row.value) for row in ratings if row.player.name in levels]
    return rank_correlation(pairs)


def rank_correlation(pairs: list[tuple[float, float]]) -> float:
    """Spearman's coefficient, -1 to 1, of pairs without ties; 0 for fewer than two.

    >>> rank_correlation([(0.1, 1400), (0.5, 1500), (0.9, 1450)])
    0.5
    """
    if len(pairs) < 2:
        return 0.0
    ranks = [[sorted(column).index(value) for value in column] for column in zip(*pairs, strict=True)]
    return round(correlation(*ranks), 4)
