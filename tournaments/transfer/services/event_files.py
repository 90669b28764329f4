"""A whole event as a file, and back: to a venue's laptop without internet, home again, or to be kept.

The file has every row of the event under local numbers, refs as they are, the logs with their hash chains,
who wrote what, the texts of rulings, reasons and objections, and apart from them the names of its people: it
is for directors. It is read into an installation that does not know the event, or into one where the event
went less far: then what the file has more is added. Reading it twice changes nothing. Where both sides went
on by themselves the file is refused.

Authors travel as refs of players (``tournaments.transfer.services.event_authors``), never as logins. Conduct
reports travel only for whom they are shown to; where they are missing, those that are here stay. A text that
was erased on one side stays erased there. Of a claim its side and its times travel, not its code: it opens
nothing elsewhere. Files of edition 1, without all that, are still read.

A seed that is still sealed travels only where the file is made for one other machine, and then only that
machine opens it (``tournaments.stages.services.sealed_seeds``): the hash that was shown stays the hash of
the draw. Without that nothing of it travels, since whoever reads the file would know the draw before it is
made. Where the event is new, another is sealed, its hash shown, and both hashes stand in the event's log.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from secrets import token_hex
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, models, transaction
from django.utils.translation import gettext as _

from clubs.models import Club, Membership, Note, Person, Player, User
from clubs.refs import looks_like_ref
from scoring.chouettes.services.damage import damage_of as damage_of_sheet
from scoring.log.services.sheets import state_of
from scoring.models import (
    Claim,
    Confirmation,
    Match,
    MatchStatus,
    Objection,
    ObjectionWindow,
    Result,
    Seat,
    Sheet,
    SheetEvent,
    Side,
)
from scoring.ratings.services.ratings import ask_for_update
from scoring.rules.errors import ScoringError
from scoring.sheets.services.claims import hash_of, new_code
from scoring.sheets.services.results import value_in, value_of
from tournaments.core.prizes.money import PrizeRefused
from tournaments.core.stages.errors import DrawError
from tournaments.core.stages.stage import seed_hash
from tournaments.core.timetable.breaks import check_breaks
from tournaments.events.eligibility import eligibility_of, pools_of
from tournaments.events.plans import share_faults
from tournaments.events.services.erasures import forget_desk_notes
from tournaments.events.services.events import DeskRefused, flight_plan, touch
from tournaments.log.kinds import PRIVATE
from tournaments.log.services import damage_of as damage_of_log
from tournaments.log.services import note
from tournaments.models import (
    Board,
    CameInFile,
    DeskEvent,
    Entrant,
    EntrantMember,
    Event,
    EventTable,
    Flight,
    Pairing,
    Prize,
    Stage,
    StageEntrant,
    StageEvent,
)
from tournaments.models.stage import DRAW_TAKEN_BACK
from tournaments.stages.services.draws import typed_options
from tournaments.stages.services.feeds import rules_of
from tournaments.stages.services.sealed_seeds import opened, sealed
from tournaments.stages.services.stages import damage_of as damage_of_stage
from tournaments.stages.services.stages import drawn_before, load
from tournaments.transfer.services.event_authors import (
    Authors,
    author_ref,
    authors_elsewhere,
    columns_of,
    forget_authors,
    newcomer,
)
from tournaments.transfer.services.event_locks import hold_all, one_moment, one_reader_at_a_time
from tournaments.transfer.services.event_notes import note_from, plain_note
from tournaments.words.clauses import check_cited

KIND, EDITION = "midpoint event", 2
# What belongs to an installation, codes that open something here, and counters that only grow.
LEFT_OUT = frozenset({"id", "club", "code_hash", "version", "opened_by_director"})
EDITIONS = (1, EDITION)
# What files of edition 1 do not have.
NOT_IN_1 = frozenset({"user", "claim", "note", "opened_by", "paid_by", "breaks", "breaks_seq"})
# What only they have: a mark that a result was under way, which no stored row keeps.
ONLY_IN_1 = frozenset({"unlocked_seq"})
LOGS_OF = {"stageevent": "stage", "sheetevent": "sheet"}
SEALED_ANEW = "sealed_anew"
TABLES_NOT_IN_1 = frozenset({"claim", "objection"})
SEEDS = ("seed", "dice_seed")
MATCHES = "board__pairing__stage__flight__event"


@dataclass(frozen=True, slots=True)
class Table:
    """A kind of row: the lookup that leads to its event, and the fields by which a row is known again.

    A ``log`` only grows: what two installations have of it must agree. Rows of a table that is ``mirrored``
    and that the file does not have are taken away; one that is written ``anew`` has only those of the file,
    since its rows may have changed places. Rows that are ``kept`` stay as they came first.
    """

    model: type[models.Model]
    path: str
    key: tuple[str, ...]
    log: bool = False
    mirrored: bool = False
    anew: bool = False
    kept: bool = False

    @property
    def name(self) -> str:
        return str(self.model._meta.model_name)

    def rows(self, event: Event) -> "models.QuerySet[Any]":
        lookup = {self.path: event.pk} if self.path else {"pk": event.pk}
        return self.model._default_manager.filter(**lookup)

    @property
    def fields(self) -> list["models.Field[Any, Any]"]:
        found = [field for field in self.model._meta.concrete_fields if field.name not in LEFT_OUT]
        return sorted(found, key=lambda field: field.name)

    @property
    def plain(self) -> list[str]:
        """The columns that neither name a login nor have a text of their own."""
        return [field.name for field in self.fields if field.related_model not in {User, Note}]

    @property
    def acted_at(self) -> str | None:
        """The column of when a row's author did what the row says."""
        names = {field.name for field in self.fields}
        return next((name for name in ("paid_at", "at", "created_at") if name in names), None)

    @property
    def has_notes(self) -> bool:
        return any(field.related_model is Note for field in self.fields)

    def loaded(self, event: Event) -> "models.QuerySet[Any]":
        """The rows with authors, players and notes."""
        related = [f"{column}__player" for column in columns_of(self.model)]
        related += [field.name for field in self.fields if field.related_model in {Note, Player}]
        return self.rows(event).select_related(*related) if related else self.rows(event)


TABLES = (
    Table(Event, "", ("ref",)),
    Table(Flight, "event", ("ref",)),
    Table(Entrant, "flight__event", ("ref",)),
    Table(EntrantMember, "entrant__flight__event", ("entrant", "position")),
    Table(Stage, "flight__event", ("ref",)),
    Table(StageEntrant, "stage__flight__event", ("stage", "number"), anew=True),
    Table(StageEvent, "stage__flight__event", ("stage", "seq"), log=True),
    Table(Pairing, "stage__flight__event", ("ref",)),
    Table(Sheet, f"match__{MATCHES}", ("ref",)),
    Table(Match, MATCHES, ("ref",)),
    Table(Side, f"match__{MATCHES}", ("match", "colour")),
    Table(Seat, f"match__{MATCHES}", ("match", "side", "order"), mirrored=True),
    Table(Claim, f"sheet__match__{MATCHES}", ("ref",), kept=True),
    Table(SheetEvent, f"sheet__match__{MATCHES}", ("sheet", "seq"), log=True),
    Table(Result, f"match__{MATCHES}", ("match",)),
    Table(Confirmation, f"match__{MATCHES}", ("match", "revision", "side"), mirrored=True),
    Table(Objection, f"match__{MATCHES}", ("match", "revision", "side"), mirrored=True),
    Table(Board, "pairing__stage__flight__event", ("pairing", "number")),
    Table(DeskEvent, "event", ("event", "seq"), log=True),
    Table(EventTable, "event", ("event", "number"), mirrored=True),
    Table(Prize, "flight__event", ("ref",), mirrored=True),
)

Body = dict[str, Any]
# Whatever rows that are none can make of the checks on the way in.
UNREADABLE = (
    *(IntegrityError, DataError, ValidationError, ScoringError, DrawError, PrizeRefused),
    *(KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError),
)


def event_file(event: Event, *, private: bool = False, for_key: str = "") -> str:
    """The event as JSON text: the same text for the same event, wherever it is.

    ``private`` is whether conduct reports go along: for whom may read them (``tournaments.events.access``).
    With the key of a machine the seeds of draws to be made go along, sealed for it: anew in every file.

    Raises DeskRefused for what is no key.
    """
    with one_moment():
        body = _written(event, private=private, for_key=for_key)
    body["digest"] = _digest(body)
    return json.dumps(body, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _written(event: Event, *, private: bool, for_key: str) -> Body:
    numbers: dict[type[models.Model], dict[int, int]] = {}
    tables: Body = {}
    elsewhere = authors_elsewhere(event)
    for table in TABLES:
        rows = [(row, _plain(table, row, numbers, private=private)) for row in table.loaded(event)]
        for row, plain in rows:
            plain |= {column: author_ref(row, column, elsewhere) for column in columns_of(table.model)}
        rows.sort(key=lambda each: [_sortable(each[1][name]) for name in table.key])
        numbers[table.model] = {row.pk: number for number, (row, _body) in enumerate(rows)}
        tables[table.name] = [body for _row, body in rows]
    refs = _people_in(tables)
    names = {row.ref: row.player.person.name for row in elsewhere.values() if hasattr(row.player, "person")}
    others = refs - {row.ref for row in elsewhere.values()}
    people = Person.objects.filter(player__ref__in=others, player__erased_at=None)
    names = {ref: name for ref, name in names.items() if ref in refs}
    names |= dict(people.values_list("player__ref", "name"))
    return {
        "kind": KIND,
        "edition": EDITION,
        "people": names,
        "tables": tables,
        "sealed": _sealed(event, for_key) if for_key else None,
    }


def read_event_file(*, club: Club, text: str, user: User | None = None) -> Event:
    """Bring an event file into a club; what is there already stays as it is.

    An event that was not known here, and has draws to be made, gets the seeds that are sealed for this
    machine in the file; without them seeds of its own, which the log notes.

    Raises DeskRefused for a text that is no such file or was changed, for an event of another club, for
    people whom the club does not have, for seeds that are sealed for another machine and needed here, and
    where the event here went on in another way; nothing is kept then.
    """
    try:
        body = _read(text)
        with transaction.atomic():
            one_reader_at_a_time()
            reader = _Reader(club, body, user)
            if (known := reader.read_before()) is not None:
                return known
            event = reader.event()
            _check(event)
            _forget_again(body["tables"])
            if reader.sealed:
                note(event=event, kind=SEALED_ANEW, user=user, seeds=reader.sealed)
            touch(event)
            for match in Match.objects.filter(**{MATCHES: event}, result__isnull=False):
                _follow_up(match)
    except UNREADABLE as error:
        raise _no_file(str(error).split("\n")[0]) from error
    return event


class _Reader:
    """Brings the rows of a file in, table by table, parents first."""

    def __init__(self, club: Club, body: Body, user: User | None) -> None:
        self._club, self._user = club, user
        self._tables: Body = body["tables"]
        self._edition: int = body["edition"]
        self._made: dict[type[models.Model], list[Any]] = {}
        self.sealed: list[dict[str, str]] = []
        """The stages (by ref) that got another seed here, with the hash in the file and the new one."""
        self._event = self._known_event()
        self._sealed: Body | None = body.get("sealed")
        self._seeds = opened(self._sealed, event=self._tables["event"][0]["ref"]) if self._sealed else {}
        self._players = self._known_people(body["people"])
        self._authors = Authors(club, body["people"], self._event, self._known_authors())

    def event(self) -> Event:
        for table in TABLES:
            if table.name in self._tables:
                self._made[table.model] = self._bring(table, self._tables[table.name])
            if table.model is Event:
                self._event = self._made[Event][0]
        found: Event = self._made[Event][0]
        return found

    def read_before(self) -> Event | None:
        """The event, where nothing but the seeds that were sealed in their places is here beyond the file."""
        if self._event is None:
            return None
        here, there = _links_here(self._event), _links_in(self._tables)
        rest = [link for link in here if link not in there]
        anew = DeskEvent.objects.filter(event=self._event, kind=SEALED_ANEW)
        own = {("deskevent", "", seq) for seq in anew.values_list("seq", flat=True)}
        only_own = bool(rest) and set(rest) <= own
        same = all(here.get(link) == hash_ for link, hash_ in there.items())
        return self._event if only_own and same else None

    def _known_event(self) -> Event | None:
        (plain,) = self._tables["event"]
        known = hold_all(plain["ref"])
        if known is not None and known.club_id != self._club.pk:
            raise DeskRefused(_("This event belongs to another club."), code="another_club")
        return known

    def _known_people(self, names: Mapping[str, str]) -> dict[str, Player]:
        refs = _players_in(self._tables)
        found = Player.objects.filter(ref__in=refs).select_related("merged_into")
        players = {player.ref: player.merged_into or player for player in found}
        here = set(Membership.objects.filter(club=self._club).values_list("player__ref", flat=True))
        if self._event is not None:
            own = EntrantMember.objects.filter(entrant__flight__event=self._event)
            here |= set(own.values_list("player__ref", flat=True))
        for ref in sorted(refs - players.keys()):
            players[ref] = newcomer(self._club, ref, names.get(ref))
            here.add(ref)
        # Who was erased here belongs to no club any more, and is nobody whom a file could bring in.
        strangers = sorted(
            ref for ref in refs if players[ref].ref not in here and players[ref].erased_at is None
        )
        if strangers:
            raise DeskRefused(
                _("%(ref)s is no player of %(club)s.") % {"ref": strangers[0], "club": self._club.name},
                code="stranger",
            )
        return players

    def _known_authors(self) -> set[int]:
        """The players (by key) who are in the event here, or wrote in it by their logins."""
        if self._event is None:
            return set()
        own = EntrantMember.objects.filter(entrant__flight__event=self._event)
        found = set(own.values_list("player_id", flat=True))
        for table in TABLES:
            for column in columns_of(table.model):
                logins = table.rows(self._event).values(column)
                found |= set(Player.objects.filter(user__in=logins).values_list("pk", flat=True))
        return found

    def _bring(self, table: Table, plain: Sequence[Body]) -> list[Any]:
        known = (
            {} if self._event is None else {self._key(table, row): row for row in table.loaded(self._event)}
        )
        rows = [self._row(table, body) for body in plain]
        keys = [self._key(table, row) for row in rows]
        if table.model is Stage:
            for key, stage in zip(keys, rows, strict=True):
                self._seal(stage, known.get(key))
        if len(set(keys)) < len(keys):
            raise ValueError(f"{table.name}: a row is there twice")
        if table.anew and self._event is not None:
            table.rows(self._event).delete()
            known = {}
        if table.log:
            self._require_prefix(known, dict(zip(keys, rows, strict=True)))
        elif table.mirrored:
            for key in known.keys() - set(keys):
                gone = known.pop(key)
                forget_authors([gone.pk], of=table.model)
                gone.delete()
        new = []
        for key, row, body in zip(keys, rows, plain, strict=True):
            if key in known:
                self._renew(table, row, body, known[key])
                continue
            self._write(table, row, body)
            new.append((row, body))
        table.model._default_manager.bulk_create([row for row, _body in new])
        self._keep_authors(table, new)
        if table.log:
            self._note_that_they_came(table, [row for row, _body in new])
        return rows

    def _write(self, table: Table, row: Any, body: Body) -> None:
        """Author and text of a row that is not here yet."""
        for column in self._columns(table):
            self._authors.sign(row, column, body[column])
        if table.has_notes:
            row.note = note_from(body.get("note"), getattr(row, "note_digest", None))

    def _note_that_they_came(self, table: Table, entries: Iterable[Any]) -> None:
        """A log only grows: what is new in it has one number behind the other."""
        numbers: dict[int, list[int]] = {}
        for parent, seq in (self._key(table, row) for row in entries):
            numbers.setdefault(parent, []).append(seq)
        CameInFile.objects.bulk_create(
            CameInFile(
                event=self._made[Event][0],
                table=table.name,
                parent=parent,
                first=min(found),
                last=max(found),
                user=self._user,
            )
            for parent, found in numbers.items()
        )

    def _renew(self, table: Table, row: Any, body: Body, here: Any) -> None:
        """What the file says of a row that is here; authors and texts that it does not have stay, an author
        as long as the act is the same one: a prize that was paid anew is paid by whom the file says.
        """
        row.pk = here.pk
        fixed = table.log or table.kept
        names = [name for name in table.plain if name in body]
        differing = {name for name in names if self._differs(table, row, here, name)}
        changed = not fixed and bool(differing)
        if changed:
            row.save(update_fields=names, force_update=True)
        if table.has_notes and here.note_id is None and body.get("note") is not None:
            here.note = note_from(body["note"], getattr(row, "note_digest", None))
            here.save(update_fields=["note"])
        for column in self._columns(table):
            said = body[column] is not None and not (fixed and self._authors.known(here, column))
            if said or (changed and table.acted_at in differing):
                self._authors.sign(here, column, body[column])
                here.save(update_fields=[column])
                self._keep_authors(table, [(here, body)])

    def _keep_authors(self, table: Table, rows: Iterable[tuple[Any, Body]]) -> None:
        for row, body in rows:
            for column in self._columns(table):
                self._authors.note(self._made[Event][0], row, column, body[column])

    def _columns(self, table: Table) -> tuple[str, ...]:
        return columns_of(table.model) if self._edition > 1 else ()

    def _seal(self, stage: Stage, known: Stage | None) -> None:
        """Keep what is sealed here, open what is sealed for here, or seal another seed."""
        # Of a draw that was taken back everybody knows the seed.
        known_to_all = {old["seed_hash"] for old in stage.superseded}
        if stage.drawn_at is not None:
            if known is not None and known.drawn_at is None:
                self._require_told(stage, known.seed_hash, known_to_all)
            return
        if known is not None and known.drawn_at is None and known.seed_hash not in known_to_all:
            stage.seed, stage.dice_seed, stage.seed_hash = known.seed, known.dice_seed, known.seed_hash
            return
        if self._seeds is None:
            raise DeskRefused(
                _("The seeds in this file are sealed for another machine: save it for the key of this one."),
                code="sealed_elsewhere",
            )
        if stage.ref in self._seeds:
            stage.seed, stage.dice_seed = self._seeds[stage.ref]
            if seed_hash(stage.seed) != stage.seed_hash or stage.seed_hash in known_to_all:
                raise ValueError(f"{stage.name}: the sealed seed is not the one whose hash was shown")
            return
        before = stage.seed_hash
        stage.seed, stage.dice_seed = token_hex(16), token_hex(16)
        stage.seed_hash = seed_hash(stage.seed)
        self.sealed.append({"stage": stage.ref, "before": before, "hash": stage.seed_hash})

    def _require_told(self, stage: Stage, shown: str, known_to_all: set[str]) -> None:
        """A draw from another seed than the one whose hash was shown here must be told in the logs."""
        told = {
            each["before"]
            for row in self._tables["deskevent"]
            if row["kind"] == SEALED_ANEW
            for each in row["body"]["seeds"]
            if each["stage"] == stage.ref
        }
        if shown not in {stage.seed_hash} | told | known_to_all:
            raise ValueError(
                f"{stage.name}: it was drawn from another seed than the one whose hash was shown"
            )

    def _row(self, table: Table, body: Body) -> Any:
        names = {field.name for field in table.fields}
        if self._edition == 1:
            names -= NOT_IN_1
            body = {name: value for name, value in body.items() if name not in ONLY_IN_1}
        if set(body) != names:
            raise ValueError(f"{table.name}: {sorted(set(body) ^ names)} should (not) be there")
        plain = [field for field in table.fields if field.name in set(table.plain) & names]
        values = {field.name: self._value(field, body[field.name]) for field in plain}
        if table.model is Claim:
            values["code_hash"] = hash_of(new_code())
        if any(field.name == "club" for field in table.model._meta.concrete_fields):
            values["club"] = self._club
        return table.model(**values)

    def _value(self, field: "models.Field[Any, Any]", plain: Any) -> Any:
        if plain is None:
            return None
        if field.related_model is Player:
            return self._players[plain]
        if field.is_relation:
            made = self._made[field.related_model]  # type: ignore[index]
            if type(plain) is not int or not 0 <= plain < len(made):
                raise ValueError(f"{field.name}: there is no row {plain!r}")
            return made[plain]
        return plain if isinstance(field, models.JSONField) else field.to_python(plain)

    @staticmethod
    def _key(table: Table, row: Any) -> tuple[Any, ...]:
        return tuple(getattr(row, table.model._meta.get_field(name).attname) for name in table.key)  # type: ignore[union-attr]

    @staticmethod
    def _differs(table: Table, row: Any, known: Any, name: str) -> bool:
        attribute = table.model._meta.get_field(name).attname  # type: ignore[union-attr]
        return bool(getattr(row, attribute) != getattr(known, attribute))

    @staticmethod
    def _require_prefix(known: Mapping[tuple[Any, ...], Any], coming: Mapping[tuple[Any, ...], Any]) -> None:
        """Whatever is here of a log must be in the file, entry by entry."""
        for key, row in known.items():
            if key not in coming:
                raise DeskRefused(
                    _("The event went further here than in the file: nothing is read."), code="older"
                )
            if coming[key].hash != row.hash:
                raise DeskRefused(
                    _("The event went on here and there in different ways: nothing is read."), code="diverged"
                )


def _plain(
    table: Table, row: Any, numbers: Mapping[type[models.Model], Mapping[int, int]], *, private: bool
) -> Body:
    body: Body = {}
    for field in table.fields:
        value = getattr(row, field.attname)
        if field.related_model is User:
            continue
        if field.related_model is Note:
            hidden = isinstance(row, DeskEvent) and row.kind in PRIVATE and not private
            body[field.name] = None if hidden else plain_note(getattr(row, field.name))
        elif value is None or isinstance(field, models.JSONField):
            body[field.name] = value
        elif field.related_model is Player:
            body[field.name] = getattr(row, field.name).ref
        elif field.is_relation:
            body[field.name] = numbers[field.related_model][value]  # type: ignore[index]
        elif isinstance(value, str | bool | int | float):
            body[field.name] = value
        else:
            body[field.name] = value.isoformat()
    if isinstance(row, Stage) and row.drawn_at is None:
        body |= dict.fromkeys(SEEDS, "")
    return body


def _sealed(event: Event, for_key: str) -> dict[str, str]:
    stages = Stage.objects.filter(flight__event=event, drawn_at=None)
    seeds = {stage.ref: (stage.seed, stage.dice_seed) for stage in stages}
    return sealed(seeds, event=event.ref, for_key=for_key)


def _forget_again(tables: Body) -> None:
    """What was written elsewhere by or about somebody who was erased here goes as what was here has gone."""
    refs = _people_in(tables)
    refs |= {ref for row in tables["deskevent"] for ref in row["body"].get("about", ())}
    for player in Player.objects.filter(ref__in=refs, erased_at__isnull=False):
        forget_desk_notes(player)


def _links_in(tables: Body) -> dict[tuple[str, str, int], str]:
    """The links of a file's logs, by table, the ref of the stage or sheet, and number."""
    links = {("deskevent", "", row["seq"]): row["hash"] for row in tables["deskevent"]}
    for name, parent in LOGS_OF.items():
        for row in tables[name]:
            links[name, tables[parent][row[parent]]["ref"], row["seq"]] = row["hash"]
    return links


def _links_here(event: Event) -> dict[tuple[str, str, int], str]:
    """The links of the logs as they are here, as ``_links_in`` has them."""
    links: dict[tuple[str, str, int], str] = {}
    for table in TABLES:
        if table.log:
            parent = LOGS_OF.get(table.name)
            rows = table.rows(event).values_list(f"{parent}__ref" if parent else "pk", "seq", "hash")
            links |= {(table.name, ref if parent else "", seq): link for ref, seq, link in rows}
    return links


def _sortable(value: Any) -> tuple[int, Any]:
    return (0, value) if isinstance(value, int) else (1, str(value))


def _players_in(tables: Body) -> set[str]:
    return {row["player"] for name in ("entrantmember", "seat") for row in tables[name]}


def _people_in(tables: Body) -> set[str]:
    """Players and authors."""
    named = (
        row.get(column)
        for table in TABLES
        for row in tables.get(table.name, ())
        for column in columns_of(table.model)
    )
    return _players_in(tables) | {ref for ref in named if ref is not None}


def _digest(body: Body) -> str:
    rest = {name: value for name, value in body.items() if name != "digest"}
    plain = json.dumps(rest, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(plain.encode()).hexdigest()


def _read(text: str) -> Body:
    try:
        # Some editors put a mark of the encoding in front.
        body = json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise _no_file(_("it is cut off, or no JSON, at line %(line)s") % {"line": error.lineno}) from error
    except RecursionError as error:
        raise _no_file(str(error)) from error
    if not isinstance(body, dict) or body.get("kind") != KIND:
        raise _no_file(_("it is of another kind"))
    if body.get("edition") not in EDITIONS:
        raise _no_file(
            _("its edition is %(edition)s, and those known here are up to %(last)s")
            % {"edition": body.get("edition"), "last": EDITION}
        )
    if body.get("digest") != _digest(body):
        raise _no_file(_("it was changed after it was written"))
    tables = body.get("tables")
    if body["edition"] > 1 and "sealed" not in body:
        raise _no_file(_("it does not say whether seeds are in it"))
    expected = {table.name for table in TABLES} - (TABLES_NOT_IN_1 if body["edition"] == 1 else set())
    if not isinstance(tables, dict) or set(tables) != expected or not isinstance(body.get("people"), dict):
        raise _no_file(_("tables are missing"))
    rows: Iterable[Any] = (row for found in tables.values() for row in found)
    if not all(isinstance(found, list) for found in tables.values()) or not all(
        isinstance(row, dict) for row in rows
    ):
        raise _no_file(_("a table is no list of rows"))
    if len(tables["event"]) != 1:
        raise _no_file(_("it has no event, or several"))
    return body


def _no_file(reason: str) -> DeskRefused:
    return DeskRefused(
        _("This is no event file that can be read: %(reason)s.") % {"reason": reason.rstrip(".")}, code="file"
    )


def _check_plain(event: Event) -> None:
    """Breaks, and the clauses that rulings cite, are what they are read as."""
    check_breaks(event.pauses, event_at=event.starts_at)
    for kept in event.desk_log.filter(body__has_key="clause").values_list("body__clause", flat=True):
        check_cited(kept)


def _check(event: Event) -> None:
    """Logs that do not hold together, and results that their sheets do not say, are refused."""
    lost = damage_of_log(event)
    if lost:
        raise _no_file(lost)
    # What is kept as plain data must be what it is read as.
    plain: list[Any] = [event.rules, event.tz]
    _check_plain(event)
    for flight in Flight.objects.filter(event=event):
        plain += [eligibility_of(flight.eligibility), pools_of(flight.pools)]
        for _code, fault in share_faults(tuple(flight.shares.items()), flight_plan(flight).stages):
            raise _no_file(fault)
    for stage in Stage.objects.filter(flight__event=event).select_related("flight__event__club"):
        damage = damage_of_stage(stage)
        if damage:
            raise _no_file(f"{stage.name}: {damage}")
        plain += [rules_of(stage), typed_options(stage)]
        plain += [datetime.fromisoformat(at) for at in stage.starts.values()]
        _check_superseded(stage)
        if stage.drawn_at is not None:
            load(stage)
    for match in Match.objects.filter(**{MATCHES: event}).select_related("sheet", "result"):
        broken = damage_of_sheet(match.sheet)
        if broken is not None:
            raise _no_file(f"{match.ref}: {broken}")
        result = getattr(match, "result", None)
        said = value_in(state_of(match.sheet))
        if match.status == MatchStatus.FINISHED and (result is None or said is None):
            raise _no_file(f"{match.ref}: a finished match without a result")
        if result is not None and said is not None:
            value = value_of(result)
            if (value.winner, value.points, value.ended) != (said.winner, said.points, said.ended):
                raise _no_file(f"{match.ref}: the result is not what the sheet says")


def _check_superseded(stage: Stage) -> None:
    """The draws that were taken back are those that the log says, and can be drawn again."""
    entries = stage.log.filter(body__kind=DRAW_TAKEN_BACK).order_by("seq").values_list("seq", "body__seed")
    taken_back = [(0, ""), *entries]
    for old in stage.superseded:
        drawn_before(stage, old)
        for name in ("drawn_at", "taken_back_at"):
            datetime.fromisoformat(old[name])
        for name in ("seed_hash", "dice_hash", "dice_seed"):
            if not isinstance(old.get(name, ""), str):
                raise _no_file(f"{stage.name}: {old[name]!r} is no {name}")
        instead, late = old.get("instead", {}), old.get("late", [])
        if not isinstance(late, list) or not all(map(looks_like_ref, [*instead, *instead.values(), *late])):
            raise _no_file(f"{stage.name}: who came late into a draw that was taken back is no list of refs")
    told = [seed for _seq, seed in taken_back[1:]]
    if [old["seed"] for old in stage.superseded] != told or stage.drawn_behind != taken_back[-1][0]:
        raise _no_file(f"{stage.name}: the draws that were taken back are not those of the log")


def _follow_up(match: Match) -> None:
    """What a result makes happen: ratings, and the end of its objection window."""
    result = match.result
    if result.final_at is not None:
        ask_for_update(match=match)
    elif result.objection_until is not None:
        ObjectionWindow.objects.get_or_create(
            match=match, revision=result.revision, defaults={"available_at": result.objection_until}
        )
