"""Every address of an installation, composed from the apps."""

from django.urls import include, path
from django.views.generic import RedirectView

from clubs.access import public
from clubs.views.health import healthz, readyz

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("", include("clubs.urls")),
    path("account/", include("allauth.urls")),
    # The last resort: an app with a home page of its own comes before.
    path("", public(RedirectView.as_view(pattern_name="clubs:clubs")), name="home"),
]
