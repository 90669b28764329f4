"""The measured crawl: every page at five sizes in both schemes, and its load on a slow phone.

``manage.py test --look FOLDER`` measures each page as the least role that is given it and as the owner, and
keeps the table in FOLDER; with ``--long`` as every role. It uses the pages, roles and world of
``test_crawl.py``. Times are told, never asserted.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from playwright.sync_api import Browser, BrowserContext

from tests.architecture.access_rules import Row
from tests.architecture.access_world import World
from tests.architecture.pages import LEAST_FIRST, is_given
from tests.children import ServerChild, child_environment
from tests.e2e.look_table import Faults, Measured, broken, summary, written
from tests.e2e.measures import DESK, PHONE, SIZES, Load, Scheme, Slow, look_at, violations
from tests.e2e.settled import visit
from tests.e2e.test_crawl import HOUSES, Visit, pages_of
from tests.e2e.to_be_moved import TO_BE_MOVED
from tests.tiers import TIER

FOLDER = os.environ.get("MIDPOINT_LOOK", "")
WHOLE = TIER == "long"
if not FOLDER:
    pytestmark = pytest.mark.long
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
LOOKED_AT = ((PHONE, "light"), (PHONE, "dark"), (DESK, "light"))
"""Where axe looks: what it finds beside contrast is the same in both schemes."""


@pytest.fixture
def installed(transactional_db: None, tmp_path: Path) -> Iterator[str]:
    """A web process that sends its static files as an installation does."""
    variables = {
        "DJANGO_SETTINGS_MODULE": "tests.settings_installed",
        "MIDPOINT_TEST_STATIC": str(tmp_path / "static"),
    }
    database = connection.settings_dict
    words = [sys.executable, "-m", "django", "collectstatic", "--no-input", "-v0"]
    environment = child_environment(database) | variables
    subprocess.run(words, env=environment, cwd=settings.BASE_DIR, check=True)
    child = ServerChild(database, tmp_path / "server.log", **variables)
    yield child.url
    child.await_rest()
    child.stop()


@pytest.fixture
def world(transactional_db: None) -> World:
    return World.make(hidden=False)


def roles_of(row: Row) -> list[str]:
    """Every role that is given the page; in the thinned run the least and who sees most."""
    return [role for role in LEAST_FIRST if is_given(row, role)] if WHOLE else extremes_of(row)


def extremes_of(row: Row) -> list[str]:
    given = [role for role in LEAST_FIRST if is_given(row, role)]
    return list(dict.fromkeys([given[0], "owner" if "owner" in given else given[-1]]))


def context_of(browser: Browser, server: str, world: World, role: str, **options: Any) -> BrowserContext:
    """A browser of the role, without our policy for style attributes: axe writes some."""
    context = browser.new_context(
        base_url=server,
        locale="en-GB",
        timezone_id="UTC",
        bypass_csp=True,
        service_workers="block",
        **options,
    )
    if cookie := world.clients[role].cookies.get("sessionid"):
        context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": server}])
    return context


def looks(context: BrowserContext, pages: list[Visit], role: str) -> Iterator[Measured]:
    """Each page as the role sees it, loaded once and looked at in every size and scheme."""
    page = context.new_page()
    cdp = context.new_cdp_session(page)
    for row, address in pages:
        page.set_viewport_size(PHONE)
        visit(page, address)
        found = Measured(row.name, role)
        for scheme in SCHEMES:
            for size in SIZES:
                found.looks.append(look_at(page, cdp, size, scheme))
                if (size, scheme) in LOOKED_AT:
                    found.axe[f"{size['width']} {scheme}"] = violations(page)
        yield found


def loads(context: BrowserContext, pages: list[Visit]) -> Iterator[Load]:
    """Each page's load on a slow phone."""
    phone = Slow(context)
    for _row, address in pages:
        yield phone.loads(address)


def crawled(browser: Browser, server: str, world: World) -> Iterator[Measured]:
    """Every page as its roles; its load as the least and the most of them."""
    pages = pages_of(world, *HOUSES)
    for role in LEAST_FIRST:
        given = [(row, address) for row, address in pages if role in roles_of(row)]
        loaded = [(row, address) for row, address in given if role in extremes_of(row)]
        context = context_of(browser, server, world, role)
        found = list(looks(context, given, role))
        context.close()
        context = context_of(
            browser,
            server,
            world,
            role,
            viewport=PHONE,
            is_mobile=True,
            has_touch=True,
            device_scale_factor=2,
        )
        took = {row.name: load for (row, _address), load in zip(loaded, loads(context, loaded), strict=True)}
        context.close()
        yield from (replace(each, load=took.get(each.page)) for each in found)


def test_every_page_keeps_the_budgets(browser: Browser, installed: str, world: World) -> None:
    rows = list(crawled(browser, installed, world))
    assert rows
    if FOLDER:
        written(rows, Path(FOLDER))
    told = "\n".join(summary(rows))
    sys.stdout.write(f"{told}\n")
    wrong = differences(broken(rows), whole=WHOLE)
    assert not wrong, "\n".join([told, "", *wrong])


def differences(faults: Faults, *, whole: bool) -> list[str]:
    """What is broken and not excused, and in a whole run each excuse that nothing needs any more."""
    wrong = [
        f"{budget}: {page} {line}"
        for budget, pages in faults.items()
        for page, lines in pages.items()
        if page not in TO_BE_MOVED.get(budget, ())
        for line in lines
    ]
    if whole:
        wrong += [
            f"{budget}: {page} keeps it; take it out of TO_BE_MOVED"
            for budget, pages in TO_BE_MOVED.items()
            for page in sorted(pages - faults.get(budget, {}).keys())
        ]
    return wrong
