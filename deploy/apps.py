from importlib import import_module

from django.apps import AppConfig, apps
from django.db.models.signals import pre_migrate


class DeployConfig(AppConfig):
    name = "deploy"

    def ready(self) -> None:
        # Not in deploy/__init__.py: the bare-Python bootstrap imports that one before anything is installed.
        import_module("deploy.celery_app")
        refuse = import_module("deploy.known_migrations").refuse_unknown
        pre_migrate.connect(refuse, sender=apps.get_app_config("clubs"), dispatch_uid="known_migrations")
