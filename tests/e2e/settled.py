"""Waiting for what the page says of itself: that nothing it has begun is under way (``settled.js``)."""

from playwright.sync_api import Locator, Page, Response, expect

PATIENCE = 60_000  # milliseconds; a busy machine with two cores must not fail a test that holds


def settle(page: Page) -> None:
    """Wait until the page is settled: set up, nothing on its way, its streams open or refused."""
    expect(page.locator("html")).to_have_attribute("data-page", "settled", timeout=PATIENCE)


def visit(page: Page, address: str) -> Response:
    """Go to an address and wait until its page is settled."""
    answer = page.goto(address)
    assert answer is not None
    settle(page)
    return answer


def tap(target: Locator) -> None:
    """Tap on a settled page, so that nothing replaces what is tapped, and wait for what comes of it."""
    settle(target.page)
    target.click()
    settle(target.page)
