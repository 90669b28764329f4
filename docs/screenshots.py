"""Make the pictures of this documentation from a demo club.

    python3 manage.py up --demo            # in one terminal
    .venv/bin/python docs/screenshots.py   # in another; --only match to make fewer

It takes the pictures that the pages show, ``images/<page>-<device>-<theme>.webp``: a phone or a desk, light
or dark.
"""

import argparse
import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
CHROMIUM = "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]
DEVICES = {"phone": (390, 844, 2), "desk": (1280, 900, 1)}
PICTURE = re.compile(r"images/([a-z]+)-(phone|desk)-(light|dark)\.webp")
QUALITY = 78


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="pages whose name begins like this")
    parser.add_argument("--to", type=Path, default=IMAGES, help="the folder for the pictures")
    options = parser.parse_args()
    demo = running_demo()
    site = demo["url"].partition("/clubs/")[0]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        pages = addresses(browser, site, demo)
        for name, device, theme in shown():
            if name.startswith(options.only):
                take(browser, site, demo, (name, device, theme), pages[name], options.to)
        browser.close()


def shown() -> list[tuple[str, str, str]]:
    """Page, device and theme of each picture that a page of the docs shows."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    return sorted({found for page in pages for found in PICTURE.findall(page.read_text(encoding="utf-8"))})


def running_demo() -> dict[str, Any]:
    """What ``manage.py demo --json`` says of the demo; ends the script where none can be."""
    words = [sys.executable, "manage.py", "demo", "--wait", "--analysed", "0", "--json"]
    answer = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    if answer.returncode:
        sys.exit(f"no demo to take pictures of:\n{answer.stderr}")
    found: dict[str, Any] = json.loads(answer.stdout)
    return found


def addresses(browser: Browser, site: str, demo: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """The pages by name: path, and who looks (nobody, member, director)."""
    slug = demo["club"]
    with looking(browser, site, demo, "desk", "light", "") as page:
        page.goto(f"{site}/clubs/{slug}/")
        best = page.locator("ol.top a.name").first.get_attribute("href")
        page.goto(f"{site}/clubs/{slug}/matches/")
        # A match that is analysed opens at its first error: what the whole chain is for.
        row = page.locator("a.match", has=page.locator(".pr")).last
        match = row.get_attribute("href")
        page.goto(f"{site}/clubs/{slug}/events/")
        running = page.locator("section", has=page.locator("#running-name"))
        event = running.locator("a[href^='/events/']").first.get_attribute("href")
    with looking(browser, site, demo, "desk", "light", "member") as page:
        page.goto(f"{site}/")
        sheet = page.locator("a[href$='/sheet/']").last.get_attribute("href")
    return {
        "home": ("/", ""),
        "now": ("/", "member"),
        "club": (f"/clubs/{slug}/", ""),
        "desk": (f"/clubs/{slug}/", "director"),
        "match": (str(match), ""),
        "player": (str(best), ""),
        "ratings": (f"/clubs/{slug}/ratings/", ""),
        "bracket": (f"{event}?tab=draw", ""),
        "tables": (f"{event}desk/", "director"),
        "wall": (f"{event}wall/", ""),
        "sheet": (str(sheet), "member"),
    }


@contextmanager
def looking(
    browser: Browser, site: str, demo: dict[str, Any], device: str, theme: str, who: str
) -> Iterator[Page]:
    """A page of a device and a theme, signed in or not."""
    width, height, scale = DEVICES[device]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=scale,
        color_scheme="dark" if theme == "dark" else "light",
        locale="en-GB",
        reduced_motion="reduce",
    )
    page = context.new_page()
    for login in demo["logins"]:
        if login["role"] == who:
            page.goto(f"{site}/account/login/")
            page.get_by_label("Email").fill(login["email"])
            page.get_by_label("Password").fill(login["password"])
            page.get_by_role("button", name=re.compile("^sign in$", re.IGNORECASE)).first.click()
            page.wait_for_url(lambda address: "/account/" not in address)
    try:
        yield page
    finally:
        context.close()


def take(
    browser: Browser,
    site: str,
    demo: dict[str, Any],
    picture: tuple[str, str, str],
    page_of: tuple[str, str],
    folder: Path,
) -> None:
    """Take one picture: page, device and theme; ``page_of`` is its path and who looks."""
    _name, device, theme = picture
    path, who = page_of
    with looking(browser, site, demo, device, theme, who) as page:
        page.goto(f"{site}{path}")
        page.wait_for_timeout(400)
        taken = Image.open(io.BytesIO(page.screenshot()))
    to = folder / f"{'-'.join(picture)}.webp"
    taken.convert("RGB").save(to, quality=QUALITY, method=6)
    print(f"{to.relative_to(ROOT) if to.is_relative_to(ROOT) else to}  {to.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
