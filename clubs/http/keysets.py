"""Keyset pagination: a page begins after a row, not after a number of rows.

A page costs the same wherever it is, and rows that come and go shift nothing. The view names the order:
``ordering = ("person__sort_key", "pk")``; a leading minus reverses a key, the last key is unique.
"""

import base64
import binascii
import json
import math
from datetime import datetime
from typing import Any, TypeVar

from django.core.exceptions import ValidationError as ModelError
from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

M = TypeVar("M", bound=Model)

AFTER, LIMIT = "after", "limit"
DEFAULT_LIMIT, MAX_LIMIT = 50, 200


class Keyset(BasePagination):
    """Pages by ``?after=<cursor>&limit=<1 to 200>``, as ``{"items", "next"}``.

    ``next`` is null on the last page. A cursor is opaque; it holds the keys of the last row shown, none of
    them secret from a viewer of the row.
    """

    parameters = (AFTER, LIMIT)

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        """The rows of one page, in one query."""
        self.keys: tuple[str, ...] = view.ordering
        limit = _limit(request.query_params.get(LIMIT))
        if cursor := request.query_params.get(AFTER):
            queryset = self._behind(queryset, cursor)
        rows = list(queryset.order_by(*self.keys)[: limit + 1])
        self.next: str | None = None
        if len(rows) > limit:
            rows = rows[:limit]
            self.next = replace_query_param(request.build_absolute_uri(), AFTER, self._cursor(rows[-1]))
        return rows

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"items": data, "next": self.next})

    def _cursor(self, row: Model) -> str:
        values = [_value(row, key.lstrip("-")) for key in self.keys]
        return base64.urlsafe_b64encode(json.dumps(values, default=_text).encode()).decode().rstrip("=")

    def _behind(self, queryset: QuerySet[M], cursor: str) -> QuerySet[M]:
        """Rows after the cursor: (a, b) > (x, y) is a > x or (a = x and b > y).

        ``a >= x`` is added so that an index scan can start there.
        """
        values = _keys_of(cursor, len(self.keys))
        condition, equal = Q(), Q()
        for key, value in zip(self.keys, values, strict=True):
            name = key.lstrip("-")
            condition |= equal & Q(**{f"{name}__{'lt' if key.startswith('-') else 'gt'}": value})
            equal &= Q(**{name: value})
        first = self.keys[0]
        begins = Q(**{f"{first.lstrip('-')}__{'lte' if first.startswith('-') else 'gte'}": values[0]})
        try:
            return queryset.filter(begins, condition)
        except (ValueError, TypeError, ModelError) as error:
            raise _bad_cursor() from error

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return {
            "type": "object",
            "required": ["items", "next"],
            "properties": {
                "items": schema,
                "next": {
                    "type": ["string", "null"],
                    "format": "uri",
                    "description": "URL of the next page; null on the last page.",
                },
            },
        }

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:  # noqa: ARG002
        return [
            {
                "name": AFTER,
                "in": "query",
                "required": False,
                "description": "Where the page starts; taken from `next` of the previous page.",
                "schema": {"type": "string"},
            },
            {
                "name": LIMIT,
                "in": "query",
                "required": False,
                "description": "Maximum number of items.",
                "schema": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": MAX_LIMIT,
                    "default": DEFAULT_LIMIT,
                },
            },
        ]


def _limit(text: str | None) -> int:
    if text is None:
        return DEFAULT_LIMIT
    if not (text.isascii() and text.isdecimal() and len(text) < 5 and 1 <= int(text) <= MAX_LIMIT):
        raise ValidationError(
            {
                LIMIT: [
                    _("%(sent)s is not a whole number from 1 to %(max)d.")
                    % {"sent": text[:20], "max": MAX_LIMIT}
                ]
            }
        )
    return int(text)


def _bad_cursor() -> ValidationError:
    return ValidationError({AFTER: [_("This is not a place in the list. Use the address in “next”.")]})


def _keys_of(cursor: str, length: int) -> list[Any]:
    try:
        values = json.loads(
            base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        )
    except (ValueError, binascii.Error, RecursionError) as error:
        raise _bad_cursor() from error
    plain = isinstance(values, list) and all(_is_key(value) for value in values)
    if not plain or len(values) != length:
        raise _bad_cursor()
    return list(values)


def _is_key(value: Any) -> bool:
    """Whether a value can be a key: text for PostgreSQL, or a column-sized number."""
    if isinstance(value, str):
        return "\0" not in value and value.isprintable()
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and -(2**63) <= value < 2**63


def _value(row: Any, key: str) -> Any:
    for step in key.split("__"):
        row = getattr(row, step)
    return row


def _text(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{value!r} cannot be a key of a list.")
