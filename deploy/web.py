"""The web processes: uvicorns on one socket held by their supervisor.

The port stays bound while a killed web process is being replaced: visitors wait instead of being refused.
"""

import argparse
import logging
import os
import resource
import socket
import sys
from functools import partial
from importlib import import_module

import django
import uvicorn
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.urls import get_resolver

from deploy import forks
from deploy.configuration import ConfigurationError
from deploy.garbage import collect_rarely
from deploy.limits import MOST_CONNECTIONS, Addresses, BoundedProtocol
from deploy.network import STREAMS_GRACE, listen
from deploy.preparing import PREPARE_OVER, WITH_STATIC
from deploy.up_to_date import prepare

logger = logging.getLogger(__name__)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--fd", type=int, help="the file descriptor of a listening socket")
    where.add_argument("--bind", help="host:port to listen on")
    parser.add_argument("--processes", type=int, default=1, help="number of processes that share the socket")
    parser.add_argument(
        PREPARE_OVER, type=int, metavar="FD", help="migrate first, when told over this socket (part of up)"
    )
    parser.add_argument(WITH_STATIC, action="store_true", help="collect the static files meanwhile")
    options = parser.parse_args()
    listener = socket.socket(fileno=options.fd) if options.fd is not None else listen(options.bind)
    allow_connections()
    try:
        load()
        if options.prepare_over is not None:
            with socket.socket(fileno=options.prepare_over) as supervisor:
                prepare(supervisor, static=options.static)
        site = import_module("deploy.asgi")  # only now: it lists the static files
    except ConfigurationError as error:
        sys.exit(f"midpoint cannot start with these environment variables:\n{error}")
    check_static_files()
    config = uvicorn.Config(
        site.application,
        # uvicorn calls it like the class that it names as the type.
        http=partial(BoundedProtocol, limits=site.limits, open_now=Addresses(site.limits.per_address)),  # type: ignore[arg-type]
        lifespan="off",
        ws="none",
        proxy_headers=False,  # uvicorn would trust everything on this machine
        limit_concurrency=MOST_CONNECTIONS,
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=STREAMS_GRACE,
    )
    collect_rarely()
    forks.serve_in(options.processes, lambda: uvicorn.Server(config).run(sockets=[listener]))


def load() -> None:
    """Load all pages before forking: memory is shared, and no visitor waits."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    django.setup(set_prefix=False)
    _ = get_resolver().url_patterns


def check_static_files() -> None:
    """Log that the static files were not collected.

    Without their manifest pages answer with an error page; the API still works.
    """
    if not getattr(staticfiles_storage, "hashed_files", True):
        logger.error(
            "the static files are not collected in %s: run manage.py collectstatic", settings.STATIC_ROOT
        )


def allow_connections() -> None:
    """Raise the limit of open files to the number of connections."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * MOST_CONNECTIONS
    if soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


if __name__ == "__main__":
    main()
