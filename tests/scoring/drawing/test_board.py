"""The board shows every checker once, where owner and viewer expect it, and says the same in words."""

from collections import Counter
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.template import Context, Template
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.drawing.board import TALL, WIDE, Layout, draw_board, draw_small
from scoring.drawing.board_view import Arrow, ArrowMeaning, BoardView, DrawnCube, Home
from scoring.drawing.figures import equity
from scoring.rules.plays import Move
from scoring.rules.position import BAR, OFF, STARTING_POSITION, Position
from scoring.rules.sides import Side
from scoring.templatetags.board import (
    arrows_in_words,
    best_arrow,
    board_in_words,
    checkers_in_words,
    cube_in_words,
    played_arrow,
    turn_in_words,
)
from scoring.templatetags.board_samples import SAMPLES, hero_board

HERO = hero_board()
SVG = "{http://www.w3.org/2000/svg}"


def drawn(view: BoardView, layout: Layout = WIDE, *, touch: bool = False) -> ElementTree.Element:
    return ElementTree.fromstring(
        draw_board(view, name="b", title="A <board> & more", layout=layout, touch=touch)
    )


def classed(root: ElementTree.Element, *names: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if set(names) <= set(element.get("class", "").split())]


def only(root: ElementTree.Element, *names: str) -> ElementTree.Element:
    (found,) = classed(root, *names)
    return found


def discs(view: BoardView, side: Side, layout: Layout = WIDE) -> list[tuple[float, float]]:
    """Centres of the discs of a side, the borne-off ones apart."""
    group = only(drawn(view, layout), "checkers", side.value)
    return [(float(disc.attrib["cx"]), float(disc.attrib["cy"])) for disc in group.iter(f"{SVG}circle")]


def centre(element: ElementTree.Element) -> tuple[float, float]:
    x, y, width, height = (float(element.attrib[name]) for name in ("x", "y", "width", "height"))
    return x + width / 2, y + height / 2


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Any regular position: 15 checkers a side, no point shared."""
    owners = draw(st.lists(st.sampled_from([0, 1]), min_size=24, max_size=24))
    counts = [[0] * 26, [0] * 26]
    for side in (0, 1):
        held = [BAR, OFF] + [
            point if side == 0 else 25 - point for point in range(1, 25) if owners[point - 1] == side
        ]
        for slot in draw(st.lists(st.sampled_from(held), min_size=15, max_size=15)):
            counts[side][slot] += 1
    return Position(tuple(counts[0]), tuple(counts[1]))


views = st.builds(
    BoardView,
    position=positions(),
    on_roll=st.sampled_from(Side),
    bottom=st.sampled_from(Side),
    home=st.sampled_from(Home),
    roll=st.none() | st.tuples(st.integers(1, 6), st.integers(1, 6)),
    cube=st.none()
    | st.builds(DrawnCube, st.sampled_from([1, 2, 64, 1024]), st.none() | st.sampled_from(Side)),
)


@settings(max_examples=40)
@given(view=views, layout=st.sampled_from([WIDE, TALL]))
def test_every_checker_is_drawn_or_numbered_inside_the_drawing(view: BoardView, layout: Layout) -> None:
    root = drawn(view, layout)
    width, height = layout.size
    for side in Side:
        counts = view.checkers(side)
        group = only(root, "checkers", side.value)
        shown = [(float(disc.attrib["cx"]), float(disc.attrib["cy"])) for disc in group.iter(f"{SVG}circle")]
        assert len(shown) == sum(min(counts[slot], 5) for slot in range(1, 26))
        assert len(set(shown)) == len(shown)
        assert all(layout.radius <= x <= width - layout.radius for x, _ in shown)
        assert all(layout.radius <= y <= height - layout.radius for _, y in shown)
        numbers = Counter(int(text.text or "") for text in classed(group, "count"))
        assert numbers == Counter(counts[slot] for slot in range(1, 26) if counts[slot] > 5)
        assert len(classed(group, "slab")) == counts[OFF]


@settings(max_examples=40)
@given(view=views)
def test_no_checker_of_one_side_lies_on_one_of_the_other(view: BoardView) -> None:
    assert not set(discs(view, Side.WHITE)) & set(discs(view, Side.BLACK))


@settings(max_examples=40)
@given(view=views)
def test_turning_the_table_turns_the_board_by_half(view: BoardView) -> None:
    """Seen by the other player, with home on the other hand, everything lies point-symmetrically."""
    other = BoardView(
        view.position,
        view.on_roll,
        view.bottom.other,
        Home.LEFT if view.home is Home.RIGHT else Home.RIGHT,
    )
    width, height = WIDE.size
    for side in Side:
        turned = [(round(width - x, 1), round(height - y, 1)) for x, y in discs(view, side)]
        assert sorted(turned) == sorted(discs(other, side))


def test_starting_position_has_the_home_of_the_bottom_player_at_the_right() -> None:
    white = discs(BoardView(STARTING_POSITION), Side.WHITE)
    width, height = WIDE.size
    in_home_corner = [(x, y) for x, y in white if x > width / 2 and y > height / 2]
    assert len(in_home_corner) == 5  # the 6 point
    assert len([(x, y) for x, y in white if x > width / 2 and y < height / 2]) == 2  # the back checkers
    assert len([(x, y) for x, y in white if x < width / 2 and y < height / 2]) == 5  # the midpoint


def test_numbers_of_the_player_below_rise_from_their_home() -> None:
    for bottom, home in product(Side, Home):
        root = drawn(BoardView(STARTING_POSITION, on_roll=bottom, bottom=bottom, home=home))
        where = {
            text.text: (float(text.attrib["x"]), float(text.attrib["y"])) for text in only(root, "numbers")
        }
        assert set(where) == {str(point) for point in range(1, 25)}
        assert where["1"][1] == where["12"][1] > where["13"][1] == where["24"][1]
        assert (where["1"][0] > where["12"][0]) is (home is Home.RIGHT)


def test_points_have_the_numbers_of_whoever_moves_or_answers() -> None:
    def numbers(view: BoardView) -> list[str]:
        return [text.text or "" for text in only(drawn(view), "numbers")]

    below = [str(point) for point in range(1, 25)]
    offered = DrawnCube(2, offered_to=Side.BLACK)
    assert numbers(BoardView(STARTING_POSITION, on_roll=Side.BLACK)) == below[::-1]
    assert numbers(BoardView(STARTING_POSITION, on_roll=Side.WHITE)) == below
    assert numbers(BoardView(STARTING_POSITION, on_roll=Side.BLACK, turn=False)) == below
    assert numbers(BoardView(STARTING_POSITION, on_roll=Side.WHITE, cube=offered)) == below[::-1]
    assert numbers(BoardView(STARTING_POSITION, on_roll=Side.BLACK, bottom=Side.BLACK)) == below


def test_a_position_of_black_is_read_in_blacks_numbering() -> None:
    position = Position.from_points(own={1: 15}, opponent={6: 15})
    black = BoardView(position, on_roll=Side.BLACK, bottom=Side.BLACK)
    assert checkers_in_words(black, Side.BLACK) == "Black: 1 point 15."
    assert checkers_in_words(black, Side.WHITE) == "White: 6 point 15."
    width, height = WIDE.size
    assert all(x > width / 2 and y > height / 2 for x, y in discs(black, Side.BLACK))
    assert all(x > width / 2 and y < height / 2 for x, y in discs(black, Side.WHITE))


@pytest.mark.parametrize(
    ("cube", "place"),
    [(DrawnCube(1), "middle"), (DrawnCube(4, Side.WHITE), "below"), (DrawnCube(4, Side.BLACK), "above")],
)
def test_cube_lies_at_its_owners_side_with_its_value(cube: DrawnCube, place: str) -> None:
    root = drawn(BoardView(STARTING_POSITION, cube=cube))
    group = only(root, "cube")
    y, half = centre(group[0])[1], WIDE.depth / 2
    assert ("middle" if y == half else "below" if y > half else "above") == place
    assert group[1].text == str(cube.value)


def test_an_offered_cube_lies_on_the_board_nearer_to_who_must_answer() -> None:
    root = drawn(BoardView(STARTING_POSITION, cube=DrawnCube(2, offered_to=Side.BLACK)))
    x, y = centre(only(root, "cube", "offered")[0])
    assert WIDE.tray < x < WIDE.length / 2
    assert y < WIDE.depth / 2


def test_a_game_without_a_cube_shows_none() -> None:
    assert classed(drawn(BoardView(STARTING_POSITION, cube=None)), "cube") == []


@pytest.mark.parametrize(("on_roll", "below"), [(Side.WHITE, True), (Side.BLACK, False)])
def test_dice_lie_in_the_rollers_colour_beside_its_home(on_roll: Side, below: bool) -> None:
    root = drawn(BoardView(STARTING_POSITION, on_roll=on_roll, roll=(6, 1)))
    dice = only(root, "dice", on_roll.value)
    squares = [centre(square) for square in dice.findall(f"{SVG}rect")]
    assert len(squares) == 2
    assert all(x > WIDE.length / 2 and (y > WIDE.depth / 2) is below for x, y in squares)
    assert sorted(len(list(pips)) for pips in classed(dice, "pips")) == [1, 6]


def test_dice_never_touch_the_checkers_of_full_points() -> None:
    reach = WIDE.strip + 1.5 + 2 * WIDE.radius + 4 * WIDE.stack
    root = drawn(BoardView(STARTING_POSITION, roll=(3, 1)))
    for square in only(root, "dice").findall(f"{SVG}rect"):
        y = centre(square)[1]
        assert reach <= y - 16
        assert y + 16 <= WIDE.depth - reach


def test_arrows_start_at_the_checker_and_end_where_it_comes_to_lie() -> None:
    moves = (Move(8, 5), Move(6, 5))
    root = drawn(BoardView(STARTING_POSITION, roll=(3, 1), arrows=(Arrow(ArrowMeaning.BEST, moves),)))
    shafts = classed(only(root, "arrow", "best"), "shaft")
    heads = classed(only(root, "arrow", "best"), "head")
    starts = [tuple(float(part) for part in shaft.attrib["d"][1:].split("Q")[0].split()) for shaft in shafts]
    tips = [tuple(float(part) for part in head.attrib["d"][1:].split("L")[0].split()) for head in heads]
    view = BoardView(STARTING_POSITION)
    made = BoardView(Position.from_points({24: 2, 13: 5, 8: 2, 6: 4, 5: 2}, {24: 2, 13: 5, 8: 3, 6: 5}))
    assert set(starts) <= set(discs(view, Side.WHITE))
    assert set(tips) <= set(discs(made, Side.WHITE)) - set(discs(view, Side.WHITE))


def test_two_arrows_from_one_point_start_at_two_checkers() -> None:
    twice = Arrow(ArrowMeaning.PLAYED, (Move(13, 7), Move(13, 7)))
    shafts = classed(drawn(BoardView(STARTING_POSITION, arrows=(twice,))), "shaft")
    assert len({shaft.attrib["d"].split("Q")[0] for shaft in shafts}) == 2


def test_an_error_is_marked_with_its_size_and_a_right_play_is_not() -> None:
    wrong = played_arrow([Move(24, 15)], 0.084)
    root = drawn(BoardView(STARTING_POSITION, arrows=(best_arrow([Move(24, 18)]), wrong)))
    assert [text.text for text in only(root, "error-size").iter(f"{SVG}text")] == ["−0.084"]
    right = drawn(BoardView(STARTING_POSITION, arrows=(played_arrow([Move(24, 18)], 0.0),)))
    assert classed(right, "error-size") == []
    assert arrows_in_words([wrong]) == ["Played: 24/15, error −0.084."]


@pytest.mark.parametrize("layout", [WIDE, TALL])
def test_the_size_of_an_error_hides_no_head_of_an_arrow(layout: Layout) -> None:
    root = drawn(HERO, layout)
    plate = next(only(root, "error-size").iter(f"{SVG}rect"))
    x, y = centre(plate)
    for head in classed(root, "head"):
        tip_x, tip_y = (float(part) for part in head.attrib["d"][1:].split("L")[0].split())
        assert abs(tip_x - x) > float(plate.attrib["width"]) / 2 or abs(tip_y - y) > 14 + 8


@pytest.mark.parametrize("layout", [WIDE, TALL])
@pytest.mark.parametrize("on_roll", Side)
def test_targets_cover_every_place_in_the_numbering_of_the_side_on_roll(
    layout: Layout, on_roll: Side
) -> None:
    view = BoardView(STARTING_POSITION, on_roll=on_roll)
    targets = classed(drawn(view, layout, touch=True), "target")
    assert sorted(int(target.attrib["data-point"]) for target in targets) == list(range(26))
    spots = {int(target.attrib["data-point"]): target for target in targets}
    for slot, _ in view.occupied(on_roll):
        x, y = centre(spots[slot])
        group = next(
            group
            for group in only(drawn(view, layout), "checkers", on_roll.value)
            if group.attrib["data-point"] == str(slot)
        )
        disc = next(group.iter(f"{SVG}circle"))
        assert abs(x - float(disc.attrib["cx"])) <= float(spots[slot].attrib["width"]) / 2
        assert abs(y - float(disc.attrib["cy"])) <= float(spots[slot].attrib["height"]) / 2


def test_upright_targets_are_44_px_on_a_phone_360_px_wide() -> None:
    """The page leaves 16 px at either side of the drawing."""
    scale = (360 - 2 * 16) / TALL.size[0]
    for target in classed(drawn(BoardView(STARTING_POSITION), TALL, touch=True), "target"):
        assert float(target.attrib["width"]) * scale >= 44
        assert float(target.attrib["height"]) * scale >= 44


@settings(max_examples=40)
@given(view=views)
def test_drawing_has_no_style_and_one_title(view: BoardView) -> None:
    root = drawn(view)
    assert not any("style" in element.attrib for element in root.iter())
    assert root.findtext(f"{SVG}title") == "A <board> & more"
    assert root.attrib["aria-labelledby"] == "b-title"


def test_words_say_all_that_is_drawn() -> None:
    assert board_in_words(HERO) == (
        "White: 24 point 1, 20 point 2, 13 point 3, 8 point 3, 6 point 4, 5 point 2. "
        "Black: bar 1, 24 point 1, 13 point 4, 8 point 2, 6 point 4, 4 point 2, 3 point 1. "
        "Pip count 161 to 152. Black owns the cube at 2. White to play 6-3. "
        "Best: 24/18 13/10. Played: 24/15, error −0.084."
    )


@pytest.mark.parametrize(
    ("cube", "words"),
    [
        (None, "No cube."),
        (DrawnCube(1), "The cube is centred at 1."),
        (DrawnCube(8, Side.BLACK), "Black owns the cube at 8."),
        (DrawnCube(2, None, Side.WHITE), "The cube is offered to White at 2."),
    ],
)
def test_words_for_the_cube(cube: DrawnCube | None, words: str) -> None:
    assert cube_in_words(cube) == words


def test_words_for_the_turn() -> None:
    assert turn_in_words(BoardView(STARTING_POSITION, on_roll=Side.BLACK)) == "Black is on roll."
    assert turn_in_words(BoardView(STARTING_POSITION, turn=False)) == ""


def test_errors_are_written_as_the_reader_writes_numbers() -> None:
    with translation.override("de"):
        assert played_arrow([], 0.084).label == "−0,084"


@pytest.mark.parametrize(
    ("value", "shown"), [(0.3914, "+0.391"), (-0.084, "−0.084"), (0.0, "0.000"), (-0.0004, "0.000")]
)
def test_an_equity_has_its_sign(value: float, shown: str) -> None:
    assert equity(value) == shown


def test_a_score_of_nothing_is_shown() -> None:
    page = Template("{% load board %}{% board view white='Ann' white_score=0 %}").render(
        Context({"view": HERO})
    )
    assert '<span class="score">0</span>' in page


def test_two_boards_of_one_page_share_no_id() -> None:
    page = Template("{% load board %}{% board view %}{% board view %}").render(Context({"view": HERO}))
    for identity in ("board-1-title", "board-2-title", "board-1-words", "board-2-words"):
        assert page.count(f'id="{identity}"') == 1


def test_a_name_cannot_write_into_the_page() -> None:
    page = Template("{% load board %}{% board view white=name %}").render(
        Context({"view": HERO, "name": "<script>alert(1)</script>"})
    )
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: str(sample.caption))
def test_samples_of_the_style_page_can_be_drawn(sample: object) -> None:
    page = Template("{% load board %}{% board sample.view caption=sample.caption %}").render(
        Context({"sample": sample})
    )
    assert page.count("<svg") == 1


def test_every_class_of_the_drawing_is_known_to_the_style_sheet() -> None:
    sheet = (Path(__file__).resolve().parents[3] / "scoring/static/scoring/drawing/board.css").read_text()
    used: set[str] = set()
    for view, layout in product([HERO, *(sample.view for sample in SAMPLES)], [WIDE, TALL]):
        for element in drawn(view, layout, touch=True).iter():
            used |= set(element.get("class", "").split())
    carried = {
        "checkers",
        "slab",
        "dice",
        "targets",
        "turned",
        "offered",
        "error",
    }  # style their contents, or tell a script
    assert {name for name in used if f".{name}" not in sheet} <= carried


def test_a_small_board_has_dice_with_pips_and_a_numbered_cube_but_no_words() -> None:
    view = BoardView(STARTING_POSITION, roll=(5, 2), cube=DrawnCube(4, Side.BLACK))
    small = ElementTree.fromstring(draw_small(view))
    assert small.get("aria-hidden") == "true"
    assert len(classed(small, "tray")) == 2
    assert len(small.findall(".//*[@class='pips']/*")) == 5 + 2
    assert [text.text for text in small.iter("text")] == ["4"]
    assert not classed(small, "numbers")
    assert not [each for each in small.iter() if each.get("id")]
