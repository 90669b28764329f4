"""Plain data held against the serializer that describes it in the API's schema."""

import json
from typing import Any

from rest_framework.serializers import BaseSerializer


def as_described(data: Any, by: type[BaseSerializer[Any]]) -> Any:
    """What the description makes of plain data: the same, where it names every field and its kind."""
    return _without_absent(json.loads(json.dumps(by(data).data)), data)


def _without_absent(told: Any, data: Any) -> Any:
    """A field that may be absent and null is told as null: here it is absent again."""
    if isinstance(told, dict) and isinstance(data, dict):
        return {
            name: _without_absent(value, data.get(name))
            for name, value in told.items()
            if value is not None or name in data
        }
    if isinstance(told, list) and isinstance(data, list) and len(told) == len(data):
        return [_without_absent(*pair) for pair in zip(told, data, strict=True)]
    return told
