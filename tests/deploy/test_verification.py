"""``verify`` finds what it is there to find; each check is shown with a planted fault."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deploy import verification
from deploy.checkout import ROOT
from deploy.management.commands.verify import as_json
from deploy.verification import CheckResult, lock_problems, output_of, stale_catalogues


def test_a_failing_command_gives_its_lines_and_a_passing_one_none():
    assert output_of((sys.executable, "-c", "print('fine')"), {}) == []
    assert output_of((sys.executable, "-c", "print('wrong'); raise SystemExit(1)"), {}) == ["wrong"]


def test_a_command_that_fails_without_a_word_is_still_a_failure():
    assert output_of((sys.executable, "-c", "raise SystemExit(3)"), {}) == [f"{sys.executable} ended with 3"]


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_the_locks_have_a_hash_for_every_package_and_no_address(name: str):
    assert lock_problems(ROOT / name) == []


def test_a_package_without_a_hash_and_an_index_address_are_found(tmp_path: Path):
    lock = tmp_path / "requirements.lock"
    lock.write_text("--index-url https://packages.example/simple\none==1\ntwo==2 \\\n    --hash=sha256:00\n")
    assert lock_problems(lock) == [
        "requirements.lock: --index-url https://packages.example/simple names an address",
        "requirements.lock: one==1 has no hash",
    ]


@pytest.fixture
def catalogue(tmp_path: Path, monkeypatch) -> Path:
    folder = tmp_path / "locale" / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    monkeypatch.setattr(verification, "ROOT", tmp_path)
    source = folder / "django.po"
    source.write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "pass"\nmsgstr "passen"\n'
    )
    return source


needs_msgfmt = pytest.mark.skipif(shutil.which("msgfmt") is None, reason="gettext's msgfmt is not installed")


@needs_msgfmt
def test_a_catalogue_that_was_not_compiled_again_is_found(catalogue: Path):
    compiled = catalogue.with_suffix(".mo")
    assert stale_catalogues() == [
        "locale/de/LC_MESSAGES/django.mo is not compiled from django.po: run manage.py compilemessages"
    ]
    subprocess.run(["msgfmt", "-o", compiled, catalogue], check=True)
    assert stale_catalogues() == []
    catalogue.write_text(catalogue.read_text().replace("passen", "aufgeben"))
    assert len(stale_catalogues()) == 1


def test_catalogues_that_cannot_be_compared_are_a_failure(catalogue: Path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert "msgfmt is missing" in stale_catalogues()[0]


def test_json_names_every_check_and_the_whole():
    outcomes = [CheckResult("types", (), 1.234), CheckResult("lint", ("a.py:1: E501",), 0.1)]
    assert json.loads(as_json(outcomes)) == {
        "ok": False,
        "checks": [
            {"name": "types", "ok": True, "seconds": 1.23, "details": []},
            {"name": "lint", "ok": False, "seconds": 0.1, "details": ["a.py:1: E501"]},
        ],
    }


@pytest.mark.long
@pytest.mark.django_db
def test_the_production_check_fails_on_a_warning(monkeypatch):
    """The words that ``verify`` runs really fail where production would warn."""
    from os import environ

    unsafe = dict(environ) | verification.PRODUCTION | {"HTTPS": "false"}
    lines = output_of((sys.executable, "manage.py", *verification.PRODUCTION_CHECK), unsafe)
    assert any("security.W008" in line for line in lines), lines
