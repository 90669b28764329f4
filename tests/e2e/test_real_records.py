"""Real matches are entered by touch on a phone whose line is cut half of the time: the very record."""

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Route, expect

from clubs.models import Club, User
from scoring.chouettes.services.damage import damage_of
from scoring.log.queries.sheets import events_of
from scoring.models import Match, MatchStatus
from scoring.notation.mat import read_mat
from scoring.notation.plays import format_moves
from scoring.rules.events import Event, OpeningRolled, Played, Rolled, event_to_plain
from scoring.rules.game import GameState
from scoring.rules.sheet import replay
from scoring.sheets.services.openings import open_match
from tests.e2e.record_taps import Tap, states_of, taps_of
from tests.e2e.scorers import Scorer
from tests.e2e.settled import PATIENCE

LOW, SMALL, PHONE = (375, 553), (360, 640), (390, 844)
GRID_FROM = 608
"""Pixels of height from which the 21 rolls are offered on a phone."""
MOST_TAPS = 4.0
"""Taps a play on average, with those of dice, cube, resignations and dialogs."""
LINE_CHANGES = 0.12
"""How often, after a tap, the line is cut or comes back as a coin falls."""
ANSWERS_LOST = 0.1
DECIDING = 0.5
"""Seconds that somebody takes to double, to answer and to resign; a tap that comes sooner is a double tap."""
SOME = ["charlot1-charlot2_7p.mat", "galaxy-1574521.txt", "galaxy-8062348.txt"]
CHOSEN = os.environ.get("MIDPOINT_RECORDS", "").split() or SOME
"""The records to enter: 231 plays, or those that ``MIDPOINT_RECORDS`` names, with spaces between."""
CASES = [*((name, PHONE) for name in CHOSEN), *(("galaxy-8062348.txt", size) for size in (LOW, SMALL))]

COUNT = """
window.taps = { click: 0, pointerup: 0 };
for (const kind of Object.keys(window.taps))
  document.addEventListener(kind, () => { window.taps[kind] += 1; }, { capture: true });
document.addEventListener("pointerdown", ({ target }) => {
  window.met = (target.closest(".target, button") ?? target).cloneNode(false).outerHTML;
}, { capture: true });
"""
"""The page's own count of taps: the driver goes on when the one before has arrived. And what each has met."""

FIND = """async ({ on, name, before }) => {
  const seen = () => !before || window.taps[before.kind] >= before.count;
  const drawn = () => document.getElementById("sheet").dataset.ready !== "drawing";
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  while (!seen()) await frame();
  // All is drawn, and what measures itself has done so two frames later.
  for (let frames = 0; frames < 2; frames = drawn() ? frames + 1 : 0) await frame();
  const part = (which) => document.querySelector(`[data-part='${which}']`);
  const shown = () => [
    part("dock").innerHTML, part("board").innerHTML, document.querySelector("dialog[open]")?.id,
  ].join("");
  const now = shown();
  const isLost = before !== null && now === window.shownBefore;
  window.shownBefore = now;
  const where = `[data-${on}='${name}']`;
  const found = document.querySelector(`dialog[open] ${where}`) ?? part("dock").querySelector(where)
    ?? part("board").querySelector(where) ?? document.querySelector(where);
  const says = part("notices").textContent.trim();
  if (!found || found.getAttribute("aria-disabled") === "true")
    return { isLost, met: window.met, why: `${name} cannot be tapped: ${part("dock").textContent} ${says}` };
  const { left, top, width, height } = found.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const over = document.elementFromPoint(x, y);
  if (!found.contains(over)) return { isLost, met: window.met, why: `${name} is under ${over?.outerHTML}` };
  return { isLost, met: window.met, x, y, counts: window.taps };
}"""


@dataclass
class Recorder:
    """Somebody with one phone who enters a record by touch; ``rng`` cuts the line and loses answers."""

    scorer: Scorer
    rng: Random
    taps: int = 0
    offline: int = 0
    lost: list[str] = field(default_factory=list)
    is_offline: bool = False
    before: dict[str, object] | None = None
    last: Tap | None = None

    def enter(self, steps: Sequence[Sequence[Tap]]) -> None:
        self.scorer.page.route("**/api/v1/matches/*/events/", self._deliver)
        for tap in (tap for taps in steps for tap in taps):
            self.tap(tap)
            if self.rng.random() < LINE_CHANGES:
                self.is_offline = self.rng.random() < 0.5
                self.scorer.context.set_offline(self.is_offline)
        self.scorer.context.set_offline(False)

    def tap(self, tap: Tap) -> None:
        if tap.is_decision:
            time.sleep(DECIDING)
        page = self.scorer.page
        found = page.evaluate(FIND, {"on": tap.on, "name": tap.name, "before": self.before})
        if found["isLost"] and self.last:
            self.lost.append(f"{self.last.name} met {found['met']}")
        assert "why" not in found, f"{found['why']}, after {self.taps} taps; lost: {self.lost}"
        kind = "pointerup" if tap.on == "touch" else "click"
        self.before = {"kind": kind, "count": found["counts"][kind] + 1}
        self.last = tap
        page.touchscreen.tap(found["x"], found["y"])
        self.taps += 1
        self.offline += self.is_offline

    def _deliver(self, route: Route) -> None:
        """The entries arrive, and now and then the answer does not."""
        if self.rng.random() < ANSWERS_LOST:
            route.fetch()
            route.abort("connectionreset")
        else:
            route.continue_()


@pytest.fixture
def phone(browser: Browser, server: str, ana: User) -> Iterator[Scorer]:
    scorer = Scorer(browser, server, ana, is_mobile=True, device_scale_factor=2)
    scorer.context.add_init_script(COUNT)
    yield scorer
    scorer.close()


def written(events: Sequence[Event]) -> list[object]:
    """A record as people write it: the dice of an opening by side, of a roll together, plays in notation."""
    return [_written(state.game, event) for state, event in states_of(events)]


def _written(game: GameState, event: Event) -> object:
    match event:
        case OpeningRolled(white=white, black=black):
            return ("opening_roll", white, black)
        case Rolled(dice=dice):
            return ("roll", dice.high, dice.low)
        case Played(moves=moves):
            assert game.on_roll is not None
            return ("play", format_moves(game.seen_by(game.on_roll), moves))
        case _:
            return event_to_plain(event)


@pytest.mark.long
@pytest.mark.parametrize(("name", "size"), CASES)
def test_a_real_match_is_entered_by_touch_while_the_line_is_cut_half_of_the_time(
    club: Club, ana: User, bjorn: User, phone: Scorer, shared_data: Path, name: str, size: tuple[int, int]
) -> None:
    width, height = size
    phone.page.set_viewport_size({"width": width, "height": height})
    told = read_mat((shared_data / "matches" / name).read_bytes())
    match = open_match(club=club, white=[ana.player], black=[bjorn.player], length=told.length, user=ana)
    phone.open(match)
    expect(phone.sheet).to_have_attribute("data-kept", "yes", timeout=PATIENCE)
    recorder = Recorder(phone, Random(name))
    began = time.monotonic()
    recorder.enter(taps_of(told.events, grid=height >= GRID_FROM))
    rate = recorder.taps / (time.monotonic() - began)
    plays = sum(isinstance(event, Played) for event in told.events)
    a_play, offline = recorder.taps / plays, recorder.offline / recorder.taps
    taps = f"{plays} plays, {recorder.taps} taps ({a_play:.2f} a play, {rate:.0f} a second)"
    print(f"{name} at {width} x {height}: {taps}, {len(recorder.lost)} lost, {offline:.0%} without a line")
    assert recorder.lost == []
    phone.sees(len(told.events))
    expect(phone.unsent()).to_have_count(0, timeout=PATIENCE)
    expect(phone.part("notices")).to_be_empty()
    match = Match.objects.select_related("sheet").get(pk=match.pk)
    assert damage_of(match.sheet) is None
    recorded = [numbered.event for numbered in events_of(match.sheet)]
    assert written(recorded) == written(told.events)
    assert replay(recorded).games == told.state.games
    assert (match.status == MatchStatus.FINISHED) == (told.state.outcome is not None)
    if plays > 20:  # a match of one play and a resignation has nothing to take an average of
        assert a_play <= MOST_TAPS
