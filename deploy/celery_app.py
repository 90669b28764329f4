"""The one Celery application; ``deploy.apps`` imports it so that web and worker share it."""

from celery import Celery

app = Celery("midpoint")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
