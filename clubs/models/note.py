"""Free text about a game, kept apart from the logs that refer to it."""

import hashlib
import secrets

from django.db import models

from clubs.models.ref import RefModel

SALT_BYTES = 16


def new_salt() -> bytes:
    return secrets.token_bytes(SALT_BYTES)


class Note(RefModel):
    """Erasable text. Hash chains hold its ref and ``digest``, so erasing breaks none."""

    text = models.TextField(blank=True)
    salt = models.BinaryField(max_length=SALT_BYTES, default=new_salt)
    erased_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(erased_at=None) | models.Q(text="", salt=b""), name="note_erased_is_empty"
            )
        ]

    @property
    def digest(self) -> str:
        """SHA-256 of salt and text, 64 hex digits; unguessable without the salt."""
        return hashlib.sha256(bytes(self.salt) + self.text.encode()).hexdigest()
