"""What is kept in the cache while it answers: without it each process works for itself."""

import logging
from collections.abc import Collection
from typing import Any

from django.core.cache import cache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


def from_cache(key: str) -> Any:
    """What is kept under the key; None where nothing is, or where the cache is away."""
    try:
        return cache.get(key)
    except RedisError as error:
        logger.warning("cannot read %s, cache unavailable: %s", key, error)
        return None


def all_from_cache(keys: Collection[str]) -> dict[str, Any]:
    """What is kept under these keys, by the key (one question); nothing where the cache is away."""
    try:
        found: dict[str, Any] = cache.get_many(keys)
    except RedisError as error:
        logger.warning("cannot read %s keys, cache unavailable: %s", len(keys), error)
        return {}
    return found


def to_cache(key: str, value: Any, seconds: float) -> None:
    """Keep the value that long; nothing is kept where the cache is away."""
    try:
        cache.set(key, value, seconds)
    except RedisError as error:
        logger.warning("cannot store %s, cache unavailable: %s", key, error)
