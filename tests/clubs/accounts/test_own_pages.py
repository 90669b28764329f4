"""The person's own page, the outbox, the first-start page and the pages for what went wrong."""

import json
import re

import pytest
from allauth.account.models import EmailAddress
from django.test import Client, override_settings
from django.urls import reverse

from clubs.accounts.services.setup import new_setup_token
from clubs.mail.queries import outbox_page
from clubs.models import Delivery, OutgoingMail, Role, User, WorkStatus
from clubs.work.services import claim, fail
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, UserFactory, member

pytestmark = pytest.mark.django_db

SESSION_AND_USER = 2


def words(response) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", response.content.decode().partition("<main")[2]))


@pytest.mark.parametrize("number", [1, 3])
def test_my_page_asks_four_times(client, django_assert_num_queries, number):
    user = UserFactory.create()
    player = PlayerFactory.create(user=user, name="Ana")
    for n in range(number):
        MembershipFactory.create(player=player)
        EmailAddress.objects.create(user=user, email=f"{n}@example.org", primary=n == 0, verified=True)
    client.force_login(user)
    with django_assert_num_queries(SESSION_AND_USER + 4):
        shown = words(client.get(reverse("clubs:me")))
    assert "0@example.org" in shown
    assert ("+ 2" in shown) is (number == 3)
    assert "Ana" in shown


def test_a_login_without_player_gives_itself_a_name(client):
    user = UserFactory.create(is_superuser=True)
    client.force_login(user)
    assert "Outbox" in words(client.get(reverse("clubs:me")))
    response = client.post(reverse("clubs:me"), {"name": "Ana Etxeberria"}, follow=True)
    assert "Name saved." in words(response)
    assert User.objects.get().player.person.name == "Ana Etxeberria"
    assert client.post(reverse("clubs:me"), {"name": " "}).context["form"].errors.keys() == {"name"}


def test_my_data_is_all_that_is_kept(client):
    club = ClubFactory.create(name="Bar Point")
    user = member(club, Role.DIRECTOR, name="Ana")
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    client.force_login(user)
    response = client.get(reverse("clubs:my_data"))
    data = json.loads(response.content)
    assert response["Content-Disposition"] == 'attachment; filename="midpoint-my-data.json"'
    assert data["player"] == {"ref": user.player.ref, "name": "Ana"}
    assert data["email_addresses"] == [{"email": user.email, "verified": True, "primary": True}]
    assert [(c["club"], c["role"]) for c in data["clubs"]] == [("Bar Point", "Director")]
    assert "password" not in response.content.decode()


def keep(number: int, **fields) -> None:
    for n in range(number):
        OutgoingMail.objects.create(
            recipients=[f"{n}@example.org"],
            sender="us@example.org",
            subject=f"Code {n}",
            text=f"secret {n}",
            message=b"",
            message_id=f"<{n}@x>",
            **fields,
        )


@pytest.mark.parametrize("number", [1, 3])
def test_the_outbox_shows_codes_where_no_mail_server_is_set(
    client, settings, django_assert_num_queries, number
):
    settings.EMAIL_URL = ""
    keep(number)
    client.force_login(UserFactory.create(is_superuser=True))
    with django_assert_num_queries(SESSION_AND_USER + 1):
        shown = words(client.get(reverse("clubs:outbox")))
    assert f"secret {number - 1}" in shown
    assert "No mail server is configured" in shown
    settings.EMAIL_URL = "smtp://mail.example"
    assert "secret" not in words(client.get(reverse("clubs:outbox")))


def test_the_outbox_is_for_site_administrators(client):
    client.force_login(member(ClubFactory.create(), Role.OWNER))
    assert client.get(reverse("clubs:outbox")).status_code == 403


def test_the_outbox_goes_on_from_page_to_page():
    keep(5)
    subjects, after = [], ""
    while True:
        page = outbox_page(after=after, size=2)
        subjects.append([mail.subject for mail in page.rows])
        if not (after := page.next):
            break
    assert subjects == [["Code 4", "Code 3"], ["Code 2", "Code 1"], ["Code 0"]]


def test_a_failed_message_is_sent_again_and_erased(client):
    keep(1)
    client.force_login(UserFactory.create(is_superuser=True))
    mail = claim(OutgoingMail)
    assert mail
    again = reverse("clubs:send_mail_again", args=[mail.ref])
    assert "did not fail" in words(client.post(again, follow=True))
    assert "email is being sent" in words(
        client.post(reverse("clubs:erase_mail", args=[mail.ref]), follow=True)
    )
    assert OutgoingMail.objects.exists()
    fail(mail, error="550 no such box", final=True)
    assert "550 no such box" in words(client.get(reverse("clubs:outbox")))
    assert "will be sent again" in words(client.post(again, follow=True))
    mail.refresh_from_db()
    assert mail.status == WorkStatus.QUEUED
    client.post(reverse("clubs:erase_mail", args=[mail.ref]))
    assert not OutgoingMail.objects.exists()


def test_mail_that_a_broken_server_did_not_take_says_what_to_do(client, settings):
    settings.EMAIL_URL = "smtp://mail.example"
    keep(1)
    client.force_login(UserFactory.create(is_superuser=True))
    assert "check EMAIL_URL" not in words(client.get(reverse("clubs:outbox")))
    mail = claim(OutgoingMail)
    assert mail
    fail(mail, error="ConnectionRefusedError: [Errno 111] Connection refused")
    shown = words(client.get(reverse("clubs:outbox")))
    assert "Connection refused Midpoint will try again. If this continues, check EMAIL_URL" in shown


def test_mail_that_was_kept_without_a_mail_server_can_be_sent_once_there_is_one(client, settings):
    settings.EMAIL_URL = ""
    keep(1, status=WorkStatus.DONE, delivery=Delivery.OUTBOX)
    mail = OutgoingMail.objects.get()
    client.force_login(UserFactory.create(is_superuser=True))
    again = reverse("clubs:send_mail_again", args=[mail.ref])
    assert "no mail server configured" in words(client.get(reverse("clubs:outbox")))
    assert "nothing to send again" in words(client.post(again, follow=True))
    settings.EMAIL_URL = "smtp://mail.example"
    response = client.get(reverse("clubs:outbox"))
    assert "Not sent: no mail server configured" in words(response)
    assert again in response.content.decode()
    assert "will be sent again" in words(client.post(again, follow=True))
    mail.refresh_from_db()
    assert (mail.status, mail.delivery) == (WorkStatus.QUEUED, "")


FIRST = {
    "name": "Ana Etxeberria",
    "email": "ana@example.org",
    "password": "a good long one",
    "club_name": "Bar Point",
    "tz": "Europe/Madrid",
    "currency": "EUR",
}


def test_the_first_start_page_signs_its_administrator_in(client):
    address = reverse("clubs:setup", args=[new_setup_token()])
    assert "Welcome to Midpoint" in words(client.get(address))
    for nowhere in ("Factory", "localtime"):
        assert client.post(address, FIRST | {"tz": nowhere}).context["form"].errors.keys() == {"tz"}
    refused = client.post(address, FIRST | {"password": "1234"})
    assert refused.context["form"].errors.keys() == {"password"}
    assert not User.objects.exists()
    response = client.post(address, FIRST, follow=True)
    assert response.redirect_chain == [("/clubs/bar-point/", 302)]
    assert "Welcome! Bar Point is ready." in words(response)
    assert "Ana Etxeberria Owner" in words(response)
    for closed in (client.get(address), client.post(address, FIRST)):
        assert closed.status_code == 410
        assert "no longer valid" in words(closed)
    assert User.objects.count() == 1


def test_a_guessed_first_start_page_is_closed(client):
    assert client.get(reverse("clubs:setup", args=["guessed"])).status_code == 410


def test_the_beginning_leads_somewhere(client):
    assert client.get("/", follow=True).status_code == 200


def test_an_address_without_page_says_so_in_the_sites_frame(client):
    response = client.get("/nothing/here/")
    assert response.status_code == 404
    assert "Page not found" in words(response)
    assert f"{reverse('account_login')}?next=/nothing/here/" in response.content.decode()
    client.force_login(UserFactory.create())
    assert reverse("account_login") not in client.get("/nothing/here/").content.decode()


def test_a_form_of_nobodys_page_is_refused_with_an_explanation():
    client = Client(enforce_csrf_checks=True)
    client.force_login(UserFactory.create())
    response = client.post(reverse("clubs:me"), {"name": "x"})
    assert response.status_code == 403
    assert "This form is out of date" in words(response)


def test_a_mistake_of_ours_needs_neither_database_nor_session(client, monkeypatch):
    def fails(*args, **kwargs):
        raise ZeroDivisionError

    client.raise_request_exception = False
    monkeypatch.setattr("clubs.accounts.queries.Membership.objects.filter", fails)
    client.force_login(UserFactory.create())
    response = client.get(reverse("clubs:my_data"))
    assert response.status_code == 500
    assert "Something went wrong" in words(response)


@override_settings(ALLOWED_HOSTS=["club.example"])
def test_a_request_that_is_not_understood_says_so(client):
    response = client.get("/me/", headers={"Host": "elsewhere.example"})
    assert response.status_code == 400
    assert "not understood" in words(response)
