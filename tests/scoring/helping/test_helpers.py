"""Helpers of members: asked for, allowed, paused and ended, on the pages and by the API."""

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubs.accounts.queries import personal_data
from clubs.clubs.services.erasures import erase_user
from clubs.models import Club, Role, User
from clubs.work import services as work
from scoring.helping.services.helpers import MOST_HELPERS, ask_for_helper
from scoring.models import Analysis, Helper, HelperLease, HelperStatus, LeaseStatus
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, member
from tests.races import at_once
from tests.scoring.analysis.test_analyses import give_leases_up
from tests.scoring.helping.wire import a_helper, an_imported_match

pytestmark = pytest.mark.django_db
MINE = reverse("scoring:my_helpers")


def signed_in(client: Client, user: User) -> Client:
    client.force_login(user)
    return client


def asked(client: Client, club: Club) -> Any:
    return client.post(MINE, {"name": "  Ana's   desktop ", "club": club.ref})


def test_a_member_gets_a_token_once_and_a_director_lets_it_help(client) -> None:
    club = ClubFactory.create()
    ana, director = member(club, name="Ana Arana"), member(club, Role.DIRECTOR)
    assert asked(signed_in(client, ana), club).status_code == 302
    helper = Helper.objects.get()
    assert (helper.name, helper.status) == ("Ana's desktop", HelperStatus.WAITING)
    page = client.get(MINE).content.decode()
    token = page.split('<pre id="secret">')[1].split("<")[0]
    assert token.startswith(helper.prefix)
    assert token not in client.get(MINE).content.decode()

    signed_in(client, director)
    of_club = reverse("scoring:club_helpers", args=[club.slug])
    assert "Ana Arana" in client.get(of_club).content.decode()
    client.post(reverse("scoring:allow_helper", args=[club.slug, helper.ref]))
    helper.refresh_from_db()
    assert (helper.status, helper.decided_by) == (HelperStatus.ALLOWED, director)
    client.post(reverse("scoring:pause_helper", args=[club.slug, helper.ref]), {"reason": "Too hot."})
    assert "Too hot." in signed_in(client, ana).get(MINE).content.decode()
    client.post(reverse("scoring:end_helper", args=[helper.ref]))
    assert "You have no helpers." in client.get(MINE).content.decode()
    assert personal_data(ana)["analysis_helpers"][0]["status"] == "ended"


def test_what_a_paused_or_ended_helper_computes_goes_to_others(client) -> None:
    wire = a_helper()
    an_imported_match(wire.helper.club)
    wire.lease()
    director = with_token(member(wire.helper.club, Role.DIRECTOR))
    address = f"/api/v1/clubs/{wire.helper.club.slug}/helpers/{wire.helper.ref}/"
    told = director.patch(address, {"status": "paused"}, format="json").json()
    assert (told["status"], told["reason"]) == ("paused", "Paused by a director of the club.")
    assert HelperLease.objects.get().status == LeaseStatus.RELEASED
    assert director.patch(address, {"status": "allowed"}, format="json").json()["reason"] == ""
    wire.lease()
    own = with_token(wire.user)
    listed = own.get("/api/v1/me/helpers/").json()["items"]
    assert [(each["ref"], each["matches_done"]) for each in listed] == [(wire.helper.ref, 0)]
    assert own.delete(f"/api/v1/me/helpers/{wire.helper.ref}/").status_code == 204
    assert own.delete(f"/api/v1/me/helpers/{wire.helper.ref}/").status_code == 404
    assert director.patch(address, {"status": "allowed"}, format="json").status_code == 404
    assert not HelperLease.objects.filter(status=LeaseStatus.OPEN).exists()


def test_an_erased_member_leaves_no_helper_and_the_match_goes_on() -> None:
    wire = a_helper()
    an_imported_match(wire.helper.club)
    wire.lease()
    erase_user(user=wire.user)
    assert not Helper.objects.exists()
    assert wire.claim().status_code == 401
    give_leases_up()
    work.requeue_lost(Analysis)
    assert a_helper(wire.helper.club).lease()


def test_lists_cost_the_same_with_one_helper_and_with_many(client) -> None:
    club = ClubFactory.create()
    signed_in(client, member(club, Role.OWNER))
    costs = []
    for number in (1, 5):
        for _each in range(number):
            a_helper(club)
        with CaptureQueriesContext(connection) as queries:
            page = client.get(reverse("scoring:club_helpers", args=[club.slug]))
        assert page.status_code == 200
        costs.append(len(queries))
    assert costs[0] == costs[1]


def test_a_guest_another_club_and_too_many_are_refused(client) -> None:
    club = ClubFactory.create()
    ana = member(club)
    signed_in(client, ana)
    assert "Select a valid choice" in asked(client, ClubFactory.create()).content.decode()
    for _each in range(MOST_HELPERS):
        ask_for_helper(user=ana, club=club, name="Desktop")
    assert "the maximum" in asked(client, club).content.decode()
    guest = signed_in(Client(), member(club, Role.GUEST))
    assert "Join a club first" in guest.get(MINE).content.decode()


@pytest.mark.parametrize("wrong", [{"name": ""}, {"status": "gone"}, {"status": "paused", "reason": ""}])
def test_the_database_keeps_no_impossible_helper(wrong) -> None:
    wire = a_helper()
    with pytest.raises(IntegrityError), transaction.atomic():
        Helper.objects.filter(pk=wire.helper.pk).update(**wrong)


@pytest.mark.parametrize(
    "wrong",
    [{"status": "checking"}, {"answer": []}, {"status": "rejected"}, {"questions": 0}, {"status": "x"}],
)
def test_the_database_keeps_no_impossible_lease(wrong) -> None:
    wire = a_helper()
    an_imported_match(wire.helper.club)
    wire.lease()
    with pytest.raises(IntegrityError), transaction.atomic():
        HelperLease.objects.update(**wrong)


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_one_match_goes_to_one_of_two_who_claim_at_once() -> None:
    club = ClubFactory.create()
    one, other = a_helper(club), a_helper(club)
    an_imported_match(club)
    one.claim()
    one.post(f"leases/{HelperLease.objects.get().ref}/release/")
    answers = at_once(one.claim, other.claim)
    assert sorted(answer.json()["lease"] is None for answer in answers) == [False, True]
    assert HelperLease.objects.filter(status=LeaseStatus.OPEN).count() == 1
