"""Numbers of 5,000 digits, and of 30, wherever a number is read: a bad request, never a fault."""

import json
import logging
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.cache import cache
from django.test import AsyncClient
from django.urls import NoReverseMatch, resolve, reverse

from clubs.http.numbers import is_endless, whole_number
from tests.architecture.access_matrix import MATRIX
from tests.architecture.access_rules import ADMITTED, Row
from tests.architecture.access_world import World
from tests.architecture.test_access_matrix import ADDRESSES, values_of
from tests.architecture.test_forms_once import PAGES, shown
from tests.lock_order import undone

ENDLESS, TOO_LARGE = "9" * 5000, "9" * 30
READ = re.compile(r"\b(?:GET|query_params)(?:\.get(?:list)?\(|\[)\"(\w+)\"")
COMMON = {"after", "before", "cursor", "limit", "since", "q"}
"""What helpers of several pages read; the others are read in the module of the page itself."""


def asked_for(row: Row) -> list[str]:
    """The parameters that an address reads from its query."""
    view = ADDRESSES[row.name].view
    module = sys.modules[getattr(view, "cls", view).__module__]
    assert module.__file__ is not None
    return sorted(COMMON | set(READ.findall(Path(module.__file__).read_text())))


OURS = [row for row in MATRIX if not row.foreign]
READABLE = [row for row in OURS if "GET" in row.rules]
BODIES = [
    (row, method)
    for row in OURS
    for method in sorted({"POST", "PUT", "PATCH"} & set(row.rules))
    if row.is_api
]
OF_SCRIPTS = ("sheet_", "chouette_", "match_events", "confirmations", "disputes")
"""Addresses of the API that scripts of the pages write to."""


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture
def world(db: None) -> World:
    return World.make(hidden=False)


def address_of(world: World, row: Row, **values: str) -> str:
    return reverse(row.name, kwargs=values_of(row, world, "owner", without=values) | values)


def faults(answers: list[tuple[str, Any, set[int]]]) -> list[str]:
    """The answers that are none of the expected; an empty set stands for anything but a fault of ours."""
    return [
        f"{what}: {answer.status_code}"
        for what, answer, expected in answers
        if answer.status_code >= 500 or (expected and answer.status_code not in expected)
    ]


@pytest.mark.long
def test_in_the_query_of_every_address(world):
    found: list[tuple[str, Any, set[int]]] = []
    for row in READABLE:
        with undone():
            client, address = world.clients["owner"], address_of(world, row)
            for name in asked_for(row):
                too_large = client.get(address, {name: TOO_LARGE})
                found.append((f"{row.name}?{name}=9…, 30 digits", too_large, set()))
                # One middleware refuses the pages' parameters alike; each view of the API reads its own.
                if row.is_api or name == "since":
                    endless = client.get(address, {name: ENDLESS})
                    found.append((f"{row.name}?{name}=9…", endless, set() if row.is_api else {400}))
        cache.clear()
    assert not faults(found)


@pytest.mark.long
@pytest.mark.parametrize("digits", [ENDLESS, TOO_LARGE])
def test_as_an_argument_of_every_address(world, digits):
    found = []
    for row in READABLE:
        for argument in ADDRESSES[row.name].arguments:
            with undone():
                try:
                    address = address_of(world, row, **{argument: digits})
                except NoReverseMatch:  # a ref, which has ten characters
                    continue
                found.append((f"{row.name} {argument}", world.clients["owner"].get(address), {404, 400, 302}))
    assert {"scoring:step step"} <= {what for what, _answer, _expected in found}
    # What is shown for any code or secret may be a page that asks for the right one.
    assert not [fault for fault in faults(found) if not fault.endswith((": 200", ": 410"))]


@pytest.mark.long
@pytest.mark.parametrize("headers", [["Last-Event-ID"], ["If-None-Match", "If-Match", "Range"]])
def test_in_the_headers_of_every_address(world, headers):
    found: list[tuple[str, Any, set[int]]] = []
    for row in READABLE:
        with undone():
            told = dict.fromkeys(headers, ENDLESS)
            answer = world.clients["owner"].get(address_of(world, row), headers=told)
            expected = {400} if "Last-Event-ID" in told and not row.is_api else set()
            found.append((row.name, answer, expected))
    assert not faults(found)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", ["clubs:live", "tournaments:changes"])
def test_where_a_stream_begins(name):
    world = World.make(hidden=False)
    row = next(row for row in MATRIX if row.name == name)
    browser = AsyncClient(raise_request_exception=False)
    address = address_of(world, row)
    for how in ({"query_params": {"since": ENDLESS}}, {"headers": {"Last-Event-ID": ENDLESS}}):
        told = {"Accept": "text/event-stream"} | how.get("headers", {})
        query = f"?since={ENDLESS}" if "query_params" in how else ""
        answer = async_to_sync(browser.get)(address + query, headers=told)
        assert answer.status_code == 400


@pytest.mark.long
@pytest.mark.parametrize(("digits", "expected"), [(ENDLESS, {400}), (TOO_LARGE, set())])
def test_in_every_field_of_every_form(world, digits, expected):
    found: list[tuple[str, Any, set[int]]] = []
    seen: set[tuple[str, str]] = set()
    for row in PAGES:
        if row.rules["GET"].letter("owner", hidden=False) != ADMITTED:
            continue
        with undone():
            for form, address in shown(world, row, "owner"):
                name = resolve(address.partition("?")[0]).view_name
                for field in form.fields:
                    if (name, field) in seen or field == "csrfmiddlewaretoken":
                        continue
                    seen.add((name, field))
                    with undone():
                        body = form.fields | {field: [digits]}
                        answer = world.clients["owner"].post(address, body)
                    world.clients["owner"].force_login(world.users["owner"])
                    found.append((f"{name} {field}", answer, expected))
                    cache.clear()
        world.clients["owner"].force_login(world.users["owner"])
    assert len(found) > 150
    assert not faults(found)


@pytest.mark.long
@pytest.mark.parametrize("digits", [ENDLESS, TOO_LARGE])
def test_in_every_field_of_every_body_of_the_api(world, digits):
    found: list[tuple[str, Any, set[int]]] = []
    for row, method in BODIES:
        with undone():
            address = address_of(world, row)
            send = row.rules[method].send
            known = send() if callable(send) else send or {}
            for name in sorted({*known, "after", "seen", "revision"}):
                with undone():
                    text = json.dumps({**known, name: 0}, default=str)
                    text = re.sub(rf'("{name}": )0(?=[,}}])', rf"\g<1>{digits}", text)
                    answer = world.clients["owner"].generic(
                        method, address, text, content_type="application/json", headers={"If-Match": "*"}
                    )
                found.append((f"{method} {row.name} {name}", answer, set()))
        world.clients["owner"].force_login(world.users["owner"])
        cache.clear()
    refused = [answer for what, answer, _ in found if answer.status_code == 400]
    assert len(refused) > 50
    assert not faults(found)


@pytest.mark.long
@pytest.mark.parametrize("digits", [ENDLESS, TOO_LARGE])
def test_in_what_the_scoresheet_sends(world, digits):
    found: list[tuple[str, Any, set[int]]] = []
    rows = [row for row in OURS if row.name.startswith(tuple(f"api:{name}" for name in OF_SCRIPTS))]
    for row in [row for row in rows if "POST" in row.rules]:
        for name in ("after", "revision", "seq", "replaces", "version", "points", "white", "at", "stake"):
            with undone():
                answer = world.clients["owner"].post(
                    address_of(world, row), f'{{"{name}": {digits}}}', content_type="application/json"
                )
            found.append((f"{row.name} {name}", answer, set()))
    assert len(found) > 50
    assert not faults(found)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("17", 17),
        ("9" * 18, int("9" * 18)),
        ("9" * 19, None),
        ("٣", None),
        ("²", None),
        ("-1", None),
        ("1_0", None),
        (" 1", None),
        ("", None),
    ],
)
def test_a_number_is_of_1_to_18_ascii_digits(text, number):
    assert whole_number(text) == number


def test_words_and_long_numbers_that_somebody_may_mean_are_not_endless():
    assert not any(map(is_endless, ("", "word " * 100, "9" * 200, "a" + "9" * 5000)))
    assert all(map(is_endless, ("9" * 201, "-" + "9" * 5000, "1," * 2500, "٣" * 5000)))
