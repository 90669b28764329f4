"""Signing up and in: by code, by password, with passkeys as an option."""

import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.urls import reverse

from clubs.models import Player, User, Visibility
from tests.factories import ClubFactory, UserFactory

pytestmark = pytest.mark.django_db


def words(response) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", response.content.decode().partition("<main")[2]))


def code_in(mail) -> str:
    found = re.search(r"^([A-Z0-9]+(?:-[A-Z0-9]+)*)$", mail.body, re.MULTILINE)
    assert found, mail.body
    return found[1]


def confirmed(**fields) -> User:
    user = UserFactory.create(**fields)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def signed_in(client) -> bool:
    return "_auth_user_id" in client.session


NEW = {"name": "Ana Etxeberria", "email": "Ana@Example.org", "password1": "a good new one"}


def test_who_signs_up_is_a_player_and_confirms_the_address_with_a_code(client, mailoutbox, settings):
    settings.EMAIL_URL = "smtp://mail.example"
    response = client.post(reverse("account_signup"), NEW | {"password1": ""}, follow=True)
    assert "ana@example.org" in words(response)
    assert not signed_in(client)
    player = Player.objects.with_person().get()
    assert player.user
    assert (player.name, player.user.email, player.user.has_usable_password()) == (
        "Ana Etxeberria",
        "ana@example.org",
        False,
    )
    client.post(reverse("account_email_verification_sent"), {"code": code_in(mailoutbox[0])})
    assert signed_in(client)
    assert EmailAddress.objects.get().verified


def test_signing_up_without_a_mail_server_needs_a_password(client, settings):
    settings.EMAIL_URL = ""
    response = client.post(reverse("account_signup"), NEW | {"password1": ""})
    assert response.context["form"].errors.keys() == {"password1"}
    assert not User.objects.exists()


@pytest.mark.parametrize("server", ["", "smtp://mail.example"])
def test_a_code_is_offered_only_where_there_is_a_mail_server(client, settings, server):
    settings.EMAIL_URL = server
    page = client.get(reverse("account_login"))
    assert (reverse("account_request_login_code") in page.content.decode()) is bool(server)
    assert ("for the code that confirms" in words(client.get(reverse("account_signup")))) is (not server)


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("/calendar/", "Sign in to see your calendar."),
        ("/clubs/open/chouettes/", "Sign in to see the chouettes of Open Club."),
        ("/clubs/closed/chouettes/", "Sign in to open this page."),
        ("/clubs/nosuch/chouettes/", "Sign in to open this page."),
        ("/nosuch/", "Sign in to open this page."),
    ],
)
def test_the_page_to_sign_in_says_what_for_and_names_no_hidden_club(client, wanted, said):
    ClubFactory.create(slug="open", name="Open Club")
    ClubFactory.create(slug="closed", name="Closed Club", visibility=Visibility.MEMBERS)
    shown = words(client.get(reverse("account_login"), {"next": wanted}))
    assert said in shown
    assert "Closed" not in shown


def test_an_address_has_the_actions_that_can_do_something(client):
    user = confirmed(email="main@example.org")
    client.force_login(user)

    def actions() -> list[str]:
        return re.findall(r'name="action_(\w+)"', client.get(reverse("account_email")).content.decode())

    assert actions() == ["add"]
    EmailAddress.objects.create(user=user, email="other@example.org", verified=True)
    assert actions() == ["primary", "remove", "add"]
    EmailAddress.objects.filter(email="other@example.org").update(verified=False)
    assert actions() == ["send", "remove", "add"]


def test_signing_up_needs_a_name_and_saves_nothing_without(client):
    response = client.post(reverse("account_signup"), NEW | {"name": " "})
    assert response.context["form"].errors.keys() == {"name"}
    assert not User.objects.exists()


def test_a_weak_password_is_refused(client):
    response = client.post(reverse("account_signup"), NEW | {"password1": "12345"})
    assert "password1" in response.context["form"].errors
    assert not User.objects.exists()


def test_signing_up_does_not_tell_who_is_here_already(client, mailoutbox):
    confirmed(email="ana@example.org")
    response = client.post(reverse("account_signup"), NEW)
    assert response["Location"] == reverse("account_email_verification_sent")
    assert User.objects.count() == 1
    assert "already" in mailoutbox[0].body


def test_signing_in_by_code(client, mailoutbox):
    user = confirmed(password=None)
    address = reverse("account_request_login_code") + "?next=/clubs/"
    response = client.post(address, {"email": user.email.upper()}, follow=True)
    assert user.email in words(response)
    wrong = client.post(reverse("account_confirm_login_code"), {"code": "WRONG"})
    assert wrong.status_code == 200
    assert not signed_in(client)
    response = client.post(reverse("account_confirm_login_code"), {"code": code_in(mailoutbox[0])})
    assert signed_in(client)


def test_a_code_for_an_unknown_address_looks_the_same(client, mailoutbox):
    response = client.post(reverse("account_request_login_code"), {"email": "nobody@example.org"})
    assert response["Location"].startswith(reverse("account_confirm_login_code"))
    assert "this address has no account" in mailoutbox[0].body


def test_three_wrong_codes_end_the_attempt(client, mailoutbox):
    user = confirmed(password=None)
    client.post(reverse("account_request_login_code"), {"email": user.email})
    for _ in range(3):
        client.post(reverse("account_confirm_login_code"), {"code": "WRONG"})
    client.post(reverse("account_confirm_login_code"), {"code": code_in(mailoutbox[0])})
    assert not signed_in(client)


def test_signing_in_by_password(client):
    user = confirmed()
    address = reverse("account_login") + "?next=/clubs/"
    client.post(address, {"login": user.email, "password": "wrong"})
    assert not signed_in(client)
    response = client.post(address, {"login": user.email, "password": "backgammon"})
    assert response["Location"] == "/clubs/"
    assert signed_in(client)


def test_guessing_passwords_is_stopped(client):
    user = confirmed()
    for _ in range(12):
        client.post(reverse("account_login"), {"login": user.email, "password": "wrong"})
    client.post(reverse("account_login"), {"login": user.email, "password": "backgammon"})
    assert not signed_in(client)


def test_nobody_is_sent_to_another_site_after_signing_in(client):
    user = confirmed()
    address = reverse("account_login") + "?next=https://elsewhere.example/"
    response = client.post(address, {"login": user.email, "password": "backgammon"})
    assert response["Location"] == "/"


def test_a_forgotten_password_is_replaced_with_a_code(client, mailoutbox):
    user = confirmed()
    client.post(reverse("account_reset_password"), {"email": user.email})
    address = reverse("account_confirm_password_reset_code")
    client.post(address, {"code": code_in(mailoutbox[0])})
    new = {"password1": "a new good one", "password2": "a new good one"}
    client.post(reverse("account_complete_password_reset"), new)
    user.refresh_from_db()
    assert user.check_password("a new good one")


@pytest.mark.parametrize(
    "address",
    ["account_login", "account_signup", "account_request_login_code", "account_reset_password"],
)
def test_the_pages_for_visitors_stand_in_the_sites_frame(client, address):
    response = client.get(reverse(address))
    assert response.status_code == 200
    text = response.content.decode()
    assert '<main id="content"' in text
    assert "· Midpoint</title>" in text
    assert "style=" not in text
    assert not re.search(r"<script(?![^>]*(?:src=|application/json))", text)


@pytest.mark.parametrize(
    "address",
    [
        "account_email",
        "account_set_password",
        "account_change_password",
        "account_logout",
        "account_reauthenticate",
        "mfa_index",
        "mfa_add_webauthn",
        "mfa_list_webauthn",
        "mfa_view_recovery_codes",
        "mfa_generate_recovery_codes",
    ],
)
def test_the_pages_for_people_stand_in_the_sites_frame(client, address):
    user = confirmed(password=None if address == "account_set_password" else "backgammon")
    if "recovery" in address or "list" in address:
        Authenticator.objects.create(user=user, type="webauthn", data={"name": "phone", "credential": {}})
        RecoveryCodes.activate(user)
    client.force_login(user)
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": 4e9, "email": user.email}]
    session.save()
    response = client.get(reverse(address), follow=True)
    assert response.status_code == 200
    text = response.content.decode()
    assert '<main id="content"' in text
    assert "style=" not in text
    assert not re.search(r"<script(?![^>]*(?:src=|application/json))", text)


def test_a_passkey_is_asked_for_in_a_page_of_its_own_request(client):
    options = client.get(reverse("mfa_login_webauthn"), headers={"Accept": "application/json"}).json()
    assert options["request_options"]["publicKey"]["challenge"]


def test_the_passkey_page_says_what_one_has(client):
    user = confirmed()
    client.force_login(user)
    assert "No passkey yet" in words(client.get(reverse("mfa_index")))
    Authenticator.objects.create(user=user, type="webauthn", data={"name": "phone", "credential": {}})
    RecoveryCodes.activate(user)
    shown = words(client.get(reverse("mfa_index")))
    assert "You have 1 passkey." in shown
    assert "10 codes left" in shown


def test_signing_out_needs_a_click(client):
    client.force_login(confirmed())
    client.get(reverse("account_logout"))
    assert signed_in(client)
    client.post(reverse("account_logout"))
    assert not signed_in(client)


@pytest.mark.parametrize("server", ["", "smtp://mail.example"])
@pytest.mark.parametrize(
    ("page", "fields"),
    [
        ("account_signup", NEW),
        ("account_request_login_code", {"email": "ana@example.org"}),
        ("account_reset_password", {"email": "ana@example.org"}),
    ],
)
def test_no_page_says_that_a_code_was_mailed_where_no_mail_server_is_set(
    client, settings, mailoutbox, page, fields, server
):
    settings.EMAIL_URL = server
    response = client.post(reverse(page), fields, follow=True)
    shown = words(response)
    assert mailoutbox
    assert "ana@example.org" in shown
    assert 'name="code"' in response.content.decode()
    assert ("administrator for the code" in shown) is (not server)
    assert ("We sent a code to ana@example.org." in shown) is bool(server)


@pytest.mark.parametrize("server", ["", "smtp://mail.example"])
def test_the_password_page_promises_mail_only_where_there_is_a_server(client, settings, server):
    settings.EMAIL_URL = server
    shown = words(client.get(reverse("account_reset_password")))
    assert ("email you a code" in shown) is bool(server)
    assert ("administrator for it" in shown) is (not server)
    assert "contact us" not in shown
