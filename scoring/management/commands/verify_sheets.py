"""``manage.py verify_sheets``: every stored log still is what was recorded, and says what is stored of it."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.chouettes.services.damage import damage_that_stays
from scoring.models import Sheet


class Command(BaseCommand):
    help = (
        "Replay every scoresheet: numbering, hash chain, head, and the stored state byte for byte. "
        "Exit status 1 if a sheet is damaged; nothing is changed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("refs", nargs="*", metavar="SHEET", help="default: all")
        parser.add_argument(
            "--json", action="store_true", help="print one JSON object per damaged sheet, then the count"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        sheets = Sheet.objects.order_by("pk")
        if options["refs"]:
            sheets = sheets.filter(ref__in=options["refs"])
            unknown = set(options["refs"]) - set(sheets.values_list("ref", flat=True))
            if unknown:
                raise CommandError(f"There is no sheet {', '.join(sorted(unknown))}.")
        checked = damaged = 0
        for sheet in sheets.iterator(chunk_size=200):
            checked += 1
            if damage := damage_that_stays(sheet):
                damaged += 1
                line = {"sheet": sheet.ref, "seq": damage.seq, "damage": damage.what}
                self.stdout.write(
                    json.dumps(line) if options["json"] else f"{sheet.ref}: at {damage.seq}, {damage.what}"
                )
        if options["json"]:
            self.stdout.write(json.dumps({"sheets": checked, "damaged": damaged}))
        else:
            self.stdout.write(f"{checked} sheets replayed, {damaged} damaged.")
        if damaged:
            raise CommandError(f"{damaged} of {checked} sheets are damaged.")
