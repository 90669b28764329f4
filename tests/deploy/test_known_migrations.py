"""A database that this code does not know is left as it is."""

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from deploy.known_migrations import refuse_unknown

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["0999_later", "0007_of_old"])
def test_a_database_of_another_version_is_not_migrated(name: str):
    MigrationRecorder(connection).record_applied("clubs", name)
    with pytest.raises(CommandError, match=f"has clubs.{name}, which this Midpoint does not know"):
        call_command("migrate", verbosity=0)
    with pytest.raises(CommandError, match="start with an empty database"):
        refuse_unknown()


def test_what_other_packages_have_migrated_is_theirs():
    MigrationRecorder(connection).record_applied("account", "0999_theirs")
    refuse_unknown()
