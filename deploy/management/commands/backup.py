"""``manage.py backup [FILE]``: everything of this installation in one file, while the site runs."""

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
        "Write everything of this installation, as it is at one moment, into one file: tables, uploaded "
        "files and the keys in var/. The site keeps running. Whoever has the file has all of it: keep it "
        "private. "
        "Exit status 1 if there is no backup; nothing half-written is left."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", nargs="?", metavar="FILE", help="default: a new one in BACKUP_FOLDER, where old ones go"
        )
        parser.add_argument("--without-keys", action="store_true", help="leave the keys in var/ out")
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
            self.stdout.write(f"Not of Midpoint, and left out: {', '.join(left_out)}.")
        if f"{FOLDER}/secret_key" not in taken.manifest["members"]:
            self.stdout.write("The SECRET_KEY is not in it: keep it elsewhere.")
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
