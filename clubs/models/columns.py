"""Model rows from hand-written SQL.

Django takes ten times as long to build a query of several joined models as the database takes to answer it.
What every result and every phone of an event requests is therefore written once, as a statement.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from django.db import connection
from django.db.models import Model, QuerySet


class Columns:
    """The columns of a model under an alias, in SQL and as the rows they build.

    ``only`` or ``without`` name fields; the primary key is always read. Other fields are deferred.
    """

    def __init__(
        self, model: type[Model], alias: str, *, only: Collection[str] = (), without: Collection[str] = ()
    ) -> None:
        self._model = model
        fields = [
            field
            for field in model._meta.concrete_fields
            if field.primary_key or (field.name in only if only else field.name not in without)
        ]
        self._names = [field.attname for field in fields]
        self._key = [field.primary_key for field in fields].index(True)
        self._converted = [(n, field) for n, field in enumerate(fields) if hasattr(field, "from_db_value")]
        self.text = ", ".join(f'{alias}."{field.column}"' for field in fields)

    def __len__(self) -> int:
        return len(self._names)

    def row(self, values: Sequence[Any]) -> Any:
        """The row, or None where an outer join found none."""
        if values[self._key] is None:
            return None
        plain = list(values)
        for index, field in self._converted:
            plain[index] = field.from_db_value(plain[index], None, connection)
        return self._model.from_db(connection.alias, self._names, plain)


def read(statement: str, values: Sequence[Any], *columns: Columns) -> Iterator[list[Any]]:
    """Yield each row of a statement that selects these columns, as model rows.

    Further selected values follow unchanged.
    """
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        for found in cursor.fetchall():
            at, rows = 0, []
            for each in columns:
                rows.append(each.row(found[at : at + len(each)]))
                at += len(each)
            yield [*rows, *found[at:]]


def cache_one(row: Model, name: str, value: Model | None) -> None:
    """Keep a row of the other side of a one-to-one relation, or that there is none."""
    row._state.fields_cache[name] = value


def cache_many(row: Model, name: str, asked: QuerySet[Any], rows: Sequence[Model]) -> None:
    """Keep the rows that refer to this one as the answer of the query ``asked``, as a prefetch does.

    A page of an event has hundreds: pass them one ``none()``, which is not built again.
    """
    kept: Any = type(asked)(asked.model, asked.query, asked.db)
    kept._result_cache, kept._prefetch_done = list(rows), True
    held: Any = row
    held._prefetched_objects_cache = {**getattr(row, "_prefetched_objects_cache", {}), name: kept}
