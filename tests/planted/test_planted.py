"""Faults of past changelog entries, planted again one at a time in a copy of the sources: tests find them.

A change of the code that moves one of the texts in ``faults.py`` moves it there, too. The tests of each fault
are run as the run does that must find it, in a process and on a database of their own.
"""

import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

import psycopg
import pytest
from _pytest.mark.structures import ParameterSet

from tests.planted.faults import FAULTS, Fault
from tests.tiers import function_of

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 1800  # seconds; a busy machine must not fail a test that holds
PROCESS = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
DATABASE = f"planted_{PROCESS}"


def in_kind(value: object, kind: str, name: str) -> ParameterSet:
    """A parameter that waits for the process of its kind: tests of the browser find nothing without one."""
    return pytest.param(value, id=name, marks=[] if kind == "main" else [getattr(pytest.mark, kind)])


GROUPS = sorted({(fault.kind, fault.run) for fault in FAULTS})


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    """The address of a database of our own on this run's engine; Django puts ``test_`` before its name."""
    address = os.environ.get("DATABASE_URL")
    if not address:
        pytest.fail("these tests need engines: python3 manage.py test --long tests/planted", pytrace=False)
    remove = f"DROP DATABASE IF EXISTS test_{DATABASE} WITH (FORCE)"
    with psycopg.connect(urlsplit(address)._replace(path="/postgres").geturl(), autocommit=True) as engine:
        engine.execute(remove)
        yield urlsplit(address)._replace(path=f"/{DATABASE}").geturl()
        engine.execute(remove)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources, without what commands make in a checkout."""
    copy = tmp_path_factory.mktemp("planted") / "main"
    shutil.copytree(
        ROOT, copy, ignore=shutil.ignore_patterns(".*", "var", "mutants", "node_modules", "__pycache__")
    )
    return copy


def outcomes(tree: Path, tests: list[str], *, run: str, database: str) -> tuple[dict[str, Counter[str]], str]:
    """What became of each function's cases (passed, failure, error, skipped), and what pytest said."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("MIDPOINT_TEST_", "PYTEST_"))
    }
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    report = tree.with_name("report.xml")
    report.unlink(missing_ok=True)
    quiet = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--reuse-db", f"--junitxml={report}"]
    result = subprocess.run(
        [sys.executable, "-m", "pytest", *quiet, *tests],
        cwd=tree,
        env=kept
        | {
            "DATABASE_URL": database,
            "MIDPOINT_TEST_TIER": run,
            "MIDPOINT_TEST_WHOLE": "1",
            # By this number a test process has its own part of the broker and the cache.
            "PYTEST_XDIST_WORKER": f"gw{int(PROCESS) + 8}",
        },
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    said = result.stdout[-8000:] + result.stderr[-2000:]
    assert report.exists(), said
    found: dict[str, Counter[str]] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        path = case.attrib["classname"].replace(".", "/") + ".py"
        name = function_of(f"{path}::{case.attrib['name']}")
        # A failure is of the test itself, an error of what it needs before or after.
        kinds = [part.tag for part in case if part.tag in {"failure", "error", "skipped"}]
        found.setdefault(name, Counter()).update(kinds or ["passed"])
    return found, said


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.name for fault in FAULTS])
def test_each_fault_still_has_its_place_and_its_tests(fault: Fault) -> None:
    text = (ROOT / fault.file).read_text()
    assert text.count(fault.before) == 1, f"{fault.file}: move the fault {fault.name!r} along with the code"
    tests = (ROOT / fault.tests).read_text()
    assert [name for name in fault.found_by if f"def {name}(" not in tests] == []
    assert (
        f"| {fault.name} | {fault.tests.removeprefix('tests/')}"
        in (ROOT / "docs/engineers/testing.md").read_text()
    )


def test_of_ten_faults_the_short_run_finds_nine() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 10
    short = [fault for fault in FAULTS if fault.run == "short"]
    assert 10 * len(short) >= 9 * len(FAULTS)


@pytest.mark.long
@pytest.mark.parametrize("group", [in_kind(group, group[0], "-".join(group)) for group in GROUPS])
def test_without_a_fault_its_tests_pass(group: tuple[str, str], tree: Path, database: str) -> None:
    faults = [fault for fault in FAULTS if (fault.kind, fault.run) == group]
    tests = sorted({test for fault in faults for test in fault.addresses})
    found, said = outcomes(tree, tests, run=group[1], database=database)
    assert {name: set(kinds) for name, kinds in found.items()} == {name: {"passed"} for name in tests}, said


@pytest.mark.long
@pytest.mark.parametrize("fault", [in_kind(fault, fault.kind, fault.name) for fault in FAULTS])
def test_a_planted_fault_is_found(fault: Fault, tree: Path, database: str) -> None:
    file = tree / fault.file
    text = file.read_text()
    assert text.count(fault.before) == 1
    file.write_text(text.replace(fault.before, fault.after))
    try:
        found, said = outcomes(tree, fault.addresses, run=fault.run, database=database)
    finally:
        shutil.copy2(ROOT / fault.file, file)
    assert set(found) == set(fault.addresses), said
    for name, kinds in found.items():
        assert kinds["failure"], f"{name} passes with the fault {fault.name!r}:\n{said}"
