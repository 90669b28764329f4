"""Keyset pagination: pages that start after or end before a named row.

A cursor is the ref of a row, so an address stays true while rows are added above it; a cursor that is not in
the list any more starts again. No OFFSET: the last stretch costs what the first one does.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Model, Q, QuerySet

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Stretch(Generic[Row]):
    """A page of rows with the cursors ``before`` and ``after``, "" at the ends."""

    rows: list[Row]
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Order:
    """A total order of two columns and the lookup of the ref that names a row.

    ``Order("-played_at", "-ref", cursor="ref")``; the second column must decide all ties of the first.
    """

    first: str
    second: str
    cursor: str

    @property
    def columns(self) -> tuple[str, str]:
        return self.first.removeprefix("-"), self.second.removeprefix("-")

    def reversed(self) -> "Order":
        return Order(_turned(self.first), _turned(self.second), self.cursor)

    def beyond(self, place: tuple[Any, Any]) -> Q:
        """The rows that come strictly behind a place.

        Not behind it by the first column, and then by either: so written an index begins at the place, which
        it cannot at one of two alternatives.
        """
        (one, two), (value, tie) = self.columns, place
        further = "lt" if self.first.startswith("-") else "gt"
        beyond_tie = Q(**{f"{two}__{'lt' if self.second.startswith('-') else 'gt'}": tie})
        return Q(**{f"{one}__{further}e": value}) & (Q(**{f"{one}__{further}": value}) | beyond_tie)


def stretch(
    rows: QuerySet[Any, Any],
    order: Order,
    *,
    cursor_of: Callable[[Any], str],
    after: str = "",
    before: str = "",
    size: int = 25,
) -> Stretch[Any]:
    """At most ``size`` rows behind the cursor ``after``, or before ``before`` (two queries at most)."""
    backwards = bool(before) and not after
    place = _place(rows, order, before if backwards else after)
    if place is None:
        found = list(rows.order_by(order.first, order.second)[: size + 1])
        return Stretch(found[:size], after=cursor_of(found[size - 1]) if len(found) > size else "")
    way = order.reversed() if backwards else order
    found = list(rows.filter(way.beyond(place)).order_by(way.first, way.second)[: size + 1])
    more, shown = len(found) > size, found[:size]
    if backwards:
        shown.reverse()
    if not shown:
        return Stretch([])
    first, last = cursor_of(shown[0]), cursor_of(shown[-1])
    return Stretch(
        shown,
        before=first if more or not backwards else "",
        after=last if more or backwards else "",
    )


def _place(rows: QuerySet[Any, Any], order: Order, cursor: str) -> tuple[Any, Any] | None:
    if not cursor:
        return None
    named = rows.filter(**{order.cursor: cursor}).order_by().values_list(*order.columns)[:1]
    return next(iter(named), None)


def _turned(column: str) -> str:
    return column.removeprefix("-") if column.startswith("-") else f"-{column}"


def ref_of(row: Model) -> str:
    """The cursor of a row that is named by its own ref."""
    return str(getattr(row, "ref"))  # noqa: B009 - any model with a ref
