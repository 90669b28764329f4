"""A list pasted from a spreadsheet: what each row would do, and entering it."""

import pytest
from django.urls import reverse

from clubs.models import Membership, Player, Role, User
from tests.factories import member
from tests.races import at_once
from tests.tournaments.factories import a_player, an_event
from tournaments.core.prizes.pools import Fees
from tournaments.entries.services.entry_lists import enter_list
from tournaments.entries.services.list_lines import EntryLine, read_list
from tournaments.events.services.events import FlightTerms
from tournaments.log.refusals import DeskRefused
from tournaments.models import DeskEvent, EntrantRow, Event, FeePayment, Flight, ListColumns

pytestmark = pytest.mark.django_db

HEADS = "Name\tRating\tSeed\tClub\tE-mail\tFee paid\tSide pools\n"


@pytest.fixture
def event() -> Event:
    """An event for 45.00 with a jackpot for 20.00 whose club knows Ana Gil; P1 is entered."""
    event = an_event(1, terms=FlightTerms(Fees(0, 4500, 100)))
    Flight.objects.update(pools=[{"key": "jackpot", "fee": 2000}], team_size=1)
    a_player(event.club, "Ana Gil")
    return event


@pytest.fixture
def director(event) -> User:
    return member(event.club, Role.DIRECTOR)


def flight_of(event: Event) -> Flight:
    return Flight.objects.select_related("event__club").get(event=event)


def read(event: Event, text: str) -> list[EntryLine]:
    return list(read_list(flight=flight_of(event), text=text).lines)


def test_each_row_says_what_it_would_do(event):
    text = HEADS + (
        "1. gil, ana\t1733,5\t2\tPorto\tana@x.org\t65,00 EUR\tyes\n"
        "2) Zoë\t\t\t\t\tcash\t\n"
        "P1\t\t\t\t\t\t\n"
        "Omar\t16.89\t\t\t\t\t\n"
        "Eva\t\tfirst\t\t\t\t\n"
        "Iker\t\t\t\tnowhere\t\t\n"
        "Jon\t\t\t\t\t50\t\n"
        "Mei\t\t\t\t\tlater\t\n"
        "Rui\t\t\t\t\t\tgold\n"
        f"{'Ñ' * 60}\t\t\t\t\t20,00 EUR\t\n"
        f"{'x' * 101}\t\t\t\t\t\t\n"
        "zoe\t\t\t\t\t\t\n"
        "\t1500\t\t\t\t\t\n"
    )
    lines = read(event, text)
    assert [line.state for line in lines] == [
        *("known", "new", "entered", *["problem"] * 6, "new", *["problem"] * 3),
    ]
    first = lines[0]
    assert first.known[0] is not None
    assert (first.known[0].name, first.pools, first.payment) == ("Ana Gil", ("jackpot",), "cash")
    details = first.details
    assert (details.rating, details.seed, details.from_club) == (1733.5, 2, "Porto")
    assert (details.email, details.outstanding) == ("ana@x.org", 0)
    assert lines[9].details.outstanding == 2500
    assert [line.fault for line in lines if line.fault] == [
        "“16.89” is not a rating. Did you mean 1689?",
        "“first” is not a seed. Enter a whole number from 1, or leave it blank.",
        "“nowhere” is not an email address.",
        "The fees are 45.00 EUR, not 50. Correct the amount or the side pools.",
        "“later” is not a payment. Use an amount or one of these: yes, cash, transfer, free.",
        "There is no side pool “gold”. Use one of these: jackpot.",
        "A name has at most 100 characters.",
        "zoe is on the list twice.",
        "The name is missing.",
    ]


def test_a_list_is_entered_whole_or_not_at_all_and_twice_enters_nobody_twice(client, event, director):
    client.force_login(director)
    page = reverse("tournaments:entry_list", args=[event.ref])
    good = HEADS + "Ana Gil\t1733\t\tPorto\ta@x.org\tyes\tx\nZoë\t\t1\t\t\t20,00 EUR\t\nP1\t\t\t\t\t\t\n"
    text = good + "Omar\t16.89\t\t\t\t\t\n"
    people = Membership.objects.in_club(event.club).count()
    seen = client.post(page, {"entries": text})
    said = seen.content.decode()
    assert "Did you mean 1689?" in said
    assert "New guest" in said
    assert [each["heading"] for each in seen.context["columns"]][:2] == ["Name", "Rating"]
    refused = client.post(page, {"entries": text, "commit": "yes"})
    assert refused.status_code == 409
    assert "Line 5: “16.89” is not a rating." in refused.content.decode()
    assert (EntrantRow.objects.count(), Membership.objects.in_club(event.club).count()) == (1, people)
    sent = {"entries": text, "commit": "yes", "leave_out": "5", "method": "transfer"}
    assert client.post(page, sent, follow=True).status_code == 200
    ana, zoe = EntrantRow.objects.order_by("pk")[1:]
    assert (ana.rating, ana.from_club, ana.email, ana.pools) == (1733, "Porto", "a@x.org", ["jackpot"])
    assert (ana.payment, ana.outstanding) == (FeePayment.TRANSFER, 0)
    assert (zoe.seed, zoe.payment, zoe.outstanding) == (1, FeePayment.TRANSFER, 2500)
    again = client.post(page, sent, follow=True).content.decode()
    assert "0 entries added. 3 were entered already." in again
    assert EntrantRow.objects.count() == 3
    assert DeskEvent.objects.filter(kind="list_entered").count() == 1


def test_a_list_without_a_column_of_names_is_one_problem(client, event, director):
    client.force_login(director)
    page = reverse("tournaments:entry_list", args=[event.ref])
    text = "Elo;Club\n1500;Porto\n1600;Bilbo\n"
    seen = client.post(page, {"entries": text})
    said = seen.content.decode()
    assert said.count("No column has the names.") == 1
    assert "The name is missing." not in said
    assert 'name="commit"' not in said
    refused = client.post(page, {"entries": text, "commit": "yes"})
    assert refused.status_code == 409
    assert refused.content.decode().count("No column has the names.") == 1


def test_the_club_keeps_what_a_director_made_of_the_columns(client, event, director):
    client.force_login(director)
    page = reverse("tournaments:entry_list", args=[event.ref])
    text = "Who\tWhere\tNivel FIBS\nAna Gil\tPorto\t1650\nZoë\tBilbo\t1700\n"
    first = client.post(page, {"entries": text}).context
    assert not first["read"].columns.headed
    chosen = {"mapped": "yes", "headed": "on", "column": ["name", "club", "rating"]}
    seen = client.post(page, {"entries": text} | chosen).context
    assert [line.details.from_club for line in seen["read"].lines] == ["Porto", "Bilbo"]
    assert client.post(page, {"entries": text, "commit": "yes"} | chosen).status_code == 302
    assert ListColumns.objects.get().columns == {"fields": ["name", "club", "rating"], "headed": True}
    other = an_event(0, club=event.club)
    lines = read(other, "Who\tWhere\tNivel FIBS\nMei\tBraga\t1500\n")
    assert [(line.names, line.details.from_club) for line in lines] == [(("Mei",), "Braga")]
    address = f"/api/v1/events/{other.ref}/entry-list/"
    body = {"entries": "Mei\tBraga\t1500", "columns": ["name", "", "rating"], "headed": False}
    told = client.post(address, body, "application/json").json()
    assert [told["lines"][0][name] for name in ("state", "club", "rating")] == ["new", "", 1500]
    assert told["columns"] == ["name", "", "rating"]


def test_rows_name_their_division(event, director):
    Flight.objects.update(name="Open")
    novices = Flight.objects.create(event=event, name="Anfänger", position=1, team_size=1)
    text = "Name;Division\nAna Gil;open\nZoë;ANFANGER\nOmar;Masters"
    flight = Flight.objects.select_related("event__club").get(event=event, name="Open")
    lines = read_list(flight=flight, text=text).lines
    assert [line.state for line in lines] == ["known", "new", "problem"]
    assert "Use one of these: Open, Anfänger." in lines[2].fault
    assert lines[1].flight == novices


def test_a_new_name_like_a_members_is_a_problem_before_anything_is_entered(event):
    (line,) = read(event, "Аna Gil")
    assert line.fault == "Аna Gil looks like the member Ana Gil. Correct the name, or add a town to it."


def test_five_hundred_rows_are_read_with_the_queries_of_one(event, django_assert_num_queries):
    flight = flight_of(event)
    for count in (1, 500):
        text = HEADS + "".join(f"{n}. New Player {n}\t{1000 + n}\t\t\t\t\t\n" for n in range(1, count + 1))
        with django_assert_num_queries(5):
            lines = read_list(flight=flight, text=text).lines
        assert (len(lines), {line.state for line in lines}) == (count, {"new"})


@pytest.mark.django_db(transaction=True)
def test_two_directors_who_send_a_list_at_once_enter_it_once():
    event = an_event(0)
    flight = Flight.objects.select_related("event__club").get(event=event)
    at_once(*[lambda: enter_list(flight=flight, text="Zoë;cash\nIker", user=None)] * 2)
    assert EntrantRow.objects.count() == Player.objects.count() == 2


def test_a_new_name_typed_for_one_entry_becomes_a_guest_once(client, event, director):
    client.force_login(director)
    flight = flight_of(event)
    table = reverse("tournaments:entries", args=[event.ref])
    page = client.get(table).content.decode()
    assert "guests=new" in page
    sent = {"flight": flight.ref, "player_1_name": "Zoë Ruiz", "payment": "cash", "next": table}
    address = reverse("tournaments:enter_players", args=[event.ref])
    for _again in range(2):
        assert client.post(address, sent)["Location"] == table
    entrant = EntrantRow.objects.with_players().exclude(members__player__person__name="P1").get()
    assert entrant.title == "Zoë Ruiz"
    assert Membership.objects.get(player=entrant.players[0]).role == Role.GUEST
    part = client.post(address, sent | {"player_1_name": "Gil"})
    assert part.status_code == 409
    assert 'value="guest"' in part.content.decode()
    assert client.post(address, sent | {"player_1_name": "Gil", "player_1": "guest"}).status_code == 302
    body = {"guests": ["Mei Lin"], "flight": flight.ref}
    made = client.post(f"/api/v1/events/{event.ref}/entrants/", body, "application/json")
    assert (made.status_code, made.json()["players"][0]["name"]) == (201, "Mei Lin")
    none = client.post(f"/api/v1/events/{event.ref}/entrants/", {}, "application/json")
    assert (none.status_code, "Enter at least one player." in str(none.json())) == (400, True)
    alike = client.post(f"/api/v1/events/{event.ref}/entrants/", {"guests": ["ana gil"]}, "application/json")
    assert "ana gil cannot become a guest." in alike.json()["detail"]
    with pytest.raises(DeskRefused, match="The list is empty"):
        enter_list(flight=flight, text="Name;Rating\n")


def test_a_list_fills_one_jackpot_after_the_other(director, event):
    Flight.objects.update(starts_when_full=True, capacity=2, pools=[])
    names = ["Ana", "Ben", "Cleo", "Dora", "Eva", "Finn"]  # P1 is entered
    enter_list(flight=flight_of(event), text="\n".join(names), user=director)
    found = Flight.objects.filter(event=event).order_by("position")
    assert [flight.name for flight in found] == ["", "2", "3", "4"]
    assert [flight.entrants.count() for flight in found] == [2, 2, 2, 1]
    assert [flight.stages.get().status for flight in found] == ["running", "running", "running", "planned"]
    again = enter_list(flight=found[3], text=names[5], user=director)
    assert (again.entered, again.before) == (0, 1)
    whole = enter_list(flight=found[0], text="\n".join(names), user=director)
    assert (whole.entered, whole.before) == (0, 6)
