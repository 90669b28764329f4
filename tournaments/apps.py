from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from clubs.navigation import Entry, Place, register


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        register(Entry(Place.NOW, _("Now"), "tournaments:now"))
