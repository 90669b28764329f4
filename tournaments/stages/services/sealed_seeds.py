"""The seeds of draws that are not made yet, sealed for one other machine.

A director carries the file, and must not know a draw before it is made. Each installation therefore has a key
of its own: what is sealed for the public half (``seeds_key``) is opened by that installation alone. It is
hybrid public key encryption (HPKE, RFC 9180) with X25519, HKDF-SHA256 and ChaCha20-Poly1305, as the library
``cryptography`` has it, and is bound to the event. A passphrase would be the director's, and open the file.
"""

import json
from base64 import b64decode, b64encode, urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from functools import cache

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite
from django.utils.translation import gettext as _

from tournaments.events.services.events import DeskRefused
from tournaments.log.installation_keys import kept

KEY = "seeds_key"
SUITE = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)

Seeds = Mapping[str, tuple[str, str]]
"""Of each stage, by ref, the seed of the draw and that of its dice."""


@cache
def _own_key() -> X25519PrivateKey:
    path = kept(KEY, lambda: X25519PrivateKey.generate().private_bytes_raw())
    return X25519PrivateKey.from_private_bytes(path.read_bytes())


def seeds_key() -> str:
    """The public half of this installation's key, 43 signs of base64url."""
    return urlsafe_b64encode(_own_key().public_key().public_bytes_raw()).rstrip(b"=").decode()


def public_key_in(text: str) -> X25519PublicKey:
    """A key as somebody copied it. Raises DeskRefused for what is none."""
    text = "".join(text.split())
    try:
        # Any other length than 32 bytes is a ValueError, too.
        return X25519PublicKey.from_public_bytes(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except ValueError as error:
        raise _no_key(text) from error


def _no_key(text: str) -> DeskRefused:
    return DeskRefused(
        _("%(key)s is no key of a machine: copy the one on its page Read an event file.") % {"key": text},
        code="seeds_key",
    )


def sealed(seeds: Seeds, *, event: str, for_key: str) -> dict[str, str]:
    """The seeds as a file carries them for the machine of a key, bound to the event (a ref).

    Raises DeskRefused for what is no key.
    """
    plain = json.dumps({ref: list(pair) for ref, pair in sorted(seeds.items())}).encode()
    key = public_key_in(for_key)
    try:
        box = SUITE.encrypt(plain, key, info=_bound_to(event))
    except ValueError as error:
        # A point of small order, such as zero: whatever is sealed for it, anybody could open.
        raise _no_key(for_key) from error
    return {"for": "".join(for_key.split()), "box": b64encode(box).decode()}


def opened(box: Mapping[str, str], *, event: str) -> dict[str, tuple[str, str]] | None:
    """The seeds of a file; None where they are sealed for another machine.

    Raises ValueError for a box that does not open although it is for this one.
    """
    if box["for"] != seeds_key():
        return None
    try:
        plain = SUITE.decrypt(b64decode(box["box"], validate=True), _own_key(), info=_bound_to(event))
    except InvalidTag as error:
        raise ValueError("the sealed seeds do not open") from error
    return {str(ref): (str(seed), str(dice)) for ref, (seed, dice) in json.loads(plain).items()}


def _bound_to(event: str) -> bytes:
    return b"midpoint seeds 1 " + event.encode()
