"""A yes or a no is to the result that was looked at, not to one that took its place meanwhile."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from scoring.models import Confirmation, Match, Objection
from scoring.rules.sides import Side
from scoring.sheets.services.corrections import undo_last
from scoring.sheets.services.results import ConfirmationRefused, confirm_result, object_to_result
from tests.clubs.api.clients import with_token
from tests.scoring.sheets.writing import author, loaded, two_players, win, write

pytestmark = pytest.mark.django_db


def corrected() -> Match:
    """A match to one point whose reported winner was the wrong one: the result that stands is revision 3."""
    match = write(two_players(1), win(Side.WHITE))
    undo_last(match=match, author=author(match, "white"), after=match.sheet.head_seq, key="wrong")
    match = write(match, win(Side.BLACK), by="white")
    assert match.result.revision == 3
    return match


def test_a_yes_to_a_result_that_was_corrected_meanwhile_is_refused() -> None:
    match = corrected()
    white, black = author(match, "white"), author(match, "black")
    said = "has changed"
    with pytest.raises(ConfirmationRefused, match=said):
        confirm_result(match=match, user=white.user, as_director=False, revision=1)
    with pytest.raises(ConfirmationRefused, match=said):
        object_to_result(match=match, side="black", user=black.user, revision=1)
    assert not Objection.objects.exists()
    confirm_result(match=match, user=white.user, as_director=False, revision=3)
    assert loaded(match).result.final_at is not None


def test_the_pages_and_the_api_name_the_result_that_was_looked_at() -> None:
    match = corrected()
    user = author(match, "white").user
    assert user is not None
    client = Client()
    client.force_login(user)
    view = client.get(reverse("api:sheet", args=[match.ref])).json()
    assert view["result"]["revision"] == 3
    page = client.get(match.get_absolute_url()).text
    assert '<input type="hidden" name="revision" value="3">' in page
    sheet = reverse("api:confirmations", args=[match.ref])
    answer = client.post(sheet, json.dumps({"revision": 1}), "application/json")
    assert (answer.status_code, "has changed" in answer.json()["detail"]) == (409, True)
    form = client.post(reverse("scoring:confirm", args=[match.ref]), {"revision": "1"}, follow=True)
    assert "The result has changed. Reload the page and check it again." in form.text
    assert not Confirmation.objects.filter(revision=3, side="white").exists()
    assert with_token(user).post(sheet, {"revision": 3}, format="json").status_code == 200
    assert loaded(match).result.final_at is not None
