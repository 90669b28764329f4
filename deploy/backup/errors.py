"""Errors of backups; each message names the file or value, and what to do."""

import django.db
import psycopg

LOST = (django.db.OperationalError, psycopg.OperationalError)
"""The database does not answer; an interrupted COPY raises psycopg's error."""


def first_line(error: Exception) -> str:
    """The first line of a database error: later lines can contain its address."""
    return f"the database (DATABASE_URL) does not answer: {str(error).splitlines()[0]}"


class BackupError(Exception):
    """A backup could not be taken, read or restored."""


class DamagedBackupError(BackupError):
    """A file that is not a backup, or was changed."""

    def __init__(self, path: object, what: str) -> None:
        super().__init__(f"{path} is not a complete backup: {what}. Use another one")
