"""Every page can be reached: an address that works, and that no page leads to, is one that nobody can use.

A way begins at what stands outside the pages - the navigation, addresses of models, mails, commands - and
goes on from page to page: a page leads to the addresses that its view or its templates name. Two pages that
lead only to one another are reached by nobody.
"""

import ast
import inspect
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from django.urls import get_resolver

from scoring.chouettes.views import chouette
from scoring.sheets.views import scoresheet
from tests.architecture.test_access_matrix import walk

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "templates"
APPS = ("clubs", "scoring", "tournaments")

BY_NO_PAGE = {
    "healthz": "for machines: whether the process lives",
    "readyz": "for machines: whether the site can serve",
    "clubs:robots": "for crawlers: which addresses to leave out",
    "clubs:style": "for those who write pages: every part of them on one",
    "scoring:player_statistics": "for old links: it leads to the tab Play of the player",
}
"""What nothing leads to, each with the reason."""

PAGES = re.compile(rf"(?:{'|'.join(APPS)})\.(?:\w+\.)?views\b")
"""Modules of pages."""
ADDRESS = re.compile(rf"(?:{'|'.join(APPS)}|api):[a-z0-9_]+")
TEMPLATE = re.compile(r"[\w./-]+\.(?:html|txt|js)(?:#\w+)?")
NAMED = re.compile(r"""\{%\s*(?:url|way)\s+["']([\w:]+)["']""")
PARTS = re.compile(r"""\{%\s*(?:include|extends)\s+["']([^"']+)["']""")


@dataclass
class Piece:
    """A template, or a definition at the top of a module: the addresses, templates and definitions in it."""

    addresses: set[str] = field(default_factory=set)
    templates: set[str] = field(default_factory=set)
    definitions: set[tuple[str, str]] = field(default_factory=set)


def led_to(beginnings: Iterable[str], ways: Mapping[str, set[str]]) -> set[str]:
    """The addresses that one comes to from these, along what each of them leads to."""
    found: set[str] = set()
    ahead = list(beginnings)
    while ahead:
        address = ahead.pop()
        if address not in found:
            found.add(address)
            ahead += ways.get(address, ())
    return found


def named_in(node: ast.AST) -> Piece:
    """What a piece of Python names in strings, by whatever they are used."""
    strings = {
        each.value
        for each in ast.walk(node)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    }
    return Piece(
        {text for text in strings if ADDRESS.fullmatch(text)},
        {text.partition("#")[0] for text in strings if TEMPLATE.fullmatch(text)},
    )


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(Path(str(import_module(module).__file__)).read_text(encoding="utf-8"))


@cache
def definitions(module: str) -> dict[str, Piece]:
    """What each name at the top of a module of views names itself; the names that it uses lead on."""
    known: dict[str, tuple[str, str]] = {}
    nodes: dict[str, ast.AST] = {}
    for node in tree(module).body:
        if isinstance(node, ast.ImportFrom) and node.module and ".views" in node.module:
            known |= {each.asname or each.name: (node.module, each.name) for each in node.names}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            nodes[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            nodes |= {target.id: node for target in targets if isinstance(target, ast.Name)}
    known |= {name: (module, name) for name in nodes}
    pieces = {}
    for name, defined in nodes.items():
        pieces[name] = named_in(defined)
        used = {each.id for each in ast.walk(defined) if isinstance(each, ast.Name)}
        pieces[name].definitions = {known[each] for each in used if each in known}
    return pieces


@cache
def template(name: str) -> Piece:
    path = TEMPLATES / name
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return Piece(set(NAMED.findall(text)), set(PARTS.findall(text)))


def named_by(definition: tuple[str, str] | None, templates: Iterable[str] = ()) -> set[str]:
    """The addresses that a definition and these templates name, with all that they are made of."""
    addresses: set[str] = set()
    seen: set[object] = set()
    ahead: list[tuple[str, str] | str] = [*templates, *([definition] if definition else [])]
    while ahead:
        each = ahead.pop()
        if each in seen:
            continue
        seen.add(each)
        piece = template(each) if isinstance(each, str) else definitions(each[0]).get(each[1], Piece())
        addresses |= piece.addresses
        ahead += [*piece.templates, *piece.definitions]
    return addresses


def pages() -> dict[str, tuple[str, str]]:
    """The addresses of our own pages, the API's left out, with the module and the name of their views."""
    found = {}
    for address in walk(get_resolver()):
        view = inspect.unwrap(address.view)
        if PAGES.match(view.__module__):
            name = address.name.removeprefix("None:")
            assert view.__name__ in definitions(view.__module__), f"{name}: where is its view defined?"
            found[name] = (view.__module__, view.__name__)
    return found


def asked_by_scripts() -> dict[str, tuple[str, str]]:
    """The addresses of the API with their views: what a page hands its script to ask, leads on."""
    return {
        address.name: (address.view.cls.__module__, address.view.cls.__name__)
        for address in walk(get_resolver())
        if address.name.startswith("api:")
    }


def named_outside_pages() -> set[str]:
    """What is named by no view: in the navigation, models, queries, mails, commands, foreign pages."""
    addresses: set[str] = set()
    templates = {
        path.relative_to(TEMPLATES).as_posix()
        for path in TEMPLATES.rglob("*.html")
        if path.relative_to(TEMPLATES).parts[0] not in APPS
    }
    for app in (*APPS, "deploy"):
        for path in (ROOT / app).rglob("*.py"):
            inside = {Path(part).stem for part in path.relative_to(ROOT).parts}
            if not {"urls", "views", "api", "migrations"} & inside:
                piece = named_in(ast.parse(path.read_text(encoding="utf-8")))
                addresses |= piece.addresses
                templates |= piece.templates
    return addresses | named_by(None, templates)


def test_every_page_is_led_to():
    own = pages()
    ways = {name: named_by(view) for name, view in (own | asked_by_scripts()).items()}
    reached = led_to(named_outside_pages(), ways)
    unreached = set(own) - reached - set(BY_NO_PAGE)
    assert not unreached, f"lead to them, or say in BY_NO_PAGE why nothing does: {sorted(unreached)}"
    spared = set(BY_NO_PAGE) & reached | set(BY_NO_PAGE) - set(own)
    assert not spared, f"take out of BY_NO_PAGE, they are led to or are gone: {sorted(spared)}"


def test_every_address_that_is_named_is_one():
    own = pages()
    named = named_outside_pages().union(*(named_by(view) for view in own.values()))
    assert {name for name in named if name.startswith((*APPS, "api"))} <= set(own | asked_by_scripts())


@pytest.mark.parametrize(
    ("module", "scripts"),
    [(scoresheet, ("sheets",)), (chouette, ("chouettes", "sheets"))],
    ids=("sheet", "chouette"),
)
def test_a_script_asks_every_address_that_its_page_hands_it(module, scripts):
    places = [ROOT / "scoring/static/scoring" / each for each in scripts]
    text = "".join(path.read_text(encoding="utf-8") for place in places for path in place.glob("*.js"))
    assert {name for name in module.ENDPOINTS if f"urls.{name}" not in text} == set()


def test_pages_that_lead_to_one_another_alone_are_not_reached():
    ways = {
        "home": {"list"},
        "list": {"list", "form"},
        "form": {"list"},
        "island": {"islet"},
        "islet": {"island"},
    }
    assert led_to(["home"], ways) == {"home", "list", "form"}
    assert led_to([], ways) == set()
