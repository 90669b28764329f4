"""The position editor: each change gives a whole position, and what contradicts it is mended or refused."""

import pytest

from scoring.notation.editing import START, changed, emptied, placed, swapped, with_start
from scoring.notation.xgid import Xgid, decode_xgid, encode_xgid
from scoring.rules.errors import ScoringError
from scoring.rules.sides import Side

WHITE, BLACK = Side.WHITE, Side.BLACK
OPENING = "-b----E-C---eE---c-e----B-"
# White: 5 checkers on its 6 point, one on the bar; Black: 2 on its 13 point. A match to 9 at 2-4.
RACE = "------E-----b------------A:1:1:1:52:2:4:0:9:10"
MONEY = f"{OPENING}:2:-1:-1:64:0:0:3:0:10"
OFFERED = f"{OPENING}:0:0:1:D:0:0:0:7:10"
MATCH_7 = f"{OPENING}:0:0:1:00:0:0:0:7:10"


def seen(text: str) -> Xgid:
    return decode_xgid(text)


@pytest.mark.parametrize(
    ("before", "values", "after"),
    [
        (MATCH_7, {}, "0:0:1:00:0:0:0:7:10"),
        (MATCH_7, {"length": "5", "white_away": "2", "black_away": "5"}, "0:0:1:00:3:0:0:5:10"),
        # Who was 7 away in a match to 7 is 3 away in one to 3, and still 7 away in one to 9.
        (MATCH_7, {"length": "3", "white_away": "7"}, "0:0:1:00:0:0:0:3:10"),
        (MATCH_7, {"length": "9"}, "0:0:1:00:2:2:0:9:10"),
        (MONEY, {"length": "5", "jacoby": "on"}, "2:-1:-1:64:0:0:0:5:10"),
        (MATCH_7, {"length": "0", "jacoby": "on", "beavers": "on"}, "0:0:1:00:0:0:3:0:10"),
        (MATCH_7, {"length": "0", "jacoby": "on", "crawford": "on"}, "0:0:1:00:0:0:1:0:10"),
        (MONEY, {"beavers": ""}, "2:-1:-1:64:0:0:1:0:10"),
        (MATCH_7, {"cube": "4", "owner": "black"}, "2:-1:1:00:0:0:0:7:10"),
        (MATCH_7, {"owner": "white"}, "0:0:1:00:0:0:0:7:10"),
        (MONEY, {"owner": ""}, "2:0:-1:64:0:0:3:0:10"),
        (
            MATCH_7,
            {"crawford": "on", "white_away": "1", "cube": "2", "owner": "white"},
            "0:0:1:00:6:0:1:7:10",
        ),
        (MATCH_7, {"turn": "black", "roll": "3-1"}, "0:0:-1:31:0:0:0:7:10"),
        (MATCH_7, {"turn": "nobody"}, "0:0:1:00:0:0:0:7:10"),
        (MONEY, {"roll": " "}, "2:-1:-1:00:0:0:3:0:10"),
        (OFFERED, {"cube": ""}, "0:0:1:D:0:0:0:7:10"),
        (OFFERED, {"roll": ""}, "0:0:1:00:0:0:0:7:10"),
        (OFFERED, {"roll": "52"}, "0:0:1:52:0:0:0:7:10"),
    ],
)
def test_a_change_is_of_the_named_values_and_what_follows(
    before: str, values: dict[str, str], after: str
) -> None:
    assert encode_xgid(changed(seen(before), values)) == f"{OPENING}:{after}"


def test_the_sides_are_swapped_with_cube_turn_and_score() -> None:
    assert encode_xgid(swapped(seen(RACE))) == "a------------B-----e------:1:-1:-1:52:4:2:0:9:10"
    assert encode_xgid(swapped(seen(MATCH_7))) == f"{OPENING}:0:0:-1:00:0:0:0:7:10"
    assert swapped(swapped(seen(RACE))) == seen(RACE)


def test_the_board_is_set_up_or_emptied_at_the_score_as_it_is() -> None:
    assert encode_xgid(with_start(seen(RACE))) == f"{OPENING}:0:0:1:00:2:4:0:9:10"
    assert encode_xgid(emptied(seen(OFFERED))) == f"{'-' * 26}:0:0:1:00:0:0:0:7:10"


@pytest.mark.parametrize(
    ("side", "slot", "checkers", "board"),
    [
        (WHITE, 6, 4, "-b----D-C---eE---c-e----B-"),
        (BLACK, 6, 0, "-b----E-C---eE---c------B-"),
        (WHITE, 1, 0, OPENING),  # Black holds it, and nothing is put there
    ],
)
def test_checkers_are_counted_on_a_point_of_their_side(
    side: Side, slot: int, checkers: int, board: str
) -> None:
    assert placed(START, side, slot, checkers).position.key == board
    values = {"slot": str(slot), "side": side.value, "checkers": str(checkers)}
    assert changed(START, values).position.key == board


def test_checkers_without_a_side_are_white_and_15_of_them_are_enough() -> None:
    eight = changed(START, {"slot": "8", "checkers": "0"})
    assert eight.position.key == "-b----E-----eE---c-e----B-"
    assert placed(eight, WHITE, 25, 3).position.key == "-b----E-----eE---c-e----BC"
    assert eight.position.own[0] == 3


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"slot": "0"}, "There is no point 0. Enter 1 to 24, or 25 for the bar."),
        ({"slot": "26"}, "slot cannot be '26'. Enter a whole number up to 25."),
        ({"slot": "6", "checkers": "16"}, "checkers cannot be '16'. Enter a whole number up to 15."),
        ({"slot": "6", "checkers": "6"}, "White would have 16 checkers. Remove 1."),
        ({"slot": "1", "checkers": "1"}, "Black holds this point with 2. Remove them first."),
        (
            {"slot": "1", "checkers": "1", "side": "black"},
            "White holds this point with 2. Remove them first.",
        ),
        ({"white_away": "8"}, "White cannot be 8 away in a match to 7. Enter 1 to 7."),
        ({"black_away": "0"}, "Black cannot be 0 away in a match to 7. Enter 1 to 7."),
        ({"length": "five"}, "length cannot be 'five'. Enter a whole number up to 32767."),
        ({"length": "\u0665"}, "length cannot be '\u0665'. Enter a whole number up to 32767."),
        ({"length": "32768"}, "length cannot be '32768'. Enter a whole number up to 32767."),
        ({"cube": "3"}, "a cube cannot show 3: a power of two is needed"),
        ({"roll": "7-1"}, "'71' is not a roll: '7' is not a die"),
    ],
)
def test_a_value_that_cannot_be_is_named(values: dict[str, str], reason: str) -> None:
    with pytest.raises(ScoringError) as caught:
        changed(START, values)
    assert str(caught.value) == reason


def test_no_more_checkers_than_15_are_put_on_a_point() -> None:
    with pytest.raises(ScoringError, match=r"^16 checkers do not exist\. Enter 0 to 15\.$"):
        placed(START, WHITE, 6, 16)
