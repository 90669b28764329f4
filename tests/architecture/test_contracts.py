"""Each import contract of pyproject.toml is kept, and notices a violation planted in a copy of the tree."""

import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("clubs", "scoring", "tournaments", "deploy")

PLANTED = {
    "an app imports the composition root": (
        "clubs/planted.py",
        "import deploy.settings",
        "deploy -> tournaments -> scoring -> clubs",
    ),
    "scoring imports tournaments": (
        "scoring/planted.py",
        "import tournaments.models",
        "deploy -> tournaments -> scoring -> clubs",
    ),
    "clubs imports scoring": (
        "clubs/people/services/planted.py",
        "import scoring.rules",
        "deploy -> tournaments -> scoring -> clubs",
    ),
    "notation imports Django": ("scoring/notation/planted.py", "import django.conf", "know no framework"),
    "the core imports Celery": ("tournaments/core/planted.py", "import celery", "know no framework"),
    "formulas import psycopg": ("scoring/formulas/planted.py", "import psycopg", "know no framework"),
    "rules import a package": ("scoring/rules/planted.py", "import numpy", "standard library alone"),
    "rules import notation": (
        "scoring/rules/planted.py",
        "import scoring.notation",
        "standard library alone",
    ),
    "rules import the codec": ("scoring/rules/planted.py", "import scoring.codec", "standard library alone"),
    "a second codec": ("tournaments/events/planted.py", "import cattrs", "known to the codec alone"),
    "a service imports a page": (
        "clubs/people/services/planted.py",
        "import clubs.people.views",
        "from the door to the cellar",
    ),
    "a service imports a task": (
        "clubs/people/services/planted.py",
        "import clubs.tasks",
        "subjects of clubs stand in order",
    ),
    "a model imports a service": (
        "scoring/models/planted.py",
        "import scoring.sheets.services",
        "subjects of scoring stand in order",
    ),
    "a view imports the API": (
        "scoring/sheets/views/planted.py",
        "import scoring.sheets.api.sheets",
        "from the door to the cellar",
    ),
    "an earlier subject imports a later one": (
        "tournaments/events/queries/events.py",
        "import tournaments.desk.queries.desk",
        "subjects of tournaments stand in order",
    ),
    "a module stands in no subject": (
        "tournaments/planted.py",
        "import tournaments.core",
        "subjects of tournaments stand in order",
    ),
    "rounds import the proof": (
        "tournaments/core/rounds/planted.py",
        "import tournaments.core.proof.check",
        "Inside the core",
    ),
    "a query imports a view": (
        "tournaments/desk/queries/desk.py",
        "import tournaments.desk.views",
        "from the door to the cellar",
    ),
}


def lint(tree: Path) -> subprocess.CompletedProcess[str]:
    lint_imports = Path(sys.executable).with_name("lint-imports")
    return subprocess.run([lint_imports, "--no-cache"], cwd=tree, capture_output=True, text=True, check=False)


def broken(output: str) -> list[str]:
    return [line.removesuffix(" BROKEN") for line in output.splitlines() if line.endswith(" BROKEN")]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the packages; what is planted in it is pulled out again."""
    root = tmp_path_factory.mktemp("tree")
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, root / package, ignore=shutil.ignore_patterns("static", "__pycache__")
        )
    shutil.copy(ROOT / "pyproject.toml", root)
    return root


@contextmanager
def planted(tree: Path, files: Mapping[str, str]) -> Iterator[None]:
    """These lines at the end of these files of the tree, for the length of the block."""
    before = {path: (tree / path).read_bytes() if (tree / path).exists() else None for path in files}
    for path, line in files.items():
        with (tree / path).open("a") as file:
            file.write(f"\n{line}\n")
    try:
        yield
    finally:
        for path, content in before.items():
            if content is None:
                (tree / path).unlink()
            else:
                (tree / path).write_bytes(content)


def test_the_house_keeps_its_contracts() -> None:
    result = lint(ROOT)
    assert broken(result.stdout) == []
    assert result.returncode == 0, result.stdout + result.stderr


def at_once() -> list[list[str]]:
    """The plants in groups of which no two are in one file or break one contract."""
    groups: list[list[str]] = []
    for name, (path, _line, contract) in PLANTED.items():
        for group in groups:
            if not any({path, contract} & {*PLANTED[other]} for other in group):
                group.append(name)
                break
        else:
            groups.append([name])
    return groups


def told_of(output: str, contract: str) -> str:
    """What is reported about a broken contract: the lines below its underlined name."""
    lines = output.partition("Broken contracts")[2].splitlines()
    names = [n for n, below in enumerate(lines[1:]) if lines[n] and {*below} == {"-"}]
    begins = next(n for n in names if contract in lines[n])
    ends = next((n for n in names if n > begins), len(lines))
    return "\n".join(lines[begins + 2 : ends])


def told_by(path: str, line: str) -> str:
    """What a report says of a planted line. Of a module that stands in no subject it has only the name."""
    module, named = path.removesuffix(".py").replace("/", "."), line.removeprefix("import ")
    package = named.partition(".")[0]
    return module if module.count(".") == 1 else f"{module} -> {named if package in PACKAGES else package}"


@pytest.mark.parametrize("names", at_once(), ids=len)
def test_a_planted_import_breaks_its_contract(tree: Path, names: list[str]) -> None:
    plants = [PLANTED[name] for name in names]
    with planted(tree, {path: line for path, line, _contract in plants}):
        result = lint(tree)
    assert result.returncode == 1, result.stdout + result.stderr
    for path, line, contract in plants:
        assert any(contract in name for name in broken(result.stdout)), result.stdout
        assert told_by(path, line) in told_of(result.stdout, contract), result.stdout


def test_a_planted_cycle_is_found(tree: Path) -> None:
    cycle = {
        "scoring/formulas/planted.py": "import scoring.theory.planted",
        "scoring/theory/planted.py": "import scoring.formulas.planted",
    }
    with planted(tree, cycle):
        result = lint(tree)
    assert any("No cycles" in name for name in broken(result.stdout)), result.stdout


def test_the_top_level_packages_are_the_stated_ones() -> None:
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\n")
    folders = {path.split("/")[0] for path in tracked if "/" in path}
    assert folders <= {*PACKAGES, "templates", "tests", "docs", "locale", ".ci", ".github"}
