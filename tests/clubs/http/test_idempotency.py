"""A repeated POST is answered once more and done once; nothing is half-saved."""

import json
from datetime import timedelta
from threading import Event

import pytest
from django.test import RequestFactory
from django.utils.timezone import now
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.test import APIClient

from clubs.http.idempotency import KeptAnswer, KeyInUseError, answer_once
from clubs.http.repetition import fingerprint
from clubs.models import Club, IdempotencyKey
from tests.clubs.api.clients import with_token
from tests.clubs.api.planted import PlantedClubs
from tests.factories import UserFactory
from tests.races import at_once

pytestmark = pytest.mark.urls("tests.clubs.api.planted")
PLANTED = "/api/v1/planted/"
BODY = {"name": "A", "slug": "a-club"}


def post(client: APIClient, key: str | None, body: object = None, address: str = PLANTED):
    headers = {} if key is None else {"Idempotency-Key": key}
    return client.post(address, body or BODY, format="json", headers=headers)


@pytest.mark.django_db
def test_a_repeated_request_gets_the_first_answer_to_the_letter():
    client = with_token(UserFactory.create())
    first, second = post(client, "k1"), post(client, "k1")
    assert first.status_code == second.status_code == 201
    assert first.content == second.content
    for header in ("Content-Type", "Location", "Allow", "Cache-Control"):
        assert first.headers[header] == second.headers[header]
    assert "Idempotency-Replayed" not in first.headers
    assert second.headers["Idempotency-Replayed"] == "true"
    assert Club.objects.count() == 1


@pytest.mark.django_db
def test_an_error_is_an_answer_too():
    client = with_token(UserFactory.create())
    body = {"name": "A", "slug": "not a slug"}
    first, calls = post(client, "k1", body), PlantedClubs.calls
    second = post(client, "k1", body)
    assert first.status_code == second.status_code == 400
    assert first.content == second.content
    assert second.headers["Content-Type"] == "application/problem+json"
    assert PlantedClubs.calls == calls


@pytest.mark.django_db
def test_a_key_stands_for_one_request():
    client = with_token(UserFactory.create())
    post(client, "k1")
    refused = post(client, "k1", {"name": "B", "slug": "b-club"})
    problem = json.loads(refused.content)
    assert (refused.status_code, problem["code"]) == (422, "key_reused")
    assert problem["errors"][0]["field"] == "Idempotency-Key"
    assert problem["errors"][0]["value"] == "k1"
    assert post(client, "k2", {"name": "B", "slug": "b-club"}).status_code == 201


@pytest.mark.django_db
def test_a_key_belongs_to_a_person():
    assert post(with_token(UserFactory.create()), "k1").status_code == 201
    assert post(with_token(UserFactory.create()), "k1", {"name": "B", "slug": "b"}).status_code == 201


@pytest.mark.django_db
def test_a_key_is_good_for_a_day():
    client = with_token(UserFactory.create())
    post(client, "k1")
    IdempotencyKey.objects.update(created_at=now() - timedelta(hours=23, minutes=59))
    assert post(client, "k1").headers["Idempotency-Replayed"] == "true"
    IdempotencyKey.objects.update(created_at=now() - timedelta(hours=24))
    assert post(client, "k1", {"name": "B", "slug": "b-club"}).status_code == 201


@pytest.mark.django_db
def test_a_fault_keeps_neither_work_nor_key():
    client = with_token(UserFactory.create())
    client.raise_request_exception = False
    assert post(client, "k1", {"name": "explode", "slug": "x"}).status_code == 500
    assert not Club.objects.exists()
    assert not IdempotencyKey.objects.exists()


@pytest.mark.django_db
def test_what_is_refused_before_the_work_does_not_use_the_key():
    user = UserFactory.create()
    assert post(APIClient(), "k1").status_code == 401
    client = with_token(user)
    assert client.post(PLANTED, "x", content_type="text/csv", HTTP_IDEMPOTENCY_KEY="k2").status_code == 415
    assert post(client, "k1").status_code == 201


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["", "k" * 201, "schlüssel", "a\tb"])
def test_a_key_that_cannot_be_kept_is_refused(key):
    refused = post(with_token(UserFactory.create()), key)
    assert (refused.status_code, refused.data["errors"][0]["field"]) == (400, "Idempotency-Key")
    assert not Club.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_one_is_done_and_the_other_told_to_wait_or_given_its_answer():
    user = UserFactory.create()
    clients = [with_token(user), with_token(user)]
    answers = at_once(*[lambda client=client: post(client, "k1") for client in clients])
    assert {answer.status_code for answer in answers} <= {201, 409}
    assert any(answer.status_code == 201 for answer in answers)
    assert all(answer.headers["Retry-After"] == "1" for answer in answers if answer.status_code == 409)
    assert Club.objects.count() == 1
    assert post(clients[0], "k1").status_code == 201


@pytest.mark.django_db(transaction=True)
def test_whoever_comes_while_the_first_is_working_is_told_so_at_once():
    user, working, asked = UserFactory.create(), Event(), Event()

    def work() -> KeptAnswer:
        working.set()
        assert asked.wait(10)
        return KeptAnswer(200, "done")

    def first():
        return answer_once(user=user, key="k", fingerprint="f" * 64, work=work)

    def second():
        assert working.wait(10)
        try:
            return answer_once(user=user, key="k", fingerprint="f" * 64, work=work)
        finally:
            asked.set()

    done, told = at_once(first, second)
    assert done == (KeptAnswer(200, "done"), False)
    assert isinstance(told, KeyInUseError)


def test_a_form_is_told_by_its_fields_and_files_not_by_its_boundary():
    def request(boundary: str, content: bytes) -> Request:
        body = (
            (
                f'--{boundary}\r\nContent-Disposition: form-data; name="note"\r\n\r\nhi\r\n'
                f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="m.txt"\r\n'
                f"Content-Type: text/plain\r\n\r\n"
            ).encode()
            + content
            + f"\r\n--{boundary}--\r\n".encode()
        )
        asked = RequestFactory().generic(
            "POST", "/x/", body, content_type=f"multipart/form-data; boundary={boundary}"
        )
        return Request(asked, parsers=[MultiPartParser()])

    first, again, other = request("aaa", b"one"), request("bbb", b"one"), request("aaa", b"two")
    assert fingerprint(first) == fingerprint(again) != fingerprint(other)
    assert first.FILES["file"].read() == b"one"
