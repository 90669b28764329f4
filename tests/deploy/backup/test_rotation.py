"""Nightly backups: when one is due, which stay, and that a worker takes them."""

import os
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.conf import settings as configured
from django.core.management import CommandError, call_command
from django.utils.timezone import now

from clubs.models import Backup, WorkStatus
from clubs.work.backups import ask_for_nightly_backup, forget_old_backups, last_night
from clubs.work.services import claim, requeue_lost
from deploy.backup import rotation
from deploy.backup.archive import Reader, written
from deploy.celery_app import app
from deploy.tasks import nightly_backup
from tests.factories import ClubFactory
from tests.waiting import until

NIGHT = datetime(2026, 11, 23, 3, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path, settings) -> Path:
    settings.BACKUP_FOLDER = str(tmp_path / "backups")
    settings.VAR = tmp_path
    (tmp_path / "backups").mkdir()
    return tmp_path / "backups"


def put(folder: Path, *moments: datetime) -> list[Path]:
    """Whole files, as of these moments."""
    paths = [folder / moment.strftime(rotation.NAMED) for moment in moments]
    for path in paths:
        with written(path, taken_at=0) as writer:
            writer.close({})
    return paths


def test_a_year_of_nights_leaves_days_weeks_and_months(folder: Path):
    put(folder, *(NIGHT - timedelta(days=n) for n in range(365)))
    removed = rotation.rotate(NIGHT)
    left = sorted(path.name[9:17] for path in folder.iterdir())
    # Six ends of months, four of weeks, and the last seven days, some of which are the same.
    assert left == [
        *("20260630", "20260731", "20260831", "20260930", "20261031", "20261108", "20261115"),
        *("20261117", "20261118", "20261119", "20261120", "20261121", "20261122", "20261123"),
    ]
    assert len(removed) == 365 - len(left)


def test_after_a_gap_of_years_the_last_ones_stay(folder: Path):
    paths = put(folder, *(NIGHT - timedelta(days=900 + n) for n in range(3)), NIGHT)
    assert rotation.rotate(NIGHT) == []
    assert sorted(folder.iterdir()) == sorted(paths)


def test_several_of_one_day_leave_its_newest(folder: Path, settings):
    settings.BACKUP_KEEP = "1,0,0"
    paths = put(folder, NIGHT, NIGHT + timedelta(hours=1), NIGHT + timedelta(hours=2))
    assert rotation.rotate(NIGHT + timedelta(hours=3)) == paths[:2]


def test_only_backups_of_ours_are_ever_removed(folder: Path, settings):
    settings.BACKUP_KEEP = "1,0,0"
    others = [
        "midpoint-20200101T000000Z.tar.old",
        "my-midpoint-20200101T000000Z.tar",
        "midpoint-2020.tar",
        "midpoint-20200231T000000Z.tar",  # no such day
        "midpoint-20200101T000000Z.tar",  # called so, but no backup
        ".midpoint-2020.tar.part",
        "notes.txt",
    ]
    for name in others:
        (folder / name).write_text("mine")
    (folder / "midpoint-20200102T000000Z.tar").mkdir()
    (folder / "midpoint-20200103T000000Z.tar").symlink_to(folder / "notes.txt")
    kept = put(folder, NIGHT, NIGHT + timedelta(days=9))  # one of them from the future
    gone = put(folder, NIGHT - timedelta(days=1))
    abandoned = folder / ".midpoint-20261120T030000Z.tar.part"
    abandoned.write_bytes(b"half")
    assert rotation.rotate(NIGHT) == [*gone, abandoned]
    assert {path.name for path in folder.iterdir()} == {
        *others,
        *(path.name for path in kept),
        "midpoint-20200102T000000Z.tar",
        "midpoint-20200103T000000Z.tar",
    }


def test_a_file_that_is_being_written_is_not_abandoned(folder: Path):
    with written(folder / NIGHT.strftime(rotation.NAMED), taken_at=0) as writer:
        assert rotation.rotate(NIGHT) == []
        writer.close({})
    assert len(list(folder.iterdir())) == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can hold a file of a folder fast")
def test_a_file_that_cannot_be_removed_stays_and_the_others_go(folder: Path, settings, caplog):
    """Failed with PermissionError, which said of a backup that was whole that it had failed."""
    settings.BACKUP_KEEP = "1,0,0"
    older, old, newest = put(folder, *(NIGHT - timedelta(days=n) for n in (2, 1, 0)))
    fixed = subprocess.run(["chattr", "+i", str(older)], capture_output=True)
    if fixed.returncode:
        pytest.skip("this file system has no files that are held fast")
    try:
        assert rotation.rotate(NIGHT) == [old]
    finally:
        subprocess.run(["chattr", "-i", str(older)], check=True)
    assert sorted(folder.iterdir()) == [older, newest]
    assert f"cannot remove the expired backup {older}" in caplog.text


@pytest.mark.skipif(os.geteuid() == 0, reason="root may remove everything")
def test_a_folder_of_somebody_else_does_not_make_a_backup_fail(folder: Path, settings, caplog):
    settings.BACKUP_KEEP = "1,0,0"
    old, newest = put(folder, NIGHT - timedelta(days=1), NIGHT)
    folder.chmod(0o500)
    try:
        assert rotation.rotate(NIGHT) == []
    finally:
        folder.chmod(0o700)
    assert sorted(folder.iterdir()) == [old, newest]
    assert f"cannot remove the expired backup {old}" in caplog.text


def test_a_damaged_newest_file_takes_no_place_of_a_good_one(folder: Path, settings):
    settings.BACKUP_KEEP = "1,0,0"
    good, newest = put(folder, NIGHT - timedelta(days=1), NIGHT)
    newest.write_bytes(newest.read_bytes()[:600])
    assert rotation.rotate(NIGHT) == []
    assert good.exists()


@pytest.mark.django_db
def test_without_a_folder_nothing_is_asked_for_and_the_command_says_how(settings):
    settings.BACKUP_FOLDER = ""
    assert ask_for_nightly_backup() is None
    with pytest.raises(CommandError, match="no folder is configured: name a FILE, or set BACKUP_FOLDER"):
        call_command("backup")


@pytest.mark.django_db
def test_a_folder_that_is_not_there_is_not_made(folder: Path):
    folder.rmdir()
    with pytest.raises(CommandError, match=r"backups is not a folder: create it, mount its disk"):
        call_command("backup")
    assert not folder.exists()
    assert "mount its disk" in Backup.objects.get().error


@pytest.mark.parametrize(
    ("zone", "moment", "night"),
    [
        ("UTC", NIGHT + timedelta(hours=5), NIGHT),
        ("UTC", NIGHT, NIGHT),
        ("UTC", NIGHT - timedelta(seconds=1), NIGHT - timedelta(days=1)),
        ("America/New_York", NIGHT, NIGHT - timedelta(hours=19)),
    ],
)
def test_the_night_begins_at_three_here(settings, zone: str, moment: datetime, night: datetime):
    settings.TIME_ZONE = zone
    assert last_night(moment) == night


@pytest.mark.django_db
def test_a_night_has_one_backup_and_a_failed_one_is_tried_again(folder: Path):
    first = ask_for_nightly_backup()
    assert first is not None
    assert ask_for_nightly_backup() is None
    claimed = claim(Backup, ref=first.ref)
    assert ask_for_nightly_backup() is None
    Backup.objects.update(lease_until=now() - timedelta(minutes=1))
    assert requeue_lost(Backup) == []  # its worker was killed: it has failed, and says so
    assert claimed is not None
    assert Backup.objects.get().error == "The worker of attempt 1 was lost."
    second = ask_for_nightly_backup()
    assert second is not None
    Backup.objects.filter(pk=second.pk).update(status=WorkStatus.DONE, finished_at=now())
    assert ask_for_nightly_backup() is None
    Backup.objects.filter(pk=second.pk).update(finished_at=last_night(now()) - timedelta(minutes=1))
    assert ask_for_nightly_backup() is not None


@pytest.mark.django_db
def test_backups_by_hand_do_not_stand_for_the_nightly_one(folder: Path):
    Backup.objects.create(status=WorkStatus.DONE, finished_at=now(), path="/elsewhere/a.tar")
    assert ask_for_nightly_backup() is not None


@pytest.mark.django_db
def test_what_is_told_of_old_backups_is_forgotten_but_the_last_good_one():
    for days in (200, 300):
        at = now() - timedelta(days=days)
        Backup.objects.create(status=WorkStatus.DONE, finished_at=at, path=str(days))
        Backup.objects.create(status=WorkStatus.FAILED, finished_at=at)
    assert forget_old_backups() == 3
    assert Backup.objects.get().path == "200"


def test_the_beat_asks_every_hour_and_no_limit_of_other_tasks_ends_a_long_backup():
    entry = configured.CELERY_BEAT_SCHEDULE["nightly_backup"]
    assert entry["task"] == nightly_backup.name
    assert (entry["schedule"].minute, len(entry["schedule"].hour)) == ({2}, 24)
    task = app.tasks[Backup.TASK]
    assert min(task.time_limit, task.soft_time_limit) > 20 * 3600 > app.conf.task_time_limit
    # Acknowledged when it begins: the broker does not send it again while it runs.
    assert (task.acks_late, app.conf.task_acks_late) == (False, True)


def test_a_worker_takes_what_is_asked_for_and_tells_why_it_cannot(worker):
    """The worker of the tests has no folder."""
    backup = Backup.objects.create(into_folder=True)
    app.send_task(Backup.TASK, args=(backup.ref,), queue="default")
    ended = Backup.objects.filter(pk=backup.pk, finished_at__isnull=False)
    until(ended.exists)  # the message is acknowledged before the work
    worker.drain()
    backup.refresh_from_db()
    assert backup.status == WorkStatus.FAILED
    assert "no folder is configured" in backup.error


@pytest.mark.django_db(transaction=True)
def test_the_nightly_backup_goes_into_the_folder(folder: Path):
    ClubFactory.create()
    (old,) = put(folder, now() - timedelta(days=800))
    put(folder, *(now() - timedelta(days=n) for n in range(1, 9)))
    nightly_backup()
    app.tasks[Backup.TASK](Backup.objects.get().ref)
    backup = Backup.objects.get()
    assert backup.status == WorkStatus.DONE, backup.error
    assert Path(backup.path).parent == folder
    with Reader(Path(backup.path)) as reader:
        reader.check()
        assert reader.manifest["tables"]["clubs_club"]["rows"] == 1
        assert backup.rows == sum(each["rows"] for each in reader.manifest["tables"].values())
    assert old.exists()  # of its month there is no other
    app.tasks[Backup.TASK](backup.ref)  # a message that comes twice
    assert Backup.objects.count() == 1
