"""Double clicks and second tries: five posts of one form at once, and what comes of them."""

from datetime import timedelta

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import ApiToken, Club, IdempotencyKey, Invitation, Player, Role, User
from clubs.shell.appearance import COOKIE
from scoring.models import Chouette, Match
from tests.factories import ClubFactory, UserFactory, member
from tests.forms import forms_of
from tests.races import at_once
from tests.tournaments.factories import an_event
from tournaments.models import Event, Flight

CLICKS = 5


def form_at(user: User, address: str, *, action: str = "", **fields: str) -> dict[str, list[str]]:
    """The form of a page as the user has it, filled in."""
    browser = Client()
    browser.force_login(user)
    forms = forms_of(browser.get(address).content.decode())
    (form,) = [each for each in forms if each.action in {action, ""} and (action or not each.action)][:1]
    return form.fields | {name: [value] for name, value in fields.items()}


def clicked(user: User, address: str, form: dict[str, list[str]]) -> list[str]:
    """Five posts at once, each on a connection of its own; where they lead."""
    browsers = [Client() for _ in range(CLICKS)]
    for browser in browsers:
        browser.force_login(user)
    answers = at_once(*(lambda browser=browser: browser.post(address, form) for browser in browsers))
    assert [getattr(answer, "status_code", answer) for answer in answers] == [302] * CLICKS
    return [answer.headers["Location"] for answer in answers]


@pytest.mark.django_db(transaction=True)
def test_five_posts_at_once_make_one_club():
    user = UserFactory.create()
    address = reverse("clubs:new_club")
    form = form_at(user, address, name="Five Points")
    places = clicked(user, address, form)
    club = Club.objects.get(name="Five Points")
    assert set(places) == {club.get_absolute_url()}


@pytest.mark.django_db(transaction=True)
def test_five_posts_at_once_make_one_guest():
    club = ClubFactory.create()
    owner = member(club, Role.OWNER)
    address = reverse("clubs:add_member", args=[club.slug])
    clicked(owner, address, form_at(owner, address, **{"player-name": "Iker"}))
    assert Player.objects.filter(person__name="Iker").count() == 1


@pytest.mark.django_db(transaction=True)
def test_five_posts_at_once_invite_once():
    club = ClubFactory.create()
    owner = member(club, Role.OWNER)
    address = reverse("clubs:invite", args=[club.slug])
    clicked(owner, address, form_at(owner, address, email="new@example.org"))
    assert Invitation.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_five_posts_at_once_make_one_token_which_is_then_shown_once():
    user = UserFactory.create()
    address = reverse("clubs:tokens")
    browser = Client()
    browser.force_login(user)
    form = next(form for form in forms_of(browser.get(address).content.decode()) if "label" in form.fields)
    answers = at_once(*(lambda: browser.post(address, form.fields | {"label": ["script"]}),) * CLICKS)
    assert {answer.status_code for answer in answers} == {302}
    token = ApiToken.objects.get()
    assert token.prefix in browser.get(address).content.decode()
    assert "mp_" not in browser.get(address).content.decode().replace(f"{token.prefix}…", "")


@pytest.mark.django_db(transaction=True)
def test_five_posts_at_once_open_one_chouette():
    club = ClubFactory.create()
    user = member(club)
    address = reverse("scoring:new_chouette", args=[club.slug])
    clicked(user, address, form_at(user, address))
    assert Chouette.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_five_posts_at_once_open_one_match():
    club = ClubFactory.create()
    user = member(club)
    address = reverse("scoring:new_match", args=[club.slug])
    players = {"white": user.player.ref, "black": "", "black_name": "Ben"}
    clicked(user, address, form_at(user, address, **players))
    assert Match.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_five_posts_at_once_copy_an_event_once():
    event = an_event()
    director = member(event.club, Role.DIRECTOR)
    address = reverse("tournaments:copy", args=[event.ref])
    form = form_at(director, f"{event.get_absolute_url()}?tab=info", action=address)
    places = clicked(director, address, form)
    copy = Event.objects.exclude(pk=event.pk).get()
    assert copy.starts_at - event.starts_at == timedelta(weeks=1)
    assert set(places) == {copy.get_absolute_url()}


@pytest.mark.django_db(transaction=True)
def test_five_posts_at_once_add_a_division_once():
    event = an_event()
    director = member(event.club, Role.DIRECTOR)
    address = reverse("tournaments:new_flight", args=[event.ref])
    form = form_at(director, address, name="Novices", length="3", format_key="swiss_3", returned="100")
    clicked(director, address, form)
    assert Flight.objects.filter(event=event, name="Novices").count() == 1


@pytest.mark.django_db
def test_other_fields_and_a_page_shown_again_are_another_form(client):
    user = UserFactory.create()
    client.force_login(user)
    address = reverse("clubs:new_club")
    form = form_at(user, address, name="One")
    for _click in range(2):
        client.post(address, form)
    client.post(address, form | {"name": ["Two"]})
    client.post(address, form_at(user, address, name="One"))
    assert sorted(Club.objects.values_list("name", flat=True)) == ["One", "One", "Two"]


@pytest.mark.django_db
def test_light_after_dark_after_light_on_one_page_is_light(client):
    user = UserFactory.create()
    client.force_login(user)
    address = reverse("clubs:appearance")
    form = form_at(user, reverse("clubs:me"), action=address)
    for chosen in ("light", "dark", "light"):
        assert client.post(address, form | {"appearance": [chosen]}).status_code == 302
    assert client.cookies[COOKIE].value == "light"


@pytest.mark.django_db
def test_a_form_with_errors_is_worked_on_again(client):
    user = UserFactory.create()
    client.force_login(user)
    address = reverse("clubs:new_club")
    form = form_at(user, address, name="")
    assert client.post(address, form).status_code == 200
    assert (Club.objects.count(), IdempotencyKey.objects.count()) == (0, 0)


@pytest.mark.django_db
def test_the_form_of_one_person_says_nothing_about_anothers(client):
    address = reverse("clubs:new_club")
    form = form_at(UserFactory.create(), address, name="One")
    for user in UserFactory.create_batch(2):
        client.force_login(user)
        client.post(address, form)
    assert Club.objects.count() == 2


@pytest.mark.django_db
def test_who_sends_it_much_later_is_told(client):
    user = UserFactory.create()
    client.force_login(user)
    address = reverse("clubs:new_club")
    form = form_at(user, address, name="One")
    client.post(address, form)
    kept = IdempotencyKey.objects.get()
    assert kept.response is not None
    kept.response["headers"]["Date"] = (now() - timedelta(minutes=5)).isoformat()
    kept.save()
    list(get_messages(client.get("/").wsgi_request))
    answer = client.post(address, form)
    assert [str(message) for message in get_messages(answer.wsgi_request)][-1].startswith("You already sent")
    assert Club.objects.count() == 1


@pytest.mark.django_db
def test_no_field_of_a_form_is_kept_in_readable_form(client):
    user = UserFactory.create()
    client.force_login(user)
    address = reverse("clubs:new_club")
    client.post(address, form_at(user, address, name="Secret Circle"))
    kept = IdempotencyKey.objects.get()
    assert "Secret" not in f"{kept.key}{kept.body_sha}{kept.response}"


@pytest.mark.django_db(transaction=True)
def test_five_sign_ups_at_once_make_one_account():
    """allauth's own form: the address has one account."""
    address = reverse("account_signup")
    browsers = [Client(raise_request_exception=False) for _ in range(CLICKS)]
    form = {"name": "Iker", "email": "new@example.org", "password1": "correct horse battery"}
    for browser in browsers:
        browser.get(address)
    answers = at_once(*(lambda browser=browser: browser.post(address, form) for browser in browsers))
    assert User.objects.filter(email="new@example.org").count() == 1
    assert Player.objects.filter(person__name="Iker").count() == 1
    assert [answer.status_code for answer in answers if answer.status_code >= 500] == []
