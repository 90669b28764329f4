from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from clubs.shell.navigation import Entry, Place, register


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        import_module("tournaments.receivers")
        import_module("tournaments.events.live")
        import_module("tournaments.api.problems")
        register(Entry(Place.NOW, _("Now"), "tournaments:now"))
        register(
            Entry(
                Place.EVENTS,
                _("Events"),
                "tournaments:events",
                also=("/formats/", "/stages/", "/pairings/", "/entrants/", "/flights/", "/clubs/*/events/"),
            )
        )
