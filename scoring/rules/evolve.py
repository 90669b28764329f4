"""Copies of frozen values with some fields changed."""

from typing import Any, TypeVar

T = TypeVar("T")

_put = object.__setattr__


def evolve(value: T, **changes: Any) -> T:
    """A copy of a frozen, slotted dataclass with ``changes``.

    What :func:`dataclasses.replace` does, without the constructor: for values that do not validate
    themselves, many times an event.  Raises :class:`TypeError` for a field that does not exist.

    >>> from scoring.rules.game import Resignation, Phase
    >>> from scoring.rules.match import Win
    >>> from scoring.rules.sides import Side
    >>> evolve(Resignation(Side.WHITE, Win.SINGLE, Phase.TURN), by=Side.BLACK).by
    <Side.BLACK: 'black'>
    """
    kind = type(value)
    copy = object.__new__(kind)
    names: tuple[str, ...] = kind.__slots__  # type: ignore[attr-defined]
    for name in names:
        _put(copy, name, changes.pop(name) if name in changes else getattr(value, name))
    if changes:
        raise TypeError(f"{kind.__name__} has no field {next(iter(changes))!r}")
    return copy
