"""Database constraints that Django has no class for."""

from collections.abc import Collection
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DEFAULT_DB_ALIAS
from django.db.models import BaseConstraint, Model
from django.utils.translation import gettext_lazy as _


class SameOwner(BaseConstraint):
    """The target of the foreign key ``field`` has the same ``owner`` as the row.

    A foreign key over both columns, deferred to the end of the transaction as Django's are. Both models have
    a foreign key named ``owner``; the target has a unique constraint over ``id`` and it.
    """

    default_violation_error_message = _("“%(field)s” belongs to another %(owner)s.")

    def __init__(self, *, field: str, owner: str, name: str) -> None:
        super().__init__(name=name)
        self.field, self.owner = field, owner

    def get_violation_error_message(self) -> str:
        return str(self.violation_error_message) % {"field": self.field, "owner": self.owner}

    def constraint_sql(self, model: Any, schema_editor: Any) -> Any:
        """Nothing in CREATE TABLE: see ``create_sql``."""
        self.create_sql(model, schema_editor)

    def create_sql(self, model: Any, schema_editor: Any) -> Any:
        """Add the constraint at the end of the migration.

        The migration may create the target later.
        """
        quoted = schema_editor.quote_name
        key, owner = model._meta.get_field(self.field), model._meta.get_field(self.owner)
        other = key.related_model._meta
        here = f"{quoted(key.column)}, {quoted(owner.column)}"
        there = f"{quoted(other.pk.column)}, {quoted(other.get_field(self.owner).column)}"
        schema_editor.deferred_sql.append(
            f"ALTER TABLE {quoted(model._meta.db_table)} ADD CONSTRAINT {quoted(self.name)} "
            f"FOREIGN KEY ({here}) REFERENCES {quoted(other.db_table)} ({there}) "
            "DEFERRABLE INITIALLY DEFERRED"
        )

    def remove_sql(self, model: Any, schema_editor: Any) -> Any:
        quoted = schema_editor.quote_name
        return f"ALTER TABLE {quoted(model._meta.db_table)} DROP CONSTRAINT {quoted(self.name)}"

    def validate(
        self,
        model: type[Model],  # noqa: ARG002 - Django's name
        instance: Model,
        exclude: Collection[str] | None = None,
        using: str = DEFAULT_DB_ALIAS,  # noqa: ARG002 - Django's name
    ) -> None:
        if {self.field, self.owner} & set(exclude or ()):
            return
        other = getattr(instance, self.field)
        if other is not None and getattr(other, f"{self.owner}_id") != getattr(instance, f"{self.owner}_id"):
            raise ValidationError(self.get_violation_error_message(), code=self.violation_error_code)

    def deconstruct(self) -> Any:
        path, args, options = super().deconstruct()
        return path, args, {**options, "field": self.field, "owner": self.owner}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameOwner) and self.deconstruct() == other.deconstruct()

    def __hash__(self) -> int:
        return hash((self.name, self.field, self.owner))
