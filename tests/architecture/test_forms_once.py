"""Every form of every page, sent twice, does what it does once."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.core.cache import cache
from django.urls import resolve, reverse

from clubs.http.sent_once import MASKED, TOKEN, is_covered
from clubs.models import IdempotencyKey
from tests.architecture.access_matrix import MATRIX
from tests.architecture.access_rules import ADMITTED, Row
from tests.architecture.access_world import World
from tests.architecture.test_access_matrix import values_of
from tests.forms import Form, forms_of
from tests.lock_order import undone

PAGES = [row for row in MATRIX if not row.is_api and not row.foreign and "GET" in row.rules]
OURS = [
    model
    for name in ("clubs", "scoring", "tournaments")
    for model in apps.get_app_config(name).get_models()
    if model is not IdempotencyKey
]
MAKERS = {
    "clubs:add_member",
    "clubs:invite",
    "clubs:new_club",
    "clubs:tokens",
    "scoring:match_links",
    "scoring:new_chouette",
    "scoring:new_house",
    "scoring:new_match",
    "scoring:new_profile",
    "scoring:upload",
    "tournaments:copy",
    "tournaments:new_event",
    "tournaments:new_flight",
}
"""Forms that the walk must have seen make something; others may need more than a form filled in blindly."""
FILLED = {
    "scoring:new_match": {
        "white": [""],
        "white_name": ["Ana"],
        "black": [""],
        "black_name": ["Ben"],
    },
    "tournaments:new_event": {"step": ["announce"]},
}
"""What a form needs beyond its required fields."""
ASKED = {"tournaments:new_event": ("?format_key=swiss_3",), "tournaments:event": ("", "?tab=info")}
"""What a page is asked for to show its forms."""
OF_VISITORS = {
    "clubs:appearance": "sets a cookie",
    "clubs:join": "the invitation is used up",
    "clubs:setup": "the token is used up",
    "scoring:join_chouette": "the form has a nonce: one seat",
    "scoring:join_sheet": "opens a sheet for this session",
    "scoring:take_seat": "the seat's secret is used up",
}


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Refusals are part of what forms that are filled in blindly meet; Django logs each of them."""
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


def rows() -> dict[str, int]:
    return {model._meta.label: model._default_manager.count() for model in OURS}


def shown(world: World, row: Row, viewer: str) -> list[tuple[Form, str]]:
    """The forms of a page for a viewer, each with the address that it goes to."""
    address = reverse(row.name, kwargs=values_of(row, world, viewer))
    found = []
    for query in ASKED.get(row.name, ("",)):
        page = world.clients[viewer].get(address + query)
        if page.status_code == 200 and page.headers["Content-Type"].startswith("text/html"):
            found += [(form, form.action or address + query) for form in forms_of(page.content.decode())]
    return found


def sent(world: World, viewer: str, form: Form, address: str) -> Any:
    cache.clear()  # what limits how often one may try
    return world.clients[viewer].post(address, form.sent(), follow=False)


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("viewer", ["owner", "member", "admin"])
def test_a_form_that_is_sent_twice_makes_what_it_makes_once(viewer: str):
    world = World.make(hidden=False)
    problems, makers, seen = [], set(), set()
    for row in PAGES:
        if row.rules["GET"].letter(viewer, hidden=False) != ADMITTED:
            continue
        with undone():
            for form, address in shown(world, row, viewer):
                name = resolve(address.partition("?")[0]).view_name
                if name.startswith(("account_", "mfa_")):
                    continue
                form.fields |= FILLED.get(name, {})
                kind = (name, tuple(sorted(form.fields)))
                if kind in seen:
                    continue
                seen.add(kind)
                with undone():
                    made, problem = twice(world, viewer, form, address)
                world.clients[viewer].force_login(world.users[viewer])
                makers |= {name} if made else set()
                problems += [f"{name} on {row.name}: {problem}"] if problem else []
        world.clients[viewer].force_login(world.users[viewer])
    assert not problems, "\n".join(problems)
    if viewer == "owner":
        assert makers >= MAKERS, f"made nothing: {sorted(MAKERS - makers)}; makers: {sorted(makers)}"


def twice(world: World, viewer: str, form: Form, address: str) -> tuple[bool, str]:
    """Whether the form made something, and what is wrong with it."""
    if len("".join(form.fields.get(TOKEN, []))) != MASKED:
        return False, "has no CSRF token of its page"
    before = rows()
    first = sent(world, viewer, form, address)
    between = rows()
    second = sent(world, viewer, form, address)
    after = rows()
    made = any(between[label] > before[label] for label in before)
    if first.status_code >= 500 or second.status_code >= 500:
        return made, f"answered {first.status_code}, then {second.status_code}"
    if after != between:
        changed = {label: (between[label], after[label]) for label in after if after[label] != between[label]}
        return made, f"the second changed {changed}"
    if made and first.status_code != 302:
        return made, f"made something and answered {first.status_code}: what is not a redirect is not kept"
    if first.status_code == 302 and second.headers.get("Location") != first.headers["Location"]:
        return made, f"led to {first.headers['Location']}, then {second.headers.get('Location')}"
    return made, ""


@pytest.mark.long
@pytest.mark.django_db
def test_the_forms_of_visitors_are_known_with_the_reason_why_they_are_safe():
    world = World.make(hidden=False)
    found = set()
    for row in PAGES:
        if row.rules["GET"].letter("visitor", hidden=False) == ADMITTED:
            with undone():
                for _form, address in shown(world, row, "visitor"):
                    found.add(resolve(address.partition("?")[0]).view_name)
    assert {name for name in found if not name.startswith("account_")} <= set(OF_VISITORS)


@pytest.mark.django_db
def test_what_is_covered(rf):
    def view(request): ...

    token = {TOKEN: "x" * MASKED}
    assert is_covered(rf.post("/", token), view)
    assert not is_covered(rf.get("/", token), view)
    assert not is_covered(rf.post("/", {TOKEN: "x" * 32}), view)  # the cookie's, which stays the same
    assert not is_covered(rf.post("/", token), type("A", (), {"__module__": "allauth.account.views"})())
