"""The rules profiles that a club's matches may be played by: those built in, and the club's own."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from clubs.models import Club
from scoring.models import ClubProfile
from scoring.profiles import BUILT_IN, Profile, profile_from_plain, profile_to_plain
from scoring.rules.errors import InvalidValue


def profiles_of(club: Club) -> list[Profile]:
    """Built in first, then the club's own by name (one query)."""
    own = ClubProfile.objects.filter(club=club).order_by("name")
    return [*BUILT_IN.values(), *(profile_from_plain(row.values) for row in own)]


def profile_named(club: Club, name: str) -> Profile:
    """The profile of a name. Raises InvalidValue for one that the club does not have."""
    profiles = {profile.name: profile for profile in profiles_of(club)}
    if name in profiles:
        return profiles[name]
    known = ", ".join(profiles)
    raise InvalidValue(
        "profile_name", "there is no profile {name!r} here, but {known}", name=name, known=known
    )


def keep_profile(*, club: Club, values: Mapping[str, Any]) -> Profile:
    """Keep a profile of the club's own, or change it: matches that have begun keep theirs.

    Raises InvalidValue for values that no profile has, and for the name of one that is built in.
    """
    profile = profile_from_plain(values)
    if profile.name in BUILT_IN:
        raise InvalidValue("profile_built_in", "the profile {name} is built in", name=profile.name)
    if not profile.name.isascii() or not profile.name.replace("-", "").isalnum() or len(profile.name) > 40:
        raise InvalidValue(
            "profile_slug", "{name!r} is no name: letters, digits and hyphens, at most 40", name=profile.name
        )
    with transaction.atomic():
        Club.objects.select_for_update(no_key=True).get(pk=club.pk)
        ClubProfile.objects.update_or_create(
            club=club, name=profile.name, defaults={"values": profile_to_plain(profile)}
        )
    return profile
