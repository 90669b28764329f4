"""Errors of the rules in words."""

from django.utils.translation import gettext as _

from scoring.rules.errors import ScoringError


def text_of(error: ScoringError) -> str:
    """An error of the rules, translated."""
    return _(error.template).format(**error.parameters)
