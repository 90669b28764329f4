"""Saving, retiring and restoring a club's rules profiles.

Matches keep their copy.
"""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.timezone import now

from clubs.models import Club
from scoring.models import ClubProfile
from scoring.rules.errors import InvalidValue
from scoring.rules.profiles import BUILT_IN, Profile, profile_from_plain, profile_to_plain

LONGEST_NAME = 40


def keep_profile(
    *, club: Club, values: Mapping[str, Any], new: bool = False, seen: int | None = None
) -> Profile:
    """Create or change a club's rules profile; a retired one is restored.

    ``new`` refuses a name that is taken, ``seen`` (a version) a profile changed since. Raises InvalidValue
    for these, for invalid values, and for the name of a built-in profile.
    """
    profile = profile_from_plain(values)
    _check_name(profile.name)
    with transaction.atomic():
        Club.objects.select_for_update(no_key=True).get(pk=club.pk)
        row = ClubProfile.objects.in_club(club).filter(name=profile.name).first()
        if row is None:
            ClubProfile.objects.create(club=club, name=profile.name, values=profile_to_plain(profile))
            return profile
        if new:
            raise InvalidValue(
                "profile_taken", "the club already has rules {name}: edit those instead", name=row.name
            )
        if seen is not None and seen != row.version:
            raise InvalidValue(
                "profile_changed",
                "someone else changed the rules {name}: reload the page and try again",
                name=row.name,
            )
        row.values, row.retired_at, row.version = profile_to_plain(profile), None, row.version + 1
        row.save(update_fields=["values", "retired_at", "version"])
    return profile


def retire_profile(*, club: Club, name: str, retired: bool = True) -> ClubProfile:
    """Retire a club's rules profile or, with ``retired`` False, restore it.

    Idempotent.

    Raises ClubProfile.DoesNotExist for an unknown name.
    """
    with transaction.atomic():
        row = ClubProfile.objects.in_club(club).select_for_update(no_key=True).get(name=name)
        if (row.retired_at is not None) is not retired:
            row.retired_at, row.version = now() if retired else None, row.version + 1
            row.save(update_fields=["retired_at", "version"])
    return row


def _check_name(name: str) -> None:
    if name in BUILT_IN:
        raise InvalidValue(
            "profile_built_in", "the rules {name} are built in: choose another name", name=name
        )
    if not name.isascii() or not name.replace("-", "").isalnum() or len(name) > LONGEST_NAME:
        raise InvalidValue(
            "profile_slug",
            "{name!r} is not a short name: use at most {most} letters, digits and hyphens",
            name=name,
            most=LONGEST_NAME,
        )
