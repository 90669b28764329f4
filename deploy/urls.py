"""Every address of an installation, composed from the apps."""

from django.urls import include, path

from clubs.views.health import healthz, readyz

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("", include("clubs.urls")),
    path("account/", include("allauth.urls")),
]
