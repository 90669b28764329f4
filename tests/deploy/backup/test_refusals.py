"""What cannot be backed up or restored is refused by name, and nothing is half done."""

import contextlib
import hashlib
import io
import json
import resource
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection

from clubs.models import Backup, Club, Player, WorkStatus
from deploy.backup.archive import MANIFEST, MANIFEST_SUM, Reader, holds, written
from deploy.backup.errors import BackupError, DamagedBackupError
from deploy.backup.manifest import PARTS, TABLE, faults
from deploy.backup.restoring import refuse_visitors, restore
from deploy.backup.taking import ONE_AT_A_TIME, checked
from deploy.settings import BASE_DIR
from tests.children import child_environment
from tests.deploy.backup.conftest import digests
from tests.emptying import empty_tables
from tests.factories import ClubFactory, PlayerFactory
from tests.races import at_once

Change = Callable[[dict], None]


@pytest.fixture(scope="module")
def taken_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the first test that needs it leaves the backup for the others, with the keys in it."""
    return tmp_path_factory.mktemp("taken")


@pytest.fixture
def small(transactional_db, var: Path, tmp_path: Path, taken_once: Path) -> Path:
    """The backup of an installation with one club, which is empty again."""
    kept, keys = taken_once / "small.tar", taken_once / "keys"
    if not kept.exists():
        PlayerFactory.create(name="Ana")
        ClubFactory.create(name="Bar Point")
        shutil.copytree(var, keys)
        call_command("backup", str(kept), stdout=io.StringIO())
        empty_tables()
    shutil.copytree(keys, var, dirs_exist_ok=True)
    return Path(shutil.copy(kept, tmp_path))


def members(path: Path) -> dict[str, bytes]:
    with tarfile.open(path) as tar:
        return {info.name: tar.extractfile(info).read() for info in tar}  # type: ignore[union-attr]


def rewritten(path: Path, contents: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w") as tar:
        for name, content in contents.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return path


def with_manifest(path: Path, change: Change) -> Path:
    """The same backup with another manifest, as if it had been written so."""
    contents = members(path)
    manifest = json.loads(contents[MANIFEST])
    change(manifest)
    contents[MANIFEST] = json.dumps(manifest).encode()
    contents[MANIFEST_SUM] = hashlib.sha256(contents[MANIFEST]).hexdigest().encode()
    return rewritten(path, contents)


def refused(path: Path) -> str:
    """The words by which a restore is refused; nothing of it may have happened."""
    before = digests()
    with pytest.raises(BackupError) as error, Reader(path) as reader:
        restore(reader, digests=True)
    assert digests() == before
    return str(error.value)


def test_a_file_that_is_cut_off_at_any_place_is_refused(small: Path):
    whole = small.read_bytes()
    for end in range(0, len(whole) - 2 * tarfile.BLOCKSIZE, max(1, len(whole) // 23)):
        small.write_bytes(whole[:end])
        with pytest.raises(DamagedBackupError), Reader(small) as reader:
            restore(reader)
    assert "is not a complete backup" in refused(small)


def test_a_file_with_another_byte_at_any_place_is_refused_or_says_the_same(small: Path):
    whole = small.read_bytes()
    before = digests()
    for place in range(7, len(whole), len(whole) // 31):
        small.write_bytes(whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :])
        with contextlib.suppress(BackupError), Reader(small) as reader:
            reader.check()  # padding and times of the tar: what is restored is what was backed up
            assert reader.manifest == json.loads(members(small)[MANIFEST])
    assert digests() == before


@pytest.mark.parametrize("content", [b"", b"hello", b"\0" * 10_240])
def test_what_is_no_backup_is_refused(transactional_db, tmp_path: Path, content: bytes):
    (tmp_path / "a.tar").write_bytes(content)
    with pytest.raises(CommandError, match=r"Nothing was restored: .*a\.tar is not a complete backup"):
        call_command("restore", str(tmp_path / "a.tar"))


def test_a_file_that_is_not_there_is_named(db, tmp_path: Path):
    with pytest.raises(CommandError, match=r"none\.tar cannot be read: No such file"):
        call_command("restore", str(tmp_path / "none.tar"))


def test_a_backup_of_a_newer_version_is_refused_with_what_it_has(small: Path):
    def newer(manifest: dict) -> None:
        manifest["midpoint"] = "7.1"
        manifest["migrations"]["clubs"].append("0999_later")

    said = refused(with_manifest(small, newer))
    assert "was made by Midpoint 7.1, which is newer than this one (0.2.0): it has clubs.0999_later" in said
    assert "Install that version" in said


def test_a_backup_from_before_migrations_were_kept_is_refused(small: Path):
    def older(manifest: dict) -> None:
        manifest["midpoint"] = "0.1.0"
        manifest["migrations"]["clubs"].append("0008_demo_progress_of_old")

    said = refused(with_manifest(small, older))
    assert "was made by Midpoint 0.1.0: backups from before 0.2.0 cannot be restored" in said


def test_a_backup_of_a_later_format_is_refused(small: Path):
    assert "is of format 2, this Midpoint reads up to 1" in refused(
        with_manifest(small, lambda manifest: manifest.update(format=2))
    )


def test_a_member_that_the_manifest_does_not_name_is_refused(small: Path):
    rewritten(small, members(small) | {"keys/../../etc/passwd": b"root"})
    assert "keys/../../etc/passwd is not in its manifest" in refused(small)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda table: table.update(rows=table["rows"] + 1), "has 1 rows instead of 2"),
        (lambda table: table.update(sha256="0" * 64), "in this database differs from"),
        (lambda table: table.update(columns=["id", "evil"]), "does not match its migrations"),
    ],
)
def test_rows_that_are_not_as_many_or_not_the_same_are_taken_back(small: Path, change: Change, said: str):
    assert said in refused(with_manifest(small, lambda manifest: change(manifest["tables"]["clubs_club"])))


def test_rows_that_point_nowhere_are_taken_back(small: Path):
    def without_players(manifest: dict) -> None:
        empty = manifest["tables"]["clubs_club"] | manifest["tables"]["clubs_merge"]
        players = manifest["tables"]["clubs_player"]
        players.update({name: empty[name] for name in ("rows", "sha256", "member")})

    assert "clubs_person" in refused(with_manifest(small, without_players))


def test_an_installation_that_is_used_is_left_alone_and_says_what_it_has(small: Path):
    ClubFactory.create()
    PlayerFactory.create()
    assert "it has rows in clubs_club (1), clubs_person (1), clubs_player (1)" in refused(small)


def test_a_site_that_runs_is_left_alone(small: Path):
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT 1")
        with pytest.raises(BackupError, match=r"has \d+ other connections: stop the site first"):
            refuse_visitors()
    other.close()


@pytest.mark.long
def test_a_restore_that_is_killed_leaves_nothing(small: Path, monkeypatch):
    before = digests()
    waiting = """
import os, sys, django
django.setup()
from deploy.backup import restoring
restoring.number_on = lambda *_: (print("filled", flush=True), sys.stdin.read())
from django.core.cache import cache
from django.core.management import call_command
from pathlib import Path
with restoring.Reader(Path(sys.argv[1])) as reader:
    restoring.restore(reader)
"""
    child = subprocess.Popen(
        [sys.executable, "-c", waiting, str(small)],
        env=child_environment(connection.settings_dict) | {"MIDPOINT_VAR": str(small.parent / "other")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with child:
        assert child.stdout is not None
        assert child.stdout.readline() == "filled\n"
        child.kill()
    assert digests() == before
    assert not (small.parent / "other" / "push_key.pem").exists()
    with Reader(small) as reader:
        assert restore(reader, digests=True).rows


def test_an_existing_file_is_never_written_over(transactional_db, var: Path, tmp_path: Path):
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(CommandError, match=r"mine already exists: name another file"):
        call_command("backup", str(tmp_path / "mine"))
    with pytest.raises(CommandError, match="is a folder: name a file in it"):
        call_command("backup", str(tmp_path))
    assert (tmp_path / "mine").read_text() == "mine"
    assert not Backup.objects.exists()


def test_a_file_that_came_meanwhile_is_kept(tmp_path: Path):
    path = tmp_path / "a.tar"

    def write_late() -> None:
        with written(path, taken_at=0) as writer:
            writer.close({})
            path.write_text("theirs")

    with pytest.raises(BackupError, match="already exists"):
        write_late()
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("a.tar", "theirs")]


@pytest.mark.parametrize(
    ("place", "said"),
    [("none/a.tar", "No such file or directory; create the folder first"), ("file/a.tar", "Not a directory")],
)
def test_a_place_that_cannot_be_written_is_named(transactional_db, var: Path, tmp_path, place, said):
    (tmp_path / "file").touch()
    with pytest.raises(CommandError, match=said):
        call_command("backup", str(tmp_path / place))
    backup = Backup.objects.get()
    assert backup.status == WorkStatus.FAILED
    assert said.split(";")[0] in backup.error


@pytest.mark.long
def test_a_full_disk_leaves_no_half_file(transactional_db, var: Path, tmp_path: Path):
    """The kernel lets a file grow to 16 KB, and answers then as a full disk does."""
    PlayerFactory.create_batch(400)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16 * 1024, hard))
    try:
        with pytest.raises(CommandError, match=r"a\.tar cannot be written: File too large; free some space"):
            call_command("backup", str(tmp_path / "a.tar"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [path.name for path in tmp_path.iterdir()] == ["var"]
    assert "File too large" in Backup.objects.get().error
    # The connection and the lock are free again.
    call_command("backup", str(tmp_path / "a.tar"), stdout=io.StringIO())


def test_of_two_at_once_one_wins(transactional_db, var: Path, tmp_path: Path):
    lock = connection.copy()
    with lock.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [ONE_AT_A_TIME])
        with pytest.raises(CommandError, match="another backup of this database is in progress"):
            call_command("backup", str(tmp_path / "a.tar"))
    lock.close()
    outcomes = at_once(
        *(
            lambda n=n: call_command("backup", str(tmp_path / f"{n}.tar"), stdout=io.StringIO())
            for n in range(2)
        )
    )
    assert len(list(tmp_path.glob("*.tar"))) == sum(outcome is None for outcome in outcomes) >= 1


def test_a_server_that_goes_away_leaves_no_half_file(
    transactional_db, var: Path, tmp_path: Path, monkeypatch
):
    """The backup's own session is ended while it reads, as by a server that stops."""

    def ended(cursor, table):
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        yield from ()

    monkeypatch.setattr("deploy.backup.taking.rows_of", ended)
    with pytest.raises(CommandError, match=r"No backup was made: the database .* does not answer"):
        call_command("backup", str(tmp_path / "a.tar"))
    assert [path.name for path in tmp_path.iterdir()] == ["var"]
    assert Backup.objects.get().status == WorkStatus.FAILED
    monkeypatch.undo()
    call_command("backup", str(tmp_path / "a.tar"), stdout=io.StringIO())


@pytest.mark.long
@pytest.mark.parametrize("command", ["restore", "backup"])
def test_a_server_that_is_not_there_is_told_in_a_line(small: Path, command: str):
    gone = child_environment(connection.settings_dict) | {"DATABASE_URL": "postgres://a@127.0.0.1:1/b"}
    words = [sys.executable, str(BASE_DIR / "manage.py"), command, str(small.parent / "small.tar")]
    words[-1] += ".new" if command == "backup" else ""
    answer = subprocess.run(words, env=gone, capture_output=True, text=True)
    assert answer.returncode == 1
    assert "the database (DATABASE_URL) does not answer" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_a_backup_that_is_killed_leaves_its_name_free(transactional_db, var: Path, tmp_path: Path):
    draft = tmp_path / ".a.tar.part"
    draft.write_bytes(b"half" * 100_000)
    call_command("backup", str(tmp_path / "a.tar"), stdout=io.StringIO())
    assert not draft.exists()
    with Reader(tmp_path / "a.tar") as reader:
        reader.check()


def test_a_draft_that_has_become_a_backup_is_not_written_into(tmp_path: Path):
    """A process killed between naming its file and removing the draft left two names of one file."""
    path, kept = tmp_path / "a.tar", tmp_path / "kept.tar"
    with written(path, taken_at=0) as writer:
        writer.close({})
    content = path.read_bytes()
    (tmp_path / ".a.tar.part").hardlink_to(path)
    path.rename(kept)
    with written(path, taken_at=0) as writer:
        writer.add("other", b"other")
        writer.close({})
    assert kept.read_bytes() == content, "it was cut and written over"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.tar", "kept.tar"]


def test_a_draft_of_a_living_process_is_left_alone(tmp_path: Path):
    path, draft = tmp_path / "a.tar", tmp_path / ".a.tar.part"
    with written(path, taken_at=0) as writer:
        with (
            pytest.raises(BackupError, match="another process is writing"),
            written(path, taken_at=0),
        ):
            pass
        writer.close({})
    assert [each.name for each in tmp_path.iterdir()] == ["a.tar"]
    draft.symlink_to(path)
    path.rename(tmp_path / "b.tar")
    with pytest.raises(BackupError, match=r"a\.tar cannot be written"), written(path, taken_at=0):
        pass


def test_only_a_lock_on_the_file_that_has_the_name_holds_it(tmp_path: Path):
    draft = tmp_path / ".a.tar.part"
    draft.write_bytes(b"half")
    with draft.open("rb") as file:
        assert holds(file, draft)
        with draft.open("rb") as other:
            assert not holds(other, draft)
        draft.unlink()
        assert not holds(file, draft)
        draft.write_bytes(b"another one")
        assert not holds(file, draft), "it would be removed under the hands of its writer"


def test_what_the_disk_does_not_give_back_is_no_backup(tmp_path: Path):
    """A file whose end cannot be read stayed in the folder under the name of a backup."""
    path = tmp_path / "a.tar"
    path.write_bytes(b"\0" * 20_000)
    with pytest.raises(DamagedBackupError):
        checked(path)
    assert not path.exists()


@pytest.mark.parametrize("manifest", [b"[]", b"{}", b"not json", b'{"format": "1"}', b"[" * 5000])
def test_a_manifest_that_is_none_is_refused(tmp_path: Path, manifest: bytes):
    """Failed with: KeyError 'format', or JSONDecodeError."""
    summed = hashlib.sha256(manifest).hexdigest().encode()
    rewritten(tmp_path / "a.tar", {MANIFEST: manifest, MANIFEST_SUM: summed})
    with pytest.raises(DamagedBackupError, match=r"manifest\.json (cannot be read|has no format)"):
        Reader(tmp_path / "a.tar")


def without(*keys: str) -> Change:
    """Take what the last key names away."""

    def change(manifest: dict) -> None:
        for key in keys[:-1]:
            manifest = manifest[key]
        del manifest[keys[-1]]

    return change


def saying(value: object, *keys: str) -> Change:
    def change(manifest: dict) -> None:
        for key in keys[:-1]:
            manifest = manifest[key]
        manifest[keys[-1]] = value

    return change


MEMBER = "tables/clubs_club.copy.gz"


UNSAID: list[tuple[Change, str]] = [
    *[(without(part), f"it has no '{part}'") for part in PARTS],
    *[(without("tables", "clubs_club", part), f"'{part}' of the table 'clubs_club'") for part in TABLE],
    (saying(None, "members", MEMBER), f"it has no 'bytes' of '{MEMBER}'"),
    (saying({"bytes": 1}, "members", MEMBER), f"it has no 'sha256' of '{MEMBER}'"),
    (saying([], "members"), "it has '[]' for 'members'"),
    (saying({"clubs": "0001"}, "migrations"), "for 'migrations'"),
    (saying("yesterday", "taken_at"), "it has 'yesterday' for 'taken_at'"),
    (saying("2026-11-23T00:00:00", "taken_at"), "for 'taken_at'"),
    (saying(True, "tables", "clubs_club", "rows"), "it has 'True' for 'rows'"),
    (saying({"clubs_club.id": [2**63, True]}, "sequences"), "for 'sequences'"),
    (saying({"clubs_club.id": 7}, "sequences"), "for 'sequences'"),
    (saying([7, True], "sequences", "clubs_club.nothing"), "uses its sequence 'clubs_club.nothing'"),
    (saying([7, True], "sequences", 'pg_class"; --.id'), "uses its sequence"),
]
"""What a manifest does not say, and the words of the refusal."""


@pytest.mark.long
def test_a_manifest_that_does_not_say_enough_is_refused_by_what_is_missing(small: Path):
    """Failed with a KeyError's traceback, though every checksum was right."""
    whole, before = small.read_bytes(), digests()
    for change, said in UNSAID:
        small.write_bytes(whole)
        path = with_manifest(small, change)
        with pytest.raises(BackupError) as error, Reader(path) as reader:
            restore(reader, digests=True)
        assert said in str(error.value)
        with pytest.raises(CommandError, match="is not a complete backup"):
            call_command("restore", str(path), stdout=io.StringIO())
    assert digests() == before


def test_what_midpoint_writes_is_a_whole_manifest(small: Path):
    with Reader(small) as reader:
        assert list(faults(reader.manifest)) == []
        assert {*PARTS, "format"} == set(reader.manifest)


@pytest.mark.parametrize("taken", ["push_key.pem", "push_key.pem.before-restore"])
def test_keys_that_cannot_be_put_back_leave_the_database_as_it_was(small: Path, settings, taken: str):
    """Everything was in the database when the first key failed, and no second restore was possible."""
    kept = {path.name: path.read_bytes() for path in settings.VAR.iterdir() if path.name != taken}
    (settings.VAR / taken).unlink(missing_ok=True)
    (settings.VAR / taken).mkdir()
    assert "cannot write the key push_key.pem to" in refused(small)
    (settings.VAR / taken).rmdir()
    assert {path.name: path.read_bytes() for path in settings.VAR.iterdir()} == kept


def test_a_restore_that_is_refused_leaves_the_cache_alone(small: Path):
    """It was emptied before anybody had looked whether the installation was empty."""
    ClubFactory.create()
    cache.set("limit", 7)
    assert "it has rows in" in refused(small)
    assert cache.get("limit") == 7


def test_keys_of_the_target_are_kept_beside_and_another_secret_key_is_told(small: Path, settings):
    (settings.VAR / "push_key.pem").write_bytes(b"own")
    with Reader(small) as reader:
        restored = restore(reader)
    assert restored.replaced_keys == {"push_key.pem": "push_key.pem.before-restore"}
    assert (settings.VAR / "push_key.pem.before-restore").read_bytes() == b"own"


@pytest.mark.long
def test_a_second_restore_keeps_what_the_first_one_has_kept(small: Path, settings):
    """It wrote its own over it: the first key of the machine, with all that was signed by it, was gone."""
    for own in (b"first", b"second"):
        (settings.VAR / "push_key.pem").write_bytes(own)
        empty_tables()
        told = io.StringIO()
        call_command("restore", str(small), stdout=told)
    assert (settings.VAR / "push_key.pem.before-restore").read_bytes() == b"first"
    assert (settings.VAR / "push_key.pem.before-restore-2").read_bytes() == b"second"
    assert "The key push_key.pem of this machine is kept as push_key.pem.before-restore-2." in told.getvalue()


def test_without_keys_none_are_in_the_file(transactional_db, var: Path, tmp_path: Path):
    out = io.StringIO()
    call_command("backup", str(tmp_path / "a.tar"), "--without-keys", stdout=out)
    assert [name for name in members(tmp_path / "a.tar") if name.startswith("keys/")] == []
    assert "The SECRET_KEY is not in it" in out.getvalue()


def test_tables_of_others_are_left_out_by_name(transactional_db, var: Path, tmp_path: Path):
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE somebody_elses (a int)")
    try:
        out = io.StringIO()
        call_command("backup", str(tmp_path / "a.tar"), stdout=out)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE somebody_elses")
    assert "Left out, not part of Midpoint: somebody_elses." in out.getvalue()


def test_a_file_can_be_checked_without_restoring_it(small: Path):
    out = io.StringIO()
    call_command("restore", str(small), "--check", "--json", stdout=out)
    told = json.loads(out.getvalue())
    assert (told["file"], told["midpoint"], told["tables"]) == (str(small), "0.2.0", len(digests()))
    assert not Club.objects.exists()
    assert not Player.objects.exists()
