"""Errors of the rules in words."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from scoring.rules.errors import ScoringError
from scoring.rules.sides import Side

SIDES = ("side", "owner")
"""Parameters whose value is a side of the board."""


def text_of(error: ScoringError, names: Mapping[Side, str] | None = None) -> str:
    """An error of the rules, translated, with the names of ``names`` in place of sides."""
    return _(error.template).format(**_named(error, names or {}))


def with_names(error: ScoringError, names: Mapping[Side, str]) -> ScoringError:
    """The same error about players, not about sides: White and Black are colours of checkers."""
    parameters = _named(error, names)
    if parameters == error.parameters:
        return error
    return type(error)(error.code, error.template, **parameters)


def _named(error: ScoringError, names: Mapping[Side, str]) -> dict[str, object]:
    given = {name: str(error.parameters[name]) for name in SIDES if name in error.parameters}
    return error.parameters | {name: names[Side(side)] for name, side in given.items() if side in names}
