"""``manage.py up`` on the command line, without loading Django."""

import signal
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from types import FrameType

from deploy.address import Address, UpError
from deploy.checkout import EnginesBusyError, VariableDirectoryError
from deploy.detaching import detach
from deploy.embedded import ServerError
from deploy.installation import Installation

HELP = "Run Midpoint until Ctrl-C: web, workers, beat, and engines where none are configured."


def main(argv: Sequence[str]) -> None:
    """Serve until told to stop; raises SystemExit on failure."""
    words = ArgumentParser(prog="manage.py up", description=HELP)
    add_arguments(words)
    options = words.parse_args(argv[2:])
    serve(bind=options.bind, port=options.port, demo=options.demo, detached=options.detach)


def serve(*, bind: str, port: int, demo: bool, detached: bool = False) -> None:
    """Serve here or ``detached``; raises SystemExit on failure."""
    if not 0 <= port < 65536:
        sys.exit(f"midpoint: --port {port} is not a TCP port: choose one from 1 to 65535, or 0 for any")
    signal.signal(signal.SIGTERM, _exit_on_signal)
    try:
        if detached:
            sys.exit(detach(["--bind", bind, "--port", str(port), *(["--demo"] if demo else [])]))
        Installation(Address(bind, port), demo=demo).run()
    except (UpError, ServerError, EnginesBusyError, VariableDirectoryError) as error:
        sys.exit(f"midpoint: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


def add_arguments(words: ArgumentParser) -> None:
    words.add_argument(
        "--port", type=int, default=8000, help="TCP port of the site (8000); 0 picks a free one"
    )
    words.add_argument("--bind", default="127.0.0.1", help="address to listen on; 0.0.0.0 for all networks")
    words.add_argument(
        "--detach", action="store_true", help="run in the background; return when the site answers"
    )
    words.add_argument("--demo", action="store_true", help="create the demo club first, if there is none")


def _exit_on_signal(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + number)
