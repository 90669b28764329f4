"""What an installation keeps outside of its database: the keys in ``var/``.

Uploaded files are rows; logs, static files and Valkey's messages and caches are made again. A ``SECRET_KEY``
of the environment belongs to whoever set it, and is not in a backup: it is only told apart from another.
"""

import contextlib
import os
from pathlib import Path

from django.conf import settings
from django.utils.crypto import salted_hmac

from tournaments.services import push_key, sealed_seeds

NAMES = ("secret_key", push_key.KEY, sealed_seeds.KEY)
FOLDER = "keys"
REPLACED = ".before-restore"


def kept_keys() -> dict[str, bytes]:
    """The keys that this installation has made, by the name of their file."""
    found = {}
    for name in NAMES:
        with contextlib.suppress(FileNotFoundError):
            found[name] = (Path(settings.VAR) / name).read_bytes()
    return found


def print_of(secret: str, *, salt: str) -> str:
    """By what one ``SECRET_KEY`` is told from another; says nothing about it."""
    return salted_hmac("deploy.backup", salt, secret=secret, algorithm="sha256").hexdigest()


def signs_as(manifest_print: str, *, salt: str, keys: dict[str, bytes]) -> bool:
    """Whether, with these keys in place, links and sessions are signed as when the backup was taken."""
    own = os.environ.get("SECRET_KEY") or keys.get("secret_key", settings.SECRET_KEY.encode()).decode()
    return print_of(own, salt=salt) == manifest_print


def put_back(keys: dict[str, bytes]) -> list[str]:
    """Put keys into ``var/``; those that were replaced there are kept beside them. The names of these."""
    replaced = []
    for name, content in keys.items():
        path = Path(settings.VAR) / name
        if path.exists() and path.read_bytes() != content:
            path.rename(path.with_name(name + REPLACED))
            replaced.append(name)
        draft = path.with_name(f"{name}.{os.getpid()}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    return replaced
