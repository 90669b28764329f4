"""The workers and beat of ``up``: loaded once, then forked.

By themselves, as systemd and compose run them, each would load Django and Celery.
"""

import json
import os
import sys
from functools import partial
from importlib import import_module

from deploy import checkout, forks, processes
from deploy.forks import Part
from deploy.garbage import share_what_is_loaded

# What a worker, its pool and the beat load by themselves, each its own copy of it.
SHARED = (
    "celery.bin.celery",
    "celery.apps.worker",
    "celery.beat",
    "celery.concurrency.prefork",
    "celery.worker.autoscale",
    "celery.worker.consumer",
    "celery.worker.strategy",
    "django_celery_beat.schedulers",
    "kombu.transport.redis",
)


def main() -> None:
    """Run the workers of the first argument: names with their ``celery`` arguments."""
    workers: dict[str, list[str]] = json.loads(sys.argv[1])
    run = os.environ[processes.MARKER].rpartition("/")[0]
    # The standard output stays that of ``up``, which tells there what ended.
    with checkout.log_file("background").open("ab") as log:
        os.dup2(log.fileno(), sys.stderr.fileno())
    load()
    forks.keep(
        Part(name, partial(celery, words), checkout.log_file(name), f"{run}/{name}")
        for name, words in workers.items()
    )


def load() -> None:
    """Load Django, all tasks and Celery, without opening connections or threads."""
    app = import_module("deploy.celery_app").app
    app.loader.import_default_modules()
    app.finalize()
    for name in SHARED:
        import_module(name)
    share_what_is_loaded()


def celery(words: list[str]) -> None:
    """Run as ``python -m celery`` does; ``ps`` shows the arguments."""
    sys.argv = ["celery", "-A", "deploy.celery_app", *words]
    import_module("celery.bin.celery").main()


if __name__ == "__main__":
    main()
