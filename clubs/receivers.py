"""Registers the navigation, purposes and live topics of clubs."""

from django.utils.translation import gettext_lazy as _

from clubs.access import may_see
from clubs.live import topics
from clubs.models import Club
from clubs.shell.navigation import NavLink, NavPlace
from clubs.shell.navigation import register as register_place


def club_topic(ref: str) -> topics.Topic | None:
    """The live topic of a club, for everyone who can see it."""
    club = Club.objects.filter(ref=ref).first()
    if club is None:
        return None
    return topics.Topic(club.version, lambda viewer: may_see(viewer, club))


topics.register(club_topic)
register_place(NavLink(NavPlace.CLUBS, _("Clubs"), "clubs:clubs", visitors_only=True))
register_place(
    NavLink(
        NavPlace.ME,
        _("Me"),
        "clubs:me",
        members_only=True,
        also=("/account/", "/api/", "/calendar/", "/calls/", "/clubs/", "/outbox/", "/site/"),
    )
)
register_place(
    NavLink(NavPlace.SIGN_IN, _("Sign in"), "account_login", visitors_only=True, also=("/account/",))
)
