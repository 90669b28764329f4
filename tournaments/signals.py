"""The domain signals: what a result has made of a stage, what was written in the log of an event."""

from django.dispatch import Signal

places_changed = Signal()
"""Sent as ``places_changed(sender=Stage, stage, before, after)`` inside the transaction that has written a
result into the log of a stage, with the stage locked. ``before`` and ``after`` are values of
``tournaments.core.stages.stage``."""

entry_written = Signal()
"""Sent as ``entry_written(sender=DeskEvent, entry)`` inside the transaction that has appended the entry to
the log of its event, with the event locked."""
