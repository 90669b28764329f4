"""The event log and the tables of an event."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from scoring.models.log import NotedEntry
from tournaments.models.event import Event


class DeskEvent(NotedEntry):
    """One entry of an event's log.

    What the draws and the results say stands in the stages' logs and on the sheets; this is the rest: calls,
    tables, penalties, rulings. ``body`` has refs and numbers only. ``undoes`` is the seq of the entry that
    this one takes back: each once.
    """

    LINKED = ("undoes", "note_digest")

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="desk_log")
    undoes = models.PositiveIntegerField(null=True, blank=True)

    class Meta(NotedEntry.Meta):
        constraints = [
            *NotedEntry.Meta.constraints,
            models.UniqueConstraint(fields=["event", "seq"], name="desk_event_seq_once"),
            models.UniqueConstraint(fields=["event", "undoes"], name="desk_event_undone_once"),
            models.CheckConstraint(
                condition=Q(undoes=None) | Q(undoes__lt=models.F("seq")),
                name="desk_event_undoes_an_earlier_one",
            ),
        ]


class EventTableQuerySet(models.QuerySet["EventTable"]):
    def in_order(self) -> "EventTableQuerySet":
        return self.order_by("number")


class EventTable(models.Model):
    """A table of the venue, by its number. A ``closed`` one is not given out; a ``featured`` one is for the
    match that is to be watched, and is given out by hand or to a featured pairing.
    """

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="tables")
    number = models.PositiveSmallIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=40, blank=True)
    featured = models.BooleanField(default=False)
    closed = models.BooleanField(default=False)

    objects = EventTableQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="event_table_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="event_table_number_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.number} of {self.event_id}"
