"""The key by which push services know this installation (VAPID, RFC 8292): made once, kept in ``var/``."""

import contextlib
import os
from base64 import urlsafe_b64encode
from functools import cache
from pathlib import Path

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02


def key_path() -> Path:
    return Path(settings.VAR) / "push_key.pem"


@cache
def push_key() -> Vapid02:
    """The installation's private key."""
    path = key_path()
    if not path.exists():
        made = Vapid02()
        made.generate_keys()
        draft = path.with_suffix(f".{os.getpid()}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(made.private_pem())
        # Another process may make one at this moment: a link never replaces, and is never half a file.
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(draft)
        draft.unlink()
    return Vapid02.from_file(str(path))


def public_key() -> str:
    """What browsers are given to subscribe with: the uncompressed point, base64url without padding."""
    point = push_key().public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).rstrip(b"=").decode()
