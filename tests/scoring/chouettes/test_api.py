"""Chouettes over the API: opened, joined by code, written, corrected, paid."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from clubs.models import Role
from tests.factories import ClubFactory, member

pytestmark = pytest.mark.django_db


def clients(club, *names):
    found = {}
    for name in names:
        found[name] = APIClient()
        found[name].force_authenticate(member(club, Role.MEMBER, name=name))
    return found


def posted(client, address, **body):
    return client.post(f"/api/v1/{address}", body, format="json")


def seated(club):
    """A table at which Ana, Jon and Eva sit, and the address of its events."""
    people = clients(club, "Ana", "Jon", "Eva")
    table = posted(people["Ana"], f"clubs/{club.slug}/chouettes/", title="Friday", stake=50).json()
    for name in ("Jon", "Eva"):
        joined = posted(people[name], "chouettes/join/", code=table["join"]["code"])
        assert joined.status_code == 200
    return people, table["chouette"]


def test_a_night_over_the_api():
    club = ClubFactory.create()
    people, ref = seated(club)
    state = people["Eva"].get(f"/api/v1/chouettes/{ref}/").json()
    order = [player["ref"] for player in state["players"]]
    entries: list[dict[str, Any]] = [
        {"key": "p", "kind": "order", "body": {"players": order}},
        {"key": "g", "kind": "game_start"},
        {"key": "o", "kind": "game_over", "body": {"box_won": True, "win": 1}},
    ]
    after = posted(people["Jon"], f"chouettes/{ref}/events/", after=state["seq"], entries=entries)
    assert after.status_code == 200
    assert [player["minor"] for player in after.json()["players"]] == [100, -50, -50]
    late = posted(
        people["Eva"], f"chouettes/{ref}/events/", after=state["seq"], entries=[entries[1] | {"key": "h"}]
    )
    assert (late.status_code, late.json()["code"]) == (409, "behind")
    assert late.json()["state"] == people["Eva"].get(f"/api/v1/chouettes/{ref}/").json()
    assert [line["kind"] for line in late.json()["theirs"]] == ["order", "game_start", "game_over"]
    payments = people["Ana"].get(f"/api/v1/chouettes/{ref}/payments/").json()["items"]
    assert sorted(payment["minor"] for payment in payments) == [50, 50]
    seq = after.json()["seq"]
    fixed = posted(
        people["Ana"], f"chouettes/{ref}/corrections/", after=seq, key="c", seq=seq, kind="game_over",
        body={"box_won": False, "win": 1}, reason="the captain won",
    )  # fmt: skip
    assert [player["minor"] for player in fixed.json()["players"] if player["role"] == "box"] == [50]
    undone = posted(people["Ana"], f"chouettes/{ref}/undo/", after=seq + 1, key="u")
    assert undone.json()["games"] == []
    more = posted(people["Ana"], f"chouettes/{ref}/players/", name="Old Bob", stake=10)
    assert [player["name"] for player in more.json()["players"]][-1] == "Old Bob"


def test_who_agrees_to_other_rules_is_told_those_of_now():
    club = ClubFactory.create()
    people, ref = seated(club)
    table = people["Ana"].get(f"/api/v1/chouettes/{ref}/").json()
    kim = clients(club, "Kim")["Kim"]
    asked = {"code": table["join"]["code"], "rules": "others"}
    refused = posted(kim, "chouettes/join/", **asked)
    told = refused.json()
    assert (refused.status_code, told["code"]) == (409, "rules_changed")
    assert told["house"]["digest"] == table["house"]["digest"]
    assert told["house"]["house"]["rules"] == table["house"]["rules"]
    assert posted(kim, "chouettes/join/", **asked | {"rules": told["house"]["digest"]}).status_code == 200


def test_a_refused_entry_is_named():
    club = ClubFactory.create()
    people, ref = seated(club)
    seq = people["Ana"].get(f"/api/v1/chouettes/{ref}/").json()["seq"]
    refused = posted(
        people["Ana"], f"chouettes/{ref}/events/", after=seq, entries=[{"key": "a", "kind": "game_start"}]
    )
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["field"] == "entries.0"


def test_a_list_has_ones_own_tables_and_a_director_all():
    club = ClubFactory.create()
    people, ref = seated(club)
    address = f"/api/v1/clubs/{club.slug}/chouettes/"
    other, director = APIClient(), APIClient()
    other.force_authenticate(member(club, Role.MEMBER))
    director.force_authenticate(member(club, Role.DIRECTOR))
    assert [row["ref"] for row in people["Jon"].get(address).json()["items"]] == [ref]
    assert other.get(address).json()["items"] == []
    assert other.get(f"/api/v1/chouettes/{ref}/").status_code == 404
    assert [row["ref"] for row in director.get(address).json()["items"]] == [ref]


def test_a_code_that_opens_nothing_is_no_table():
    people = clients(ClubFactory.create(), "Ana")
    assert posted(people["Ana"], "chouettes/join/", code="ACDEF-GHJKM").status_code == 404


def test_an_unknown_house_is_named():
    club = ClubFactory.create()
    people = clients(club, "Ana")
    answer = posted(people["Ana"], f"clubs/{club.slug}/chouettes/", title="x", house="nowhere")
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "house")


@pytest.mark.parametrize("tables", [1, 3])
def test_the_list_costs_the_same_for_one_table_and_for_three(tables, django_assert_num_queries):
    club = ClubFactory.create()
    people = clients(club, "Ana")
    for _table in range(tables):
        posted(people["Ana"], f"clubs/{club.slug}/chouettes/", title="x")
    with django_assert_num_queries(QUERIES):
        listed = people["Ana"].get(f"/api/v1/clubs/{club.slug}/chouettes/").json()
    assert len(listed["items"]) == tables


QUERIES = 3
