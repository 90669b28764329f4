"""The wire of helpers: what leaves, who gets it, and every way to lie, flood, come late or twice."""

import copy
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now
from rest_framework.test import APIClient

from clubs.models import AnalysesShown, Player, Role, WorkStatus
from clubs.tasks import reconcile
from clubs.work import services as work
from scoring.analysis.queries.analyses import decision_of
from scoring.analysis.services.analyses import run_analysis
from scoring.analysis.services.turns import claim_next
from scoring.helping.api.wire import HelperAnswerIn
from scoring.helping.services import leases
from scoring.helping.services.leases import MOST_QUESTIONS
from scoring.helping.services.samples import check_or_run
from scoring.models import (
    Analysis,
    AnalysisPart,
    DecisionRow,
    Helper,
    HelperLease,
    HelperStatus,
    LeaseStatus,
    Match,
    MatchPrivacy,
    Seat,
    Urgency,
)
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory
from tests.scoring.helping.wire import a_helper, an_imported_match, honest, label, the_analysis
from tests.tiers import sized

pytestmark = pytest.mark.django_db


def worked() -> Analysis:
    """What the next worker does."""
    analysis = claim_next()
    assert analysis is not None
    return check_or_run(analysis)


def later(lease: dict[str, Any]) -> None:
    """Let a lease run out, and the reconciler notice."""
    past = now() - timedelta(seconds=1)
    HelperLease.objects.filter(ref=lease["ref"]).update(until=past)
    Analysis.objects.update(lease_until=past)
    work.requeue_lost(Analysis)


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_an_honest_answer_is_stored_as_our_own_would_be() -> None:
    wire = a_helper()
    match = an_imported_match(wire.helper.club)
    lease = wire.lease()
    assert wire.post(f"leases/{lease['ref']}/heartbeat/", {"done": 2}).status_code == 200
    assert (the_analysis().status, the_analysis().done_decisions) == (WorkStatus.RUNNING, 2)
    assert claim_next() is None  # no worker has it meanwhile
    assert wire.answer(lease).json() == {"status": "checking", "reason": ""}
    assert not DecisionRow.objects.exists()  # it does not stand before its sample
    done = worked()
    assert (done.status, done.label) == (WorkStatus.DONE, label())
    theirs = [decision_of(row) for row in done.decisions.order_by("number")]
    stored = HelperLease.objects.get()
    assert (stored.status, stored.answer, len(stored.seed)) == (LeaseStatus.ACCEPTED, None, 32)

    summary = done.summary
    Analysis.objects.all().delete()
    Match.objects.get(pk=match.pk)
    Analysis.objects.create(
        match=match, head_seq=done.head_seq, head_hash=done.head_hash, engine=done.engine, preset=done.preset
    )
    own = run_analysis(claim_next() or the_analysis())
    assert [decision_of(row) for row in own.decisions.order_by("number")] == theirs
    assert own.summary == summary


def test_what_leaves_names_nobody() -> None:
    wire = a_helper()
    match = an_imported_match(wire.helper.club)
    lease = wire.lease()
    text = json.dumps(lease)
    names = [seat.player.name for seat in Seat.objects.filter(match=match).select_related("player__person")]
    for hidden in (*names, match.ref, wire.helper.club.name, wire.helper.club.ref, the_analysis().ref):
        assert hidden not in text
    assert set(lease) == {"ref", "until", "heartbeat_seconds", "engine", "label", "request"}
    assert set(lease["request"]) == {"questions", "preset"}


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "one answer too few": lambda body: body["answers"].pop(),
    "an answer twice": lambda body: body["answers"].__setitem__(1, body["answers"][0]),
    "no decisions": lambda body: body["answers"].__setitem__(0, []),
    "another label": lambda body: body.update(label="gammonview 0+bgsage-0 fast@3 Kazaross-XG2"),
    "an unknown field": lambda body: body["answers"][0][0].update(name="x"),
    "an impossible chance": lambda body: candidate(body).update(probabilities=[1.5, 0, 0, 0, 0]),
    "an enormous equity": lambda body: candidate(body).update(equity=1e9),
    "an illegal play": lambda body: candidate(body).update(position="-" * 25 + "A"),
    "a play written otherwise": lambda body: candidate(body).update(action="<b>24/18</b>"),
    "another depth": lambda body: [
        each.update(level="9-ply") for each in body["answers"][0][0]["candidates"]
    ],
    "another loss": lambda body: body["answers"][0][0].update(error=0.5),
    "another loss that does not count": lambda body: body["answers"][0][0].update(error=0.5, counted=False),
    "another play": lambda body: body["answers"][0][0].update(played="8/5 6/5"),
    "text instead of numbers": lambda body: candidate(body).update(equity="much"),
}


def candidate(body: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = body["answers"][0][0]["candidates"][0]
    return found


@pytest.mark.parametrize("change", sized(list(CHANGES)[:5], list(CHANGES)))
def test_a_lie_that_the_replay_shows_is_rejected_at_once(change) -> None:
    wire = a_helper()
    an_imported_match(wire.helper.club)
    lease = wire.lease()
    body = copy.deepcopy(honest(lease))
    CHANGES[change](body)
    told = wire.answer(lease, **body).json()
    assert told["status"] == "rejected"
    assert told["reason"].startswith("An answer broke a rule: ")
    helper = Helper.objects.get()
    assert (helper.status, helper.reason) == (HelperStatus.PAUSED, told["reason"])
    assert the_analysis().status == WorkStatus.QUEUED
    assert not AnalysisPart.objects.exists()
    assert code_of(wire.claim()) == (403, "helper_paused")
    other = a_helper(wire.helper.club)
    assert other.claim().json()["lease"] is None  # our own workers do it


def test_a_lie_that_only_an_engine_finds_is_rejected_by_the_sample() -> None:
    wire = a_helper()
    an_imported_match(wire.helper.club)
    lease = wire.lease()
    body = copy.deepcopy(honest(lease))
    for decisions in body["answers"]:
        for decision in decisions:
            for each in decision["candidates"]:
                each["equity"] += 0.01  # consistent, and wrong
    assert wire.answer(lease, **body).json()["status"] == "checking"
    put_back = worked()
    assert (put_back.status, put_back.attempts_left) == (WorkStatus.QUEUED, 3)
    helper = Helper.objects.get()
    assert helper.status == HelperStatus.PAUSED
    assert "Our engine differs: game 1" in helper.reason
    assert HelperLease.objects.get().status == LeaseStatus.REJECTED
    assert not DecisionRow.objects.exists()


def test_an_answer_that_comes_twice_is_stored_once_and_a_late_one_never() -> None:
    wire = a_helper()
    an_imported_match(wire.helper.club)
    late = wire.lease()
    later(late)
    assert code_of(wire.answer(late)) == (409, "lease_lost")
    assert code_of(wire.post(f"leases/{late['ref']}/heartbeat/", {"done": 1})) == (409, "lease_lost")
    assert the_analysis().attempts_left == 3  # a computer that was switched off is no failure
    other = a_helper(wire.helper.club)
    lease = other.lease()
    assert code_of(wire.answer(late)) == (409, "lease_lost")
    assert other.answer(lease).json()["status"] == "checking"
    seed = HelperLease.objects.get(ref=lease["ref"]).seed
    assert other.answer(lease).json()["status"] == "checking"
    assert HelperLease.objects.get(ref=lease["ref"]).seed == seed
    HelperLease.objects.filter(ref=lease["ref"]).update(answer=None, status=LeaseStatus.ACCEPTED)
    assert other.answer(lease).json()["status"] == "accepted"


def test_a_lease_belongs_to_one_helper() -> None:
    wire = a_helper()
    an_imported_match(wire.helper.club)
    lease = wire.lease()
    other = a_helper(wire.helper.club)
    for path, body in (("heartbeat", {"done": 1}), ("answer", honest(lease)), ("release", {})):
        assert code_of(other.post(f"leases/{lease['ref']}/{path}/", body)) == (404, "not_found")
    assert other.claim().json()["lease"] is None
    assert HelperLease.objects.get().status == LeaseStatus.OPEN


def test_a_token_opens_the_wire_alone_and_the_wire_only_to_it() -> None:
    wire = a_helper()
    assert code_of(wire.client.get("/api/v1/me/")) == (401, "token_not_valid")
    for client in (APIClient(), with_token(wire.user)):
        assert client.get("/api/v1/helper/").status_code == 401
    told = wire.client.get("/api/v1/helper/").json()
    assert (told["name"], told["status"], told["protocol"]) == ("Ana's desktop", "allowed", 1)
    assert wire.token not in str(list(Helper.objects.values()))


def test_who_is_not_allowed_gets_nothing(settings) -> None:
    wire = a_helper(allowed=False)
    an_imported_match(wire.helper.club)
    assert code_of(wire.claim()) == (403, "helper_waiting")
    Helper.objects.update(status=HelperStatus.PAUSED, reason="Enough.")
    assert code_of(wire.claim()) == (403, "helper_paused")
    assert "Enough." in wire.claim().json()["detail"]
    Helper.objects.update(status=HelperStatus.ALLOWED)
    wire.user.player.memberships.all().delete()
    assert code_of(wire.claim()) == (403, "not_a_member")
    settings.ANALYSIS_HELPERS = False
    assert code_of(wire.claim()) == (409, "helpers_off")
    Helper.objects.update(status=HelperStatus.ENDED)
    assert code_of(wire.claim()) == (401, "token_not_valid")


def test_only_the_wanted_label_and_the_spoken_version_get_questions() -> None:
    wire = a_helper()
    assert wire.claim("gnubg 0 fast@1 Kazaross-XG2").json()["lease"] is None  # nothing waits
    an_imported_match(wire.helper.club)
    refused = wire.claim("gnubg 0 fast@1 Kazaross-XG2")
    assert code_of(refused) == (409, "helper_label")
    assert refused.json()["parameters"]["labels"] == [label()]
    assert wire.client.get("/api/v1/helper/").json()["wanted"] == [label()]
    assert code_of(wire.claim(protocol=0)) == (409, "helper_outdated")
    assert "Update" in wire.claim(protocol=0).json()["detail"]
    assert not HelperLease.objects.exists()


def test_matches_that_are_kept_urgent_ones_and_ones_own_never_leave() -> None:
    wire = a_helper()
    club = wire.helper.club
    match = an_imported_match(club)
    seat = Seat.objects.filter(match=match)[0]

    def refused() -> bool:
        return wire.claim().json()["lease"] is None

    for urgency in (Urgency.ESTIMATE, Urgency.REQUESTED, Urgency.PLAYED):
        Analysis.objects.update(urgency=urgency)
        assert refused()
    Analysis.objects.update(urgency=Urgency.IDLE)
    kept = MatchPrivacy.objects.create(match=match, player=seat.player, keeps=True)
    assert refused()
    kept.delete()
    club.analyses_shown = AnalysesShown.PLAYERS
    club.save()
    assert refused()
    club.analyses_shown = AnalysesShown.EVERYONE
    club.save()
    Player.objects.filter(user=wire.user).update(user=None)
    Player.objects.filter(pk=seat.player_id).update(user=wire.user)
    seat.player.memberships.update(role=Role.MEMBER)
    if not seat.player.memberships.exists():
        seat.player.memberships.create(club=club, role=Role.MEMBER)
    wire.user.refresh_from_db()
    assert refused()
    other = a_helper(club)
    assert other.lease()
    stranger = a_helper(ClubFactory.create())
    assert stranger.claim().json()["lease"] is None


def test_two_lost_leases_leave_an_analysis_to_our_own_workers() -> None:
    wire = a_helper()
    an_imported_match(wire.helper.club)
    for _each in range(2):
        later(wire.lease())
    assert wire.claim().json()["lease"] is None
    assert claim_next() is not None


def test_a_released_lease_goes_on_at_once_a_failed_one_to_our_own_workers() -> None:
    wire = a_helper()
    an_imported_match(wire.helper.club)
    first = wire.lease()
    assert wire.post(f"leases/{first['ref']}/release/").status_code == 204
    second = wire.lease()
    assert wire.post(f"leases/{second['ref']}/release/", {"failed": True}).status_code == 204
    assert wire.post(f"leases/{second['ref']}/release/").status_code == 204
    assert wire.claim().json()["lease"] is None
    assert the_analysis().status == WorkStatus.QUEUED


def test_a_flood_is_refused(settings, monkeypatch) -> None:
    wire = a_helper()
    an_imported_match(wire.helper.club)
    lease = wire.lease()
    huge = wire.answer(lease, label="x" * 3_000_000)
    assert code_of(huge) == (413, "too_large")
    assert HelperAnswerIn().fields["answers"].max_length == MOST_QUESTIONS  # type: ignore[attr-defined]
    many = wire.answer(lease, answers=[[{}]] * (MOST_QUESTIONS + 1))
    assert code_of(many) == (400, "invalid")
    assert HelperLease.objects.get().status == LeaseStatus.OPEN
    an_imported_match(wire.helper.club)
    monkeypatch.setattr(leases, "MOST_LEASES", 1)
    assert code_of(wire.claim()) == (409, "too_many_leases")
    settings.API_RATES = {"helper": "2/min"}
    answers = [wire.client.get("/api/v1/helper/").status_code for _each in range(3)]
    assert answers == [200, 200, 429]


@pytest.mark.long
def test_an_engine_that_changed_here_blames_nobody(monkeypatch) -> None:
    wire = a_helper()
    an_imported_match(wire.helper.club)
    lease = wire.lease()
    wire.answer(lease)
    HelperLease.objects.update(label="gammonview 0+bgsage-0 fast@3 Kazaross-XG2")
    assert worked().status == WorkStatus.QUEUED
    assert HelperLease.objects.get().status == LeaseStatus.UNUSED
    assert Helper.objects.get().status == HelperStatus.ALLOWED
    assert worked().status == WorkStatus.DONE


@pytest.mark.long
def test_a_long_match_leaves_in_parts_that_amount_to_the_whole(monkeypatch) -> None:
    monkeypatch.setattr(leases, "MOST_QUESTIONS", 4)
    wire = a_helper()
    an_imported_match(wire.helper.club)
    sizes = []
    while the_analysis().status != WorkStatus.DONE:
        lease = wire.lease()
        sizes.append(len(lease["request"]["questions"]))
        assert wire.answer(lease).json()["status"] == "checking"
        worked()
    assert sizes == [4, 2]
    assert the_analysis().done_decisions == the_analysis().all_decisions == 6
    assert Helper.objects.with_counts().get().matches_done == 1  # type: ignore[attr-defined]


@pytest.mark.long
def test_a_worker_killed_over_a_sample_leaves_it_to_the_next() -> None:
    wire = a_helper()
    an_imported_match(wire.helper.club)
    wire.answer(wire.lease())
    seed = HelperLease.objects.get().seed
    assert claim_next() is not None  # and it is killed
    Analysis.objects.update(lease_until=now() - timedelta(seconds=1))
    reconcile()
    assert (HelperLease.objects.get().status, HelperLease.objects.get().seed) == (LeaseStatus.CHECKING, seed)
    assert worked().status == WorkStatus.DONE
    assert HelperLease.objects.get().status == LeaseStatus.ACCEPTED


def test_claiming_costs_the_same_with_many_waiting() -> None:
    wire = a_helper()
    assert wire.claim().json()["lease"] is None
    costs = []
    for _round in range(2):
        for _each in range(3):
            an_imported_match(wire.helper.club)
        with CaptureQueriesContext(connection) as queries:
            lease = wire.lease()
        costs.append(len(queries))
        wire.post(f"leases/{lease['ref']}/release/")
    assert costs[0] == costs[1]


def test_a_director_is_allowed_at_once_and_a_guest_never() -> None:
    assert a_helper(role=Role.DIRECTOR, allowed=False).helper.status == HelperStatus.ALLOWED
    club = ClubFactory.create()
    with pytest.raises(Exception, match="Only members"):
        a_helper(club, role=Role.GUEST)
