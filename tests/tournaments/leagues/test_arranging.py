"""The pages of matches to arrange, teams, ladders, seasons, flights, starts and event files."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Role
from tests.factories import ClubFactory, member
from tests.tournaments.factories import an_event, drawn, open_pairings, other_side, win
from tests.tournaments.leagues.test_leagues import a_tie, league
from tournaments.core.ladders.ladder import LadderOptions
from tournaments.events.plans import StagePlan
from tournaments.models import Board, EntrantRow, Event, PairingRow, StageRow
from tournaments.stages.services.cancellations import cancel_event

pytestmark = pytest.mark.django_db


def words(response):
    return " ".join(response.content.decode().split())


def user_of(entrant):
    return entrant.members.get().player.user


def test_two_people_agree_on_a_time(client):
    row = open_pairings(league("Ana", "Ben"))[0]
    event, at = row.stage.flight.event, now() + timedelta(days=2)
    client.force_login(user_of(row.a))
    address = reverse("tournaments:arrange", args=[row.ref])
    for side, other in ((other_side(row), row.a), (row.a, other_side(row))):
        client.force_login(user_of(side))
        page = words(client.get(event.get_absolute_url()))
        assert f'<a class="whole" href="{address}"><span>{other.title}</span>' in page
    assert "Match time" in words(client.get(address))
    typed = {"at": at.astimezone(event.tz).strftime("%Y-%m-%dT%H:%M")}
    time = reverse("tournaments:meeting_time", args=[row.ref])
    assert "Proposed:" in words(client.post(time, typed, follow=True))
    assert "Enter a date and time" in words(client.post(time, {"at": "soon"}, follow=True))
    client.force_login(user_of(row.b))
    assert "Accept time" in words(client.get(address))
    assert "Agreed:" in words(client.post(time, {"answer": "yes"}, follow=True))


def test_strangers_arrange_nothing(client):
    row = open_pairings(league("Ana", "Ben"))[0]
    client.force_login(member(row.stage.flight.event.club))
    assert client.post(reverse("tournaments:meeting_time", args=[row.ref])).status_code == 403
    assert client.post(reverse("tournaments:line_up", args=[row.ref])).status_code == 403


def test_a_director_sets_a_line_up_and_enters_a_board(client):
    pairing, director = a_tie(size=4, duplicate_dice=True)
    client.force_login(director)
    address = reverse("tournaments:arrange", args=[pairing.ref])
    assert "Line-up of Reds" in words(client.get(address)) or "Line-up of Blues" in words(client.get(address))
    team = EntrantRow.objects.with_players().get(pk=pairing.a_id)
    sent = {"entrant": team.ref}
    sent |= {f"board_{n}": team.players[4 - n].ref for n in range(1, 4)}
    page = words(client.post(reverse("tournaments:line_up", args=[pairing.ref]), sent, follow=True))
    assert "Line-up set." in page
    first = Board.objects.select_related("match").get(pairing=pairing, number=1)
    assert first.match.white.players == [team.players[3]]
    stage = StageRow.objects.get(pk=pairing.stage_id)
    result = reverse("tournaments:result", args=[pairing.ref]) + "?board=2"
    form = {"ended": "played", "a_points": "3", "b_points": "0", "commit": "", "seen": str(stage.head_seq)}
    assert client.post(result, form).status_code == 302
    assert Board.objects.get(pairing=pairing, number=2).match.status == "finished"
    assert Board.objects.get(pairing=pairing, number=1).match.status == "playing"
    assert "Game 5" in words(client.get(reverse("tournaments:rolls", args=[pairing.ref])))


def test_a_director_finds_what_is_to_be_arranged_on_the_page_of_a_match(client):
    tie, director = a_tie()
    dated = open_pairings(league("Ana", "Ben"))[0]
    for row, user in ((tie, director), (dated, member(dated.stage.flight.event.club, Role.DIRECTOR))):
        address = reverse("tournaments:pairing", args=[row.ref])
        link = f'href="{reverse("tournaments:arrange", args=[row.ref])}">Arrange match</a>'
        assert link not in words(client.get(address))
        client.force_login(user)
        assert link in words(client.get(address))
        client.logout()
    plain = open_pairings(drawn(an_event(4)))[0]
    client.force_login(member(plain.stage.flight.event.club, Role.DIRECTOR))
    assert "Arrange match" not in words(client.get(reverse("tournaments:pairing", args=[plain.ref])))


def a_ladder(*names, reach=3):
    """A ladder in its second period: the top and the last rung are free, all between have a match to play."""
    options = LadderOptions(periods=3, reach=reach, seeding="hand", start=now().date())
    stage = league(*names, stage=StagePlan("Ladder", "ladder", options, 3))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    for row in open_pairings(stage):
        win(row, director, a=True)
    entrants = EntrantRow.objects.filter(numbers__stage=stage).with_players().order_by("numbers__number")
    return StageRow.objects.get(pk=stage.pk), director, list(entrants)


def test_the_last_of_a_ladder_challenges_the_first(client, mailoutbox):
    stage, _director, (top, _second, _third, last) = a_ladder("Ana", "Ben", "Cleo", "Dora")
    address = reverse("tournaments:challenge", args=[stage.ref])
    client.force_login(user_of(last))
    for page in (stage.get_absolute_url(), stage.flight.event.get_absolute_url()):
        assert f'href="{address}"' in words(client.get(page))
    page = words(client.get(address))
    assert "You are on rung 4" in page
    assert page.count("Open match") == 2
    assert page.count("Challenge Ana") == 1
    assert "Challenger" not in page
    mailoutbox.clear()
    said = words(client.post(address, {"challenged": top.ref}, follow=True))
    assert "Challenge sent. Agree on a time." in said
    assert "Match time" in said
    row = PairingRow.objects.get(stage=stage, a=top, b=last)
    assert row.deadline is not None
    (mail,) = mailoutbox
    assert mail.to == [user_of(top).email]
    assert mail.subject == "Dora challenges you: League"
    assert "play by" in mail.body
    again = client.post(address, {"challenged": top.ref})
    assert again.status_code == 409
    assert "An open match must be played first." in words(again)
    assert reverse("tournaments:arrange", args=[row.ref]) in words(again)
    assert PairingRow.objects.filter(stage=stage, a=top, b=last).count() == 1


def test_nobody_climbs_in_an_event_that_is_cancelled(client):
    stage, director, (top, *_others, last) = a_ladder("Ana", "Ben", "Cleo", "Dora")
    event = stage.flight.event
    cancel_event(event=event, user=director)
    address = reverse("tournaments:challenge", args=[stage.ref])
    client.force_login(user_of(last))
    for page in (stage.get_absolute_url(), event.get_absolute_url()):
        assert address not in words(client.get(page))
    page = words(client.get(address))
    assert "This ladder is not in progress." in page
    assert "Challenge Ana" not in page
    answer = client.post(address, {"challenged": top.ref})
    assert answer.status_code == 409
    assert "This event is cancelled." in words(answer)
    assert not PairingRow.objects.filter(stage=stage, a=top, b=last).exists()


def test_who_stands_at_the_top_or_too_far_below_challenges_nobody(client):
    stage, _director, (top, *_others, last) = a_ladder("Ana", "Ben", "Cleo", "Dora", reach=2)
    address = reverse("tournaments:challenge", args=[stage.ref])
    client.force_login(user_of(top))
    assert "This is the top of the ladder." in words(client.get(address))
    client.force_login(user_of(last))
    page = words(client.get(address))
    assert "up to 2 rungs above" in page
    assert "Ana" not in page.partition("<h2")[2].partition("</section>")[0]
    for challenged in (top.ref, "nobody"):
        answer = client.post(address, {"challenged": challenged})
        assert answer.status_code == 409
        assert 'role="alert"' in words(answer)
    assert open_pairings(stage)[0].number == 3
    assert len(open_pairings(stage)) == 1


def test_a_director_challenges_for_somebody_and_nobody_else_does(client):
    stage, director, (top, _second, _third, last) = a_ladder("Ana", "Ben", "Cleo", "Dora")
    address = reverse("tournaments:challenge", args=[stage.ref])
    sent = {"challenger": last.ref, "challenged": top.ref}
    stranger = member(stage.flight.event.club)
    for user in (stranger, user_of(top)):
        client.force_login(user)
        assert client.post(address, sent).status_code == 403
    client.force_login(stranger)
    assert client.get(address).status_code == 403
    assert address not in words(client.get(stage.get_absolute_url()))
    assert address not in words(client.get(stage.flight.event.get_absolute_url()))
    client.force_login(director)
    assert f'href="{address}"' in words(client.get(stage.get_absolute_url()))
    assert "Challenger" in words(client.get(address))
    assert "Dora is on rung 4" in words(client.get(address, {"challenger": last.ref}))
    assert client.post(address, sent).status_code == 302
    assert PairingRow.objects.filter(stage=stage, a=top, b=last).exists()
    StageRow.objects.update(status="finished")
    assert "This ladder is not in progress" in words(client.get(address))
    assert address not in words(client.get(stage.get_absolute_url()))


def test_only_a_ladder_that_is_drawn_is_climbed(client):
    stage, director, _entrants = a_ladder("Ana", "Ben", "Cleo", "Dora")
    client.force_login(director)
    other = open_pairings(league("Eva", "Finn"))[0].stage
    client.force_login(member(other.flight.event.club, Role.DIRECTOR))
    assert client.get(reverse("tournaments:challenge", args=[other.ref])).status_code == 404
    client.force_login(director)
    StageRow.objects.update(drawn_at=None)
    assert client.get(reverse("tournaments:challenge", args=[stage.ref])).status_code == 404


@pytest.mark.long
def test_the_rungs_of_a_long_ladder_take_no_more_queries(client):
    counts = []
    for names in (["Ana", "Ben", "Cleo", "Dora"], [f"P{number}" for number in range(12)]):
        stage, director, entrants = a_ladder(*names)
        client.force_login(director)
        address = reverse("tournaments:challenge", args=[stage.ref])
        with CaptureQueriesContext(connection) as seen:
            assert client.get(address, {"challenger": entrants[-1].ref}).status_code == 200
        counts.append(len(seen))
    assert counts[0] == counts[1]


def test_a_flight_is_added_to_an_event(client):
    event = an_event(2)
    client.force_login(member(event.club, Role.DIRECTOR))
    address = reverse("tournaments:new_flight", args=[event.ref])
    form = {"name": "Novices", "format_key": "swiss_3", "length": "3", "returned": "100"}
    page = words(client.post(address, form | {"rating_below": "1500"}, follow=True))
    assert "Division added." in page
    assert "ratings under 1500" in page
    assert list(event.flights.order_by("position").values_list("name", flat=True)) == ["", "Novices"]
    Event.objects.update(status="finished")
    assert client.post(address, form).status_code == 409


def test_rounds_have_starts_on_the_venues_clock(client):
    event = an_event(4, club=ClubFactory.create(tz="Europe/Berlin"), format_key="swiss_3")
    stage = drawn(event)
    client.force_login(member(event.club, Role.DIRECTOR))
    address = reverse("tournaments:starts", args=[stage.ref])
    assert "is not a time" in words(client.post(address, {"starts": "noon"}))
    later_first = "2026-12-02 20:30\n2026-12-02 19:30"
    assert "cannot start before" in words(client.post(address, {"starts": later_first}))
    gap = client.post(address, {"starts-1": "2026-12-02T19:30", "starts-3": "2026-12-02T20:30"})
    assert "Enter a start for round 2: a later round has one." in words(gap)
    assert 'name="starts-3" value="2026-12-02T20:30"' in words(gap)
    client.post(address, {"starts-1": "2026-12-02T19:30", "starts-2": "2026-12-02T20:30", "starts-3": ""})
    stage.refresh_from_db()
    assert stage.starts["1"] == "2026-12-02T19:30:00+01:00"
    assert 'value="2026-12-02T20:30"' in words(client.get(address))


def test_the_next_season_is_announced_from_the_last(client):
    event = an_event(2, format_key="round_robin")
    director = member(event.club, Role.DIRECTOR)
    client.force_login(director)
    address = reverse("tournaments:season", args=[event.ref])
    form = {"at": "2027-03-01T19:00", "moves": "0"}
    assert client.post(address, form).status_code == 409
    win(open_pairings(drawn(event))[0], director)
    assert client.post(address, form).status_code == 302
    made = Event.objects.exclude(pk=event.pk).get()
    assert EntrantRow.objects.filter(flight__event=made).count() == 2
