"""Everything that is written is used: by a page, a program, a command or another part, not by tests alone."""

import ast
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
APPS = ("clubs", "scoring", "tournaments", "deploy")

COMING = {
    "scoring/formulas/policy.py": "the national lists, with the ratings",
    "scoring/rules/dice_names.py": "what rolls are called, with the variants",
    "tournaments/core/brackets/elimination.py:entry_rounds": "where losers enter, with the director's pages",
    "tournaments/core/prizes/points.py": "series and their points, with the director's money",
}
"""A file, or a name in it, and the coming use."""

CALLED_BY_NAME = {
    "clubs/apps.py:ClubsConfig": "Django makes it",
    "scoring/apps.py:ScoringConfig": "Django makes it",
    "tournaments/apps.py:TournamentsConfig": "Django makes it",
    "deploy/apps.py:DeployConfig": "Django makes it",
    "clubs/api/schema.py:TokenOrSessionScheme": "drf-spectacular finds it among the subclasses",
    "scoring/helping/api/authentication.py:HelperTokenScheme": "drf-spectacular finds it, too",
    "clubs/formats/en/formats.py": "Django asks for the formats by their names",
}


class Written:
    """What is defined at the top of modules, and where names are used."""

    def __init__(self, texts: Mapping[str, str], *, elsewhere: str) -> None:
        """``texts`` are Python files by their path; ``elsewhere`` is all that is not Python."""
        self.defined: list[tuple[str, str, range]] = []
        self.used: defaultdict[str, set[tuple[str, int]]] = defaultdict(set)
        self.elsewhere = set(re.findall(r"\w+", elsewhere))
        for path, text in texts.items():
            tree = ast.parse(text)
            self.defined.extend((path, *each) for each in defined_in(tree))
            for node in ast.walk(tree):
                for name in names_in(node):
                    self.used[name].add((path, node.lineno))  # type: ignore[attr-defined]

    def unused(self) -> set[str]:
        """``path:name`` of what only its own definition names."""
        return {
            f"{path}:{name}"
            for path, name, own in self.defined
            if name not in self.elsewhere
            and not any(file != path or line not in own for file, line in self.used[name])
        }


def defined_in(tree: ast.Module) -> Iterator[tuple[str, range]]:
    """Functions without a decorator (which registers them), classes and constants, with their lines."""
    for node in tree.body:
        own = range(node.lineno, (node.end_lineno or node.lineno) + 1)
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() if not node.decorator_list:
                yield node.name, own
            case ast.ClassDef():
                yield node.name, own
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name, own


def names_in(node: ast.AST) -> Iterator[str]:
    """What this node names. A string names what is in its dotted path: settings and registries hold such."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            yield name
        case ast.Constant(value=str(text)) if re.fullmatch(r"[\w.:\[\]]+", text):
            yield from re.split(r"[.:\[\]]", text)


def sources() -> tuple[dict[str, str], str]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files = [file for file in listed.split("\n") if file and (ROOT / file).is_file()]
    python = [f for f in files if f.endswith(".py") and f.startswith((*APPS, "manage.py"))]
    others = [f for f in files if f.endswith((".html", ".txt", ".toml", ".yml", ".service"))]
    texts = {file: (ROOT / file).read_text() for file in python}
    return texts, "\n".join((ROOT / file).read_text() for file in others if not file.startswith("tests/"))


def is_named(name: str) -> bool:
    """Whether it is the framework's to find, or named as coming."""
    path, _, what = name.partition(":")
    found = bool({path, name} & {*COMING, *CALLED_BY_NAME})
    return (
        found
        or path == "deploy/settings.py"
        or "/migrations/" in path
        or ("/management/commands/" in path and what == "Command")
    )


@pytest.fixture(scope="module")
def unused() -> set[str]:
    texts, elsewhere = sources()
    return Written(texts, elsewhere=elsewhere).unused()


def test_what_nothing_uses_is_gone_or_named_as_coming(unused: set[str]):
    assert sorted(name for name in unused if not is_named(name)) == []


def test_what_is_named_as_coming_is_still_there_and_unused(unused: set[str]):
    files = {name.partition(":")[0] for name in unused}
    assert [name for name in {**COMING, **CALLED_BY_NAME} if name not in unused and name not in files] == []


@pytest.mark.parametrize("text", ["def lonely(): return lonely()", "class Lonely: ...", "LONELY = 1"])
def test_a_planted_name_is_found(text):
    used = "from app import planted\nused = planted.other\nprint(used)"
    written = Written({"app/planted.py": f"{text}\ndef other(): ...", "app/use.py": used}, elsewhere="")
    assert {name.lower() for name in written.unused()} == {"app/planted.py:lonely"}
