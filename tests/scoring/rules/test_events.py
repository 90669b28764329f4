"""Events and states as plain data: one spelling in bytes, and nothing accepted by luck."""

import json
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.codec import canonical_bytes, from_plain, to_plain
from scoring.rules.cube import Cube
from scoring.rules.dice import Roll
from scoring.rules.errors import InvalidValue, ScoringError
from scoring.rules.events import (
    EVENT_TYPES,
    LengthSet,
    MatchStarted,
    Played,
    PlayStatus,
    PositionSet,
    Rolled,
    event_from_plain,
    event_to_plain,
)
from scoring.rules.match_state import state_bytes, state_from_plain, state_to_plain
from scoring.rules.options import MovesPolicy, RuleOptions
from scoring.rules.plays import Move
from scoring.rules.position import STARTING_POSITION
from tests.scoring.rules.sheets import BLACK, GAMMON, after, game, started, white_to_roll

st.register_type_strategy(str, st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20))
st.register_type_strategy(Roll, st.builds(Roll, st.integers(1, 6), st.integers(1, 6)))
st.register_type_strategy(Move, st.builds(Move, st.integers(0, 25), st.integers(0, 25)))
st.register_type_strategy(type(STARTING_POSITION), st.just(STARTING_POSITION))
st.register_type_strategy(Cube, st.sampled_from([Cube(), Cube(2, BLACK)]))
st.register_type_strategy(
    RuleOptions, st.builds(RuleOptions, holland=st.booleans(), max_cube=st.sampled_from([None, 64]))
)


def event_bytes(event):
    kind, body = event_to_plain(event)
    return canonical_bytes({"kind": kind, "body": body})


EVENTS = st.one_of(*[st.from_type(kind) for kind in EVENT_TYPES.values()])


@given(EVENTS)
def test_an_event_is_read_back_from_its_json(event):
    kind, body = event_to_plain(event)
    again = event_from_plain(kind, json.loads(json.dumps(body)))
    assert again == event
    assert event_bytes(again) == event_bytes(event)


def test_events_have_one_spelling():
    assert event_bytes(Rolled(Roll(1, 6))) == b'{"body":{"dice":[6,1]},"kind":"roll"}'
    assert event_bytes(MatchStarted(7)) == b'{"body":{"length":7},"kind":"match_start"}'
    event = MatchStarted(7, RuleOptions(holland=True, moves_policy=MovesPolicy.RESPONSIBLE))
    assert event_to_plain(event)[1]["options"] == {"holland": True, "moves_policy": "responsible"}
    assert (
        event_bytes(LengthSet(5, "x", "ñ"))
        == '{"body":{"by":"x","length":5,"reason":"ñ"},"kind":"set_length"}'.encode()
    )


@pytest.mark.parametrize(
    ("kind", "body", "text"),
    [
        ("shout", {}, "there is no event of the kind 'shout'"),
        ("roll", {}, "roll: the field 'dice' is missing"),
        ("roll", {"dice": [6, 1], "who": "x"}, "roll: there is no field 'who'"),
        ("roll", {"dice": [6]}, "does not have 2 items"),
        ("roll", {"dice": "61"}, "'61' is not a list"),
        ("roll", {"dice": [6, 7]}, "a die shows 1 to 6, not 7"),
        ("roll", {"dice": [6, True]}, "True is not a int"),
        ("roll", {"dice": [6, 1], "void": "odd"}, "'odd' is not one of cocked, premature, die_on_checker"),
        ("roll", [], "is not an object"),
        ("resign", {"by": "white", "level": 4}, "4 is not one of 1, 2, 3"),
        ("resign", {"by": "white", "level": True}, "True is not one of 1, 2, 3"),
        ("resign", {"by": "red", "level": 1}, "'red' is not one of white, black"),
        ("play", {"moves": [[24, 18, 1]]}, "does not have 2 items"),
        ("play", {"moves": None}, "None is not a list"),
        ("match_start", {"length": "7"}, "'7' is not a int"),
        ("match_start", {"length": 7, "options": {"max_cube": 3}}, "cannot be 3"),
        ("ruling", {"by": "x", "text": "a\0b"}, "cannot be stored"),
        ("ruling", {"by": "x", "text": "\ud800"}, "cannot be stored"),
        ("set_position", {"position": {"own": [], "opponent": []}, "reason": "x"}, "26 counts are needed"),
    ],
)
def test_a_body_that_no_event_has_is_refused_by_the_value(kind, body, text):
    with pytest.raises(InvalidValue) as caught:
        event_from_plain(kind, body)
    assert text in str(caught.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["dice", "moves", "by", "length"]), inner)
    ),
    max_leaves=5,
)


@given(st.sampled_from(sorted(EVENT_TYPES)), JSON)
def test_any_json_is_an_event_or_a_typed_error(kind, body):
    try:
        event = event_from_plain(kind, body)
    except ScoringError:
        return
    assert event_from_plain(*event_to_plain(event)) == event


def test_a_state_is_read_back_byte_for_byte():
    short = STARTING_POSITION
    for state in (
        started(),
        white_to_roll(started(0)),
        after(started(3), game(BLACK, GAMMON)),
        after(started(), PositionSet(short, "x", cube=Cube(2, BLACK))),
    ):
        again = state_from_plain(json.loads(state_bytes(state)))
        assert again == state
        assert state_bytes(again) == state_bytes(state)


def test_a_state_writes_every_field():
    plain = state_to_plain(started())
    assert plain["game"]["position"]["own"][24] == 2
    assert plain["game"]["cube"] == {"value": 1, "owner": None}
    assert plain["options"]["crawford"] is True


@pytest.mark.parametrize("change", [{"score": {"length": -1}}, {"status": "gone"}, {"extra": 1}])
def test_a_state_that_cannot_be_is_refused(change):
    with pytest.raises(InvalidValue):
        state_from_plain({**state_to_plain(started()), **change})


def test_a_default_that_is_made_anew_each_time_is_left_out_too():
    @dataclass(frozen=True)
    class Note:
        words: tuple[str, ...] = field(default_factory=tuple)

    assert to_plain(Note(), full=False) == {}
    assert from_plain(Note, {}) == Note()


def test_half_a_character_has_no_bytes():
    with pytest.raises(InvalidValue, match="half a character"):
        event_bytes(LengthSet(5, "x", "\udc80"))


def test_a_played_event_carries_its_moves():
    assert event_to_plain(Played((Move(24, 18),), PlayStatus.ILLEGAL_ACCEPTED)) == (
        "play",
        {"moves": [[24, 18]], "status": "illegal_accepted"},
    )
