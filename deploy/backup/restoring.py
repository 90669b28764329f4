"""Restores a backup into an empty site, in one transaction.

The tables are created as in the backup's version, filled, checked against the counts of the manifest, and
then migrated to this version. Work that must not run twice is ended: mail and calls that were on their way.
"""

import hashlib
import re
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.core.management.sql import emit_post_migrate_signal
from django.db import DataError, IntegrityError, connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import Q
from django.utils.timezone import now
from redis.exceptions import RedisError

from clubs.models import Backup, OutgoingMail, WorkStatus
from deploy.backup import keys
from deploy.backup.archive import Reader
from deploy.backup.errors import BackupError, DamagedBackupError
from deploy.backup.schema import create_as_of, drop, without_foreign_keys
from deploy.backup.tables import (
    SavedTable,
    State,
    is_a_name,
    number_on,
    one_notation,
    our_tables,
    rows_of,
    sequences_in,
    state_of,
    tables_in,
    write_rows,
)
from deploy.backup.taking import ONE_AT_A_TIME
from deploy.backup.version import version
from deploy.known_migrations import is_from_before, unknown_among
from tournaments.models import PushCall

# Tables that already have rows in a new site.
HAS_FROM_THE_START = re.compile(
    r"django_(migrations|content_type|session|celery_beat_\w+)|auth_permission|clubs_(setuptoken|backup)"
)
UNFINISHED = Q(status__in=[WorkStatus.QUEUED, WorkStatus.RUNNING])


@dataclass(frozen=True, slots=True)
class Restored:
    """The result of a restore."""

    manifest: dict[str, Any]
    rows: int
    migrated: tuple[str, ...]
    put_to_rest: dict[str, int]
    replaced_keys: dict[str, str]  # the file's name, and the name under which it is kept
    same_secret_key: bool


def restore(reader: Reader, *, digests: bool = False) -> Restored:
    """Restore an open backup; with ``digests`` compare every row, not only counts.

    The caller has ensured that nothing else uses the database (``refuse_visitors``). Raises BackupError, and
    then nothing was changed.
    """
    reader.check()
    manifest = reader.manifest
    with keys.staged(own_keys(reader)) as put_in_place:
        rows, migrated, put_to_rest = _restored_rows(reader, digests=digests)
        replaced = put_in_place()
    return Restored(
        manifest=manifest,
        rows=rows,
        migrated=migrated,
        put_to_rest=put_to_rest,
        replaced_keys=replaced,
        same_secret_key=keys.same_signatures(
            manifest["secret_key"], salt=manifest["taken_at"], keys=keys.kept_keys()
        ),
    )


def _restored_rows(reader: Reader, *, digests: bool) -> tuple[int, tuple[str, ...], dict[str, int]]:
    """Restore the database: its rows, the migrations applied, the work ended."""
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [ONE_AT_A_TIME])
        if cursor.fetchone() != (True,):
            raise BackupError(
                "a backup of this database is being taken or restored: wait until it has finished"
            )
        state = state_of(connection)
        refuse_newer(reader, state)
        refuse_content(cursor, state)
        empty_cache()
        one_notation(cursor)
        rows = _filled(cursor, reader, state, digests=digests)
        migrated = _migrated()
        put_to_rest = _end_work_in_progress(reader.manifest, reader.path.stat().st_size, rows)
    return rows, migrated, put_to_rest


def empty_cache() -> None:
    """Empty the cache, which belongs to the old data. Raises BackupError."""
    try:
        cache.clear()
    except RedisError as error:
        raise BackupError(f"the cache (CACHE_URL) does not answer: {error}; nothing was changed") from error


def own_keys(reader: Reader) -> dict[str, bytes]:
    """The keys in a backup, by file name."""
    names = [name for name in keys.NAMES if f"{keys.FOLDER}/{name}" in reader.manifest["members"]]
    return {name: reader.content(f"{keys.FOLDER}/{name}") for name in names}


def refuse_visitors() -> None:
    """Raise BackupError while the database has other connections."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        (number,) = cursor.fetchone()
    if number:
        raise BackupError(
            f"the database has {number} other connections: stop the site first (up, or web, workers and beat)"
        )


def refuse_newer(reader: Reader, state: State) -> None:
    """Raise BackupError if the backup has migrations that this code lacks."""
    if unknown := unknown_among(state.executor, reader.manifest["migrations"]):
        made_by = reader.manifest["midpoint"]
        if is_from_before(made_by):
            raise BackupError(
                f"{reader.path} was made by Midpoint {made_by}: backups from before 0.2.0 cannot be restored"
            )
        raise BackupError(
            f"{reader.path} was made by Midpoint {made_by}, which is newer than this one ({version()}): it "
            f"has {', '.join(unknown)}. Install that version, or a newer one, and try again"
        )


def refuse_content(cursor: CursorWrapper, state: State) -> None:
    """Raise BackupError if this site has data."""
    if state.unknown:
        raise BackupError(
            f"this database was migrated by a newer Midpoint ({', '.join(state.unknown)}): "
            "restore into an empty one"
        )
    if not state.applied:
        return
    found = {}
    for name in sorted(our_tables(state) & set(tables_in(cursor))):
        if not HAS_FROM_THE_START.fullmatch(name):
            cursor.execute(f'SELECT count(*) FROM "{name}"')  # noqa: S608 - our own tables' names
            (found[name],) = cursor.fetchone()
    if content := [f"{name} ({number})" for name, number in found.items() if number]:
        raise BackupError(
            f"this installation is not empty: it has rows in {', '.join(content)}. "
            "Restore into a new one; nothing was changed"
        )


def _filled(cursor: CursorWrapper, reader: Reader, state: State, *, digests: bool) -> int:
    """Create the tables of the backup and fill them; return the number of rows."""
    manifest = reader.manifest
    if state.applied != manifest["migrations"]:
        if state.applied:
            drop(cursor, our_tables(state))
        create_as_of(manifest["migrations"])
    tables = _matching(reader, tables_in(cursor))
    try:
        with without_foreign_keys(cursor, set(tables)):
            for table in tables.values():
                cursor.execute(f'DELETE FROM "{table.name}"')  # noqa: S608 - our own tables' names
            for table in tables.values():
                _fill(cursor, reader, table, digests=digests)
    except (IntegrityError, DataError) as error:
        raise DamagedBackupError(reader.path, str(error).splitlines()[0]) from error
    _number_on(cursor, reader, set(tables))
    return sum(manifest["tables"][name]["rows"] for name in tables)


def _number_on(cursor: CursorWrapper, reader: Reader, tables: set[str]) -> None:
    """Restore the sequences. Raises DamagedBackupError for an unknown one."""
    sequences = reader.manifest["sequences"]
    if others := sorted(set(sequences) - set(sequences_in(cursor, tables))):
        raise DamagedBackupError(reader.path, f"no table here uses its sequence {others[0]!r}")
    number_on(cursor, sequences)


def _matching(reader: Reader, found: dict[str, SavedTable]) -> dict[str, SavedTable]:
    """The backup's tables in this database. Raises DamagedBackupError if they differ."""
    for name, stored in reader.manifest["tables"].items():
        columns = tuple(stored["columns"])
        if not all(map(is_a_name, (name, *columns))) or name not in found or found[name].columns != columns:
            raise DamagedBackupError(reader.path, f"its table {name!r} does not match its migrations")
    return {name: found[name] for name in reader.manifest["tables"]}


def _fill(cursor: CursorWrapper, reader: Reader, table: SavedTable, *, digests: bool) -> None:
    stored = reader.manifest["tables"][table.name]
    number = write_rows(cursor, table, reader.expanded(stored["member"]))
    if number != stored["rows"]:
        raise DamagedBackupError(reader.path, f"{table.name} has {number} rows instead of {stored['rows']}")
    if digests and digest_of(cursor, table) != stored["sha256"]:
        raise BackupError(f"{table.name} in this database differs from {reader.path}; nothing was changed")


def digest_of(cursor: CursorWrapper, table: SavedTable) -> str:
    """The SHA-256 of a table's rows; call ``one_notation`` before."""
    digest = hashlib.sha256()
    for piece in rows_of(cursor, table):
        digest.update(piece)
    return digest.hexdigest()


def _migrated() -> tuple[str, ...]:
    """Migrate the tables to this version; return the applied migrations."""
    state = state_of(connection)
    if state.missing:
        state.executor.migrate(state.executor.loader.graph.leaf_nodes())
        emit_post_migrate_signal(verbosity=0, interactive=False, db=connection.alias)
    return state.missing


def _end_work_in_progress(manifest: dict[str, Any], size: int, rows: int) -> dict[str, int]:
    """End work in progress when the backup was taken: it is done or obsolete.

    Other work is done again by the reconciler, as after a lost worker. The backup itself was in progress,
    too.
    """
    reason = f"Restored from the backup of {manifest['taken_at']}: not sent again."
    ended = {"status": WorkStatus.FAILED, "lease_until": None, "finished_at": now(), "error": reason}
    mail = OutgoingMail.objects.filter(UNFINISHED).update(**ended)
    calls = PushCall.objects.filter(UNFINISHED).update(**ended)
    done = {"status": WorkStatus.DONE, "lease_until": None, "finished_at": manifest["taken_at"]}
    Backup.objects.filter(ref=manifest["backup"]).update(**done, size=size, rows=rows)
    Backup.objects.filter(UNFINISHED).update(**ended | {"status": WorkStatus.CANCELLED})
    return {"mail": mail, "calls": calls}
