"""The first page: for a person what waits and what happened, for a visitor what this is."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Role, User, Visibility, WorkStatus
from scoring.models import Analysis, Confirmation, DecisionRow, Objection, Result, Sheet, Source
from scoring.rules.sides import Side
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, UserFactory, member
from tests.scoring.factories import finish_match, open_match
from tests.scoring.matches.test_list_pages import SESSION_AND_USER, analysed, some_matches, words
from tests.scoring.sheets.writing import two_players, write
from tests.scoring.sheets.writing import win as win_game
from tests.tournaments.factories import an_event, drawn, flight_of, open_pairings, win
from tournaments.desk.services.calls import call, start
from tournaments.desk.services.tables import make_tables
from tournaments.entries.services.entries import enter
from tournaments.models import Event

pytestmark = pytest.mark.django_db


def now(client, user: User | None, **headers):
    if user is None:
        client.logout()
    else:
        client.force_login(user)
    return client.get("/", headers=headers)


def running(match, done: int = 0, total: int = 0) -> Analysis:
    analysis = analysed(match, 0.0, 0.0)
    status = WorkStatus.RUNNING if total else WorkStatus.QUEUED
    lease = {"lease_until": "2999-01-01T00:00Z"} if total else {}
    Analysis.objects.filter(pk=analysis.pk).update(
        status=status, done_decisions=done, all_decisions=total, **lease
    )
    return analysis


@pytest.mark.parametrize("number", [1, 3])
def test_a_visitor_sees_public_matches_for_constant_questions(client, django_assert_num_queries, number):
    some_matches(ClubFactory.create(name="Bar Point"), number)
    some_matches(ClubFactory.create(name="The Den", visibility=Visibility.MEMBERS), number)
    # the demo; six to find a play to show; two for an event; six for the matches
    with django_assert_num_queries(11):
        response = client.get("/")
    shown = words(response)
    assert "Midpoint runs backgammon clubs." in shown
    assert shown.count("5–0") == number
    assert "The Den" not in shown
    assert 'href="/account/login/"' in response.content.decode()


def test_a_visitor_sees_a_play_of_a_real_match_and_what_it_cost(client):
    public, hidden = ClubFactory.create(), ClubFactory.create(visibility=Visibility.MEMBERS)
    (small,), (large,), (secret,) = (some_matches(club, 1) for club in (public, public, hidden))
    for match, error in ((small, 0.09), (large, 0.4123), (secret, 0.9)):
        with_an_error(match, error)
    shown = now(client, None)
    assert "This play cost 0.412. Berta 0 played 24/18 13/11 ; best was 24/16 ." in words(shown)
    assert f'href="{large.get_absolute_url()}">Open match' in shown.content.decode()
    # It was corrected and is not analysed again yet.
    large.sheet.head_seq, large.sheet.head_hash = 1, "0" * 64
    large.sheet.save()
    assert "This play cost 0.090." in words(now(client, None))


def with_an_error(match, error: float) -> None:
    """An analysis in which Black's play of a 62 from the start is the biggest error."""
    analysis = match.analyses.get()
    xgid = "-b----E-C---eE---c-e----B-:0:0:-1:62:0:0:0:5:10"
    analysis.summary["worst"] = {"seq": 9, "side": "black", "error": error, "xgid": xgid}
    analysis.save()
    best = {"level": "3-ply", "action": "24/16", "equity": 0.0, "played": False, "probabilities": [0.5] * 5}
    DecisionRow.objects.create(
        analysis=analysis,
        number=1,
        event_seq=9,
        game=1,
        ply=2,
        kind="checker",
        colour="black",
        played="24/18 13/11",
        candidates=[best],
        error=error,
        counted=True,
    )


@pytest.mark.parametrize("players", [4, 24])
def test_a_visitor_sees_two_rounds_of_the_event_that_is_played(client, django_assert_num_queries, players):
    event = an_event(players)
    assert "Happening now" not in words(now(client, None))
    stage = drawn(event)
    row = open_pairings(stage)[0]
    win(row, member(event.club, Role.DIRECTOR))
    with django_assert_num_queries(19):
        shown = now(client, None)
    text = words(shown)
    assert "Happening now" in text
    assert row.a.title in text
    assert "winner of" not in text
    assert f'data-live="/live/{event.ref}?since=' in shown.content.decode()
    Event.objects.filter(pk=event.pk).update(hidden=True)
    assert "Happening now" not in words(now(client, None))


def test_an_event_without_a_bracket_does_not_hide_one_that_is_played(client):
    event = an_event(4)
    row = open_pairings(drawn(event))[0]
    newer = an_event(4, club=event.club)
    start = event.starts_at + timedelta(days=1)
    Event.objects.filter(pk=newer.pk).update(status="running", starts_at=start)
    text = words(now(client, None))
    assert "Happening now" in text
    assert row.a.title in text


def test_an_event_with_tables_in_play_comes_before_a_nearer_one(client):
    event = an_event(4)
    row = open_pairings(drawn(event))[0]
    drawn(an_event(4, club=event.club))
    start_at = event.starts_at + timedelta(days=1)
    Event.objects.filter(pk=event.pk).update(name="Thursday", starts_at=start_at)
    director = member(event.club, Role.DIRECTOR)

    def shown():
        """The first page's event, the club's, and the first of the director's desks."""
        front = "Thursday" if "Thursday" in words(now(client, None)) else "Wednesday"
        club = client.get(event.club.get_absolute_url()).context["first"].name
        return front, club, now(client, director).context["desks"][0].name

    assert shown() == ("Wednesday",) * 3
    make_tables(event=event, last=1, user=director)
    call(pairing=row, user=director, table=1)
    assert shown() == ("Thursday",) * 3
    start(pairing=row, user=director)
    assert "Live" in words(now(client, None))


def test_a_match_in_progress_is_continued_from_now(client):
    club = ClubFactory.create()
    ana, berta = member(club, name="Ana"), member(club, name="Berta")
    match = open_match(club, ana.player, berta.player)
    assert "Continue" not in words(now(client, ana))
    Sheet.objects.filter(pk=match.sheet_id).update(head_seq=2, head_hash="a" * 64)
    shown = now(client, ana)
    assert "Berta Match in progress · 5 points Continue" in words(shown)
    assert reverse("scoring:scoresheet", args=[match.ref]) in shown.content.decode()


def test_a_visitor_of_an_empty_installation_is_told_how_it_begins(client):
    shown = now(client, None)
    assert "Latest results" not in words(shown)
    assert 'href="/account/signup/"' in shown.content.decode()


@pytest.mark.parametrize("number", [1, 3])
def test_a_persons_page_for_constant_questions(client, django_assert_num_queries, number):
    user = UserFactory.create()
    player = PlayerFactory.create(user=user, name="Ana")
    for _ in range(number):
        club = ClubFactory.create()
        MembershipFactory.create(club=club, player=player, role=Role.DIRECTOR)
        some_matches(club, 1, white=player)
        some_matches(club, 1)
        waiting = open_match(club, player, PlayerFactory.create(name="Berta"), day=20)
        finish_match(waiting, "white", final=False)
        running(waiting, 12, 340)
    client.force_login(user)
    with django_assert_num_queries(SESSION_AND_USER + 24):
        response = client.get("/")
    shown = words(response)
    assert shown.count("Confirm 5–0") == number
    assert shown.count("Analysing: 12 of 340 decisions") == number
    assert shown.count("1 result to confirm") - (number == 1) == number


def test_what_waits_is_ones_own_yes_to_the_result_as_it_stands(client):
    club = ClubFactory.create()
    ana, berta, iker = (member(club, name=name) for name in ("Ana", "Berta", "Iker"))
    match = finish_match(open_match(club, ana.player, berta.player), "white", final=False)

    def waits(user) -> bool:
        return "Confirm 5–0" in words(now(client, user))

    assert (waits(ana), waits(berta), waits(iker)) == (True, True, False)
    Confirmation.objects.create(match=match, revision=1, side="white", user=ana)
    assert (waits(ana), waits(berta)) == (False, True)
    Source.objects.create(match=match, filename="a.mat", format="mat", sha256="0" * 64, user=berta)
    assert not waits(berta)
    match.result.revision = 2
    match.result.save()
    assert waits(ana)


def test_a_result_is_read_from_ones_own_side_with_both_answers(client):
    club = ClubFactory.create()
    ana, berta = (member(club, name=name) for name in ("Ana", "Berta"))
    match = finish_match(open_match(club, ana.player, berta.player), "black", final=False)
    assert "1 result to confirm Reported: 5–0 for Berta" in words(now(client, ana))
    shown = now(client, berta)
    assert "Reported: 5–0 for you" in words(shown)
    assert "Dispute If 5–0 is wrong, a director decides. Dispute 5–0 Cancel Confirm 5–0" in words(shown)
    answer = client.post(reverse("scoring:dispute", args=[match.ref]), {"revision": 1, "next": "/"})
    assert answer["Location"] == "/"
    assert Objection.objects.get().side == "black"
    assert "to confirm" not in words(now(client, berta))
    client.post(reverse("scoring:confirm", args=[match.ref]), {"revision": 1})
    assert "1 result to confirm" in words(now(client, ana))


def test_who_entered_a_result_is_named_to_the_other_side(client):
    match = write(two_players(length=1, friendly=True), win_game(Side.BLACK), by="white")
    ben = match.black.players[0].user
    assert "Ana reports 1–0 for you" in words(now(client, ben))
    assert "Ana reports 1–0 for you" in words(client.get(match.get_absolute_url()))


def test_nobody_disputes_for_others_or_what_is_final(client):
    club = ClubFactory.create()
    ana, berta, iker = (member(club, name=name) for name in ("Ana", "Berta", "Iker"))
    match = finish_match(open_match(club, ana.player, berta.player), "black", final=False)
    address = reverse("scoring:dispute", args=[match.ref])
    client.force_login(iker)
    assert "Only the players of this match" in words(client.post(address, follow=True))
    client.force_login(ana)
    assert "result" in words(client.post(address, {"revision": 7}, follow=True))
    assert client.post(address, {"revision": "x"}).status_code == 400
    Result.objects.update(final_at="2026-01-02T00:00Z")
    assert "The result is final." in words(client.post(address, {"revision": 1}, follow=True))
    assert not Objection.objects.exists()


def test_a_directors_desk_stands_before_what_is_due(client):
    stage = drawn(an_event(4))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    Event.objects.update(status="running")
    text = now(client, director).content.decode()
    desk = reverse("tournaments:desk", args=[stage.flight.event.ref])
    assert f'<a class="button" href="{desk}">Open desk' in text


def test_desks_of_today_stand_before_those_of_other_days(client):
    club = ClubFactory.create()
    director = member(club, Role.DIRECTOR)
    for name, days in (("In a month", 30), ("A season", -100), ("Today", 0)):
        Event.objects.filter(pk=an_event(club=club).pk).update(
            name=name, status="running", starts_at=timezone.now() + timedelta(days=days)
        )
    desks = now(client, director).context["desks"]
    assert [event.name for event in desks] == ["Today", "In a month", "A season"]


def test_a_person_sees_the_own_hidden_club_and_no_other(client):
    own, other = (
        ClubFactory.create(name=name, visibility=Visibility.MEMBERS) for name in ("The Den", "The Cellar")
    )
    for club in (own, other):
        some_matches(club, 1)
        running(finish_match(open_match(club, PlayerFactory.create(), PlayerFactory.create()), "white"))
    shown = words(now(client, member(own, Role.GUEST)))
    assert "Waiting to start" in shown
    assert "The Cellar" not in shown
    for viewer in (None, UserFactory.create()):
        shown = words(now(client, viewer))
        assert "The Den" not in shown
        assert "Waiting to start" not in shown


def test_an_empty_page_offers_the_next_step(client):
    user = UserFactory.create()
    shown = now(client, user)
    assert "You are not in a club yet" in words(shown)
    assert 'href="/clubs/"' in shown.content.decode()
    club = ClubFactory.create()
    shown = now(client, member(club))
    assert f'href="/clubs/{club.slug}/upload/"' in shown.content.decode()


def test_the_newest_rating_change_leads_to_its_arithmetic(client):
    club = ClubFactory.create()
    user = member(club, name="Ana")
    (match,) = some_matches(club, 1, white=user.player)
    response = now(client, user)
    assert "after beating Berta 0" in words(response)
    assert f'href="/players/{user.player.ref}/ratings/{match.ref}/"' in response.content.decode()


def test_the_page_listens_to_its_clubs_and_sends_its_content_alone(client):
    club = ClubFactory.create()
    user = member(club)
    text = now(client, user).content.decode()
    assert f'data-live="/live/{club.ref}?since={club.version}"' in text
    part = now(client, user, **{"HX-Target": "now"}).content.decode().strip()
    assert part.startswith('<div id="now"')


def test_the_first_page_is_a_members_place_now_and_a_visitor_looks_for_clubs(client):
    text = now(client, UserFactory.create()).content.decode()
    assert re.search(r'href="/" aria-current="page"', text)
    assert reverse("tournaments:now") == "/"
    shown = now(client, None).content.decode()
    assert "<span>Now</span>" not in shown
    assert "<span>Clubs</span>" in shown


def test_the_event_that_one_has_entered_comes_before_an_earlier_one(client):
    first = an_event(2)
    user = member(first.club, name="Ana")
    second = an_event(2, club=first.club)
    Event.objects.filter(pk=first.pk).update(name="Sooner")
    Event.objects.filter(pk=second.pk).update(name="Mine", starts_at=first.starts_at + timedelta(days=3))
    assert "Sooner" in words(now(client, user))
    enter(flight=flight_of(second), players=[user.player])
    shown = words(now(client, user))
    assert "Sooner" not in shown
    assert "Mine" in shown
    assert "Entered" in shown
