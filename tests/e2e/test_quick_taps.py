"""A phone that computes four times slower, far from the server, tapped twenty times a second."""

from typing import Any

import pytest
from playwright.sync_api import expect

from scoring.chouettes.services.damage import damage_of
from scoring.models import Match, SheetEvent
from tests.e2e.measures import SLOWER
from tests.e2e.scorers import Scorer
from tests.e2e.settled import PATIENCE
from tests.scoring.sheets.writing import loaded

EVERY = 50
"""Milliseconds from tap to tap."""
LATENCY = 600
"""Milliseconds until the server answers: many taps."""
ROLLS = ((3, 1), (1, 1), (6, 6), (4, 2), (2, 2), (5, 3), (1, 1), (6, 5), (4, 4), (2, 1), (3, 3), (6, 4))

# Taps what can be tapped: the next die, the rearmost checker that moves, Done. A tap that changes nothing is
# lost.
TAP = """async ({ dice, every }) => {
  const part = (name) => document.querySelector(`[data-part='${name}']`);
  const page = () => part("dock").innerHTML + part("board").innerHTML;
  const does = (name) => part("dock").querySelector(`[data-does='${name}']`);
  const found = { taps: 0, lost: [], checkers: [], all: [], slowest: 0 };
  const press = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const [clientX, clientY] = [left + width / 2, top + height / 2];
    const at = { bubbles: true, clientX, clientY, pointerId: 2 + (found.taps % 2) };
    element.dispatchEvent(new PointerEvent("pointerdown", at));
    document.elementFromPoint(clientX, clientY).dispatchEvent(new PointerEvent("pointerup", at));
  };
  const drawn = () => new Promise((resolve) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(performance.now());
    port2.postMessage(0);
  }));
  const next = () => {
    const done = does("done");
    if (done && done.getAttribute("aria-disabled") !== "true") return ["done", () => done.click()];
    const movable = [...part("board").querySelectorAll(".target.can-move")];
    const bar = movable.find(({ dataset }) => dataset.point === "25");
    if (movable.length) return ["checker", () => press(bar ?? movable[0])];
    const die = dice.shift();
    return die ? [`die-${die}`, () => does(`die-${die}`).click()] : null;
  };
  const start = performance.now();
  for (;;) {
    const wait = start + every * found.taps - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const before = page();
    const tap = next();
    if (!tap) break;
    const [what, act] = tap;
    const from = performance.now();
    act();
    found.taps += 1;
    const ms = (await drawn()) - from;
    if (page() === before) found.lost.push(what);
    found.all.push(ms);
    if (what === "checker") found.checkers.push(ms);
  }
  found.seconds = (performance.now() - start) / 1000;
  return found;
}"""


def figures(times: list[float]) -> str:
    ordered = sorted(times)
    return f"{ordered[len(ordered) // 2]:.0f} ms, 9 of 10 within {ordered[len(ordered) * 9 // 10]:.0f} ms"


@pytest.mark.long
def test_twenty_taps_a_second_on_a_slow_phone_lose_nothing(match: Match, white: Scorer) -> None:
    white.page.set_viewport_size({"width": 390, "height": 844})
    white.open(match)
    cdp = white.context.new_cdp_session(white.page)
    cdp.send("Network.enable")
    slow = {"offline": False, "latency": LATENCY, "downloadThroughput": -1, "uploadThroughput": -1}
    cdp.send("Network.emulateNetworkConditions", slow)
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    dice = [die for roll in ROLLS for die in roll]
    found: dict[str, Any] = white.page.evaluate(TAP, {"dice": dice, "every": EVERY})
    print(f"{found['taps']} taps in {found['seconds']:.1f} s, {found['taps'] / len(ROLLS):.1f} a turn")
    print(f"from tap to drawn checker: {figures(found['checkers'])}; any tap: {figures(found['all'])}")
    assert found["lost"] == []
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    expect(white.unsent()).to_have_count(0, timeout=PATIENCE)
    white.settled()
    expect(white.part("notices")).to_be_empty()
    events = SheetEvent.objects.filter(sheet=match.sheet).order_by("seq").values_list("kind", "body")
    rolled = [
        (body["white"], body["black"]) if kind == "opening_roll" else tuple(body["dice"])
        for kind, body in events
        if kind in {"opening_roll", "roll"}
    ]
    assert [tuple(sorted(roll)) for roll in rolled] == [tuple(sorted(roll)) for roll in ROLLS]
    assert [kind for kind, _body in events][2::2] == ["play"] * len(ROLLS)
    assert damage_of(loaded(match).sheet) is None
