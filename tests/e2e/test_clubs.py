"""Clubs in a real browser: the first start, signing in with the outbox, a page that stays live."""

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.utils.timezone import now
from playwright.sync_api import Page, expect

from clubs.accounts.services.setup import new_setup_token
from clubs.clubs.services.clubs import add_player
from clubs.models import Backup, Club, OutgoingMail, Role, WorkStatus
from tests.e2e.settled import tap
from tests.e2e.test_lists import sign_in
from tests.factories import ClubFactory, UserFactory, member


def confirm(user) -> None:
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)


def test_a_newcomer_alone_begins_and_reads_a_code_in_the_outbox(page: Page):
    page.goto(f"/setup/{new_setup_token()}/")
    page.get_by_label("Your name").fill("Ana Etxeberria")
    page.get_by_label("Email address").fill("ana@example.org")
    page.get_by_label("Password").fill("a good long one")
    page.get_by_label("Club name").fill("Bar Point")
    page.get_by_label("Time zone").fill("Europe/Madrid")
    page.get_by_role("button", name="Set up Midpoint").click()
    expect(page.get_by_role("heading", name="Bar Point")).to_be_visible()
    expect(page.get_by_text("Ana Etxeberria")).to_be_visible()

    tap(page.get_by_role("link", name="All 1"))
    tap(page.get_by_role("link", name="Invite members"))
    page.get_by_label("Email address").fill("berta@example.org")
    page.get_by_role("button", name="Send invitation").click()
    expect(page.get_by_text("Pass on the link for berta@example.org")).to_be_visible()
    expect(page.get_by_text("Invitation to Bar Point")).to_be_visible()
    link = re.search(r"http://\S+/clubs/join/\S+/", OutgoingMail.objects.get().text)
    assert link
    expect(page.get_by_text(link[0])).to_be_visible()


@pytest.mark.long
def test_the_operators_page_is_reached_and_fits_a_phone_with_the_longest_paths(page: Page, server: str):
    path = "/" + "a_folder_with_a_long_name" * 6 + "/midpoint-20261123T030000Z.tar"
    done = {"status": WorkStatus.DONE, "finished_at": now() - timedelta(hours=3), "size": 10**9, "rows": 1}
    Backup.objects.create(path=path, **done)
    error = f"{path} cannot be written: No space left on device"
    Backup.objects.create(status=WorkStatus.FAILED, finished_at=now(), error=error)
    page.set_viewport_size({"width": 360, "height": 800})
    sign_in(page, server, UserFactory.create(is_superuser=True))
    page.goto("/me/")
    tap(page.get_by_role("link", name="Backups"))
    expect(page.get_by_text(error)).to_be_visible()
    expect(page.get_by_text("953.7\N{NO-BREAK SPACE}MB")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.long
def test_the_list_of_people_follows_a_change_made_elsewhere(page: Page, server: str):
    club: Club = ClubFactory.create(name="Bar Point")
    sign_in(page, server, member(club, Role.MEMBER, name="Ana"))
    page.goto(f"/clubs/{club.slug}/people/")
    people = page.locator("#members")
    expect(people.get_by_text("Ana")).to_be_visible()
    for name in ("Iker", "Zuriñe"):
        add_player(club=club, name=name)
        expect(people.get_by_text(name)).to_be_visible()


@pytest.mark.parametrize(
    "obstacle", ["refuses streams", pytest.param("swallows streams", marks=pytest.mark.long)]
)
def test_a_page_behind_a_proxy_without_streams_asks_instead(page: Page, server: str, obstacle: str):
    held = []

    def proxy(route):
        if "text/event-stream" not in route.request.headers.get("accept", ""):
            route.continue_()
        elif obstacle == "refuses streams":
            route.fulfill(status=502, body="no")
        else:
            held.append(route)

    club: Club = ClubFactory.create(name="Bar Point")
    sign_in(page, server, member(club, Role.MEMBER, name="Ana"))
    page.route(re.compile("/live/"), proxy)
    page.clock.install()
    page.goto(f"{club.get_absolute_url()}people/")
    expect(page.locator("#members").get_by_text("Ana")).to_be_visible()
    page.clock.run_for(10_000)
    add_player(club=club, name="Iker")
    page.clock.run_for(16_000)
    expect(page.locator("#members").get_by_text("Iker")).to_be_visible()
    for route in held:
        route.abort()


@pytest.mark.long
def test_a_passkey_is_added_and_signs_in(page: Page):
    user = UserFactory.create()
    confirm(user)
    devices = page.context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devices.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    # A passkey belongs to a name: 127.0.0.1 cannot have one, localhost can.
    page.goto("/account/login/")
    home = re.sub("127.0.0.1", "localhost", page.url.partition("/account/")[0])
    page.goto(f"{home}/account/login/?next=/me/")
    page.get_by_label("Email").fill(user.email)
    page.get_by_label("Password").fill("backgammon")
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(f"{home}/me/")
    page.goto(f"{home}/account/2fa/webauthn/add/")
    page.get_by_label("Password").fill("backgammon")
    page.get_by_role("button", name="Confirm").click()
    page.get_by_label("Name").fill("Phone")
    expect(page.get_by_label("Sign in without a password")).to_be_checked()
    page.get_by_role("button", name="Add").click()
    page.wait_for_url(re.compile("recovery-codes|webauthn/$"))
    page.goto(f"{home}/me/")
    expect(page.get_by_role("link", name="Passkeys 1")).to_be_visible()
    tap(page.get_by_role("button", name="Sign out"))
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
    page.goto(f"{home}/account/login/?next=/me/")
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url(f"{home}/me/")
    expect(page.get_by_role("link", name="Passkeys 1")).to_be_visible()
