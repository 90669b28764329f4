"""Many files are rated once: at the end of a command, and when an upload's batch is complete."""

import json
from io import StringIO
from pathlib import Path
from threading import Event

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from clubs.models import Club, Role, WorkStatus
from clubs.work import services as work
from scoring.chouettes.services.damage import damage_of
from scoring.files.services.imports import (
    ImportReport,
    ReadFile,
    import_file,
    import_files,
    import_upload,
    read_file,
    receive_files,
)
from scoring.log.services.sheets import lock_sheet
from scoring.management.commands.import_match import TOGETHER
from scoring.models import Match, Rating, RatingList, RatingUpdate, Sheet, Upload
from scoring.ratings.services.ratings import update_list
from tests.factories import ClubFactory, member
from tests.races import at_once, until_somebody_waits
from tests.scoring.records import short_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(slug="bilbao")


def files(folder: Path, *contents: bytes) -> list[str]:
    paths = [folder / f"{number}.mat" for number in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    return [str(path) for path in paths]


def writes(club: Club) -> int:
    """How often the club's list was written."""
    return RatingList.objects.get(club=club).version - 1


def test_a_command_rates_once_for_all_its_files(club: Club, tmp_path: Path) -> None:
    names = files(tmp_path, *(short_match("Ana", f"Player {number}") for number in range(6)))
    call_command("import_match", *names, club="bilbao", stdout=StringIO())
    assert writes(club) == 1
    assert Rating.objects.get(player__person__name="Ana").matches == 6
    assert set(RatingUpdate.objects.values_list("status", flat=True)) == {WorkStatus.DONE}


def test_a_command_rates_what_it_could_read_where_a_file_fails(club: Club, tmp_path: Path) -> None:
    names = files(tmp_path, short_match("Ana", "Ben"), b"nonsense", short_match("Ana", "Cleo"))
    with pytest.raises(CommandError, match="1 of 3 files"):
        call_command("import_match", *names, club="bilbao", stdout=StringIO())
    assert writes(club) == 1
    assert Rating.objects.get(player__person__name="Ana").matches == 2


def test_a_command_says_of_a_match_that_the_club_has_that_it_is_already_here(club: Club, tmp_path: Path):
    names = files(tmp_path, short_match("Ana", "Ben"), short_match("Ana", "Ben"), short_match("Ana", "Cleo"))
    printed = StringIO()
    call_command("import_match", *names, club="bilbao", stdout=printed)
    first, second, third = printed.getvalue().splitlines()
    assert ["already here" in line for line in (first, second, third)] == [False, True, False]
    assert second.partition(": ")[2] == first.partition(": ")[2].replace(" (", ", already here (")


@pytest.mark.django_db(transaction=True)
def test_a_command_commits_some_files_together_and_tells_the_clubs_pages_once_for_them(tmp_path: Path):
    club = ClubFactory.create(slug="bilbao")
    contents = [short_match("Ana", f"Player {number}") for number in range(2 * TOGETHER)]
    contents[3] = b"nonsense"
    with pytest.raises(CommandError, match=f"1 of {2 * TOGETHER} files"):
        call_command("import_match", *files(tmp_path, *contents), club="bilbao", stdout=StringIO())
    assert Match.objects.in_club(club).count() == 2 * TOGETHER - 1
    assert Club.objects.get(pk=club.pk).version == club.version + 2


class Stopped(StringIO):
    """Ctrl-C while a line is printed, the first of the second files that were committed together."""

    def write(self, text: str) -> int:
        if len(self.getvalue().splitlines()) == TOGETHER:
            raise KeyboardInterrupt
        return super().write(text)


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_command_that_was_stopped_is_completed_by_the_next(tmp_path: Path):
    club = ClubFactory.create(slug="bilbao")
    count = 2 * TOGETHER + 3
    names = files(tmp_path, *(short_match("Ana", f"Player {number}") for number in range(count)))
    with pytest.raises(KeyboardInterrupt):
        call_command("import_match", *names, club="bilbao", stdout=Stopped())
    assert Match.objects.in_club(club).count() == 2 * TOGETHER
    printed = StringIO()
    call_command("import_match", *names, club="bilbao", json=True, stdout=printed)
    known = [json.loads(line)["known"] for line in printed.getvalue().splitlines()]
    assert known == [True] * 2 * TOGETHER + [False] * 3
    assert [damage_of(sheet) for sheet in Sheet.objects.all()] == [None] * count
    assert Rating.objects.get(player__person__name="Ana").matches == count


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_files_that_the_database_refuses_together_are_stored_one_after_the_other():
    """Somebody holds the match of the second file and asks for that of the first: one of both gives way."""
    club = ClubFactory.create(slug="bilbao")
    contents = [short_match("Ana", "Ben"), short_match("Ana", "Cleo"), short_match("Ana", "Dan")]
    first, second = (import_file(club=club, filename="a", content=content)[0] for content in contents[:2])
    assert first is not None
    assert second is not None
    read = [ReadFile(f"{number}.mat", content, read_file(content)) for number, content in enumerate(contents)]
    held, over = Event(), Event()

    def hold() -> None:
        with transaction.atomic():
            lock_sheet(second.sheet_id)
            held.set()
            until_somebody_waits(over)
            lock_sheet(first.sheet_id)

    def store() -> list[ImportReport]:
        held.wait(10)
        try:
            return [report for _, report in import_files(club=club, files=read, final=True)]
        finally:
            over.set()

    _, reports = at_once(hold, store)
    assert [(report.error, report.known) for report in reports] == [(None, True), (None, True), (None, False)]
    assert Match.objects.in_club(club).count() == 3


def statements(club: Club, white: str, black: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        content = short_match(white, black)
        _match, report = import_file(club=club, filename="a.mat", content=content, final=True)
    assert (report.error, report.known) == (None, False)
    return len(captured)


def test_a_match_takes_as_many_statements_whatever_the_club_has(club: Club):
    for pair in (("Ana", "Ben"), ("Cleo", "Dan")):
        statements(club, *pair)
    between = [("Ana", "Cleo"), ("Ana", "Dan"), ("Cleo", "Ben"), ("Dan", "Ben")]
    assert [statements(club, *pair) for pair in between] == [25] * 4


MOST_ROWS = 400
"""Of a table, for one match; a few dozen are usual, and all of a small table, of seats up to three times,
where its index is as cheap. Who read all matches would read more than ``MANY``.
"""
MANY = 1000


def many_more(club: Club) -> None:
    """As many matches more as nobody would read through for one."""
    like = Match.objects.in_club(club).select_related("sheet").first()
    assert like is not None
    sheets = Sheet.objects.bulk_create(Sheet(club=club, state=like.sheet.state) for _ in range(MANY))
    Match.objects.bulk_create(
        Match(club=club, sheet=sheet, length=5, played_at=like.played_at, digest=f"{number:064x}")
        for number, sheet in enumerate(sheets)
    )


def reads() -> tuple[dict[str, int], dict[str, int]]:
    """How often this transaction has read each table as a whole, and how many rows it looked up by index."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, seq_scan, idx_tup_fetch FROM pg_stat_xact_user_tables"
            " WHERE schemaname = 'public'"
        )
        rows = cursor.fetchall()
    return {name: whole for name, whole, _ in rows}, {name: fetched for name, _, fetched in rows}


def test_a_match_reads_as_many_rows_whatever_the_club_has_also_by_plans_for_a_small_one(club: Club):
    """Statements, and the check of a foreign key for each event, are planned once a connection and kept."""
    pairs = ((f"White {number}", f"Black {number}") for number in range(40))
    for _ in range(10):
        statements(club, *next(pairs))
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # as at the end of a transaction
        cursor.execute("ANALYZE")  # as autovacuum does: now the planner knows how small the tables are
    many_more(club)
    found = []
    for _ in range(3):
        for _ in range(10):
            statements(club, *next(pairs))
        found.append(reads())
    (whole, first), (still_whole, second), (last_whole, third) = found
    assert whole == still_whole == last_whole
    # How many exactly differs: a row is looked up more or less often by where in its page it came to lie.
    for before, after in ((first, second), (second, third)):
        looked_up = {name: after[name] - before[name] for name in after}
        assert {name: rows for name, rows in looked_up.items() if rows > MOST_ROWS * 10} == {}


@pytest.mark.parametrize("last", [short_match("Ana", "Dan"), b"nonsense"])
def test_an_upload_rates_once_its_batch_is_complete(club: Club, last: bytes) -> None:
    contents = [short_match("Ana", "Ben"), short_match("Ana", "Cleo"), last]
    batch = receive_files(
        club=club,
        user=member(club, Role.DIRECTOR),
        files=[(f"{number}.mat", content) for number, content in enumerate(contents)],
    )
    for upload in batch:
        assert work.claim(RatingUpdate) is None
        claimed = work.claim(Upload, ref=upload.ref)
        assert claimed is not None
        import_upload(claimed)
    update = work.claim(RatingUpdate)
    assert update is not None
    update_list(update)
    assert work.claim(RatingUpdate) is None
    assert writes(club) == 1
    assert Rating.objects.get(player__person__name="Ana").matches == 2 + (last != b"nonsense")
