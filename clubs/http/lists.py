"""Pages of long lists."""

from dataclasses import dataclass
from typing import Generic, TypeVar

PAGE = 50


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A page of a list; ``next`` is the ref to continue after, "" on the last page."""

    rows: list[T]
    next: str
