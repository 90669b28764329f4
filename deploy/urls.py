"""Every address of an installation, composed from the apps."""

from django.urls import include, path
from django.views.generic import RedirectView

from clubs.access import public
from clubs.api.urls import nowhere
from clubs.api.urls import urlpatterns as clubs_api
from clubs.views.health import healthz, readyz

api = [*clubs_api, *nowhere]

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("", include("scoring.urls")),
    path("", include("clubs.urls")),
    path("api/v1/", include((api, "api"))),
    path("account/", include("allauth.urls")),
    # The last resort: an app with a home page of its own comes before.
    path("", public(RedirectView.as_view(pattern_name="clubs:clubs")), name="home"),
]
