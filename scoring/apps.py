from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from clubs.shell.navigation import NavLink, NavPlace, register
from clubs.shell.purposes import register_purposes


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
                    "/uploads/",
                    "/chouettes/",
                    "/positions/",
                    "/score/",
                    "/clubs/*/matches/",
                    "/clubs/*/upload/",
                    "/clubs/*/chouettes/",
                    "/clubs/*/houses/",
                ),
            )
        )
        register(
            NavLink(
                NavPlace.RATINGS, _("Ratings"), "scoring:ratings", also=("/players/", "/clubs/*/ratings/")
            )
        )
        register_purposes(
            {
                "scoring:new_match": _("Sign in to record a match in %(club)s."),
                "scoring:upload": _("Sign in to upload matches to %(club)s."),
                "scoring:chouettes": _("Sign in to see the chouettes of %(club)s."),
                "scoring:new_chouette": _("Sign in to open a chouette in %(club)s."),
                "scoring:analyse_position": _("Sign in to analyse positions."),
                "scoring:save_position": _("Sign in to save positions."),
                "scoring:saved_positions": _("Sign in to see your saved positions."),
                "scoring:names": _("Sign in to see the names in the files of %(club)s."),
            }
        )
        import_module("scoring.api.problems")
