"""Values to plain JSON data and back, outside of ``scoring.rules``: one converter, configured once.

Frozen dataclasses become objects without the fields that have their default, enumerations their values,
tuples and sets lists, dates ISO 8601, and moments, too, in UTC: the same text for the same moment. Where a
field may be one of several dataclasses, ``"kind"``, the name of the class in lower case, tells them apart.
Reading is strict: an unknown key, a missing one and a value of another type are an ``InvalidValue`` that
names the place.

cattrs makes a function of each type once: the log of a large draw is thousands of entries of few types.
"""

import re
import types
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import is_dataclass
from datetime import UTC, date, datetime
from enum import Enum
from math import isfinite
from typing import Any, Literal, Union, get_args, get_origin

from cattrs import Converter
from cattrs.cols import homogenous_tuple_structure_factory
from cattrs.errors import (
    AttributeValidationNote,
    BaseValidationError,
    ForbiddenExtraKeysError,
    IterableValidationNote,
)
from cattrs.gen import (
    make_dict_structure_fn,
    make_hetero_tuple_structure_fn,
    make_mapping_structure_fn,
)

from scoring.rules.errors import InvalidValue

Json = Any

_NUMBER = re.compile("0|[1-9][0-9]{0,17}")
"""A key that is a number: the one way to write it."""
SHOWN = 80
"""Letters of a wrong value that its error shows."""


def to_plain(value: Any, kind: Any = None) -> Json:
    """A JSON value. ``kind`` is the type as which it will be read, where that is a union."""
    return _quick.unstructure(value, kind)


def from_plain(kind: Any, plain: Json, where: str) -> Any:
    """The value of this type that ``to_plain`` made the JSON value of; ``where`` names it in an error.

    Raises InvalidValue: ``wrong_type``, ``unknown_key``, ``missing_key``; and what a value itself refuses.
    """
    try:
        return _quick.structure(plain, kind)
    except (_WrongTypeError, ForbiddenExtraKeysError, KeyError) as error:
        refused = error
    try:
        _placing.structure(plain, kind)  # once more, to say where
    except (BaseValidationError, _WrongTypeError) as error:
        raise _refusal(error, where) from None
    raise refused


class _WrongTypeError(Exception):
    """A value of another type than expected."""

    def __init__(self, expected: str, value: Json) -> None:
        super().__init__(f"{repr(value)[:SHOWN]} is not {expected}")


def _refusal(error: BaseException, where: str) -> InvalidValue:
    """The first thing that is wrong, with the path that leads to it."""
    place = where
    while isinstance(error, BaseValidationError):
        error, where = error.exceptions[0], place
        for note in getattr(error, "__notes__", ()):
            if isinstance(note, AttributeValidationNote):
                place += f".{note.name}"
            elif isinstance(note, IterableValidationNote):
                place += f"[{note.index!r}]"
    if isinstance(error, ForbiddenExtraKeysError):
        key = min(error.extra_fields)
        return InvalidValue("unknown_key", "{where}: {key!r} does not belong there", where=place, key=key)
    if isinstance(error, KeyError):
        return InvalidValue("missing_key", "{where}: {key!r} is missing", where=where, key=error.args[0])
    return InvalidValue("wrong_type", "{where}: {said}", where=place, said=str(error))


Hook = Callable[[Json, Any], Any]


def _scalar(value: Json, kind: Any) -> Any:
    """A number, a text, a truth value, or a member of an enumeration that is one of them."""
    if type(value) is kind and not (kind is float and not isfinite(value)):
        return value
    if kind is float and type(value) is int:
        with suppress(OverflowError):
            return float(value)
    if issubclass(kind, Enum):
        return _member(value, kind)
    raise _WrongTypeError(kind.__name__, value)


def _member(value: Json, kind: type[Enum]) -> Enum:
    for member in kind:
        if type(member.value) is type(value) and member.value == value:
            return member
    raise _WrongTypeError(kind.__name__, value)


def _literal(value: Json, kind: Any) -> Any:
    for choice in get_args(kind):
        if type(choice) is type(value) and choice == value:
            return choice
    raise _WrongTypeError(f"one of {list(get_args(kind))}", value)


def _day(value: Json, _kind: Any) -> date:
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise _WrongTypeError("a date", value) from None


def _moment(value: Json, _kind: Any) -> datetime:
    try:
        found = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise _WrongTypeError("a moment", value) from None
    if found.tzinfo is None:
        raise _WrongTypeError("a moment with a time zone", value)
    return found


def _is_object(value: Json) -> bool:
    # Nearly every one is a dict, and asking an abstract class takes ten times as long.
    return type(value) is dict or isinstance(value, Mapping)


def _record(kind: Any, converter: Converter) -> Hook:
    read = make_dict_structure_fn(kind, converter)

    def structure(value: Json, _kind: Any) -> Any:
        if not _is_object(value):
            raise _WrongTypeError(f"an object ({kind.__name__})", value)
        return read(value, kind)

    return structure


def _collection(kind: Any, converter: Converter) -> Hook:
    made, inside = get_origin(kind), get_args(kind)
    length = len(inside) if made is tuple and inside[-1] is not Ellipsis else None
    read: Any
    if length is None:
        read = homogenous_tuple_structure_factory(kind, converter)
    else:
        read = make_hetero_tuple_structure_fn(kind, converter)

    def structure(value: Json, _kind: Any) -> Any:
        if not isinstance(value, list):
            raise _WrongTypeError("a list", value)
        if length is not None and len(value) != length:
            raise _WrongTypeError(f"a list of {length}", value)
        found = read(value, kind)
        return found if made is tuple else made(found)

    return structure


def _mapping(kind: Any, converter: Converter) -> Hook:
    """Of an object with any keys. Those that are numbers are decimal digits in JSON."""
    keys, content = get_args(kind)
    read: Any = make_mapping_structure_fn(kind, converter, key_type=Any, val_type=content)

    def structure(value: Json, _kind: Any) -> Any:
        if not _is_object(value):
            raise _WrongTypeError("an object", value)
        for key in value:
            if keys is int and not _NUMBER.fullmatch(key):
                raise _WrongTypeError("a number", key)
        return {keys(key): each for key, each in read(value, kind).items()}

    return structure


def _records_in(union: Any) -> dict[str, Any]:
    """The dataclasses of a union by their kinds."""
    found = (each for each in get_args(union) if is_dataclass(each))
    return {each.__name__.lower(): each for each in found if isinstance(each, type)}


def _is_union(kind: Any) -> bool:
    return get_origin(kind) in {Union, types.UnionType}


def _is_tagged(kind: Any) -> bool:
    return _is_union(kind) and len(_records_in(kind)) > 1


def _optional(kind: Any, converter: Converter) -> Hook:
    (inner,) = (each for each in get_args(kind) if each is not types.NoneType)
    read = converter.get_structure_hook(inner)
    return lambda value, _kind: None if value is None else read(value, inner)


def _tagged(kind: Any, converter: Converter) -> Hook:
    readers = {name: converter.get_structure_hook(each) for name, each in _records_in(kind).items()}
    optional = types.NoneType in get_args(kind)

    def structure(value: Json, _kind: Any) -> Any:
        if value is None and optional:
            return None
        name = value.get("kind") if _is_object(value) else None
        read = readers.get(name) if isinstance(name, str) else None
        if read is None:
            raise _WrongTypeError(f"of kind {', '.join(readers)}", value)
        content = dict(value)
        del content["kind"]
        return read(content, kind)

    return structure


def _tag(kind: Any, converter: Converter) -> Callable[[Any], Json]:
    names = {each: name for name, each in _records_in(kind).items()}

    def unstructure(value: Any) -> Json:
        return None if value is None else {"kind": names[type(value)], **converter.unstructure(value)}

    return unstructure


def _is_enumeration(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


def _is_record(kind: Any) -> bool:
    return isinstance(kind, type) and is_dataclass(kind)


def _made_of(*origins: Any) -> Callable[[Any], bool]:
    return lambda kind: get_origin(kind) in origins


def _converter(*, detailed: bool) -> Converter:
    made: Any = Converter(
        omit_if_default=True,
        forbid_extra_keys=True,
        detailed_validation=detailed,
        unstruct_collection_overrides={tuple: list, frozenset: sorted},
    )
    for scalar in (str, int, float, bool):
        made.register_structure_hook(scalar, _scalar)
    made.register_structure_hook(date, _day)
    made.register_structure_hook(datetime, _moment)
    made.register_structure_hook_func(_is_enumeration, _member)
    made.register_structure_hook_func(_made_of(Literal), _literal)
    # Those that are registered last are asked first.
    made.register_structure_hook_factory(_is_record, _record)
    made.register_structure_hook_factory(_made_of(tuple, list, frozenset), _collection)
    made.register_structure_hook_factory(_made_of(dict), _mapping)
    made.register_structure_hook_factory(_is_union, _optional)
    made.register_structure_hook_factory(_is_tagged, _tagged)
    made.register_unstructure_hook(date, date.isoformat)
    made.register_unstructure_hook(datetime, lambda value: value.astimezone(UTC).isoformat())
    made.register_unstructure_hook_factory(_is_tagged, _tag)
    converter: Converter = made
    return converter


_quick = _converter(detailed=False)
_placing = _converter(detailed=True)
