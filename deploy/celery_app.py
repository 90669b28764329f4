"""The Celery application; ``deploy.apps`` imports it for web and workers."""

import logging
import signal
from typing import Any, ClassVar

from celery import Celery, bootsteps
from celery.signals import (
    beat_embedded_init,
    setup_logging,
    worker_before_create_process,
    worker_init,
    worker_process_init,
)
from celery.worker import state

from deploy import processes
from deploy.garbage import share_what_is_loaded

app = Celery("midpoint")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

logger = logging.getLogger(__name__)
LOOK_EVERY = 5.0  # seconds


class BeatWatch(bootsteps.StartStopStep):  # type: ignore[misc]
    """Ends a worker whose embedded beat has died.

    Celery would go on without it; the supervisor starts both again.
    """

    requires: ClassVar[set[str]] = {"celery.worker.components:Timer", "celery.worker.components:Beat"}

    def __init__(self, worker: Any, beat: bool = False, **options: Any) -> None:  # noqa: FBT001, FBT002
        super().__init__(worker, **options)
        self.enabled = beat

    def start(self, worker: Any) -> None:
        worker.timer.call_repeatedly(LOOK_EVERY, self._look, (worker,))

    def _look(self, worker: Any) -> None:
        if not worker.beat.is_alive():
            logger.error("the beat has died; the worker stops, so that both are restarted")
            state.should_stop = 1  # the exit code


app.steps["worker"].add(BeatWatch)


@setup_logging.connect  # type: ignore[untyped-decorator]
def _leave_logging_alone(**_: Any) -> None:
    """Keeps Celery from configuring logging, which Django has done."""


@worker_init.connect  # type: ignore[untyped-decorator]
@worker_before_create_process.connect  # type: ignore[untyped-decorator]
def _share_memory(**_: Any) -> None:
    """Called for every new process of the pool, and before the beat."""
    share_what_is_loaded()


@beat_embedded_init.connect  # type: ignore[untyped-decorator]
@worker_process_init.connect  # type: ignore[untyped-decorator]
def _die_with_the_worker(**_: Any) -> None:
    """Ends a pool process when its worker is killed."""
    processes.die_with_parent(signal.SIGKILL)
