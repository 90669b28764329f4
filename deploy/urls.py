"""All addresses of the site, from all apps."""

from django.urls import include, path

from clubs.api.urls import nowhere
from clubs.api.urls import urlpatterns as clubs_api
from clubs.site.views.health import healthz, readyz
from scoring.api.urls import urlpatterns as scoring_api
from tournaments.api.urls import urlpatterns as tournaments_api

# Addresses are looked for in this order: what is asked most stands first.
api = [*scoring_api, *clubs_api, *tournaments_api, *nowhere]

urlpatterns = [
    path("api/v1/", include((api, "api"))),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("", include("clubs.urls")),
    path("", include("tournaments.urls")),
    path("", include("scoring.urls")),
    path("account/", include("allauth.urls")),
]
