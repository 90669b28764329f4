"""Uploading match files: who may, what is refused at the door, and what the batch's page says."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club, Role
from clubs.work import services as work
from scoring.files.forms import LARGEST_FILE, MOST_FILES
from scoring.files.queries.uploads import SHOWN
from scoring.files.services.imports import import_upload
from scoring.models import Match, Upload
from tests.factories import ClubFactory, member
from tests.scoring.records import short_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(slug="bilbao")


def file(name: str = "a.mat", content: bytes | None = None) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, short_match("Ana", "Ben") if content is None else content)


def work_through() -> None:
    while upload := work.claim(Upload):
        import_upload(upload)


def test_several_files_become_a_batch_with_a_report_each(client: Client, club: Club) -> None:
    client.force_login(member(club))
    response = client.post(
        "/clubs/bilbao/upload/",
        {"match_files": [file("good.mat"), file("bad.mat", b"nonsense")]},
        follow=True,
    )
    assert "0 of 2 files read" in response.content.decode()
    work_through()
    page = client.get(response.request["PATH_INFO"]).content.decode()
    assert "1 file could not be read." in page
    assert "processed" not in page
    assert Match.objects.get().get_absolute_url() in page
    assert "Unreadable" in page


def test_guests_and_strangers_do_not_upload(client: Client, club: Club) -> None:
    for user in (member(club, Role.GUEST), member(ClubFactory.create(), Role.OWNER)):
        client.force_login(user)
        assert client.post("/clubs/bilbao/upload/", {"match_files": [file()]}).status_code == 403
    assert not Upload.objects.exists()


def test_a_batch_is_seen_by_who_brought_it_and_by_directors(client: Client, club: Club) -> None:
    client.force_login(member(club))
    path = client.post("/clubs/bilbao/upload/", {"match_files": [file()]})["Location"]
    for user, status in (
        (member(club), 404),
        (member(ClubFactory.create(), Role.OWNER), 404),
        (member(club, Role.DIRECTOR), 200),
    ):
        client.force_login(user)
        assert client.get(path).status_code == status
    client.logout()
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ([], "Choose at least one file."),
        ([file("empty.mat", b"")], "empty.mat is empty."),
        ([file("big.mat", b"x" * (LARGEST_FILE + 1))], "big.mat is too large: 2.0"),
        ([file() for _ in range(MOST_FILES + 1)], f"{MOST_FILES + 1} files are too many"),
    ],
)
def test_what_cannot_be_taken_is_named(client: Client, club: Club, files: list[object], words: str) -> None:
    client.force_login(member(club))
    response = client.post("/clubs/bilbao/upload/", {"match_files": files})
    assert words in response.content.decode()
    assert not Upload.objects.exists()


def test_a_directors_upload_is_final_and_a_members_is_not(client: Client, club: Club) -> None:
    client.force_login(member(club))
    client.post("/clubs/bilbao/upload/", {"match_files": [file(content=short_match("Ana", "Ben"))]})
    client.force_login(member(club, Role.DIRECTOR))
    client.post("/clubs/bilbao/upload/", {"match_files": [file(content=short_match("Cleo", "Dan"))]})
    work_through()
    final = {match.white.name: match.result.final_at for match in Match.objects.with_players()}
    assert final["Ana"] is None
    assert final["Cleo"] is not None


def test_an_import_that_broke_down_can_be_tried_again(client: Client, club: Club) -> None:
    client.force_login(member(club))
    path = client.post("/clubs/bilbao/upload/", {"match_files": [file()]})["Location"]
    upload = work.claim(Upload)
    assert upload is not None
    work.fail(upload, error="the disk was full", final=True)
    assert "Nothing was saved" in client.get(path).content.decode()
    client.post(f"/uploads/{upload.ref}/retry/")
    work_through()
    assert Match.objects.count() == 1


def test_the_way_back_to_a_batch_is_where_files_are_brought(client: Client, club: Club) -> None:
    client.force_login(member(club))
    first = client.post("/clubs/bilbao/upload/", {"match_files": [file(), file("b.mat")]})["Location"]
    upload = work.claim(Upload)
    assert upload is not None
    work.fail(upload, error="the disk was full", final=True)
    page = " ".join(client.get("/clubs/bilbao/upload/").content.decode().split())
    assert f'href="{first}"' in page
    assert "and 1 other file" in page
    assert "1 failed" in page
    # Others come back to their own; directors to everybody's, as they may look at them.
    for user, shown in ((member(club), False), (member(club, Role.DIRECTOR), True)):
        client.force_login(user)
        assert (first in client.get("/clubs/bilbao/upload/").content.decode()) is shown
    elsewhere = ClubFactory.create(slug="gasteiz")
    client.force_login(member(elsewhere, Role.DIRECTOR))
    assert "Recent uploads" not in client.get("/clubs/gasteiz/upload/").content.decode()


def test_the_latest_batches_come_first_and_are_not_endless(client: Client, club: Club) -> None:
    client.force_login(member(club))
    brought = [
        client.post("/clubs/bilbao/upload/", {"match_files": [file()]})["Location"] for _ in range(SHOWN + 1)
    ]
    page = client.get("/clubs/bilbao/upload/").content.decode()
    assert re.findall(r'href="(/uploads/[^"]+)"', page) == brought[:0:-1]


@pytest.mark.parametrize("batches", [1, 3])
def test_queries_of_the_page_where_files_are_brought(
    client: Client, club: Club, django_assert_num_queries: DjangoAssertNumQueries, batches: int
) -> None:
    client.force_login(member(club))
    for _ in range(batches):
        client.post("/clubs/bilbao/upload/", {"match_files": [file()]})
    with django_assert_num_queries(5):
        client.get("/clubs/bilbao/upload/")
