"""A bracket as one SVG: lines meet the middles of edges, nothing covers anything, names keep their room."""

import re
from collections.abc import Iterator
from itertools import combinations
from xml.etree import ElementTree

import pytest
from django.test import override_settings

from clubs.models import Role
from tests.factories import member
from tests.tiers import sized
from tests.tournaments.factories import a_player, an_event, drawn, flight_of, open_pairings, pairing, win
from tournaments.desk.services.departures import leave
from tournaments.entries.services.entries import enter
from tournaments.stages.bracket_layout import CellSize, sheet_of
from tournaments.stages.bracket_names import fitted, short_names, surnames, width_of
from tournaments.stages.bracket_svg import HAND, OVERVIEW, PAGE, WALL, BracketPen, bracket_svg, overview_size
from tournaments.stages.queries.stage_picture import Picture, PictureColumn, picture_of
from tournaments.stages.queries.stage_rows import Named
from tournaments.stages.services.stages import load

Box = tuple[float, float, float, float]
LEAST = {"last_chance": 5}
SIZES = sized((4, 5, 24, 33), (4, 5, 6, 7, 8, 9, 12, 16, 17, 20, 24, 31, 32, 33, 48, 63, 64))


def trees(picture: Picture) -> Iterator[tuple[str, tuple[PictureColumn, ...], CellSize | None]]:
    for section in picture.sections:
        for size in (None, HAND, OVERVIEW, PAGE, WALL):
            yield section.title, section.columns, size


def matches_in(svg: str) -> ElementTree.Element:
    """The second picture; the first one has the heads."""
    return list(ElementTree.fromstring(f"<both>{svg}</both>"))[-1]


def boxes(tree: ElementTree.Element) -> dict[int, Box]:
    found = {}
    for each in tree:
        if not (each.get("class") or "").startswith("m "):
            continue
        x, y = map(float, (each.get("transform") or "").removeprefix("translate(").rstrip(")").split())
        box = next(child for child in each if child.get("class") == "box")
        number = int((each.get("id") or "").removeprefix("m"))
        found[number] = (x, y, x + float(box.get("width", 0)), y + float(box.get("height", 0)))
    return found


def ends(line: ElementTree.Element) -> tuple[tuple[float, float], tuple[float, float]]:
    numbers = [float(each) for each in re.findall(r"-?[\d.]+", line.get("d") or "")]
    return (numbers[0], numbers[1]), (numbers[-1], numbers[-2] if len(numbers) == 5 else numbers[1])


def middles(box: Box) -> list[tuple[float, float]]:
    left, top, right, bottom = box
    return [(left, (top + bottom) / 2), (right, (top + bottom) / 2)]


def near(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return abs(one[0] - other[0]) <= 1 and abs(one[1] - other[1]) <= 1


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["knockout", "double", "progressive", "last_chance"])
@pytest.mark.parametrize("players", SIZES)
def test_every_line_runs_from_the_middle_of_an_edge_to_the_middle_of_an_edge(key: str, players: int) -> None:
    if players < LEAST.get(key, 0):
        pytest.skip(f"{key} is refused for {players} entrants")
    stage = drawn(an_event(players, format_key=key))
    picture = picture_of(stage, load(stage))
    lined = 0
    for title, columns, size in trees(picture):
        tree = matches_in(bracket_svg(picture, columns, title, size=size, ids=True))
        cells = boxes(tree)
        shown = [cell for column in columns for cell in column.matches]
        assert cells.keys() == {cell.number for cell in shown}
        x, y, width, height = map(float, (tree.get("viewBox") or "").split())
        for box in cells.values():
            assert x <= box[0] < box[2] <= x + width
            assert y <= box[1] < box[3] <= y + height
        for (_n, one), (_m, other) in combinations(cells.items(), 2):
            apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            assert apart, (title, _n, _m)
        lines = {int((each.get("id") or "")[1:]): ends(each) for each in tree if each.get("class") == "ln"}
        leads = {cell.number: cell.winner_to for cell in shown if cell.winner_to in cells}
        assert lines.keys() == leads.keys()
        for match, (start, end) in lines.items():
            assert any(near(start, middle) for middle in middles(cells[match])), (title, match)
            assert any(near(end, middle) for middle in middles(cells[leads[match]])), (title, match)
        lined += len(lines)
    assert lined


@pytest.mark.django_db
def test_a_seed_with_a_bye_meets_the_winner_of_one_match_on_a_straight_line() -> None:
    stage = drawn(an_event(24))
    picture = picture_of(stage, load(stage))
    pen = BracketPen(picture, picture.sections[0].columns)
    assert [len(column.matches) for column in pen.columns] == [8, 8, 4, 2, 1]
    first = [cell.number for cell in pen.columns[0].matches]
    assert all(pen.sheet.lines[match].start[1] == pen.sheet.lines[match].end[1] for match in first)
    svg = pen.matches([pen.cell(cell, column) for column in pen.columns for cell in column.matches], "Main")
    assert "bye" not in svg


@pytest.mark.django_db
def test_a_side_behind_a_bye_names_the_match_that_is_really_played() -> None:
    stage = drawn(an_event(24, format_key="double"))
    picture = picture_of(stage, load(stage))
    shown = {cell.number: cell for section in picture.sections for c in section.columns for cell in c.matches}
    words = [mark.words for cell in shown.values() for mark in (cell.a, cell.b) if mark.words]
    named = {int(found[1]) for each in words if (found := re.search(r"(\d+)$", each))}
    assert named <= shown.keys()
    assert all(cell.winner_to in {0, *shown} and cell.loser_to in {0, *shown} for cell in shown.values())


@pytest.mark.django_db
@pytest.mark.parametrize("players", [8, 16, 32, 64])
def test_nothing_that_is_read_is_smaller_than_eleven_pixels(players: int) -> None:
    event = an_event(players - 2)
    for name in (LONG, "W" * 60):
        enter(flight=flight_of(event), players=[a_player(event.club, name)])
    stage = drawn(event)
    picture = picture_of(stage, load(stage))
    columns = picture.sections[0].columns
    # As wide as a page of a desk, an overview as a tablet.
    widths = [(None, 1130), (OVERVIEW, 720), *([(HAND, 326)] if players <= 16 else [])]
    for size, widest in widths:
        svg = bracket_svg(picture, columns, "Main", size=size)
        sizes = {float(each) for each in re.findall(r'font-size="([\d.]+)"', svg)}
        assert min(sizes) >= 11
        assert BracketPen(picture, columns, size=size).sheet.width <= widest


@pytest.mark.django_db
def test_a_match_says_where_its_loser_goes_its_table_and_who_withdrew() -> None:
    stage = drawn(an_event(8, format_key="double"))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    one, two = open_pairings(stage)[:2]
    win(one, director)
    two.table = 5
    two.save()
    gone = pairing(stage, 4).a
    leave(entrant=gone, user=director)
    picture = picture_of(stage, load(stage))
    columns = picture.sections[0].columns
    svg = bracket_svg(picture, columns, "Main", ids=True)
    cells = {
        each.get("id"): " ".join("".join(each.itertext()).split())
        for each in matches_in(svg)
        if each.get("id")
    }
    loser = picture.bracket_cells[one.number].loser_to
    assert f"loser → {loser}" in cells[f"m{one.number}"]
    assert "Table 5" in cells[f"m{two.number}"]
    assert f"{gone.title} (withdrawn)" in cells["m4"]
    assert re.search(rf'class="s gone"[^>]*>.*?{gone.title}<', svg)


LONG = "Maximiliane Schwarzenberger-Hohenstaufen"


@pytest.mark.django_db
@pytest.mark.parametrize("size", [PAGE, OVERVIEW, WALL])
def test_a_long_name_ends_before_its_points(size: CellSize) -> None:
    event = an_event(2)
    for name in (LONG, "W" * 60):
        enter(flight=flight_of(event), players=[a_player(event.club, name)])
    stage = drawn(event)
    director = member(event.club, Role.DIRECTOR)
    for row in open_pairings(stage):
        win(row, director)
    picture = picture_of(stage, load(stage))
    tree = matches_in(bracket_svg(picture, picture.sections[0].columns, "Main", size=size, ids=True))
    sides = [side for each in tree for side in each if (side.get("class") or "").startswith("s ")]
    checked = 0
    for side in sides:
        texts = {str(text.get("class")): text for text in side if text.tag == "text"}
        if "pt" not in texts:
            continue
        written, points = texts["nm"], texts["pt"]
        font = float(written.get("font-size", size.font))
        wide = float(written.get("textLength", 0)) or width_of(written.text or "", font)
        begins = float(points.get("x", 0)) - width_of(points.text or "", size.font)
        assert float(written.get("x", 0)) + wide <= begins
        checked += 1
    assert checked == 2


@pytest.mark.django_db
def test_an_overview_has_all_surnames_whole_and_in_letters_of_one_size() -> None:
    event = an_event(2)
    for name in ("Ólöf Hallgrímsdóttir", "Tiago Guimarães"):
        enter(flight=flight_of(event), players=[a_player(event.club, name)])
    stage = drawn(event)
    picture = picture_of(stage, load(stage))
    size = overview_size(picture)
    svg = bracket_svg(picture, picture.sections[0].columns, "Main", size=size)
    names = re.findall(r'<text class="nm"([^>]*)>([^<]*)<', svg)
    assert {"Hallgrímsdóttir", "Guimarães"} <= {name for _attributes, name in names}
    assert not any("textLength" in each or "font-size" in each for each, _name in names)


def test_a_name_is_shortened_before_it_is_squeezed_and_squeezed_before_it_is_cut() -> None:
    assert fitted("Ann Lee", 200, 12, 11).squeezed is None
    fit = fitted("Marta Sofia Albuquerque", 120, 12, 11)
    assert (fit.text, fit.scale) == ("M. S. Albuquerque", 1)
    fit = fitted("Marta Sofia Albuquerque", 70, 12, 11)
    assert (fit.text, fit.scale) == ("Albuquerque", 1)
    fit = fitted(LONG, 165, 12.5, 11)
    assert fit.text == surnames(LONG)
    assert 0.88 <= fit.scale < 1
    fit = fitted("W" * 60, 150, 12.5, 11)
    assert fit.text.endswith("…")
    assert fit.scale == 0.88


def test_a_name_from_right_to_left_keeps_its_direction_and_its_whole() -> None:
    fit = fitted("ליאור כהן", 60, 12, 11)
    assert (fit.rtl, fit.text) == (True, "ליאור כהן")


def test_short_names_are_surnames_where_those_are_unique() -> None:
    people = [
        "Rui Teixeira",
        "Ana Teixeira",
        "Bo van den Berg",
        "Ludo",
        "ليلى حداد",
        "Ana Lee",
        "Ada Lee",
        "Ada Lee",
    ]
    names = {n: Named(n, f"r{n}", names=[name]) for n, name in enumerate(people, 1)}
    names[9] = Named(9, "r9", team="Ribeira A")
    expected = [
        "R. Teixeira",
        "A. Teixeira",
        "van den Berg",
        "Ludo",
        "ليلى حداد",
        "Ana Lee",
        "Ada Lee",
        "Ada Lee",
    ]
    assert list(short_names(names).values()) == [*expected, "Ribeira A"]


def test_an_empty_bracket_has_an_empty_sheet() -> None:
    sheet = sheet_of([], {}, PAGE)
    assert (sheet.width, sheet.height, dict(sheet.places)) == (0, 0, {})


@pytest.mark.django_db
def test_a_sheet_has_neither_styles_nor_scripts_nor_markup_of_names() -> None:
    event = an_event(1)
    enter(flight=flight_of(event), players=[a_player(event.club, "<b>&Evil")])
    stage = drawn(event)
    picture = picture_of(stage, load(stage))
    with override_settings(LANGUAGE_CODE="en"):
        svg = bracket_svg(picture, picture.sections[0].columns, "Main")
    assert "style=" not in svg
    assert "<b>" not in svg
    assert "&lt;b&gt;&amp;Evil" in svg
