"""Docstrings and comments cite what a reader can open: pages of the repository, and names that exist."""

import re
from pathlib import Path

import pytest

from tests.architecture.citations import QUOTED, Code, missing_pages, names_near, remarks

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("clubs", "scoring", "tournaments", "deploy", "tests")
SAID_OF_OTHERS = frozenset({"AppConfig.ready", "midpoint.E001"})
"""A class of Django's that ours inherit from, and the id of a system check."""


@pytest.fixture(scope="module")
def code() -> Code:
    return Code(ROOT, ROOMS)


def test_every_cited_page_and_heading_exists(code: Code) -> None:
    missing = [
        f"{path.relative_to(ROOT)}:{remark.line}: {cited}"
        for path, _tree, remark in code.remarks_with(re.compile(r"\.md"))
        if path != Path(__file__)
        for cited in missing_pages(remark.text, ROOT)
    ]
    assert missing == []


def test_every_dotted_name_of_ours_exists(code: Code) -> None:
    unknown = []
    for path, tree, remark in code.remarks_with(QUOTED):
        for quoted in QUOTED.finditer(remark.text):
            name = quoted["name"]
            if name not in SAID_OF_OTHERS and not code.knows(name, near=names_near(tree)):
                unknown.append(f"{path.relative_to(ROOT)}:{remark.line}: {name}")
    assert unknown == []


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("Source: docs/reference/rules.md.", []),
        ('Source: docs/reference/rules.md, "The cube" and "Match play".', []),
        ('Source: docs/reference/rules.md, "The cubes".', ['docs/reference/rules.md, "The cubes"']),
        ('See docs/reference/rules.md, "The cube" and "Cubes".', ['docs/reference/rules.md, "Cubes"']),
        ("Source: rules.md, section 1.", ["rules.md"]),
        ("Every `*.md` of the folder.", []),
    ],
)
def test_pages_and_headings_that_are_not_there_are_found(text: str, missing: list[str]) -> None:
    assert missing_pages(text, ROOT) == missing


@pytest.mark.parametrize(
    "name",
    [
        "scoring.rules.match",
        "scoring.rules.match.MatchScore",
        "scoring.rules.match.MatchScore.after",
        "tournaments.core.stages",
        "resolve.BracketStatus",
        "standings.tables",
        "Cube.turned_to",
        "Played.kind",
        "Club.objects",
        "IllegalPlay.parameters",
        "os.environ",
        "near.anything",
        "board.css",
    ],
)
def test_names_that_exist_are_known(code: Code, name: str) -> None:
    assert code.knows(name, near={"near"})


@pytest.mark.parametrize(
    "name",
    [
        "scoring.rules.matches",
        "scoring.rules.match.MatchPoints",
        "scoring.rules.match.MatchScore.before",
        "standings.charts",
        "services.corrections",
        "Cube.turned_by",
        "IllegalPlay.pieces",
        "unheard_of.name",
    ],
)
def test_names_that_do_not_exist_are_found(code: Code, name: str) -> None:
    assert not code.knows(name, near={"near"})


def test_docstrings_of_attributes_and_runs_of_comments_are_read() -> None:
    source = '"""First\nsecond."""\nA = 1\n"""Of A."""\n# one\n# two\nB = 2  # three\n'
    assert [remark.text for remark in remarks(source)] == ["First second.", "Of A.", "one two three"]
