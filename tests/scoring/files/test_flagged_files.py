"""What a reader guessed is stored with the match and said on its page, in the batch and over the API."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from rest_framework.test import APIClient

from clubs.models import Club, Person
from clubs.work import services as work
from scoring.files.queries.flag_words import flag_words
from scoring.files.services.imports import import_file, import_upload
from scoring.models import Match, MatchStatus, Seat, Source, Upload
from scoring.notation.record import RecordFlag
from scoring.players.services.erasures import forget_names
from tests.factories import ClubFactory, member

pytestmark = pytest.mark.django_db

UNNAMED = "match3755271.txt"
FUSED = "match2900236.txt"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(slug="bilbao")


@pytest.fixture
def refused(shared_data: Path) -> Path:
    return shared_data / "refused"


def words_of(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", "", page)).split())


def imported(club: Club, path: Path) -> Match:
    match, report = import_file(club=club, filename=path.name, content=path.read_bytes(), final=True)
    assert report.error is None, report.error
    assert match is not None
    return match


def uploaded(client: Client, club: Club, *paths: Path) -> str:
    files = [SimpleUploadedFile(path.name, path.read_bytes()) for path in paths]
    response = client.post(f"/clubs/{club.slug}/upload/", {"match_files": files}, follow=True)
    while upload := work.claim(Upload):
        import_upload(upload)
    return client.get(response.request["PATH_INFO"]).content.decode()


GUESSED = {
    UNNAMED: "Line 17: The file gives no opponent’s name.",
    FUSED: "Game 2, turn 24: Turn 24 was repaired: two rows were on one line.",
    "match3241209.txt": "Game 3, turn 14: Turn 14 was repaired: two rows were on one line.",
    "Minchy_-_Llabba_13pt_Backgammon_Studio_2023_02_24_19_44_27.txt": (
        "Game 10, turn 31: The stated result does not match the game: Wins 4016 point. Kept: Llabba 4."
    ),
}


@pytest.mark.parametrize(("name", "words"), GUESSED.items(), ids=[name[:12] for name in GUESSED])
def test_what_was_guessed_is_stored_and_shown_everywhere(
    client: Client, club: Club, refused: Path, name: str, words: str
) -> None:
    client.force_login(member(club))
    assert words in words_of(uploaded(client, club, refused / name))
    match = Match.objects.get()
    assert match.status == MatchStatus.FINISHED
    assert words in words_of(client.get(match.get_absolute_url()).content.decode())
    [source] = APIClient().get(f"/api/v1/matches/{match.ref}/").data["sources"]
    assert source["filename"] == name
    assert words.endswith(source["flags"][0]["text"])
    assert {"line", "game", "turn", "code", "detail", "text"} == set(source["flags"][0])


def test_a_file_with_nothing_guessed_has_no_notes(client: Client, club: Club, refused: Path) -> None:
    match = imported(club, refused / "match1004844.txt")
    assert Source.objects.get().flags == []
    assert "Notes on" not in client.get(match.get_absolute_url()).content.decode()


def test_an_unnamed_opponent_is_a_guest_of_this_match_alone(club: Club, refused: Path) -> None:
    match = imported(club, refused / UNNAMED)
    names = [Person.objects.get(player=seat.player).name for seat in Seat.objects.order_by("side__colour")]
    unnamed = next(name for name in names if name != "lasse")
    assert re.fullmatch("Unnamed player [0-9A-F]{6}", unnamed)
    other = (refused / UNNAMED).read_bytes().replace(b" 64: 1/0", b" 65: 1/0")
    second, report = import_file(club=club, filename="b.txt", content=other, final=True)
    assert second not in {None, match}
    assert report.players[1] not in {unnamed, ""}
    again, report = import_file(club=club, filename="c.txt", content=(refused / UNNAMED).read_bytes() + b"\n")
    assert again == match
    assert report.players == ["lasse", unnamed]


def test_the_same_match_again_says_so_with_the_link(client: Client, club: Club, shared_data: Path) -> None:
    client.force_login(member(club))
    files = [shared_data / "matches" / f"charlot1-charlot2_7p.{ending}" for ending in ("mat", "xg")]
    page = uploaded(client, club, files[0])
    match = Match.objects.get()
    sentence = "The club already has this match. The file was added to it."
    assert sentence not in words_of(page)
    for path, sources in ((files[1], 2), (files[0], 2)):
        page = uploaded(client, club, path)
        assert sentence in words_of(page)
        assert f'<a href="{match.get_absolute_url()}">this match</a>' in page
        assert Source.objects.filter(match=match).count() == sources
    assert Match.objects.count() == 1


@pytest.mark.long
def test_the_xg_and_the_mat_of_a_match_with_unrecorded_plays_are_one(club: Club, shared_data: Path) -> None:
    reports = []
    for name in ("test.mat", "test.xg"):
        content = (shared_data / "xg" / name).read_bytes()
        reports.append(import_file(club=club, filename=name, content=content, final=True)[1])
    assert [report.known for report in reports] == [False, True]
    assert reports[0].score == reports[1].score == [7, 4]


def test_a_name_that_is_erased_stands_in_no_note(club: Club, refused: Path) -> None:
    match = imported(club, refused / "Minchy_-_Llabba_13pt_Backgammon_Studio_2023_02_24_19_44_27.txt")
    assert "Llabba" in str(Source.objects.get().flags)
    forget_names(match.white.players[0])
    assert Source.objects.get().flags == []


def test_every_flag_has_its_words() -> None:
    """The codes of the docstring are all that a reader raises; each has a sentence of its own."""
    codes = re.findall(r"``([a-z_]+)``", RecordFlag.__doc__ or "")
    for code in set(codes) - {"game", "turn", "detail"}:
        flag: dict[str, Any] = {"code": code, "detail": "a / b", "line": 1, "game": 1, "turn": 2}
        assert not flag_words(flag).startswith(code), code
