"""Make the pictures of this documentation from a demo club.

    python3 manage.py up --demo            # in one terminal
    .venv/bin/python docs/screenshots.py   # in another; --only match to make fewer

Every page is taken on a phone and on a desk, light and dark, as ``docs/images/<page>-<device>-<theme>.webp``.
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
THEMES = ("light", "dark")
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
        for name, (path, who) in pages.items():
            if name.startswith(options.only):
                take(browser, site, demo, name, path, who, options.to)
        browser.close()


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
    return {
        "home": ("/", ""),
        "now": ("/", "member"),
        "club": (f"/clubs/{slug}/", ""),
        "desk": (f"/clubs/{slug}/", "director"),
        "match": (str(match), ""),
        "player": (str(best), ""),
        "ratings": (f"/clubs/{slug}/ratings/", ""),
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
    browser: Browser, site: str, demo: dict[str, Any], name: str, path: str, who: str, folder: Path
) -> None:
    """One page on every device in every theme."""
    for device in DEVICES:
        for theme in THEMES:
            with looking(browser, site, demo, device, theme, who) as page:
                page.goto(f"{site}{path}")
                page.wait_for_timeout(400)
                picture = Image.open(io.BytesIO(page.screenshot()))
            to = folder / f"{name}-{device}-{theme}.webp"
            picture.convert("RGB").save(to, quality=QUALITY, method=6)
            print(
                f"{to.relative_to(ROOT) if to.is_relative_to(ROOT) else to}  {to.stat().st_size // 1024} KiB"
            )


if __name__ == "__main__":
    main()
