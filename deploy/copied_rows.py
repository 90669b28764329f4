"""Writes rows of any model by COPY, for large throw-away databases."""

from collections.abc import Iterable
from random import Random
from typing import Any

from django.db import connection, models

from clubs.models import Club
from deploy.large_club import next_key, refs_without_end


class Copied:
    """Writes unsaved rows by COPY and gives them keys and refs."""

    def __init__(self, club: Club) -> None:
        self._refs = refs_without_end(Random(f"rows of {club.pk}"))  # noqa: S311 - a reproducible club

    def __call__(self, rows: Iterable[models.Model]) -> list[Any]:
        kept = list(rows)
        if not kept:
            return kept
        fields = [field for field in kept[0]._meta.concrete_fields if not field.has_db_default()]
        table = kept[0]._meta.db_table
        columns = ", ".join(f'"{field.column}"' for field in fields)
        with connection.cursor() as cursor:
            first = next_key(cursor, table)
            with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                for key, row in enumerate(kept, first):
                    row.pk = key
                    if hasattr(row, "ref"):
                        row.ref = next(self._refs)
                    copy.write_row([_stored(field, row) for field in fields])
            cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}")  # noqa: S608 - our own names
        return kept


def _stored(field: Any, row: models.Model) -> Any:
    return field.get_db_prep_save(getattr(row, field.attname), connection)
