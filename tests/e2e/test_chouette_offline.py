"""A page without a line goes on by the same rules as the server: random nights, played by both."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from scoring.chouettes.queries.actions import actions
from scoring.chouettes.queries.chouettes import ahead_of
from scoring.chouettes.queries.lines import Speaker
from scoring.rules.chouette.events import ChouetteEvent, chouette_event_to_plain
from scoring.rules.chouette.session import SessionState, begin_session
from tests.scoring.chouettes.random_nights import RandomNight

RULES = Path(__file__).parents[2] / "scoring/static/scoring/chouettes/rules.js"
STEPS = 60
NOBODY = Speaker({}, None, {})

PLAY = """async ([code, nights]) => {
  const rules = await import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
  return nights.map(({ start, tries }) => {
    let state = start;
    return tries.map(([kind, body, looked]) => {
      let accepted = true;
      try {
        state = rules.apply(state, kind, body);
      } catch (error) {
        if (!(error instanceof rules.Refused)) throw error;
        accepted = false;
      }
      return [accepted, looked ? [state, rules.actions(state)] : null];
    });
  });
}"""


class Told(RandomNight):
    """A night that is told as it goes: what is tried, whether it may be, now and then all that there is."""

    def __init__(self, seed: int) -> None:
        self.tries: list[list[Any]] = []
        self.expected: list[list[Any]] = []
        self.start: dict[str, Any] = {}
        super().__init__(seed)

    def attempt(self, event: ChouetteEvent) -> None:
        if not self.start:
            self.start = shown(begin_session(self.log[0]))  # type: ignore[arg-type]
        before = len(self.log)
        super().attempt(event)
        accepted, looked = len(self.log) > before, len(self.tries) % 3 == 0
        self.tries.append([*chouette_event_to_plain(event), looked])
        told = [shown(self.state), possible(self.state)] if looked else None
        self.expected.append([accepted, told])

    def run(self, steps: int) -> None:
        for _step in range(steps):
            self.attempt(self.proposal())


def shown(state: SessionState) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(json.dumps(ahead_of(state, stakes=True)))
    return told


def possible(state: SessionState) -> list[dict[str, Any]]:
    """What the server says may be recorded, without its labels; the number of dice beside it."""
    told = [action.plain() for action in actions(state, NOBODY)]
    found: list[dict[str, Any]] = json.loads(json.dumps(told))
    return [{name: value for name, value in each.items() if name != "label"} for each in found]


@pytest.mark.parametrize("count", [15, pytest.param(150, marks=pytest.mark.long)])
def test_a_page_without_a_line_knows_what_the_server_would_accept(page: Page, count: int) -> None:
    nights = []
    for seed in range(count):
        night = Told(seed)
        night.run(STEPS)
        nights.append(night)
    page.goto("about:blank")
    sent = [{"start": night.start, "tries": night.tries} for night in nights]
    told = page.evaluate(PLAY, [RULES.read_text(), sent])
    for seed, (night, answers) in enumerate(zip(nights, told, strict=True)):
        for number, (answer, expected) in enumerate(zip(answers, night.expected, strict=True)):
            assert answer == expected, f"night {seed}, try {number}: {night.tries[number]}"
    assert sum(accepted for night in nights for accepted, _told in night.expected) > count * STEPS / 4
