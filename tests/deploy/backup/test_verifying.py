"""``restore --verify`` finds a damaged sheet and a wrong rating, and nothing where nothing is wrong."""

import io
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from pkgutil import iter_modules

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Q
from django.test import override_settings

from clubs.models import WorkStatus
from deploy.backup.archive import Reader
from deploy.backup.checking import check
from deploy.backup.restoring import restore
from deploy.backup.tables import state_of
from scoring import migrations
from scoring.models import Match, Rating, RatingChange, RatingUpdate, Sheet, SheetEvent
from scoring.ratings.services.rating_checks import wrong_rows
from scoring.ratings.services.ratings import main_list
from tests.deploy.backup.conftest import digests
from tests.emptying import empty_tables

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
    with pytest.raises(CommandError, match="The backup contains damaged data") as error:
        call_command("restore", str(tmp_path / "a.tar"), "--verify", "--json", stdout=out)
    assert error.value.returncode == 2
    verified = json.loads(out.getvalue())["verified"]
    assert (verified["ok"], verified["damaged_sheets"]) == (False, 1)
    (sheet,) = verified["first_damaged"]
    assert (sheet["sheet"], sheet["seq"]) == (Sheet.objects.get(events=event.pk).ref, event.seq)
    assert [each["wrong_rows"] for each in verified["wrong_lists"]] == [2]


NAME = "9999_later"
LATER = """
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scoring", "{newest}")]
    operations = [migrations.AddField("Sheet", "later", models.CharField(max_length=9, null=True))]
"""


@contextmanager
def a_later_version(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if this code had one migration more; the test database is taken back at the end."""
    package = folder / "later_migrations"
    package.mkdir()
    (package / "__init__.py").touch()
    present = sorted(module.name for module in iter_modules(migrations.__path__))
    for name in present:
        (package / f"{name}.py").write_text(
            f"import importlib\nMigration = importlib.import_module('scoring.migrations.{name}').Migration\n"
        )
    newest = present[-1]
    (package / f"{NAME}.py").write_text(LATER.format(newest=newest))
    monkeypatch.syspath_prepend(str(folder))
    try:
        with override_settings(MIGRATION_MODULES={"scoring": "later_migrations"}):
            yield
            MigrationExecutor(connection).migrate([("scoring", newest)])
    finally:
        for name in [name for name in sys.modules if name.startswith("later_migrations")]:
            del sys.modules[name]


@pytest.mark.long  # it changes the test database, where a failure would leave it so
def test_a_backup_of_an_older_version_is_migrated(full, tmp_path: Path, monkeypatch):
    """Also into a database that is at this version already."""
    path = tmp_path / "old.tar"
    call_command("backup", str(path), stdout=io.StringIO())
    before = digests()
    with a_later_version(tmp_path, monkeypatch):
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes())
        empty_tables()
        with Reader(path) as reader:
            restored = restore(reader, digests=True)
        assert restored.migrated == (f"scoring.{NAME}",)
        assert state_of(connection).missing == ()
        after = digests()
        assert after.keys() == before.keys()
        same = {name for name in after if after[name] == before[name]}
        assert {"scoring_match", "scoring_sheetevent", "scoring_ratingchange", "clubs_person"} <= same
        assert "scoring_sheet" not in same
        assert check().ok
