"""Runs a command inside ``.venv``, with the engines that it needs."""

import os
import signal
import sys
from pathlib import Path
from types import FrameType

from deploy import attach
from deploy.checkout import EnginesBusyError, VariableDirectoryError
from deploy.configuration import ConfigurationError
from deploy.embedded import ServerError

# These start what they need themselves, or need nothing; every other command gets engines.
WITHOUT_ENGINES = frozenset(
    {
        "up",
        "test",
        "verify",
        "docs",
        "bench",
        "help",
        "version",
        "collectstatic",
        "compilemessages",
        "makemessages",
    }
    | {"legal_plays", "check_draw", "simulate_event", "analysis_agreement"}
    | {"analysis_worker"}  # those of a site elsewhere
)

# Django's own commands, and a few of ours, say or decide themselves how far the tables are.
DJANGOS_OWN = frozenset(
    {"migrate", "makemigrations", "showmigrations", "sqlmigrate", "squashmigrations", "optimizemigration"}
    | {"check", "dbshell", "inspectdb", "sqlflush", "flush"}
    | {"backup", "restore"}  # of the tables as they are, and into a database without any
)


def main(argv: list[str]) -> None:
    """Run ``manage.py``'s command line; raises SystemExit on failure."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    # An orderly end of the process also ends the engines started for it.
    signal.signal(signal.SIGTERM, _exit_on_signal)
    try:
        if needs_engines(argv[1:]):
            with attach.engines_for(argv[1]) as started_here:
                execute(argv, migrated=not started_here or argv[1] in DJANGOS_OWN)
        else:
            execute(argv)
    except ConfigurationError as error:
        sys.exit(f"midpoint cannot start with these environment variables:\n{error}")
    except (EnginesBusyError, ServerError, VariableDirectoryError) as error:
        sys.exit(f"midpoint: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


def needs_engines(words: list[str]) -> bool:
    """Whether a command line uses PostgreSQL or the broker."""
    if not words or words[0] in WITHOUT_ENGINES or words[0].startswith("-"):
        return False
    if words[0] == "analyse" and any(Path(word).is_file() for word in words[1:]):
        return False  # a file, not a match of the site
    return not {"-h", "--help", "--version"} & set(words)


def execute(argv: list[str], *, migrated: bool = True) -> None:
    """Run the command in Django, migrating first unless ``migrated``."""
    # Only now: importing Django's command line may read the settings, and they read the engines' variables.
    from django import setup  # noqa: PLC0415
    from django.conf import settings  # noqa: PLC0415
    from django.core.management import CommandError, call_command, execute_from_command_line  # noqa: PLC0415

    settings._setup()
    if not migrated:
        setup()
        try:
            call_command("migrate", interactive=False, verbosity=0)
        except CommandError as refused:
            sys.exit(f"midpoint: {refused}")
    execute_from_command_line(argv)


def _exit_on_signal(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + number)
