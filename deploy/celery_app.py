"""The one Celery application; ``deploy.apps`` imports it so that web and worker share it."""

import signal
from typing import Any

from celery import Celery
from celery.signals import setup_logging, worker_process_init

from deploy import processes

app = Celery("midpoint")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect  # type: ignore[untyped-decorator]
def _leave_logging_alone(**_: Any) -> None:
    """With a receiver here Celery keeps its hands off: Django has set the logs up already."""


@worker_process_init.connect  # type: ignore[untyped-decorator]
def _die_with_the_worker(**_: Any) -> None:
    """A pool process must not go on beside the successor of its killed worker."""
    processes.die_with_parent(signal.SIGKILL)
