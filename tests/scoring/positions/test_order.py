"""A position that a user waits for is analysed before matches."""

import pytest

from clubs.models import WorkStatus
from scoring.analysis.services import turns
from scoring.analysis.services.turns import must_give_way
from scoring.files.services.imports import import_file
from scoring.models import Analysis, Depth, PositionAnalysis, Urgency
from scoring.positions.services import positions
from scoring.positions.services.positions import claim_position
from scoring.tasks import analyse_match, estimate_match
from tests.factories import ClubFactory, UserFactory
from tests.scoring.positions.test_positions import request
from tests.scoring.records import short_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def analysis() -> Analysis:
    match, _ = import_file(club=ClubFactory.create(), filename="a.mat", content=short_match("Ana", "Ben"))
    assert match is not None
    return Analysis.objects.get(match=match)


@pytest.mark.long
def test_one_message_analyses_all_that_waits_and_the_position_first(analysis) -> None:
    position = request(UserFactory.create())
    analyse_match("whatever")
    analysis.refresh_from_db()
    position.refresh_from_db()
    assert (analysis.status, position.status) == (WorkStatus.DONE, WorkStatus.DONE)
    assert position.finished_at is not None
    assert analysis.finished_at is not None
    assert position.finished_at < analysis.finished_at


def test_the_worker_of_quick_tasks_leaves_matches_and_deep_positions(analysis) -> None:
    deep, quick = request(UserFactory.create(), level=Depth.DEEP), request(UserFactory.create())
    estimate_match("whatever")
    done = PositionAnalysis.objects.filter(status=WorkStatus.DONE)
    assert [row.pk for row in done] == [quick.pk]
    analysis.refresh_from_db()
    assert analysis.status == WorkStatus.QUEUED
    assert claim_position(quick_only=True) is None
    assert claim_position() == deep


def test_an_idle_analysis_gives_way_to_a_position(analysis, monkeypatch) -> None:
    Analysis.objects.update(urgency=Urgency.IDLE)
    analysis.refresh_from_db()
    assert not must_give_way(analysis)
    request(UserFactory.create())
    assert not must_give_way(analysis)  # another worker takes it within two seconds
    monkeypatch.setattr(turns, "PATIENCE", turns.PATIENCE * 0)
    assert must_give_way(analysis)


def test_a_position_is_left_to_a_machine_that_has_its_engine(monkeypatch) -> None:
    request(UserFactory.create())
    monkeypatch.setattr(positions, "installed_engines", lambda: ("another",))
    assert claim_position() is None
