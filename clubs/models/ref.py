"""The field and base class of models whose rows have a public ref."""

from typing import TYPE_CHECKING, Any

from django.core.validators import RegexValidator
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

from clubs.refs import REF_LENGTH, REF_PATTERN, new_ref

if TYPE_CHECKING:
    TextField = models.CharField[str, str]
else:
    TextField = models.CharField  # Django's own class takes no type arguments at run time


class RefField(TextField):
    """A unique, constant, random ref, enforced by the database."""

    default_validators = [RegexValidator(rf"\A{REF_PATTERN}\Z")]

    def __init__(self, **options: Any) -> None:
        options.update(max_length=REF_LENGTH, unique=True, editable=False, default=new_ref, db_collation="C")
        super().__init__(**options)

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        name, path, args, options = super().deconstruct()
        for fixed in ("max_length", "unique", "editable", "default", "db_collation"):
            options.pop(fixed, None)
        return str(name), path, list(args), options

    def db_check(self, connection: BaseDatabaseWrapper) -> str:
        return f"{connection.ops.quote_name(str(self.column))} ~ '^{REF_PATTERN}$'"


class RefModel(models.Model):
    """A row with a public ``ref``."""

    ref = RefField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return str(self.ref)
