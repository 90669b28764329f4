"""Base serializers of requests and responses."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db.models import IntegerChoices
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

from clubs.models import Role

OBJECT = {"type": "object", "additionalProperties": True}
"""The schema of plain data without named keys."""


class Strict(serializers.Serializer[Any]):
    """A request body that refuses unknown fields, which are usually mistyped."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            known = {name for name, field in self.fields.items() if not field.read_only}
            if unknown := [name for name in data if name not in known]:
                message = _("Unknown field. Known fields: %(names)s.") % {"names": ", ".join(sorted(known))}
                raise serializers.ValidationError(
                    {name: [ErrorDetail(message, "unknown_field")] for name in unknown}
                )
        return super().to_internal_value(data)


class WordField(serializers.ChoiceField):
    """An ``IntegerChoices`` value as its lower-case name: ``"director"``."""

    choices_class: ClassVar[type[IntegerChoices]]

    def __init__(self, *, among: list[Any] | None = None, **options: Any) -> None:
        members = list(self.choices_class) if among is None else among
        super().__init__(choices=[(member.name.lower(), member.label) for member in members], **options)

    def to_internal_value(self, data: Any) -> Any:
        return self.choices_class[super().to_internal_value(data).upper()]

    def to_representation(self, value: Any) -> Any:
        return None if value is None else self.choices_class(value).name.lower()


class RoleField(WordField):
    """``guest``, ``member``, ``director`` or ``owner``."""

    choices_class = Role


class FieldProblem(serializers.Serializer[Any]):
    """An invalid value."""

    field = serializers.CharField(
        allow_blank=True, help_text="A path such as `players.0.name`; empty for the whole request."
    )
    value = serializers.JSONField(help_text="The value that was sent, truncated if long.")
    message = serializers.CharField()
    code = serializers.CharField(help_text="Stable code for programs.")


class RemedyBody(serializers.Serializer[Any]):
    """Where the reason of a refusal can be changed."""

    title = serializers.CharField(help_text="What to do there, in words.")
    url = serializers.CharField(help_text="Its address in the API.")


class ProblemBody(serializers.Serializer[Any]):
    """An error (RFC 9457)."""

    type = serializers.CharField(help_text="URL that describes the problem type.")
    title = serializers.CharField(help_text="The problem type in words.")
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="This occurrence in words.")
    instance = serializers.CharField(help_text="The requested path; for a server error, its ID in the log.")
    code = serializers.CharField(
        help_text="Stable code for programs: the rule that refused, else the problem type."
    )
    errors = FieldProblem(many=True)  # type: ignore[assignment]
    parameters = serializers.DictField(required=False, help_text="The values that `detail` names.")
    remedy = RemedyBody(required=False, help_text="Only for reasons that can be changed at another address.")
