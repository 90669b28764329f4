"""Midpoint is updated while a phone has no line, and what its service worker keeps of both versions."""

import pytest
from playwright.sync_api import expect

from scoring.models import Match
from tests.e2e.scorers import Scorer, kinds
from tests.e2e.settled import PATIENCE

OUTDATE = """async () => {
  const [pages, files] = [await caches.open("midpoint-sheets"), await caches.open("midpoint-shell")];
  const older = (text) => text.replace(/\\b(?!sw\\b)(\\w+)\\.js\\b/g, "before-$1.js");
  for (const cache of [pages, files])
    for (const request of await cache.keys()) {
      const name = new URL(request.url).pathname;
      if (cache === files && !name.endsWith(".js")) continue;
      const { headers, status } = await cache.match(request);
      const text = older(await (await cache.match(request)).text());
      if (older(name) !== name) await cache.delete(request);
      await cache.put(older(name), new Response(text, { headers, status }));
    }
  return (await files.keys()).map(({ url }) => new URL(url).pathname);
}"""
"""The device keeps the page as of the version before: its scripts have names unknown to the server."""

KEPT = """async () => {
  const files = await (await caches.open("midpoint-shell")).keys();
  return files.map(({ url }) => new URL(url).pathname).filter((name) => name.endsWith(".js"));
}"""


@pytest.mark.long
def test_a_phone_goes_on_with_its_version_without_a_line_and_then_with_the_new_one(
    match: Match, white: Scorer
) -> None:
    page = white.page
    white.open(match)
    expect(white.sheet).to_have_attribute("data-kept", "yes", timeout=PATIENCE)
    now = page.evaluate(KEPT)
    assert any("/scoresheet." in name for name in now)
    before = [name for name in page.evaluate(OUTDATE) if "/before-" in name]
    assert len(before) == len(now)

    white.context.set_offline(True)
    page.reload()
    expect(white.does("die-3")).to_be_visible(timeout=PATIENCE)
    assert page.locator("script[src*='before-']").count()
    white.taps_dice(3, 1)
    expect(white.unsent()).to_have_count(1)
    for point in (8, 6):
        page.locator(f"[data-touch='point-{point}']").click()
    white.does("done").click()
    expect(white.unsent()).to_have_count(2)
    page.reload()
    expect(white.unsent()).to_have_count(2, timeout=PATIENCE)

    white.context.set_offline(False)
    white.sees(3)
    assert kinds(match) == ["match_start", "opening_roll", "play"]
    page.reload()
    expect(white.sheet).to_have_attribute("data-kept", "yes", timeout=PATIENCE)
    assert not page.locator("script[src*='before-']").count()
    assert sorted(page.evaluate(KEPT)) == sorted(now)
    white.context.set_offline(True)
    page.reload()
    expect(white.does("roll-31")).to_be_visible(timeout=PATIENCE)
    white.context.set_offline(False)
