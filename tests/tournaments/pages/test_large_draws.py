"""A draw too large for a page: one part of it at a time, found by name, and sent once."""

import re
from itertools import combinations

import pytest
from django.urls import reverse

from clubs.models import Membership, Role
from tests.factories import UserFactory, member
from tests.tournaments.factories import an_event, drawn, open_pairings, win
from tournaments.models import Event, StageRow
from tournaments.stages.minimap import blocks_of
from tournaments.stages.queries.draw_pieces import WHOLE_UP_TO, cut
from tournaments.stages.queries.stage_picture import picture_of
from tournaments.stages.services.stages import forget_folded, load
from tournaments.stages.views import drawings

pytestmark = pytest.mark.django_db

LARGE = 2 * WHOLE_UP_TO


@pytest.fixture(autouse=True)
def _new_process():
    drawings.forget()
    forget_folded()


@pytest.fixture(scope="module")
def _drawn_once(module_db):
    return drawn(an_event(LARGE)).pk


@pytest.fixture
def stage(_drawn_once, db):
    """A large knockout as it was drawn: what a test does to it is undone."""
    return StageRow.objects.select_related("flight__event__club").get(pk=_drawn_once)


def matches_in(page):
    return {int(number) for number in re.findall(r'id="m(\d+)"', page)}


def text(response):
    return response.content.decode()


@pytest.mark.long
@pytest.mark.parametrize("key", ["knockout", "double", "swiss_3"])
def test_the_parts_of_a_large_draw_are_all_of_it(client, key):
    stage = drawn(an_event(LARGE, format_key=key))
    picture = picture_of(stage, load(stage))
    columns = [column for section in picture.sections for column in section.columns]
    wanted = {cell.number for column in columns for cell in column.matches}
    seen: list[int] = []
    for piece, section in cut(picture):
        page = text(client.get(stage.get_absolute_url(), {"part": piece.key}))
        shown = {cell.number for column in section.columns for cell in column.matches}
        assert matches_in(page) == shown, piece.key
        assert len(shown) <= 64
        seen += shown
    assert (sorted(seen), len(set(seen))) == (sorted(wanted), len(seen))


@pytest.mark.long
@pytest.mark.parametrize("players", [WHOLE_UP_TO, LARGE])
def test_a_page_of_a_draw_is_small_however_large_the_draw(client, players):
    stage = drawn(an_event(players, format_key="double"))
    page = text(client.get(stage.flight.event.get_absolute_url()))
    assert len(page.encode()) < 160_000
    assert ('id="find-entrant"' in page) == (players == LARGE)


@pytest.mark.long
def test_a_page_opens_with_the_latest_rounds_in_which_somebody_is(client, stage):
    address = stage.flight.event.get_absolute_url()
    assert min(matches_in(text(client.get(address)))) == 1
    director = member(stage.flight.event.club, Role.DIRECTOR)
    for _round in range(5):
        for row in open_pairings(stage):
            win(row, director)
    last = LARGE - 1
    assert matches_in(text(client.get(address))) == {last - 2, last - 1, last}


def test_a_page_opens_with_the_part_that_concerns_the_reader(client, stage):
    numbers = {row.number: row.entrant.players[0] for row in stage.numbers.all()}
    picture = picture_of(stage, load(stage))
    piece, section = next(iter(list(cut(picture))[2:3]))
    player = numbers[piece.entrants[0]]
    user = UserFactory.create()
    player.user = user
    player.save(update_fields=["user"])
    assert Membership.objects.filter(player=player).exists()
    client.force_login(user)
    for address in (stage.get_absolute_url(), stage.flight.event.get_absolute_url()):
        page = text(client.get(address))
        assert matches_in(page) == {cell.number for column in section.columns for cell in column.matches}


def test_somebody_is_found_by_name_and_lit(client, stage):
    picture = picture_of(stage, load(stage))
    piece = next(piece for piece, _section in list(cut(picture))[1:])
    number = piece.entrants[0]
    name = picture.names[number].title
    for address in (stage.get_absolute_url(), stage.flight.event.get_absolute_url()):
        one = text(client.get(address, {"entrant": number}))
        assert f'data-found="{number}"' in one
        assert f'data-e="{number}"' in one
        several = text(client.get(address, {"find": name[:1].lower()}))
        assert several.count("entrant=") == 20
        assert "No player named Zebulon" in text(client.get(address, {"find": "Zebulon"}))
        assert client.get(address, {"part": "main-1-999999"}).status_code == 404
        assert client.get(address, {"entrant": "9" * 40}).status_code == 200


def test_a_process_that_has_drawn_nothing_shows_the_same_parts(client, stage):
    first = text(client.get(stage.get_absolute_url(), {"part": "main-1-17"}))
    drawings.forget()
    forget_folded()
    again = text(client.get(stage.get_absolute_url(), {"part": "main-1-17"}))
    bracket = re.compile(r'<section class="bracket".*?</section>', re.DOTALL)
    shown = [bracket.findall(page) for page in (first, again)]
    assert shown[0] == shown[1] != []


def test_a_list_of_a_large_draw_is_a_list_of_one_part(client, stage):
    page = text(client.get(stage.get_absolute_url(), {"view": "list", "part": "main-1-17"}))
    assert page.count("<bdi>P") == 32
    assert "view=list&amp;part=main-1-33" in page


@pytest.mark.long
@pytest.mark.parametrize("players", [8, LARGE])
def test_a_visitor_is_sent_an_event_once(client, django_assert_num_queries, players):
    stage = drawn(an_event(players))
    address = stage.flight.event.get_absolute_url()
    client.get(address)  # brings the cookie that the page depends on
    etag = client.get(address, headers={"Accept-Encoding": "gzip"}).headers["ETag"]
    with django_assert_num_queries(3):
        again = client.get(address, headers={"If-None-Match": etag})
    assert (again.status_code, again.content) == (304, b"")
    other = client.get(address, {"tab": "standings"}, headers={"If-None-Match": etag})
    assert other.status_code == 200
    win(open_pairings(stage)[0], member(stage.flight.event.club, Role.DIRECTOR))
    assert client.get(address, headers={"If-None-Match": etag}).status_code == 200


def test_a_visitor_who_may_not_know_an_event_any_more_is_not_told_that_it_is_unchanged(client):
    stage = drawn(an_event(4))
    address = stage.flight.event.get_absolute_url()
    client.get(address)
    etag = client.get(address).headers["ETag"]
    Event.objects.update(hidden=True)
    assert client.get(address, headers={"If-None-Match": etag}).status_code == 404


def test_an_erased_name_is_not_hidden_behind_an_etag(client, monkeypatch):
    stage = drawn(an_event(2))
    address = stage.flight.event.get_absolute_url()
    client.get(address)
    etag = client.get(address).headers["ETag"]
    stage.numbers.get(number=1).entrant.players[0].person.delete()
    monkeypatch.setattr(drawings, "FRESH", 0.0)
    page = client.get(address, headers={"If-None-Match": etag})
    assert page.status_code == 200
    assert "<bdi>P1</bdi>" not in text(page)


def test_the_front_page_shows_of_a_large_draw_a_round_in_which_people_are(client, stage):
    page = text(client.get(reverse("tournaments:now")))
    happening = page[page.index('class="two-rounds') :]
    happening = happening[: happening.index("</section>")]
    assert "winner of" not in happening
    assert happening.count("<li") == 8
    win(open_pairings(stage)[-1], member(stage.flight.event.club, Role.DIRECTOR))
    row = stage.pairings.filter(winner__isnull=False).get()
    assert row.a.title in text(client.get(reverse("tournaments:now")))


def test_the_map_has_each_part_in_its_place_and_none_covers_another(stage):
    picture = picture_of(stage, load(stage))
    blocks = blocks_of([piece for piece, _section in cut(picture)])
    assert [len(block.piece.rounds) for block in blocks] == [5, 5, 5, 5, 2]
    boxes = [(each.x, each.y, each.x + each.width, each.y + each.height) for each in blocks]
    for one, other in combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    assert boxes[-1][0] > max(box[2] for box in boxes[:-1]) - 1


def test_a_page_opens_at_the_part_with_a_match_and_its_map_marks_that_part(client, stage):
    page = text(client.get(stage.get_absolute_url(), {"match": 40}))
    assert 40 in matches_in(page)
    assert 1 not in matches_in(page)
    small = page.partition('class="minimap"')[2].partition("</svg>")[0]
    assert (small.count("<a "), small.count('aria-current="true"')) == (5, 1)
