"""Taking a backup while the site runs.

Everything is read in one transaction with one snapshot (REPEATABLE READ) that blocks no writer: on tables it
takes a reader's lock. COPY instead of ``pg_dump``, which reads no server newer than itself and whose output
cannot be restored into an older one; here every table has its count and checksum from the same snapshot.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import DatabaseError, OperationalError, ProgrammingError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.utils.timezone import now

from clubs.models import Backup
from clubs.work import services as work
from deploy.backup import keys, rotation
from deploy.backup.archive import ArchiveWriter, Reader, written
from deploy.backup.errors import BackupError
from deploy.backup.tables import State, one_notation, our_tables, rows_of, sequences_in, state_of, tables_in
from deploy.backup.version import commit, version

ONE_AT_A_TIME = 0x6D69_6462_6163
"""The key of the advisory lock held by a backup."""
LOCK_PATIENCE = "60s"
HEARTBEAT = 30.0  # seconds between two signs of life


@dataclass(frozen=True, slots=True)
class WrittenBackup:
    """A complete backup on disk."""

    path: Path
    size: int
    manifest: dict[str, Any]
    removed: tuple[Path, ...] = ()

    @property
    def rows(self) -> int:
        return sum(table["rows"] for table in self.manifest["tables"].values())


def new_backup(*, into_folder: bool) -> Backup:
    """Create the row of a backup to take in this process. Raises BackupError."""
    try:
        backup = work.claim(Backup, ref=Backup.objects.create(into_folder=into_folder).ref)
    except ProgrammingError as error:
        raise BackupError(
            "the database does not have the tables of this version yet: run manage.py migrate first, or back "
            f"it up with the version that the site runs ({str(error).splitlines()[0]})"
        ) from error
    if backup is None:
        raise BackupError("a worker has just taken over this backup; see the site status page")
    return backup


def take(backup: Backup, *, path: Path | None = None, with_keys: bool = True) -> WrittenBackup:
    """Take the claimed backup to ``path``, or into the folder, and rotate that.

    The row records the outcome. Raises BackupError.
    """
    try:
        target = path or rotation.next_file(now())
        taken = _take(backup, target, with_keys=with_keys)
    except BaseException as error:
        told = str(error) if isinstance(error, BackupError) else f"{type(error).__name__}: {error}"
        with contextlib.suppress(work.WorkLostError, DatabaseError):  # where it is the database that is gone
            work.fail(backup, error=told, final=True)
        raise
    with work.finish(backup) as done:
        done.path, done.size, done.rows = str(taken.path), taken.size, taken.rows
    if path is None:
        return WrittenBackup(taken.path, taken.size, taken.manifest, tuple(rotation.rotate(now())))
    return taken


def _take(backup: Backup, target: Path, *, with_keys: bool) -> WrittenBackup:
    own_keys = keys.kept_keys() if with_keys else {}
    with snapshot() as (cursor, state), written(target, taken_at=now().timestamp()) as writer:
        for name, content in own_keys.items():
            writer.add(f"{keys.FOLDER}/{name}", content)
        writer.close(_manifest(cursor, state, writer, backup))
    return checked(target)


def checked(target: Path) -> WrittenBackup:
    """Read the written backup back and check it; remove it if it differs.

    Raises BackupError.
    """
    try:
        with Reader(target) as reader:
            reader.check()
            return WrittenBackup(target, target.stat().st_size, reader.manifest)
    except BackupError:
        target.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def snapshot() -> Iterator[tuple[CursorWrapper, State]]:
    """A separate connection with one snapshot. Raises BackupError if locked."""
    other: BaseDatabaseWrapper = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [ONE_AT_A_TIME])
            if cursor.fetchone() != (True,):
                raise BackupError(
                    "another backup of this database is in progress: wait until it has finished"
                )
            try:
                yield cursor, _begin(other, cursor)
            finally:
                if other.connection is not None and not other.connection.closed:
                    cursor.execute("ROLLBACK")
                    cursor.execute("SELECT pg_advisory_unlock(%s)", [ONE_AT_A_TIME])  # a pool keeps sessions
    finally:
        other.close()


def _begin(other: BaseDatabaseWrapper, cursor: CursorWrapper) -> State:
    """Begin the transaction; locks come first, so that no table changes in it."""
    state = state_of(other)
    if state.unknown:
        raise BackupError(
            f"the database was migrated by a newer Midpoint ({', '.join(state.unknown)}): "
            "back it up with the version that the site runs"
        )
    if not state.applied:
        raise BackupError("the database has no tables yet: there is nothing to back up")
    names = sorted(our_tables(state))
    cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_PATIENCE}'")
    try:
        quoted = ", ".join(f'"{name}"' for name in names)
        cursor.execute(f"LOCK TABLE {quoted} IN ACCESS SHARE MODE")
    except OperationalError as error:
        raise BackupError(
            f"the tables have been locked for more than {LOCK_PATIENCE}, perhaps by a migration: try again "
            f"when it has finished ({str(error).splitlines()[0]})"
        ) from error
    one_notation(cursor)
    return state


def _manifest(cursor: CursorWrapper, state: State, writer: ArchiveWriter, backup: Backup) -> dict[str, Any]:
    """Write all tables and return the manifest."""
    cursor.execute("SELECT now(), current_setting('server_version')")
    moment, server = cursor.fetchone()
    ours, found = our_tables(state), tables_in(cursor)
    tables = {}
    for name in sorted(ours & set(found)):
        member = f"tables/{name}.copy.gz"
        # Always closed: a COPY in progress blocks other statements.
        with contextlib.closing(rows_of(cursor, found[name])) as rows:
            digest = writer.add_compressed(member, with_heartbeat(rows, backup))
        tables[name] = {
            "rows": int(cursor.rowcount),
            "sha256": digest,
            "columns": found[name].columns,
            "member": member,
        }
    taken_at = moment.astimezone(UTC).isoformat() if isinstance(moment, datetime) else str(moment)
    return {
        "midpoint": version(),
        "commit": commit(),
        "taken_at": taken_at,
        "backup": backup.ref,
        "postgresql": server,
        "migrations": state.applied,
        "tables": tables,
        "sequences": sequences_in(cursor, set(tables)),
        "left_out": sorted(set(found) - ours),
        "secret_key": keys.fingerprint_of(settings.SECRET_KEY, salt=taken_at),
    }


def with_heartbeat(pieces: Iterator[bytes], backup: Backup) -> Iterator[bytes]:
    """Pass the pieces on, extending the lease on the row meanwhile."""
    beat = monotonic()
    for piece in pieces:
        yield piece
        if monotonic() - beat > HEARTBEAT:
            work.heartbeat(backup)
            beat = monotonic()
