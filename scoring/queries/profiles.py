"""The rules profiles that a club's matches can be played by."""

from clubs.models import Club
from scoring.models import ClubProfile
from scoring.profiles import BUILT_IN, Profile, profile_from_plain


def profiles_of(club: Club) -> list[Profile]:
    """Those built in and the club's own (one query), a club's in the place of a built-in one of that name."""
    own = ClubProfile.objects.filter(club=club).order_by("name").values_list("values", flat=True)
    profiles = {**BUILT_IN, **{profile.name: profile for profile in map(profile_from_plain, own)}}
    return list(profiles.values())
