"""Several things are read from the cache with one question."""

import pytest
from django.core.cache import caches
from redis.exceptions import RedisError

from clubs.cached import all_from_cache, to_cache


def test_several_keys_are_one_question() -> None:
    to_cache("cached-a", "", 60)
    to_cache("cached-b", "P1", 60)
    assert all_from_cache(["cached-a", "cached-b", "cached-c"]) == {"cached-a": "", "cached-b": "P1"}


def test_a_cache_that_is_away_has_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_args: object) -> None:
        raise RedisError("no such host")

    monkeypatch.setattr(type(caches["default"]), "get_many", away)
    assert all_from_cache(["cached-a"]) == {}
