"""Ratings cannot be forged: who reports a match, who has to agree, who is told, and which dates count."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now

from clubs.clubs.services.clubs import add_player
from clubs.models import Club, Membership, Role, WorkStatus
from scoring.files.services.imports import import_file
from scoring.log.queries.writers import Author, writer
from scoring.matches.queries.matches import waiting_for
from scoring.matches.services import notices
from scoring.matches.services.notices import register_push
from scoring.models import Match, ObjectionWindow, ResultNotice
from scoring.profiles.queries.profile_words import sentences
from scoring.rules.events import LengthSet
from scoring.rules.profiles import BUILT_IN
from scoring.rules.sides import Side
from scoring.sheets.services.claims import make_claim
from scoring.sheets.services.entries import Entry, record
from scoring.sheets.services.openings import open_match
from scoring.sheets.services.results import confirm_result, object_to_result
from scoring.tasks import close_window, tell_of_result
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, PlayerFactory, member
from tests.scoring.records import short_match
from tests.scoring.sheets.writing import author, loaded, two_players, win, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(slug="bar-point")


def friendly(length: int = 1, club: Club | None = None) -> Match:
    return two_players(length, BUILT_IN["us"], club, friendly=True)


def end_windows() -> None:
    ObjectionWindow.objects.update(available_at=now() - timedelta(seconds=1))
    for window in ObjectionWindow.objects.filter(status=WorkStatus.QUEUED):
        close_window(window.ref)


def confirmed(match: Match, colour: str) -> Match:
    confirm_result(match=match, user=author(match, colour).user, as_director=False)
    return loaded(match)


def test_a_friendly_match_never_becomes_final_by_a_window() -> None:
    match = write(friendly(), win(Side.WHITE))
    # One that was opened while windows still counted everywhere.
    ObjectionWindow.objects.get_or_create(match=match, revision=1)
    end_windows()
    match = loaded(match)
    assert (match.result.objection_until, match.result.final_at) == (None, None)
    assert confirmed(match, "black").result.final_by == "confirmed"


@pytest.mark.parametrize("winner", list(Side))
def test_whoever_wrote_a_friendly_result_waits_for_the_other_side_whoever_won(winner) -> None:
    match = write(friendly(), win(winner), by="white")
    white, black = (author(match, colour).user for colour in ("white", "black"))
    assert white is not None
    assert black is not None
    assert list(waiting_for(white)) == []
    assert list(waiting_for(black)) == [match]
    assert confirmed(match, "white").result.final_at is None
    assert confirmed(match, "black").result.final_by == "confirmed"


def test_whoever_writes_on_after_the_end_has_not_agreed() -> None:
    match = write(friendly(2), win(Side.WHITE), win(Side.WHITE), by="white")
    match = write(match, LengthSet(2, "", "it is to 2"), by="black")
    assert match.result.final_at is None


def test_a_scorer_with_a_code_agrees_for_nobody() -> None:
    match = friendly()
    claim, _code = make_claim(match=match, author=author(match, "white"))
    record(match=match, author=Author(claim=claim), after=1, entries=[Entry("a", win(Side.WHITE))])
    assert confirmed(match, "black").result.final_at is None
    assert confirmed(match, "white").result.final_by == "confirmed"


def test_a_code_for_a_side_is_that_sides_proxy() -> None:
    match = friendly()
    claim, _code = make_claim(match=match, author=author(match, "white"), side="white")
    record(
        match=match, author=Author(claim=claim, side="white"), after=1, entries=[Entry("a", win(Side.WHITE))]
    )
    assert confirmed(match, "black").result.final_by == "confirmed"


@pytest.mark.parametrize("role", [Role.MEMBER, Role.DIRECTOR, Role.OWNER])
@pytest.mark.parametrize("by", ["page", "api"])
def test_only_players_and_directors_open_a_match(client, club, role, by) -> None:
    user = member(club, role)
    ana, ben = member(club, name="Ana").player, member(club, name="Ben").player
    if by == "page":
        client.force_login(user)
        form = {"white": ana.ref, "black": ben.ref, "kind": "match", "length": "25", "profile": "wbf"}
        status = client.post(reverse("scoring:new_match", args=[club.slug]), form).status_code
        assert status == (302 if role >= Role.DIRECTOR else 200)
    else:
        body = {"white": [ana.ref], "black": [ben.ref], "length": 25}
        answer = with_token(user).post("/api/v1/clubs/bar-point/matches/", body, format="json")
        assert answer.status_code == (201 if role >= Role.DIRECTOR else 422)
        if role < Role.DIRECTOR:
            assert answer.data["code"] == "not_your_match"
    assert Match.objects.exists() == (role >= Role.DIRECTOR)
    found = Match.objects.select_related("sheet").first()
    assert found is None or found.sheet.opened_by_director


def test_who_is_refused_leaves_no_guest_behind(client, club) -> None:
    client.force_login(member(club))
    form = {"white_name": "Zoë", "black_name": "Iker", "kind": "match", "length": "25", "profile": "wbf"}
    page = client.post(reverse("scoring:new_match", args=[club.slug]), form)
    assert "only its players and directors can create a match" in page.content.decode()
    assert not PlayerFactory._meta.model.objects.filter(person__name="Zoë").exists()


def test_a_member_who_opened_a_match_of_others_before_cannot_write_it(club) -> None:
    user = member(club)
    match = two_players(1, club=club)
    match.sheet.opened_by = user
    match.sheet.save()
    assert writer(loaded(match), user) is None
    answer = with_token(user).post(
        f"/api/v1/matches/{match.ref}/events/",
        {"after": 1, "entries": [{"key": "a", "kind": "suspended", "body": {}}]},
        format="json",
    )
    assert answer.status_code == 403


def test_a_guest_without_a_login_never_agrees_so_a_director_decides(club) -> None:
    user, guest = member(club), add_player(club=club, name="Leo").player
    match = open_match(club=club, white=[user.player], black=[guest], length=25, user=user)
    match = write(loaded(match), *[win(Side.WHITE, cube=32)])
    end_windows()
    assert loaded(match).result.final_at is None
    confirm_result(match=match, user=member(club, Role.DIRECTOR), as_director=True)
    assert loaded(match).result.final_by == "director"


@pytest.mark.parametrize(("days", "needs_director"), [(6, False), (8, True)])
def test_a_date_more_than_a_week_back_needs_a_director(club, days, needs_director) -> None:
    match = friendly(club=club)
    Match.objects.update(played_at=now() - timedelta(days=days))
    match = confirmed(write(match, win(Side.WHITE)), "black")
    assert (match.result.final_at is None) is needs_director
    if needs_director:
        confirm_result(match=match, user=member(club, Role.DIRECTOR), as_director=True)
        assert loaded(match).result.final_by == "director"


def test_a_date_before_somebody_joined_needs_a_director(client, club) -> None:
    users = [member(club, name=name) for name in ("Ana", "Ben")]
    match = open_match(
        club=club, white=[users[0].player], black=[users[1].player], length=1, user=users[0],
        played_at=now() - timedelta(days=2),
    )  # fmt: skip
    match = confirmed(write(loaded(match), win(Side.WHITE)), "black")
    assert match.result.final_at is None
    client.force_login(users[0])
    page = client.get(match.get_absolute_url()).content.decode()
    assert "A director must confirm this match" in page
    Membership.objects.update(joined_at=now() - timedelta(days=3))
    assert confirmed(match, "white").result.final_by == "confirmed"


def test_an_old_date_in_an_uploaded_file_needs_a_director(club) -> None:
    ana, ben = member(club, name="Ana"), member(club, name="Ben")
    match, _report = import_file(club=club, filename="a.mat", content=short_match("Ana", "Ben"), user=ana)
    assert match is not None
    for user, colour in ((ana, "white"), (ben, "black")):
        match.seats.filter(side__colour=colour).update(player=user.player)
    Membership.objects.update(joined_at=now() - timedelta(days=3000))
    Match.objects.update(played_at=now() - timedelta(days=8))
    assert confirmed(loaded(match), "black").result.final_at is None


def test_both_sides_are_told_at_once_by_mail_and_push(club, mailoutbox) -> None:
    pushed: list[tuple[int, dict[str, str]]] = []
    before = list(notices._pushes)
    notices._pushes.clear()

    def push(user: int, message: dict[str, str]) -> list[str]:
        pushed.append((user, message))
        return []

    register_push(push)
    try:
        match = write(friendly(club=club), win(Side.WHITE))
        for ref in ResultNotice.objects.values_list("ref", flat=True):
            tell_of_result(ref)
    finally:
        notices._pushes[:] = before
    ana, ben = (author(match, colour).user for colour in ("white", "black"))
    assert ana is not None
    assert ben is not None
    mails = {mail.to[0]: mail for mail in mailoutbox}
    assert set(mails) == {ana.email, ben.email}
    assert mails[ben.email].subject == "Result to confirm: Ana 1–0 Ben"
    assert mails[ana.email].subject == "Result recorded: Ana 1–0 Ben"
    assert match.get_absolute_url() in mails[ben.email].body
    assert {user for user, _message in pushed} == {ana.pk, ben.pk}
    assert pushed[0][1]["address"] == match.get_absolute_url()
    assert set(ResultNotice.objects.values_list("status", flat=True)) == {WorkStatus.DONE}


def test_each_result_is_told_once_and_a_corrected_one_again() -> None:
    match = write(friendly(), win(Side.WHITE))
    assert ResultNotice.objects.filter(way="mail").count() == 2
    object_to_result(match=match, side="black", user=author(match, "black").user)
    confirmed(match, "black")
    assert ResultNotice.objects.filter(way="mail").count() == 2


def test_a_result_that_changed_meanwhile_is_not_told(mailoutbox) -> None:
    match = write(friendly(2), win(Side.WHITE, cube=2))
    first = ResultNotice.objects.filter(way="mail")[0]
    match.result.revision = 2
    match.result.save()
    tell_of_result(first.ref)
    first.refresh_from_db()
    assert first.status == WorkStatus.CANCELLED
    assert not mailoutbox


@pytest.mark.parametrize("how", ["confirmed", "director", "window"])
def test_the_match_page_and_the_api_say_how_a_result_became_final(client, how) -> None:
    match = write(two_players(1, BUILT_IN["us"]), win(Side.WHITE))
    if how == "confirmed":
        confirmed(match, "black")
    elif how == "window":
        end_windows()
    else:
        director = member(match.club, Role.DIRECTOR, name="Dora")
        confirm_result(match=match, user=director, as_director=True)
    words = {
        "confirmed": "Ana and Ben confirmed the result.",
        "director": "Dora confirmed the result as a director.",
        "window": "The result was not disputed in time.",
    }
    assert words[how] in client.get(match.get_absolute_url()).content.decode()
    answer = client.get(f"/api/v1/matches/{match.ref}/").json()
    assert answer["final_by"] == how
    assert answer["final_at"] is not None


def test_profiles_say_in_words_who_reports_and_what_a_window_is_for() -> None:
    for profile in BUILT_IN.values():
        said = " ".join(sentences(profile))
        assert "In an event match, or one that a director opened" in said
        assert "Other matches need confirmation from the other side or a director." in said
        assert "Only the players, directors and anyone with a scoring link can report" in said
        assert "dated more than 7 days back or before a player joined" in said
