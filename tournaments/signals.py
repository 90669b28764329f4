"""The domain signal of draws: what a result has made of a stage."""

from django.dispatch import Signal

places_changed = Signal()
"""Sent as ``places_changed(sender=Stage, stage, before, after)`` inside the transaction that has written a
result into the log of a stage, with the stage locked. ``before`` and ``after`` are values of
``tournaments.core.stages.stage``."""
