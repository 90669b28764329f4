"""Every page and list of a large club, at its first, middle and last page: how many queries it takes.

The addresses are those of the URL configuration (``deploy/list_walk.py``); what each page costs of a
processor is shown by ``manage.py bench lists``.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubs.models import Club, Player, Role, User
from deploy.large_club import fill
from deploy.large_lists import LargeClub, fill_lists
from deploy.list_walk import FAR, LAST, MIDDLE, ONE_THING, addresses, walk
from scoring.chouettes.services.tables import join_table, open_table
from scoring.files.services.imports import import_file
from scoring.models import Match
from scoring.profiles.queries.houses import BUILT_IN
from tests.architecture.access_matrix import MATRIX
from tests.factories import ClubFactory, MembershipFactory, UserFactory, member
from tests.scoring.records import short_match
from tests.tiers import sized
from tests.tournaments.factories import an_event, drawn, flight_of
from tournaments.desk.services.rulings import rule_on
from tournaments.entries.services.list_lines import read_list

MOST_QUERIES = 12
MOST_BYTES = 40_000  # of a form that looks for people, all members of the club
SIZES = [(260, 700, 12), (520, 1400, 30)]

pytestmark = pytest.mark.django_db


def a_club(players: int, matches: int, events: int, *, slug: str = "large") -> LargeClub:
    club = ClubFactory.create(slug=slug)
    return fill_lists(club=club, players=players, matches=matches, events=events)


def opened(world: LargeClub, **options: Any) -> dict[str, int]:
    """The queries of each page that was opened, by address' name, viewer and place."""
    return {str(visit): visit.queries for visit in walk(world, **options)}


def too_many(queries: dict[str, int]) -> dict[str, int]:
    return {
        page: number
        for page, number in queries.items()
        if number > MOST_QUERIES and page.partition(",")[0] not in ONE_THING
    }


def test_every_list_takes_at_most_twelve_queries_at_its_first_middle_and_last_page() -> None:
    queries = opened(a_club(*SIZES[0]), viewers=["director"], lists=True)
    assert too_many(queries) == {}
    places = Counter(page.rpartition(", ")[2] for page in queries)
    assert places[MIDDLE] == places[LAST] > len(FAR)
    assert {name for name in FAR if not any(page.startswith(f"{name}, ") for page in queries)} == set()


@pytest.mark.long
def test_every_page_and_list_of_100_000_matches_5000_players_and_500_events() -> None:
    queries = opened(a_club(5000, 100_000, 500))
    assert too_many(queries) == {}


@pytest.mark.long
def test_no_page_takes_more_queries_in_a_larger_club() -> None:
    small, large = (opened(a_club(*size, slug=f"club-of-{size[0]}")) for size in SIZES)
    both = small.keys() & large.keys()  # a list that fits on one page has no middle
    assert len(both) > 250
    # What a page shows decides whether a further table is read: the first page may show it, a middle one not.
    most: dict[str, int] = {}
    for page, number in small.items():
        kind = page.rpartition(", ")[0]
        most[kind] = max(number, most.get(kind, 0))
    more = {page: number for page, number in large.items() if page in both and number > small[page]}
    assert {page: number for page, number in more.items() if number > most[page.rpartition(", ")[0]]} == {}


def test_whatever_is_no_list_is_an_address_that_there_is() -> None:
    named = {name for name, _pattern in addresses()}
    assert set(ONE_THING) <= named
    assert set(FAR) <= named
    assert {row.name for row in MATRIX if ":" in row.name and "GET" in row.rules} <= named


# /matches/ and a club's matches use an index, whoever looks and whatever is asked for.


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for inner in plan.get("Plans", []):
        yield from nodes(inner)


def plans(client: Client, address: str, query: dict[str, str]) -> Iterator[dict[str, Any]]:
    """How PostgreSQL finds the matches of a page."""
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address, query).status_code == 200
    statements = [row["sql"] for row in captured.captured_queries if "ORDER BY" in row["sql"]]
    lists = [sql for sql in statements if sql.partition(" FROM ")[2].startswith('"scoring_match"')]
    assert lists
    for statement in lists:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}")
            found = cursor.fetchone()[0]
        yield (json.loads(found) if isinstance(found, str) else found)[0]["Plan"]


@pytest.fixture
def full(request) -> tuple[Club, list[int], dict[str, User | None]]:
    club = ClubFactory.create(slug="full")
    players = fill(club=club, players=sized(1500, 5000), matches=sized(6000, 100_000))
    other = ClubFactory.create(slug="other")
    fill(club=other, players=50, matches=500, seed=2)
    user = UserFactory.create()
    Player.objects.filter(pk=players[0]).update(user=user)
    MembershipFactory.create(club=club, player=Player.objects.get(pk=players[0]))
    viewers = {"visitor": None, "member": user, "administrator": UserFactory.create(is_superuser=True)}
    return club, players, viewers


@pytest.mark.long  # in a small club PostgreSQL may well choose to read a whole table
def test_lists_of_matches_use_an_index_and_sort_no_more_than_a_players_matches(client, full) -> None:
    club, players, viewers = full
    refs = list(Match.objects.newest_first().values_list("ref", flat=True))
    ana, ben = Player.objects.filter(pk__in=players[:2]).order_by("pk")
    places = [{}, {"after": refs[len(refs) // 2]}, {"after": refs[-9]}, {"before": refs[len(refs) // 2]}]
    asked = [{}, {"club": club.slug}, {"player": ana.ref}, {"player": ana.ref, "against": ben.ref}]
    for user in list(viewers.values())[:3]:
        client.logout()
        if user is not None:
            client.force_login(user)
        for address in (reverse("scoring:matches"), reverse("scoring:club_matches", args=[club.slug])):
            for query in [filters | place for filters in asked for place in places]:
                for plan in plans(client, address, query):
                    check(plan, f"{address} {query}", most=len(refs) // 20)


def check(plan: dict[str, Any], asked: str, *, most: int) -> None:
    """No scan over all matches or seats, no sort of more than ``most`` rows."""
    for node in nodes(plan):
        kind, table = node["Node Type"], node.get("Relation Name", "")
        seen = node["Actual Rows"] * node["Actual Loops"]
        if table in {"scoring_match", "scoring_result", "scoring_seat", "scoring_sheet"}:
            assert kind != "Seq Scan", f"{asked}: all of {table} is read"
            assert seen <= most, f"{asked}: {seen} rows of {table} are read by {node.get('Index Name')}"
        assert "Sort" not in kind or seen <= most, f"{asked}: {seen} rows are sorted"


# Forms that look for people.


@pytest.fixture
def crowd() -> tuple[Club, User]:
    club = ClubFactory.create(slug="crowd")
    keys = fill(club=club, players=sized(600, 5000), matches=0)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO clubs_membership (club_id, player_id, role, joined_at)"
            " SELECT %s, id, 20, now() FROM clubs_player WHERE id = ANY(%s)",
            [club.pk, keys],
        )
    return club, member(club, Role.OWNER, name="Iker")


def test_no_form_has_all_people_in_it(client, crowd) -> None:
    """*New match* had 411 KB of them in a club of 2,000."""
    club, director = crowd
    client.force_login(director)
    event = an_event(2, club=club)
    table = open_table(club=club, user=director, title="Friday", house=BUILT_IN["house"])
    join_table(chouette=table, user=director)
    entry = rule_on(event=event, user=member(club), happened="Cocked.", decision="Roll again.")
    pages = [reverse("scoring:new_match", args=[club.slug])]
    pages += [reverse("clubs:invite", args=[club.slug]), reverse("scoring:chouette", args=[table.ref])]
    pages += [reverse("tournaments:ruling", args=[event.ref, entry.seq])]
    drawn(event)
    pages += [reverse("tournaments:entries", args=[event.ref])]
    pages += [reverse("tournaments:substitute", args=[event.flights.get().entrants.all()[0].ref])]
    for address in pages:
        page = client.get(address)
        assert page.status_code == 200
        assert 'role="combobox"' in page.text
        assert len(page.content) < MOST_BYTES, f"{address}: {len(page.content)} bytes"
        assert len(set(re.findall(r"Player [0-9]+", page.text))) <= 2, address


def test_an_imported_file_looks_nobody_up_but_its_players(crowd) -> None:
    club, _director = crowd
    import_file(club=club, filename="a.mat", content=short_match("Ana", "Ben"))
    with CaptureQueriesContext(connection) as captured:
        match, report = import_file(club=club, filename="b.mat", content=short_match("Ana", "Zoë"))
    assert match, report
    people = [row["sql"] for row in captured.captured_queries if '"clubs_person"' in row["sql"]]
    assert rows_of(people) <= 8


def rows_of(statements: list[str]) -> int:
    """The most rows that one of these SELECTs finds."""
    found = [0]
    for statement in statements:
        if statement.startswith("SELECT"):
            with connection.cursor() as cursor:
                cursor.execute(statement)
                found.append(len(cursor.fetchall()))
    return max(found)


def test_a_list_of_entries_looks_nobody_up_but_whom_it_names(crowd) -> None:
    club, _director = crowd
    flight = flight_of(an_event(club=club))
    names = list(
        Player.objects.filter(memberships__club=club)
        .order_by("pk")
        .values_list("person__name", flat=True)[:3]
    )
    with CaptureQueriesContext(connection) as captured:
        lines = read_list(flight=flight, text="\n".join([*names, "Somebody new"])).lines
    assert [line.known[0].name if line.known[0] else None for line in lines] == [*names, None]
    assert rows_of([row["sql"] for row in captured.captured_queries]) <= len(names)
