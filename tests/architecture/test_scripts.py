"""Every script is type-checked, linted and formatted; a planted fault of each kind is found."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from deploy import scripts
from deploy.node_tools import FOLDER
from tests.node import ROOT

ENDINGS = (".js", ".mjs", ".cjs", ".ts", ".jsx")
VENDORED = {"scoring/static/scoring/vendor/uplot/uPlot.iife.min.js"}
"""Scripts of others, which stay as they came."""
CONFIGURED = ("biome.json", ".gitignore", "package.json", *scripts.PROJECTS)
SILENCING = ("@ts-ignore", "@ts-expect-error", "@ts-nocheck", "biome-ignore", "@type {*}", "no-check")


def ours() -> set[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    return {name for name in listed if name.endswith(ENDINGS) and (ROOT / name).exists()} - VENDORED


def typed_files(*projects: str) -> set[Path]:
    """The scripts that TypeScript reads to check them, of these projects or of all."""
    words = ("--listFilesOnly", "--project")
    listed = [scripts.call(ROOT, scripts.TSC, *words, each).stdout for each in projects or scripts.PROJECTS]
    return {Path(line) for text in listed for line in text.splitlines() if f"/{FOLDER}/" not in line}


def linted_files() -> set[Path]:
    """The files whose faults and format Biome looks at."""
    done = scripts.call(ROOT, scripts.BIOME, "check", "--verbose", "--colors=off")
    lines = (done.stdout + done.stderr).splitlines()
    return {ROOT / line.strip().removeprefix("- ") for line in lines if line.startswith("  - ")}


def test_every_script_is_type_checked():
    assert {str(path.relative_to(ROOT)) for path in typed_files()} == ours()


def test_every_script_is_linted_and_formatted():
    linted = {str(path.relative_to(ROOT)) for path in linted_files()}
    assert {name for name in linted if name.endswith(ENDINGS)} == ours()


def test_no_script_silences_what_checks_it():
    assert {name for name in ours() for word in SILENCING if word in (ROOT / name).read_text()} == set()


DRAWING = {
    *(f"clubs/static/clubs/{name}.js" for name in ("midpoint", "picker")),
    *(
        f"scoring/static/scoring/chouettes/{name}.js"
        for name in (
            *("choices", "code_dialogs", "corrections", "dialogs", "dock", "edits", "game_dialogs"),
            *("payments", "seat_dialogs", "table"),
        )
    ),
    *(
        f"scoring/static/scoring/sheets/{name}.js"
        for name in (
            *("board", "claims", "clock_face", "conflicts", "corrections", "depth", "dialogs", "dock"),
            *("forms", "point_numbers", "rehearsal", "resignation", "scoresheet", "transcribing"),
        )
    ),
    "scoring/static/scoring/drawing/chart.js",
    "scoring/static/scoring/learning/card.js",
    "scoring/static/scoring/positions/position.js",
    "scoring/static/scoring/sharing/share.js",
    "tournaments/static/tournaments/desk/desk.js",
    *(f"tournaments/static/tournaments/display/{name}.js" for name in ("calls", "wall")),
    "tournaments/static/tournaments/entries/choose_all.js",
    "tournaments/static/tournaments/pages/your_time.js",
    *(f"tournaments/static/tournaments/stages/{name}.js" for name in ("draw", "draw_names", "draw_sort")),
}
"""Scripts that draw a page. Modules with logic are not among them."""


def test_all_but_the_scripts_that_draw_keep_the_strict_rules():
    strict = typed_files("tsconfig.json", "tsconfig.worker.json")
    loose = ours() - {str(path.relative_to(ROOT)) for path in strict}
    assert {name for name in loose if not name.startswith("tests/js/")} == DRAWING


def test_the_rules_of_types_are_strict_and_only_named_scripts_have_looser_ones():
    strict = json.loads((ROOT / "tsconfig.json").read_text())["compilerOptions"]
    assert strict["strict"]
    assert strict["checkJs"]
    looser = {
        project: {name: value for name, value in options(project).items() if value is False}
        for project in scripts.PROJECTS
    }
    assert looser == {
        "tsconfig.json": {},
        # A script that draws asks for what its own page has: its browser tests find what is missing.
        "tsconfig.pages.json": {"strictNullChecks": False},
        "tsconfig.worker.json": {},
        "tsconfig.tests.json": {
            "noImplicitAny": False,
            "strictNullChecks": False,
        },  # as mypy has it for tests
    }


def options(project: str) -> dict[str, object]:
    return dict(json.loads((ROOT / project).read_text()).get("compilerOptions", {}))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in (*ours(), *CONFIGURED):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    for name in (".venv", FOLDER):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


@pytest.mark.long
@pytest.mark.parametrize(
    ("project", "name", "line", "found"),
    [
        (
            "tsconfig.json",
            "scoring/static/scoring/sheets/time_left.js",
            "inMinutes(undefined);",
            "'undefined' is",
        ),
        ("tsconfig.pages.json", "scoring/static/scoring/sheets/clock.js", "inMinutes('12');", "'string' is"),
        ("tsconfig.worker.json", "templates/scoring/sheets/sw.js", "keep(1, 2);", "'number' is"),
        ("tsconfig.tests.json", "tests/js/static.mjs", "existsSync().length;", "'length' does not exist"),
    ],
    ids=["module", "script of a page", "service worker", "test"],
)
def test_a_planted_fault_of_types_is_found(tree: Path, project: str, name: str, line: str, found: str):
    with (tree / name).open("a") as file:
        file.write(f"\n{line}\n")
    problems = scripts.wrong_types(tree, project)
    assert any(problem.startswith(name) and found in problem for problem in problems), problems


@pytest.mark.long
@pytest.mark.parametrize(
    ("line", "found"),
    [("let never = 1;\n", "noUnusedVariables"), ("export  const one = 1\n", "format")],
    ids=["lint", "format"],
)
def test_a_planted_fault_of_lint_and_format_is_found(tree: Path, line: str, found: str):
    with (tree / "scoring/static/scoring/sheets/time_left.js").open("a") as file:
        file.write(line)
    assert any(problem.startswith("scoring/") and found in problem for problem in scripts.lint(tree))


def test_npms_lock_has_a_hash_for_every_package_and_no_address(tmp_path: Path):
    assert scripts.lock_problems(ROOT / "package-lock.json") == []
    lock = tmp_path / "package-lock.json"
    planted = {
        "": {"name": "midpoint"},
        "node_modules/one": {"version": "1.0.0", "resolved": "https://packages.example/one.tgz"},
        "node_modules/two": {
            "version": "2.0.0",
            "integrity": "sha512-00",
            "optionalDependencies": {"one": "1.0.0", "two-of-another-system": "2.0.0"},
        },
    }
    lock.write_text(json.dumps({"packages": planted}))
    assert scripts.lock_problems(lock) == [
        "package-lock.json: node_modules/one has no integrity",
        "package-lock.json: node_modules/one names the address https://packages.example/one.tgz",
        "package-lock.json: node_modules/two-of-another-system is missing",
    ]
