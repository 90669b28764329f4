"""Colours that are used together can be read: contrast from ``tokens.css`` (WCAG 2.2, 1.4.3 and 1.4.11)."""

import re
from pathlib import Path

import pytest

STATIC = Path(__file__).resolve().parents[3] / "clubs/static/clubs"
TOKENS = (STATIC / "tokens.css").read_text()
BASE = (Path(__file__).resolve().parents[3] / "templates/base.html").read_text()
BLOCKS = {
    "light": r":root \{(.*?)\n    \}",
    "dark by the system": r":root:not\(\[data-theme=\"light\"\]\) \{(.*?)\n        \}",
    "dark by choice": r":root\[data-theme=\"dark\"\] \{(.*?)\n    \}",
}
GROUNDS = ("paper", "card", "linen")
WASHES = ("felt-wash", "oxblood-wash", "brass-wash")
WORDS = [
    *[(word, ground) for word in ("ink", "felt", "oxblood", "brass", "stone") for ground in GROUNDS],
    *[("ink", wash) for wash in WASHES],
    *[(word, f"{word}-wash") for word in ("felt", "oxblood", "brass")],
    *[(f"on-{ground}", ground) for ground in ("felt", "oxblood", "band")],
    ("on-brass", "brass-fill"),
    ("on-felt", "felt-deep"),
    ("felt-deep", "paper"),
    ("felt-deep", "linen"),
]
EDGES = [("edge", "paper"), ("edge", "card"), ("felt", "paper"), ("felt", "linen")]
VALUES = {"tokens.css", "print.css"}  # the two places that give the tokens their values


def colours(block: str) -> dict[str, str]:
    found = re.search(BLOCKS[block], TOKENS, re.DOTALL)
    assert found, f"tokens.css has no block {BLOCKS[block]}"
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", found.group(1)))


def luminance(colour: str) -> float:
    """Relative luminance, 0 to 1, of ``#rrggbb`` in sRGB."""
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_of_black_on_white_is_the_21_of_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("block", BLOCKS)
def test_words_have_a_contrast_of_four_and_a_half(block: str) -> None:
    tokens = colours(block)
    measured = {pair: round(contrast(tokens[pair[0]], tokens[pair[1]]), 2) for pair in WORDS}
    assert {pair: value for pair, value in measured.items() if value < 4.5} == {}


@pytest.mark.parametrize("block", BLOCKS)
def test_edges_of_controls_have_a_contrast_of_three(block: str) -> None:
    tokens = colours(block)
    measured = {pair: round(contrast(tokens[pair[0]], tokens[pair[1]]), 2) for pair in EDGES}
    assert {pair: value for pair, value in measured.items() if value < 3} == {}


def test_dark_is_the_same_by_system_and_by_choice() -> None:
    assert colours("dark by the system") == colours("dark by choice")


def test_dark_answers_every_colour_of_light() -> None:
    assert colours("dark by choice").keys() == colours("light").keys()


@pytest.mark.parametrize(("block", "scheme"), [("light", "light"), ("dark by choice", "dark")])
def test_browser_frame_has_the_colour_of_the_paper(block: str, scheme: str) -> None:
    paper = colours(block)["paper"]
    assert f'content="{paper}" media="(prefers-color-scheme: {scheme})"' in BASE


@pytest.mark.parametrize(
    "name", sorted(path.name for path in STATIC.glob("*.css") if path.name not in VALUES)
)
def test_colours_are_named_by_tokens_alone(name: str) -> None:
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b", (STATIC / name).read_text()) == []


def test_paper_answers_every_colour_of_the_screen() -> None:
    printed = set(re.findall(r"--([\w-]+): #[0-9a-f]{3};", (STATIC / "print.css").read_text()))
    assert printed == colours("light").keys()
