"""``manage.py verify_sheets``: every stored log and photo still is what was recorded."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q

from scoring.chouettes.services.damage import damage_that_stays
from scoring.files.queries.photos import damaged_photos, kept_photos
from scoring.models import Sheet


class Command(BaseCommand):
    help = (
        "Replay every scoresheet: numbering, hash chain, head, and the stored state byte for byte; "
        "and the digest of every photo. Exit status 1 if one is damaged; nothing is changed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("refs", nargs="*", metavar="SHEET", help="default: all")
        parser.add_argument(
            "--json",
            action="store_true",
            help="print one JSON object for each that is damaged, then the counts",
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
        photos, spoilt = self._photos(options)
        if options["json"]:
            counts = {"sheets": checked, "damaged": damaged, "photos": photos, "damaged_photos": spoilt}
            self.stdout.write(json.dumps(counts))
        else:
            self.stdout.write(f"{checked} sheets replayed, {damaged} damaged.")
            self.stdout.write(f"{photos} photos compared, {spoilt} damaged.")
        if damaged:
            raise CommandError(f"{damaged} of {checked} sheets are damaged.")
        if spoilt:
            raise CommandError(f"{spoilt} of {photos} photos are damaged.")

    def _photos(self, options: dict[str, Any]) -> tuple[int, int]:
        """How many photos there are and how many are damaged, each of which is printed."""
        chosen = Q(match__sheet__ref__in=options["refs"]) if options["refs"] else Q()
        found = list(damaged_photos().filter(chosen))
        for photo in found:
            line = {"photo": photo.ref, "match": photo.match.ref, "damage": "another picture"}
            said = f"photo {photo.ref} of match {photo.match.ref}: another picture"
            self.stdout.write(json.dumps(line) if options["json"] else said)
        return kept_photos().filter(chosen).count(), len(found)
