"""A page without a line goes on by the server's rules, in a browser too: random nights, played by both."""

import pytest
from playwright.sync_api import Page

from tests.scoring.chouettes.test_page_rules import STEPS, Told

PLAY = """async (nights) => {
  const [{ actions }, { Refused }, { apply }] = await Promise.all(
    ["actions", "game", "rules"].map((name) => import(`/static/scoring/chouettes/${name}.js`)),
  );
  return nights.map(({ start, tries }) => {
    let state = start;
    return tries.map(([kind, body, looked]) => {
      let accepted = true;
      try {
        state = apply(state, kind, body);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        accepted = false;
      }
      return [accepted, looked ? [state, actions(state)] : null];
    });
  });
}"""


@pytest.mark.parametrize("count", [15, pytest.param(150, marks=pytest.mark.long)])
def test_a_page_without_a_line_knows_what_the_server_would_accept(page: Page, count: int) -> None:
    nights = []
    for seed in range(count):
        night = Told(seed)
        night.run(STEPS)
        nights.append(night)
    page.goto("/healthz")
    told = page.evaluate(PLAY, [{"start": night.start, "tries": night.tries} for night in nights])
    for seed, (night, answers) in enumerate(zip(nights, told, strict=True)):
        for number, (answer, expected) in enumerate(zip(answers, night.expected, strict=True)):
            assert answer == expected, f"night {seed}, try {number}: {night.tries[number]}"
    assert sum(accepted for night in nights for accepted, _told in night.expected) > count * STEPS / 4
