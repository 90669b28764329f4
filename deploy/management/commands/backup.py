"""``manage.py backup [FILE]``: back up the running site to one file."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy.backup.archive import refuse_existing
from deploy.backup.errors import LOST, BackupError, first_line
from deploy.backup.keys import FOLDER
from deploy.backup.taking import WrittenBackup, new_backup, take


class Command(BaseCommand):
    help = (
        "Back up this installation to one file: tables, uploaded files and the keys in var/, as they are "
        "at one moment. The site keeps running. Anyone with the file has everything: keep it private. "
        "Exits with 1 if no backup was made; no partial file is left."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file",
            nargs="?",
            metavar="FILE",
            help="default: a new file in BACKUP_FOLDER, where expired backups are removed",
        )
        parser.add_argument("--without-keys", action="store_true", help="leave out the keys in var/")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(options["file"]).absolute() if options["file"] else None
        try:
            if path is not None:
                refuse_existing(path)
            backup = new_backup(into_folder=path is None)
            taken = take(backup, path=path, with_keys=not options["without_keys"])
        except BackupError as error:
            raise CommandError(f"No backup was made: {error}.") from error
        except LOST as error:
            raise CommandError(f"No backup was made: {first_line(error)}") from error
        if options["json"]:
            self.stdout.write(json.dumps(as_json(taken)))
        else:
            self._print(taken)

    def _print(self, taken: WrittenBackup) -> None:
        tables = taken.manifest["tables"]
        self.stdout.write(
            f"{taken.path}: {taken.rows} rows of {len(tables)} tables, {taken.size} bytes, checked."
        )
        if left_out := taken.manifest["left_out"]:
            self.stdout.write(f"Left out, not part of Midpoint: {', '.join(left_out)}.")
        if f"{FOLDER}/secret_key" not in taken.manifest["members"]:
            self.stdout.write("The SECRET_KEY is not in it: keep it somewhere else.")
        for path in taken.removed:
            self.stdout.write(f"Removed {path}.")


def as_json(taken: WrittenBackup) -> dict[str, Any]:
    return {
        "file": str(taken.path),
        "bytes": taken.size,
        "taken_at": taken.manifest["taken_at"],
        "midpoint": taken.manifest["midpoint"],
        "tables": len(taken.manifest["tables"]),
        "rows": taken.rows,
        "keys": sorted(name for name in taken.manifest["members"] if name.startswith(f"{FOLDER}/")),
        "left_out": taken.manifest["left_out"],
        "removed": [str(path) for path in taken.removed],
    }
