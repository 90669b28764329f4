"""Key of this installation for push services (VAPID, RFC 8292) in ``var/``."""

from base64 import urlsafe_b64encode
from functools import cache

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from tournaments.log.installation_keys import kept

KEY = "push_key.pem"


@cache
def push_key() -> Vapid02:
    """The installation's private key."""
    return Vapid02.from_file(str(kept(KEY, _made)))


def public_key() -> str:
    """Public key for browsers: uncompressed point, base64url without padding."""
    point = push_key().public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).rstrip(b"=").decode()


def _made() -> bytes:
    made = Vapid02()
    made.generate_keys()
    return bytes(made.private_pem())
