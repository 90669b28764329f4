"""``__in`` with a list of values as one parameter: ``column = ANY (array)``.

PostgreSQL takes at most 65,535 parameters a statement. Django gives one to each value of an ``__in``, and to
each row of a ``prefetch_related``: a list that grows with a club breaks there. An array is one parameter,
however long it is, and one text for the server, which prepares the statement once for every length.
Subqueries stay as they are.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field, ForeignObject
from django.db.models.fields.related_lookups import RelatedIn
from django.db.models.lookups import In
from django.db.models.sql.compiler import SQLCompiler


class AsArray(In):
    """``In`` that sends its direct values as one array."""

    as_array = False

    def process_rhs(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, Any]:
        self.as_array = False
        sql, parameters = super().process_rhs(compiler, connection)
        if not self.rhs_is_direct_value() or any(hasattr(value, "as_sql") for value in self.rhs):
            return sql, parameters  # a subquery, or expressions, which Django compiles by a copy of this
        if sql != f"({', '.join(['%s'] * len(parameters))})":
            return sql, parameters
        self.as_array = True
        return "%s", [_alike(parameters)]

    def get_rhs_op(self, connection: BaseDatabaseWrapper, rhs: str) -> str:
        return f"= ANY({rhs})" if self.as_array else super().get_rhs_op(connection, rhs)


class RelatedAsArray(AsArray, RelatedIn):
    """``AsArray`` for relations."""


def _alike(values: Sequence[Any]) -> list[Any]:
    """The values as plain types: an array has one type."""
    return [_plain(value.value if isinstance(value, Enum) else value) for value in values]


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return str(value)
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else value


def install() -> None:
    """Register the lookup for all fields; call it once, when the models are loaded."""
    Field.register_lookup(AsArray)
    ForeignObject.register_lookup(RelatedAsArray)
