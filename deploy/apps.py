from importlib import import_module

from django.apps import AppConfig


class DeployConfig(AppConfig):
    name = "deploy"

    def ready(self) -> None:
        # Not in deploy/__init__.py: the bare-Python bootstrap imports that one before anything is installed.
        import_module("deploy.celery_app")
