from importlib import import_module
from typing import Any

from django.apps import AppConfig
from django.core import checks
from django.urls import register_converter

from clubs import arrays
from clubs.refs import RefConverter


def check_policies(app_configs: Any, **options: Any) -> list[checks.CheckMessage]:  # noqa: ARG001
    """Check that every address declares a policy (``clubs.access``)."""
    # Imported when the check runs: it reads the URL configuration and the models.
    found: list[checks.CheckMessage] = import_module("clubs.access").check_policies()
    return found


class ClubsConfig(AppConfig):
    name = "clubs"

    def ready(self) -> None:
        register_converter(RefConverter, "ref")
        arrays.install()
        import_module("clubs.receivers")
        checks.register(check_policies, checks.Tags.security, checks.Tags.urls)
