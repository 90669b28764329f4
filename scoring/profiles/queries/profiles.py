"""The rules profiles that a club's matches can be played by."""

from clubs.models import Club
from scoring.models import ClubProfile
from scoring.rules.errors import InvalidValue
from scoring.rules.profiles import BUILT_IN, Profile, profile_from_plain


def profiles_of(club: Club) -> list[Profile]:
    """For new matches: those built in first, then the club's own by name, without the retired (one query)."""
    return [*BUILT_IN.values(), *(profile_of(row) for row in own_profiles(club) if row.retired_at is None)]


def own_profiles(club: Club) -> list[ClubProfile]:
    """The club's own by name, the retired too (one query)."""
    return list(ClubProfile.objects.in_club(club).order_by("name"))


def profile_of(row: ClubProfile) -> Profile:
    """The row as a value."""
    return profile_from_plain(row.values)


def profile_named(club: Club, name: str) -> Profile:
    """The profile of a name that a new match may be played by.

    Raises InvalidValue for one that the club does not have, or has retired.
    """
    profiles = {profile.name: profile for profile in profiles_of(club)}
    if name in profiles:
        return profiles[name]
    known = ", ".join(profiles)
    raise InvalidValue(
        "profile_name", "this club has no rules {name!r}: choose from {known}", name=name, known=known
    )
