"""What ``manage.py test`` selects, counts, leaves out and says."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from deploy import testing
from deploy.checkout import ROOT
from deploy.testing import NoBrowserError, Options, Totals
from tests import shared_data as shared


def test_our_two_options_are_kept_from_pytest():
    options = Options.read(["--no-browser", "tests/clubs", "-k", "member"])
    assert (options.without, options.arguments) == (frozenset({"browser"}), ("tests/clubs", "-k", "member"))


@pytest.mark.parametrize("words", [["-m", "worker"], ["-mworker"], ["-m=worker"]])
def test_a_marker_expression_is_joined_with_the_kind_of_each_process(words: list[str]):
    options = Options.read(words)
    assert options.arguments == ()
    assert options.markers("main") == "(worker) and (not browser and not chaos)"
    assert options.markers("browser") == "(worker) and (browser)"


@pytest.mark.parametrize(
    ("words", "everything"), [([], True), (["-q"], True), (["tests/clubs"], False), (["-k", "x"], False)]
)
def test_two_processes_are_used_when_nothing_is_selected(words: list[str], everything: bool):
    assert Options.read(words).everything is everything


def test_the_closing_line_sums_all_processes():
    totals = Totals()
    totals.add("main", 1, {"passed": 7, "failed": 1, "skipped": 2, "absent": 0})
    totals.add("browser", 0, {"passed": 3, "failed": 0, "skipped": 0, "absent": 0})
    assert totals.lines()[-1] == "10 passed, 1 failed, 2 skipped"
    assert totals.code == 1


def test_absent_data_and_what_was_left_out_have_a_line_each():
    totals = Totals(passed=1, absent=37, left_out=["12 browser tests (--no-browser)"])
    assert totals.lines() == [
        "37 tests left out: the data beside the project (../shared/data) is absent",
        "left out: 12 browser tests (--no-browser)",
        "1 passed, 0 failed",
    ]
    assert totals.code == 0


def test_a_process_that_broke_without_a_report_is_a_failure():
    totals = Totals(passed=5)
    totals.add("browser", 3, {})
    assert totals.lines() == ["the browser tests ended with code 3", "5 passed, 1 failed"]
    assert totals.code == 1


def test_a_selection_without_any_test_is_not_a_success():
    totals = Totals()
    totals.add("main", testing.NOTHING_COLLECTED, {})
    assert totals.code == testing.NOTHING_COLLECTED


def test_without_chromium_the_message_names_the_way_out(monkeypatch):
    monkeypatch.setattr(testing, "installed_chromium", lambda: None)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(NoBrowserError, match="--no-browser"):
        testing.find_chromium()


def test_absent_data_is_left_out_but_fails_in_continuous_integration(monkeypatch, tmp_path: Path):
    monkeypatch.setattr(shared, "SHARED_DATA", tmp_path / "absent")
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match=shared.ABSENT):
        shared.require_shared_data()
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match=shared.ABSENT):
        shared.require_shared_data()


def test_a_pattern_that_matches_nothing_still_makes_a_test_that_counts(monkeypatch, tmp_path: Path):
    monkeypatch.setattr(shared, "SHARED_DATA", tmp_path / "absent")
    (parameter,) = shared.shared_files("matches/*.txt")
    assert [mark.name for mark in parameter.marks] == ["shared_data"]


def test_a_real_run_reports_its_numbers_and_what_waits_for_another_process(tmp_path: Path):
    (tmp_path / "test_sample.py").write_text(
        "import pytest\n"
        "def test_passes(): pass\n"
        "def test_fails(): assert False\n"
        "def test_absent(): pytest.skip('data beside the project is absent: x')\n"
        "@pytest.mark.skip(reason='other')\n"
        "def test_skipped(): pass\n"
        "@pytest.mark.chaos\n"
        "def test_kills(): pass\n"
        "def test_looks(page): pass\n"
    )
    report = tmp_path / "report.json"
    words = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(tmp_path), "-p", "tests.conftest"]
    subprocess.run(
        [sys.executable, "-m", "pytest", *words, str(tmp_path), "-m", Options.read([]).markers("main")],
        cwd=ROOT,
        env=os.environ | {"MIDPOINT_TEST_REPORT": str(report), "PYTEST_XDIST_WORKER": "gw0"},
        capture_output=True,
    )
    assert json.loads(report.read_text()) == {"passed": 1, "failed": 1, "absent": 1, "skipped": 1}
    sample = str(tmp_path / "test_sample.py")
    assert json.loads(Path(f"{report}.waiting").read_text()) == {"chaos": {sample: 1}, "browser": {sample: 1}}
