"""Errors are values: a code, a template, parameters."""

import pickle

import pytest

from scoring.rules.errors import IllegalAction, IllegalPlay, InvalidNotation, InvalidValue

ERRORS = [
    IllegalPlay("blocked", "{move} is blocked", move="24/18"),
    IllegalAction("not_now", "{action} is not possible now", action="double"),
    InvalidValue("die", "a die shows 1 to 6, not {die}", die=7),
    InvalidNotation("slot", "no point {name} at {at}", at=3, name="26"),
    InvalidNotation("slot", "line {line}: no point {name}", line=3, name="26"),
]


@pytest.mark.parametrize("error", ERRORS)
def test_an_error_survives_pickling_and_equals_itself(error):
    copy = pickle.loads(pickle.dumps(error))
    assert copy == error
    assert hash(copy) == hash(error)
    assert str(copy) == str(error)


def test_errors_of_another_kind_or_value_differ():
    assert len(set(ERRORS)) == len(ERRORS)
    assert ERRORS[0] != "24/18 is blocked"


def test_an_offset_becomes_a_line():
    error = InvalidNotation("slot", "no point {name} at {at}", at=3, name="26").on_line(12)
    assert (error.line, error.at, str(error)) == (12, None, "line 12: no point 26 at 3")
    assert error.parameters == {"name": "26", "line": 12}
