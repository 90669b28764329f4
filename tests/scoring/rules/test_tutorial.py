"""The tutorial says what happens."""

import doctest
from pathlib import Path

TUTORIAL = Path(__file__).parents[3] / "docs" / "engineers" / "rules-tutorial.md"


def test_every_line_of_the_tutorial_is_true():
    failed, tried = doctest.testfile(str(TUTORIAL), module_relative=False, encoding="utf-8")
    assert failed == 0
    assert tried > 30
