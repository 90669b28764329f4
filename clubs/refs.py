"""Refs: opaque public names of rows in URLs, QR codes, the API and archives.

Primary keys stay private. A ref reveals nothing about its row (neither its age nor how many there are) and
can be read aloud: no 0/o, 1/i/l and no u beside v.
"""

import re
import secrets

REF_ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"
REF_LENGTH = 10
REF_PATTERN = f"[{REF_ALPHABET}]{{{REF_LENGTH}}}"


def new_ref() -> str:
    """Ten random characters of ``REF_ALPHABET``: 30**10, about 49 bits."""
    return "".join(secrets.choice(REF_ALPHABET) for _ in range(REF_LENGTH))


class RefConverter:
    """``<ref:match>`` in a URL pattern; registered when the clubs app is ready."""

    regex = REF_PATTERN

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


def looks_like_ref(text: str) -> bool:
    """Whether a text has the form of a ref."""
    return re.fullmatch(REF_PATTERN, text) is not None
