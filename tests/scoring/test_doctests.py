"""The examples in the docstrings of the pure packages are true."""

import doctest
import importlib
import pkgutil

import pytest

import scoring.notation
import scoring.rules

MODULES = [
    module.name
    for package in (scoring.rules, scoring.notation)
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_the_module_are_true(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
