"""The examples in the docstrings run."""

import doctest

from scoring.engines import checks


def test_docstring_examples():
    outcome = doctest.testmod(checks)
    assert outcome.attempted > 0
    assert outcome.failed == 0
