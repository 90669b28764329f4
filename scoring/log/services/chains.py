"""The append-only logs of sheets, tables, draws and events: appended to, linked and checked only here.

Each entry is linked to the one before by SHA-256 (``scoring.rules.chain.link_of``), so that a changed row, a
missing one and another order show.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import Model, Q

from scoring.models.log import LogEntry, LogOwner, NotedEntry
from scoring.rules.chain import link_of


class LogOvertakenError(Exception):
    """Someone else appended after the unlocked owner was read; nothing is written."""


@dataclass(frozen=True, slots=True)
class Damage:
    """What is wrong with a stored log: the first seq at which it shows (0: the head), and what."""

    seq: int
    what: str

    def __str__(self) -> str:
        return self.what


def link(owner: LogOwner, entry: LogEntry) -> None:
    """Link the entry as the owner's next (number, digest, hash) and move the head.

    Nothing is written.
    """
    if isinstance(entry, NotedEntry) and entry.note_id is not None:
        entry.note_digest = entry.note.digest  # type: ignore[union-attr]
    entry.seq = owner.head_seq + 1
    linked = [getattr(entry, name) for name in entry.LINKED]
    entry.hash = link_of(owner.head_hash, entry.seq, entry.kind, entry.body, *linked)
    owner.head_seq, owner.head_hash = entry.seq, entry.hash


def append(owner: LogOwner, entries: Sequence[LogEntry], **also: str) -> None:
    """Append new entries, at least one, to the log of an owner that the caller has locked.

    One statement writes them with the owner's head and what ``also`` says of its other columns. The entries
    then have their keys and ``at``. Raises LogOvertakenError where the head is elsewhere by now, and
    IntegrityError for an entry that its table refuses.
    """
    before = owner.head_seq, owner.head_hash
    for entry in entries:
        link(owner, entry)
    statement = _append(type(owner), type(entries[0]), tuple(also))
    values: list[Any] = [owner.head_seq, owner.head_hash, *also.values()]
    values += [owner.pk, *before, as_rows(entries)]
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        written = {seq: (pk, at) for seq, pk, at in cursor.fetchall()}
    if not written:
        owner.head_seq, owner.head_hash = before
        raise LogOvertakenError(f"{type(owner).__name__} {owner.pk} has other entries behind {before[0]}")
    for entry in entries:
        entry.pk, entry.at = written[entry.seq]
        entry._state.adding = False


def insert(entries: Sequence[LogEntry]) -> None:
    """Store linked entries of owners that are stored with their heads already (one query)."""
    model = type(entries[0])
    with connection.cursor() as cursor:
        cursor.execute(f"{into(model)} FROM {rows_as_entries(model)}", [as_rows(entries)])


@cache
def _columns(model: type[LogEntry]) -> tuple[tuple[str, str], ...]:
    """Of a kind of entry, each column that is written, with the attribute that has its value."""
    fields = [each for each in model._meta.concrete_fields if not each.primary_key and each.name != "at"]
    return tuple((str(each.column), each.attname) for each in fields)


def as_rows(entries: Sequence[LogEntry]) -> str:
    """The one parameter that a statement takes for any number of entries: an import has hundreds."""
    columns = _columns(type(entries[0]))
    return json.dumps([{column: getattr(each, name) for column, name in columns} for each in entries])


@cache
def into(model: type[LogEntry]) -> str:
    """``INSERT`` of the columns of ``entry``, up to its ``FROM``."""
    names = [connection.ops.quote_name(column) for column, _attribute in _columns(model)]
    chosen = ", ".join(f"entry.{name}" for name in names)
    return f"INSERT INTO {_table(model)} ({', '.join(names)}) SELECT {chosen}"


@cache
def rows_as_entries(model: type[LogEntry]) -> str:
    """What :func:`as_rows` made of entries, as ``entry`` of a ``FROM``."""
    return f"jsonb_populate_recordset(NULL::{_table(model)}, %s::jsonb) AS entry"


@cache
def _append(owner: type[LogOwner], model: type[LogEntry], also: tuple[str, ...]) -> str:
    moved = ", ".join(f"{connection.ops.quote_name(name)} = %s" for name in ("head_seq", "head_hash", *also))
    return f"""
        WITH head AS (
            UPDATE {_table(owner)} SET {moved} WHERE id = %s AND head_seq = %s AND head_hash = %s RETURNING id
        )
        {into(model)} FROM head, {rows_as_entries(model)} RETURNING seq, id, at
    """  # noqa: S608 - the names of tables and columns are our own


def _table(model: type[Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def chain_damage(owner: LogOwner) -> Damage | None:
    """Damage of a stored log, or None: numbers, chain, head, notes (two queries)."""
    previous, last = "", 0
    model = owner.entries.model
    for seq, *content, stored in owner.entries.values_list("seq", "kind", "body", *model.LINKED, "hash"):
        if seq != last + 1:
            return Damage(last + 1, f"entry {last + 1} is missing")
        if stored != link_of(previous, seq, *content):
            return Damage(seq, f"entry {seq} was changed after it was written: its hash does not fit")
        previous, last = stored, seq
    if (owner.head_seq, owner.head_hash) != (last, previous):
        return Damage(0, f"the head says {owner.head_seq} entries, the log has {last}")
    return _note_damage(owner) if issubclass(model, NotedEntry) else None


def _note_damage(owner: LogOwner) -> Damage | None:
    """A note that is gone, or says something else than was written; one that was erased is still there, and
    says nothing any more.
    """
    said = Q(note__isnull=False, note__erased_at=None) | Q(note=None) & ~Q(note_digest="")
    noted: Any = owner.entries.filter(said).select_related("note")
    for entry in noted:
        if entry.note is None:
            return Damage(entry.seq, f"the note of entry {entry.seq} is missing")
        if entry.note.digest != entry.note_digest:
            return Damage(entry.seq, f"the note of entry {entry.seq} was changed after it was written")
    return None
