"""The wall: who is called, the draws as far as they are played, nothing twice while nothing has changed."""

import json

import pytest
from django.contrib.staticfiles.finders import get_finders
from django.urls import reverse
from django.utils.timezone import now

from clubs.clubs.services.erasures import erase_guest
from clubs.models import Person, Role
from deploy import settings as deployed
from tests.factories import member
from tests.tournaments.factories import an_event, drawn, open_pairings, win
from tournaments.desk.services.calls import call, start
from tournaments.display.legibility import CAPITAL, INCHES, screen_room
from tournaments.display.queries.wall import wall_of
from tournaments.models import Event, StageRow
from tournaments.stages.bracket_svg import wall_size
from tournaments.stages.queries.stage_picture import PictureCell, PictureColumn, SideMark, picture_of
from tournaments.stages.services.stages import load

pytestmark = pytest.mark.django_db


def words(response):
    return " ".join(response.content.decode().split())


def address(event):
    return reverse("tournaments:wall", args=[event.ref])


def test_before_the_draw_the_wall_waits(client):
    event = an_event(4)
    assert "The draw will be made soon." in words(client.get(address(event)))


def test_when_an_event_is_over_the_wall_says_who_won_or_that_it_is_cancelled(client):
    stage = drawn(an_event(4))
    event, director = stage.flight.event, member(stage.flight.event.club, Role.DIRECTOR)
    winner = open_pairings(stage)[0].a.title
    while rows := open_pairings(stage):
        win(rows[0], director)
    page = words(client.get(address(event)))
    assert f"<b>1</b><span>{winner}</span>" in page
    assert "<svg" not in page.partition('<main id="wall"')[2].partition("</main>")[0], "no draw any more"
    cancelled = an_event(4)
    Event.objects.filter(pk=cancelled.pk).update(status="cancelled")
    page = words(client.get(address(cancelled)))
    assert "<p>Cancelled</p>" in page
    assert "The draw will be made soon." not in page


def test_the_wall_names_calls_with_their_tables_and_who_comes_next(client):
    stage = drawn(an_event(8))
    event = stage.flight.event
    row, other, *_rest = open_pairings(stage)
    row.table, row.called_at = 5, now()
    row.save()
    page = words(client.get(address(event)))
    assert "<b>5</b>" in page
    assert page.index(row.a.title) < page.index("Next") < page.index(other.a.title, page.index("Next"))
    assert stage.seed_hash[:12] in page, "a draw that was just made is unrolled with its proof"


def test_the_wall_shows_the_rounds_that_are_played_on(client):
    stage = drawn(an_event(16))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    for row in open_pairings(stage)[:8]:
        win(row, director)
    page = words(client.get(address(stage.flight.event)))
    assert "Round 1" not in page
    assert "Quarter-finals" in page


@pytest.mark.parametrize("aspect", [0.56, 0.75, 1.25, 1.78, 2.35])
@pytest.mark.parametrize("inches", INCHES)
def test_a_panel_fills_its_screen_and_no_name_is_smaller_than_the_letters_of_eight_metres(inches, aspect):
    room = screen_room(inches, aspect)
    assert room.high >= 200
    width_mm = inches * 25.4 * aspect / (1 + aspect**2) ** 0.5
    assert room.letter / 1000 * width_mm * CAPITAL == pytest.approx(23.3, rel=0.01)
    rows = max(1, int(room.rows))
    cells = tuple(PictureCell(n, "ready", SideMark(1), SideMark(2)) for n in range(1, rows + 1))
    columns = [PictureColumn(str(n), "Round", cells) for n in range(room.rounds)]
    size = wall_size(columns, letter=room.letter, wide=room.wide, pitch=room.pitch(rows, 1))
    assert size.font >= size.least == room.letter
    assert size.height >= 2 * size.font, "two names"
    assert room.rounds * size.width + (room.rounds - 1) * size.across <= room.wide
    assert size.head + rows * size.pitch <= room.high + 1 or rows == 1


def test_a_larger_screen_shows_more_of_the_draw_at_once(client):
    stage = drawn(an_event(16, format_key="consolation"))
    pages = [client.get(address(stage.flight.event), {"part": "1", "inches": n}).text for n in ("43", "120")]
    few, many = (page.count('class="hd"') / page.count('class="panel"') for page in pages)
    assert few == 1
    assert many > 3
    assert 'data-inches="55"' in client.get(address(stage.flight.event), {"inches": "999"}).text


def test_the_winner_of_a_draw_stays_while_another_is_played():
    over, running = drawn(an_event(4)), drawn(an_event(4))
    director = member(over.flight.event.club, Role.DIRECTOR)
    while rows := open_pairings(over):
        win(rows[0], director)
    stages = [StageRow.objects.with_feeds().get(pk=stage.pk) for stage in (over, running)]
    panels = wall_of([picture_of(stage, load(stage)) for stage in stages]).panels
    assert [bool(panel.winners) for panel in panels] == [False, True]
    final = picture_of(stages[0], load(stages[0])).places[0]
    assert panels[1].winners[0] == ("1", picture_of(stages[0], load(stages[0])).names[final.entrant].title)


@pytest.mark.parametrize("players", [4, 12])
def test_the_wall_costs_the_same_for_few_and_many(client, django_assert_num_queries, players):
    stage = drawn(an_event(players, format_key="swiss_3"))
    with django_assert_num_queries(6):
        client.get(address(stage.flight.event))


def test_the_same_part_is_not_sent_twice(client):
    stage = drawn(an_event(4))
    event = stage.flight.event
    first = client.get(address(event), {"part": "1"})
    assert "<html" not in words(first)
    asked = {"If-None-Match": first.headers["ETag"]}
    assert client.get(address(event), {"part": "1"}, headers=asked).status_code == 304
    win(open_pairings(stage)[0], member(event.club, Role.DIRECTOR))
    assert client.get(address(event), {"part": "1"}, headers=asked).status_code == 200


def test_a_match_that_the_desk_has_seen_begin_is_being_played_on_the_wall_and_in_the_draw(client):
    stage = drawn(an_event(8))
    event = stage.flight.event
    director = member(event.club, Role.DIRECTOR)
    row = open_pairings(stage)[0]
    draw = stage.get_absolute_url()
    call(pairing=row, user=director)
    called = client.get(draw)
    assert "called" in words(called)
    assert "playing" not in words(called)
    start(pairing=row, user=director)
    fresh = StageRow.objects.select_related("flight__event__club").get(pk=stage.pk)
    begun = client.get(draw, headers={"If-None-Match": called["ETag"]})
    assert begun.status_code == 200
    assert "playing" in words(begun)
    assert [each.begun for each in wall_of([picture_of(fresh, load(fresh))]).calls] == [True]


def test_a_name_that_changed_or_was_erased_does_not_stay_on_the_wall(client):
    stage = drawn(an_event(4))
    event = stage.flight.event
    player = open_pairings(stage)[0].a.players[0]
    first = client.get(address(event), {"part": "1"})
    assert player.name in words(first)
    Person.objects.filter(player=player).update(name="Someone Else")
    renamed = client.get(address(event), {"part": "1"}, headers={"If-None-Match": first.headers["ETag"]})
    assert (renamed.status_code, "Someone Else" in words(renamed)) == (200, True)
    erase_guest(club=event.club, player_ref=player.ref)
    erased = client.get(address(event), {"part": "1"}, headers={"If-None-Match": renamed.headers["ETag"]})
    assert (erased.status_code, "Someone Else" in words(erased)) == (200, False)
    again = client.get(address(event), {"part": "1"}, headers={"If-None-Match": erased.headers["ETag"]})
    assert again.status_code == 304


def of_release(tmp_path, settings, number: int) -> None:
    """Static files as a release collects them: each with a name that its content gives it."""
    paths = {path: f"{number}/{path}" for finder in get_finders() for path, _storage in finder.list([])}
    manifest = {"version": "1.1", "hash": f"release-{number}", "paths": paths}
    root = tmp_path / str(number)
    root.mkdir()
    (root / "staticfiles.json").write_text(json.dumps(manifest))
    settings.STORAGES = deployed.STORAGES
    settings.STATIC_ROOT = root


def test_no_browser_keeps_pages_of_a_release_with_other_styles_and_scripts(client, tmp_path, settings):
    stage = drawn(an_event(4))
    pages = [(address(stage.flight.event), {"part": "1"}), (stage.get_absolute_url(), {})]
    of_release(tmp_path, settings, 1)
    client.get(stage.get_absolute_url())  # sets the cookie on which the page depends, too
    tags = [client.get(url, query).headers["ETag"] for url, query in pages]
    for (url, query), tag in zip(pages, tags, strict=True):
        assert client.get(url, query, headers={"If-None-Match": tag}).status_code == 304
    of_release(tmp_path, settings, 2)
    for (url, query), tag in zip(pages, tags, strict=True):
        assert client.get(url, query, headers={"If-None-Match": tag}).status_code == 200
