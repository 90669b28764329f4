"""User accounts. Name and other personal data are in ``Person``."""

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import connection, models
from django.db.models.functions import Lower
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _


class UserQuerySet(models.QuerySet["User"]):
    def with_email(self, email: str) -> "UserQuerySet":
        """The user of an email address, ignoring case."""
        return self.filter(email=email.strip().lower())

    def site_administrators(self) -> "UserQuerySet":
        return self.filter(is_superuser=True, is_active=True)


class UserManager(BaseUserManager["User"].from_queryset(UserQuerySet)):  # type: ignore[misc]
    use_in_migrations = False

    def get(self, *criteria: Any, **values: Any) -> "User":
        """The matching user.

        By ``pk`` alone, as for every signed-in request, it takes a third of the time.
        """
        pk = values.get("pk")
        if criteria or len(values) != 1 or type(pk) is not int:
            one: User = super().get(*criteria, **values)
            return one
        names = [each.attname for each in User._meta.concrete_fields]
        columns = ", ".join(map(connection.ops.quote_name, names))
        statement = f"SELECT {columns} FROM {User._meta.db_table} WHERE id = %s"  # noqa: S608 - our own names
        with connection.cursor() as cursor:
            cursor.execute(statement, [pk])
            row = cursor.fetchone()
        if row is None:
            raise User.DoesNotExist(f"There is no user {pk}.")
        return User.from_db(connection.alias, names, list(row))

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Create a user; without a password they sign in by code or passkey only."""
        if not email.strip():
            raise ValueError("A user needs an email address; none was given.")
        user = User(email=email, **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, **fields, is_staff=True, is_superuser=True)

    def get_by_natural_key(self, username: str | None) -> "User":
        found: User = self.get(email=(username or "").strip().lower())
        return found


class User(AbstractBaseUser, PermissionsMixin):
    """A user account, identified by email. A site administrator is a superuser."""

    email = models.EmailField(_("email address"))
    is_staff = models.BooleanField(_("can open the administration pages"), default=False)
    is_active = models.BooleanField(_("can sign in"), default=True)
    date_joined = models.DateTimeField(default=now)

    objects = UserManager()

    EMAIL_FIELD = "email"
    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["email"], name="user_email_once"),
            models.CheckConstraint(condition=models.Q(email=Lower("email")), name="user_email_lower"),
        ]

    def __str__(self) -> str:
        return self.email

    def clean(self) -> None:
        super().clean()
        self.email = self.email.strip().lower()

    def save(self, *args: Any, **options: Any) -> None:
        self.email = self.email.strip().lower()
        super().save(*args, **options)
