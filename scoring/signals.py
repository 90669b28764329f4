"""The one domain signal, which goes up the chain."""

from django.dispatch import Signal

result_changed = Signal()
"""Sent as ``result_changed(sender=Match, match, before, after)`` inside the transaction that finished,
corrected, confirmed or voided the match. ``before`` (None at first) and ``after`` are values of
``scoring.services.results.ResultValue``."""
