"""``manage.py verify``: all static checks, in production mode."""

import gettext
import io
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from deploy import advisories, attach, docs_check, node_tools, scripts, translatable
from deploy.checkout import ROOT
from deploy.wording import reading
from deploy.wording.rules import findings

APPS = ("clubs", "scoring", "tournaments", "deploy")
TEMPLATE_ENDINGS = frozenset({".html", ".txt", ".svg", ".xml"})
PRODUCTION_CHECK = ("check", "--deploy", "--database", "default", "--fail-level", "WARNING")
LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-uv.lock")
# What production has and a checkout has not: only the checks of this mode are worth passing.
PRODUCTION = {"HTTPS": "true", "DEBUG": "false", "DJANGO_SETTINGS_MODULE": "deploy.settings"}


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A check: name, findings (none is good), and seconds."""

    name: str
    details: tuple[str, ...]
    seconds: float

    @property
    def ok(self) -> bool:
        return not self.details

    @property
    def line(self) -> str:
        return f"{'ok  ' if self.ok else 'FAIL'}  {self.name} ({self.seconds:.1f} s)"


Check = Callable[[], list[str]]


def outcomes() -> Iterator[CheckResult]:
    """Run all checks in parallel; yield the outcomes in a fixed order.

    The checks of models and migrations get a throw-away database: without one, ``makemigrations --check``
    would only warn.
    """
    # The engines belong to this thread, which outlives every check: they would die with a shorter one.
    with attach.throwaway_engines() as variables, ThreadPoolExecutor(2) as pool:
        environment = dict(os.environ) | variables | PRODUCTION
        futures = [(name, pool.submit(timed, check)) for name, check in checks(environment).items()]
        yield from (collected(name, future) for name, future in futures)


def collected(name: str, future: Future[tuple[list[str], float]]) -> CheckResult:
    details, seconds = future.result()
    return CheckResult(name, tuple(details), seconds)


def timed(check: Check) -> tuple[list[str], float]:
    began = time.monotonic()
    return check(), time.monotonic() - began


def checks(environment: dict[str, str]) -> dict[str, Check]:
    """All checks by name, slowest first."""
    manage = [sys.executable, "manage.py"]

    def run(*words: str) -> Check:
        return lambda: output_of(words, environment)

    def module(name: str, *words: str) -> Check:
        return run(sys.executable, "-m", name, *words)

    return {
        "types (mypy)": module("mypy"),
        "types of scripts (tsc)": lambda: scripts.wrong_types(ROOT),
        "lint (ruff check)": module("ruff", "check", "--output-format", "concise", "--quiet"),
        "format (ruff format)": module("ruff", "format", "--check", "--quiet"),
        "lint and format of scripts (biome)": lambda: scripts.lint(ROOT),
        "imports (lint-imports)": run(str(Path(sys.executable).parent / "lint-imports")),
        "docs (sphinx)": docs_check.problems,
        "migrations (makemigrations --check)": run(*manage, "makemigrations", "--check", "--dry-run"),
        "production (check --deploy)": run(*manage, *PRODUCTION_CHECK),
        "templates (djade)": lambda: djade(environment),
        "translatable templates": unmarked_texts,
        "language (texts --check)": language,
        "compiled catalogues": stale_catalogues,
        "locks": locks,
        "known vulnerabilities": known_vulnerabilities,
    }


def output_of(words: tuple[str, ...], environment: dict[str, str]) -> list[str]:
    """The output of a failing command, line by line; nothing on success."""
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return []
    lines = (done.stdout + done.stderr).strip().splitlines()
    return lines or [f"{words[0]} ended with {done.returncode}"]


def templates() -> list[Path]:
    folders = [ROOT / "templates", *(ROOT / app / "templates" for app in APPS)]
    return sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in TEMPLATE_ENDINGS)


def djade(environment: dict[str, str]) -> list[str]:
    names = [str(path) for path in templates()]
    if not names:
        return []
    command = (str(Path(sys.executable).parent / "djade"), "--check", "--target-version", "5.2", *names)
    return output_of(command, environment)


def unmarked_texts() -> list[str]:
    return [str(found) for path in templates() for found in translatable.unmarked_in(path.relative_to(ROOT))]


def language() -> list[str]:
    """Texts against the rules of language, each with its reason."""
    return [str(found) for found in sorted(findings(reading.texts()))]


def stale_catalogues() -> list[str]:
    """Compiled catalogues that are missing or differ from their source."""
    problems = []
    for source in sorted((ROOT / "locale").rglob("*.po")):
        compiled = source.with_suffix(".mo")
        if shutil.which("msgfmt") is None:
            return [
                "msgfmt is missing (Debian: sudo apt install gettext), so that catalogues cannot be compared"
            ]
        fresh = subprocess.run(["msgfmt", "--check", "-o", "-", source], capture_output=True, check=False)
        if fresh.returncode:
            problems += fresh.stderr.decode().splitlines()
        elif not compiled.exists() or catalogue(compiled.read_bytes()) != catalogue(fresh.stdout):
            problems.append(
                f"{compiled.relative_to(ROOT)} is not compiled from {source.name}: run manage.py "
                "compilemessages"
            )
    return problems


def catalogue(compiled: bytes) -> dict[object, object]:
    """The messages of a compiled catalogue, without the header's date."""
    messages = dict(vars(gettext.GNUTranslations(io.BytesIO(compiled)))["_catalog"])
    messages.pop("", None)
    return messages


def locks() -> list[str]:
    python = [problem for name in LOCKS for problem in lock_problems(ROOT / name)]
    return [*python, *scripts.lock_problems(ROOT / node_tools.LOCK)]


def lock_problems(lock: Path) -> list[str]:
    """Pinned packages without a hash, and addresses of package indexes."""
    text = lock.read_text().replace("\\\n", " ")
    problems = []
    for line in text.splitlines():
        if "==" in line and "--hash=" not in line and not line.lstrip().startswith("#"):
            problems.append(f"{lock.name}: {line.split()[0]} has no hash")
        if "://" in line or line.startswith(("-i ", "--index", "--extra-index", "--find-links")):
            problems.append(f"{lock.name}: {line.strip()} names an address")
    return problems


def known_vulnerabilities() -> list[str]:
    """Locked versions with a known vulnerability, checked offline."""
    listed = advisories.known(advisories.KNOWN.read_text())
    return [problem for name in LOCKS for problem in advisories.vulnerable(ROOT / name, listed)]
