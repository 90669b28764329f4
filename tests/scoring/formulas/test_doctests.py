"""The examples in the docstrings run."""

import doctest

import pytest

from scoring.formulas import elo, policy


@pytest.mark.parametrize("module", [elo, policy], ids=lambda m: m.__name__)
def test_docstring_examples(module):
    outcome = doctest.testmod(module)
    assert outcome.attempted > 0
    assert outcome.failed == 0
