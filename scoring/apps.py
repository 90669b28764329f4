from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from clubs.shell.navigation import NavLink, NavPlace, register


class ScoringConfig(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        import_module("scoring.receivers")
        import_module("scoring.live")
        register(
            NavLink(
                NavPlace.MATCHES,
                _("Matches"),
                "scoring:matches",
                also=(
                    *("/uploads/", "/chouettes/", "/clubs/*/matches/", "/clubs/*/upload/"),
                    *("/clubs/*/rules/", "/clubs/*/chouettes/", "/clubs/*/houses/"),
                ),
            )
        )
        register(
            NavLink(
                NavPlace.RATINGS, _("Ratings"), "scoring:ratings", also=("/players/", "/clubs/*/ratings/")
            )
        )
        import_module("scoring.api.problems")
