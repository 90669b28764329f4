"""Every address x method x viewer, held against the one table of ``access_matrix.py``.

The long run asks every cell, the short one a cell of each class of viewers and methods.
"""

import json
import logging
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.shortcuts import resolve_url
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse
from rest_framework.parsers import MultiPartParser

from clubs.http.base import SAFE
from clubs.models import Scope
from tests.architecture.access_matrix import MATRIX
from tests.architecture.access_rules import (
    ADMITTED,
    ASKED,
    EVERYONE,
    HIDDEN,
    METHODS,
    OWNER,
    REFUSED,
    SENT_ON,
    SITE_ADMIN,
    VIEWERS,
    Row,
    Rule,
    api,
    page,
)
from tests.architecture.access_world import OF_ITS_CELL, VALUES, World
from tests.architecture.pages import has_page
from tests.clubs.api.clients import with_token
from tests.tiers import sized

BY_NAME = {row.name: row for row in MATRIX}
WITNESSES = ("visitor", "member", "owner", "admin")
"""Who asks for what no row serves: a refusal to who may do most is one to all."""
OF_THE_CLUB = ("guest", "member", "director", "owner")
FOR_HIDDEN_CLUBS = [row for row in MATRIX if any(rule.hidden for rule in row.rules.values())]
TOGETHER = 20
ACTING = [row for row in MATRIX if row.acts]
CHANGING_API = [
    row for row in MATRIX if row.is_api and set(row.rules) > {"GET"} and row.name != "api:nowhere"
]


@dataclass(frozen=True)
class Address:
    """An address by the name that ``reverse`` knows, with its view and the names of its arguments."""

    name: str
    view: Any
    arguments: tuple[str, ...]


def walk(resolver: URLResolver, space: str = "", arguments: tuple[str, ...] = ()) -> Iterator[Address]:
    for entry in resolver.url_patterns:
        named = (*arguments, *entry.pattern.regex.groupindex)
        if isinstance(entry, URLResolver):
            inside = f"{space}{entry.namespace}:" if entry.namespace else space
            yield from walk(entry, inside, named)
        else:
            yield Address(f"{space}{entry.name}", entry.callback, named)


ADDRESSES = {address.name: address for address in walk(get_resolver())}


def test_every_address_has_one_line_and_every_line_an_address():
    lines = [row.name for row in MATRIX]
    assert len(lines) == len(set(lines))
    missing, left = set(ADDRESSES) - set(lines), set(lines) - set(ADDRESSES)
    assert not missing, f"declare in tests/architecture/access_matrix.py: {sorted(missing)}"
    assert not left, f"there is no such address any more: {sorted(left)}"


@dataclass(frozen=True)
class Cell:
    """One request of the matrix."""

    world: World
    row: Row
    method: str
    viewer: str
    hidden: bool
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def rule(self) -> Rule | None:
        return self.row.rule_of(self.method)

    def problem(self) -> str:
        """What is wrong with the answer, or nothing. The request leaves nothing behind."""
        client = self.world.clients[self.viewer]
        cookies = client.cookies.output(header="", sep=";")
        with transaction.atomic():
            response = self._ask(client)
            transaction.set_rollback(True)
        client.cookies = SimpleCookie(cookies)
        cache.clear()  # what limits how often one may try to sign in
        found = self._seen(response)
        wrong = self._wrong(response, found) if self.rule else self._wrong_unserved(response, found)
        where = " of a hidden club" if self.hidden else ""
        return f"{self.method} {self.row.name}{where} as {self.viewer}: {wrong}" if wrong else ""

    def _ask(self, client: Client) -> Any:
        own = values_of(self.row, self.world, self.viewer, without=self.values)
        address = reverse(self.row.name, kwargs={**self.values, **own})
        body = (self.rule.send if self.rule else None) or {}
        body = body() if callable(body) else body
        if self.method == "POST" and (not self.row.is_api or _takes_a_form(ADDRESSES[self.row.name])):
            return client.post(address, body)
        if self.method in SAFE:
            return client.generic(self.method, address)
        headers = {"If-Match": "*"} if self.row.is_api else {}
        return client.generic(
            self.method, address, json.dumps(body), content_type="application/json", headers=headers
        )

    def _seen(self, response: Any) -> str:
        """The letter of what happened, else the status."""
        status: int = response.status_code
        if status in {301, 302, 303, 307, 308}:
            if response.headers["Location"].startswith(resolve_url(settings.LOGIN_URL)):
                return ASKED
            return SENT_ON if self.row.foreign else ADMITTED
        refusals = {401: ASKED, 403: REFUSED, 404: HIDDEN}
        if status == 405 or status >= 500:
            return str(status)
        return refusals.get(status, ADMITTED)

    def _wrong(self, response: Any, found: str) -> str:
        assert self.rule is not None
        expected = self.rule.letter(self.viewer, hidden=self.hidden)
        if found != expected:
            return f"expected {expected}, got {found} ({response.status_code})"
        status = self.rule.status or (200 if self.method in SAFE else 0)
        if expected == ADMITTED and status not in {0, response.status_code} and not self.row.foreign:
            return f"expected {status}, got {response.status_code}: {response.content[:200]!r}"
        return ""

    def _wrong_unserved(self, response: Any, found: str) -> str:
        """A method that the row does not list: 405, or the refusal that the viewer meets there anyhow."""
        letters = {rule.letter(self.viewer, hidden=self.hidden) for rule in self.row.rules.values()}
        if found == "405" or (found in letters - {ADMITTED} and not self.row.is_api):
            return ""
        return f"expected 405, got {response.status_code}; list the method, or refuse it in the view"


def _takes_a_form(address: Address) -> bool:
    return MultiPartParser in getattr(address.view.cls, "parser_classes", ())


def values_of(row: Row, world: World, viewer: str, *, without: Container[str] = ()) -> dict[str, str]:
    """What stands in the address for each of its arguments, made where it is not there yet."""
    names = [name for name in ADDRESSES[row.name].arguments if name not in without]
    return {name: VALUES[row.args.get(name, name)](world, viewer) for name in names}


Group = tuple[tuple[str, str], ...]


def alike(rows: Iterable[Row]) -> dict[Group, list[Row]]:
    """The rows by what stands in their addresses: those that name the same can share the values."""
    groups: dict[Group, list[Row]] = {}
    for row in rows:
        named = tuple(sorted((name, row.args.get(name, name)) for name in ADDRESSES[row.name].arguments))
        groups.setdefault(named, []).append(row)
    return groups


def groups_of(rows: Iterable[Row]) -> Iterator[tuple[str, Sequence[Row]]]:
    """At most twenty rows that are alike to a test, which two processes can share; each with its name."""
    for named, group in alike(rows).items():
        for number, part in enumerate(batched(group, TOGETHER)):
            yield f"{'-'.join(value for _name, value in named) or 'none'}-{number}", part


def in_groups(rows: Iterable[Row]) -> list[ParameterSet]:
    return [pytest.param(part, id=name) for name, part in groups_of(rows)]


def batched(rows: Sequence[Row], size: int) -> Iterator[Sequence[Row]]:
    for begin in range(0, len(rows), size):
        yield rows[begin : begin + size]


def every_cell(row: Row, *, hidden: bool) -> Iterator[tuple[str, str]]:
    """Each method with each viewer; what no row serves with ``WITNESSES``."""
    for method in ("GET", "POST") if row.foreign else METHODS:
        for viewer in VIEWERS if row.rule_of(method) else WITNESSES:
            yield method, viewer


def one_cell_of_each_class(row: Row, *, hidden: bool) -> Iterator[tuple[str, str]]:
    """Each method that is served with the least who may and the most who may not, and one that is not served.

    Methods with one rule share their refusals: the last is asked, which changes most. One method is asked as
    a visitor, too; that of a hidden club only as who has no business there. The crawl in a browser visits a
    page as the least who may, and ``test_api_explored.py`` asks the API as an owner.
    """
    letters = {method: rule.letters(hidden=hidden) for method, rule in row.rules.items()}
    refusing = {told: method for method, told in letters.items()}.values()
    last = next(reversed(row.rules))
    for method, told in letters.items():
        may = [viewer for viewer, letter in zip(VIEWERS, told, strict=True) if letter == ADMITTED]
        may_not = [viewer for viewer in ("visitor", "stranger", *OF_THE_CLUB) if viewer not in may]
        refused = may_not if method in refusing else []
        if hidden:
            asking = {*refused} & {"stranger"}
        else:
            least = may[:1] if not row.is_api and (method != "GET" or not has_page(row)) else []
            asking = {*least, *refused[-1:], *(may_not[:1] if method == last else ())}
        for viewer in sorted(asking):
            yield method, viewer
    unserved = [method for method in ("POST", "DELETE") if not row.rule_of(method)]
    if unserved and not row.is_api and not row.foreign and not hidden:
        yield unserved[0], "owner"


CELLS = sized(one_cell_of_each_class, every_cell)


def check(world: World, rows: Sequence[Row]) -> None:
    """The cells of rows that are alike, in a public club and, where that differs, in a hidden one."""
    first = rows[0]
    own = {name for name in ADDRESSES[first.name].arguments if first.args.get(name, name) in OF_ITS_CELL}
    values = values_of(first, world, "owner", without=own)
    problems = []
    for hidden in (False, True):
        world.hide(hidden=hidden)
        for row in rows if not hidden else [row for row in rows if row in FOR_HIDDEN_CLUBS]:
            asked = CELLS(row, hidden=hidden)
            cells = [Cell(world, row, method, viewer, hidden, values) for method, viewer in asked]
            problems += [problem for cell in cells if (problem := cell.problem())]
    assert not problems, "\n".join(problems)


@pytest.fixture(autouse=True)
def _quiet():
    """Refusals are what is asked for here; Django logs each of them, with a traceback."""
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.each_case
@pytest.mark.django_db
@pytest.mark.parametrize("rows", in_groups(MATRIX))
def test_every_viewer_meets_what_the_table_says(world, rows):
    check(world, rows)


def test_every_row_is_asked():
    asked = [row.name for _name, rows in groups_of(MATRIX) for row in rows]
    assert sorted(asked) == sorted(row.name for row in MATRIX)


@pytest.mark.django_db
@pytest.mark.parametrize("row", CHANGING_API, ids=lambda row: row.name)
def test_a_token_for_reading_changes_nothing(world, row):
    client = with_token(world.users["owner"], Scope.READ)
    address = ADDRESSES[row.name]
    values = values_of(row, world, "owner")
    for method in set(row.rules) - {"GET"}:
        assert address.view.cls.access[method].scope != Scope.READ
        path = reverse(row.name, kwargs=values)
        answer = client.generic(method, path, "{}", content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing")


@pytest.mark.parametrize("row", ACTING, ids=lambda row: row.name)
def test_what_a_page_does_the_api_does_by_the_same_rule(row):
    assert bool(row.twin) != bool(row.alone), "name the twin in the API, or why there is none"
    if row.alone:
        return
    method, _, name = row.twin.partition(" ")
    twin = BY_NAME[name]
    assert twin.is_api
    assert method in twin.rules
    assert method != "GET"
    for hidden in (False, True):
        for viewer in VIEWERS:
            if twin.rules[method].letter(viewer, hidden=hidden) == ADMITTED:
                assert row.rules["POST"].letter(viewer, hidden=hidden) == ADMITTED, viewer


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("row", "method", "viewer", "wrong"),
    [
        (page("clubs:edit_club", EVERYONE), "GET", "visitor", "expected +, got ? (302)"),
        (page("tournaments:club", OWNER), "GET", "stranger", "expected -, got + (200)"),
        (page("clubs:outbox", SITE_ADMIN), "POST", "owner", ""),
        (page("clubs:outbox", SITE_ADMIN.answers(201)), "GET", "admin", "expected 201, got 200"),
        (page("clubs:edit_club", OWNER), "POST", "owner", "expected 405, got 200"),
        (api("clubs", get=EVERYONE), "POST", "visitor", "expected 405, got 401"),
    ],
)
def test_a_cell_that_differs_from_the_table_is_found(world, row, method, viewer, wrong):
    problem = Cell(world, row, method, viewer, hidden=False).problem()
    assert bool(problem) == bool(wrong)
    assert wrong in problem


def test_a_line_of_the_table_is_checked_when_it_is_written():
    with pytest.raises(ValueError, match="is not one of"):
        Rule("++")
    with pytest.raises(ValueError, match="is not one of"):
        Rule("+++++++", hidden="+++++x+")
