"""What waits for the director, and in which order."""

from dataclasses import replace

import pytest

from tournaments.core.play.next_steps import EventState, NextStep, StageState, StepKind, next_steps

GROUP = StageState("A", "F", planned=True, entrants=6)
JACKPOT = StageState("J", "G", planned=True, fills=True, entrants=3)
CUP = StageState("C", "F", planned=True, fed=True, complete=False)


def kinds(**state):
    return [(step.kind.value, step.subject) for step in next_steps(EventState(**state))]


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ({"stages": [StageState("A", "F", planned=True, entrants=1)]}, [("enter_players", "F")]),
        ({"stages": [StageState("A", "F", planned=True, fills=True)]}, []),
        ({"stages": [JACKPOT]}, [("draw_unfilled", "J")]),
        ({"stages": [JACKPOT], "early": True}, [("enter_players", "")]),
        ({"stages": [StageState("A", "F"), JACKPOT], "to_call": 1}, [("call_matches", "")]),
        (
            {"stages": [StageState("A", "F", over=True), JACKPOT], "late": ["m1"], "to_approve": ["F"]},
            [
                ("decide_absence", "m1"),
                ("draw_unfilled", "J"),
                ("cancel_division", "G"),
                ("approve_prizes", "F"),
            ],
        ),
        (
            {"stages": [StageState("A", "F", over=True), replace(JACKPOT, entrants=1)]},
            [("cancel_division", "G")],
        ),
        ({"stages": [StageState("A", "F", over=True), replace(JACKPOT, entrants=0)]}, []),
        ({"stages": [GROUP, StageState("B", "F", planned=True, entrants=6)]}, [("draw", "A")]),
        ({"stages": [GROUP], "early": True}, [("enter_players", ""), ("draw", "A")]),
        ({"stages": [StageState("A", "F"), CUP]}, []),
        ({"stages": [StageState("A", "F", too_few=True)]}, [("change_absences", "A")]),
        (
            {"stages": [StageState("A", "F"), StageState("C", "F", planned=True, fed=True)]},
            [("confirm_field", "C")],
        ),
        (
            {"stages": [StageState("A", "F"), StageState("C", "F", planned=True, fed=True, confirmed=True)]},
            [("draw", "C")],
        ),
        (
            {
                "stages": [
                    StageState("S", "F", round_due=True),
                    StageState("A", "G", planned=True, entrants=4),
                ],
                "unconfirmed": ["m1", "m2"],
                "disputed": ["m3"],
                "to_call": 5,
                "late": ["m4"],
                "out_of_time": ["m5"],
                "hidden": True,
                "unpaid": [("H", 2)],
                "to_approve": ["I"],
                "box_open": True,
            },
            [
                ("settle_dispute", "m3"),
                ("draw", "A"),
                ("confirm_result", "m1"),
                ("confirm_result", "m2"),
                ("publish_round", "S"),
                ("call_matches", ""),
                ("enter_result", "m5"),
                ("decide_absence", "m4"),
                ("approve_prizes", "I"),
                ("pay_prizes", "H"),
                ("close_cash_box", ""),
                ("publish_event", ""),
            ],
        ),
        (
            {"over": True, "stages": [CUP], "unconfirmed": ["m1"], "hidden": True},
            [("confirm_result", "m1"), ("publish_event", "")],
        ),
        ({"closed": True, "stages": [GROUP], "to_call": 3, "hidden": True}, []),
    ],
)
def test_steps_come_in_the_order_in_which_players_wait_for_them(state, expected):
    assert kinds(**state) == expected


def test_a_step_says_how_many_it_concerns():
    steps = next_steps(EventState(stages=[GROUP], to_call=3, unpaid=[("F", 2)], auctions=["F"]))
    assert steps == (
        NextStep(StepKind.DRAW, "A", 6),
        NextStep(StepKind.CALL_MATCHES, "", 3),
        NextStep(StepKind.APPROVE_AUCTION, "F"),
        NextStep(StepKind.PAY_PRIZES, "F", 2),
    )
