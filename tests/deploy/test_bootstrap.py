"""What the bootstrap says where it cannot go on, and that any Python 3 can read the saying."""

import importlib.util
import shutil
import subprocess
from pathlib import Path

import pytest

from deploy import bootstrap
from deploy.bootstrap import BootstrapError, Environment, PipProgress
from deploy.old_python import explain

ROOT = Path(__file__).resolve().parent.parent.parent


def test_an_old_python_is_told_which_one_is_needed():
    text = explain((3, 9, 2), "/usr/bin/python3")
    assert text.startswith("Midpoint needs Python 3.11, 3.12 or 3.13; /usr/bin/python3 is Python 3.9.\n")


def test_a_suitable_python_on_the_path_is_named(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/" + name if name == "python3.12" else None)
    assert explain((3, 14, 0), "python3").endswith("Run it with python3.12 instead: python3.12 manage.py up")


@pytest.mark.parametrize("name", ["manage.py", "deploy/old_python.py"])
def test_what_an_old_python_reads_has_no_newer_syntax(name: str):
    compile((ROOT / name).read_text(), name, "exec", dont_inherit=True, flags=0, _feature_version=4)


def old_pythons() -> list[str]:
    kept = Path.home().glob(".pyenv/versions/3.[6-9].*/bin/python3")
    return [
        str(path) for path in kept if subprocess.run([path, "-c", "0"], capture_output=True).returncode == 0
    ]


@pytest.mark.skipif(not old_pythons(), reason="no Python older than 3.11 on this machine to try it with")
def test_a_real_old_python_prints_the_sentence_and_fails():
    answer = subprocess.run([old_pythons()[0], str(ROOT / "manage.py"), "up"], capture_output=True, text=True)
    assert answer.returncode == 1
    assert "Midpoint needs Python 3.11" in answer.stderr
    assert "Traceback" not in answer.stderr


@pytest.mark.parametrize("missing", ["venv", "ensurepip"])
def test_a_python_without_venv_is_told_what_to_install(tmp_path: Path, monkeypatch, missing: str):
    (tmp_path / "requirements.lock").write_text("")
    monkeypatch.setattr(bootstrap, "working_uv", lambda: None)
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == missing else found(name))
    with pytest.raises(BootstrapError, match="sudo apt install python3-venv"):
        Environment(tmp_path).build("requirements.lock")
    assert not (tmp_path / ".venv").exists()


def test_a_uv_that_only_prints_an_error_is_not_used(tmp_path: Path, monkeypatch):
    shim = tmp_path / "uv"
    shim.write_text("#!/bin/sh\necho 'uv: command not found' >&2\nexit 127\n")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert bootstrap.working_uv() is None


@pytest.mark.parametrize(
    ("command", "stamp", "lock"),
    [
        ("up", "", "requirements.lock"),
        ("test", "", "requirements-dev.lock"),
        ("verify", "", "requirements-dev.lock"),
        ("up", '{"lock": "requirements-dev.lock"}', "requirements-dev.lock"),
        ("test", '{"lock": "requirements.lock"}', "requirements-dev.lock"),
        ("up", "not JSON", "requirements.lock"),
        ("up", "[]", "requirements.lock"),
    ],
)
def test_the_lock_follows_the_command_and_a_development_environment_stays_one(
    tmp_path: Path, command: str, stamp: str, lock: str
):
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "midpoint.json").write_text(stamp)
    assert Environment(tmp_path).lock_for(command) == lock


def test_a_folder_that_is_not_a_whole_checkout_is_named(tmp_path: Path):
    with pytest.raises(BootstrapError, match=r"requirements\.lock is missing"):
        Environment(tmp_path).build("requirements.lock")


def test_pip_reports_every_tenth_package(capsys):
    progress = PipProgress(30)
    for number in range(25):
        progress(f"Collecting package{number}==1\n")
    progress("Installing collected packages: a, b\n")
    assert capsys.readouterr().err.splitlines() == [
        "midpoint:   10 of at most 30",
        "midpoint:   20 of at most 30",
        "midpoint:   writing them into .venv",
    ]
