"""Rules profiles available to a club's matches."""

from clubs.models import Club
from scoring.models import ClubProfile
from scoring.rules.errors import InvalidValue
from scoring.rules.profiles import BUILT_IN, Profile, profile_from_plain


def profiles_of(club: Club) -> list[Profile]:
    """Profiles for new matches.

    Built-in ones, then the club's by name, none retired (one query).
    """
    return [*BUILT_IN.values(), *(profile_of(row) for row in own_profiles(club) if row.retired_at is None)]


def own_profiles(club: Club) -> list[ClubProfile]:
    """The club's profiles by name, retired ones included (one query)."""
    return list(ClubProfile.objects.in_club(club).order_by("name"))


def profile_of(row: ClubProfile) -> Profile:
    """A profile from its row."""
    return profile_from_plain(row.values)


def profile_named(club: Club, name: str) -> Profile:
    """The profile of this name, for a new match.

    Raises InvalidValue for an unknown or retired one.
    """
    profiles = {profile.name: profile for profile in profiles_of(club)}
    if name in profiles:
        return profiles[name]
    known = ", ".join(profiles)
    raise InvalidValue(
        "profile_name", "this club has no rules {name!r}: choose from {known}", name=name, known=known
    )
