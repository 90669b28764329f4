"""What ``manage.py test`` selects, counts, leaves out and says."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from deploy.checkout import ROOT
from deploy.testing import chromium
from deploy.testing.chromium import NoBrowserError
from deploy.testing.options import Options, UsageError
from deploy.testing.run import Run, run
from deploy.testing.totals import FORGIVEN, NOTHING_COLLECTED, Totals
from tests import shared_data as shared
from tests import tiers


def test_our_two_options_are_kept_from_pytest():
    options = Options.read(["--no-browser", "tests/clubs", "-k", "member"])
    assert (options.without, options.arguments) == (frozenset({"browser"}), ("tests/clubs", "-k", "member"))


@pytest.mark.parametrize(
    ("words", "number"),
    [
        (["-n", "9"], 9),
        (["-n4"], 4),
        (["--numprocesses=3", "tests/e2e"], 3),
        (["-n", "0"], 1),
        (["-k", "n 5"], 1),
    ],
)
def test_pytests_own_processes_are_counted(words: list[str], number: int):
    assert Options.read(["tests", *words]).processes == number


@pytest.mark.parametrize("words", [["-m", "worker"], ["-mworker"], ["-m=worker"]])
def test_a_marker_expression_is_joined_with_the_kind_of_each_process(words: list[str]):
    options = Options.read(words)
    assert options.arguments == ()
    assert options.markers("main") == "(worker) and (not browser and not chaos)"
    assert options.markers("browser") == "(worker) and (browser)"


@pytest.mark.parametrize(
    ("words", "tier"), [([], "short"), (["--fast"], "fast"), (["--long", "tests/clubs"], "long")]
)
def test_a_run_has_a_tier(words: list[str], tier: str):
    assert Options.read(words).tier == tier


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--fast", "--long"], "exclude each other"),
        (["--steady", "tests/e2e"], "not 'tests/e2e'"),
        (["--steady", "0", "tests/e2e"], "not '0'"),
        (["--steady", "20"], "needs a selection"),
        (["--steady"], "not ''"),
        (["--look"], "needs a folder for its table, not ''"),
        (["--look", "--long"], "not '--long'"),
        (["--look", "table", "--fast"], "give one of them"),
    ],
)
def test_arguments_that_do_not_go_together_are_refused(words: list[str], said: str, capsys):
    with pytest.raises(UsageError, match=said):
        Options.read(words)
    assert run(words) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "everything"), [([], True), (["-q"], True), (["tests/clubs"], False), (["-k", "x"], False)]
)
def test_two_processes_are_used_when_nothing_is_selected(words: list[str], everything: bool):
    assert Options.read(words).everything is everything


def test_the_measured_crawl_is_run_alone_and_keeps_its_table_where_it_was_asked_for(
    tmp_path: Path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    options = Options.read(["--long", "--look", "table"])
    assert (options.arguments, options.tier) == (("tests/e2e/test_look.py",), "long")
    assert Run(options, tmp_path).variables(tmp_path / "r")["MIDPOINT_LOOK"] == str(tmp_path / "table")
    assert Options.read(["--look", "table", "tests/e2e"]).arguments == ("tests/e2e",)
    assert Options.read(["--look", "table", "-s"]).arguments == ("-s", "tests/e2e/test_look.py")


def test_the_closing_line_sums_all_processes():
    totals = Totals()
    totals.add("main", 1, {"passed": 7, "failed": 1, "skipped": 2, "absent": 0})
    totals.add("browser", 0, {"passed": 3, "failed": 0, "skipped": 0, "absent": 0})
    assert [*totals.lines()][-1] == "10 passed, 1 failed, 2 skipped"
    assert totals.code == 1


def test_absent_data_and_what_was_left_out_have_a_line_each():
    totals = Totals(passed=1, absent=37, left_out=["12 browser tests (--no-browser)"])
    assert [*totals.lines()] == [
        "37 tests left out: the data beside the project (../shared/data) is absent",
        "left out: 12 browser tests (--no-browser)",
        "1 passed, 0 failed",
    ]
    assert totals.code == 0


def test_a_process_that_broke_without_a_report_is_a_failure():
    totals = Totals(passed=5)
    totals.add("browser", 3, {})
    assert [*totals.lines()] == ["the browser tests ended with code 3", "5 passed, 1 failed"]
    assert totals.code == 1


def test_a_selection_without_any_test_is_not_a_success():
    totals = Totals()
    totals.add("main", NOTHING_COLLECTED, {})
    assert totals.code == NOTHING_COLLECTED


def test_without_chromium_the_message_names_the_way_out(monkeypatch):
    monkeypatch.setattr(chromium, "installed_chromium", lambda: None)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(NoBrowserError, match="--no-browser"):
        chromium.find_chromium()


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


SAMPLE = """
import pytest
def test_passes(): pass
def test_fails(): assert False
def test_absent(): pytest.skip('data beside the project is absent: x')
@pytest.mark.skip(reason='other')
def test_skipped(): pass
@pytest.mark.chaos
def test_kills(): pass
def test_looks(page): pass
@pytest.mark.long
def test_goes_on_for_hours(): pass
@pytest.mark.long
def test_looks_for_hours(page): pass
"""


def environment(folder: Path, **variables: str) -> dict[str, str]:
    """For a pytest process over the tests of a folder, with our configuration and nothing of this run."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MIDPOINT_TEST_")}
    words = f"-c {ROOT / 'pyproject.toml'} --rootdir {folder} -p tests.conftest"
    return kept | {"PYTEST_ADDOPTS": words, "PYTEST_XDIST_WORKER": "gw0"} | variables


def pytest_on(folder: Path, text: str, **variables: str) -> dict[str, Any]:
    """What a run over one test file reports, with what waits for other runs under ``waiting``."""
    (folder / "test_sample.py").write_text(text)
    report = folder / "report.json"
    subprocess.run(
        [sys.executable, "-m", "pytest", str(folder), "-m", Options().markers("main")],
        cwd=ROOT,
        env=environment(folder, MIDPOINT_TEST_REPORT=str(report), **variables),
        capture_output=True,
    )
    told: dict[str, Any] = json.loads(report.read_text())
    return told | {"waiting": json.loads(Path(f"{report}.waiting").read_text())}


def numbers(report: dict[str, Any]) -> dict[str, int]:
    return {name: report[name] for name in ("passed", "failed", "absent", "skipped")}


@pytest.mark.long
def test_a_real_run_reports_its_numbers_and_what_waits_for_another_process(tmp_path: Path):
    report = pytest_on(tmp_path, SAMPLE)
    assert numbers(report) == {"passed": 1, "failed": 1, "absent": 1, "skipped": 1}
    assert report["failures"] == ["test_sample.py::test_fails"]
    assert "test_sample.py::test_passes" in report["seconds"]
    sample = str(tmp_path / "test_sample.py")
    assert report["waiting"] == {"tier": {"tests": 2}, "chaos": {sample: 1}, "browser": {sample: 1}}


@pytest.mark.long
def test_the_long_run_tries_what_the_short_one_leaves_out(tmp_path: Path):
    report = pytest_on(tmp_path, SAMPLE, MIDPOINT_TEST_TIER="long")
    assert numbers(report) == {"passed": 2, "failed": 1, "absent": 1, "skipped": 1}
    sample = str(tmp_path / "test_sample.py")
    assert report["waiting"] == {"tier": {}, "chaos": {sample: 1}, "browser": {sample: 2}}


@pytest.mark.long
def test_the_fast_run_leaves_out_what_commits_or_starts_processes(tmp_path: Path):
    text = SAMPLE + "@pytest.mark.django_db(transaction=True)\ndef test_commits(): pass\n"
    report = pytest_on(tmp_path, text, MIDPOINT_TEST_TIER="fast")
    assert numbers(report) == {"passed": 1, "failed": 1, "absent": 1, "skipped": 1}
    # Two long ones, the commit, the browser and the killed installation.
    assert report["waiting"] == {"tier": {"tests": 5}}


@pytest.mark.long
def test_a_steady_run_tries_each_test_so_many_times(tmp_path: Path):
    report = pytest_on(tmp_path, "def test_passes(): pass\n", MIDPOINT_TEST_ROUNDS="20")
    assert numbers(report) == {"passed": 20, "failed": 0, "absent": 0, "skipped": 0}


UNSTEADY = """
from pathlib import Path
def test_only_the_second_time():
    before = Path(__file__).with_name("tried").exists()
    Path(__file__).with_name("tried").touch()
    assert before
def test_never(): assert False
"""


def tried_again(folder: Path, *names: str) -> Totals:
    """What stands after these tests have failed once and may be tried once more."""
    sample = folder / "test_sample.py"
    sample.write_text(UNSTEADY)
    ended = Run(Options(), folder, Totals(passed=30, failed=len(names)))
    ended.once_more([f"{sample}::{name}" for name in names], environment(folder))
    return ended.totals


@pytest.mark.long
def test_in_ci_a_test_that_passes_by_itself_is_forgiven_and_named(tmp_path: Path):
    (tmp_path / "tried").touch()
    totals = tried_again(tmp_path, "test_only_the_second_time", "test_never")
    named = f"unsteady: {tmp_path / 'test_sample.py'}::test_only_the_second_time"
    assert [*totals.lines()] == [named, "31 passed, 1 failed"]
    assert totals.code == 1


def test_in_ci_more_than_two_are_not_tried_again(tmp_path: Path):
    totals = tried_again(tmp_path, *["test_only_the_second_time"] * (FORGIVEN + 1))
    assert [*totals.lines()] == ["30 passed, 3 failed"]
    assert not (tmp_path / "tried").exists()


def test_the_slowest_tests_and_the_seconds_by_folder_are_told():
    totals = Totals()
    seconds = {
        "tests/a/test_x.py::test_y[1]": 2.0,
        "tests/a/test_x.py::test_y[2]": 1.0,
        "tests/b/t.py::t": 0.5,
    }
    totals.add("main", 0, {"passed": 3, "seconds": seconds, "own": seconds})
    assert [*totals.times()] == [
        "the 30 slowest tests, in seconds",
        "    2.00  tests/a/test_x.py::test_y[1]",
        "    1.00  tests/a/test_x.py::test_y[2]",
        "    0.50  tests/b/t.py::t",
        "seconds by folder",
        "     3.0  tests/a",
        "     0.5  tests/b",
    ]


def test_the_record_keeps_the_seconds_of_a_case_of_slow_functions(tmp_path: Path):
    totals = Totals()
    totals.add("main", 0, {"own": {"t.py::slow[1]": 0.25, "t.py::slow[2]": 0.25, "t.py::quick": 0.01}})
    totals.record(tmp_path / "seconds.json")
    assert json.loads((tmp_path / "seconds.json").read_text()) == {"t.py::slow": 0.25}


@pytest.mark.parametrize(
    ("seconds", "marks", "kept"),
    [
        (0.25, (), [0, 4, 9]),
        (0.74, (), [0]),
        (9.0, (), [0]),
        (0.0, (), [*range(10)]),
        (0.01, (), [*range(10)]),
        (9.0, ("each_case",), [*range(10)]),
    ],
)
def test_of_many_cases_as_many_are_tried_as_fit_into_their_share(
    seconds: float, marks: tuple[str, ...], kept: list[int]
):
    cases: list[Any] = [
        SimpleNamespace(nodeid=f"t.py::t[{n}]", get_closest_marker=marks.__contains__) for n in range(10)
    ]
    for order in (cases, cases[::-1]):
        assert [cases.index(case) for case in tiers.thinned(order, seconds)] in (kept, kept[::-1])


def test_what_is_recorded_still_exists():
    """A function that was renamed would count as a quick one, and its line would stay for ever."""
    for name in tiers.recorded_seconds():
        path, *inside = name.split("::")
        text = (ROOT / path).read_text() if (ROOT / path).exists() else ""
        known = inside[-1] == "runTest" or f"def {inside[-1]}(" in text
        assert known, f"{name}: python3 manage.py test --record"
