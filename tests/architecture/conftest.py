"""The world of the access matrix, made once for all rows of a module."""

from collections.abc import Iterator
from http.cookies import SimpleCookie

import pytest

from tests.architecture.access_world import World


@pytest.fixture(scope="module")
def _made_once(module_db: None) -> World:
    return World.make(hidden=False).furnished()


@pytest.fixture
def world(_made_once: World, db: None) -> Iterator[World]:
    """The public club and its people as they were made: what a row does to them is undone after it."""
    for row in (_made_once.club, *_made_once.users.values()):
        row.refresh_from_db()
    cookies = {name: client.cookies.output(header="", sep=";") for name, client in _made_once.clients.items()}
    yield _made_once
    for name, client in _made_once.clients.items():
        client.cookies = SimpleCookie(cookies[name])
