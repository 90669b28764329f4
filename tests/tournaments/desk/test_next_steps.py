"""Every event is led from its announcement to its end by the desk's next button."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils.timezone import now

from clubs.models import Role
from scoring.models import MatchStatus
from scoring.sheets.services.decisions import DirectedResult
from tests.factories import ClubFactory, member
from tests.forms import forms_of
from tests.tiers import sized
from tests.tournaments.factories import a_player
from tournaments.core.formats.presets import PRESETS
from tournaments.core.prizes.pools import Fees
from tournaments.desk.services.results import report_result
from tournaments.entries.services.entries import enter
from tournaments.events.event_templates import TEMPLATES, flight_from
from tournaments.events.plans import EventPlan
from tournaments.events.services.events import announce
from tournaments.models import Board, EntrantRow, EventStatus, FeePayment, PairingRow, PairingState, Prize
from tournaments.settlement.queries import settlement_of

pytestmark = pytest.mark.django_db

ALL = sorted({*TEMPLATES, *PRESETS} - {"ladder"})
"""A ladder has no next button: its players challenge each other, and it ends with its last day."""
WALKED = sized(["groups_then_knockout", "swiss_3"], ALL)
PLAYERS = {
    "swiss_and_cup": 12,
    "groups_then_knockout": 8,
    "jackpot_8": 8,
    "doubles_cup": 10,
    "team_league": 9,
}
MOST_PRESSES = 80


def the_plan(key):
    flight = flight_from(key, 1, now().date())
    waiting = {"swiss", "lives", "monrad", "keizer"}
    stages = tuple(replace(stage, rounds_wait=stage.format in waiting) for stage in flight.stages)
    flight = replace(flight, stages=stages, fees=Fees(0, 1000, 100))
    return EventPlan("Friday", now() + timedelta(hours=1), (flight,), hidden=True)


def press(client, page):
    """Press the first button of the desk; on the page it leads to, the main one as well."""
    step = page.context["desk"].next_step
    if step.post:
        form = forms_of(page.text.split('class="next-step"')[1])[0]
        assert form.action == step.address
        answer = client.post(form.action, form.fields)
        assert answer.status_code == 302, (step, answer.text)
        return
    shown = client.get(step.address)
    assert shown.status_code == 200
    wanted = {
        "publish_round": lambda each: each.fields.get("pair") == ["due"],
        "pay_prizes": lambda each: "cash" in each.fields,
        "close_cash_box": lambda each: "counted" in each.fields,
    }[step.kind]
    form = next(each for each in forms_of(shown.text) if wanted(each))
    if step.kind == "close_cash_box":
        form.fields["counted"] = [str(settlement_of(page.context["event"]).cash / 100)]
    assert client.post(form.action or step.address, form.fields).status_code == 302


def play(event, user):
    """Enter the results of all open matches, the second entrant winning every third."""
    rows = PairingRow.objects.filter(stage__flight__event=event, state=PairingState.OPEN)
    boards = Board.objects.filter(pairing__in=rows).exclude(match__status=MatchStatus.FINISHED)
    found = list(boards.select_related("pairing__stage__flight__event__club", "match"))
    for board in found:
        white = (board.pairing.number + board.number) % 3 > 0
        points = (board.match.length, 0) if white else (0, board.match.length)
        if PairingRow.objects.get(pk=board.pairing_id).state == PairingState.OPEN:
            report_result(
                pairing=board.pairing,
                decision=DirectedResult("white" if white else "black", points),
                user=user,
                board=board.number,
            )
    return bool(found)


@pytest.mark.parametrize("key", WALKED)
def test_every_format_is_led_to_its_end_by_the_next_button(client, key):
    club = ClubFactory.create()
    director = member(club, Role.DIRECTOR)
    client.force_login(director)
    event = announce(club=club, plan=the_plan(key), user=director)
    flight, desk = event.flights.get(), f"/events/{event.ref}/desk/"
    assert client.get(desk).context["desk"].next_step.kind == (
        "publish_event" if key == "jackpot_8" else "enter_players"
    )
    size = flight.team_size or 1
    names = iter(range(1, 999))
    for number in range(PLAYERS.get(key, 7) // size):
        team = f"Team {number}" if size > 2 else ""
        enter(flight=flight, players=[a_player(club, f"P{next(names)}") for _ in range(size)], name=team)
    EntrantRow.objects.filter(flight=flight).update(payment=FeePayment.CASH)
    pressed = []
    for _ in range(MOST_PRESSES):
        page = client.get(desk)
        step = page.context["desk"].next_step
        if step is not None and (step.kind != "publish_event" or page.context["event"].is_over):
            pressed.append(str(step.kind))
            press(client, page)
        elif not play(event, director):
            break
    event.refresh_from_db()
    assert (event.status, event.hidden) == (EventStatus.FINISHED, False), pressed
    assert not Prize.objects.filter(flight=flight, paid_at=None).exists()
    assert Prize.objects.filter(flight=flight).exists()
    assert "This event is done." in page.text
    assert pressed[-2:] == ["close_cash_box", "publish_event"]
    if key == "groups_then_knockout":
        assert pressed[:4] == ["draw", "call_matches", "confirm_field", "draw"]
