"""Parses ``EMAIL_URL``: the mail server and the encryption of its connection."""

from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote, urlsplit

Protection = Literal["", "starttls", "tls"]

# Scheme: port (RFC 5321, 6409, 8314) and protection.
SCHEMES: dict[str, tuple[int, Protection]] = {
    "smtp": (25, ""),
    "submission": (587, "starttls"),
    "smtp+tls": (587, "starttls"),
    "smtps": (465, "tls"),
    "smtp+ssl": (465, "tls"),
}


@dataclass(frozen=True, slots=True)
class MailServer:
    """A mail server; ``starttls`` starts unencrypted, ``tls`` with TLS."""

    host: str
    port: int
    user: str
    password: str
    protection: Protection


def read_mail_server(url: str) -> MailServer:
    """Parse an address such as ``smtp+tls://user:password@mail.example:587``.

    Special characters of user and password are percent-encoded. Raises ValueError for an unknown scheme or
    an invalid port.
    """
    parts = urlsplit(url)
    if parts.scheme not in SCHEMES:
        raise ValueError(f"{parts.scheme}: is not one of {', '.join(f'{name}:' for name in SCHEMES)}")
    port, protection = SCHEMES[parts.scheme]
    return MailServer(
        host=parts.hostname or "localhost",
        port=parts.port or port,
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        protection=protection,
    )
