"""Where things are on a page."""

from playwright.sync_api import FloatRect, Locator, Page


def box(part: Locator) -> FloatRect:
    found = part.bounding_box()
    assert found
    return found


def boxes(page: Page, where: str) -> list[FloatRect]:
    found = [target.bounding_box() for target in page.locator(where).all()]
    assert found
    return [box for box in found if box]


def overlap(one: FloatRect, other: FloatRect) -> bool:
    beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
    below = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
    return not (beside or below)
