"""Joins the modules of our scripts, so that a page asks for a few files instead of sixty.

Modules that the same entries reach stand in one file, under the name of the last of them, in the order in
which a browser would run them; each keeps its scope. A page runs every module once, also where several of its
scripts share one, and pages share what they have in common. An entry is a script that no other imports.

This is no parser. It knows the forms in which our modules import and export, and refuses any other::

    import { a, b as c } from "./other.js";     import "./other.js";
    export const a = ...                        export function a ...     export class A ...
"""

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

IMPORT = re.compile(r'import (?:\{([\w$,\s]*)\} from )?"(\.{1,2}/[^"]+)";$', re.MULTILINE)
ONE_NAME = re.compile(r"([\w$]+)(?:\s+as\s+([\w$]+))?")
EXPORT = re.compile(r"export (?:const|class|(?:async )?function\*?) ([\w$]+)(?= )")
DECLARATION = re.compile(r"^(?:import|export)\b", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|^[ \t]*//[^\n]*", re.DOTALL | re.MULTILINE)
WHILE_RUNNING = re.compile(r"\bimport\s*\(|\bimport\.meta\b|^(?=\S)(?!.*\basync\b).*\bawait\b", re.MULTILINE)
"""What needs the file in which it stands, or a module that may wait while it loads."""
NAME = re.compile(r"[\w/]+\.js")


class CannotJoin(ValueError):
    """A script has a form that is not joined; says where."""


class Import(NamedTuple):
    module: str
    names: dict[str, str]
    """What each is called here, by its name there."""
    line: int


@dataclass(frozen=True)
class Module:
    """A script of ours, taken apart."""

    name: str
    imports: tuple[Import, ...]
    exports: tuple[str, ...]
    body: str

    def __str__(self) -> str:
        """What runs, after taking what it imports from the modules that stand before it."""
        taken = []
        for each in self.imports:
            names = [there if there == here else f"{there}: {here}" for there, here in each.names.items()]
            if names:
                taken.append(f"const {{ {', '.join(names)} }} = {variable(each.module)};")
        return "\n".join([*taken, self.body])

    def in_its_scope(self) -> str:
        """Itself as a function that runs at once and returns what it exports."""
        returned = f"return {{ {', '.join(self.exports)} }};"
        return f"const {variable(self.name)} = (() => {{\n{self}\n{returned}\n}})();"


def variable(name: str) -> str:
    """What holds the exports of a module in joined files."""
    return name.removesuffix(".js").replace("/", "$")


def read(name: str, text: str) -> Module:
    """Take a script apart.

    Raises:
        CannotJoin: with file and line of a form that is not known.
    """

    def refuse(at: int, why: str) -> NoReturn:
        start = text.rfind("\n", 0, at) + 1
        line = text[start:].partition("\n")[0].strip()
        raise CannotJoin(f"{name}:{text.count(chr(10), 0, at) + 1}: {why}: {line}")

    if not NAME.fullmatch(name):
        refuse(0, "the name of a script has letters, digits and _ alone")
    code = COMMENT.sub(lambda comment: re.sub(r"[^\n]", " ", comment[0]), text)
    if found := WHILE_RUNNING.search(code):
        refuse(found.start(), "a module neither loads others while it runs nor waits while it is loaded")
    imports: list[Import] = []
    exports: list[str] = []
    body, at = "", 0
    for found in DECLARATION.finditer(code):
        start = found.start()
        if wanted := IMPORT.match(text, start):
            if exports or code[at:start].strip():
                refuse(start, "imports stand before everything else")
            module = posixpath.normpath(posixpath.join(posixpath.dirname(name), wanted[2]))
            names = {each[1]: each[2] or each[1] for each in ONE_NAME.finditer(wanted[1] or "")}
            imports.append(Import(module, names, text.count("\n", 0, start) + 1))
            body, at = body + text[at:start], wanted.end() + 1
        elif given := EXPORT.match(text, start):
            exports.append(given[1])
            body, at = body + text[at:start], start + len("export ")
        else:
            refuse(start, "a form that is not joined (see deploy/joined_scripts.py)")
    return Module(name, tuple(imports), tuple(exports), (body + text[at:]).strip("\n"))


def joined(sources: Mapping[str, str]) -> dict[str, str]:
    """The files that pages load, by name, of the sources of our scripts.

    A script that neither imports nor is imported stays as it is, module or not.

    Raises:
        CannotJoin: with file and line of what cannot be joined.
    """
    modules = {name: read(name, text) for name, text in sorted(sources.items())}
    for module in modules.values():
        check_imports(module, modules)
    imported = {each.module for module in modules.values() for each in module.imports}
    files = files_of(modules, [name for name in modules if name not in imported])
    file_of = {module.name: name for name, members in files.items() for module in members}
    return {
        name: sources[name]
        if name not in imported and not modules[name].imports
        else written(members, modules, file_of, is_entry=name not in imported)
        for name, members in files.items()
    }


def files_of(modules: Mapping[str, Module], entries: list[str]) -> dict[str, list[Module]]:
    """The modules that stand in one file, in the order in which they run, by the name of the last."""
    reached_by: dict[str, set[str]] = {}
    for entry in entries:
        for name in run_by(entry, modules):
            reached_by.setdefault(name, set()).add(entry)
    for name in modules.keys() - reached_by.keys():  # each of these is in a circle, or imported from one
        list(run_by(name, modules))
    members: dict[frozenset[str], list[Module]] = {}
    for name, reached in reached_by.items():
        members.setdefault(frozenset(reached), []).append(modules[name])
    return {found[-1].name: found for found in members.values()}


def check_imports(module: Module, modules: Mapping[str, Module]) -> None:
    """Raise CannotJoin if something imported is not there."""
    for wanted in module.imports:
        place = f"{module.name}:{wanted.line}"
        if wanted.module not in modules:
            raise CannotJoin(f"{place}: {wanted.module} is no script of ours")
        for name in wanted.names:
            if name not in modules[wanted.module].exports:
                raise CannotJoin(f"{place}: {wanted.module} does not export {name!r}")


def run_by(
    name: str, modules: Mapping[str, Module], above: tuple[str, ...] = (), done: set[str] | None = None
) -> Iterator[str]:
    """A module after all that it imports, each once: the order in which they run.

    Raises:
        CannotJoin: modules import each other in a circle.
    """
    done = set() if done is None else done
    if name in above:
        circle = " → ".join([*above[above.index(name) :], name])
        raise CannotJoin(f"these modules import each other in a circle: {circle}")
    if name not in done:
        for each in modules[name].imports:
            yield from run_by(each.module, modules, (*above, name), done)
        done.add(name)
        yield name


def written(
    members: list[Module], modules: Mapping[str, Module], file_of: Mapping[str, str], *, is_entry: bool
) -> str:
    """The file of these modules.

    That of an entry asks at once for every file, also for those that only others need: none waits until
    another has come.
    """
    own, last = file_of[members[0].name], members[-1]
    wanted: dict[str, set[str]] = {}
    if is_entry:
        wanted = {file_of[name]: set() for name in run_by(last.name, modules) if file_of[name] != own}
    for module in members:
        for each in module.imports:
            if file_of[each.module] != own:
                wanted.setdefault(file_of[each.module], set()).update([each.module] if each.names else [])
    lines = [import_of(file, names, own) for file, names in wanted.items()]
    if is_entry:
        lines += [*(module.in_its_scope() for module in members[:-1]), str(last)]
    else:
        elsewhere = {
            each.module
            for module in modules.values()
            if file_of[module.name] != own
            for each in module.imports
            if each.names
        }
        given = [variable(module.name) for module in members if module.name in elsewhere]
        lines += [*(module.in_its_scope() for module in members), f"export {{ {', '.join(given)} }};"]
    return "\n".join([*lines, ""])


def import_of(file: str, modules: set[str], importer: str) -> str:
    """The statement by which a file imports these modules of another."""
    address = posixpath.relpath(file, posixpath.dirname(importer))
    taken = f"{{ {', '.join(sorted(map(variable, modules)))} }} from " if modules else ""
    return f'import {taken}"{"" if address.startswith(".") else "./"}{address}";'
