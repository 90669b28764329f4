"""A complete record loses nothing: written as `.mat` with remarks it is read back as the very same state."""

import pytest
from gvformat import mat_to_ogxm
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from scoring.notation.mat import read_mat, write_mat
from scoring.notation.remarks import NOT_PLAYED, read_remark, remark
from scoring.rules.cube import Cube
from scoring.rules.dice import ALL_ROLLS, Roll
from scoring.rules.endings import Ending, GameEnd
from scoring.rules.errors import InvalidNotation, ScoringError
from scoring.rules.events import (
    Accepted,
    Doubled,
    DoubleStatus,
    GameRecorded,
    LengthSet,
    MatchEnded,
    MatchStarted,
    NotRolled,
    OpeningRolled,
    Passed,
    PenaltyGiven,
    Played,
    PlayStatus,
    PositionSet,
    RefusedResignation,
    Resigned,
    Resumed,
    Rolled,
    Ruled,
    ScoreRecorded,
    Suspended,
    Taken,
    Voided,
    VoidRoll,
)
from scoring.rules.match import Win
from scoring.rules.options import MovesPolicy, PrematureRoll, RuleOptions
from scoring.rules.plays import Move
from scoring.rules.position import STARTING_POSITION, Position
from scoring.rules.sheet import replay
from scoring.rules.sides import Side
from tests.scoring.rules.sheets import BLACK, WHITE
from tests.scoring.rules.test_any_match import AnyMatch
from tests.tiers import sized

NAMES = ("Ana", "Jon")
OPENING = (OpeningRolled(3, 1), Played((Move(8, 5), Move(6, 5))))
SHUT = Position.from_points({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2) | {13: 3})
LAST = Position.from_points({1: 1}, {1: 1, 13: 1})
FREE = RuleOptions(
    moves_policy=MovesPolicy.RESPONSIBLE, premature_roll=PrematureRoll.VOID, holland=True, automatic_doubles=2
)
ILLEGAL = (Move(13, 8),)


def complete(events):
    return write_mat(NAMES, events, complete=True)


def again(events):
    return read_mat(complete(events).encode())


def match(*events, length=5, options=FREE):
    return [MatchStarted(length, options), *events]


SHEETS = {
    "nothing": match(),
    "Black starts": match(OpeningRolled(1, 3), OPENING[1], Rolled(Roll(6, 4))),
    "options": match(options=RuleOptions(holland=True, max_cube=64, penalty_majority=True)),
    "handicap": [MatchStarted(5, white=2, black=1), *OPENING],
    "tie": match(OpeningRolled(2, 2), *OPENING, length=0),
    "void roll": match(*OPENING, Rolled(Roll(6, 6), VoidRoll.COCKED), Rolled(Roll(6, 4))),
    "void roll after the roll": match(*OPENING, Rolled(Roll(6, 4)), Rolled(Roll(6, 6), VoidRoll.PREMATURE)),
    "void double after the roll": match(
        *OPENING, Rolled(Roll(6, 4)), Doubled(DoubleStatus.VOID_AFTER_ROLL), Played((Move(24, 14),))
    ),
    "corrected play": match(
        OpeningRolled(3, 1), Played(ILLEGAL, PlayStatus.ILLEGAL_CORRECTED), OPENING[1], Rolled(Roll(6, 4))
    ),
    "accepted play": match(
        OpeningRolled(3, 1), Played(ILLEGAL, PlayStatus.ILLEGAL_ACCEPTED, accepted_by=BLACK), Doubled()
    ),
    "play by its result": match(
        OpeningRolled(3, 1), Played((Move(24, 20),), PlayStatus.ILLEGAL_ACCEPTED, SHUT.flipped())
    ),
    "ruling between a double and its answer": match(
        *OPENING, Doubled(), Ruled("d", "take; or pass"), Taken()
    ),
    "ruling after the answer's game": match(*OPENING, Doubled(), Passed(), Ruled("d", "ñ \u2028 \n end")),
    "refused resignation": match(*OPENING, Resigned(BLACK, Win.GAMMON), RefusedResignation(), Doubled()),
    "refused after rolling": match(
        OpeningRolled(3, 1), Resigned(BLACK, Win.SINGLE), RefusedResignation(), OPENING[1]
    ),
    "accepted at once": match(*OPENING, Resigned(BLACK, Win.GAMMON), Accepted()),
    "accepted with the dice on the board": match(
        OpeningRolled(3, 1), Resigned(WHITE, Win.GAMMON), Accepted()
    ),
    "resigned to the roller": match(OpeningRolled(3, 1), Resigned(BLACK, Win.GAMMON), Accepted()),
    "accepted after a ruling": match(*OPENING, Resigned(WHITE, Win.SINGLE), Ruled("d", "x"), Accepted()),
    "still offered": match(*OPENING, Resigned(WHITE, Win.SINGLE)),
    "closed out": match(
        *OPENING, PositionSet(SHUT.flipped(), "to see"), NotRolled(), Suspended(10, 20), Resumed(10, 20)
    ),
    "recorded game": match(GameRecorded(BLACK, Win.SINGLE, 2, GameEnd.PASS), *OPENING),
    "rest of a game": match(
        *OPENING, Rolled(Roll(6, 4)), GameRecorded(WHITE, Win.GAMMON, 1, GameEnd.BORNE_OFF)
    ),
    "rest of a game before its roll": match(
        *OPENING, GameRecorded(WHITE, Win.SINGLE, 2, GameEnd.RESIGNATION)
    ),
    "won match": match(GameRecorded(BLACK, Win.BACKGAMMON, 2, GameEnd.BORNE_OFF)),
    "final score": match(ScoreRecorded(5, 3)),
    "penalty before the match": match(PenaltyGiven(WHITE, 1, "late"), *OPENING),
    "penalty in a game": match(*OPENING, PenaltyGiven(WHITE, 1), Rolled(Roll(6, 4)), Played((Move(24, 14),))),
    "penalty between games": match(
        GameRecorded(BLACK, Win.SINGLE, 1, GameEnd.BORNE_OFF), PenaltyGiven(WHITE, 1), *OPENING
    ),
    "penalty to the end": match(PenaltyGiven(WHITE, 5), Voided("not so")),
    "retired with dice on the board": match(*OPENING, Rolled(Roll(6, 4)), MatchEnded(Ending.RETIRED, WHITE)),
    "length": match(
        GameRecorded(BLACK, Win.GAMMON, 1, GameEnd.BORNE_OFF),
        LengthSet(2, "d", "too long"),
        Ruled("d", "so be it"),
    ),
    "length in a game": match(*OPENING, Rolled(Roll(6, 4)), LengthSet(7, "d", "too short"), Suspended()),
    "position before the first roll": match(
        PositionSet(STARTING_POSITION, "as it is", on_roll=BLACK, cube=Cube(2, BLACK)), Rolled(Roll(6, 4))
    ),
    "position with dice on the board": match(
        *OPENING, Rolled(Roll(6, 4)), PositionSet(SHUT, "wrong", on_roll=WHITE), Rolled(Roll(6, 1)), Played()
    ),
    "last roll with one play": match(PositionSet(LAST, "as it is", on_roll=WHITE), Rolled(Roll(1, 1))),
    "last roll with one play, played": match(
        PositionSet(LAST, "as it is", on_roll=WHITE), Rolled(Roll(1, 1)), Played((Move(1, 0),))
    ),
    "last roll with no play": match(PositionSet(SHUT, "as it is", on_roll=WHITE), Rolled(Roll(1, 1))),
    "last roll with no play, played": match(
        PositionSet(SHUT, "as it is", on_roll=WHITE), Rolled(Roll(1, 1)), Played()
    ),
    "money that is not closed": match(GameRecorded(BLACK, Win.SINGLE, 2, GameEnd.PASS), length=0),
    "money that is closed": match(
        GameRecorded(BLACK, Win.SINGLE, 2, GameEnd.PASS), MatchEnded(Ending.AGREED), length=0
    ),
}


@pytest.mark.parametrize("events", SHEETS.values(), ids=SHEETS)
def test_a_complete_record_is_read_back_as_the_same_state(events):
    record = again(events)
    assert record.state == replay(events)
    assert complete(record.events) == complete(events)
    assert len(record.lines) == len(record.events)


@pytest.mark.parametrize("name", ["tie", "refused after rolling", "accepted play", "penalty between games"])
def test_other_programs_pass_over_the_remarks(name):
    events = SHEETS[name]
    mat_to_ogxm(complete(events))


@pytest.mark.parametrize("winner", [WHITE, BLACK])
@pytest.mark.parametrize(
    "end",
    [
        lambda winner: (Resigned(winner.other, Win.GAMMON), Accepted()),
        lambda winner: (GameRecorded(winner, Win.GAMMON, 1, GameEnd.BORNE_OFF),),
    ],
)
@pytest.mark.parametrize("start", [(OpeningRolled(3, 1),), (*OPENING, Rolled(Roll(6, 4)))])
def test_a_game_that_ends_with_dice_on_the_board_is_read_without_remarks_too(winner, end, start):
    events = match(*start, *end(winner), options=RuleOptions())
    state = read_mat(write_mat(NAMES, events).encode()).state
    assert [(line.outcome.winner, line.outcome.points) for line in state.games] == [(winner, 2)]


def test_a_game_of_which_nothing_can_be_said_is_not_begun():
    events = match(GameRecorded(BLACK, Win.SINGLE, 1, GameEnd.BORNE_OFF), OpeningRolled(2, 2), length=0)
    assert " Game 2" not in write_mat(NAMES, events)
    assert again(events).state == replay(events)


def test_words_stay_out_unless_they_are_asked_for():
    events = match(*OPENING, Ruled("director", "Jon was warned"))
    assert "warned" not in write_mat(NAMES, events)
    assert "warned" in complete(events)


HEAD = " 5 point match\n\n Game 1\n Ana : 0                         Jon : 0\n"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (HEAD + "; Midpoint: penalty {}\n", 5, "the field 'to' is missing"),
        (HEAD + "; Midpoint: shout {}\n", 5, "no event of the kind 'shout'"),
        (HEAD + "; Midpoint: ruling {\n", 5, "is not an event"),
        (HEAD + "; Midpoint: ruling " + "[" * 9999 + "\n", 5, "is not an event"),
        (HEAD + "; Midpoint: take {}\n", 5, "a take is not possible now"),
        (HEAD + '; Midpoint after the roll: voided {}\n', 5, "is not allowed here"),
        ("; Midpoint: voided {}\n" + HEAD, 1, "is not allowed here"),
        (HEAD.replace("\n\n", "\n; Midpoint: voided {}\n"), 2, "is not allowed here"),
        ('; Midpoint: match_start {"length": 7}\n' + HEAD, 2, "does not start as its remark says"),
    ],
)  # fmt: skip
def test_a_remark_that_cannot_be_is_refused_by_its_line(text, line, reason):
    with pytest.raises(InvalidNotation, match=reason) as caught:
        read_mat(text.encode())
    assert caught.value.line == line


def test_other_comments_are_no_remarks():
    assert read_remark("; played on board 7", 1) is None
    assert read_remark(remark(Voided(), rolled=True), 3) == (3, Voided(), True)
    assert read_mat((HEAD + "; a comment\n  1) 31: 8/5 6/5\n").encode()).state.events == 3


def test_a_roll_that_waits_is_the_last_thing_that_stands():
    text = complete(match(*OPENING)) + NOT_PLAYED
    with pytest.raises(InvalidNotation, match="there is no roll to play here"):
        read_mat(text.encode())


class AnyRecord(AnyMatch):
    """Any match, with what its own machine leaves out, written and read back at its end."""

    @precondition(lambda self: hasattr(self, "states"))
    @rule(
        dice=st.sampled_from(ALL_ROLLS),
        reason=st.sampled_from([VoidRoll.COCKED, VoidRoll.DIE_ON_CHECKER]),
        status=st.sampled_from(DoubleStatus),
    )
    def something_void(self, dice: Roll, reason: VoidRoll, status: DoubleStatus) -> None:
        for event in (Rolled(dice, reason), Doubled(status)):
            try:
                self.happen(event)
            except ScoringError:
                continue

    @precondition(lambda self: self.offers("match_end") and len(self.events) > 30)
    @rule(winner=st.sampled_from(Side))
    def end_by_time(self, winner: Side) -> None:
        if not self.state.score.is_money:
            self.happen(MatchEnded(Ending.TIME, winner))

    def teardown(self) -> None:
        if hasattr(self, "states"):
            assert again(self.events).state == self.state


TestAnyRecord = AnyRecord.TestCase
TestAnyRecord.settings = settings(
    max_examples=sized(13, 40),
    stateful_step_count=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
