"""A published round can be withdrawn until one of its matches has begun."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.urls import reverse

from clubs.models import Role, Scope
from scoring.log.services.chains import chain_damage
from scoring.rules.events import OpeningRolled
from tests.clubs.api.clients import with_token
from tests.factories import member
from tests.tournaments.desk.test_hostile import report
from tests.tournaments.factories import a_player, an_event, drawn, open_pairings, other_side, win
from tournaments.core.proof.check import check_text
from tournaments.core.stages.errors import DrawRefused
from tournaments.desk.services.calls import call, start
from tournaments.desk.services.departures import leave
from tournaments.desk.services.undo import undo
from tournaments.entries.services.late_entries import enter_late
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import StaleRefused
from tournaments.models import DeskEvent, PairingState, StageRow
from tournaments.stages.services.archives import archive_text
from tournaments.stages.services.draws import undo_draw
from tournaments.stages.services.round_absences import miss_round
from tournaments.stages.services.rounds import pair_round, withdraw_round
from tournaments.stages.services.stages import load

pytestmark = pytest.mark.django_db


def a_second_round(players=6, key="swiss_3"):
    """A stage whose second round was published with the last result, and its director."""
    event = an_event(players, format_key=key)
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    for row in open_pairings(stage):
        win(row, director)
    return now_of(stage), director


def now_of(stage):
    return StageRow.objects.select_related("flight__event__club").get(pk=stage.pk)


def sides(stage):
    return sorted((row.a_id, row.b_id) for row in open_pairings(stage))


def accepted(stage):
    return check_text(archive_text(now_of(stage))).accepted and chain_damage(now_of(stage)) is None


@pytest.mark.parametrize("key", ["swiss_3", "monrad", "lives", "keizer"])
def test_a_withdrawn_round_can_be_published_again_and_both_are_proved(key):
    stage, director = a_second_round(key=key)
    if not open_pairings(stage):
        pair_round(stage=stage, user=director)  # a Keizer waits for its director
    before, rows = sides(stage), open_pairings(stage)
    withdraw_round(stage=stage, user=director)
    assert (load(now_of(stage)).rounds, now_of(stage).rounds_wait, open_pairings(stage)) == (1, True, [])
    for row in rows:
        row.refresh_from_db()
        assert (row.state, row.boards.get().match.status) == (PairingState.REPLACED, "void")
    assert accepted(stage)
    entry = DeskEvent.objects.get(kind="round_withdrawn")
    assert (entry.user, entry.body["round"]) == (director, 2)
    pair_round(stage=now_of(stage), user=director)
    assert sides(stage) == before
    assert accepted(stage)


def test_a_latecomer_enters_a_withdrawn_round_and_misses_only_the_first():
    for first in ("withdraw", "enter"):
        stage, director = a_second_round(5)
        zoe = a_player(stage.flight.event.club, "Zoe")
        if first == "withdraw":
            withdraw_round(stage=stage, user=director)
        enter_late(stage=now_of(stage), players=[zoe], user=director)
        if first == "enter":
            withdraw_round(stage=now_of(stage), user=director)
        pair_round(stage=now_of(stage), user=director)
        value = load(now_of(stage))
        assert (len(open_pairings(stage)), value.missed[6]) == (3, 1)
        assert accepted(stage)


def test_a_round_with_a_result_or_a_started_match_is_not_withdrawn_and_the_matches_are_named():
    stage, director = a_second_round()
    first, second, third = open_pairings(stage)
    start(pairing=second, user=director)
    report(third, OpeningRolled(3, 1))
    with pytest.raises(DeskRefused, match=r"Round 2 cannot be withdrawn: play has begun") as refused:
        withdraw_round(stage=stage, user=director)
    assert refused.value.code == "begun"
    assert str(refused.value).count(" – ") == 2
    win(first, director)
    with pytest.raises(DeskRefused) as refused:
        withdraw_round(stage=stage, user=director)
    assert str(refused.value).count(" – ") == 3


def test_a_walkover_in_a_round_is_named_as_such_and_undone_first(client):
    stage, director = a_second_round()
    row = open_pairings(stage)[0]
    sides = f"{row.a.title} – {other_side(row).title}"
    leave(entrant=row.a, user=director)
    client.force_login(director)
    page = client.post(reverse("tournaments:round", args=[stage.ref]), {"withdraw": "yes"})
    assert page.status_code == 409
    shown = page.content.decode()
    assert f"Round 2 cannot be withdrawn: it has a walkover or disqualification ({sides})." in shown
    log = reverse("tournaments:log", args=[stage.flight.event.ref])
    assert f'Undo that in the log first. <a href="{log}">Open log</a>' in shown
    undo(event=stage.flight.event, seq=DeskEvent.objects.get(kind="withdrawn").seq, user=director)
    withdraw_round(stage=now_of(stage), user=director)
    assert load(now_of(stage)).rounds == 1


def test_the_first_round_is_redrawn_instead():
    stage = drawn(an_event(4, format_key="swiss_3"))
    with pytest.raises(DeskRefused, match=r"comes with the draw\. Redraw it instead"):
        withdraw_round(stage=stage, user=None)
    undo_draw(stage=now_of(stage), user=None, reason="wrong")
    with pytest.raises(DeskRefused, match="there is no round"):
        withdraw_round(stage=now_of(stage), user=None)


def test_what_is_not_paired_round_by_round_has_no_round_to_withdraw():
    for key in ("knockout", "round_robin", "ready"):
        with pytest.raises(DeskRefused, match="is not paired round by round"):
            withdraw_round(stage=drawn(an_event(4, format_key=key)), user=None)


def test_absences_since_are_undone_first(client):
    stage, director = a_second_round(key="keizer")
    pair_round(stage=stage, user=director)
    client.force_login(director)
    absent = reverse("tournaments:absent", args=[stage.ref])
    miss_round(stage=stage, entrant=open_pairings(stage)[0].a, user=director)
    assert load(now_of(stage)).absent
    page = client.post(reverse("tournaments:round", args=[stage.ref]), {"withdraw": "yes"})
    assert page.status_code == 409
    assert f'<a href="{absent}">Change absences</a>' in page.content.decode()


def test_the_page_shows_the_consequence_and_withdraws(client):
    stage, director = a_second_round()
    called = open_pairings(stage)[0]
    call(pairing=called, user=director)
    client.force_login(director)
    here = reverse("tournaments:round", args=[stage.ref])
    page = client.get(here).content.decode()
    assert "Withdraw round 2" in page
    assert "called players are told" in page
    seen = now_of(stage).head_seq
    stale = client.post(here, {"withdraw": "yes", "seen": seen - 1})
    assert stale.status_code == 409
    done = client.post(here, {"withdraw": "yes", "seen": seen}, follow=True).content.decode()
    assert "Round withdrawn. Publish it again when it is right." in done
    assert "Suggested pairings" in done
    assert 'name="withdraw"' not in done
    assert DeskEvent.objects.get(kind="round_withdrawn").body["called"] == [called.ref]
    desk = client.get(reverse("tournaments:desk", args=[stage.flight.event.ref])).content.decode()
    assert "Round withdrawn" in desk
    assert "Publish next round: Main" in desk


def test_the_api_withdraws_a_round():
    stage, director = a_second_round()
    token = with_token(director, Scope.READ, Scope.DIRECT)
    here = reverse("api:stage_round", args=[stage.ref])
    assert token.delete(f"{here}?seen=1").status_code == 409
    told = token.delete(here).json()
    assert (told["number"], told["manual"], len(told["due"])) == (2, True, 3)
    assert token.delete(here).json()["code"] == "first_round"
    other = with_token(member(stage.flight.event.club), Scope.READ, Scope.DIRECT)
    assert other.delete(here).status_code == 403


def test_a_withdrawal_that_saw_another_draw_is_refused():
    stage, director = a_second_round()
    with pytest.raises(StaleRefused):
        withdraw_round(stage=stage, user=director, seen=1)


@pytest.mark.django_db(transaction=True)
def test_of_two_directors_withdrawing_at_once_one_is_refused():
    stage, director = a_second_round()

    def attempt(_n):
        try:
            withdraw_round(stage=stage, user=director)
        except (DeskRefused, DrawRefused) as refused:
            return refused.code
        finally:
            connections.close_all()
        return "done"

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(attempt, range(2))) == ["done", "first_round"]
