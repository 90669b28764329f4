"""Addresses of rows, of which a page has many: Django takes long to resolve each."""

from functools import lru_cache

from django.urls import reverse

STANDIN = "2222222222"
"""Looks like a ref, stands for each one."""


def way_to(name: str, ref: str) -> str:
    """The address of a thing by its ref, as ``reverse`` gives it."""
    return _address(name).replace(STANDIN, ref)


@lru_cache(maxsize=256)
def _address(name: str) -> str:
    return reverse(name, args=[STANDIN])
