"""The pages of chouettes: opening, joining, what one stands to win, the whole night, statistics, houses."""

import re
from collections.abc import Sequence
from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image
from pytest_django import DjangoAssertNumQueries

from clubs.formats.dates import day
from clubs.models import Club, Role, User
from scoring.chouettes.queries.chouettes import initials
from scoring.chouettes.queries.statistics import Statistics, statistics_of
from scoring.chouettes.services.chouettes import record, table_state
from scoring.chouettes.services.corrections import undo_last
from scoring.chouettes.services.tables import join_table, open_table
from scoring.drawing.totals_picture import LINE, ROW, TOP, WIDTH, draw_totals
from scoring.log.api import WRITER
from scoring.log.queries.writers import Author
from scoring.models import Chouette, ChouettePlayer, HouseRules
from scoring.profiles.queries.houses import BUILT_IN, House
from scoring.rules.chouette.events import (
    Answered,
    ChouetteEvent,
    ExtraTaken,
    GameBegun,
    GameOver,
    LeftTable,
    Offered,
    OptionsChanged,
    PlacesAgreed,
)
from scoring.rules.chouette.options import ChouetteOptions, Extras
from scoring.rules.chouette.session_state import rules_digest
from scoring.rules.match import Win
from scoring.sheets.services.entries import Entry
from tests.factories import ClubFactory, member

pytestmark = pytest.mark.django_db
SESSION_AND_USER = 2
NAMES = ("Ana", "Jon", "Eva")


@pytest.fixture
def club() -> Club:
    found: Club = ClubFactory.create(slug="bar-point", name="Bar Point")
    return found


@pytest.fixture
def users(club: Club) -> list[User]:
    return [member(club, name=name) for name in NAMES]


@pytest.fixture
def table(club: Club, users: list[User]) -> Chouette:
    """Ana, Jon and Eva, in this order, for two euros a point."""
    found = open_table(club=club, user=users[0], title="Friday", house=BUILT_IN["house"], stake=200)
    for user in users:
        join_table(chouette=found, user=user)
    write(found, users[0], [PlacesAgreed(refs(found))])
    return found


def refs(table: Chouette) -> tuple[str, ...]:
    return tuple(ChouettePlayer.objects.filter(chouette=table).order_by("pk").values_list("ref", flat=True))


def write(table: Chouette, user: User, events: Sequence[ChouetteEvent]) -> None:
    table.sheet.refresh_from_db()
    head = table.sheet.head_seq
    entries = [Entry(f"{head}-{n}", event) for n, event in enumerate(events)]
    record(chouette=table, author=Author(user=user), after=head, entries=entries)


def digest(table: Chouette) -> str:
    table.sheet.refresh_from_db()
    return rules_digest(table_state(table.sheet))


def test_nobody_agrees_to_rules_that_they_have_not_seen(
    client: Client, table: Chouette, users: list[User]
) -> None:
    """The rules change between the page that was read and the tap that agrees."""
    address = reverse("scoring:join_chouette", args=[table.code])
    page = client.get(address)
    read = page.context["form"]["rules"].value()
    assert read == digest(table)
    assert read in page.content.decode()
    form = {"name": "Leo", "stake": "1", "agrees": "on", "nonce": "n"}
    changed = OptionsChanged(BUILT_IN["cambridge"].options, "cambridge")
    write(table, users[0], [changed])
    for rules in ({"rules": read}, {}):
        refused = client.post(address, form | rules)
        text = refused.content.decode()
        assert "Read them again" in text
        assert "House rules: Cambridge." in text
        assert f'value="{digest(table)}"' in text
        assert "checked" not in text
    assert table.players.count() == 3
    # Announced while a game is on: whoever agrees then agrees to both.
    write(table, users[0], [GameBegun()])
    before = digest(table)
    write(table, users[0], [OptionsChanged(BUILT_IN["colorado"].options, "colorado")])
    assert client.post(address, form | {"rules": before}).status_code == 200
    assert client.post(address, form | {"rules": digest(table)}).status_code == 302
    assert table.players.count() == 4
    client.force_login(member(table.club, name="Mia"))
    assert "Read them again" in client.post(address, form | {"rules": before}).content.decode()
    assert client.post(address, form | {"rules": digest(table)}).status_code == 302


def play(table: Chouette, user: User, games: int) -> None:
    for _game in range(games):
        write(table, user, [GameBegun(), GameOver(box_won=True, win=Win.SINGLE)])


def text(client: Client, name: str, *args: str, query: str = "", status: int = 200) -> str:
    response = client.get(reverse(f"scoring:{name}", args=args) + query)
    assert response.status_code == status
    return str(response.content, "utf-8")


def test_a_member_opens_a_table_and_sits_at_it(client: Client, club: Club, users: list[User]) -> None:
    client.force_login(users[0])
    form = {"title": "Friday", "house": "cambridge", "stake": "2.50", "sits": "on"}
    response = client.post(reverse("scoring:new_chouette", args=[club.slug]), form)
    table = Chouette.objects.get()
    assert response["Location"] == reverse("scoring:chouette", args=[table.ref])
    assert (table.title, table.stake, table.players.get().player.name) == ("Friday", 250, "Ana")
    assert "Cambridge" in text(client, "chouette", table.ref)


def test_a_club_for_points_only_asks_for_no_stake(client: Client, club: Club, users: list[User]) -> None:
    Club.objects.update(points_only=True)
    client.force_login(users[0])
    assert 'name="stake"' not in text(client, "new_chouette", club.slug)
    form = {"title": "Friday", "house": "house", "sits": "on"}
    client.post(reverse("scoring:new_chouette", args=[club.slug]), form)
    table = Chouette.objects.get()
    for address in ("chouette", "chouette_mine", "chouette_history"):
        assert "0 EUR" not in text(client, address, table.ref)


def test_who_joins_reads_the_rules_and_must_agree(client: Client, table: Chouette) -> None:
    address = reverse("scoring:join_chouette", args=[table.code])
    assert "The box stays in as long as it beats the captain." in client.get(address).content.decode()
    refused = client.post(address, {"name": "Leo", "stake": "1"})
    assert "Agree to the rules" in refused.content.decode()
    assert table.players.count() == 3
    sat = client.post(address, {"name": "Leo", "stake": "1", "agrees": "on", "rules": digest(table)})
    assert sat["Location"] == reverse("scoring:chouette", args=[table.ref])
    assert "Leo" in text(client, "chouette", table.ref)
    assert client.get(reverse("scoring:chouettes", args=[table.club.slug])).status_code == 302


def test_a_player_who_sits_there_is_led_to_the_table(
    client: Client, table: Chouette, users: list[User]
) -> None:
    address, there = (
        reverse("scoring:join_chouette", args=[table.code]),
        reverse("scoring:chouette", args=[table.ref]),
    )
    client.force_login(users[0])
    assert client.get(address)["Location"] == there
    write(table, users[0], [LeftTable(refs(table)[0])])
    assert client.get(address).status_code == 200
    client.logout()
    client.post(address, {"name": "Leo", "stake": "1", "agrees": "on", "rules": digest(table)})
    assert client.get(address)["Location"] == there


def test_the_form_of_a_guest_is_sent_twice_and_seats_one(client: Client, table: Chouette) -> None:
    address = reverse("scoring:join_chouette", args=[table.code])
    shown = client.get(address)
    nonce = shown.context["form"]["nonce"].value()
    assert f'value="{nonce}"' in shown.content.decode()
    for phone in (Client(), Client()):
        form = {"name": "Leo", "stake": "1", "agrees": "on", "nonce": nonce, "rules": digest(table)}
        sent = phone.post(address, form)
        assert sent["Location"] == reverse("scoring:chouette", args=[table.ref])
        text(phone, "chouette", table.ref)
    assert table.players.count() == 4


def test_a_code_that_opens_nothing_says_so(client: Client, table: Chouette) -> None:
    unknown = text(client, "join_chouette", "nothing-at-all", status=404)
    assert "No open table has the code" in unknown
    assert 'value="nothing-at-all"' in unknown
    found = client.get(reverse("scoring:find_chouette"), {"code": table.code})
    assert found["Location"] == reverse("scoring:join_chouette", args=[table.code])


@pytest.mark.parametrize("address", ["chouette", "chouette_mine", "chouette_history"])
def test_a_table_does_not_exist_for_others(client: Client, table: Chouette, address: str) -> None:
    text(client, address, table.ref, status=404)
    client.force_login(member(table.club, name="Zoë"))
    text(client, address, table.ref, status=404)
    client.force_login(member(table.club, Role.DIRECTOR, name="Dora"))
    text(client, address, table.ref)


def test_nobody_writes_in_another_persons_name(client: Client, users: list[User], table: Chouette) -> None:
    """What Jon entered on this device is refused while Ana is signed in on it, and stays there."""
    client.force_login(users[1])
    jon = client.get(reverse("api:chouette", args=[table.ref])).json()
    client.force_login(users[0])
    entry = {"key": "jons", "kind": "game_start", "body": {}}
    body, writer = {"after": jon["seq"], "entries": [entry]}, {WRITER: jon["writer"]}
    address = reverse("api:chouette_events", args=[table.ref])
    refused = client.post(address, body, content_type="application/json", headers=writer)
    assert (refused.status_code, refused.json()["code"]) == (403, "other_writer")
    client.force_login(users[1])
    told = client.post(address, body, content_type="application/json", headers=writer).json()
    assert told["game"]["number"] == 1


def test_the_list_has_ones_own_tables_with_what_they_brought(
    client: Client, club: Club, users: list[User], table: Chouette
) -> None:
    play(table, users[0], 2)
    client.force_login(users[0])
    shown = text(client, "chouettes", club.slug)
    assert "Friday" in shown
    assert "+4" in shown
    assert "+8.00 EUR" in shown
    client.force_login(member(club, name="Zoë"))
    assert "Friday" not in text(client, "chouettes", club.slug)


def test_the_page_says_what_each_end_of_the_game_brings(
    client: Client, users: list[User], table: Chouette
) -> None:
    ana, jon, eva = refs(table)
    write(table, users[0], [GameBegun(), Offered(jon, (jon,)), Answered(ana, takes=(jon,))])
    client.force_login(users[1])
    shown = text(client, "chouette_mine", table.ref)
    for words in ("Box wins", "Gammon", "−4", "+4", "−8.00", "points, EUR"):
        assert words in shown
    client.force_login(users[0])
    assert "+5" in text(client, "chouette_mine", table.ref)
    assert eva


def test_every_phone_is_told_that_the_board_is_open(
    client: Client, users: list[User], table: Chouette
) -> None:
    write(table, users[0], [GameBegun()])
    client.force_login(users[0])
    address = reverse("api:chouette", args=[table.ref])
    seen = client.get(address)["ETag"]
    begun = client.post(reverse("api:chouette_board", args=[table.ref])).json()
    told = client.get(address, headers={"If-None-Match": seen})
    assert told.json()["board"] == begun
    assert client.get(address, headers={"If-None-Match": told["ETag"]}).status_code == 304


def test_the_night_shows_every_game_and_what_was_taken_back(
    client: Client, users: list[User], table: Chouette
) -> None:
    play(table, users[0], 2)
    table.sheet.refresh_from_db()
    undo_last(chouette=table, author=Author(user=users[1]), after=table.sheet.head_seq, key="undo")
    client.force_login(users[0])
    shown = text(client, "chouette_history", table.ref)
    assert 'id="game-1"' in shown
    assert 'id="game-2"' not in shown
    assert "<s>" in shown
    for words in ("+2", "−1", "+4.00", "An</span> Ana</th>"):
        assert words in shown
    settled, ledger = shown.index("Settle up"), shown.index('id="game-1"')
    assert settled < ledger < shown.index("chouette.csv")
    assert shown.count('class="number box"') == 1
    # An upright phone shows the reader's line of each game; the link shows the whole table there, too.
    mine = shown[shown.index('class="ledger-mine"') : shown.index('class="scroll ledger-whole"')]
    assert re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", mine.partition("<tbody>")[2]) == [
        "1", "<strong>You</strong>", "Box", '<span class="plus">+2</span>', "+2",
    ]  # fmt: skip
    assert "ledger-mine" not in text(client, "chouette_history", table.ref, query="?table=whole")
    # The summary to share: text, picture and the API say the same.
    told = f"Friday\nBar Point · {day(table.created_at, table.club.zone)} · 1 game\nAna +2\nEva −1\nJon −1\n"
    told += "Jon pays Ana 2.00 EUR\nEva pays Ana 2.00 EUR"
    assert f'id="night-text">{told}</pre>' in shown
    answer = client.get(reverse("api:chouette_summary", args=[table.ref])).json()
    assert answer["text"] == told
    picture = Image.open(BytesIO(client.get(answer["picture"]).content))
    assert picture.size == (WIDTH, TOP + 3 * ROW + 4 * LINE)
    longest = draw_totals("Night", "3 games", [("A" + "n" * 59, 0)], ["pays " * 40], "Midpoint")
    assert Image.open(BytesIO(longest)).width == WIDTH
    client.force_login(users[1])
    assert "<td>Ana</td><td>Box</td>" in text(client, "chouette_history", table.ref)
    client.force_login(member(table.club, Role.DIRECTOR, name="Dora"))
    assert "ledger-mine" not in text(client, "chouette_history", table.ref)


def test_statistics_are_ones_own_and_the_directors(
    client: Client, club: Club, users: list[User], table: Chouette
) -> None:
    play(table, users[0], 1)
    client.force_login(users[0])
    shown = text(client, "chouette_statistics", club.slug)
    assert "1 of 1 game," in shown
    play(table, users[0], 2)
    shown = text(client, "chouette_statistics", club.slug)
    for words in ("100%", "3 of 3 games", "+6", "Jon", "Eva"):
        assert words in shown
    query = f"?player={users[1].player.ref}"
    text(client, "chouette_statistics", club.slug, query=query, status=404)
    client.force_login(member(club, Role.DIRECTOR, name="Dora"))
    assert "−3" in text(client, "chouette_statistics", club.slug, query=query)


def met(statistics: Statistics) -> dict[str, tuple[int, int]]:
    return {each.player.name: (each.games, each.points) for each in statistics.opponents}


def test_what_passed_between_two_of_the_crew_is_told(client: Client, club: Club, users: list[User]) -> None:
    """Jon passes, pays Eva one point to hold an extra, and loses it to her on the board."""
    house = House("extras", ChouetteOptions(extras=Extras.OPTIONAL))
    table = open_table(club=club, user=users[0], title="Friday", house=house, stake=100)
    for user in users:
        join_table(chouette=table, user=user)
    ana, jon, eva = refs(table)
    write(table, users[0], [PlacesAgreed((ana, jon, eva)), GameBegun(), Offered(ana, (jon, eva))])
    write(table, users[0], [Answered(jon, passes=(jon,)), Answered(eva, takes=(eva,)), ExtraTaken(jon, eva)])
    write(table, users[0], [GameOver(box_won=False, win=Win.SINGLE)])
    assert met(statistics_of(club, users[1].player)) == {"Ana": (1, -1), "Eva": (1, -3)}
    assert met(statistics_of(club, users[2].player)) == {"Ana": (1, 2), "Jon": (1, 3)}
    client.force_login(users[1])
    assert "extras, settlements" in text(client, "chouette_statistics", club.slug)


@pytest.mark.parametrize("games", [1, 3])
@pytest.mark.parametrize(
    ("address", "count"),
    [("chouette", 7), ("chouette_mine", 6), ("chouette_history", 6)],
)
def test_a_table_for_constant_questions(
    client: Client,
    users: list[User],
    table: Chouette,
    django_assert_num_queries: DjangoAssertNumQueries,
    games: int,
    address: str,
    count: int,
) -> None:
    play(table, users[0], games)
    client.force_login(users[0])
    with django_assert_num_queries(SESSION_AND_USER + count):
        text(client, address, table.ref)


@pytest.mark.parametrize("nights", [1, 3])
def test_lists_and_statistics_for_constant_questions(
    client: Client,
    club: Club,
    users: list[User],
    table: Chouette,
    django_assert_num_queries: DjangoAssertNumQueries,
    nights: int,
) -> None:
    play(table, users[0], 1)
    for night in range(1, nights):
        another = open_table(club=club, user=users[0], title=f"Night {night}", house=BUILT_IN["house"])
        for user in users:
            join_table(chouette=another, user=user)
        write(another, users[0], [PlacesAgreed(refs(another))])
        play(another, users[0], 1)
    client.force_login(users[0])
    with django_assert_num_queries(SESSION_AND_USER + 3):
        text(client, "chouettes", club.slug)
    with django_assert_num_queries(SESSION_AND_USER + 5):
        text(client, "chouette_statistics", club.slug)


HOUSE = {
    "title": "Tuesday",
    "name": "tuesday",
    "multi_cube": "on",
    "jacoby": "on",
    "settlements": "on",
    "automatic": "never",
    "three_players": "both",
    "extras": "none",
    "opening_dice": "2",
    "box_keeps": "net_not_negative",
    "new_box": "captain",
    "consultation": "never",
    "max_cube": "64",
    "partner_from": "7",
    "partner_must": "",
}


def test_a_director_makes_changes_and_retires_a_house(client: Client, club: Club) -> None:
    client.force_login(member(club, Role.DIRECTOR, name="Dora"))
    made = client.post(reverse("scoring:new_house", args=[club.slug]), HOUSE)
    assert made["Location"] == reverse("scoring:houses", args=[club.slug])
    shown = text(client, "houses", club.slug)
    for words in ("Tuesday", "Cubes stop at 64.", "Cubes may be settled", "rolls two dice"):
        assert words in shown
    address = reverse("scoring:edit_house", args=[club.slug, "tuesday"])
    client.post(address, HOUSE | {"seen": "1", "max_cube": "32"})
    assert HouseRules.objects.get().values["max_cube"] == 32
    late = client.post(address, HOUSE | {"seen": "1", "max_cube": "16"})
    assert "someone else changed the house rules" in late.content.decode()
    client.post(reverse("scoring:retire_house", args=[club.slug, "tuesday"]))
    text(client, "houses", club.slug)  # reads what was just said
    assert "Tuesday" not in text(client, "new_chouette", club.slug)


def test_initials_tell_everybody_apart(club: Club) -> None:
    names = ("Ana Lima", "Anton Lopes", "Øle", "Ida van Dam")
    users = [member(club, name=name) for name in names]
    table = open_table(club=club, user=users[0], title="Friday", house=BUILT_IN["house"], stake=200)
    for user in users:
        join_table(chouette=table, user=user)
    rows = list(ChouettePlayer.objects.filter(chouette=table).select_related("player__person").order_by("pk"))
    assert list(initials(rows).values()) == ["AL", "AL2", "Øl", "ID"]
