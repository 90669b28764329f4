"""docs/operators/configuration.md and the settings say the same."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.address import Address
from deploy.installation import Installation

ROOT = Path(__file__).resolve().parent.parent.parent
ROW = re.compile(r"^\| `(?P<name>[A-Z_]+)` \|(?P<default>.*?)\| (?P<meaning>.+) \|$", re.MULTILINE)
READS = re.compile(r"os\.(environ|getenv)")
# What the default says about where it comes from, rather than what it is.
DESCRIBED = {"MIDPOINT_VAR", "SECRET_KEY"}
# The system's, pytest's, or handed from one of our own processes to another.
NOT_CONFIGURATION = {
    "PATH",
    "DJANGO_SETTINGS_MODULE",
    "PYTEST_XDIST_WORKER",
    "PYTEST_XDIST_WORKER_COUNT",
    "MIDPOINT_TEST_REPORT",
    "MIDPOINT_TEST_ROUNDS",
    "MIDPOINT_TEST_TIER",
    "MIDPOINT_RUN",
}
NOT_CONFIGURATION |= {"MIDPOINT_GNUBG_ANSWERS", "MIDPOINT_GNUBG_VERSION"}
NOT_CONFIGURATION |= {
    "MIDPOINT_LOOK",
    "MIDPOINT_TEST_STATIC",
    "MIDPOINT_TEST_TEMPLATE",
    "MIDPOINT_TEST_WHOLE",
}


def documented() -> dict[str, str]:
    text = (ROOT / "docs" / "operators" / "configuration.md").read_text()
    return {row["name"]: row["default"].strip().strip("`") for row in ROW.finditer(text)}


def calls(path: Path) -> list[ast.Call]:
    return [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]


def read_by_settings() -> dict[str, object]:
    """Variable to default of every ``env.<type>("NAME", default=...)`` in the settings."""
    found: dict[str, object] = {}
    for call in calls(ROOT / "deploy" / "settings.py"):
        function = call.func
        if isinstance(function, ast.Attribute) and ast.unparse(function.value) == "env" and call.args:
            default = next((word.value for word in call.keywords if word.arg == "default"), None)
            name = ast.literal_eval(call.args[0])
            found[name] = ast.literal_eval(default) if default and name not in DESCRIBED else None
    return found


def read_elsewhere() -> set[str]:
    """Variables that our code takes from ``os.environ`` by a literal name."""
    found = set()
    for folder in ("clubs", "scoring", "tournaments", "deploy", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text()
            for node in ast.walk(ast.parse(text)) if READS.search(text) else ():
                found |= literal_names(node)
    return found - NOT_CONFIGURATION


def literal_names(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Call) and ast.unparse(node.func) in {"os.environ.get", "os.getenv"}:
        words: list[ast.expr] = node.args[:1]
    elif isinstance(node, ast.Subscript) and ast.unparse(node.value) == "os.environ":
        words = [node.slice]
    else:
        words = []
    return {word.value for word in words if isinstance(word, ast.Constant) and isinstance(word.value, str)}


def test_every_variable_that_is_read_is_documented_and_nothing_else():
    assert set(documented()) == set(read_by_settings()) | read_elsewhere()


def as_text(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


@pytest.mark.parametrize("name", sorted(set(read_by_settings()) - DESCRIBED))
def test_the_documented_default_is_the_real_one(name: str):
    assert documented()[name] == as_text(read_by_settings()[name])


UNUSABLE = [
    ("DATABASE_URL", "mysql://club.example/midpoint", "must be an address that begins with postgres:"),
    ("BROKER_URL", "sqs://", "must be an address that begins with redis:"),
    ("CACHE_URL", "memcached://club.example", "must be an address that begins with redis:"),
    ("DATABASE_POOL", "many", "Not a valid integer"),
    ("DATABASE_POOL", "-1", "Must be greater than or equal to 0"),
    ("HTTPS", "perhaps", "Not a valid boolean"),
    ("PUBLIC_URL", "club.example", "must be a web address"),
    ("TIME_ZONE", "Mars/Olympus", "must be a time zone"),
    ("LOG_LEVEL", "loud", "Must be one of"),
    ("LOG_FORMAT", "xml", "Must be one of"),
    ("BACKUP_FOLDER", "backups", "must be the absolute path of a folder"),
    ("BACKUP_KEEP", "7,4", "must be the number of days, weeks and months"),
    ("BACKUP_KEEP", "0,4,6", "must be the number of days"),
    ("BACKUP_KEEP", "7,-1,6", "must be the number of days"),
    ("BACKUP_KEEP", "many", "must be the number of days"),
]


def starts_of_unusable_values() -> Iterator[dict[str, tuple[str, str]]]:
    """Value and reason by variable, as many variables a start as there are: a start names them all."""
    waiting = list(UNUSABLE)
    while waiting:
        now = {name: (value, reason) for name, value, reason in reversed(waiting)}
        waiting = [row for row in waiting if now[row[0]] != row[1:]]
        yield now


@pytest.mark.parametrize("variables", [*starts_of_unusable_values()], ids="+".join)
def test_unusable_values_stop_with_each_name_value_and_reason(variables: dict[str, tuple[str, str]]):
    answer = start(**{name: value for name, (value, _reason) in variables.items()})
    assert answer.returncode == 1
    for name, (value, reason) in variables.items():
        assert f"{name}={value!r}: {reason}" in answer.stderr
    assert "Traceback" not in answer.stderr


@pytest.mark.long
def test_an_empty_variable_counts_as_unset():
    """As a file of variables has one whose value was left out: NAME=."""
    names = sorted(set(read_by_settings()) - DESCRIBED)
    code = f"from django.conf import settings; print([getattr(settings, name) for name in {names}])"
    words = [sys.executable, "-c", code]
    base = {name: value for name, value in os.environ.items() if name not in names}
    base["DJANGO_SETTINGS_MODULE"] = "deploy.settings"
    unset, empty = (
        subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True)
        for environment in (base, base | dict.fromkeys(names, ""))
    )
    assert (empty.stdout, empty.stderr) == (unset.stdout, "")
    assert "'INFO'" in unset.stdout


def test_up_takes_its_own_address_and_pool_where_a_variable_is_empty(monkeypatch):
    for name in ("PUBLIC_URL", "ALLOWED_HOSTS", "VENUE_URLS"):
        monkeypatch.setenv(name, "")
    environment = Installation(Address("127.0.0.1", 8123), demo=False)._environment({})
    assert environment["PUBLIC_URL"] == "http://127.0.0.1:8123"
    assert environment["ALLOWED_HOSTS"] == "localhost,127.0.0.1,[::1]"


def test_the_password_of_an_address_is_not_printed():
    answer = start(DATABASE_URL="mysql://club:s3cret@db.example/midpoint")
    assert "s3cret" not in answer.stderr
    assert "mysql://club:***@db.example/midpoint" in answer.stderr


def test_a_folder_that_cannot_be_written_is_named_with_a_way_out(tmp_path: Path):
    (tmp_path / "file").touch()
    answer = start(MIDPOINT_VAR=str(tmp_path / "file" / "var"))
    assert answer.returncode == 1
    assert f"{tmp_path / 'file' / 'var'} cannot be written: Not a directory" in answer.stderr
    assert "name another in MIDPOINT_VAR" in answer.stderr
    assert "Traceback" not in answer.stderr


def start(**variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "version"],
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "deploy.settings"} | variables,
        capture_output=True,
        text=True,
    )
