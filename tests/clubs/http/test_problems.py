"""Every error is a problem that names field and value; a fault of ours tells nothing."""

import json
import logging

import pytest
from rest_framework.test import APIClient

from clubs.http.problem_kinds import KINDS, ProblemType
from clubs.http.problems import register_problem
from clubs.models import Club, Scope
from tests.clubs.api.clients import with_token
from tests.clubs.api.planted import BlockedPointError
from tests.factories import ClubFactory, UserFactory, member

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.clubs.api.planted")]
PLANTED = "/api/v1/planted/"


@pytest.fixture
def client() -> APIClient:
    return with_token(UserFactory.create())


def problem(response, status: int, code: str) -> dict:
    assert response.status_code == status, response.content
    assert response.headers["Content-Type"] == "application/problem+json"
    data: dict = json.loads(response.content)
    assert set(data) >= {"type", "title", "status", "detail", "instance", "code", "errors"}
    assert (data["status"], data["code"]) == (status, code)
    described = APIClient().get(data["type"])
    assert described.status_code == 200
    assert described.data["status"] == status
    return data


def test_each_invalid_value_is_named_with_what_was_sent(client):
    body = {"name": "n" * 11, "slug": "a b", "role": "king", "boards": [1, 0]}
    data = problem(client.post(PLANTED, body, format="json"), 400, "invalid")
    found = {error["field"]: (error["value"], error["code"]) for error in data["errors"]}
    assert found == {
        "name": ("n" * 11, "max_length"),
        "slug": ("a b", "invalid"),
        "role": ("king", "invalid_choice"),
        "boards.1": (0, "min_value"),
    }
    assert data["instance"] == PLANTED
    assert "(and 3 more)" in data["detail"]


def test_a_missing_and_an_unknown_field_are_errors(client):
    data = problem(client.post(PLANTED, {"naem": "A", "slug": "a"}, format="json"), 400, "invalid")
    [error] = data["errors"]
    assert (error["field"], error["value"], error["code"]) == ("naem", "A", "unknown_field")
    assert "name, role, slug" in error["message"]
    data = problem(client.post(PLANTED, {"slug": "a"}, format="json"), 400, "invalid")
    assert [(error["field"], error["code"]) for error in data["errors"]] == [("name", "required")]


@pytest.mark.parametrize(
    ("body", "shown"), [({"name": "A\ud800"}, ("name", r"A\ud800")), ({"\ud800": "A"}, (r"\ud800", "A"))]
)
def test_half_a_character_is_repeated_as_an_escape(client, body, shown):
    sent = json.dumps({"slug": "a", "name": "A"} | body)
    data = problem(client.post(PLANTED, sent, content_type="application/json"), 400, "invalid")
    assert shown in [(error["field"], error["value"]) for error in data["errors"]]


@pytest.mark.parametrize("body", [[], "text", 3, None])
def test_a_body_that_is_no_object_is_invalid(client, body):
    problem(client.post(PLANTED, json.dumps(body), content_type="application/json"), 400, "invalid")


def test_json_that_cannot_be_read_is_named_by_its_offset(client):
    data = problem(client.post(PLANTED, b'{"name": nope}', content_type="application/json"), 400, "json")
    assert data["parameters"] == {"at": 9, "line": 1, "column": 10}
    assert "at character 9: line 1, column 10" in data["detail"]
    data = problem(client.post(PLANTED, b'{"name": "\xff"}', content_type="application/json"), 400, "utf8")
    assert data["parameters"] == {"at": 10}


@pytest.mark.parametrize("body", [b'{"boards": [NaN]}', b"[" * 100_000, b'{"a": ' + b"9" * 5000 + b"}"])
def test_json_beyond_reason_is_unreadable(client, body):
    problem(client.post(PLANTED, body, content_type="application/json"), 400, "unreadable")


def test_a_body_beyond_the_limit_is_too_large(client, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    body = json.dumps({"name": "a" * 200})
    problem(client.post(PLANTED, body, content_type="application/json"), 413, "too_large")


def test_the_frameworks_refusals(client):
    problem(client.get("/api/v1/nowhere/"), 404, "not_found")
    problem(client.delete("/api/v1/nowhere"), 404, "not_found")
    assert "ends with a slash" in problem(client.get("/api/v1/clubs"), 404, "not_found")["detail"]
    refused = client.delete(PLANTED)
    problem(refused, 405, "method_not_allowed")
    assert refused.headers["Allow"] == "GET, POST, HEAD"
    problem(client.get(PLANTED, HTTP_ACCEPT="text/html"), 406, "not_acceptable")
    problem(client.post(PLANTED, "a,b", content_type="text/csv"), 415, "media_type")


def test_an_address_refuses_a_method_before_it_asks_who_it_is():
    problem(APIClient().put("/api/v1/tokens/", {}, format="json"), 405, "method_not_allowed")
    problem(APIClient().options("/api/v1/tokens/"), 405, "method_not_allowed")


def test_an_unknown_parameter_is_an_error(client):
    [error] = problem(client.get(PLANTED, {"nmae": "x"}), 400, "invalid")["errors"]
    assert (error["field"], error["value"], error["code"]) == ("nmae", "x", "unknown_parameter")
    problem(client.post(PLANTED + "?dry=1", {}, format="json"), 400, "invalid")


def test_what_a_role_does_not_allow_says_which_would():
    club = ClubFactory.create()
    director = with_token(member(club))
    data = problem(director.patch(f"{PLANTED}{club.slug}/", {}, format="json"), 403, "forbidden")
    assert "“Owner”" in data["detail"]
    assert "no club nowhere" in problem(director.get(f"{PLANTED}nowhere/"), 404, "not_found")["detail"]


def test_a_registered_exception_gives_code_parameters_and_field(client):
    response = client.post(PLANTED, {"name": "blocked", "slug": "b"}, format="json")
    data = problem_of_registered(response, 422)
    assert data["type"] == "/api/v1/problems/refused/"
    assert data["code"] == "blocked"
    assert data["detail"] == "24/18 is blocked: 4 checkers on the 18 point"
    assert data["parameters"] == {"move": "24/18", "count": 4, "point": 18}
    assert data["errors"] == [
        {"field": "plays.3", "value": "24/18", "message": data["detail"], "code": "blocked"}
    ]
    assert not Club.objects.exists()


def problem_of_registered(response, status):
    assert (response.status_code, response.headers["Content-Type"]) == (status, "application/problem+json")
    return json.loads(response.content)


def test_a_registered_kind_is_listed_and_described(client):
    data = problem(client.post(PLANTED, {"name": "closed", "slug": "c"}, format="json"), 409, "draw_closed")
    assert (data["title"], data["detail"]) == ("The draw is closed", "Round 2 is drawn.")
    listed = {kind["code"] for kind in APIClient().get("/api/v1/problems/").data["items"]}
    assert listed == set(KINDS)
    with pytest.raises(ValueError, match="draw_closed already"):
        register_problem(BlockedPointError, ProblemType("draw_closed", 422, "Something else"))


def test_a_fault_is_logged_and_tells_nothing(client, caplog):
    client.raise_request_exception = False
    with caplog.at_level(logging.ERROR, logger="clubs.http.problems"):
        response = client.post(PLANTED, {"name": "explode", "slug": "x"}, format="json")
    data = problem(response, 500, "fault")
    assert "secret" not in response.content.decode()
    assert data["instance"].startswith("urn:uuid:")
    assert data["instance"] in caplog.text
    assert "a secret of the code" in caplog.text
    assert not Club.objects.exists()


def test_rates_are_limited_by_person_and_by_address(settings):
    settings.API_RATES = {"visitor": "2/min", "person": "3/min"}
    visitor, person = APIClient(REMOTE_ADDR="192.0.2.7"), with_token(UserFactory.create())
    assert [visitor.get(PLANTED).status_code for _ in range(3)] == [200, 200, 429]
    assert [person.get(PLANTED).status_code for _ in range(3)] == [200] * 3
    refused = person.get(PLANTED)
    problem(refused, 429, "too_many_requests")
    assert 0 < int(refused.headers["Retry-After"]) <= 60
    assert APIClient(REMOTE_ADDR="192.0.2.8").get(PLANTED).status_code == 200


def test_a_scope_never_adds_a_right():
    club = ClubFactory.create()
    guest = with_token(member(club), Scope.OWN)
    problem(guest.patch(f"{PLANTED}{club.slug}/", {}, format="json"), 403, "forbidden")
