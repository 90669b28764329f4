"""Which analysis is next: urgency, then the club served longest ago, then age, at a constant cost."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now

from clubs.models import Club, WorkStatus
from clubs.refs import new_ref
from clubs.tasks import reconcile
from clubs.work.services import overdue
from scoring.analysis.services import turns
from scoring.analysis.services.turns import claim_next, must_give_way
from scoring.files.services.imports import import_file
from scoring.models import Analysis, AnalysisTurn, Match, Urgency
from tests.factories import ClubFactory
from tests.races import at_once
from tests.scoring.records import short_match
from tests.tiers import sized

pytestmark = pytest.mark.django_db


def a_match(club: Club) -> Match:
    match, _ = import_file(club=club, filename="a.mat", content=short_match("Ana", "Ben"))
    assert match is not None
    Analysis.objects.filter(match=match).delete()
    return match


def waiting(match: Match, number: int, urgency: Urgency, *, minutes: float = 0) -> list[str]:
    """The refs of so many queued analyses, each a moment younger than the one before."""
    since = now() - timedelta(hours=1) + timedelta(minutes=minutes)
    rows = [
        Analysis(
            ref=new_ref(),
            match=match,
            club_id=match.club_id,
            head_seq=1,
            head_hash="ab" * 32,
            preset=new_ref(),
            urgency=urgency,
            available_at=since + timedelta(milliseconds=number),
        )
        for number in range(number)
    ]
    return [row.ref for row in Analysis.objects.bulk_create(rows, batch_size=5000)]


def order() -> list[str]:
    """The refs of everything that waits, in the order in which one worker takes it."""
    return [analysis.ref for analysis in iter(claim_next, None)]


def test_the_more_urgent_goes_first_and_of_equals_the_older() -> None:
    match = a_match(ClubFactory.create())
    idle = waiting(match, 1, Urgency.IDLE, minutes=-9)
    imported = waiting(match, 2, Urgency.IMPORTED, minutes=-5)
    played = waiting(match, 2, Urgency.PLAYED)
    older = waiting(match, 1, Urgency.PLAYED, minutes=-1)
    requested = waiting(match, 1, Urgency.REQUESTED, minutes=5)
    estimate = waiting(match, 1, Urgency.ESTIMATE, minutes=6)
    assert order() == [*estimate, *requested, *older, *played, *imported, *idle]


def test_clubs_take_turns_however_much_one_of_them_imports() -> None:
    large, small, third = (a_match(ClubFactory.create()) for _ in range(3))
    many = waiting(large, 50, Urgency.IMPORTED, minutes=-30)
    few = waiting(small, 2, Urgency.IMPORTED)
    one = waiting(third, 1, Urgency.IMPORTED, minutes=5)
    taken = order()
    assert set(taken[:3]) == {many[0], few[0], one[0]}
    assert set(taken[3:5]) == {many[1], few[1]}
    assert taken[5:] == many[2:]


def test_a_finished_match_goes_before_ten_thousand_files_of_another_club() -> None:
    importing, playing = (a_match(ClubFactory.create()) for _ in range(2))
    waiting(importing, sized(200, 10_000), Urgency.IMPORTED, minutes=-30)
    assert claim_next()
    (played,) = waiting(playing, 1, Urgency.PLAYED)
    found = claim_next()
    assert found is not None
    assert found.ref == played


def test_the_worker_of_quick_tasks_takes_estimates_alone() -> None:
    match = a_match(ClubFactory.create())
    waiting(match, 1, Urgency.REQUESTED)
    (estimate,) = waiting(match, 1, Urgency.ESTIMATE)
    found = claim_next(upto=Urgency.ESTIMATE)
    assert found is not None
    assert found.ref == estimate
    assert claim_next(upto=Urgency.ESTIMATE) is None


def test_what_rests_after_a_failure_keeps_no_other_waiting() -> None:
    first, second = (a_match(ClubFactory.create()) for _ in range(2))
    (resting,) = waiting(first, 1, Urgency.REQUESTED)
    Analysis.objects.filter(ref=resting).update(available_at=now() + timedelta(minutes=1))
    waits = waiting(first, 1, Urgency.IMPORTED) + waiting(second, 1, Urgency.IDLE)
    assert order() == waits


def test_an_analysis_is_left_to_a_machine_that_has_its_engine(monkeypatch) -> None:
    match = a_match(ClubFactory.create())
    elsewhere, here = waiting(match, 2, Urgency.PLAYED)
    Analysis.objects.filter(ref=elsewhere).update(engine="gnubg")
    Analysis.objects.filter(ref=here).update(engine="gammonview")
    monkeypatch.setattr(turns, "installed_engines", lambda: ("gammonview",))
    assert order() == [here]
    monkeypatch.setattr(turns, "installed_engines", lambda: ("gnubg", "gammonview"))
    assert order() == [elsewhere]


@pytest.mark.django_db(transaction=True)
def test_workers_that_claim_at_once_never_share_a_row() -> None:
    matches = [a_match(ClubFactory.create()) for _ in range(2)]
    refs = [ref for match in matches for ref in waiting(match, 2, Urgency.IMPORTED)]
    taken = at_once(*[claim_next] * 6)
    assert sorted(analysis.ref for analysis in taken if analysis) == sorted(refs)
    assert taken.count(None) == 2
    assert AnalysisTurn.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_locked_row_is_passed_over() -> None:
    first, second = waiting(a_match(ClubFactory.create()), 2, Urgency.IMPORTED)
    with transaction.atomic():
        Analysis.objects.select_for_update().get(ref=first)
        (found,) = at_once(claim_next)
    assert found.ref == second


def test_only_an_idle_analysis_gives_way_and_only_to_what_no_other_worker_takes() -> None:
    match = a_match(ClubFactory.create())
    (idle,) = waiting(match, 1, Urgency.IDLE)
    (running,) = waiting(match, 1, Urgency.PLAYED)
    deep, played = Analysis.objects.get(ref=idle), Analysis.objects.get(ref=running)
    assert must_give_way(deep)
    assert not must_give_way(played)
    Analysis.objects.filter(ref=running).update(available_at=now())
    assert not must_give_way(deep)


def test_the_reconciler_wakes_a_few_workers_for_any_number_of_rows() -> None:
    waiting(a_match(ClubFactory.create()), 50, Urgency.IMPORTED)
    assert len(overdue(Analysis)) == Analysis.WAKE_AT_MOST
    assert len(overdue(Analysis)) == Analysis.WAKE_AT_MOST  # others: these were just woken
    reconcile()


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for inner in plan.get("Plans", []):
        yield from nodes(inner)


def rows_read(sql: str) -> int:
    """How many rows of the analyses a statement reads; none of them by a scan of the table."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}")
        found = cursor.fetchone()[0]
    plan = (json.loads(found) if isinstance(found, str) else found)[0]["Plan"]
    of_analyses = [node for node in nodes(plan) if node.get("Relation Name") == "scoring_analysis"]
    assert "Seq Scan" not in {node["Node Type"] for node in of_analyses}, sql
    removed = sum(node.get("Rows Removed by Filter", 0) * node["Actual Loops"] for node in of_analyses)
    return int(removed + sum(node["Actual Rows"] * node["Actual Loops"] for node in of_analyses))


@pytest.mark.long
def test_a_claim_reads_a_few_rows_however_many_wait() -> None:
    clubs = [a_match(ClubFactory.create()) for _ in range(4)]
    for match in clubs[:3]:
        waiting(match, sized(3000, 33_000), Urgency.IMPORTED, minutes=-30)
    waiting(clubs[3], sized(1000, 1000), Urgency.IDLE)
    done = Analysis.objects.filter(club=clubs[0].club_id).values("pk")[:1000]
    Analysis.objects.filter(pk__in=done).update(
        status=WorkStatus.DONE, label="an engine", finished_at=now(), lease_until=None
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE scoring_analysis")
    with CaptureQueriesContext(connection) as captured:
        claim_next()
    read = [sql for row in captured if (sql := row["sql"]).startswith(("WITH RECURSIVE", "SELECT", "\n"))]
    assert len(captured) <= 8
    assert sum(rows_read(sql) for sql in read if "scoring_analysis" in sql) < 20
