"""A backup goes into an empty installation, and everything is as it was."""

import io
import json
import stat
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import connection

from clubs.models import Backup, OutgoingMail, Player, WorkStatus
from deploy.backup.archive import Reader
from deploy.backup.restoring import restore
from tests.deploy.backup.conftest import digests
from tests.emptying import empty_tables
from tests.factories import PlayerFactory

# Backups are told of in their own table; mail on its way is put to rest.
TOLD = ("clubs_backup", "clubs_outgoingmail")


def backed_up(path: Path, *words: str) -> dict[str, Any]:
    out = io.StringIO()
    call_command("backup", str(path), *words, "--json", stdout=out)
    return dict(json.loads(out.getvalue()))


def test_everything_is_as_it_was(full, var: Path, tmp_path: Path):
    file = tmp_path / "a.tar"
    before, keys = digests(), {path.name: path.read_bytes() for path in var.iterdir()}
    told = backed_up(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []
    assert told["bytes"] == file.stat().st_size
    assert told["keys"] == ["keys/push_key.pem", "keys/secret_key"]
    highest = Player.objects.order_by("-pk").values_list("pk", flat=True)[0]
    empty_tables()
    for name in keys:
        (var / name).unlink()
    with Reader(file) as reader:
        manifest = reader.manifest
        restored = restore(reader, digests=True)
    assert restored.rows == told["rows"] == sum(each["rows"] for each in manifest["tables"].values())
    after = digests()
    assert {name for name in before if before[name] != after[name]} == set(TOLD)
    assert {name: digest for name, digest in before.items() if name not in TOLD} == {
        name: each["sha256"] for name, each in manifest["tables"].items() if name not in TOLD
    }
    assert {path.name: path.read_bytes() for path in var.iterdir()} == keys
    assert {stat.S_IMODE(path.stat().st_mode) for path in var.iterdir()} == {0o600}
    assert PlayerFactory.create().pk > highest
    mail = OutgoingMail.objects.get()
    assert (mail.status, "not sent again" in mail.error) == (WorkStatus.FAILED, True)
    backup = Backup.objects.get()
    assert (backup.status, backup.size, backup.rows) == (WorkStatus.DONE, told["bytes"], told["rows"])
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND NOT convalidated")
        assert cursor.fetchone() == (0,)
