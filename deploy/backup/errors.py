"""What can go wrong with a backup; each message names the file or the value, and what to do."""

import django.db
import psycopg

LOST = (django.db.OperationalError, psycopg.OperationalError)
"""The database does not answer, or no longer; a COPY that breaks off raises psycopg's own."""


def first_line(error: Exception) -> str:
    """What the database says, without its hints: DATABASE_URL names it."""
    return f"the database (DATABASE_URL) does not answer: {str(error).splitlines()[0]}"


class BackupError(Exception):
    """A backup could not be taken, read or restored."""


class DamagedBackupError(BackupError):
    """A file that is not, or no longer, what was written."""

    def __init__(self, path: object, what: str) -> None:
        super().__init__(f"{path} is not a complete backup: {what}. Use another one")
