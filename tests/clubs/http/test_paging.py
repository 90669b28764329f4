"""Lists go on behind a row, in one order, at one price; what has not changed is not sent again."""

import base64
import json

import pytest
from rest_framework.test import APIClient

from clubs.models import Club, Role
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, member

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.clubs.api.planted")]
PLANTED = "/api/v1/planted/"


def pages(client: APIClient, address: str) -> list[list[str]]:
    found, following = [], address
    while following:
        data = client.get(following).data
        found.append([item["ref"] for item in data["items"]])
        following = data["next"]
    return found


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 6, 200])
def test_pages_hold_every_row_once_in_order_whatever_their_size(limit):
    # Equal names, so that the second key decides.
    clubs = [ClubFactory.create(name=name) for name in ("b", "a", "c", "a", "é")]
    found = pages(APIClient(), f"{PLANTED}?limit={limit}")
    expected = list(Club.objects.order_by("-name", "pk").values_list("ref", flat=True))
    assert [ref for page in found for ref in page] == expected
    assert len(expected) == len(clubs)
    assert all(len(page) == limit for page in found[:-1])


def test_rows_that_come_and_go_shift_nothing():
    for name in "abcd":
        ClubFactory.create(name=name)
    first = APIClient().get(PLANTED, {"limit": 2}).data
    assert [item["name"] for item in first["items"]] == ["d", "c"]
    Club.objects.filter(name="c").delete()
    ClubFactory.create(name="z")
    rest = APIClient().get(first["next"]).data
    assert [item["name"] for item in rest["items"]] == ["b", "a"]


def test_a_page_costs_the_same_for_one_row_and_for_three(django_assert_num_queries):
    for _ in range(3):
        ClubFactory.create()
        with django_assert_num_queries(1):
            APIClient().get(PLANTED)


@pytest.mark.parametrize("limit", ["0", "201", "-1", "x", "1.5", "", "٣", "9" * 5000])
def test_a_limit_out_of_range_is_an_error(limit):
    response = APIClient().get(PLANTED, {"limit": limit})
    assert response.status_code == 400
    assert response.data["errors"][0]["field"] == "limit"


def encoded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "cursor",
    [
        *("x", "é", "%%%", "A", "W1" * 60_000),
        *map(encoded, ({}, [], ["a"], ["a", "b"], [None, 1], [["a"], 1], [1, float("inf")])),
        *map(encoded, (["a\0", 1], ["a", 2**63], ["\ud800", 1])),
    ],
)
def test_a_cursor_that_is_none_is_an_error(cursor):
    ClubFactory.create()
    response = APIClient().get(PLANTED, {"after": cursor})
    assert response.status_code == 400, response.data
    assert response.data["errors"][0]["field"] == "after"


def test_a_list_that_has_not_changed_is_not_sent_again():
    club = ClubFactory.create()
    first = APIClient().get(PLANTED)
    tag = first.headers["ETag"]
    assert tag.startswith('W/"')
    again = APIClient().get(PLANTED, HTTP_IF_NONE_MATCH=f'"other", {tag}')
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)
    Club.objects.filter(pk=club.pk).update(name="Other")
    assert APIClient().get(PLANTED, HTTP_IF_NONE_MATCH=tag).status_code == 200


def test_a_version_is_answered_from_its_row_alone(django_assert_num_queries):
    club = ClubFactory.create()
    address = f"{PLANTED}{club.slug}/"
    assert APIClient().get(address).headers["ETag"] == 'W/"1"'
    with django_assert_num_queries(1):
        assert APIClient().get(address, HTTP_IF_NONE_MATCH='W/"1"').status_code == 304


def test_a_change_names_the_version_that_it_changes():
    club = ClubFactory.create()
    owner, address = with_token(member(club, Role.OWNER)), f"{PLANTED}{club.slug}/"

    def change(match: str | None = None):
        headers = {} if match is None else {"If-Match": match}
        return owner.patch(address, {}, format="json", headers=headers)

    assert (change().status_code, change().data["code"]) == (428, "if_match_needed")
    stale = change('W/"7"')
    assert (stale.status_code, stale.data["code"]) == (412, "changed_meanwhile")
    assert stale.headers["ETag"] == 'W/"1"'
    assert change('W/"1"').status_code == 204
    assert change('W/"1"').status_code == 412
    assert change('"2"').status_code == 204
    assert change("*").status_code == 204
