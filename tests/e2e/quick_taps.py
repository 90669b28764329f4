"""Taps on a scoresheet in quick succession, as fast as two thumbs, on a phone that computes slowly."""

from typing import Any

from playwright.sync_api import BrowserContext, Page

from tests.e2e.measures import SLOWER

EVERY = 50
"""Milliseconds from tap to tap."""
LATENCY = 600
"""Milliseconds until the server answers: many taps."""
ROLLS = ((3, 1), (1, 1), (6, 6), (4, 2), (2, 2), (5, 3), (1, 1), (6, 5), (4, 4), (2, 1), (3, 3), (6, 4))

# Taps what can be tapped: the next roll, the rearmost checker that moves, Done. A tap is due every so many
# milliseconds, or when what the one before it did is drawn, the dock in the frame after the board; its time
# runs from there, as that of a finger on a busy page. A tap that changes nothing is lost.
TAP = """async ({ rolls, every }) => {
  const part = (name) => document.querySelector(`[data-part='${name}']`);
  const does = (name) => part("dock").querySelector(`[data-does='${name}']`);
  const found = { taps: 0, lost: [], checkers: [], all: [], what: [] };
  let changes = 0;
  const watching = new MutationObserver(() => { changes += 1; });
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  for (const name of ["dock", "board"]) watching.observe(part(name), all);
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
    if (done || !rolls.length) return null;
    const roll = does(`roll-${rolls[0].join("")}`);
    if (roll) return [`roll-${rolls.shift().join("")}`, () => roll.click()];
    const die = does(`die-${rolls[0][0]}`);
    if (!die) return null;
    const value = rolls[0].shift();
    if (!rolls[0].length) rolls.shift();
    return [`die-${value}`, () => die.click()];
  };
  const start = performance.now();
  for (;;) {
    const due = start + every * found.taps;
    if (!rolls.length && !next()) break;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const from = wait > 0 ? due : performance.now();
    let tap = next();
    for (; !tap; tap = next()) await drawn();
    const [what, act] = tap;
    changes = 0;
    act();
    found.taps += 1;
    const ms = (await drawn()) - from;
    if (!changes) found.lost.push(what);
    found.all.push(ms);
    found.what.push(what);
    if (what === "checker") found.checkers.push(ms);
    await drawn();
  }
  found.seconds = (performance.now() - start) / 1000;
  return found;
}"""


def tap_quickly(context: BrowserContext, page: Page) -> dict[str, Any]:
    """Tap through ``ROLLS`` on an open sheet.

    Returns the number of ``taps``, the ``seconds``, which taps were ``lost``, and the milliseconds from each
    tap to what it draws: of ``checkers``, and of ``all``.
    """
    cdp = context.new_cdp_session(page)
    cdp.send("Network.enable")
    slow = {"offline": False, "latency": LATENCY, "downloadThroughput": -1, "uploadThroughput": -1}
    cdp.send("Network.emulateNetworkConditions", slow)
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    found: dict[str, Any] = page.evaluate(TAP, {"rolls": ROLLS, "every": EVERY})
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    cdp.detach()
    return found


def share(times: list[float], percent: int) -> float:
    """Within how many milliseconds this share of taps was drawn."""
    ordered = sorted(times)
    return ordered[min(len(ordered) * percent // 100, len(ordered) - 1)]
