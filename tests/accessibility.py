"""What axe finds on a page, as lines that a failing test can show."""

from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.e2e.settled import visit

SERIOUS = {"serious", "critical"}


def serious_violations(page: Page, *, scheme: Literal["light", "dark"] = "light") -> list[str]:
    """The serious and critical violations of the page as it is shown now to this person, at this width.

    axe writes style attributes while it measures, which the policy of our pages refuses; it looks at a second
    copy of the page without the policy, so that the first one still reports every violation of ours.
    """
    browser = page.context.browser
    assert browser is not None
    context = browser.new_context(
        bypass_csp=True,
        color_scheme=scheme,
        reduced_motion="reduce",
        storage_state=page.context.storage_state(),
        viewport=page.viewport_size,
    )
    try:
        copy = context.new_page()
        visit(copy, page.url)
        found = Axe().run(copy).response["violations"]
    finally:
        context.close()
    return [
        f"{violation['id']}: {node['html'][:160]}"
        for violation in found
        if violation["impact"] in SERIOUS
        for node in violation["nodes"]
    ]
