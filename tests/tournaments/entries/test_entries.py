"""Registration: partners, rules, pools, flights that fill, lists, payments, the door, who comes late."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now

from clubs.clubs.services.clubs import give_title
from clubs.models import Membership, Player, Role, Title
from scoring.models import Match, MatchStatus, Rating, RatingList
from tests.factories import UserFactory, member
from tests.races import at_once
from tests.tournaments.factories import a_player, an_event, drawn, flight_of, open_pairings, pairing, win
from tournaments.core.prizes.pools import SidePool
from tournaments.core.stages.errors import DrawRefused
from tournaments.desk.services.departures import leave
from tournaments.entries.services.check_ins import check_in_players
from tournaments.entries.services.entries import answer_partner, enter, entries_open, withdraw
from tournaments.entries.services.entry_lists import enter_list
from tournaments.entries.services.fees import record_payment
from tournaments.entries.services.late_entries import come_back, enter_late, replace
from tournaments.entries.services.list_lines import MOST_LINES, read_list
from tournaments.events.eligibility import Eligibility
from tournaments.events.plans import EventPlan, single_flight
from tournaments.events.services.events import announce
from tournaments.log.refusals import DeskRefused
from tournaments.models import (
    DeskEvent,
    EntrantRow,
    EntrantState,
    Event,
    FeePayment,
    Flight,
    StageRow,
    StageStatus,
)
from tournaments.money.services.awards import Purse
from tournaments.stages.services.cancellations import cancel_event

pytestmark = pytest.mark.django_db


def a_flight(format_key: str = "knockout", **terms) -> Flight:
    """A flight of a new event of a new club."""
    club = an_event().club
    plan = EventPlan("Wednesday", now() + timedelta(hours=1), (single_flight(format_key, 3, **terms),))
    return announce(club=club, plan=plan).flights.get()


def players(flight: Flight, *names: str) -> list[Player]:
    return [a_player(flight.event.club, name) for name in names]


def test_a_named_partner_says_yes_before_the_entry_counts(mailoutbox, django_capture_on_commit_callbacks):
    flight = a_flight(team_size=2)
    ana, ben = players(flight, "Ana", "Ben")
    ben.user = UserFactory.create(email="ben@example.org")
    ben.save()
    entrant = enter(flight=flight, players=[ana, ben], own=True)
    assert entrant.state == EntrantState.INVITED
    assert not EntrantRow.objects.entered().exists()
    with pytest.raises(DeskRefused, match="You have no partner request"):
        answer_partner(entrant=entrant, player=ana, accepts=True)
    assert answer_partner(entrant=entrant, player=ben, accepts=True).state == EntrantState.REGISTERED
    assert enter(flight=flight, players=[ana, ben], own=True) == entrant


def test_a_declined_partner_request_leaves_both_free():
    flight = a_flight(team_size=2)
    ana, ben, cleo = players(flight, "Ana", "Ben", "Cleo")
    entrant = enter(flight=flight, players=[ana, ben], own=True)
    with pytest.raises(DeskRefused, match="already in this event"):
        enter(flight=flight, players=[ben, cleo], own=True)
    assert answer_partner(entrant=entrant, player=ben, accepts=False).state == EntrantState.WITHDRAWN
    assert enter(flight=flight, players=[ben, cleo], own=True).state == EntrantState.INVITED


def test_an_invitation_holds_no_place():
    flight = a_flight(team_size=2, capacity=2)
    ana, ben, *others = players(flight, "Ana", "Ben", "C", "D", "E", "F")
    first = enter(flight=flight, players=[ana, ben], own=True)
    enter(flight=flight, players=others[:2])
    enter(flight=flight, players=others[2:])
    assert answer_partner(entrant=first, player=ben, accepts=True).state == EntrantState.WAITING


def test_as_many_play_together_as_the_flight_says():
    flight = a_flight(team_size=2)
    with pytest.raises(DeskRefused, match="An entry here has 2 players, not 1"):
        enter(flight=flight, players=players(flight, "Ana"))


def test_the_rule_of_a_flight_keeps_out_and_a_director_admits():
    flight = a_flight(eligibility=Eligibility(rating_below=1600, unrated=False))
    (ana,) = players(flight, "Ana")
    with pytest.raises(DeskRefused, match="not open to unrated players"):
        enter(flight=flight, players=[ana])
    assert enter(flight=flight, players=[ana], override=True).state == EntrantState.REGISTERED


@pytest.mark.parametrize(
    ("rating", "admitted"), [(None, True), (1599.9, True), (1600.0, False), (1400.0, True), (1399.0, False)]
)
def test_the_bounds_of_a_rating_rule(rating, admitted):
    assert Eligibility(rating_from=1400, rating_below=1600).admits(rating) is admitted


def test_a_flight_for_titles_says_whom_it_keeps_out_and_why():
    flight = a_flight(eligibility=Eligibility(title_from="G3"))
    ana, ben = players(flight, "Ana", "Ben")
    director = member(flight.event.club, Role.DIRECTOR)
    with pytest.raises(DeskRefused, match=r"for titles from Grandmaster G3\. Ana has no title"):
        enter(flight=flight, players=[ana])
    give_title(club=flight.event.club, player_ref=ana.ref, title=Title.M1, user=director)
    with pytest.raises(DeskRefused, match=r"Ana has Master M1\. A director can override"):
        enter(flight=flight, players=[ana])
    give_title(club=flight.event.club, player_ref=ana.ref, title=Title.G2, user=director)
    assert enter(flight=flight, players=[ana]).state == EntrantState.REGISTERED
    assert enter(flight=flight, players=[ben], override=True).state == EntrantState.REGISTERED


def test_both_of_a_pair_need_the_title():
    flight = a_flight(team_size=2, eligibility=Eligibility(title_below="M1"))
    ana, ben = players(flight, "Ana", "Ben")
    director = member(flight.event.club, Role.DIRECTOR)
    give_title(club=flight.event.club, player_ref=ben.ref, title=Title.S1, user=director)
    with pytest.raises(DeskRefused, match=r"titles below Master M1\. Ben has Super"):
        enter(flight=flight, players=[ana, ben])


@pytest.mark.parametrize(
    ("title", "admitted"),
    [(None, False), (Title.M3, False), (Title.M2, True), (Title.G3, True), (Title.G2, False)],
)
def test_the_bounds_of_a_title_rule(title, admitted):
    assert Eligibility(title_from="M2", title_below="G2").admits_title(title) is admitted


def test_a_rule_for_a_title_that_is_none_is_refused():
    with pytest.raises(ValueError, match="no title 'Queen'"):
        Eligibility(title_from="Queen")


def test_side_pools_are_those_of_the_flight():
    flight = a_flight(pools=(SidePool("first", 1000), SidePool("second", 500, needs="first")))
    ana, ben = players(flight, "Ana", "Ben")
    assert enter(flight=flight, players=[ana], pools=["first", "second"]).pools == ["first", "second"]
    with pytest.raises(Exception, match=r"requires side pool first\."):
        enter(flight=flight, players=[ben], pools=["second"])
    with pytest.raises(DeskRefused, match="no side pool third"):
        enter(flight=flight, players=[ben], pools=["third"])
    assert EntrantRow.objects.count() == 1


def test_a_jackpot_starts_when_it_is_full_and_the_next_one_opens():
    flight = a_flight("knockout_lot", capacity=2, starts_when_full=True, stage_name="Jackpot")
    for player in players(flight, "Ana", "Ben"):
        enter(flight=flight, players=[player])
    assert flight.stages.get().status == StageStatus.RUNNING
    following = flight.event.flights.exclude(pk=flight.pk).get()
    assert (following.name, following.capacity, following.starts_when_full) == ("2", 2, True)
    (cleo,) = players(flight, "Cleo")
    enter(flight=following, players=[cleo])
    with pytest.raises(DeskRefused, match="The draw has been made"):
        enter(flight=flight, players=[cleo])


@pytest.mark.django_db(transaction=True)
def test_two_who_take_the_last_place_draw_a_jackpot_once():
    flight = a_flight("knockout_lot", capacity=2, starts_when_full=True)
    ana, ben, cleo = players(flight, "Ana", "Ben", "Cleo")
    enter(flight=flight, players=[ana])
    found = at_once(lambda: enter(flight=flight, players=[ben]), lambda: enter(flight=flight, players=[cleo]))
    assert [type(each) for each in found if isinstance(each, Exception)] == [DeskRefused]
    assert flight.event.flights.count() == 2
    assert len(open_pairings(flight.stages.get())) == 1


@pytest.mark.django_db(transaction=True)
def test_two_taps_at_once_check_in_and_enter_once():
    flight = a_flight("knockout")
    (ana,) = players(flight, "Ana")
    again = [lambda: enter(flight=flight, players=[ana], own=True)] * 3
    assert len({each.pk for each in at_once(*again)}) == 1
    at_once(*[lambda: check_in_players(event=flight.event, player=ana)] * 3)
    kinds = list(flight.event.desk_log.order_by("seq").values_list("kind", flat=True))
    assert kinds == ["announced", "entered", "check_in"]


@pytest.mark.parametrize(
    ("from_now", "until", "is_open"), [(-1, 1, True), (1, 2, False), (-2, -1, False), (None, None, True)]
)
def test_members_enter_while_registration_is_open(from_now, until, is_open):
    event = an_event()
    event.entries_from = now() + timedelta(hours=from_now) if from_now else None
    event.entries_until = now() + timedelta(hours=until) if until else None
    event.save()
    assert entries_open(event) is is_open
    (ana,) = players(flight_of(event), "Ana")
    if is_open:
        assert enter(flight=flight_of(event), players=[ana], own=True).state == EntrantState.REGISTERED
    else:
        with pytest.raises(DeskRefused, match="Registration is closed"):
            enter(flight=flight_of(event), players=[ana], own=True)


def test_a_list_is_read_with_the_faults_of_each_line():
    event = an_event(2)
    text = "P1;cash\nZoë;free\np3;maybe\n\nZOË\nIker;Jon;transfer\n;;cash\n"
    lines = read_list(flight=flight_of(event), text=text).lines
    assert [(line.number, bool(line.fault)) for line in lines] == [
        (1, False),
        (2, False),
        (3, False),
        (5, True),
        (6, False),
        (7, True),
    ]
    assert [line.state for line in lines[:3]] == ["entered", "new", "new"]
    assert lines[1].new == ("Zoë",)
    assert lines[1].payment == FeePayment.FREE
    assert lines[3].fault == "ZOË is on the list twice."
    assert lines[4].names == ("Iker", "Jon")


def test_a_word_for_the_fees_that_there_is_not_makes_no_partner():
    text = "Ana Gil;later\nZoë;Jon\nana;ben\nIker;P1\nEva;paid"
    lines = read_list(flight=flight_of(an_event(1)), text=text).lines
    assert [line.names for line in lines[:3]] == [("Ana Gil",), ("Zoë", "Jon"), ("ana", "ben")]
    said = "“later” is not a payment. Use an amount or one of these: yes, cash, transfer, free."
    assert lines[0].fault == said
    assert not lines[1].fault + lines[2].fault
    assert lines[3].fault == "P1 is already in this event."
    assert (lines[4].names, lines[4].payment) == (("Eva",), FeePayment.CASH)


def test_a_list_is_entered_whole_or_not_at_all():
    event = an_event(1)
    flight = flight_of(event)
    people = Membership.objects.in_club(event.club).count()
    with pytest.raises(DeskRefused, match="Line 2: P1 is already in this event"):
        enter_list(flight=flight, text="Zoë;cash\nIker;P1", user=None)
    assert EntrantRow.objects.count() == 1
    assert Membership.objects.in_club(event.club).count() == people
    assert enter_list(flight=flight, text="Zoë;cash\nIker", user=None).entered == 2
    again = enter_list(flight=flight, text="Zoë;cash\nIker\nP1", user=None)
    assert (again.entered, again.before) == (0, 3)
    assert EntrantRow.objects.count() == 3
    assert EntrantRow.objects.get(members__player__person__name="Zoë").payment == FeePayment.CASH
    assert Membership.objects.in_club(event.club).filter(role=Role.GUEST).count() == 2


def test_a_list_that_is_too_long_is_refused_and_not_cut():
    flight = flight_of(an_event())
    text = "\n".join(f"Name {number};" for number in range(MOST_LINES + 1))
    lines = read_list(flight=flight, text=text).lines
    assert [line.number for line in lines if line.fault] == [MOST_LINES + 1]
    assert not read_list(flight=flight, text=text.rpartition("\n")[0]).lines[-1].fault


def test_two_people_of_one_name_are_entered_by_hand():
    event = an_event(0)
    players(flight_of(event), "Ana", "Ana")
    (line,) = read_list(flight=flight_of(event), text="ana").lines
    assert line.fault == "The club has several players named ana. Enter this one by hand."


def test_fees_that_are_given_back_do_not_make_the_pool():
    event = an_event(2)
    Flight.objects.update(entry_fee=1000)
    first = EntrantRow.objects.order_by("pk")[0]
    with pytest.raises(DeskRefused, match="no payment to refund"):
        record_payment(user=None, entrant=first, refunded=True)
    record_payment(user=None, entrant=first, payment=FeePayment.CASH)
    record_payment(user=None, entrant=first, refunded=True)
    drawn(event)
    assert Purse.of(flight_of(event)).takings.pool == 1000
    record_payment(user=None, entrant=first, refunded=False)
    assert Purse.of(flight_of(event)).takings.pool == 2000


def test_the_check_in_code_checks_in_all_entries_of_a_player():
    event = an_event(1)
    player = EntrantRow.objects.get().members.get().player
    assert [each.ref for each in check_in_players(event=event, player=player)] == [
        EntrantRow.objects.get().ref
    ]
    assert EntrantRow.objects.get().state == EntrantState.PRESENT
    with pytest.raises(DeskRefused, match="not entered in this event"):
        check_in_players(event=event, player=players(flight_of(event), "Ana")[0])


def test_a_late_entry_takes_a_bye():
    event = an_event(3)
    stage = drawn(event)
    late = enter_late(stage=stage, players=players(flight_of(event), "Late"), user=None)
    assert late.numbers.get().number == 4
    assert len(open_pairings(stage)) == 2
    with pytest.raises(DrawRefused, match="no place left for Later"):
        enter_late(stage=stage, players=players(flight_of(event), "Later"), user=None)
    assert EntrantRow.objects.filter(flight__event=event).count() == 4


def test_a_player_cannot_enter_late_twice():
    event = an_event(3)
    stage = drawn(event)
    known = EntrantRow.objects.order_by("pk")[0].members.get().player
    with pytest.raises(DeskRefused, match="already in this event"):
        enter_late(stage=stage, players=[known], user=None)


def test_an_undrawn_player_enters_late_with_their_entry():
    flight = a_flight(capacity=3, pools=(SidePool("calcutta", fee=500),))
    here = [enter(flight=flight, players=[each]) for each in players(flight, "A", "B", "C")]
    waiting = enter(flight=flight, players=players(flight, "D"), payment=FeePayment.CASH, pools=["calcutta"])
    assert waiting.state == EntrantState.WAITING
    stage = drawn(flight.event)
    late = enter_late(stage=stage, players=waiting_players(waiting), user=None)
    assert (late, late.state, late.payment, late.pools) == (
        waiting,
        EntrantState.PRESENT,
        FeePayment.CASH,
        ["calcutta"],
    )
    with pytest.raises(DeskRefused, match="already in this event"):
        enter_late(stage=stage, players=waiting_players(here[0]), user=None)


def waiting_players(entrant: EntrantRow) -> list[Player]:
    return [row.player for row in entrant.members.order_by("position")]


def test_withdrawing_an_undrawn_entry_after_the_draw_moves_no_one_up():
    flight = a_flight(capacity=3)
    here = [enter(flight=flight, players=[each]) for each in players(flight, "A", "B", "C")]
    waiting = [enter(flight=flight, players=[each]) for each in players(flight, "D", "E")]
    drawn(flight.event)
    withdraw(entrant=waiting[0])
    states = dict(EntrantRow.objects.values_list("pk", "state"))
    assert states[waiting[0].pk] == EntrantState.WITHDRAWN
    assert states[waiting[1].pk] == EntrantState.WAITING
    with pytest.raises(DeskRefused, match="draw has been made"):
        withdraw(entrant=here[0])


def test_late_entries_and_substitutes_have_names_and_side_pools():
    flight = a_flight(pools=(SidePool("calcutta", fee=500),))
    for each in players(flight, "A", "B", "C"):
        enter(flight=flight, players=[each])
    stage = drawn(flight.event)
    pools = ["calcutta"]
    late = enter_late(stage=stage, players=players(flight, "D"), name="Delta", user=None, pools=pools)
    other = replace(entrant=late, players=players(flight, "E"), name="Echo", user=None, pools=pools)
    assert [(each.name, each.pools) for each in (late, other)] == [
        ("Delta", ["calcutta"]),
        ("Echo", ["calcutta"]),
    ]
    with pytest.raises(DeskRefused, match="no side pool"):
        replace(entrant=other, players=players(flight, "F"), user=None, pools=["nothing"])


def test_a_reinstated_entrant_plays_from_the_next_round():
    event = an_event(4, format_key="swiss_3")
    stage = drawn(event)
    director = member(event.club, Role.DIRECTOR)
    gone = pairing(stage, 1).b
    assert gone is not None
    leave(entrant=gone, user=director)
    come_back(entrant=gone, user=director)
    with pytest.raises(DrawRefused, match="has not withdrawn"):
        come_back(entrant=gone, user=director)
    for row in open_pairings(stage):
        win(row, director)
    assert any(gone in (row.a, row.b) for row in open_pairings(stage))


def test_a_substitute_takes_a_place_without_finished_matches():
    event = an_event(4)
    stage = drawn(event)
    row = pairing(stage, 1)
    match = row.boards.get().match
    (late,) = players(flight_of(event), "Late")
    newcomer = replace(entrant=row.a, players=[late], user=None)
    match.refresh_from_db()
    assert match.status == MatchStatus.VOID
    assert pairing(stage, 1).a == newcomer
    assert pairing(stage, 1).boards.get().match.white.players == [late]
    row.a.refresh_from_db()
    assert row.a.state == EntrantState.WITHDRAWN
    win(pairing(stage, 1), member(event.club, Role.DIRECTOR))
    with pytest.raises(DrawRefused, match="has already played"):
        replace(entrant=newcomer, players=players(flight_of(event), "Later"), user=None)


def test_a_cancelled_event_voids_open_matches_and_keeps_finished_ones():
    event = an_event(4)
    stage = drawn(event)
    director = member(event.club, Role.DIRECTOR)
    win(pairing(stage, 1), director)
    cancel_event(event=event, user=director)
    cancel_event(event=event, user=director)
    assert sorted(Match.objects.values_list("status", flat=True)) == ["finished", "void"]
    event.refresh_from_db()
    assert event.status == "cancelled"
    with pytest.raises(DeskRefused, match="cancelled"):
        enter(flight=flight_of(event), players=players(flight_of(event), "Ana"))
    with pytest.raises(Exception, match="The event was cancelled"):
        win(pairing(stage, 1), director, a=False, reason="wrong")


def test_an_event_that_is_over_is_not_cancelled():
    event = an_event(2)
    stage = drawn(event)
    win(open_pairings(stage)[0], member(event.club, Role.DIRECTOR))
    with pytest.raises(DeskRefused, match="is finished"):
        cancel_event(event=event, user=None)


def test_a_cancelled_event_is_not_drawn():
    event = an_event(2)
    cancel_event(event=event, user=None)
    with pytest.raises(DeskRefused, match="cancelled"):
        drawn(event)
    assert Event.objects.get().status == "cancelled"
    assert StageRow.objects.get().drawn_at is None


def test_a_pending_partner_request_does_not_move_up():
    flight = a_flight(capacity=2)
    entrants = [enter(flight=flight, players=[each]) for each in players(flight, "A", "B", "C")]
    withdraw(entrant=entrants[0])
    entrants[2].refresh_from_db()
    assert entrants[2].state == EntrantState.REGISTERED


def test_a_list_does_not_pass_over_the_rule_of_a_flight(client):
    event = an_event(1)
    flight = flight_of(event)
    ana, _ben = players(flight, "Ana", "Ben")
    Flight.objects.update(eligibility={"title_from": "M3"})
    flight.refresh_from_db()
    director = member(event.club, Role.DIRECTOR)
    give_title(club=event.club, player_ref=ana.ref, title=Title.M3, user=director)
    with pytest.raises(DeskRefused, match=r"Line 2: This division is for .*\. Ben has no title"):
        enter_list(flight=flight, text="Ana\nBen")
    assert EntrantRow.objects.count() == 1
    client.force_login(director)
    address = f"/api/v1/events/{event.ref}/entry-list/"
    body = {"entries": "Ana\nBen\nZoë", "commit": True}
    assert client.post(address, body, "application/json").status_code == 409
    page = reverse("tournaments:entry_list", args=[event.ref])
    refused = client.post(page, {"entries": "Ben", "commit": "yes", "flight": flight.ref})
    assert refused.status_code == 409
    seen = client.post(page, {"entries": "Ana\nBen\nZoë", "flight": flight.ref})
    assert [bool(line.restriction) for line in seen.context["lines"]] == [False, True, True]
    assert "Ben has no title. A director can override this" in seen.content.decode()
    assert "Zoë has no title" in seen.content.decode()
    told = client.post(address, {"entries": "Ana\nBen"}, "application/json").json()["lines"]
    assert [(line["key"], bool(line["restriction"])) for line in told] == [("ana", False), ("ben", True)]
    half = {"entries": "Ben\nZoë", "commit": "yes", "flight": flight.ref, "admit": "ben"}
    assert "Line 2: This division is for" in client.post(page, half).content.decode()
    assert not DeskEvent.objects.filter(kind="admitted").exists()
    assert client.post(address, body | {"override": True}, "application/json").json()["entered"] == 3
    note = DeskEvent.objects.get(kind="admitted")
    admitted = EntrantRow.objects.filter(ref__in=note.body["entrants"]).with_players()
    assert note.user == director
    assert {each.title for each in admitted} == {"Ben", "Zoë"}
    log = client.get(reverse("tournaments:log", args=[event.ref])).content.decode()
    assert "2 entries" in log


def test_a_director_admits_by_a_tick_whom_the_rule_of_a_flight_keeps_out(client):
    event = an_event(1)
    flight = flight_of(event)
    ana, ben = players(flight, "Ana", "Ben")
    main = RatingList.objects.get_or_create(club=event.club, name="")[0]
    for player, value in ((ana, 1700.0), (ben, 1500.0)):
        Rating.objects.create(
            list=main, player=player, value=value, experience=100, matches=20, last_played_at=now()
        )
    Flight.objects.update(eligibility={"rating_below": 1600})
    flight.refresh_from_db()
    director = member(event.club, Role.DIRECTOR)
    client.force_login(director)
    page = reverse("tournaments:entry_list", args=[event.ref])
    form = {"entries": "Ana\nBen", "flight": flight.ref}
    first, second = client.post(page, form).context["lines"]
    assert "players rated 1700" in first.restriction
    assert second.restriction == ""
    assert client.post(page, form | {"commit": "yes"}).status_code == 409
    assert client.post(page, form | {"commit": "yes", "admit": first.key}).status_code == 302
    (entrant,) = DeskEvent.objects.get(kind="admitted").body["entrants"]
    assert EntrantRow.objects.with_players().get(ref=entrant).title == "Ana"
    overridden = DeskEvent.objects.filter(kind="entered", body__override=True)
    assert [row.body["entrant"] for row in overridden] == [entrant]


def test_a_list_costs_the_same_number_of_queries_for_few_and_many(django_assert_num_queries):
    event = an_event(1)
    flight = flight_of(event)
    people = players(flight, *(f"Q{number}" for number in range(6)))
    Flight.objects.update(eligibility={"title_from": "M3", "rating_below": 1600})
    flight = Flight.objects.select_related("event__club").get(pk=flight.pk)
    for count in (1, 6):
        with django_assert_num_queries(6):
            text = "\n".join(player.name for player in people[:count])
            lines = read_list(flight=flight, text=text).lines
        assert all(line.restriction for line in lines)
