"""Celery tasks: each claims one work row and calls one service."""

from celery import shared_task

from clubs.work import services as work
from tournaments.display.services.pushes import send_call
from tournaments.leagues.services import forfeit_overdue, remind
from tournaments.models import PushCall


@shared_task(name=PushCall.TASK)
def push_call(ref: str) -> None:
    """Call one user in their browsers."""
    if call := work.claim(PushCall, ref=ref):
        send_call(call)


@shared_task(name="tournaments.deadlines")
def look_after_deadlines() -> None:
    """Once an hour: remind of matches that are due, and end those whose last day is over."""
    remind()
    forfeit_overdue()
