"""Every mutant of a part of the rules is noticed by a test, or known with the reason why it may stay.

The run that ``docs/engineers/mutation.md`` describes, over the smallest modules; its other modules take an
hour.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.planted.survivors import SURVIVORS

ROOT = Path(__file__).resolve().parents[2]
MUTATED = ("cube", "money", "guards")
TESTS = ("test_events", "test_game", "test_match", "test_position", "test_sentences", "test_sheet")
# It reads the codes of all refusals from the sources, where all mutants stand beside one another.
READS_SOURCES = "no_refusal_of_the_rules_is_missing_here"
PATIENCE = 3600  # seconds; a busy machine must not fail a test that holds
NOTICED = {"killed", "timeout", "caught by type check"}


def listed(words: list[str]) -> str:
    return "".join(f"\n    {word}" for word in words)


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """The rules and their tests alone, so that nothing of the web project is imported."""
    (tmp_path / "tests/scoring/rules/chouette").mkdir(parents=True)
    for package in ("scoring/rules", "scoring/notation"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    rules = ROOT / "tests/scoring/rules"
    helpers = {
        path.relative_to(rules).with_suffix("").as_posix()
        for path in rules.rglob("*.py")
        if path.stem[:5] != "test_"
    }
    files = ["scoring/__init__", "tests/__init__", "tests/scoring/__init__", "tests/scoring/conftest"]
    for name in [*files, *(f"tests/scoring/rules/{name}" for name in (*sorted(helpers), *TESTS))]:
        shutil.copy(ROOT / f"{name}.py", tmp_path / f"{name}.py")
    arguments = ["-p", "no:django", "-p", "no:randomly", "-x", "-q", "-k", f"not {READS_SOURCES}"]
    (tmp_path / "setup.cfg").write_text(
        "[mutmut]\nsource_paths=scoring\n"
        f"only_mutate={listed([f'scoring/rules/{name}.py' for name in MUTATED])}\n"
        f"pytest_add_cli_args={listed(arguments)}\n"
        f"pytest_add_cli_args_test_selection={listed(['tests'])}\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --import-mode=importlib\n")
    return tmp_path


def mutmut(scratch: Path, *words: str) -> str:
    """What the tool prints."""
    clean = {
        name: value for name, value in os.environ.items() if not name.startswith(("MIDPOINT_", "PYTEST_"))
    }
    result = subprocess.run(
        [sys.executable, "-m", "mutmut", *words],
        cwd=scratch,
        env=clean,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-4000:]
    return result.stdout


def changed(scratch: Path, name: str) -> str:
    """The lines of a mutant that are not those of the code."""
    lines = mutmut(scratch, "show", name).splitlines()
    return "\n".join(line[1:].strip() for line in lines if line[:1] == "+" and line[:3] != "+++")


@pytest.mark.long
def test_no_mutant_of_the_rules_survives_that_is_not_known(scratch: Path) -> None:
    mutmut(scratch, "run", "--max-children", "1")
    told = [line.rpartition(": ") for line in mutmut(scratch, "results", "--all", "true").splitlines()]
    states = {name.strip(): state for name, _, state in told if state}
    assert len(states) > 200
    assert set(states.values()) <= NOTICED | {"survived"}, states
    survived = {name: changed(scratch, name) for name, state in states.items() if state == "survived"}
    unknown = {name: text for name, text in survived.items() if SURVIVORS.get(name, ("", ""))[0] != text}
    assert not unknown, (
        f"write a test, or say in survivors.py why they stay:\n{json.dumps(unknown, indent=2)}"
    )
    assert SURVIVORS.keys() <= survived.keys(), (
        f"noticed by now: {sorted(SURVIVORS.keys() - survived.keys())}"
    )
