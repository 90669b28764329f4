"""Checks of scripts: types by TypeScript, lint and format by Biome, npm's lock."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

from deploy.node_tools import FOLDER, node

TSC, BIOME = "typescript/bin/tsc", "@biomejs/biome/bin/biome"
PROJECTS = ("tsconfig.json", "tsconfig.pages.json", "tsconfig.worker.json", "tsconfig.tests.json")
"""TypeScript projects: logic modules, page scripts, the service worker, Node tests."""


def wrong_types(root: Path, *projects: str) -> list[str]:
    """TypeScript's findings in scripts below ``root``, line by line, once each."""
    words = ("--pretty", "false", "--project")
    found = [line for project in projects or PROJECTS for line in run(root, TSC, *words, project)]
    return list(dict.fromkeys(found))


def lint(root: Path) -> list[str]:
    """Biome's findings in scripts below ``root``: lint and format."""
    return run(root, BIOME, "ci", "--error-on-warnings", "--colors=off", "--max-diagnostics=50")


def run(root: Path, tool: str, *words: str) -> list[str]:
    """The output of a failing tool, line by line."""
    done = call(root, tool, *words)
    if done.returncode == 0:
        return []
    lines = (done.stdout + done.stderr).strip().splitlines()
    return lines or [f"{tool} ended with {done.returncode}"]


def call(root: Path, tool: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a tool; return its result."""
    command: list[str | Path] = [node(root), root / FOLDER / tool, *words]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


def lock_problems(lock: Path) -> list[str]:
    """Packages in npm's lock without version or hash, or with a registry address."""
    packages = json.loads(lock.read_text())["packages"]
    problems = []
    for name, package in packages.items():
        if name:
            problems += [f"{lock.name}: {name} has no {what}" for what in missing(package)]
            # Those of other systems are not installed, but npm refuses a lock without them.
            others = (f"{FOLDER}/{other}" for other in package.get("optionalDependencies", ()))
            problems += [f"{lock.name}: {other} is missing" for other in others if other not in packages]
            if "resolved" in package:
                problems.append(f"{lock.name}: {name} names the address {package['resolved']}")
    return problems


def missing(package: dict[str, object]) -> Sequence[str]:
    return [what for what in ("version", "integrity") if not package.get(what)]
