"""The web processes: uvicorns on one socket that their supervisor keeps open.

The port stays bound while a killed web process is being replaced: visitors wait instead of being refused.
"""

import argparse
import gc
import socket

import uvicorn

from deploy import forks

STREAMS_GRACE = 3  # seconds that open live pages get before a stop closes them


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--fd", type=int, help="the file descriptor of a listening socket")
    where.add_argument("--bind", help="host:port to listen on")
    parser.add_argument("--processes", type=int, default=1, help="how many share the socket")
    options = parser.parse_args()
    listener = socket.socket(fileno=options.fd) if options.fd is not None else listen(options.bind)
    config = uvicorn.Config(
        "deploy.asgi:application",
        lifespan="off",
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=STREAMS_GRACE,
    )
    config.load()
    collect_rarely()
    forks.serve_in(options.processes, lambda: uvicorn.Server(config).run(sockets=[listener]))


def collect_rarely() -> None:
    """Let the collector of cyclic garbage pass over what was loaded at the start, and come less often.

    A full collection of Django's modules takes as long as drawing a large bracket, and that page makes enough
    objects to call for one each time; what it makes has no cycles.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def listen(address: str) -> socket.socket:
    """A listening socket for ``host:port``; an IPv6 host stands in brackets.

    Raises:
        OSError: the port is taken or the address is not this machine's.
    """
    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = host == "::" and socket.has_dualstack_ipv6()
    return socket.create_server((host, int(port)), family=family, backlog=512, dualstack_ipv6=both)


if __name__ == "__main__":
    main()
