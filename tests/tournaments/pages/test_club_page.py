"""A club's front page: when they play next, what was played, who leads, what waits for a director."""

import re
from datetime import timedelta

import pytest
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils.timezone import now

from clubs.mail.services import keep_mail
from clubs.models import Club, Openness, OutgoingMail, Role, Visibility, WorkStatus
from scoring.models import Alias, Analysis
from tests.factories import ClubFactory, PlayerFactory, UserFactory, member
from tests.scoring.factories import finish_match, open_match
from tests.scoring.matches.test_list_pages import SESSION_AND_USER, analysed, some_matches, words
from tests.tournaments.factories import an_event, flight_of
from tournaments.entries.services.entries import enter
from tournaments.models import Event
from tournaments.pages.queries.first_steps import first_steps

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("number", [1, 3])
def test_a_clubs_front_page_for_visitors_for_sixteen_questions(client, django_assert_num_queries, number):
    club = ClubFactory.create(name="Bar Point")
    some_matches(club, number)
    # the club; three for events; its list; six for matches; four for the top; running analyses; members
    with django_assert_num_queries(16):
        response = client.get(club.get_absolute_url())
    shown = words(response)
    assert "Bar Point" in shown
    assert "Members All 0" in shown


@pytest.mark.parametrize("number", [1, 3])
def test_a_director_sees_what_waits_for_constant_questions(client, django_assert_num_queries, number):
    club = ClubFactory.create()
    director = member(club, Role.DIRECTOR, name="Dora")
    some_matches(club, number)
    for day in range(number):
        waiting = open_match(club, PlayerFactory.create(), PlayerFactory.create(), day=10 + day)
        finish_match(waiting, "white", final=False)
        analysis = analysed(waiting, 0.1, 0.1)
        Analysis.objects.filter(pk=analysis.pk).update(status=WorkStatus.QUEUED)
        claimed_by = PlayerFactory.create()
        guest = PlayerFactory.create()
        Alias.objects.create(club=club, name=f"N{day}", key=f"n{day}", player=guest, claimed_by=claimed_by)
    client.force_login(director)
    with django_assert_num_queries(SESSION_AND_USER + 32):
        response = client.get(club.get_absolute_url())
    shown = words(response)
    assert shown.count("Confirm 5–0") == number
    assert f"{number} name" in shown
    assert "Dora Director" in shown
    assert shown.count("Waiting to start") == number


def test_who_runs_a_club_is_shown_to_whom_the_club_shows_its_lists(client):
    club = ClubFactory.create(lists_open_to=Openness.MEMBERS)
    member(club, Role.DIRECTOR, name="Olga")
    guest = member(club, Role.GUEST, name="Iker")
    address = club.get_absolute_url()
    assert "Members Members only. Sign in" in words(client.get(address))
    assert "Olga" not in words(client.get(address))
    client.force_login(UserFactory.create())
    assert "Olga" not in words(client.get(address))
    client.force_login(guest)
    inside = words(client.get(address))
    assert "Olga" in inside
    assert "to confirm" not in inside
    Club.objects.update(lists_open_to=Openness.EVERYONE)
    client.logout()
    assert "Olga" in words(client.get(address))


def test_a_hidden_club_is_not_there_for_others(client):
    hidden = ClubFactory.create(visibility=Visibility.MEMBERS)
    address = hidden.get_absolute_url()
    assert client.get(address).status_code == 302
    client.force_login(member(ClubFactory.create()))
    assert client.get(address).status_code == 404
    client.force_login(member(hidden, Role.GUEST))
    assert client.get(address).status_code == 200


def test_the_name_of_a_club_is_escaped(client):
    club = ClubFactory.create(name="<script>alert(1)</script>")
    some_matches(club, 1, PlayerFactory.create(name="<b>Ana</b>"))
    text = client.get(club.get_absolute_url()).content.decode()
    assert "<script>alert" not in text
    assert "<b>Ana" not in text


def test_events_stand_under_what_they_are_and_ones_own_first(client):
    ana = member(club := ClubFactory.create(), name="Ana")
    own, other, soon, over = (an_event(2, club=club) for _ in range(4))
    enter(flight=flight_of(own), players=[ana.player])
    for event, name, status, days in (
        (own, "Own Cup", "running", 0),
        (other, "Other Cup", "running", 1),
        (soon, "Next Cup", "announced", 2),
        (over, "Old Cup", "finished", -9),
    ):
        starts_at = now() + timedelta(days=days)
        Event.objects.filter(pk=event.pk).update(name=name, status=status, starts_at=starts_at)
    client.force_login(ana)
    text = words(client.get(club.get_absolute_url()))
    expected = (
        r"Own Cup In progress .*You play Open event.* In progress .*Other Cup .*Upcoming .*Next Cup .*Old Cup"
    )
    assert re.search(expected, text)


@pytest.mark.parametrize("hidden", [False, True])
def test_the_next_event_stands_first_with_the_way_in(client, hidden):
    ana = member(club := ClubFactory.create(), name="Ana")
    later, soon = (an_event(2, club=club) for _ in range(2))
    for event, name, days in ((later, "Winter Cup", 9), (soon, "Club evening", 2)):
        starts_at = now() + timedelta(days=days)
        Event.objects.filter(pk=event.pk).update(name=name, starts_at=starts_at, hidden=hidden)
    client.force_login(ana)
    text = client.get(club.get_absolute_url()).content.decode()
    assert ("Club evening" in text, "Winter Cup" in text) == (not hidden, not hidden)
    if not hidden:
        assert text.index("Club evening") < text.index("Winter Cup")
        assert f'<a class="button" href="{soon.get_absolute_url()}">Enter</a>' in text
        enter(flight=flight_of(soon), players=[ana.player])
        shown = words(client.get(club.get_absolute_url()))
        assert "Entered Open event" in shown
        client.logout()
        assert "Entered" not in words(client.get(club.get_absolute_url()))


def ticked(client, club):
    """The steps that are done, as the API says and the club's page shows."""
    asked = client.get(reverse("api:first_steps", args=[club.slug])).json()
    found = [step["key"] for step in asked["steps"] if step["done"]]
    shown = words(client.get(club.get_absolute_url()))
    if not asked["complete"] and not asked["put_away"]:
        assert f"First steps {len(found)} of 5" in shown
    else:
        assert "First steps" not in shown
    return found


def test_the_first_steps_of_a_club_tick_themselves_and_untick(client, settings):
    settings.EMAIL_URL = ""
    club = ClubFactory.create()
    client.force_login(member(club, Role.OWNER))
    assert ticked(client, club) == ["club"]
    member(club, Role.GUEST)
    assert ticked(client, club) == ["club", "people"]
    assert "None announced yet" in words(client.get(club.get_absolute_url()))
    event = an_event(club=club)
    assert ticked(client, club) == ["club", "people", "event"]
    client.get(reverse("tournaments:door", args=[event.ref]))
    assert ticked(client, club) == ["club", "people", "event", "phones"]
    settings.EMAIL_URL = "smtp://localhost"
    assert ticked(client, club) == ["club", "people", "event", "phones", "mail"]
    keep_mail(EmailMessage("a", "b", None, ["c@example.org"]))
    OutgoingMail.objects.update(status=WorkStatus.FAILED, finished_at=now())
    assert "mail" not in ticked(client, club)


def test_the_players_step_leads_to_invitations_only_where_they_are_sent(client, settings):
    club = ClubFactory.create()
    owner, director = member(club, Role.OWNER), member(club, Role.DIRECTOR)
    listed, invite = (reverse(f"clubs:{name}", args=[club.slug]) for name in ("member_list", "invite"))
    settings.EMAIL_URL = ""
    assert first_steps(club, Role.OWNER).steps[1].address == listed
    settings.EMAIL_URL = "smtp://localhost"
    assert first_steps(club, Role.OWNER).steps[1].address == invite
    assert first_steps(club, Role.DIRECTOR).steps[1].address == listed
    for each in (owner, director):
        client.force_login(each)
        assert client.get(listed).status_code == 200


def test_the_first_steps_are_for_directors_until_they_are_put_away(client):
    club = ClubFactory.create()
    address = reverse("tournaments:put_away_steps", args=[club.slug])
    for role in (Role.DIRECTOR, Role.MEMBER):
        client.force_login(member(club, role))
        shown = words(client.get(club.get_absolute_url()))
        assert ("Hide steps" in shown) == (role == Role.DIRECTOR)
    assert client.post(address).status_code == 403
    client.force_login(member(club, Role.DIRECTOR))
    for away in ("yes", "yes", "no", "yes"):
        assert client.post(address, {"away": away}).status_code == 302
        shown = words(client.get(club.get_absolute_url()))
        assert ("Hide steps" in shown, "Show first steps" in shown) == (away == "no", away == "yes")
    answer = client.patch(
        reverse("api:first_steps", args=[club.slug]), {"put_away": False}, content_type="application/json"
    )
    assert (answer.status_code, answer.json()["put_away"]) == (200, False)
