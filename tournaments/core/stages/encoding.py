"""Frozen dataclasses to plain JSON values and back, strictly: unknown keys and wrong types are errors.

A union of dataclasses is told apart by ``"kind"``, the class name in lower case.

A type is turned into a reader once: the log of a large draw is thousands of entries of few types.
"""

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from tournaments.core.stages.errors import InvalidArchive

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


Reader = Callable[[Json], Any]


class _Misfit(Exception):
    """A value that does not fit; whatever holds it puts the place in front on the way out."""

    def __init__(self, code: str, said: str, **params: str) -> None:
        super().__init__(said)
        self.code, self.said, self.params, self.path = code, said, params, ""

    def at(self, step: str) -> "_Misfit":
        self.path = step + self.path
        return self


def decode(expected: Any, value: Json, where: str) -> Any:
    """The typed value that ``encode`` made this JSON of.

    Raises:
        InvalidArchive: names the place and what was expected there.
    """
    try:
        return _reader(expected)(value)
    except _Misfit as misfit:
        place = where + misfit.path
        params = misfit.params or {"where": place}
        raise InvalidArchive(misfit.code, f"{place}: {misfit.said}", **params) from misfit.__cause__


@cache
def _reader(expected: Any) -> Reader:
    origin = get_origin(expected)
    if expected is Any:
        return lambda value: value
    if origin in (Union, types.UnionType):
        return _union(get_args(expected))
    if origin is Literal:
        return _literal(get_args(expected))
    if origin in (tuple, frozenset):
        return _collection(origin, get_args(expected))
    if is_dataclass(expected) and isinstance(expected, type):
        return _record(expected)
    if isinstance(expected, type) and issubclass(expected, Enum):
        return _parsed(expected)
    if origin is dict:
        return _mapping(*get_args(expected))
    if expected is date:
        return _parsed(date.fromisoformat)
    if expected is datetime:
        return _parsed(_moment)
    return _plain(expected)


def _wrong(expected: str, value: Json) -> _Misfit:
    return _Misfit("wrong_type", f"{repr(value)[:80]} is not {expected}")


def _is_object(value: Json) -> bool:
    # Nearly every one is a dict, and asking an abstract class takes ten times as long.
    return type(value) is dict or isinstance(value, Mapping)


def _plain(expected: Any) -> Reader:
    name = getattr(expected, "__name__", str(expected))

    def read(value: Json) -> Any:
        if type(value) is expected:
            return value
        if expected is float and type(value) is int:
            return float(value)
        raise _wrong(name, value)

    return read


def _parsed(parse: Callable[[Any], Any]) -> Reader:
    name = getattr(parse, "__name__", str(parse))

    def read(value: Json) -> Any:
        try:
            return parse(value)
        except (TypeError, ValueError) as error:
            raise _wrong(name, value) from error

    return read


def _moment(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    if found.tzinfo is None:
        raise ValueError(f"{text} has no time zone")
    return found


def _mapping(keys: Any, content: Any) -> Reader:
    reader = _reader(content)

    def read(value: Json) -> Any:
        if not _is_object(value):
            raise _wrong("an object", value)
        for key in value:
            if keys is int and not (key.isascii() and key.isdecimal()):
                raise _wrong("a number", key)
        return {keys(key): _inside(reader, each, f"[{key!r}]") for key, each in value.items()}

    return read


def _literal(choices: tuple[Any, ...]) -> Reader:
    def read(value: Json) -> Any:
        if value not in choices:
            raise _wrong(f"one of {list(choices)}", value)
        return value

    return read


def _union(choices: tuple[Any, ...]) -> Reader:
    optional = type(None) in choices
    kinds = {c.__name__.lower(): _reader(c) for c in choices if is_dataclass(c) and isinstance(c, type)}
    if len(kinds) > 1:
        return _one_of(kinds, optional=optional)
    (only,) = (_reader(c) for c in choices if c is not type(None))
    return (lambda value: None if value is None else only(value)) if optional else only


def _one_of(kinds: Mapping[str, Reader], *, optional: bool) -> Reader:
    def read(value: Json) -> Any:
        if value is None and optional:
            return None
        kind = value.get("kind") if _is_object(value) else None
        reader = kinds.get(kind) if isinstance(kind, str) else None
        if reader is None:
            raise _wrong(f"an entry of kind {', '.join(kinds)}", value)
        content = dict(value)
        del content["kind"]
        return reader(content)

    return read


def _collection(origin: Any, arguments: tuple[Any, ...]) -> Reader:
    readers = [_reader(each) for each in arguments if each is not Ellipsis]
    length = None if origin is frozenset or arguments[-1] is Ellipsis else len(readers)

    def read(value: Json) -> Any:
        if not isinstance(value, list):
            raise _wrong("a list", value)
        if length is not None and len(value) != length:
            raise _wrong(f"a list of {length}", value)
        if length is None:
            try:
                return origin(map(readers[0], value))
            except _Misfit:
                pass  # read again below, to say where
        each_its_own = readers if length is not None else readers * len(value)
        return origin(
            _inside(reader, content, f"[{i}]")
            for i, (reader, content) in enumerate(zip(each_its_own, value, strict=True))
        )

    return read


def _inside(reader: Reader, content: Json, step: str) -> Any:
    try:
        return reader(content)
    except _Misfit as misfit:
        raise misfit.at(step) from misfit.__cause__


def _record(cls: type) -> Reader:
    hints = get_type_hints(cls)
    readers = {item.name: _reader(hints[item.name]) for item in fields(cls)}
    required = [
        item.name for item in fields(cls) if item.default is MISSING and item.default_factory is MISSING
    ]

    def read(value: Json) -> Any:
        if not _is_object(value):
            raise _wrong(f"an object ({cls.__name__})", value)
        content = {}
        for key, each in value.items():
            if key not in readers:
                raise _Misfit("unknown_key", f"{key!r} does not belong into an archive", key=key)
            try:
                content[key] = readers[key](each)
            except _Misfit as misfit:
                raise misfit.at(f".{key}") from misfit.__cause__
        for name in required:
            if name not in content:
                raise _Misfit("missing_key", f"{name!r} is missing", key=name)
        return cls(**content)

    return read
