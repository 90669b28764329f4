"""Validates a backup's manifest; checksums alone do not prove who wrote it."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

Usable = Callable[[Any], bool]


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _is_number(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**63


def _is_moment(value: Any) -> bool:
    """Whether a value is an ISO 8601 time with its zone."""
    try:
        return datetime.fromisoformat(value).tzinfo is not None
    except (TypeError, ValueError):
        return False


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _are_migrations(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_are_texts, value.values()))


def _are_sequences(value: Any) -> bool:
    """Whether each ``table.column`` has its last number and whether it was used."""
    return isinstance(value, dict) and all(
        isinstance(each, list) and len(each) == 2 and _is_number(each[0]) and isinstance(each[1], bool)
        for each in value.values()
    )


PARTS: Mapping[str, Usable] = {
    "midpoint": _is_text,
    "commit": lambda value: value is None or _is_text(value),
    "taken_at": _is_moment,
    "backup": _is_text,
    "postgresql": _is_text,
    "migrations": _are_migrations,
    "tables": lambda value: isinstance(value, dict),
    "sequences": _are_sequences,
    "left_out": _are_texts,
    "secret_key": _is_text,
    "members": lambda value: isinstance(value, dict),
}
TABLE: Mapping[str, Usable] = {
    "rows": _is_number,
    "sha256": _is_text,
    "columns": _are_texts,
    "member": _is_text,
}
MEMBER: Mapping[str, Usable] = {"bytes": _is_number, "sha256": _is_text}


def faults(manifest: Mapping[str, Any]) -> Iterator[str]:
    """Yield missing or invalid parts, in words."""
    broken = list(_faults(manifest, PARTS, ""))
    yield from broken
    if not broken:
        for name, table in manifest["tables"].items():
            yield from _faults(table, TABLE, f" of the table {name!r}")
        for name, member in manifest["members"].items():
            yield from _faults(member, MEMBER, f" of {name!r}")


def _faults(stored: Any, parts: Mapping[str, Usable], whose: str) -> Iterator[str]:
    said = stored if isinstance(stored, dict) else {}
    for part, is_usable in parts.items():
        if part not in said:
            yield f"it has no {part!r}{whose}"
        elif not is_usable(said[part]):
            yield f"it has {str(said[part])[:40]!r} for {part!r}{whose}"
