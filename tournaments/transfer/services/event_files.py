"""An event file: writing an event as JSON, and reading it back, checked.

For directors: it holds every row of the event under local numbers, refs, the logs with their hash chains,
the texts of rulings, reasons and disputes, and players' names. Accounts, access codes, and seeds of draws
not made yet stay on the machine.
"""

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from math import isfinite
from typing import Any

from django.db import models
from django.utils.translation import gettext as _

from clubs.models import Person
from clubs.refs import looks_like_ref
from scoring.codec import from_plain
from scoring.rules.errors import InvalidValue
from tournaments.models import Event
from tournaments.transfer.services.tables import TABLES, Body, invalid_file, plain_row

KIND, EDITION = "midpoint event", 4
LARGEST = 64 * 1024 * 1024  # bytes
LAST_ENTRY = "moved_out"
"""Kind of the last entry in the event's log of every file: the move itself."""

_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


@dataclass(frozen=True, slots=True)
class EventFile:
    """The contents of a file, by table name.

    ``people`` maps refs of players to names.
    """

    kind: str
    edition: int
    people: dict[str, str]
    tables: dict[str, tuple[dict[str, Any], ...]]
    digest: str

    @property
    def event(self) -> str:
        """The event's ref."""
        return str(self.tables["event"][0].get("ref"))

    @property
    def log(self) -> dict[int, Body]:
        """The entries of the event's log by number."""
        return {row["seq"]: row for row in self.tables["deskevent"] if type(row["seq"]) is int}

    @property
    def players(self) -> set[str]:
        """Refs of the players entered or seated. Raises DeskRefused for an invalid ref."""
        found = [row.get("player") for name in ("entrantmember", "seat") for row in self.tables[name]]
        for ref in found:
            if not isinstance(ref, str) or not looks_like_ref(ref):
                raise invalid_file(f"player: {str(ref)[:80]!r} is not a ref")
        return set(map(str, found))


def written(event: Event) -> str:
    """The event as the text of a file. The caller has locked the event."""
    numbers: dict[type[models.Model], dict[int, int]] = {}
    tables: dict[str, list[Body]] = {}
    for table in TABLES:
        rows = list(table.rows(event))
        numbers[table.model] = {row.pk: number for number, row in enumerate(rows)}
        tables[table.name] = [plain_row(table, row, numbers) for row in rows]
    players = {row["player"] for name in ("entrantmember", "seat") for row in tables[name]}
    people = Person.objects.filter(player__ref__in=players, player__erased_at=None)
    names = dict(people.values_list("player__ref", "name"))
    body: Body = {"kind": KIND, "edition": EDITION, "people": names, "tables": tables}
    body["digest"] = digest_of(body)
    return json.dumps(body, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def digest_of(body: Body) -> str:
    """SHA-256 over the rest of the file.

    Raises DeskRefused for text a database cannot store.
    """
    rest = {name: value for name, value in body.items() if name != "digest"}
    plain = json.dumps(rest, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    if _NUL.search(plain):
        raise invalid_file(_("it contains a null character"))
    try:
        return sha256(plain.encode()).hexdigest()
    except UnicodeEncodeError as error:
        raise invalid_file(
            _("it contains half a character: %(value)r") % {"value": plain[error.start]}
        ) from error


def read_text(text: str) -> EventFile:
    """Read a file. Raises DeskRefused for an invalid, truncated or changed one."""
    try:
        # Some editors add a byte order mark.
        body = json.loads(text.removeprefix("\ufeff"), parse_float=_finite, parse_constant=_finite)
        digest = digest_of(body) if isinstance(body, dict) else ""
    except json.JSONDecodeError as error:
        raise invalid_file(
            _("it is cut off or not JSON at line %(line)s") % {"line": error.lineno}
        ) from error
    except (RecursionError, ValueError) as error:
        raise invalid_file(str(error)) from error
    if not isinstance(body, dict) or body.get("kind") != KIND:
        raise invalid_file(_("it is not an event file"))
    if body.get("edition") != EDITION:
        known = {"edition": body.get("edition"), "last": EDITION}
        raise invalid_file(_("its edition is %(edition)s, but this site reads edition %(last)s") % known)
    if body.get("digest") != digest:
        raise invalid_file(_("it was changed after export"))
    try:
        file: EventFile = from_plain(EventFile, body, "file")
    except InvalidValue as error:
        raise invalid_file(str(error)) from error
    _check_tables(file)
    return file


def _check_tables(file: EventFile) -> None:
    if differing := set(file.tables) ^ {table.name for table in TABLES}:
        raise invalid_file(_("missing or extra tables: %(names)s") % {"names": ", ".join(sorted(differing))})
    for table in TABLES:
        names = {field.name for field in table.fields}
        for number, row in enumerate(file.tables[table.name]):
            if differing := set(row) ^ names:
                said = {"where": f"{table.name}[{number}]", "names": ", ".join(sorted(differing))}
                raise invalid_file(_("%(where)s: missing or extra fields: %(names)s") % said)
    if len(file.tables["event"]) != 1:
        raise invalid_file(_("it must contain exactly one event"))
    if not file.log or file.log[max(file.log)]["kind"] != LAST_ENTRY:
        raise invalid_file(_("the event was not moved before export"))


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text} is not a number")
    return number
