"""One address for a login, a token and the phone of somebody without a login: who is let in by what."""

from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from clubs.accounts.services.tokens import make_token
from clubs.models import Scope, Visibility
from scoring.log.queries.writers import SESSION_KEY
from scoring.models import Match
from scoring.rules.events import OpeningRolled
from scoring.sheets.services.claims import make_claim
from tests.factories import UserFactory
from tests.scoring.chouettes.tables import Night
from tests.scoring.sheets.writing import author, loaded, two_players, write

pytestmark = pytest.mark.django_db

SECRET = "c" * 32
PLAY = {"key": "g", "kind": "play", "body": {"moves": [[8, 5], [6, 5]]}}


@pytest.fixture
def match() -> Match:
    match = write(two_players(5), OpeningRolled(3, 1))
    match.club.visibility = Visibility.MEMBERS
    match.club.save()
    return loaded(match)


def with_claim(match: Match, client: Any) -> Any:
    """A device whose session holds a claim to the match."""
    claim, _code = make_claim(match=match, author=author(match, "white"))
    session = Client().session
    session[SESSION_KEY] = {match.ref: claim.ref}
    session.save()
    client.cookies[django_settings.SESSION_COOKIE_NAME] = session.session_key or ""
    return client


def sent(client: Any, match: Match, **headers: str) -> Any:
    address = reverse("api:match_events", args=[match.ref])
    body = {"after": 2, "entries": [PLAY]}
    return client.post(address, body, content_type="application/json", headers=headers)


def test_a_phone_that_is_led_to_write_from_elsewhere_writes_nothing(match: Match) -> None:
    phone = with_claim(match, Client(enforce_csrf_checks=True))
    refused = sent(phone, match)
    assert (refused.status_code, refused.headers["Content-Type"]) == (403, "application/problem+json")
    assert loaded(match).sheet.head_seq == 2
    phone.cookies[django_settings.CSRF_COOKIE_NAME] = SECRET
    assert sent(phone, match, **{"X-CSRFToken": SECRET}).json()["seq"] == 3


def test_a_phone_reads_the_match_of_its_code_alone(match: Match) -> None:
    phone = with_claim(match, Client())
    other = two_players(5)
    other.club.visibility = Visibility.MEMBERS
    other.club.save()
    address = [reverse("api:sheet", args=[each.ref]) for each in (match, other)]
    assert [phone.get(each).status_code for each in address] == [200, 404]
    assert phone.get(address[0]).json()["may_write"] is True
    assert sent(phone, other).status_code == 404
    assert Client().get(address[0]).status_code == 404


def test_a_program_writes_by_its_token_and_not_by_a_code_in_the_session(match: Match) -> None:
    program = with_claim(match, Client())
    _token, text = make_token(user=UserFactory.create(), label="x", scopes=[Scope.RECORD], expires_at=None)
    assert sent(program, match, Authorization=f"Bearer {text}").status_code == 404
    assert loaded(match).sheet.head_seq == 2


def test_a_guest_at_a_table_opens_no_other_table() -> None:
    night, other = Night(3), Night(3)
    phone = Client()
    session = phone.session
    session[SESSION_KEY] = {night.chouette.ref: "none"}
    session.save()
    phone.cookies[django_settings.SESSION_COOKIE_NAME] = session.session_key or ""
    for table in (night, other):
        assert phone.get(reverse("api:chouette", args=[table.chouette.ref])).status_code == 404


def test_a_program_that_repeats_an_append_under_a_key_is_answered_as_the_first_time() -> None:
    match = write(two_players(5), OpeningRolled(3, 1))
    user = author(match, "white").user
    assert user is not None
    _token, text = make_token(user=user, label="x", scopes=[Scope.RECORD], expires_at=None)
    named = {"Authorization": f"Bearer {text}", "Idempotency-Key": "one"}
    first, again = (sent(Client(), match, **named) for _ in range(2))
    assert (first.json()["seq"], again.content) == (3, first.content)
    assert again.headers["Idempotency-Replayed"] == "true"
    late = sent(Client(), match, **named | {"Idempotency-Key": "two"})
    assert late.json()["seq"] == 3  # the entry's own key makes it harmless, too
    assert loaded(match).sheet.head_seq == 3


def test_open_pages_are_not_counted_and_programs_are(settings: Any) -> None:
    match = two_players(5)
    settings.API_RATES = {"visitor": "2/min", "person": "2/min"}
    address = reverse("api:sheet", args=[match.ref])
    user = author(match, "white").user
    assert user is not None
    player = Client()
    player.force_login(user)
    for page in (player, with_claim(match, Client())):
        assert {page.get(address).status_code for _ in range(4)} == {200}
    _token, text = make_token(user=user, label="x", scopes=[Scope.READ], expires_at=None)
    program = APIClient(headers={"Authorization": f"Bearer {text}"})
    assert [program.get(address).status_code for _ in range(3)] == [200, 200, 429]


def test_where_others_are_let_in_pages_are_counted_too(settings: Any) -> None:
    match, night = two_players(5), Night(3)
    settings.API_RATES = {"visitor": "2/min", "person": "2/min"}
    user = author(match, "white").user
    assert user is not None
    player = Client()
    player.force_login(user)
    claims = reverse("api:sheet_claims", args=[match.ref])
    assert [player.post(claims).status_code for _ in range(3)] == [201, 201, 429]
    seated = Client()
    seated.force_login(night.users["Ana"])
    codes = reverse("api:chouette_code", args=[night.chouette.ref])
    assert [seated.post(codes).status_code for _ in range(3)] == [200, 200, 429]
    seats = reverse("api:chouette_seats", args=[night.chouette.ref])
    assert seated.post(seats).status_code == 429  # one count for a person
    phone = with_claim(match, Client())
    asked = [phone.post(claims, {}, content_type="application/json") for _ in range(3)]
    assert [answer.status_code == 429 for answer in asked] == [False, False, True]
