"""Locked packages are held against what is known of their older versions."""

from pathlib import Path

import pytest

from deploy.advisories import KNOWN, Advisory, known, parts, vulnerable
from deploy.checkout import ROOT
from deploy.verification import LOCKS, known_vulnerabilities

H11 = Advisory("h11", "0.16.0", "CVE-2025-43859", "https://example.org/h11")


@pytest.mark.parametrize(
    ("locked", "found"),
    [
        ("0.14.0", True),
        ("0.9", True),
        ("0.16", False),
        ("0.16.0", False),
        ("1.0", False),
        ("0.16.0.1", False),
    ],
)
def test_a_version_below_the_remedy_is_named_with_it(tmp_path: Path, locked: str, found: bool):
    lock = tmp_path / "requirements.lock"
    lock.write_text(f"h11=={locked} \\\n    --hash=sha256:0\nother==1.0\n")
    said = [f"requirements.lock: h11 {locked} has CVE-2025-43859; lock 0.16.0 or newer"]
    assert vulnerable(lock, [H11]) == (said if found else [])


def test_the_locks_have_no_known_vulnerability():
    assert known_vulnerabilities() == []


def test_every_line_can_be_read_and_is_about_a_locked_package():
    locked = "\n".join((ROOT / name).read_text() for name in LOCKS)
    for each in known(KNOWN.read_text()):
        assert f"\n{each.package}==" in f"\n{locked}"


@pytest.mark.parametrize("line", ["h11 0.16", "h11 0.16 CVE-2025-43859", "h11 0.16 CVE-2025-43859 memory"])
def test_a_line_that_cannot_be_read_or_names_no_address_is_named(line: str):
    with pytest.raises(ValueError, match=f"line 2: '{line}' is not"):
        known(f"# h11\n{line}\n")


def test_closing_zeros_make_no_difference():
    assert parts("5.2") == parts("5.2.0") < parts("5.2.1") < parts("5.10")
