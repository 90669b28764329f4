"""``manage.py restore FILE``: restore a backup into an empty site, or nothing."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy.backup.archive import Reader
from deploy.backup.checking import CheckedRows, check
from deploy.backup.errors import LOST, BackupError, first_line
from deploy.backup.restoring import Restored, refuse_visitors, restore


class Command(BaseCommand):
    help = (
        "Restore a backup into an empty installation whose site is stopped, and migrate it to this "
        "version. All or nothing: exits with 1 and changes nothing if it cannot be restored. With "
        "--verify, exits with 2 if it is restored but a scoresheet or a rating in it is damaged."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a file written by manage.py backup")
        parser.add_argument(
            "--verify",
            action="store_true",
            help="also compare every row with the backup, and replay every scoresheet and every rating",
        )
        parser.add_argument(
            "--check", action="store_true", help="only check FILE and its checksums; change nothing"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with Reader(Path(options["file"])) as reader:
                if options["check"]:
                    reader.check()
                    self._tell(about(reader), f"{reader.path} is complete", as_json=options["json"])
                    return
                refuse_visitors()
                restored = restore(reader, digests=options["verify"])
                told = about(reader)
        except BackupError as error:
            raise CommandError(f"Nothing was restored: {error}.") from error
        except LOST as error:
            raise CommandError(f"Nothing was restored: {first_line(error)}") from error
        found = check() if options["verify"] else None
        told |= as_json(restored, found)
        self._tell(told, f"{options['file']} is restored", as_json=options["json"])
        if not options["json"]:
            self._advise(restored, found)
        if found is not None and not found.ok:
            raise CommandError("The backup contains damaged data; see above.", returncode=2)

    def _tell(self, told: dict[str, Any], what: str, *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(told))
        else:
            self.stdout.write(
                f"{what}: {told['rows']} rows of {told['tables']} tables, taken at {told['taken_at']} "
                f"by Midpoint {told['midpoint']}."
            )

    def _advise(self, restored: Restored, found: CheckedRows | None) -> None:
        if restored.migrated:
            self.stdout.write(f"Migrated: {', '.join(restored.migrated)}.")
        for what, number in restored.put_to_rest.items():
            if number:
                self.stdout.write(f"Not sent a second time: {what} ({number}). Mail is in the outbox.")
        for name, kept in restored.replaced_keys.items():
            self.stdout.write(f"The key {name} of this machine is kept as {kept}.")
        if not restored.same_secret_key:
            self.stdout.write(
                "The SECRET_KEY differs from the backup's: everyone is signed out and open links no longer "
                "work."
            )
        if found is not None:
            self.stdout.write(
                f"{found.sheets} scoresheets replayed, {found.damaged_sheets} damaged; "
                f"{found.photos} photos compared, {len(found.damaged_photos)} damaged; "
                f"{found.rating_lists} rating lists recalculated, {len(found.wrong_lists)} wrong."
            )
            for each in (*found.first_damaged, *found.damaged_photos, *found.wrong_lists):
                self.stdout.write(f"  {each}")


def about(reader: Reader) -> dict[str, Any]:
    """The summary of the manifest."""
    manifest = reader.manifest
    return {
        "file": str(reader.path),
        "taken_at": manifest["taken_at"],
        "midpoint": manifest["midpoint"],
        "commit": manifest["commit"],
        "postgresql": manifest["postgresql"],
        "tables": len(manifest["tables"]),
        "rows": sum(table["rows"] for table in manifest["tables"].values()),
    }


def as_json(restored: Restored, found: CheckedRows | None) -> dict[str, Any]:
    """The result, and the findings of ``--verify``."""
    done = {
        "migrated": restored.migrated,
        "not_sent_again": restored.put_to_rest,
        "replaced_keys": restored.replaced_keys,
        "same_secret_key": restored.same_secret_key,
    }
    return done if found is None else done | {"verified": found.as_json()}
