"""What crawlers are asked to leave out."""

from urllib.robotparser import RobotFileParser

import pytest
from django.urls import reverse

from clubs.site.views.robots import KEPT_OUT
from tests.factories import ClubFactory

pytestmark = pytest.mark.django_db


def test_crawlers_are_kept_from_programs_and_accounts_but_from_no_page_with_a_choice_of_its_own(client):
    answer = client.get("/robots.txt")
    assert answer["Content-Type"].startswith("text/plain")
    rules = RobotFileParser()
    rules.parse(answer.text.splitlines())
    hidden, open_club = ClubFactory.create(search_engines=False), ClubFactory.create()
    for club in (hidden, open_club):
        assert rules.can_fetch("Bot", club.get_absolute_url())
    assert 'content="noindex"' in client.get(hidden.get_absolute_url()).text
    for page in ("/", "/help/", "/events/abcdefgh/", "/shared/token/", "/static/clubs/base.css"):
        assert rules.can_fetch("Bot", page), page
    for name in ("account_login", "clubs:me", "clubs:site", "clubs:outbox", "healthz", "readyz"):
        assert not rules.can_fetch("Bot", reverse(name)), name
    assert not rules.can_fetch("Bot", reverse("api:clubs"))
    assert all(prefix.startswith("/") for prefix in KEPT_OUT)
