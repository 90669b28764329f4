"""What the bootstrap says where it cannot go on, and that any Python 3 can read the saying."""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.bootstrap import BootstrapError, Environment, last_line
from deploy.installers import (
    PipProgress,
    Runner,
    bring_uv,
    for_uv,
    pips_settings,
    pips_variables,
    working_uv,
)
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


def test_a_python_without_venv_is_told_what_to_install(tmp_path: Path, monkeypatch):
    (tmp_path / "requirements.lock").write_text("")
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "venv" else found(name))
    with pytest.raises(BootstrapError, match="sudo apt install python3-venv"):
        Environment(tmp_path).build("requirements.lock")
    assert not (tmp_path / ".venv").exists()


BRINGING_PIP = """
import pathlib, sys
target = pathlib.Path(sys.argv[sys.argv.index("--target") + 1])
(target / "bin").mkdir(parents=True)
(target / "bin" / "uv").write_text("#!/bin/sh\\necho uv 1\\n")
(target / "bin" / "uv").chmod(0o755)
"""


@pytest.mark.parametrize("stands", ["nothing", "file", "link", "lost link", "broken uv"])
def test_whatever_stands_where_uv_goes_is_replaced(tmp_path: Path, stands: str):
    """Failed with NotADirectoryError: the start ended instead of going on with pip."""
    folder, elsewhere = tmp_path / "uv", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine").touch()
    if stands == "file":
        folder.write_text("x")
    elif stands == "link":
        folder.symlink_to(elsewhere)
    elif stands == "lost link":
        folder.symlink_to(tmp_path / "gone")
    elif stands == "broken uv":
        (folder / "bin").mkdir(parents=True)
        (folder / "bin" / "uv").write_text("no program")
    pip = [sys.executable, "-c", BRINGING_PIP]
    assert bring_uv(Runner(), pip, folder, tmp_path / "lock") == folder / "bin" / "uv"
    assert not folder.is_symlink()
    assert (elsewhere / "mine").exists()
    assert not folder.with_suffix(".new").exists()


def test_a_place_that_cannot_be_replaced_is_said_and_pip_goes_on(tmp_path: Path):
    uv = tmp_path / "no folder" / "uv"
    said = bring_uv(Runner(), [sys.executable, "-c", "pass"], uv, tmp_path / "lock")
    assert said == f"{uv} cannot be replaced: No such file or directory"


def test_a_uv_that_only_prints_an_error_is_not_used(tmp_path: Path, monkeypatch):
    shim = tmp_path / "uv"
    shim.write_text("#!/bin/sh\necho 'uv: command not found' >&2\nexit 127\n")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert working_uv(Runner()) is None


def test_pips_settings_are_those_of_the_command_and_first_of_the_environment():
    listed = (
        "WARNING: something = else\n:env:.timeout='60'\nglobal.index-url='https://a.example/simple'\n"
        "global.timeout='15'\ninstall.index-url='https://b.example/simple'\ndownload.index-url='https://c.example'\n"
    )
    assert pips_settings(listed) == {"index-url": "https://b.example/simple", "timeout": "60"}


def test_without_a_pip_to_ask_its_variables_count():
    environ = {"PIP_INDEX_URL": "https://a.example/simple", "PIP_NO_INDEX": "0", "PATH": "/bin"}
    assert pips_variables(environ) == {"index-url": "https://a.example/simple", "no-index": "0"}
    assert for_uv(pips_variables(environ), environ) == {"UV_DEFAULT_INDEX": "https://a.example/simple"}


@pytest.mark.parametrize(
    ("pip", "uv"),
    [
        (
            {"extra-index-url": "\nhttps://a.example/simple\nfile:///srv/simple"},
            {
                "UV_INDEX": "https://a.example/simple file:///srv/simple",
                "UV_INDEX_STRATEGY": "unsafe-best-match",
            },
        ),
        ({"no-index": "true"}, {"UV_NO_INDEX": "1"}),
        ({"no-index": "false"}, {}),
        (
            {"find-links": "/ https://a.example/wheels /not-there"},
            {"UV_FIND_LINKS": "/,https://a.example/wheels"},
        ),
        (
            {"cert": "/etc/club.pem", "client-cert": "me.pem"},
            {"SSL_CERT_FILE": "/etc/club.pem", "SSL_CLIENT_CERT": "me.pem"},
        ),
        (
            {"proxy": "10.0.0.1:3128"},
            {"HTTP_PROXY": "http://10.0.0.1:3128", "HTTPS_PROXY": "http://10.0.0.1:3128"},
        ),
        ({"trusted-host": "a.example\nb.example"}, {"UV_INSECURE_HOST": "a.example b.example"}),
        ({"timeout": "60", "disable-pip-version-check": "1"}, {"UV_HTTP_TIMEOUT": "60"}),
        ({"timeout": "7.5"}, {"UV_HTTP_TIMEOUT": "8"}),
        ({"timeout": "soon"}, {}),
        ({"timeout": "inf"}, {}),
        ({"keyring-provider": "subprocess"}, {"UV_KEYRING_PROVIDER": "subprocess"}),
        ({"keyring-provider": "auto"}, {}),
    ],
)
def test_what_pip_is_told_is_said_to_uv_in_its_own_words(pip: dict[str, str], uv: dict[str, str]):
    assert for_uv(pip, {}) == uv


def test_what_the_environment_says_to_uv_itself_stays():
    pip = {"index-url": "https://a.example/simple", "cert": "/etc/club.pem", "find-links": "/"}
    own = {"UV_INDEX_URL": "https://b.example/simple", "SSL_CERT_FILE": "/etc/other.pem"}
    assert for_uv(pip, own) == {"UV_FIND_LINKS": "/"}


def test_the_certificates_that_pips_library_takes_from_the_environment_count():
    assert for_uv({}, {"REQUESTS_CA_BUNDLE": "/etc/club.pem"}) == {"SSL_CERT_FILE": "/etc/club.pem"}


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("a\nERROR: no uv\n\n[notice] upgrade\n", "ERROR: no uv"),
        ("a\nb\n", "b"),
        ("uv: not there", "uv: not there"),
    ],
)
def test_one_line_says_why_an_installer_failed(words: str, line: str):
    assert last_line(words) == line


@pytest.mark.parametrize(
    ("command", "stamp", "lock"),
    [
        ("up", "", "requirements.lock"),
        ("test", "", "requirements-dev.lock"),
        ("verify", "", "requirements-dev.lock"),
        ("docs", "", "requirements-dev.lock"),
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


def test_an_error_above_a_long_list_is_the_line_that_says_why():
    script = "print('ERROR: no such hash'); print('expected\\n' * 40); raise SystemExit(1)"
    failure = Runner().run([sys.executable, "-c", script])
    assert failure is not None
    assert last_line(failure) == "ERROR: no such hash"
    assert len(failure.splitlines()) <= 16
