"""Clubs below the names of a draw on request: on the sheet, on cards, in the list, in a frame."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from django.urls import reverse

from clubs.models import Person, Role
from tests.factories import member
from tests.tournaments.factories import an_event, drawn, pairing, win
from tournaments.models import EntrantRow, StageRow
from tournaments.stages.bracket_layout import CellSize
from tournaments.stages.bracket_names import width_of
from tournaments.stages.bracket_svg import HAND, OVERVIEW, PAGE, SMALL, BracketPen, bracket_svg
from tournaments.stages.queries.stage_picture import picture_of
from tournaments.stages.services.stages import forget_folded, load
from tournaments.stages.views import drawings

pytestmark = pytest.mark.django_db

SHOWN = {"show": "clubs"}
LONG = "Clube Portuense de Gamão e Jogos de Tabuleiro <Norte>"


@pytest.fixture(autouse=True)
def _new_process():
    drawings.forget()
    forget_folded()


def with_clubs(players: int, club: str = "Porto", key: str = "knockout") -> StageRow:
    """A draw whose entrants play for a club, without the last one entered."""
    event = an_event(players, format_key=key)
    entered = EntrantRow.objects.filter(flight__event=event)
    last = entered.order_by("-pk").values("pk")[:1]
    entered.exclude(pk__in=last).update(from_club=club)
    return drawn(event)


def switch(page: str, words: str) -> str:
    """The address behind the link with these words."""
    [address] = re.findall(rf'href="([^"]*)">{words}', page)
    return str(address).replace("&amp;", "&")


@pytest.mark.parametrize("asked", ["", "&view=list", "&view=overview"])
def test_clubs_are_shown_when_the_address_asks_and_one_link_asks_or_leaves_them(client, asked):
    stage = with_clubs(8)
    address = f"{stage.get_absolute_url()}{asked}"
    without = client.get(address).text
    assert ("Porto" in without, "Show clubs" in without) == (False, True)
    page = client.get(switch(without, "Show clubs")).text
    drawn_once = 2 if asked == "" else 1  # as sheet and as cards
    told = len(re.findall(r'class="cl"', page))
    assert told >= 7 * drawn_once
    assert "Porto" not in client.get(switch(page, "Hide clubs")).text
    views = re.findall(r'href="([^"]*)"', page.split('aria-label="View"')[1].split("</nav>")[0])
    assert ["show=clubs" in view for view in views] == [True] * 3


def test_where_no_club_is_known_there_is_nothing_to_switch(client):
    stage = drawn(an_event(4))
    for asked in ({}, SHOWN):
        page = client.get(stage.get_absolute_url(), asked).text
        assert not any(words in page for words in ("Show clubs", "Hide clubs", 'class="cl"'))


@pytest.mark.parametrize("players", [8, 40])
def test_clubs_cost_a_visitor_no_query(client, django_assert_num_queries, players):
    stage = with_clubs(players)
    with django_assert_num_queries(6):
        client.get(stage.get_absolute_url(), SHOWN)


def test_another_process_shows_the_clubs_that_one_has_drawn_and_nobody_else_gets_them(client):
    stage = with_clubs(4)
    first = [client.get(stage.get_absolute_url(), asked).text for asked in ({}, SHOWN)]
    drawings.forget()
    forget_folded()
    again = [client.get(stage.get_absolute_url(), asked).text for asked in ({}, SHOWN)]
    for page in (first, again):
        assert ["Porto" in each for each in page] == [False, True]
        assert "Show clubs" in page[0]


def test_what_changes_of_a_draw_with_clubs_has_clubs(client):
    stage = with_clubs(4)
    address = reverse("tournaments:changes", args=[stage.ref])
    page = client.get(stage.get_absolute_url(), SHOWN).text
    assert f'data-changes="{address}?show=clubs"' in page
    client.get(stage.get_absolute_url())
    since = StageRow.objects.select_related("flight__event").get(pk=stage.pk).flight.event.version
    win(pairing(stage, 1), member(stage.flight.event.club, Role.DIRECTOR))
    for asked in ({}, SHOWN):
        answer = client.get(address, {"since": since, **asked}).json()
        assert ("Porto" in answer["parts"]["m3"]) == bool(asked)
        assert ("Porto" in client.get(address, {"part": "m3", **asked}).text) == bool(asked)


def test_a_frame_shows_clubs_on_request(client):
    stage = with_clubs(4)
    address = reverse("tournaments:draw_embed", args=[stage.ref])
    assert "Porto" not in client.get(address).text
    assert client.get(address, SHOWN).text.count('class="cl"') >= 6


def test_cards_of_rounds_show_clubs_too(client):
    stage = with_clubs(4, key="swiss_3")
    page = client.get(stage.get_absolute_url(), SHOWN).text
    assert len(re.findall(r'<small class="cl"><bdi>Porto', page)) == 3


def test_an_erased_player_has_no_club():
    stage = with_clubs(4)
    Person.objects.filter(player__entries__flight=stage.flight).delete()
    assert not picture_of(stage, load(stage)).has_clubs


@pytest.mark.parametrize("size", [None, PAGE, OVERVIEW, HAND])
@pytest.mark.parametrize("club", ["Porto", LONG, "מועדון תל אביב"])
def test_a_club_stands_below_its_name_inside_its_side(size: CellSize | None, club: str) -> None:
    stage = with_clubs(8, club)
    picture = picture_of(stage, load(stage))
    columns = picture.sections[0].columns
    pen = BracketPen(picture, columns, size=size, clubs=True)
    svg = bracket_svg(picture, columns, "Main", size=size, ids=True, clubs=True)
    tree = list(ElementTree.fromstring(f"<both>{svg}</both>"))[-1]
    font, half = pen.size.font, pen.size.height / 2
    assert pen.size.height > BracketPen(picture, columns, size=size).size.height
    told = 0
    for match in tree:
        for row, side in enumerate(each for each in match if (each.get("class") or "").split()[:1] == ["s"]):
            texts = {str(text.get("class")): text for text in side if text.tag == "text"}
            if "cl" not in texts:
                continue
            told += 1
            written = texts["cl"]
            small, base = float(written.get("font-size", 0)), float(written.get("y", 0))
            name = float(texts["nm"].get("y", 0))
            assert small == font * SMALL
            assert row * half < name - 0.8 * font
            assert name + 0.2 * font <= base - 0.75 * small, "below the name"
            assert base + 0.25 * small < (row + 1) * half
            wide = float(written.get("textLength", 0)) or width_of(written.text or "", small)
            assert float(written.get("x", 0)) + wide <= pen.size.width
    assert told == 7
    places = sorted(place.y for number, place in pen.sheet.places.items() if place.x == 0)
    assert all(lower - upper >= pen.size.height for upper, lower in pairwise(places))
    assert ("<Norte>" in svg, "&lt;Norte&gt;" in svg) == (False, club == LONG), "whole in the tooltip"
