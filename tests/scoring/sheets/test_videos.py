"""A match's video: its link, the times of its plays, and the steps that open it there."""

import json

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from clubs.accounts.queries import personal_data
from clubs.clubs.services.erasures import erase_user
from clubs.models import Club, Role, User, Visibility
from scoring.models import Match, MatchVideo
from scoring.rules.errors import InvalidValue
from scoring.sheets.services.corrections import undo_last
from scoring.sheets.services.identity import give_way
from scoring.sheets.services.transcription import record_text
from scoring.sheets.services.videos import VideoRefused, note_time, set_video
from scoring.signals import ResultRefused
from tests.clubs.api.clients import with_token
from tests.factories import UserFactory, member
from tests.scoring.sheets.writing import author, loaded, play_turns, two_players

pytestmark = pytest.mark.django_db

ADDRESS = "https://youtu.be/abc"


@pytest.fixture
def match() -> Match:
    return two_players(3)


@pytest.fixture
def ana(match: Match) -> User:
    user = match.white.players[0].user
    assert user is not None
    return user


def typed(match: Match, key: str, text: str) -> Match:
    after = match.sheet.head_seq
    return loaded(record_text(match=match, author=author(match, "white"), after=after, key=key, text=text))


def times(match: Match) -> dict[str, int]:
    found: dict[str, int] = MatchVideo.objects.get(match=match).times
    return found


def page_of(client: Client, match: Match, step: int) -> str:
    return client.get(reverse("scoring:step", args=[match.ref, step])).content.decode()


def test_a_typed_line_notes_its_time_and_the_steps_after_it_open_the_video_there(
    client: Client, match: Match, ana: User
) -> None:
    set_video(match=match, user=ana, address=ADDRESS)
    match = typed(match, "a", "31 85 65")
    match = typed(match, "b", "@1:30 64 24/14")
    match = typed(match, "c", "d")
    assert times(match) == {"4": 90}
    record_text(match=match, author=author(match, "white"), after=3, key="b", text="@1:30 64 24/14")  # again
    assert f'href="{ADDRESS}" target="_blank"' in page_of(client, match, 1)
    for step in (2, 3):
        page = page_of(client, match, step)
        assert f'href="{ADDRESS}?t=90s" target="_blank" rel="noopener noreferrer">Video at 1:30</a>' in page
    match = typed(match, "e", "@2:00 t")
    assert times(match) == {"4": 90, "7": 120}


def test_what_is_refused_notes_nothing(match: Match, ana: User) -> None:
    with pytest.raises(
        InvalidValue, match="this match has no video: add its link first, or leave out the time 1:30"
    ):
        typed(match, "a", "@1:30 31 85 65")
    assert loaded(match).sheet.head_seq == 1
    set_video(match=match, user=ana, address=ADDRESS)
    client = with_token(ana)
    answer = client.post(
        f"/api/v1/matches/{match.ref}/sheet/text/",
        {"after": 1, "key": "a", "text": "@1:99 31"},
        format="json",
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "video_time")
    assert times(match) == {}


def test_a_time_of_an_undone_entry_leaves_the_page_as_it_is(client: Client, match: Match, ana: User) -> None:
    set_video(match=match, user=ana, address=ADDRESS)
    match = typed(match, "a", "31 85 65")
    match = typed(match, "b", "@9:00 64 24/14")
    for _line in range(2):
        undo_last(match=match, author=author(match, "white"), after=match.sheet.head_seq, key=f"u{_line}")
        match = loaded(match)
    match = typed(match, "c", "@1:30 64 24/14")
    assert "Video at 1:30" in page_of(client, match, 2)
    client.force_login(ana)
    assert "undone" in client.get(reverse("scoring:match_video", args=[match.ref])).content.decode()


def test_the_page_sets_a_video_notes_times_and_removes_it(client: Client, match: Match, ana: User) -> None:
    match = play_turns(match, 3)
    address = reverse("scoring:match_video", args=[match.ref])
    client.force_login(ana)
    assert f'href="{address}?step=' in client.get(match.get_absolute_url()).content.decode()
    sheet = reverse("scoring:scoresheet", args=[match.ref])
    assert f'href="{address}"' in client.get(sheet).content.decode()
    assert client.post(address, {"address": f" {ADDRESS}?t=5 "}).status_code == 302
    there = client.post(address, {"at-step": "2", "at-time": "12:34"})
    assert there["Location"] == reverse("scoring:step", args=[match.ref, 2])
    shown = client.get(address, {"step": "3"}).content.decode()
    assert 'value="3"' in shown
    assert ">12:34</a>" in shown
    drawn = client.get(sheet).content.decode()
    assert f'href="{ADDRESS}?t=754s" target="_blank" rel="noopener noreferrer"' in drawn
    assert f'data-video="{ADDRESS}?t=" data-after="s"' in drawn
    client.post(address, {"address": f"{ADDRESS}?t=9"})  # the same video
    assert len(times(match)) == 1
    client.post(address, {"at-step": "2", "at-time": ""})
    assert times(match) == {}
    client.post(address, {"at-step": "2", "at-time": "1:00"})
    client.post(address, {"address": "https://youtu.be/another"})
    assert times(match) == {}
    assert client.post(address, {"remove": "yes"}).status_code == 302
    assert not MatchVideo.objects.exists()


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"address": ""}, "Paste the link to the video."),
        ({"address": "youtu.be/abc"}, "“youtu.be/abc” is not a link to a video."),
        ({"address": "http://youtu.be/abc"}, "“http://youtu.be/abc” is not a link to a video."),
        (
            {"address": "https://youtube.com@evil.example/"},
            "has a user name before @. Copy a link that anyone",
        ),
        (
            {"address": "https://a.example/\u202egnp"},
            "“https://a.example/gnp” has a character that cannot be seen.",
        ),
        ({"address": "javascript:alert(1)"}, "“javascript:alert(1)” is not a link to a video."),
        ({"address": "https://a.example/" + "x" * 500}, "has 518 characters; 500 are allowed."),
        ({"at-step": "2", "at-time": "noon"}, "“noon”"),
        ({"at-step": "99", "at-time": "1:00"}, "This match has 3 steps; there is no step 99."),
    ],
)
def test_a_wrong_link_or_time_is_refused_by_name(
    client: Client, match: Match, ana: User, sent, said: str
) -> None:
    set_video(match=match, user=ana, address=ADDRESS)
    match = play_turns(match, 3)
    client.force_login(ana)
    answer = client.post(reverse("scoring:match_video", args=[match.ref]), sent).content.decode()
    assert said.replace("“noon”", "&#x27;noon&#x27; is not a time in a video") in answer
    video = MatchVideo.objects.get()
    assert (video.address, video.times) == (ADDRESS, {})


def test_players_and_directors_link_a_video_and_nobody_else(client: Client, match: Match) -> None:
    address = reverse("scoring:match_video", args=[match.ref])
    director, other = member(match.club, Role.DIRECTOR), member(match.club)
    for user, status in ((director, 302), (other, 403), (UserFactory.create(), 403)):
        client.force_login(user)
        assert client.post(address, {"address": ADDRESS}).status_code == status
    assert MatchVideo.objects.get().set_by == director


def test_programs_set_a_video_and_its_times(match: Match, ana: User) -> None:
    address, api = f"/api/v1/matches/{match.ref}/video/", with_token(ana)
    assert api.get(address).status_code == 404
    assert api.put(address, {"address": ADDRESS}, format="json").json() == {"address": ADDRESS, "times": []}
    noted = api.patch(address, {"event_seq": 1, "seconds": 754}, format="json").json()
    assert noted["times"] == [{"event_seq": 1, "seconds": 754, "address": f"{ADDRESS}?t=754s"}]
    assert api.get(address).json() == noted
    late = api.patch(address, {"event_seq": 2, "seconds": 1}, format="json")
    assert "The scoresheet has 1 entries." in json.dumps(late.json())
    bad = api.put(address, {"address": "ftp://x"}, format="json")
    assert (bad.status_code, bad.json()["code"]) == (409, "no_video_address")
    assert with_token(member(match.club)).delete(address).status_code == 403
    assert api.patch(address, {"event_seq": 1, "seconds": None}, format="json").json()["times"] == []
    assert api.delete(address).status_code == 204
    assert api.patch(address, {"event_seq": 1, "seconds": 1}, format="json").json()["code"] == "no_video"


def test_a_hidden_match_hides_its_video(match: Match, ana: User) -> None:
    set_video(match=match, user=ana, address=ADDRESS)
    Club.objects.update(visibility=Visibility.MEMBERS)
    assert with_token(UserFactory.create()).get(f"/api/v1/matches/{match.ref}/video/").status_code == 404


def test_times_cost_the_page_the_same_however_many(
    client: Client, match: Match, ana: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    match = play_turns(match, 6)
    set_video(match=match, user=ana, address=ADDRESS)
    page_of(client, match, 1)
    for seq in range(1, match.sheet.head_seq):
        note_time(match=match, seq=seq, seconds=seq)
        if seq in {1, 6}:
            with django_assert_num_queries(6):
                page_of(client, match, 3)


def test_erasing_a_player_forgets_the_videos_of_their_matches(match: Match, ana: User) -> None:
    set_video(match=match, user=ana, address=ADDRESS)
    (own,) = personal_data(ana)["videos"]
    assert (own["match"], own["address"], own["times"]) == (match.ref, ADDRESS, {})
    erase_user(user=ana)
    assert not MatchVideo.objects.exists()


def test_a_match_on_another_computer_keeps_its_video(client: Client, match: Match, ana: User) -> None:
    set_video(match=match, user=ana, address=ADDRESS)
    match.sheet.moved_at = match.created_at
    match.sheet.save()
    with pytest.raises(ResultRefused, match="moved to another computer"):
        set_video(match=match, user=ana, address="https://youtu.be/another")
    client.force_login(ana)
    page = client.post(
        reverse("scoring:match_video", args=[match.ref]), {"address": "https://youtu.be/another"}
    )
    assert "moved to another computer" in page.content.decode()


def test_the_match_of_the_sheet_takes_the_video_of_its_twin_without_times(match: Match, ana: User) -> None:
    other = two_players(3, club=match.club)
    set_video(match=other, user=ana, address=ADDRESS)
    note_time(match=other, seq=1, seconds=5)
    give_way(twin=other, to=match, user=ana)
    video = MatchVideo.objects.get()
    assert (video.match, video.address, video.times) == (match, ADDRESS, {})
    third = two_players(3, club=match.club)
    set_video(match=third, user=ana, address="https://youtu.be/third")
    give_way(twin=third, to=match, user=ana)
    assert MatchVideo.objects.get(match=match).address == ADDRESS


def test_a_long_address_is_named_in_short(match: Match, ana: User) -> None:
    with pytest.raises(VideoRefused, match=r"^“https://a\.example/x{62}…” is not"):
        set_video(match=match, user=ana, address="https://a.example/" + "x" * 100 + " y")
