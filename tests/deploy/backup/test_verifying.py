"""``restore --verify`` finds a damaged sheet and a wrong rating, and nothing where nothing is wrong."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Q

from clubs.models import WorkStatus
from deploy.backup.archive import Reader
from deploy.backup.checking import check
from deploy.backup.restoring import restore
from deploy.backup.tables import state_of
from scoring.models import Match, Rating, RatingChange, RatingUpdate, Sheet, SheetEvent
from scoring.ratings.services.rating_checks import wrong_rows
from scoring.ratings.services.ratings import main_list
from tests.deploy.backup.conftest import digests
from tests.emptying import empty_tables
from tests.migrating import migrate_to, migrate_to_newest

# Nothing that waits to be rated moves her; what it moves is written again in any case.
CLEO = Q(player__person__name="Cleo")


def test_a_club_as_it_should_be_has_nothing_wrong(full):
    found = check()
    assert found.ok
    assert (found.sheets, found.rating_lists) == (Sheet.objects.count(), 1)
    assert RatingUpdate.objects.filter(status=WorkStatus.QUEUED).count() == 1  # followed for the check alone


@pytest.mark.parametrize(
    "damage",
    [
        lambda change: RatingChange.objects.filter(pk=change.pk).update(after=change.after + 1e-9),
        lambda change: change.delete(),
        lambda change: Rating.objects.filter(player=change.player_id).update(matches=999),
        lambda change: Rating.objects.filter(player=change.player_id).delete(),
        lambda change: Match.objects.filter(pk=change.match_id).update(length=63),
    ],
)
def test_a_rating_that_its_log_does_not_come_to_is_found(full, damage):
    damage(RatingChange.objects.filter(CLEO).order_by("pk")[0])
    before = digests()
    assert wrong_rows(main_list(full)) > 0
    assert digests() == before


def test_a_backup_of_what_was_damaged_is_restored_and_says_so(full, tmp_path: Path, monkeypatch):
    """What is damaged was so when it was backed up: better a club with one bad sheet than none."""
    event = SheetEvent.objects.order_by("pk")[2]
    SheetEvent.objects.filter(pk=event.pk).update(body=event.body | {"white": 1})
    Rating.objects.filter(CLEO).update(value=1)
    call_command("backup", str(tmp_path / "a.tar"), stdout=io.StringIO())
    empty_tables()
    monkeypatch.setattr("deploy.management.commands.restore.refuse_visitors", lambda: None)
    out = io.StringIO()
    with pytest.raises(CommandError, match="What was backed up is damaged") as error:
        call_command("restore", str(tmp_path / "a.tar"), "--verify", "--json", stdout=out)
    assert error.value.returncode == 2
    verified = json.loads(out.getvalue())["verified"]
    assert (verified["ok"], verified["damaged_sheets"]) == (False, 1)
    (sheet,) = verified["first_damaged"]
    assert (sheet["sheet"], sheet["seq"]) == (Sheet.objects.get(events=event.pk).ref, event.seq)
    assert [each["wrong_rows"] for each in verified["wrong_lists"]] == [2]


@pytest.mark.long  # it takes the test database back, where a failure would leave it
def test_a_backup_of_an_older_version_is_migrated(full, tmp_path: Path):
    """Also into a database that is at this version already."""
    later = digests()
    migrate_to(("scoring", "0009_source_flags"))
    path = tmp_path / "old.tar"
    call_command("backup", str(path), stdout=io.StringIO())
    with Reader(path) as reader:
        assert "0010_trust" not in reader.manifest["migrations"]["scoring"]
        columns = reader.manifest["tables"]["scoring_sheet"]["columns"]
    migrate_to_newest()
    assert set(columns) < {field.column for field in Sheet._meta.concrete_fields}
    empty_tables()
    with Reader(path) as reader:
        restored = restore(reader, digests=True)
    assert "scoring.0010_trust" in restored.migrated
    assert state_of(connection).missing == ()
    after = digests()
    assert after.keys() == later.keys()
    same = {name for name in after if after[name] == later[name]}
    assert {"scoring_match", "scoring_sheetevent", "scoring_ratingchange", "clubs_person"} <= same
    assert check().ok


def test_a_backup_from_before_the_migrations_were_squashed_is_restored(full, tmp_path: Path):
    applied = MigrationRecorder.Migration.objects
    applied.filter(name__contains="_squashed_").delete()
    later = digests()
    path = tmp_path / "old.tar"
    call_command("backup", str(path), stdout=io.StringIO())
    migrate_to_newest()
    empty_tables()
    with Reader(path) as reader:
        assert not any("_squashed_" in name for name in reader.manifest["migrations"]["clubs"])
        restored = restore(reader, digests=True)
    assert restored.migrated == ()
    assert state_of(connection).missing == ()
    after = digests()
    kept = later.keys() - {"django_migrations", "clubs_backup", "clubs_outgoingmail"}  # put to rest
    assert {name for name in kept if after[name] != later[name]} == set()
    assert check().ok
