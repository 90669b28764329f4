"""A play without a choice takes one tap. Whatever the dice, at most four: ``scoring/sheets/test_taps.py``."""

import pytest
from playwright.sync_api import expect

from scoring.models import Match
from scoring.rules.events import PositionSet
from scoring.rules.position import Position
from scoring.rules.sides import Side
from tests.e2e.scorers import Scorer
from tests.scoring.sheets.writing import write


@pytest.mark.long
def test_a_forced_play_and_a_dance_take_one_tap(match: Match, white: Scorer) -> None:
    # White's last runner stands on its 24 point; Black holds White's 18 point: 6-5 is 24/13 by the 19 point.
    own = [0, 14, *[0] * 22, 1, 0]
    theirs = [*[0] * 7, 2, *[0] * 5, 13, *[0] * 12]
    write(match, PositionSet(Position(tuple(own), tuple(theirs)), reason="as it stood", on_roll=Side.WHITE))
    white.open(match)
    white.roll(6, 5)
    expect(white.part("dock")).to_contain_text("24/13")
    expect(white.part("dock")).to_contain_text("forced")
    white.tap("done")
    expect(white.part("dock")).to_contain_text("Björn to roll")
    # On the bar against a made 19 point.
    bar = [0, 0, 3, 3, 2, 2, 2, 3, *[0] * 18]
    closed = [0, 2, 2, 2, 2, 2, 2, *[0] * 18, 3]
    write(match, PositionSet(Position(tuple(closed), tuple(bar)), reason="as it stood", on_roll=Side.WHITE))
    white.sees(5)
    white.roll(6, 6)
    expect(white.part("dock")).to_contain_text("cannot move with 6-6")
    white.tap("done")
    expect(white.part("dock")).to_contain_text("Björn to roll")


BEFORE_THE_NEXT_FRAME = """([roll, place]) => {
  document.querySelector(`[data-part=dock] [data-does=roll-${roll}]`).click();
  const { left, top, width, height } = place;
  const [clientX, clientY] = [left + width / 2, top + height / 2];
  const at = { bubbles: true, clientX, clientY, pointerId: 2 };
  for (const type of ["pointerdown", "pointerup"])
    document.elementFromPoint(clientX, clientY).dispatchEvent(new PointerEvent(type, at));
}"""


@pytest.mark.long
def test_a_finger_that_is_faster_than_the_next_frame_moves_what_it_sees(match: Match, white: Scorer) -> None:
    white.open(match)
    white.roll(3, 1)
    for point in (8, 6):
        white.page.locator(f"[data-touch=point-{point}]").click()
    # White's 1 point is Black's 24 point, once White's dice are picked up.
    place = white.page.locator("[data-touch=point-1] rect").evaluate(
        "(rect) => rect.getBoundingClientRect().toJSON()"
    )
    white.page.evaluate(BEFORE_THE_NEXT_FRAME, ["65", place])
    expect(white.part("dock")).to_contain_text("24/18")
    white.settled()
    expect(white.part("notices")).to_be_empty()
