"""Positions through the API: requested once, followed, cancelled, listed."""

import pytest

from clubs.models import Scope, WorkStatus
from scoring.models import PositionAnalysis
from tests.clubs.api.clients import with_token
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
RACE = "-ABBCCD------------edcba--:0:0:1:00:2:3:0:7:10"
ADDRESS = "/api/v1/positions/"


def test_a_position_is_requested_followed_and_cancelled() -> None:
    ana = with_token(UserFactory.create(), Scope.READ, Scope.RECORD)
    answer = ana.post(ADDRESS, {"xgid": RACE}, format="json")
    assert answer.status_code == 202
    assert answer.json()["status"] == "queued"
    again = ana.post(ADDRESS, {"xgid": f"XGID={RACE}"}, format="json")
    assert again.json()["ref"] == answer.json()["ref"]
    assert [row["ref"] for row in ana.get(ADDRESS).json()["items"]] == [answer.json()["ref"]]
    other = with_token(UserFactory.create(), Scope.READ, Scope.RECORD)
    assert other.get(ADDRESS).json()["items"] == []
    assert other.delete(answer.json()["url"]).status_code == 409
    assert ana.delete(answer.json()["url"]).status_code == 204
    assert PositionAnalysis.objects.get().status == WorkStatus.CANCELLED


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"xgid": "nonsense"}, 422, "fields"),
        ({"xgid": RACE.replace(":0:0:1:00", ":1:-1:1:00")}, 422, "no_access"),
        ({"xgid": RACE, "level": "infinite"}, 400, "invalid"),
        ({}, 400, "invalid"),
    ],
)
def test_wrong_input_is_refused(body, status, code) -> None:
    answer = with_token(UserFactory.create(), Scope.READ, Scope.RECORD).post(ADDRESS, body, format="json")
    assert answer.status_code == status
    assert answer.json()["code"] == code
    assert not PositionAnalysis.objects.exists()


def test_the_list_costs_the_same_for_one_and_three(django_assert_num_queries) -> None:
    user = UserFactory.create()
    ana = with_token(user, Scope.READ, Scope.RECORD)
    for count in (1, 3):
        for white in range(count):
            xgid = f"-ABBCCD------------edcba--:0:0:1:00:{white}:3:0:9:10"
            assert ana.post(ADDRESS, {"xgid": xgid}, format="json").status_code == 202
        with django_assert_num_queries(2):
            assert len(ana.get(ADDRESS).json()["items"]) == count
