"""Every address of an installation, composed from the apps."""

from django.urls import include, path

urlpatterns = [
    path("", include("clubs.urls")),
    path("account/", include("allauth.urls")),
]
