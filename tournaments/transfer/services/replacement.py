"""Replacing an event's rows with those of its file, parents first."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any, NoReturn, cast

import psycopg
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.lookalikes import clean_name
from clubs.models import Club, Membership, Note, Person, Player, Role, User
from clubs.models.note import SALT_BYTES
from clubs.models.person import NAME_LENGTH
from clubs.refs import looks_like_ref
from scoring.codec import from_plain
from scoring.log.services.notes import LONGEST_NOTE
from scoring.models import Claim
from scoring.rules.errors import InvalidValue
from scoring.sheets.services.claims import hash_of, new_code
from tournaments.core.stages.stage import seed_hash
from tournaments.log.refusals import DeskRefused
from tournaments.models import DeskEvent, EntrantMember, Event, StageEntrant, StageRow
from tournaments.transfer.services.event_files import EventFile
from tournaments.transfer.services.tables import TABLES, Body, Field, FileTable, invalid_file, value_in


@dataclass(frozen=True, slots=True)
class PlainNote:
    """A note in a file, its salt in hex."""

    ref: str
    salt: str
    text: str


@dataclass(slots=True)
class EventReplacement:
    """An event from a file, in a club; it replaces ``here``, if the event is known.

    ``sealed`` lists the stages (refs) with a new seed: the hash in the file and the new one.
    """

    club: Club
    file: EventFile
    here: Event | None
    sealed: list[dict[str, str]] = field(default_factory=list)
    _made: dict[type[models.Model], list[Any]] = field(default_factory=dict)
    _players: dict[str, Player] = field(default_factory=dict)
    _drawn_elsewhere: list[StageRow] = field(default_factory=list)
    _drawn_here: set[int] = field(default_factory=set)

    def event(self) -> Event:
        """The event with all its rows.

        Raises DeskRefused for rows that do not fit, naming them.
        """
        self._players = self._people()
        for table in TABLES:
            self._made[table.model] = self._bring(table, self.file.tables[table.name])
        told = self._told()
        for stage in self._drawn_elsewhere:
            if (stage.ref, stage.seed_hash) not in told:
                raise invalid_file(
                    f"{stage.name}: the hash {stage.seed_hash[:12]}… of its seed was never shown"
                )
        event: Event = self._made[Event][0]
        for table in TABLES:
            if not table.kept and table.rows(event).count() != len(self._made[table.model]):
                raise invalid_file(f"{table.name}: a row belongs to no event or to another one")
        return event

    def _people(self) -> dict[str, Player]:
        refs = self.file.players
        found = Player.objects.filter(ref__in=refs).select_related("merged_into")
        players = {player.ref: player.merged_into or player for player in found}
        known = set(Membership.objects.in_club(self.club).values_list("player", flat=True))
        own = EntrantMember.objects.filter(entrant__flight__event=self.here)
        known |= set(own.values_list("player", flat=True))
        for ref, player in sorted(players.items()):
            # A player erased here is in no club, and a file cannot bring them back.
            if player.pk not in known and player.erased_at is None:
                raise DeskRefused(
                    _("%(club)s has no player %(ref)s.") % {"ref": ref, "club": self.club.name},
                    code="stranger",
                )
        return players | {ref: self._newcomer(ref) for ref in sorted(refs - players.keys())}

    def _newcomer(self, ref: str) -> Player:
        """A new guest of the club, or an erased player where the file has no name."""
        name = self.file.people.get(ref)
        if name is None:
            return Player.objects.create(ref=ref, erased_at=now())
        if not (cleaned := clean_name(name)[:NAME_LENGTH].strip()):
            raise invalid_file(f"people[{ref!r}]: {name[:80]!r} is not a name")
        player = Player.objects.create(ref=ref)
        Person.objects.create(player=player, name=cleaned)
        Membership.objects.create(club=self.club, player=player, role=Role.GUEST)
        return player

    def _bring(self, table: FileTable, bodies: tuple[Body, ...]) -> list[Any]:
        known = {} if self.here is None else {table.key_of(row): row for row in table.rows(self.here)}
        rows = [self._row(table, body, number) for number, body in enumerate(bodies)]
        keyed = {table.key_of(row): row for row in rows}
        if len(keyed) < len(rows):
            raise invalid_file(f"{table.name}: a row appears twice")
        _require_all(table, known, keyed)
        if table.model is StageEntrant:
            drawn = [old for old in known.values() if old.drawn_id and old.stage_id in self._drawn_here]
            _require_drawn_alike(drawn, keyed)
        if table.may_go and self.here is not None:
            table.rows(self.here).delete()
        new, changed = [], []
        for (key, row), body in zip(keyed.items(), bodies, strict=True):
            old = known.get(key)
            if old is not None:
                _keep_local(table, row, old)
            if isinstance(row, StageRow):
                self._seal(row, old)
                if old is not None and _is_drawn_alike(row, old):
                    self._drawn_here.add(old.pk)
            if "note" in body and row.note_id is None:
                row.note = _note_from(body["note"], getattr(row, "note_digest", None))
            if old is None or table.may_go:
                row.pk = None
                new.append(row)
            elif not (table.log or table.kept) and _differs(row, old):
                changed.append(row)
        try:
            with transaction.atomic():
                _update(table, changed)
                table.model._default_manager.bulk_create(new)
        except IntegrityError:
            written = {id(row) for row in (*changed, *new)}
            _refuse(table, [(number, row) for number, row in enumerate(rows) if id(row) in written])
        return rows

    def _row(self, table: FileTable, body: Body, number: int) -> Any:
        values = {
            each.name: self._value(each, body[each.name], f"{table.name}[{number}].{each.name}")
            for each in table.fields
            if each.related_model is not Note
        }
        if table.model is Claim:
            values["code_hash"] = hash_of(new_code())
        if any(each.name == "club" for each in table.local):
            values["club"] = self.club
        return table.model(**values)

    def _value(self, each: Field, plain: Any, where: str) -> Any:
        if not each.is_relation:
            return value_in(each, plain, where)
        if plain is None and each.null:
            return None
        if each.related_model is Player:
            return self._players[plain]
        made = self._made[each.related_model]  # type: ignore[index]
        if type(plain) is not int or not 0 <= plain < len(made):
            raise invalid_file(f"{where}: there is no row {str(plain)[:80]!r}")
        return made[plain]

    def _seal(self, stage: StageRow, old: StageRow | None) -> None:
        """Give a draw not made yet a secret seed of this computer."""
        if stage.drawn_at is not None:
            if old is not None and old.drawn_at is None:
                self._drawn_elsewhere.append(stage)
            return
        before = stage.seed_hash
        stage.seed, stage.dice_seed = token_hex(16), token_hex(16)
        stage.seed_hash = seed_hash(stage.seed)
        self.sealed.append({"stage": stage.ref, "before": before, "hash": stage.seed_hash})

    def _told(self) -> set[tuple[str, str]]:
        """Pairs of a stage's ref and a seed hash that the log shows before the draw."""
        shown = set()
        for number, row in enumerate(self._made[DeskEvent]):
            try:
                seeds = from_plain(
                    tuple[dict[str, str], ...], row.body.get("seeds", []), f"deskevent[{number}].body.seeds"
                )
            except InvalidValue as error:
                raise invalid_file(str(error)) from error
            for each in (row.body, *seeds):
                shown.add((str(each.get("stage")), str(each.get("hash", each.get("next")))))
        return shown


def _is_drawn_alike(stage: StageRow, old: StageRow) -> bool:
    """Whether the draw was made here. Raises DeskRefused if the file changed it."""
    if old.drawn_at is None or old.drawn_at != stage.drawn_at:
        return False
    for name in ("format", "algorithm", "seed", "dice_seed", "options", "entrants", "seats"):
        if getattr(stage, name) != getattr(old, name):
            said = str(getattr(stage, name))[:80]
            raise invalid_file(f"{stage.name}: {name}: {said!r} does not match the draw made here")
    return True


def _require_drawn_alike(olds: Iterable[StageEntrant], keyed: Mapping[Any, StageEntrant]) -> None:
    """Refuse other entrants or seats in draws made here.

    Late entrants were not drawn.
    """
    numbers = {key: number for number, key in enumerate(keyed)}
    for old in olds:
        key = (old.stage_id, old.number)
        row = keyed.get(key)
        if row is None or (row.drawn_id, row.seat, row.told) != (old.drawn_id, old.seat, old.told):
            where = "stageentrant" if row is None else f"stageentrant[{numbers[key]}]"
            raise invalid_file(f"{where}: number {old.number} was drawn differently here, or is missing")


def _note_from(plain: Any, digest: str | None) -> Note | None:
    """The note of a row, found or created.

    A text erased on either computer stays erased.

    ``digest`` is the note's digest in the log, or None.
    """
    if plain is None:
        return Note.objects.create(text="", salt=b"", erased_at=now()) if digest else None
    try:
        said: PlainNote = from_plain(PlainNote, plain, "note")
        note = Note(ref=said.ref, text=said.text, salt=bytes.fromhex(said.salt))
        note.full_clean(validate_unique=False)
    except (ValidationError, ValueError) as error:
        raise invalid_file(f"note {str(plain)[:80]}: {error}") from error
    if not looks_like_ref(note.ref):
        raise invalid_file(f"note {str(plain)[:80]}: {note.ref!r} is not a ref")
    if not 0 < len(note.text) <= LONGEST_NOTE or len(note.salt) != SALT_BYTES:
        raise invalid_file(f"the note {note.ref!r} has no valid text")
    if digest is not None and note.digest != digest:
        raise invalid_file(f"the text of the note {note.ref!r} was changed")
    here = Note.objects.filter(ref=note.ref).first()
    if here is None:
        note.save()
    elif here.erased_at is None and here.digest != note.digest:
        raise invalid_file(f"the note {note.ref!r} has another text here")
    return here or note


def _require_all(table: FileTable, known: Mapping[Any, Any], keyed: Mapping[Any, Any]) -> None:
    """Refuse a file without a row that is here; log entries must be equal."""
    if table.may_go or table.kept:
        return
    for key, row in known.items():
        if key not in keyed or (table.log and keyed[key].hash != row.hash):
            raise invalid_file(f"{table.name}: {row} is missing or differs from the one here")


def _keep_local(table: FileTable, row: Any, old: Any) -> None:
    """Keep what belongs to this installation.

    Keys, and the accounts that signed the same acts.
    """
    same_act = not table.signed or getattr(row, table.signed) == getattr(old, table.signed)
    for each in table.local:
        if each.name not in {"moved_at", "moved_to"} and (each.related_model is not User or same_act):
            setattr(row, each.attname, getattr(old, each.attname))
    if hasattr(row, "version"):
        row.version += 1
    if hasattr(row, "note_id"):
        row.note_id = old.note_id


def _differs(row: models.Model, old: models.Model) -> bool:
    names = {each.attname for each in row._meta.concrete_fields} - {"version"}
    return any(getattr(row, name) != getattr(old, name) for name in names)


def _refuse(table: FileTable, rows: Sequence[tuple[int, Any]]) -> NoReturn:
    """Find the row that the database refuses.

    Raises DeskRefused with its number and the reason.
    """
    for number, row in rows:
        try:
            with transaction.atomic():
                row.save()
        except IntegrityError as error:
            raise invalid_file(f"{table.name}[{number}]: {_why(table, error)}") from error
    raise RuntimeError(f"{table.name}: its rows are refused together, and none of them alone")


def _why(table: FileTable, error: IntegrityError) -> str:
    """The violated constraint in words, with the value."""
    said = cast("psycopg.Error", error.__cause__).diag
    rules = {each.name: each for each in table.model._meta.constraints}
    rule = rules.get(said.constraint_name or "")
    why = str(said.message_primary) if rule is None else str(rule.get_violation_error_message())
    # Other details contain whole rows.
    detail = said.message_detail or ""
    return f"{why} {detail}" if detail.startswith("Key ") else why


def _update(table: FileTable, rows: list[Any]) -> None:
    names = [each.name for each in table.model._meta.concrete_fields if not each.primary_key]
    table.model._default_manager.bulk_create(
        rows, update_conflicts=True, unique_fields=["id"], update_fields=names
    )
