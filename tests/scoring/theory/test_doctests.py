"""The examples in the docstrings run."""

import doctest

import pytest

from scoring.theory import bearoff, bearoff_table, janowski, luck, met, performance, races


@pytest.mark.parametrize(
    "module", [bearoff, bearoff_table, janowski, luck, met, performance, races], ids=lambda m: m.__name__
)
def test_docstring_examples(module):
    outcome = doctest.testmod(module)
    assert outcome.attempted > 0
    assert outcome.failed == 0
