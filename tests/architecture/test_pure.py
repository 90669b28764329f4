"""The pure packages import where no framework exists: a subprocess blocks the frameworks and imports them."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PURE = (
    "scoring/rules", "scoring/notation", "scoring/theory", "scoring/formulas", "scoring/engines",
    "scoring/helper", "tournaments/core",
)  # fmt: skip
BLOCKED = ("django", "rest_framework", "celery", "psycopg", "allauth", "kombu", "redis")

PROBE = """
import importlib, sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked!r}:
            raise ImportError(f"{{name}} is blocked: a pure package must not need it")

sys.meta_path.insert(0, Blocked())
for module in {modules!r}:
    importlib.import_module(module)
print("imported", len({modules!r}))
"""


def modules_below(folder: Path) -> list[str]:
    paths = (path.relative_to(ROOT).with_suffix("") for path in sorted(folder.rglob("*.py")))
    return [".".join(path.parts).removesuffix(".__init__") for path in paths if path.stem != "__main__"]


def probe(modules: list[str], extra_path: Path | None = None) -> subprocess.CompletedProcess[str]:
    code = PROBE.format(blocked=set(BLOCKED), modules=modules)
    path = [str(ROOT), *([str(extra_path)] if extra_path else [])]
    return subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}\n{code}"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("package", PURE)
def test_a_pure_package_imports_without_any_framework(package: str) -> None:
    modules = modules_below(ROOT / package)
    assert modules
    result = probe(modules)
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == f"imported {len(modules)}"


def test_the_probe_notices_a_framework(tmp_path: Path) -> None:
    (tmp_path / "planted.py").write_text("import django.conf\n")
    result = probe(["planted"], tmp_path)
    assert result.returncode == 1
    assert "django is blocked" in result.stderr
