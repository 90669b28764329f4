"""Values of the rules to plain JSON data and back, and the one spelling of that data in bytes.

By the standard library alone: whatever stands above the rules has ``scoring.codec``.

Frozen dataclasses become objects, enumerations their values, tuples lists, a roll ``[6, 5]``, a move ``[24,
18]``. Two depths: *sparse* leaves out every field that has its default (events: a field added later does
not change the bytes of what was recorded before), *full* writes every field (states, for readers).  Reading
accepts both and nothing else: an unknown field, a missing one or a value of the wrong type is an
:class:`InvalidValue`.

>>> canonical_bytes({"b": [1, 2], "a": "é"})
b'{"a":"\\xc3\\xa9","b":[1,2]}'
"""

import json
import re
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from scoring.rules.dice import Roll
from scoring.rules.errors import InvalidValue
from scoring.rules.plays import Move

T = TypeVar("T")

_PLAIN = frozenset({int, str, bool, types.NoneType})
_NUMBER = frozenset({int})
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")  # no database column and no UTF-8 file takes these


def canonical_bytes(plain: Any) -> bytes:
    """The one UTF-8 spelling of plain data: keys sorted, no spaces, letters unescaped, no NaN.

    Raises :class:`InvalidValue` for text with half a surrogate pair, which has no spelling.
    """
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise InvalidValue(
            "text", "{text!r} contains half a character", text=text[error.start : error.end]
        ) from None


def check_text(text: str, *, where: str) -> None:
    """Raise :class:`InvalidValue` for text that cannot be stored: a zero byte, half a surrogate pair."""
    if _UNSTORABLE.search(text):
        raise InvalidValue(
            "text", "{where}: {plain!r} contains a character that cannot be stored", where=where, plain=text
        )


def to_plain(value: Any, *, full: bool) -> Any:
    """``value`` as dictionaries, lists, strings, numbers, booleans and None."""
    kind: Any = type(value)
    if kind in _PLAIN:
        return value
    if kind is Roll:
        return [value.high, value.low]
    if (defaults := _defaults(kind)) is not None:
        return {
            name: found if type(found) in _PLAIN else to_plain(found, full=full)
            for name, default in defaults
            if (found := getattr(value, name)) != default or full
        }
    if isinstance(value, tuple):
        if set(map(type, value)) <= _NUMBER:
            return list(value)
        return [to_plain(item, full=full) for item in value]
    return value.value if isinstance(value, Enum) else value


def from_plain(kind: type[T], plain: Any, *, where: str = "") -> T:
    """Build a ``kind`` from plain data.  ``where`` names the place in an error.

    Raises :class:`InvalidValue`, also whatever the values themselves refuse.
    """
    wanted: Any = kind
    try:
        value: T = _reader(wanted)(plain)
    except (_UnfitError, InvalidValue):
        value = _read(wanted, plain, where or kind.__name__)  # once more, to say where
    return value


class _UnfitError(Exception):
    """A quick reader does not take this: the careful way says why."""


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    """What reads a ``kind`` as :func:`_read` does, its type looked at once and not with every value."""
    origin = get_origin(kind)
    if origin in {Union, types.UnionType}:
        (inner,) = (choice for choice in get_args(kind) if choice is not types.NoneType)
        read = _reader(inner)
        return lambda plain: None if plain is None else read(plain)
    if origin is tuple:
        return _tuple_reader(get_args(kind))
    if kind is Roll or kind is Move:
        read = _tuple_reader((int, int))
        return lambda plain: kind(*read(plain))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _enum_reader(kind)
    return _dataclass_reader(kind) if is_dataclass(kind) else _scalar_reader(kind)


def _scalar_reader(kind: Any) -> Callable[[Any], Any]:
    def read(plain: Any) -> Any:
        if type(plain) is not kind or (kind is str and _UNSTORABLE.search(plain)):
            raise _UnfitError
        return plain

    return read


def _enum_reader(kind: type[Enum]) -> Callable[[Any], Any]:
    members = {(type(member.value), member.value): member for member in reversed(kind)}

    def read(plain: Any) -> Any:
        try:
            return members[type(plain), plain]
        except (KeyError, TypeError):
            raise _UnfitError from None

    return read


def _tuple_reader(kinds: tuple[Any, ...]) -> Callable[[Any], Any]:
    is_open = len(kinds) == 2 and kinds[1] is Ellipsis
    readers = [_reader(kind) for kind in kinds[:1] if is_open] or [_reader(kind) for kind in kinds]
    are_numbers = set(kinds) <= {int, Ellipsis}

    def read(plain: Any) -> Any:
        if not isinstance(plain, list | tuple) or not (is_open or len(plain) == len(kinds)):
            raise _UnfitError
        if are_numbers:
            if set(map(type, plain)) <= _NUMBER:
                return tuple(plain)
            raise _UnfitError
        if is_open:
            return tuple(map(readers[0], plain))
        return tuple([each(item) for each, item in zip(readers, plain, strict=True)])

    return read


def _dataclass_reader(kind: Any) -> Callable[[Any], Any]:
    hints = _hints(kind)
    readers = {each.name: _reader(hints[each.name]) for each in fields(kind)}
    needed = {each.name for each in fields(kind) if _default(each) is MISSING}

    def read(plain: Any) -> Any:
        if not isinstance(plain, Mapping) or not needed <= plain.keys() <= readers.keys():
            raise _UnfitError
        return kind(**{name: readers[name](value) for name, value in plain.items()})

    return read


def _read(kind: Any, plain: Any, where: str) -> Any:
    origin = get_origin(kind)
    if origin in {Union, types.UnionType}:
        return _read_optional(kind, plain, where)
    if origin is tuple:
        return _read_tuple(get_args(kind), plain, where)
    if kind is Roll or kind is Move:
        return kind(*_read_tuple((int, int), plain, where))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _read_enum(kind, plain, where)
    if is_dataclass(kind):
        return _read_dataclass(kind, plain, where)
    if type(plain) is not kind:
        raise InvalidValue(
            "plain_type", "{where}: {plain!r} is not a {kind}", where=where, plain=plain, kind=kind.__name__
        )
    if kind is str:
        check_text(plain, where=where)
    return plain


def _read_optional(kind: Any, plain: Any, where: str) -> Any:
    (inner,) = (choice for choice in get_args(kind) if choice is not types.NoneType)
    return None if plain is None else _read(inner, plain, where)


def _read_tuple(kinds: tuple[Any, ...], plain: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(plain, list | tuple):
        raise InvalidValue("plain_type", "{where}: {plain!r} is not a list", where=where, plain=plain)
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        kinds = (kinds[0],) * len(plain)
    if len(plain) != len(kinds):
        raise InvalidValue(
            "plain_length",
            "{where}: {plain!r} does not have {length} items",
            where=where,
            plain=plain,
            length=len(kinds),
        )
    return tuple(
        _read(kind, item, f"{where}[{index}]")
        for index, (kind, item) in enumerate(zip(kinds, plain, strict=True))
    )


def _read_enum(kind: type[Enum], plain: Any, where: str) -> Enum:
    for member in kind:
        if type(plain) is type(member.value) and member.value == plain:
            return member
    known = ", ".join(str(member.value) for member in kind)
    raise InvalidValue(
        "plain_choice", "{where}: {plain!r} is not one of {known}", where=where, plain=plain, known=known
    )


def _read_dataclass(kind: Any, plain: Any, where: str) -> Any:
    if not isinstance(plain, Mapping):
        raise InvalidValue("plain_type", "{where}: {plain!r} is not an object", where=where, plain=plain)
    hints = _hints(kind)
    for name in plain:
        if name not in hints:
            raise InvalidValue("plain_unknown", "{where}: there is no field {name!r}", where=where, name=name)
    values = {}
    for each in fields(kind):
        if each.name in plain:
            values[each.name] = _read(hints[each.name], plain[each.name], f"{where}.{each.name}")
        elif _default(each) is MISSING:
            raise InvalidValue(
                "plain_missing", "{where}: the field {name!r} is missing", where=where, name=each.name
            )
    return kind(**values)


@cache
def _defaults(kind: Any) -> tuple[tuple[str, Any], ...] | None:
    """The fields of a dataclass with their defaults (MISSING for none); None for every other type."""
    return tuple((each.name, _default(each)) for each in fields(kind)) if is_dataclass(kind) else None


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _default(each: Field[Any]) -> Any:
    return each.default if each.default_factory is MISSING else each.default_factory()
