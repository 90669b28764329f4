"""The rules and notations are covered to the last branch, by examples alone.

Property tests are left out: what they reach depends on chance, and a branch that only they reach has no
example that names its rule.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("scoring/rules", "scoring/notation")
TESTS = (
    "tests/scoring/rules",
    "tests/scoring/notation",
    "tests/scoring/engines/test_formats.py",
    "tests/scoring/test_doctests.py",
)
SLOW = (
    "brute_force_agrees",
    "AnyMatch",
    "four_other_generators",
    "real_record_is_written",
    "whatever_is_changed",
    "ogxm_of_a_text_match",
    "depend_on_the_columns",
)
"""Tests that go over many cases of what others say with one."""


@pytest.mark.long
@pytest.mark.shared_data
def test_every_branch_of_rules_and_notation_has_an_example(tmp_path):
    clean = {
        name: value for name, value in os.environ.items() if not name.startswith(("MIDPOINT_", "PYTEST_"))
    }
    data = f"--data-file={tmp_path / 'coverage'}"
    coverage = [sys.executable, "-m", "coverage"]
    source = f"--source={','.join(PACKAGES)}"
    selected = ["-m", "not hypothesis", "-k", " and ".join(f"not {name}" for name in SLOW)]
    quiet = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    run = [*coverage, "run", "--branch", source, data, "-m", "pytest", *quiet, *selected, *TESTS]
    played = subprocess.run(run, cwd=ROOT, env=clean, capture_output=True, text=True, timeout=1800)
    assert played.returncode == 0, played.stdout[-4000:] + played.stderr
    report = [
        *coverage,
        "report",
        data,
        "--show-missing",
        "--skip-covered",
        "--fail-under=100",
        "--precision=2",
    ]
    told = subprocess.run(report, cwd=ROOT, env=clean, capture_output=True, text=True, timeout=60)
    assert told.returncode == 0, told.stdout + told.stderr
