from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from clubs.shell.navigation import NavLink, NavPlace, register


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        import_module("tournaments.receivers")
        import_module("tournaments.events.live")
        import_module("tournaments.api.problems")
        register(NavLink(NavPlace.NOW, _("Now"), "tournaments:now", members_only=True))
        register(
            NavLink(
                NavPlace.EVENTS,
                _("Events"),
                "tournaments:events",
                also=("/formats/", "/stages/", "/pairings/", "/entrants/", "/flights/", "/clubs/*/events/"),
            )
        )
