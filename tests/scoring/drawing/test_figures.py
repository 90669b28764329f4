"""How ratings, PR, gains and losses are written."""

import doctest

import pytest

from clubs.formats.numbers import signed
from scoring.drawing import figures
from scoring.templatetags.figures import gain


def test_the_examples_are_true():
    assert doctest.testmod(figures).failed == 0


@pytest.mark.parametrize(
    ("value", "places", "written"),
    [
        (22.3607, 1, "+22.4"),
        (-10.96, 1, "−11.0"),
        (0.04, 1, "0.0"),
        (-0.0844, 3, "−0.084"),
    ],
)
def test_a_gain_is_rounded_and_keeps_its_sign(value, places, written):
    assert signed(value, places) == written


def test_a_pr_has_one_place_and_a_dash_where_nothing_counted():
    assert [figures.pr(value) for value in (0, 7.126, None)] == ["0.0", "7.1", "–"]


def test_a_loss_is_said_by_its_sign_and_its_colour():
    assert gain(-1.25, 2) == '<span class="minus">−1.25</span>'
    assert gain(1.25, 2) == '<span class="plus">+1.25</span>'
