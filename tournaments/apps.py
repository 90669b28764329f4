from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from clubs.shell.navigation import NavLink, NavPlace, register
from clubs.shell.purposes import register_purposes


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        import_module("tournaments.receivers")
        import_module("tournaments.events.live")
        import_module("tournaments.api.problems")
        register_purposes(
            {
                "tournaments:calendar": _("Sign in to see your calendar."),
                "tournaments:calls": _("Sign in to get table-call notifications."),
                "tournaments:enter": _("Sign in to enter the event."),
                "tournaments:new_event": _("Sign in to announce an event in %(club)s."),
            }
        )
        register(NavLink(NavPlace.NOW, _("Now"), "tournaments:now", members_only=True))
        register(
            NavLink(
                NavPlace.EVENTS,
                _("Events"),
                "tournaments:events",
                also=("/formats/", "/stages/", "/pairings/", "/entrants/", "/flights/", "/clubs/*/events/"),
            )
        )
