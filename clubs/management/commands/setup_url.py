"""``manage.py setup_url``: the path of the setup page of a new site."""

from typing import Any

from django.core.management.base import BaseCommand
from django.urls import reverse

from clubs.accounts.services.setup import new_setup_token


class Command(BaseCommand):
    help = "Print the path of the setup page with its one-time token; nothing once an administrator exists."

    def handle(self, *args: Any, **options: Any) -> None:
        if token := new_setup_token():
            self.stdout.write(reverse("clubs:setup", args=[token]))
