"""The clock of the scoresheet in real browsers."""

import pytest
from playwright.sync_api import expect

from scoring.models import ClockState, Match
from tests.accessibility import serious_violations
from tests.e2e.boxes import box, overlap
from tests.e2e.scorers import Scorer
from tests.e2e.settled import PATIENCE


@pytest.mark.long
def test_the_clock_is_started_pressed_and_stopped(match: Match, white: Scorer) -> None:
    white.open(match)
    press = white.page.locator("[data-clock=white]")
    expect(press).to_be_hidden()
    for action, running in (("start", "white"), ("pause", "")):
        white.page.locator(".more").click()
        white.page.locator(f"[data-clock-action={action}]").click()
        expect(white.page.locator("[data-clock][data-running]")).to_have_count(1 if running else 0)
        if running:
            press.click()
            expect(white.page.locator("[data-clock=black]")).to_have_attribute("data-running", "")
    expect(press).to_contain_text(":")


# What a phone is asked to do besides drawing: each buzz, tone and wake lock.
SIGNALS = """window.signals = [];
navigator.vibrate = (ms) => window.signals.push(`buzz ${ms}`);
const { start } = OscillatorNode.prototype, { request } = WakeLock.prototype;
OscillatorNode.prototype.start = function () {
  window.signals.push(`tone ${this.frequency.value}`);
  return start.call(this);
};
WakeLock.prototype.request = function (kind) {
  window.signals.push(`awake ${kind}`);
  return request.call(this, kind);
};"""


@pytest.mark.long
@pytest.mark.parametrize(("width", "height"), [(360, 640), (844, 390)])
def test_the_clock_lies_between_the_players_and_keeps_their_taps_offline(
    match: Match, white: Scorer, width: int, height: int
) -> None:
    page = white.page
    page.set_viewport_size({"width": width, "height": height})
    page.add_init_script(SIGNALS)
    white.open(match)
    page.locator(".more").click()
    page.get_by_role("button", name="Show clock").click()
    near, far = page.locator("[data-half=near]"), page.locator("[data-half=far]")
    expect(near).to_contain_text("Ana Etxeberria")
    expect(near).to_contain_text("Tap to start")
    for half in (near, far):
        assert box(half)["width"] * box(half)["height"] > 0.39 * width * height
    assert not overlap(box(near), box(far))
    white.settled()
    expect(white.sheet).to_have_attribute("data-kept", "yes", timeout=PATIENCE)
    white.context.set_offline(True)  # the first tap starts the clock by the rules, without a connection, too
    far.click()  # Björn is ready: Ana's time runs
    expect(near).to_contain_text("10:00")
    expect(near).to_have_attribute("data-running", "")
    expect(near).to_contain_text("Delay")
    assert page.evaluate("signals") == ["awake screen", "buzz 40", "tone 660"]
    assert serious_violations(page) == []
    far.click()  # not his turn
    for half, other in ((near, far), (far, near), (near, far)):
        half.click()
        expect(other).to_have_attribute("data-running", "")
        expect(half).not_to_have_attribute("data-running", "")
    page.reload()  # as a phone ends a page
    expect(page.locator("[data-clock=black]")).to_have_attribute("data-running", "", timeout=PATIENCE)
    page.locator(".more").click()
    page.get_by_role("button", name="Show clock").click()
    expect(far).to_have_attribute("data-running", "")
    with page.expect_response("**/sheet/clock/"):
        white.context.set_offline(False)
    white.settled()
    clock = ClockState.objects.get(sheet=match.sheet)
    assert (clock.running, clock.black_ms) == ("black", clock.white_ms)  # all within the delay
    page.get_by_role("button", name="Stop clock").click()
    expect(far).not_to_have_attribute("data-running", "")
    page.get_by_role("button", name="Close").click()
    expect(page.locator("[data-clock=black]")).to_be_visible()
