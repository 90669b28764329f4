"""What no real file at hand shows: `.bgf`, and OGXM documents made to be awkward."""

import json
from typing import Any

import pytest
from gvformat import canonicalize, write_gvab

from scoring.notation.formats import annotations_in, read_match, turned
from scoring.notation.ogxm_cells import mat_text
from scoring.rules.errors import InvalidNotation
from scoring.rules.events import OpeningRolled, Played
from scoring.rules.match import Win
from scoring.rules.plays import Move
from scoring.rules.sides import Side
from tests.scoring.notation.bgf_files import GREEN, RED, bgf, play, smile

HEAD = b'{"format":"BGF"}\n'


@pytest.mark.parametrize(("green", "red"), [("Zoe", "Adam"), ("Adam", "Zoe")])
def test_green_of_a_bgf_is_white_whatever_the_names(green, red):
    moves = [play(GREEN, (3, 1), (8, 5), (6, 5)), play(RED, (6, 4), (24, 18), (18, 14))]
    record = read_match(bgf(green, red, moves))
    assert record.players == (green, red)
    assert record.events[1:3] == (OpeningRolled(3, 1), Played((Move(8, 5), Move(6, 5))))
    assert record.events[4] == Played((Move(24, 18), Move(18, 14)))
    (game,) = record.state.games
    assert (game.outcome.winner, game.outcome.win) == (Side.WHITE, Win.SINGLE)


def test_a_bgf_of_two_namesakes_does_not_say_who_won():
    with pytest.raises(InvalidNotation, match="both players are named 'Twin'") as caught:
        read_match(bgf("Twin", "Twin", [play(GREEN, (3, 1), (8, 5), (6, 5))]))
    assert caught.value.code == "same_name"


@pytest.mark.parametrize("content", [[1, 2], "match", 7])
def test_a_bgf_whose_content_is_no_match_is_told_with_its_place(content):
    with pytest.raises(InvalidNotation, match=f"after byte {len(HEAD)} is not a match"):
        read_match(HEAD + smile(content))


@pytest.mark.parametrize("payload", [b"\x1f\x8bnothing", b"not compressed"])
def test_a_bgf_that_cannot_be_inflated_is_told_with_its_place(payload):
    with pytest.raises(InvalidNotation) as caught:
        read_match(HEAD + payload)
    assert (caught.value.code, caught.value.at) == ("compressed", len(HEAD))


def document(*plies: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An OGXM match to 5 that stops in its first game, its first player White."""
    return {
        "match_length": 5,
        "player_white": "Ana",
        "player_black": "Jon",
        "games": [{"winner": 255, "plies": list(plies)}],
        **more,
    }


def rolled(color: int, dice: tuple[int, int], *moves: tuple[int, int], **more: Any) -> dict[str, Any]:
    """A roll and its moves as (from, pips), points counted as White's opponent counts them."""
    steps = [{"from": source, "pips": pips} for source, pips in moves]
    return {"color": color, "action_id": 7, "d1": dice[0], "d2": dice[1], "moves": steps, **more}


WHITE_31 = rolled(1, (3, 1), (17, 3), (19, 1))
START = {1: 2, 12: 5, 17: 3, 19: 5, 24: -2, 13: -5, 8: -3, 6: -5}


def stated(**changes: int) -> list[int]:
    """The set-up with some points changed (``p6=-4``), as OGXM states a position."""
    counts = [START.get(point, 0) for point in range(26)]
    for name, count in changes.items():
        counts[int(name[1:])] = count
    return counts


def rows(*plies: dict[str, Any], **more: Any) -> list[str]:
    return mat_text(document(*plies, **more)).data.decode().splitlines()


def test_black_s_moves_count_down_from_24_and_hit_what_they_meet():
    found = rows(WHITE_31, rolled(0, (6, 4), (24, 6), (24, 4)))
    assert found[-1].endswith("64: 24/18 24/20")
    found = rows(rolled(1, (6, 4), (1, 6), (1, 4)), rolled(0, (6, 2), (13, 6), (13, 2)), WHITE_31)
    assert found[-2].endswith("62: 13/7 13/11")


def test_a_checker_that_was_hit_enters_from_the_bar():
    hit = rolled(0, (6, 4), (13, 6), (24, 4))
    found = rows(rolled(1, (6, 4), (1, 6), (12, 4)), hit, rolled(1, (3, 1), (0, 3), (12, 1)))
    assert found[-1].split(")")[1].strip() == "31: 25/22 13/12"


def test_black_s_play_stated_as_a_position_becomes_moves_again():
    after = stated(p6=-4, p1=2, p5=-1)
    found = rows(WHITE_31, rolled(0, (6, 4), set_position=after))
    assert found[-1].endswith("64: 6/5")


def test_a_position_of_another_size_is_no_position():
    with pytest.raises(InvalidNotation, match="game 1, action 1: a position has 26 places, not 3"):
        rows(rolled(1, (3, 1), set_position=[0, 1, 2]))


def test_a_checker_that_is_off_does_not_come_back():
    off = rolled(1, (6, 4), set_position=stated(p19=4))
    back = rolled(1, (6, 4), set_position=stated())
    with pytest.raises(InvalidNotation, match="game 1, action 2: white has more checkers than before"):
        rows(off, back)


@pytest.mark.parametrize(
    ("start", "score"),
    [({"white": 2, "black": 1}, "White : 2          Black : 1"), ([3, 0], "White : 3          Black : 0")],
)
def test_a_match_may_start_with_points(start, score):
    assert score in "\n".join(rows(WHITE_31, score_start=start))


@pytest.mark.parametrize("dice", [(0, 3), (3, 7), (True, 2), (None, None)])
def test_a_turn_without_dice_is_told_by_its_action(dice):
    with pytest.raises(InvalidNotation, match=r"game 1, action 1: .+ is not a roll"):
        rows(rolled(1, dice))


def test_a_game_that_begins_with_a_turned_cube_is_not_read():
    for more in ({"auto_doubles": 1}, {"initial_cube_value": 2}):
        games = [{"winner": 255, "plies": [], **more}]
        with pytest.raises(InvalidNotation, match="game 1 starts with a turned cube"):
            rows(games=games)


def test_another_game_than_backgammon_is_not_read():
    with pytest.raises(InvalidNotation, match="only backgammon"):
        rows(variant=2)


def test_an_action_that_is_not_known_is_told_by_its_number():
    with pytest.raises(InvalidNotation, match="game 1, action 1: unknown kind 40"):
        rows({"color": 1, "action_id": 40})


def test_an_error_before_the_first_action_is_told_of_the_head():
    text = mat_text(document(WHITE_31))
    assert text.place(None) == text.place(1) == "head of the match"
    assert text.place(text.first_line) == "game 1"


def test_a_document_that_is_turned_twice_is_itself():
    plies = WHITE_31, rolled(0, (6, 4), set_position=stated(p6=-4, p1=2, p5=-1))
    once = turned(document(*plies, games=[{"winner": 0, "points_won": 1, "plies": list(plies)}]))
    assert (once["player_white"], once["games"][0]["winner"]) == ("Jon", 1)
    first, second = once["games"][0]["plies"]
    assert (first["color"], first["moves"]) == (0, [{"from": 8, "pips": 3}, {"from": 6, "pips": 1}])
    assert second["set_position"][19] == 4
    again = turned(once)
    assert again == document(games=[{"winner": 0, "points_won": 1, "plies": list(plies)}])


def test_the_binary_of_a_document_is_the_same_match():
    plain = document({**WHITE_31, "action_id": 2})
    told = read_match(json.dumps(plain).encode())
    assert read_match(write_gvab(canonicalize(plain))).events == told.events
    assert told.events[1:] == (OpeningRolled(3, 1), Played((Move(8, 5), Move(6, 5))))


def test_a_play_out_of_turn_is_told_by_its_action():
    twice = document(WHITE_31, rolled(1, (6, 4), (1, 6), (7, 4)))
    record = read_match(json.dumps(twice).encode())
    flag = next(flag for flag in record.flags if flag.code == "rest_unread")
    assert (flag.game, flag.line, flag.turn) == (1, 4, 0)
    assert flag.detail.endswith("it is not the turn of White")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b'{"games": [', "character 11: Expecting value"),
        (b'\xff\xfe{"games": []}', None),
        (b'{"games": "\xff"}', "not JSON: "),
        (b'{"games": {}}', "has no list of games"),
        (b"{}", "has no list of games"),
    ],
)
def test_json_that_is_no_match_says_why(data, text):
    with pytest.raises(InvalidNotation) as caught:
        read_match(data)
    assert text is None or text in str(caught.value)


def test_only_formats_that_say_something_beside_the_plays_have_annotations():
    said = annotations_in(b"(;GM[6]MI[length:1];W[31hefe]C[a fine start])")
    assert said is not None
    assert [moment.comment for moment in said.moments] == ["a fine start"]
    assert annotations_in(b" 5 point match\n\n Game 1\n Ana : 0      Jon : 0\n") is None


def test_a_length_that_no_match_has_is_told_of_the_head():
    start = rolled(0, (3, 1), (8, 5), (6, 5))
    with pytest.raises(InvalidNotation, match=r"^head of the match: a match cannot be to 99999 points$"):
        read_match(json.dumps(document(start, match_length=99999)).encode())
