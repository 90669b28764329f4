"""A stretch of a long list, for pages that show one after the other."""

from dataclasses import dataclass
from typing import Generic, TypeVar

PAGE = 50


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A stretch of a long list; ``next`` is the ref after which the following one begins, "" at the end."""

    rows: list[T]
    next: str
