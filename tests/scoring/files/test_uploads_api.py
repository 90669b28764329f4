"""Match files through the API: refused by name, dealt with once, followed to their matches."""

from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from clubs.models import Club, Role, WorkStatus
from clubs.work import services as work
from scoring.files.forms import LARGEST_FILE, MOST_FILES
from scoring.files.services.imports import import_upload
from scoring.models import Match, Upload
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, member
from tests.scoring.records import short_match

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/clubs/bar-point/uploads/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(slug="bar-point")


def file(name: str = "a.mat", content: bytes | None = None) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, short_match("Ana", "Ben") if content is None else content)


def work_through() -> None:
    while upload := work.claim(Upload):
        import_upload(upload)


def test_a_batch_is_followed_to_its_matches(club):
    client = with_token(member(club))
    sent = client.post(ADDRESS, {"match_files": [file(), file("bad.mat", b"nonsense")]})
    assert (sent.status_code, sent.data["is_complete"], sent.data["club"]) == (202, False, "bar-point")
    assert [upload["status"] for upload in sent.data["uploads"]] == ["queued", "queued"]
    assert client.get(sent.headers["Location"]).data == sent.data
    work_through()
    batch = client.get(sent.headers["Location"]).data
    good, bad = batch["uploads"]
    assert batch["is_complete"]
    assert good["match"] == f"http://testserver/api/v1/matches/{Match.objects.get().ref}/"
    assert (good["report"]["winner"], good["report"]["error"]) == ("Ben", None)
    assert (bad["status"], bad["match"], bad["report"]["error"]["code"]) == ("done", None, "unknown_format")
    assert "it begins with '" in bad["report"]["error"]["message"]  # as text: no b'' of Python


def test_a_batch_costs_the_same_for_one_file_and_for_many(club, django_assert_num_queries):
    user = member(club)
    client = with_token(user)
    for count in (1, 4):
        sent = client.post(ADDRESS, {"match_files": [file(f"{n}.mat") for n in range(count)]})
        work_through()
        client.get(sent.headers["Location"])  # the token's last use is written at most once a minute
        with django_assert_num_queries(2):
            client.get(sent.headers["Location"])


BAD_FILES: list[tuple[Callable[[], list[SimpleUploadedFile]], str]] = [
    (lambda: [file("hollow.mat", b"")], "hollow.mat is empty."),
    (lambda: [file(), file("hollow.mat", b"")], "hollow.mat is empty."),
    (lambda: [file("big.mat", b"x" * (LARGEST_FILE + 1))], "big.mat is too large: 2.0"),
    (lambda: [file(f"{n}.mat") for n in range(MOST_FILES + 1)], "no more than 50"),
    (list, "required"),
]


@pytest.mark.parametrize(("files", "reason"), BAD_FILES)
def test_a_file_that_is_refused_at_the_door_is_named(club, files, reason):
    answer = with_token(member(club)).post(ADDRESS, {"match_files": files()}, format="multipart")
    assert answer.status_code == 400
    assert reason in answer.data["detail"]
    assert {error["field"] for error in answer.data["errors"]} == {"match_files"}
    assert not Upload.objects.exists()


def test_the_same_files_under_one_key_are_one_batch(club):
    client = with_token(member(club))
    first, second = (
        client.post(ADDRESS, {"match_files": [file()]}, headers={"Idempotency-Key": "night-1"})
        for _ in range(2)
    )
    assert first.content == second.content
    assert second.headers["Idempotency-Replayed"] == "true"
    assert second.headers["Location"] == first.headers["Location"]
    assert Upload.objects.count() == 1
    other = client.post(
        ADDRESS, {"match_files": [file("b.mat", b"x")]}, headers={"Idempotency-Key": "night-1"}
    )
    assert (other.status_code, other.json()["code"]) == (422, "key_reused")
    assert Upload.objects.count() == 1


def test_a_batch_is_answered_with_its_tag_while_nothing_changes(club):
    client = with_token(member(club))
    address = client.post(ADDRESS, {"match_files": [file()]}).headers["Location"]
    tag = client.get(address).headers["ETag"]
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 304
    work_through()
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 200


def test_only_a_file_whose_import_broke_down_is_tried_again(club):
    client = with_token(member(club))
    sent = client.post(ADDRESS, {"match_files": [file()]}).data["uploads"][0]
    address = f"/api/v1/uploads/{sent['ref']}/retry/"
    refused = client.post(address)
    assert (refused.status_code, refused.data["code"]) == (409, "conflict")
    Upload.objects.update(
        status=WorkStatus.FAILED, error="The worker was lost.", finished_at="2026-01-01T00:00Z"
    )
    again = client.post(address)
    assert (again.status_code, again.data["status"], again.data["error"]) == (202, "queued", "")


def test_a_batch_is_seen_by_who_brought_it_and_by_directors(club):
    sender = with_token(member(club))
    address = sender.post(ADDRESS, {"match_files": [file()]}).headers["Location"]
    for user, status in ((member(club), 404), (member(club, Role.DIRECTOR), 200)):
        assert with_token(user).get(address).status_code == status
