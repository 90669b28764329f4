"""Importing match files: read, replay, find the players, store the log.

Files are never altered: an illegal play is kept as played and flagged; an unreadable file is an error that
names the line. The same match from two files is one match with two sources.
"""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime, time
from functools import partial
from hashlib import sha256
from pathlib import PurePath
from typing import Any

from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.attempts import MovedError, settled
from clubs.live.topics import publish
from clubs.lookalikes import clean_name
from clubs.models import Club, Membership, Player, Role, User
from clubs.models.person import NAME_LENGTH
from clubs.refs import new_ref
from clubs.work import services as work
from scoring.engines.conversion import read_bounded
from scoring.files.queries.uploads import ENDED
from scoring.files.services.aliases import known_names, player_among, player_named
from scoring.files.services.notice_batches import delay_notices, release_notices
from scoring.log.queries.results import DESK
from scoring.log.services.sheets import begin_whole, lock_match
from scoring.models import (
    Alias,
    Colour,
    Confirmation,
    Match,
    MatchStatus,
    Seat,
    Sheet,
    SideRow,
    Source,
    Upload,
)
from scoring.notation.formats import detect_format, opened
from scoring.notation.ready import ReadyRecord, ready
from scoring.notation.record import MatchRecord
from scoring.ratings.services.ratings import delay_updates, release_updates
from scoring.rules.endings import Ending
from scoring.rules.errors import InvalidNotation, ScoringError
from scoring.rules.match_state import MatchState
from scoring.rules.sides import Side
from scoring.sheets.services.file_analyses import keep_annotations
from scoring.sheets.services.identity import is_told_by, match_of_record, meant_names
from scoring.sheets.services.results import Yes, record_result, settle, value_in
from scoring.signals import ResultRefused

IMPORTS_SLUG = "imports"
_DATE = re.compile(r"(\d{4})[.\-/](\d{1,2})[.\-/](\d{1,2})")
_TIME = re.compile(r"(\d{1,2})[.:](\d{2})(?:[.:]\d{2})?")


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The result of importing one file: a line of ``import_match --json``.

    ``match`` is the ref, ``score`` the capped points in the order of ``players``, ``winner`` a name or None,
    ``flags`` what the reader noticed or guessed. ``known`` says that the club had the match already: the file
    is one more source of it. ``error`` is None, or ``{code, message, line}`` and the rest is empty.
    """

    file: str
    match: str | None = None
    players: list[str] = field(default_factory=list)
    length: int | None = None
    score: list[int] = field(default_factory=list)
    winner: str | None = None
    finished: bool = False
    known: bool = False
    flags: list[dict[str, Any]] = field(default_factory=list)
    error: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A match file with its record, or the error from reading it."""

    filename: str
    content: bytes
    record: ReadyRecord | ScoringError


def import_file(
    *, club: Club, filename: str, content: bytes, user: User | None = None, final: bool = False
) -> tuple[Match | None, ImportReport]:
    """Import a match file; the report has the reason if nothing was stored.

    ``final`` is for directors and the command line: the result needs nobody's confirmation.
    """
    return _import_read(
        read_file(content), club=club, filename=filename, content=content, user=user, final=final
    )


def import_files(
    *, club: Club, files: Sequence[ReadFile], final: bool
) -> list[tuple[Match | None, ImportReport]]:
    """Store the matches of some files in one transaction.

    Returns the results in order.

    The club is held meanwhile, so they should be few. Where the database refuses them together (somebody
    else waits for one of their matches and holds another), they are stored one after the other.
    """
    store = partial(_store_read, club=club, final=final)
    try:
        with transaction.atomic():
            return list(map(store, files))
    except DatabaseError:
        return list(map(store, files))


def _store_read(file: ReadFile, *, club: Club, final: bool) -> tuple[Match | None, ImportReport]:
    return _import_read(
        file.record, club=club, filename=file.filename, content=file.content, user=None, final=final
    )


def read_file(content: bytes) -> ReadyRecord | ScoringError:
    """The record in a file, or the error from reading it.

    Can take a minute: hold no lock.
    """
    try:
        return ready(read_bounded(content))
    except ScoringError as error:
        return error


def _import_read(
    record: ReadyRecord | ScoringError,
    *,
    club: Club,
    filename: str,
    content: bytes,
    user: User | None,
    final: bool,
) -> tuple[Match | None, ImportReport]:
    if isinstance(record, ScoringError):
        return None, ImportReport(file=filename, error=_problem(record))
    name = PurePath(filename).name[-255:]
    try:
        match, known = store_record(
            club=club, record=record, filename=name, content=content, user=user, final=final
        )
    except ResultRefused as refused:
        # The club has the match, but its event was moved to another machine.
        refusal = {"code": refused.code, "message": str(refused), "line": None}
        return None, ImportReport(file=filename, error=refusal)
    return match, _report(filename, match, record, known=known)


def store_record(
    *,
    club: Club,
    record: ReadyRecord,
    filename: str,
    content: bytes,
    user: User | None,
    final: bool,
) -> tuple[Match, bool]:
    """The match of a record, and whether the club already had it."""
    stored = partial(
        _stored, club=club, record=record, filename=filename, content=content, user=user, final=final
    )
    try:
        return stored()
    except IntegrityError as error:
        if "match_digest_once_per_club" not in str(error):
            raise
        # The same match was just finished on its scoresheet and can be found now.
        return stored()


def _stored(
    *, club: Club, record: ReadyRecord, filename: str, content: bytes, user: User | None, final: bool
) -> tuple[Match, bool]:
    read = record.record
    with transaction.atomic():
        _look_up_by_index()
        # One import at a time per club: two files of one match, or of one new name, never race.
        Club.objects.select_for_update(no_key=True).get(pk=club.pk)
        found = {
            "filename": filename,
            "format": detect_format(opened(content)),
            "content": content,
            "flags": [asdict(flag) for flag in read.flags],
            "user": user,
        }
        sha = sha256(content).hexdigest()
        aliases = known_names(club=club, names=_names(record))
        match = _known(club, record, content, meant_names(read.players, aliases))
        if match is None:
            match = _new_match(club, record, user, aliases)
            source = Source.objects.create(match=match, sha256=sha, **found)
            keep_annotations(source=source, match=match, annotations=read.annotations)
            record_result(
                match=match,
                value=value_in(read.state),
                status=status_of_record(read.state),
                said_yes=[Yes(DESK, user=user)] if final else [],
            )
            return match, False
        source, _created = Source.objects.get_or_create(match=match, sha256=sha, defaults=found)
        keep_annotations(source=source, match=match, annotations=read.annotations)
        if match.status == MatchStatus.FINISHED:
            if final and is_told_by(match, record):
                Confirmation.objects.get_or_create(
                    match=match, revision=match.result.revision, side=DESK, defaults={"user": user}
                )
            settle(match=match)
        return match, True


def _look_up_by_index() -> None:
    """Plan this transaction's statements for large tables.

    A connection caches query plans, foreign key checks included. A plan made while a table has few rows
    scans the whole table, and would do so for every event of every file of a long import.
    """
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan TO off")


def _known(club: Club, record: ReadyRecord, content: bytes, meant: tuple[str, str]) -> Match | None:
    """The club's existing match, locked and looked up again under the lock."""
    found = partial(match_of_record, club=club, record=record, content=content, meant=meant)
    match = found()

    def attempt() -> Match | None:
        nonlocal match
        if match is None:
            return None
        _sheet, current = lock_match(match)
        seen, match = match, found()
        if match != seen:
            raise MovedError
        return current

    return None if match is None else settled(attempt)


def status_of_record(state: MatchState) -> MatchStatus:
    """The match status of a record: finished, void or unfinished."""
    if state.outcome is None:
        return MatchStatus.UNFINISHED
    return MatchStatus.VOID if state.outcome.reason is Ending.VOID else MatchStatus.FINISHED


def import_upload(upload: Upload) -> None:
    """Import an uploaded file. ``upload`` is work that the caller has claimed.

    An unreadable file is done too, with the error in its report. The content moves to the match.
    """
    by_director = upload.user is not None and is_director(upload.user, upload.club)
    content = bytes(upload.content or b"")
    record = read_file(content)
    with work.finish(upload) as current:
        match, report = _import_read(
            record,
            club=upload.club,
            filename=upload.filename,
            content=content,
            user=upload.user,
            final=by_director,
        )
        current.match, current.report, current.content = match, asdict(report), None
        # One at a time per batch, so that published versions are consecutive.
        Club.objects.select_for_update(no_key=True).get(pk=upload.club_id)
        batch = Upload.objects.filter(batch=upload.batch)
        publish(upload.batch, 2 + batch.filter(status__in=ENDED).count())
        if batch.exclude(pk=upload.pk).exclude(status__in=ENDED).exists():
            delay_updates(match=match)
            if match and not report.known:
                delay_notices(match)
        else:
            release_updates(club=upload.club)
            release_notices(upload.batch)


def receive_files(*, club: Club, user: User, files: Sequence[tuple[str, bytes]]) -> list[Upload]:
    """Queue uploaded files (name and bytes) for import, as one batch."""
    batch = new_ref()
    return Upload.objects.bulk_create(
        Upload(
            club=club,
            user=user,
            batch=batch,
            filename=PurePath(name).name[-255:],
            content=content,
            sha256=sha256(content).hexdigest(),
        )
        for name, content in files
    )


def club_for_imports(slug: str = "") -> Club:
    """The club of a command-line import.

    The named one, else the only real one, else ``imports``.

    Raises Club.DoesNotExist for a slug that no club has.
    """
    if slug:
        return Club.objects.get(slug=slug)
    clubs = list(Club.objects.filter(is_demo=False)[:2])
    if len(clubs) == 1:
        return clubs[0]
    return Club.objects.get_or_create(slug=IMPORTS_SLUG, defaults={"name": "Imports"})[0]


def is_director(user: User, club: Club) -> bool:
    """Whether results that the user reports in this club are final."""
    memberships = Membership.objects.filter(club=club, player__user=user, role__gte=Role.DIRECTOR)
    return user.is_superuser or memberships.exists()


def _new_match(club: Club, record: ReadyRecord, user: User | None, aliases: dict[str, Alias]) -> Match:
    sheet = begin_whole(sheet=Sheet(club=club), log=record.log, user=user)
    read = record.record
    match = Match.objects.create(
        club=club, sheet=sheet, length=read.length, digest=record.digest, played_at=_played_at(club, read)
    )
    sides = SideRow.objects.bulk_create(SideRow(match=match, colour=colour) for colour in Colour.values)
    players = _players(club, _names(record), aliases)
    Seat.objects.bulk_create(
        Seat(match=match, side=side, player=player) for side, player in zip(sides, players, strict=True)
    )
    return match


def _names(record: ReadyRecord) -> tuple[str, str]:
    """The players' names as shown.

    A player without one gets a name unique to the match.
    """
    white, black = map(clean_name, record.record.players)
    unnamed = _("Unnamed player %(number)s") % {"number": record.digest[:6].upper()}
    return white or unnamed, black or unnamed


def _players(club: Club, names: tuple[str, str], aliases: dict[str, Alias]) -> tuple[Player, Player]:
    """Two different players, even if both names belong to one."""
    white = player_among(aliases, club=club, name=names[0])
    black = player_among(aliases, club=club, name=names[1])
    if white == black:
        # Truncate first, so that the number survives on a name of maximum length.
        black = player_named(club=club, name=f"{names[1][: NAME_LENGTH // 2]} (2)")
    return white, black


def _played_at(club: Club, record: MatchRecord) -> datetime:
    """The file's date and time in the club's zone.

    Noon without a time, now without a date.
    """
    tags = dict(record.tags)
    day, clock = _DATE.fullmatch(tags.get("EventDate", "")), _TIME.fullmatch(tags.get("EventTime", ""))
    if day is None:
        return now()
    try:
        date_played = date(*map(int, day.groups()))
        time_played = time(int(clock[1]), int(clock[2])) if clock else time(12)
        played = datetime.combine(date_played, time_played, tzinfo=club.zone).astimezone(UTC)
    except (ValueError, OverflowError):  # what no calendar or clock has: 2024.13.00, the year 0 in UTC
        return now()
    return min(played, now())


def _report(filename: str, match: Match, record: ReadyRecord, *, known: bool) -> ImportReport:
    read, names = record.record, _names(record)
    state, winner = read.state, read.state.winner
    return ImportReport(
        file=filename,
        match=match.ref,
        players=list(names),
        length=read.length,
        score=[state.score.capped(Side.WHITE), state.score.capped(Side.BLACK)],
        winner=None if winner is None else names[0 if winner is Side.WHITE else 1],
        finished=state.outcome is not None,
        known=known,
        flags=[asdict(flag) for flag in read.flags],
    )


def _problem(error: ScoringError) -> dict[str, Any]:
    line = error.line if isinstance(error, InvalidNotation) else None
    return {"code": error.code, "message": str(error), "line": line}
