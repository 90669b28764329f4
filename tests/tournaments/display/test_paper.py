"""What is printed of an event: every match once, on sheets that fit, in both papers."""

from dataclasses import replace
from itertools import pairwise, product
from typing import Any

import pytest
from django.urls import reverse

from clubs.models import Role
from scoring.drawing.pdf import Paper
from tests.factories import member
from tests.tiers import sized
from tests.tournaments.factories import an_event, drawn, open_pairings, win
from tournaments.display.paper import Box, PrintedRound, PrintedSide, bracket_pdf, sheets_of
from tournaments.display.views.prints import grids_of
from tournaments.models import EntrantRow, EventTable
from tournaments.stages.bracket_names import initials, surnames
from tournaments.stages.queries.stage_picture import picture_of
from tournaments.stages.services.stages import forget_folded, load

FORMATS = ("double", "swiss_3", "round_robin", "last_chance")
KINDS = ("bracket", "small", "tables", "slips")


def columns(first: int) -> list[PrintedRound]:
    found: list[PrintedRound] = []
    feeders: list[int] = []
    count, number = first, 0
    while count:
        numbers = [number + n for n in range(1, count + 1)]
        fed = [tuple(feeders[2 * n : 2 * n + 2]) for n in range(count)]
        boxes = [Box(n, PrintedSide("a"), PrintedSide("b"), by) for n, by in zip(numbers, fed, strict=True)]
        found.append(PrintedRound(f"{count}", boxes))
        number, feeders, count = number + count, numbers, count // 2
    return found


@pytest.mark.parametrize("first", [1, 8, 16, 32, 128, 512])
def test_every_match_is_on_one_sheet_and_no_sheet_is_too_long(first):
    sheets = list(sheets_of(columns(first)))
    numbers = [box.number for sheet in sheets for column in sheet for box in column.boxes]
    assert sorted(numbers) == list(range(1, 2 * first))
    assert all(len(column.boxes) <= 16 for sheet in sheets for column in sheet)


def test_no_name_of_sixty_characters_is_cut_in_a_printed_bracket(monkeypatch):
    name = "Maximilian Alexander Freiherr von und zu Hohenstein-Sonnenburg"
    written: list[str] = []
    monkeypatch.setattr(Paper, "text", lambda _self, _x, _y, text: written.append(text))
    rounds = columns(16)
    long = replace(rounds[0].boxes[0], a=PrintedSide(name, 7, won=True, seed=12))
    rounds[0] = replace(rounds[0], boxes=[long, *rounds[0].boxes[1:]])
    bracket_pdf("Open", [("", rounds)], paper="a4", one_page=True)
    assert any(text.endswith("von und zu Hohenstein-Sonnenburg") for text in written)


def test_the_sheets_of_a_large_bracket_are_counted_and_no_number_touches_the_name_of_a_round(monkeypatch):
    titles: list[str] = []
    written: list[tuple[float, float, str]] = []
    line, size_to_mm = Paper.write_line, 25.4 / 72

    def write_line(sheet: Paper, text: str, *args: Any, **named: Any) -> None:
        titles.append(text)
        line(sheet, text, *args, **named)

    def text(sheet: Paper, _x: float, y: float, text: str) -> None:
        written.append((y, sheet.font_size_pt * size_to_mm, text))

    monkeypatch.setattr(Paper, "write_line", write_line)
    monkeypatch.setattr(Paper, "text", text)
    bracket_pdf("Cup", [("", columns(32))], paper="a4", one_page=False)
    assert titles == [f"Cup · sheet {number} of 3" for number in (1, 2, 3)]
    head = next(y for y, _size, text in written if text == "32")
    first, size = next((y, size) for y, size, text in written if text == "1")
    assert head + 0.25 * size < first - 0.75 * size


@pytest.mark.parametrize(
    "name",
    [
        "Ana",
        "Tiago Guimarães",
        "Zeynep Çağlar",
        "Maximilian Alexander Freiherr von und zu Hohenstein-Sonnenburg",
    ],
)
@pytest.mark.parametrize(
    "club", ["Porto", "Clube Portuense de Gamão e Jogos de Tabuleiro do Norte de Portugal"]
)
def test_a_printed_club_covers_neither_the_name_nor_the_points(monkeypatch, name, club):
    written: list[tuple[float, float, float, str]] = []

    def text(sheet: Paper, x: float, y: float, text: str) -> None:
        written.append((y, x, x + sheet.get_string_width(text), text))

    monkeypatch.setattr(Paper, "text", text)
    rounds = columns(16)
    long = replace(rounds[0].boxes[0], a=PrintedSide(name, 11, won=True, seed=12, club=club))
    rounds[0] = replace(rounds[0], boxes=[long, *rounds[0].boxes[1:]])
    bracket_pdf("Open", [("", rounds)], paper="a4", one_page=False)
    row = next(y for y, _x, _end, text in written if text == "12")
    line = sorted((x, end, text) for y, x, end, text in written if y == row and x < 60)
    assert [text for _x, _end, text in line][::3] == ["12", "11"]
    assert line[1][2] in {name, initials(name), surnames(name)}
    assert club.startswith(line[2][2].rstrip("…."))
    assert len(line[2][2]) >= min(len(club), 6)
    assert all(end < x for (_x, end, _text), (x, *_rest) in pairwise(line))


@pytest.mark.django_db
def test_a_bracket_is_printed_with_clubs_where_they_are_known_and_asked_for(client, monkeypatch):
    written: list[str] = []
    monkeypatch.setattr(Paper, "text", lambda _self, _x, _y, text: written.append(text))
    event = an_event(4)
    address = reverse("tournaments:print_stage", args=[drawn(event).ref])
    assert "Bracket with clubs" not in client.get(address).text
    EntrantRow.objects.filter(flight__event=event).update(from_club="Porto")
    forget_folded()
    assert "what=bracket&amp;show=clubs&amp;paper=a4" in client.get(address).text
    client.get(address, {"what": "bracket"})
    assert "Porto" not in written
    client.get(address, {"what": "bracket", "show": "clubs"})
    assert written.count("Porto") == 4


def test_the_matches_of_a_small_section_are_no_larger_than_those_of_the_large_one(monkeypatch):
    heights: list[float] = []
    monkeypatch.setattr(Paper, "rect", lambda _self, _x, _y, _width, height: heights.append(height))
    sections = [("", columns(16)), ("Consolation", columns(2))]
    assert bracket_pdf("Cup", sections, paper="a4", one_page=True).startswith(b"%PDF-")
    assert len(heights) == 31 + 3
    assert len(set(heights)) == 1


@pytest.mark.django_db
def test_printed_standings_say_who_won_and_lost_how_often():
    stage = drawn(an_event(4, format_key="swiss_3"))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    for row in open_pairings(stage):
        win(row, director)
    standings = grids_of(picture_of(stage, load(stage)))[0]
    column = standings.heads.index("W–L")
    assert sorted(row[column] for row in standings.rows) == ["0–1", "0–1", "1–0", "1–0"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("key", "what"), sized([*zip(FORMATS, KINDS, strict=True)], [*product(FORMATS, KINDS)])
)
def test_every_kind_prints_every_format(client, key, what):
    stage = drawn(an_event(9, format_key=key))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    for row in open_pairings(stage)[:3]:
        win(row, director)
    address = reverse("tournaments:print_stage", args=[stage.ref])
    for paper in ("a4", "letter"):
        answer = client.get(address, {"what": what, "paper": paper})
        assert answer.headers["Content-Type"] == "application/pdf"
        assert answer.content.startswith(b"%PDF-")
    assert client.get(address, {"what": what, "paper": "papyrus"}).status_code == 404
    assert client.get(address, {"what": "everything"}).status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["round_robin", "swiss_3"])
def test_rounds_are_printed_from_the_first_to_the_last(key):
    stage = drawn(an_event(4, format_key=key))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    for row in open_pairings(stage)[:2]:
        win(row, director)
    printed = [grid.title for grid in grids_of(picture_of(stage, load(stage)))]
    rounds = [title for title in printed if title.startswith("Round ")]
    assert len(rounds) > 1
    assert rounds == sorted(rounds)


@pytest.mark.django_db
def test_of_a_shared_place_winners_come_first_then_who_is_still_in_by_seed():
    stage = drawn(an_event(8))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    for row in open_pairings(stage)[1:3]:
        win(row, director)
    picture = picture_of(stage, load(stage))
    winners = {each.winner for each in picture.value.outcomes.values()}
    losers = {each.loser for each in picture.value.outcomes.values()}
    still_in = set(picture.names) - winners - losers
    order = [place.entrant for place in picture.places]
    assert [set(order[:2]), set(order[2:6]), set(order[6:])] == [winners, still_in, losers]
    for group in (order[:2], order[2:6]):
        assert group == sorted(group, key=lambda n: (picture.seeds.get(n, 9), picture.names[n].title))


@pytest.mark.django_db
def test_cards_for_the_tables_open_the_match_that_is_played_there(client):
    stage = drawn(an_event(4))
    event = stage.flight.event
    address = reverse("tournaments:print_cards", args=[event.ref])
    assert client.get(address).content.startswith(b"%PDF-")
    EventTable.objects.create(event=event, number=7, name="Stream")
    assert client.get(address).content.startswith(b"%PDF-")
    card = reverse("tournaments:at_table", args=[event.ref, 7])
    assert client.get(card).headers["Location"] == event.get_absolute_url()
    row = open_pairings(stage)[0]
    row.table = 7
    row.save()
    assert client.get(card).headers["Location"] == row.boards.get().match.get_absolute_url()
