"""Frozen dataclasses to plain JSON values and back, strictly: unknown keys and wrong types are errors.

A union of dataclasses is told apart by ``"kind"``, the class name in lower case.
"""

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import date
from enum import Enum
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from tournaments.draws.errors import InvalidArchive

Json = Any


def encode(value: object, *, kind: bool = False) -> Json:
    """A JSON value. Dataclass fields that have their default are left out; ``kind`` adds the class's name."""
    if is_dataclass(value) and not isinstance(value, type):
        body: dict[str, Json] = {"kind": type(value).__name__.lower()} if kind else {}
        for item in fields(value):
            content = getattr(value, item.name)
            default = item.default_factory() if item.default_factory is not MISSING else item.default
            if content != default:
                body[item.name] = encode(content)
        return body
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, frozenset):
        return sorted(encode(x) for x in value)
    if isinstance(value, tuple | list):
        return [encode(x) for x in value]
    return value


@cache
def _hints(cls: type) -> dict[str, Any]:
    return get_type_hints(cls)


def decode(expected: Any, value: Json, where: str) -> Any:
    """The typed value that ``encode`` made this JSON of.

    Raises:
        InvalidArchive: names the place and what was expected there.
    """
    if expected is Any:
        return value
    origin = get_origin(expected)
    if origin in (Union, types.UnionType):
        return _union(get_args(expected), value, where)
    if origin is Literal:
        if value not in get_args(expected):
            raise _wrong(where, f"one of {list(get_args(expected))}", value)
        return value
    if origin in (tuple, frozenset):
        return _collection(origin, get_args(expected), value, where)
    if is_dataclass(expected) and isinstance(expected, type):
        return _record(expected, value, where)
    if isinstance(expected, type) and issubclass(expected, Enum):
        return _parsed(expected, value, where)
    if expected is date:
        return _parsed(date.fromisoformat, value, where)
    if expected is float and type(value) is int:
        return float(value)
    if not isinstance(expected, type) or type(value) is not expected:
        raise _wrong(where, getattr(expected, "__name__", str(expected)), value)
    return value


def _wrong(where: str, expected: str, value: Json) -> InvalidArchive:
    shown = repr(value)[:80]
    return InvalidArchive("wrong_type", f"{where}: {shown} is not {expected}", where=where)


def _parsed(parse: Callable[[Any], Any], value: Json, where: str) -> Any:
    try:
        return parse(value)
    except (TypeError, ValueError) as error:
        raise _wrong(where, getattr(parse, "__name__", str(parse)), value) from error


def _union(choices: tuple[Any, ...], value: Json, where: str) -> Any:
    if value is None and type(None) in choices:
        return None
    kinds = {c.__name__.lower(): c for c in choices if is_dataclass(c) and isinstance(c, type)}
    if len(kinds) > 1:
        if not isinstance(value, Mapping) or value.get("kind") not in kinds:
            raise _wrong(where, f"an entry of kind {', '.join(kinds)}", value)
        body = {k: v for k, v in value.items() if k != "kind"}
        return decode(kinds[value["kind"]], body, where)
    (only,) = (c for c in choices if c is not type(None))
    return decode(only, value, where)


def _collection(origin: Any, arguments: tuple[Any, ...], value: Json, where: str) -> Any:
    if not isinstance(value, list):
        raise _wrong(where, "a list", value)
    if origin is frozenset or arguments[-1] is Ellipsis:
        return origin(decode(arguments[0], x, f"{where}[{i}]") for i, x in enumerate(value))
    if len(value) != len(arguments):
        raise _wrong(where, f"a list of {len(arguments)}", value)
    return tuple(decode(t, x, f"{where}[{i}]") for i, (t, x) in enumerate(zip(arguments, value, strict=True)))


def _record(cls: type, value: Json, where: str) -> Any:
    if not isinstance(value, Mapping):
        raise _wrong(where, f"an object ({cls.__name__})", value)
    hints = _hints(cls)
    known = {item.name for item in fields(cls)}
    for key in value:
        if key not in known:
            raise InvalidArchive("unknown_key", f"{where}: {key!r} does not belong into an archive", key=key)
    for item in fields(cls):
        required = item.default is MISSING and item.default_factory is MISSING
        if required and item.name not in value:
            raise InvalidArchive("missing_key", f"{where}: {item.name!r} is missing", key=item.name)
    return cls(**{key: decode(hints[key], content, f"{where}.{key}") for key, content in value.items()})
