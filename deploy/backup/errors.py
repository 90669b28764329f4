"""What can go wrong with a backup; each message names the file or the value, and what to do."""


class BackupError(Exception):
    """A backup could not be taken, read or restored."""


class DamagedBackupError(BackupError):
    """A file that is not, or no longer, what was written."""

    def __init__(self, path: object, what: str) -> None:
        super().__init__(f"{path} is not a whole backup: {what}. Use another one")
