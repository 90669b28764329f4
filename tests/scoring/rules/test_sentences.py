"""Every refusal of the rules, whole: its class, its code, and the sentence that a reader sees.

The code is what an interface translates by and a caller branches on; the sentence names the value.  A new
refusal gets a row.
"""

import ast
from dataclasses import replace
from pathlib import Path

import pytest

from scoring.rules import errors
from scoring.rules.chouette.costs import CubeResult, Payment, Seating, settle_game
from scoring.rules.chouette.options import ChouetteOptions
from scoring.rules.codec import canonical_bytes
from scoring.rules.cube import Cube
from scoring.rules.dice import Roll
from scoring.rules.endings import Ending, GameEnd
from scoring.rules.errors import IllegalAction, IllegalPlay, InvalidNotation, InvalidValue, ScoringError
from scoring.rules.events import (
    Accepted,
    Beavered,
    Doubled,
    DoubleStatus,
    LengthSet,
    MatchEnded,
    OpeningRolled,
    PenaltyGiven,
    Played,
    PlayStatus,
    PositionSet,
    Raccooned,
    Resigned,
    Resumed,
    Rolled,
    ScoreRecorded,
    Suspended,
    Taken,
    VoidRoll,
    event_from_plain,
)
from scoring.rules.match import MatchScore, Win
from scoring.rules.options import DieOnChecker, RuleOptions
from scoring.rules.plays import Move, mechanical_result
from scoring.rules.position import STARTING_POSITION, Position
from scoring.rules.profiles import ClockTerms, Profile
from scoring.rules.sheet import apply, replay, why_not
from tests.scoring.rules.chouette.sentences import CHOUETTE_SENTENCES
from tests.scoring.rules.sheets import (
    BACKGAMMON,
    BLACK,
    GAMMON,
    SINGLE,
    WHITE,
    after,
    board,
    game,
    rolled,
    started,
    white_to_roll,
)

RULES = Path(errors.__file__).parent
START = STARTING_POSITION.key
COUNTS = STARTING_POSITION.own
CREW = ("cap", "two")
TABLE = Seating("box", CREW)
STAKES = {"box": 1, "cap": 1, "two": 1, "mate": 1}


def cube_result(player, *, win=Win.SINGLE, ended=GameEnd.BORNE_OFF, box_won=True):
    return CubeResult(player, box_won=box_won, win=win, cube=1, ended=ended, cube_turned=True)


def settled(results=None, stakes=STAKES, seating=TABLE, payments=(), **options):
    results = [cube_result(player) for player in CREW] if results is None else results
    return lambda: settle_game(
        seating, results, stakes, options=ChouetteOptions(**options), payments=payments
    )


def does(state, event):
    return lambda: apply(state, event)


def refuses(state, kind):
    """What :func:`why_not` returns, raised."""

    def ask():
        refused = why_not(state, kind)
        assert refused is not None
        raise refused

    return ask


OPENED = after(started(), OpeningRolled(3, 1))
TURN = white_to_roll(started())
MONEY = white_to_roll(started(0))
ILLEGAL = (Move(13, 8),)
FEWER = Position((0,) * 6 + (14,) + (0,) * 19, STARTING_POSITION.opponent, irregular=True)
CRAWFORD = started(3, white=2)
ON_CHECKER = Rolled(Roll(3, 1), VoidRoll.DIE_ON_CHECKER)

SENTENCES = [
    # dice, cube, positions
    (lambda: Roll(7, 1), InvalidValue, "die", "a die shows 1 to 6, not 7"),
    (lambda: Roll(0, 1), InvalidValue, "die", "a die shows 1 to 6, not 0"),
    (lambda: Roll.parse("3x"), InvalidNotation, "roll", "'3x' is not a roll: 'x' is not a die"),
    (lambda: Roll.parse("3"), InvalidNotation, "roll_length", "'3' is not a roll: two dice are needed"),
    (lambda: Cube(3), InvalidValue, "cube", "a cube cannot show 3: a power of two is needed"),
    (lambda: Cube(1, WHITE), InvalidValue, "cube_owned", "a cube owned by white cannot be at 1"),
    (
        lambda: RuleOptions(max_cube=3),
        InvalidValue, "max_cube", "the highest cube cannot be 3: a power of two is needed",
    ),
    (
        lambda: RuleOptions(automatic_doubles=-1),
        InvalidValue, "automatic_doubles", "-1 is not a number of automatic doubles",
    ),
    (
        lambda: Position((17, *[0] * 25), COUNTS),
        InvalidValue, "checkers", "own: 17 checkers instead of 15",
    ),
    (
        lambda: Position((16, -1, *[0] * 24), COUNTS),
        InvalidValue, "count", "own: slot 1 cannot hold -1 checkers",
    ),
    (
        lambda: Position(COUNTS, (15,)),
        InvalidValue, "slots", "opponent: 26 counts are needed (off, 24 points, bar), not (15,)",
    ),
    (
        lambda: Position.from_points({6: 2}, {19: 3}),
        InvalidValue, "shared_point", "both sides have checkers on the 6 point: 2 and 3",
    ),
    (lambda: Position.from_points({26: 1}), InvalidValue, "slot", "own: there is no slot 26"),
    (lambda: Position.from_packed(-1), InvalidValue, "packed", "-1 is not a packed position"),
    (
        lambda: Position.from_key("x"),
        InvalidNotation, "position_key_length", "a position key has 26 characters, 'x' has 1",
    ),
    (
        lambda: Position.from_key("?" + START[1:]),
        InvalidNotation, "position_key",
        f"character 0 of the position key '?{START[1:]}' cannot be '?'",
    ),
    # plays
    (
        lambda: mechanical_result(STARTING_POSITION, [(12, 8)]),
        IllegalPlay, "no_checker", "12/8: there is no checker to move",
    ),
    (
        lambda: mechanical_result(STARTING_POSITION, [(24, 19)]),
        IllegalPlay, "blocked", "24/19: the opponent holds the 19 point",
    ),
    # a game
    (
        does(OPENED, Played((Move(8, 5), Move(6, 5)), result=STARTING_POSITION)),
        IllegalPlay, "other_result",
        f"these moves lead to -b---BD-B---eE---c-e----B-, not to {START}",
    ),
    (
        does(OPENED, Played(ILLEGAL, PlayStatus.ILLEGAL_ACCEPTED, FEWER)),
        IllegalPlay, "checkers_changed", f"{FEWER} lost or gained a checker",
    ),
    (
        does(OPENED, Played((Move(8, 5), Move(6, 5)), PlayStatus.ILLEGAL_CORRECTED)),
        IllegalAction, "play_is_legal", "a legal play cannot be illegal_corrected",
    ),
    (
        does(OPENED, Played(ILLEGAL, PlayStatus.INCOMPLETE_ACCEPTED)),
        IllegalAction, "play_is_not_incomplete", "the play is illegal, not only incomplete",
    ),
    (
        does(OPENED, Played(ILLEGAL, PlayStatus.ILLEGAL_ACCEPTED, accepted_by=WHITE)),
        IllegalAction, "accepted_by_mover", "white cannot accept their own play",
    ),
    (
        does(OPENED, Played(ILLEGAL, PlayStatus.ILLEGAL_ACCEPTED, accepted_by=BLACK)),
        IllegalAction, "must_be_corrected", "an illegal play that is noticed must be corrected here",
    ),
    (
        does(after(TURN, Doubled()), Rolled(Roll(3, 1), VoidRoll.COCKED)),
        IllegalAction, "not_now", "a roll is not possible now: black must answer the double",
    ),
    (
        does(TURN, Rolled(Roll(3, 1), VoidRoll.PREMATURE)),
        IllegalAction, "premature_stands", "a premature roll stands under these rules",
    ),
    (
        does(white_to_roll(started(die_on_checker=DieOnChecker.VALID)), ON_CHECKER),
        IllegalAction, "die_valid", "a die on a checker is valid under these rules",
    ),
    (
        does(started(), Doubled(DoubleStatus.VOID_PREMATURE)),
        IllegalAction, "not_now", "a double is not possible now: the opening roll comes next",
    ),
    (
        does(TURN, Doubled(DoubleStatus.VOID_PREMATURE)),
        IllegalAction, "premature_stands", "a premature double stands under these rules",
    ),
    (
        does(TURN, Doubled(DoubleStatus.VOID_CRAWFORD)),
        IllegalAction, "not_void", "the double is not void_crawford",
    ),
    (
        does(MONEY, Resigned(WHITE, GAMMON)),
        IllegalAction, "jacoby", "a gammon does not count before the cube is turned (Jacoby)",
    ),
    (
        does(started(0), game(WHITE, BACKGAMMON)),
        IllegalAction, "jacoby", "a backgammon does not count before the cube is turned (Jacoby)",
    ),
    (
        does(CRAWFORD, game(BLACK, SINGLE, 2)),
        IllegalAction, "crawford", "this game has no cube: it cannot be at 2",
    ),
    (
        does(started(cube=False), game(BLACK, SINGLE, 2)),
        IllegalAction, "no_cube", "this game has no cube: it cannot be at 2",
    ),
    (
        does(after(TURN, Doubled(), Taken()), game(BLACK)),
        IllegalAction, "cube_fell", "the cube is already at 2, not 1",
    ),
    (
        does(started(), game(BLACK, GAMMON, ended=GameEnd.PASS)),
        IllegalAction, "pass_is_single", "a pass is a single game, not a gammon",
    ),
    (
        does(started(), PositionSet(STARTING_POSITION, " ")),
        InvalidValue, "reason", "a new position needs a reason",
    ),
    (
        does(CRAWFORD, board({6: 15}, {6: 15}, cube=Cube(2))),
        IllegalAction, "crawford", "this game has no cube: it cannot be at 2",
    ),
    (
        does(started(), board({}, {6: 15})),
        IllegalAction, "position_over", "a position with all checkers borne off cannot be set",
    ),
    (
        lambda: started().game.player,
        IllegalAction, "not_started", "no player is on roll before the opening roll",
    ),
    # the cube
    (refuses(OPENED, "double"), IllegalAction, "after_roll", "no double after rolling: the roll is 31"),
    (
        refuses(white_to_roll(started(cube=False)), "double"),
        IllegalAction, "no_cube", "this game is played without the cube",
    ),
    (refuses(white_to_roll(CRAWFORD), "double"), IllegalAction, "crawford", "no double in the Crawford game"),
    (
        refuses(white_to_roll(after(started(3, white=2, holland=True), game(BLACK))), "double"),
        IllegalAction, "holland",
        "no double until both players have rolled twice after Crawford: 0 and 1 rolls",
    ),
    (
        refuses(rolled(rolled(after(TURN, Doubled(), Taken()), "61"), "61"), "double"),
        IllegalAction, "not_owner", "black owns the cube",
    ),
    (
        refuses(white_to_roll(started(max_cube=1)), "double"),
        IllegalAction, "max_cube", "the cube limit is 1, not 2",
    ),
    (
        refuses(white_to_roll(started(3, white=2, crawford=False, forbid_dead_cube=True)), "double"),
        IllegalAction, "dead_cube", "a double at 2-0 can only help the opponent",
    ),
    (
        refuses(after(TURN, Doubled()), "beaver"),
        IllegalAction, "no_beavers", "beavers are not allowed under these rules",
    ),
    (
        refuses(after(white_to_roll(started(0, raccoons=False)), Doubled(), Beavered()), "raccoon"),
        IllegalAction, "no_raccoons", "raccoons are not allowed under these rules",
    ),
    (
        refuses(after(white_to_roll(started(0, max_cube=4)), Doubled(), Beavered()), "raccoon"),
        IllegalAction, "max_cube", "the cube limit is 4, not 8",
    ),
    (
        refuses(after(MONEY, Doubled(), Beavered(), Raccooned()), "raccoon"),
        IllegalAction, "not_now", "a raccoon is not possible now: black must answer the raccoon",
    ),
    (refuses(TURN, "no_roll"), IllegalAction, "not_closed_out", "white is not closed out and must roll"),
    (
        refuses(after(TURN, Resigned(WHITE, SINGLE)), "roll"),
        IllegalAction, "not_now", "a roll is not possible now: black must answer the resignation",
    ),
    # the score
    (lambda: MatchScore(-1), InvalidValue, "length", "a match cannot be to -1 points"),
    (lambda: MatchScore(5, -1), InvalidValue, "points", "white cannot have -1 points"),
    (
        lambda: MatchScore(5, 5, 6),
        InvalidValue, "two_winners", "5-6 is not a score in a match to 5: both players would have won",
    ),
    (
        lambda: MatchScore.start(5, black=5),
        InvalidValue, "start_points", "black cannot start a match to 5 with 5 points",
    ),
    (lambda: MatchScore(0).away(WHITE), InvalidValue, "money_away", "a money session has no away score"),
    (
        lambda: MatchScore(1, 1).after(WHITE, SINGLE, 1),
        InvalidValue, "match_over", "the match is over: white has won",
    ),
    (
        lambda: MatchScore.start(3, white=2).after(BLACK, SINGLE, 2),
        InvalidValue, "crawford_cube", "the Crawford game has no cube: it cannot be at 2",
    ),
    (does(started(), PenaltyGiven(WHITE, 0)), InvalidValue, "penalty", "0 is not a number of penalty points"),
    # the match
    (
        does(after(started(5), game(WHITE)), ScoreRecorded(0, 5)),
        InvalidValue, "final_points", "white cannot end with 0 points",
    ),
    (
        does(started(5), ScoreRecorded(5, True)),
        InvalidValue, "final_points", "black cannot end with True points",
    ),
    (
        does(started(5), ScoreRecorded(0, 6)),
        InvalidValue, "beyond_length", "black cannot end a match to 5 with 6 points",
    ),
    (does(started(5), ScoreRecorded(4, 3)), InvalidValue, "no_winner", "4-3 does not finish a match to 5"),
    (
        does(started(), MatchEnded(Ending.PLAYED, WHITE)),
        IllegalAction, "score_follows", "a win on points follows from the score and cannot be entered",
    ),
    (
        does(started(), MatchEnded(Ending.AGREED)),
        IllegalAction, "end_reason", "the outcome agreed is not possible in this match or session",
    ),
    (
        does(started(), MatchEnded(Ending.TIME)),
        InvalidValue, "end_winner", "the outcome time needs a winner",
    ),
    (
        does(started(), MatchEnded(Ending.VOID, WHITE)),
        InvalidValue, "end_winner", "the outcome void has no winner",
    ),
    (
        does(OPENED, MatchEnded(Ending.NO_SHOW, WHITE)),
        IllegalAction, "has_begun", "the outcome no_show is not possible: the match has started",
    ),
    (does(started(), Suspended(-1)), InvalidValue, "clock", "a clock cannot show -1 seconds"),
    (does(started(), Resumed()), IllegalAction, "not_suspended", "the match is not suspended"),
    (
        does(after(started(), Suspended()), OpeningRolled(3, 1)),
        IllegalAction, "match_suspended", "the match is suspended",
    ),
    (does(after(started(1), game(WHITE)), game(WHITE)), IllegalAction, "match_over", "the match is over"),
    (does(started(), LengthSet(0, "d", "x")), InvalidValue, "length", "a match cannot be to 0 points"),
    (
        does(started(), LengthSet(5, "d", " ")),
        InvalidValue, "reason", "a new length needs a reason",
    ),
    (does(started(0), LengthSet(5, "d", "x")), IllegalAction, "money", "a money session has no length"),
    (
        does(started(0), PenaltyGiven(WHITE, 1)),
        IllegalAction, "money", "there are no penalty points in a money session",
    ),
    (
        does(after(started(), MatchEnded(Ending.RETIRED, WHITE)), LengthSet(5, "d", "x")),
        IllegalAction, "ended_otherwise", "the match did not end on points: retired",
    ),
    (
        does(OPENED, ScoreRecorded(7, 0)),
        IllegalAction, "in_game", "a game is in progress: record its result first",
    ),
    (refuses(started(), "match_start"), IllegalAction, "started", "the match has started already"),
    (
        lambda: replay([Accepted()]),
        IllegalAction, "not_started",
        "a scoresheet begins with the start of the match, not with Accepted()",
    ),
    (
        lambda: why_not(started(), "shout"),
        InvalidValue, "event_kind", "there is no event of the kind 'shout'",
    ),
    # plain data
    (
        lambda: event_from_plain("shout", {}),
        InvalidValue, "event_kind", "there is no event of the kind 'shout'",
    ),
    (
        lambda: event_from_plain("roll", {"dice": 6}),
        InvalidValue, "plain_type", "roll.dice: 6 is not a list",
    ),
    (lambda: event_from_plain("roll", 6), InvalidValue, "plain_type", "roll: 6 is not an object"),  # type: ignore[arg-type]
    (
        lambda: event_from_plain("match_start", {"length": "7"}),
        InvalidValue, "plain_type", "match_start.length: '7' is not a int",
    ),
    (
        lambda: event_from_plain("roll", {"dice": [6]}),
        InvalidValue, "plain_length", "roll.dice: [6] does not have 2 items",
    ),
    (
        lambda: event_from_plain("resign", {"by": "red", "level": 1}),
        InvalidValue, "plain_choice", "resign.by: 'red' is not one of white, black",
    ),
    (
        lambda: event_from_plain("take", {"who": 1}),
        InvalidValue, "plain_unknown", "take: there is no field 'who'",
    ),
    (
        lambda: event_from_plain("roll", {}),
        InvalidValue, "plain_missing", "roll: the field 'dice' is missing",
    ),
    (
        lambda: event_from_plain("ruling", {"by": "x", "text": "a\0"}),
        InvalidValue, "text", "ruling.text: 'a\\x00' contains a character that cannot be stored",
    ),
    (lambda: canonical_bytes("\ud800"), InvalidValue, "text", "'\\ud800' contains half a character"),
    # chouette
    (
        lambda: Seating("box", ("cap",)),
        InvalidValue, "players", "a chouette needs at least 3 players, not 2",
    ),
    (
        lambda: Seating("box", ("cap",), "mate"),
        InvalidValue, "crew", "a crew needs at least 2 players, not 1",
    ),
    (
        lambda: Seating("box", ("cap", "box")),
        InvalidValue, "seated_twice", "box cannot sit in two seats",
    ),
    (
        settled([cube_result("cap"), replace(cube_result("two"), account="eve")]),
        InvalidValue, "cube_player", "eve is not at this table",
    ),
    (settled(stakes={"box": 1, "cap": -1}), InvalidValue, "stake", "cap cannot have a stake of -1 per point"),
    (
        settled([cube_result("cap")]),
        InvalidValue, "results", "each of cap, two needs one result, not ['cap']",
    ),
    (
        settled([cube_result("cap"), cube_result("two", win=Win.GAMMON, ended=GameEnd.PASS)]),
        InvalidValue, "pass", "a pass is a single game, not a gammon",
    ),
    (
        settled([cube_result("cap"), cube_result("two", box_won=False)], multi_cube=False),
        InvalidValue, "one_cube", "a crew with one cube has one result, not 2",
    ),
    (
        settled(payments=[Payment("cap", "eve", 1)]),
        InvalidValue, "payment_player", "eve is not at this table",
    ),
    (
        settled(payments=[Payment("cap", "cap", 1)]),
        InvalidValue, "payment_player", "cap cannot pay themselves",
    ),
    (settled(payments=[Payment("cap", "two", 0)]), InvalidValue, "payment", "0 points cannot be paid"),
    (
        lambda: Profile("club", "Club", objection_minutes=0),
        InvalidValue, "objection_minutes", "a dispute window must be 1 to 20160 minutes, not 0",
    ),
    (lambda: Profile("club", " "), InvalidValue, "profile_text", "' ' is not a valid title for a profile"),
    (
        lambda: Profile("club", "Club", source="x" * 1001),
        InvalidValue, "profile_source", "a profile's source has at most 1000 characters",
    ),
    (
        lambda: ClockTerms(120, -1),
        InvalidValue, "clock", "a clock's delay is 0 to 600 seconds, not -1",
    ),
    *CHOUETTE_SENTENCES,
]  # fmt: skip


@pytest.mark.parametrize(("attempt", "kind", "code", "text"), SENTENCES)
def test_a_refusal_has_its_class_its_code_and_its_sentence(attempt, kind, code, text):
    with pytest.raises(ScoringError) as caught:
        attempt()
    error = caught.value
    assert (type(error), error.code, str(error)) == (kind, code, text)
    assert error.template.format(**error.parameters) == text


def raised_codes(source):
    """The codes that a module's source gives to errors, literal ones."""
    kinds = {"InvalidValue", "InvalidNotation", "IllegalPlay", "IllegalAction"}
    return {
        (node.func.id, node.args[0].value)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in kinds
        and isinstance(node.args[0], ast.Constant)
    }


def test_no_refusal_of_the_rules_is_missing_here():
    explained = {path for path in RULES.rglob("*.py") if path.name not in {"errors.py", "explain.py"}}
    codes = set().union(*(raised_codes(path.read_text()) for path in explained))
    assert len(codes) > 60
    assert codes == {(kind.__name__, code) for _, kind, code, _ in SENTENCES} - {
        # two guards build their codes from the state: match_over, match_suspended; one from the options
        ("IllegalAction", "match_over"),
        ("IllegalAction", "match_suspended"),
    }
