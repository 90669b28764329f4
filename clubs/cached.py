"""Optional caching: without a cache each process computes values itself."""

import logging
from collections.abc import Collection
from typing import Any

from django.core.cache import cache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


def from_cache(key: str) -> Any:
    """The cached value of a key; None if there is none or the cache is unavailable."""
    try:
        return cache.get(key)
    except RedisError as error:
        logger.warning("cannot read %s, cache unavailable: %s", key, error)
        return None


def all_from_cache(keys: Collection[str]) -> dict[str, Any]:
    """Cached values by key (one round trip); empty if the cache is unavailable."""
    try:
        found: dict[str, Any] = cache.get_many(keys)
    except RedisError as error:
        logger.warning("cannot read %s keys, cache unavailable: %s", len(keys), error)
        return {}
    return found


def to_cache(key: str, value: Any, seconds: float) -> None:
    """Cache a value for some seconds; do nothing if the cache is unavailable."""
    try:
        cache.set(key, value, seconds)
    except RedisError as error:
        logger.warning("cannot store %s, cache unavailable: %s", key, error)
