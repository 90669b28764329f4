"""What docstrings and comments cite: pages with their headings, and names of our own code."""

import ast
import builtins
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

PAGE = re.compile(r"(?<![\w/*.])(?P<path>[\w./-]+\.md)(?P<headings>(?:(?:,| and) \"[^\"]+\")*)")
HEADING = re.compile(r"^#+ +(.+?)\s*$", re.MULTILINE)
QUOTED = re.compile(r"`~?(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)(?:\(\))?`")
FILES = frozenset({"py", "md", "html", "js", "css", "json", "toml", "txt", "svg", "ini", "lock", "sh", "sql"})
"""Endings by which a dotted name is a file's."""
EVERYWHERE = frozenset({"services", "queries", "forms", "views", "api", "models"})
"""What rooms of every subject are called."""
PLAIN = frozenset({"Protocol", "Generic", "Enum", "StrEnum", "IntEnum", "NamedTuple"})
"""Bases from elsewhere that bring no names which a docstring would speak of."""


class Remark(NamedTuple):
    """A docstring or a run of comment lines, as one line of text."""

    line: int
    text: str


def remarks(source: str, tree: ast.Module | None = None) -> Iterator[Remark]:
    """Docstrings of modules, classes, functions and attributes, and comments, of a source and its tree."""
    for node in ast.walk(tree or ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text)), lineno=line):
                yield Remark(line, " ".join(text.split()))
    yield from _comments(source)


def _comments(source: str) -> Iterator[Remark]:
    run: list[str] = []
    begun = last = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        line = token.start[0]
        if run and line != last + 1:
            yield Remark(begun, " ".join(run))
            run = []
        if not run:
            begun = line
        run.append(token.string.lstrip("# "))
        last = line
    if run:
        yield Remark(begun, " ".join(run))


def missing_pages(text: str, root: Path) -> list[str]:
    """Pages and headings that ``text`` cites and ``root`` does not have."""
    missing = []
    for cited in PAGE.finditer(text):
        page = root / cited["path"]
        if not page.is_file():
            missing.append(cited["path"])
            continue
        there = set(HEADING.findall(page.read_text(encoding="utf-8")))
        headings = re.findall(r"\"([^\"]+)\"", cited["headings"])
        missing.extend(f'{cited["path"]}, "{heading}"' for heading in headings if heading not in there)
    return missing


class Code:
    """The modules of a tree and the names that each defines."""

    def __init__(self, root: Path, rooms: Iterable[str]) -> None:
        self.modules: dict[str, dict[str, set[str]]] = {}
        """By dotted name: what stands at the top of a module, and in a class the names inside it."""
        self.outside: set[str] = set(sys.stdlib_module_names)
        """Packages that are imported from elsewhere."""
        self.trees: dict[Path, ast.Module] = {}
        self.sources: dict[Path, str] = {}
        for room in rooms:
            for path in sorted((root / room).rglob("*.py")):
                self.sources[path] = path.read_text(encoding="utf-8")
                self.trees[path] = tree = ast.parse(self.sources[path])
                parts = path.relative_to(root).with_suffix("").parts
                name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
                self.modules[name] = _top(tree)
                self.outside |= _imported(tree)
        for name in list(self.modules):  # folders without __init__.py are packages too
            folders = name.split(".")[:-1]
            for end in range(1, len(folders) + 1):
                self.modules.setdefault(".".join(folders[:end]), {})
        self.rooms = set(rooms)
        self.stems = {part for name in self.modules for part in name.split(".")}
        self.bases = dict(base for tree in self.trees.values() for base in _bases(tree))
        self.classes: dict[str, set[str]] = {}
        for top in self.modules.values():
            for name, inside in top.items():
                if inside:
                    self.classes.setdefault(name, set()).update(inside)

    def remarks_with(self, pattern: re.Pattern[str]) -> Iterator[tuple[Path, ast.Module, Remark]]:
        """Every remark of the files that have the pattern, which has no blanks, anywhere in their text."""
        for path, source in self.sources.items():
            if pattern.search(source):
                for remark in remarks(source, self.trees[path]):
                    yield path, self.trees[path], remark

    def knows(self, name: str, *, near: set[str]) -> bool:
        """Whether a dotted name means something, said in a file that has the names ``near``.

        A name that begins with an app is a module or what stands in it, from the top of the tree. One that
        begins with another part of our modules' names (``resolve.BracketStatus``) is the end of such a name,
        but not with a name that every subject has, such as services: of those nobody knows which is meant.
        """
        first, *rest = name.split(".")
        if rest[-1] in FILES:
            return True
        if first in self.rooms:
            return self._resolves(name, within="")
        if first in EVERYWHERE:
            return False
        if first in self.stems and first not in near:
            return self._resolves(name, within=".")
        if first in self.bases:
            return self._has(first, rest[0])
        return first in self.outside or first in near or hasattr(builtins, first)

    def _has(self, kind: str, name: str) -> bool:
        """Whether a class has this name, or inherits it; of classes from elsewhere nothing is known."""
        if kind not in self.bases:
            return not hasattr(builtins, kind) and kind not in PLAIN
        inside = self.classes.get(kind, ())
        return name in inside or any(self._has(base, name) for base in self.bases[kind])

    def _resolves(self, name: str, *, within: str) -> bool:
        parts = name.split(".")
        for cut in range(len(parts), 0, -1):
            head, rest = ".".join(parts[:cut]), parts[cut:]
            for module, top in self.modules.items():
                is_meant = module == head or (within and module.endswith(within + head))
                if is_meant and _stands_in(top, rest):
                    return True
        return False


def _stands_in(top: dict[str, set[str]], rest: list[str]) -> bool:
    """Whether a module with this at its top has what the rest of a name says."""
    return not rest or (rest[0] in top and (len(rest) == 1 or rest[1] in top[rest[0]]))


def names_near(tree: ast.Module) -> set[str]:
    """Every identifier of a file: what a docstring in it may speak of without saying where it is."""
    names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.keyword(arg=str(name)):
                names.add(name)
    return names


def _top(tree: ast.Module) -> dict[str, set[str]]:
    """The names at the top of a module, each class with the names inside it, those of ``self`` too."""
    found: dict[str, set[str]] = {}
    for node in tree.body:
        found.update((name, set()) for name in _defined(node))
        if isinstance(node, ast.ClassDef):
            found[node.name] = {name for child in node.body for name in _defined(child)} | {
                child.attr
                for child in ast.walk(node)
                if isinstance(child, ast.Attribute) and isinstance(child.ctx, ast.Store)
            }
    return found


def _bases(tree: ast.Module) -> Iterator[tuple[str, set[str]]]:
    """Each class at the top of a module with the last names of those that it inherits from."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            names = {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases}
            yield node.name, names - {node.name}


def _defined(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(targets=targets):
            for target in targets:
                yield from (n.id for n in ast.walk(target) if isinstance(n, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in names)
        case ast.If(body=body) | ast.Try(body=body):
            for child in body:
                yield from _defined(child)


def _imported(tree: ast.Module) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found |= {alias.name.partition(".")[0] for alias in names}
            case ast.ImportFrom(module=str(module), level=0):
                found.add(module.partition(".")[0])
    return found
