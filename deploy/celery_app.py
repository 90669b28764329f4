"""The one Celery application; ``deploy.apps`` imports it so that web and worker share it."""

import signal
from typing import Any

from celery import Celery
from celery.signals import worker_process_init

from deploy import processes

app = Celery("midpoint")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_process_init.connect
def _die_with_the_worker(**_: Any) -> None:
    """A pool process must not go on beside the successor of its killed worker."""
    processes.die_with_parent(signal.SIGKILL)
