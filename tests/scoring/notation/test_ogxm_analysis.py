"""What an OGXM file says of a match's decisions is read with them; what cannot be is left out and counted."""

import json
from typing import Any

import pytest

from scoring.notation.annotations import Annotation, Annotations, Five, Option, Program
from scoring.notation.formats import FileFormat, annotations_in, read_match
from scoring.notation.ogxm import ogxm_document
from scoring.notation.ogxm_analysis import put_back_errors
from scoring.rules.dice import Roll
from scoring.rules.errors import InvalidNotation
from scoring.rules.events import Doubled, Played, Resigned, Rolled, Taken
from scoring.rules.match import Win
from scoring.rules.plays import Move
from scoring.rules.sides import Side
from tests.scoring.notation.test_complete_records import NAMES, OPENING, match

LABEL = "gnubg 1.08.003 plain Kazaross-XG2"
RESIGNED = Resigned(Side.WHITE, Win.SINGLE)
EVENTS = match(*OPENING, Doubled(), Taken(), Rolled(Roll(6, 4)), Played((Move(24, 14),)), RESIGNED)
CHANCES = {"win": 0.55, "gammon_win": 0.15, "bg_win": 0.01, "gammon_loss": 0.12, "bg_loss": 0.005}
FIVE = (0.55, 0.15, 0.01, 0.12, 0.005)
CUBE = {"no_double_equity": -0.1, "double_take_equity": -0.35, "double_pass_equity": 1.0}
# Seen by the mover: after White's 8/5 and 6/5 or 24/23 and 13/10, and Black's board before and after 24/14.
START, MADE, SPLIT = "-b----E-C---eE---c-e----B-", "-b---BD-B---eE---c-e----B-", "-b----E-C-A-eD---c-e---AA-"
FACED, RAN = "-b----E-C---eE---b-db---B-", "-b----E-C---eEA--b-db---A-"


def read(*analyses: Any, info: Any = None) -> Annotations | None:
    """What is read of a file with these analyses of its opening play, double, take and reply."""
    document = ogxm_document(NAMES, EVENTS, {})
    for ply, analysis in zip(document["games"][0]["plies"], analyses, strict=False):
        if analysis is not None:
            ply["analysis"] = analysis
    document["analysis_info"] = {"model_id": LABEL, "eval_level": "2ply"} if info is None else info
    data = json.dumps(document).encode()
    found = read_match(data, document_of=plain).annotations
    assert annotations_in(data, document_of=plain) == found
    return found


def plain(_format: FileFormat, content: bytes) -> dict[str, Any]:
    """The document as it is: gammonview's reader would refuse the damaged ones as a whole."""
    found: dict[str, Any] = json.loads(content)
    return found


def play(equity: Any, *steps: tuple[int, int], **more: Any) -> dict[str, Any]:
    return {"equity": equity, "move": [{"from": start, "pips": pips} for start, pips in steps], **more}


def cube(chances: Five | None) -> tuple[Option, ...]:
    equities = {"no double": -0.1, "double/take": -0.35, "double/pass": 1.0}
    return tuple(Option(action, equity, chances, "2-ply") for action, equity in equities.items())


def test_plays_cubes_and_luck_are_read_for_the_player_who_decides() -> None:
    opening = [
        play(0.159, (17, 3), (19, 1), eval=CHANCES),
        play(-0.0104, (12, 3), (1, 1), eval_level="rollout"),
    ]
    reply = {"alternatives": [play(-0.2, (24, 6), (18, 4))], "cube_decision": CUBE, "luck": -0.05}
    found = read({"alternatives": opening}, CUBE | {"eval": CHANCES}, CUBE, reply)
    # The answer to a double has no moment of its own: it is judged by the double's three equities.
    assert found == Annotations(
        Program.STATED,
        (
            Annotation(
                1,
                START,
                (3, 1),
                (
                    Option("8/5 6/5", 0.159, FIVE, "2-ply", MADE),
                    Option("24/23 13/10", -0.0104, None, "rollout", SPLIT),
                ),
            ),
            Annotation(1, FACED, None, cube(FIVE)),
            Annotation(1, FACED, None, cube(None)),
            Annotation(1, FACED, (6, 4), (Option("24/14", -0.2, None, "2-ply", RAN),), luck=-0.05),
        ),
        stated=LABEL,
    )


def test_a_double_that_was_missed_is_read_before_the_roll() -> None:
    found = read(None, None, None, {"missed_double": CUBE, "luck": 0.3})
    assert found is not None
    assert found.moments == (Annotation(1, FACED, None, cube(None)),)


@pytest.mark.parametrize(
    ("opening", "double", "damaged"),
    [
        (None, None, 0),
        ({"luck": 0.1}, {"correct_action": "double"}, 0),
        ({"alternatives": "8/5 6/5"}, None, 0),
        ({"alternatives": [play("much", (17, 3), (19, 1))]}, CUBE | {"double_pass_equity": "x"}, 2),
        ({"alternatives": [play(1e9, (17, 3), (19, 1))]}, {"no_double_equity": 0.1}, 2),
        ({"alternatives": [play(0.1, (17, 3), (19, 1), rollout_se=1e9)]}, CUBE | {"rollout_se": -0.1}, 2),
        ({"alternatives": [play(0.1, (3, 3), (19, 1))]}, CUBE | {"eval": CHANCES | {"win": 1.5}}, 2),
        ({"alternatives": [{"equity": 0.1, "move": [{"pips": 3}]}]}, CUBE | {"eval": {"win": 0.5}}, 2),
    ],
)
def test_what_cannot_be_read_is_left_out_and_counted(opening: Any, double: Any, damaged: int) -> None:
    found = read(opening, double)
    assert found == Annotations(Program.STATED, damaged=damaged, stated=LABEL)


@pytest.mark.parametrize("info", [[], LABEL, 2])
def test_a_file_that_does_not_say_who_analysed_has_no_analysis(info: Any) -> None:
    assert read({"alternatives": [play(0.1, (17, 3), (19, 1))]}, info=info) is None


SOUND = {"alternatives": [play(0.159, (17, 3), (19, 1), eval=CHANCES)], "luck": 0.1}


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("luck", "much", 'luck is "much"'),
        ("luck", None, "luck is null"),
        ("luck", float("nan"), "luck is NaN"),
        ("equity_loss", float("inf"), "equity_loss is Infinity"),
        ("ply", "2ply", 'ply is "2ply"'),
        ("alternatives", "8/5 6/5", 'alternatives is "8/5 6/5"'),
        ("alternatives.1", 3, "alternatives.1 is 3"),
        ("alternatives.1.equity", "0,159", 'alternatives.1.equity is "0,159"'),
        ("alternatives.1.equity", [0.1], "alternatives.1.equity is [0.1]"),
        ("alternatives.1.eval", None, "alternatives.1.eval is null"),
        ("alternatives.1.eval.win", "x" * 90, f'alternatives.1.eval.win is "{"x" * 39}'),
        ("alternatives.1.move", 7, "alternatives.1.move is 7"),
        ("alternatives.1.eval_level", 2, "alternatives.1.eval_level is 2"),
        ("alternatives.1.rollout_se", {}, "alternatives.1.rollout_se is {}"),
    ],
)
def test_one_damaged_value_costs_one_decision_and_is_named(path: str, value: Any, reason: str) -> None:
    document = ogxm_document(NAMES, EVENTS, {})
    document["analysis_info"] = {"model_id": LABEL, "eval_level": "2ply"}
    plies = document["games"][0]["plies"]
    plies[0]["analysis"] = json.loads(json.dumps(SOUND))
    plies[1]["analysis"] = CUBE
    at: Any = plies[0]["analysis"]
    *way, last = [int(each) - 1 if each.isdigit() else each for each in path.split(".")]
    for each in way:
        at = at[each]
    at[last] = value
    record = read_match(json.dumps(document).encode())
    assert record.events == read_match(json.dumps(ogxm_document(NAMES, EVENTS, {})).encode()).events
    (flag,) = [each for each in record.flags if each.code == "analysis_value"]
    assert (flag.game, flag.detail) == (1, reason)
    played = next(n for n, event in enumerate(record.events) if isinstance(event, Played))
    assert flag.line == record.lines[played]
    assert record.annotations is not None
    assert [moment.dice for moment in record.annotations.moments] == [None]


def test_many_damaged_values_are_counted_and_a_damaged_head_costs_the_whole_analysis() -> None:
    document = ogxm_document(NAMES, EVENTS, {})
    document["analysis_info"] = {"model_id": LABEL, "eval_level": "2ply"}
    for ply in document["games"][0]["plies"][:4]:
        ply["analysis"] = {"luck": "x"}
    again = document | {"games": document["games"] * 2}
    record = read_match(json.dumps(again).encode())
    said = [(each.code, each.game, each.detail) for each in record.flags if each.code.startswith("analysis")]
    assert said == [
        *(("analysis_value", 1 + n // 4, 'luck is "x"') for n in range(5)),
        ("analysis_damaged", 0, "3"),
    ]
    assert record.annotations == Annotations(Program.STATED, stated=LABEL)
    document["analysis_info"]["ply"] = "x"
    record = read_match(json.dumps(document).encode())
    (flag,) = [each for each in record.flags if each.code == "analysis_refused"]
    assert "'x'" in flag.detail
    assert record.annotations is None
    document["games"][0]["plies"].insert(0, "x")
    with pytest.raises(InvalidNotation, match="damaged"):
        read_match(json.dumps(document).encode())


def test_each_turn_is_finished_in_its_own_ply() -> None:
    document = ogxm_document(NAMES, EVENTS, {}, finish=lambda step, ply: ply.update(turn=step.event))
    finished = [ply["turn"] for ply in document["games"][0]["plies"] if "turn" in ply]
    assert finished == [event for event in EVENTS if isinstance(event, Played | Doubled | Taken)]


def test_standard_errors_are_put_back_where_the_other_form_of_the_document_has_their_place() -> None:
    rolled_out = {
        "rollout_se": 0.1,
        "alternatives": [{"rollout_se": 0.2}, {}],
        "cube_decision": {"rollout_se": 0.3},
    }
    fewer = {"alternatives": [{"rollout_se": 0.4}]}
    document = {"games": [{"plies": [{"analysis": rolled_out}, {"analysis": fewer}, {}]}]}
    told: list[dict[str, Any]] = [
        {"analysis": {"alternatives": [{}, {}], "missed_double": {}}},
        {"analysis": {"alternatives": [{}, {}]}},
        {"analysis": {}},
    ]
    put_back_errors(document, {"games": [{"plies": told}]})
    assert told == [
        {
            "analysis": {
                "rollout_se": 0.1,
                "alternatives": [{"rollout_se": 0.2}, {}],
                "missed_double": {"rollout_se": 0.3},
            }
        },
        {"analysis": {"alternatives": [{}, {}]}},
        {"analysis": {}},
    ]
