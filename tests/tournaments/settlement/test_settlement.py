"""Settlement of an event: net payouts, unpaid winners, receipts, and a cash box that closes."""

from collections.abc import Callable
from functools import partial

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from clubs.models import OutgoingMail, Role
from tests.factories import member
from tests.races import at_once, in_between
from tests.tournaments.factories import a_player, an_event, drawn, flight_of, open_pairings, win
from tournaments.core.prizes.pools import Fees
from tournaments.entries.queries.table import entry_table
from tournaments.entries.services.entries import enter, withdraw
from tournaments.entries.services.entry_changes import change_entry
from tournaments.entries.services.fees import record_payment
from tournaments.events.services.events import FlightTerms, OvertakenRefused
from tournaments.log.refusals import DeskRefused
from tournaments.models import CashClosing, DeskEvent, EntrantRow, FeePayment, PaidHow, Prize
from tournaments.money.queries import balance_of
from tournaments.money.services.prizes import approve_prizes, pay_prize
from tournaments.settlement.queries import settlement_of
from tournaments.settlement.services import (
    close_cash_box,
    pay_out_all,
    reopen_cash_box,
    send_receipt,
    settle,
)

pytestmark = pytest.mark.django_db


def played(*, paid=3, kind="knockout"):
    """Four entrants of 25.00 each, ``paid`` of them in cash; the last match is over."""
    event = an_event(4, terms=FlightTerms(Fees(500, 2000, 100), percentages=(65, 35)), format_key=kind)
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director)
    flight = flight_of(event)
    winners = {award.entrant_id for award in approve_prizes(flight=flight)}
    others = list(EntrantRow.objects.exclude(pk__in=winners)) + list(
        EntrantRow.objects.filter(pk__in=winners)
    )
    for entrant in others[:paid]:
        record_payment(entrant=entrant, user=director, payment=FeePayment.CASH)
    return event, director


def sums(event):
    found = settlement_of(event)
    return found.to_collect, found.to_pay_out, found.cash


def test_a_winner_who_owes_fees_is_paid_the_difference():
    event, director = played()
    line = next(line for line in settlement_of(event).lines if line.account.unpaid_winner)
    assert line.account.net == line.account.won - 25_00
    with pytest.raises(OvertakenRefused):
        settle(event=event, account=line.ref, how=PaidHow.CASH, user=director, seen=line.account.won)
    for _twice in range(2):
        done = settle(event=event, account=line.ref, how=PaidHow.CASH, user=director)
        assert done.account.settled
    assert DeskEvent.objects.filter(kind="settled").count() == 1
    for other in settlement_of(event).open:
        settle(event=event, account=other.ref, how=PaidHow.CASH, user=director)
    assert sums(event) == (0, 0, 20_00)
    found = balance_of(flight_of(event))
    assert (found.unpaid, found.expected_cash, found.fees) == (0, 20_00, {"cash": 100_00})
    for how, code in ((PaidHow.KIND, "how"), (PaidHow.CASH, "no_account")):
        with pytest.raises(DeskRefused) as refused:
            settle(event=event, account="nobody", how=how, user=director)
        assert refused.value.code == code


def test_fees_in_cash_and_by_transfer_are_both_counted(client):
    event, director = played(paid=0)
    for row in EntrantRow.objects.all():
        change_entry(entrant=row, values={"payment": FeePayment.CASH, "paid": 10_00}, user=director)
    assert sums(event)[2] == 40_00
    line = settlement_of(event).open[0]
    settle(event=event, account=line.ref, how=PaidHow.TRANSFER, user=director)
    client.force_login(director)
    receipt = client.get(reverse("tournaments:receipt", args=[event.ref, line.ref])).text
    assert ("cash" in receipt, "transfer" in receipt) == (True, True)
    assert sums(event)[2] == 40_00
    found = balance_of(flight_of(event))
    assert found.fees == {"cash": 40_00, "transfer": 15_00, "open": 45_00}
    assert found.expected_cash == 40_00
    address = reverse("tournaments:settlement", args=[event.ref])
    state = settlement_of(event)
    payable = [each.ref for each in state.payable]
    assert client.post(address, {"all": "cheque", "seen": "1"}).status_code == 409
    assert client.post(address, {"all": "cash", "seen": "1"}).status_code == 409
    assert client.post(address, {"all": "cash", "seen": str(state.to_pay_out)}).status_code == 302
    done = settlement_of(event)
    assert not done.payable
    assert set(payable) <= {each.ref for each in done.done}
    assert [each.account.net < 0 for each in done.open] == [True] * (len(state.open) - len(payable))
    assert pay_out_all(event=event, how=PaidHow.CASH, user=director) == 0


def test_entries_in_two_divisions_are_one_account_and_void_fees_are_refunded():
    event = an_event(3, terms=FlightTerms(Fees(0, 1000, 100)))
    waiting = enter(
        flight=flight_of(event), players=[a_player(event.club, "P9")], payment=FeePayment.TRANSFER
    )
    withdraw(entrant=waiting)
    unpaid = enter(flight=flight_of(event), players=[a_player(event.club, "P8")])
    withdraw(entrant=unpaid)
    again = enter(flight=flight_of(event), players=waiting.players)
    found = settlement_of(event)
    line = found.line(waiting.ref)
    assert line is not None
    account = line.account
    assert (account.due, account.paid, account.refund, account.net) == (20_00, 10_00, 10_00, 0)
    assert not account.settled
    assert found.line(again.ref) is None
    assert found.line(unpaid.ref) is None
    settle(event=event, account=waiting.ref, how=PaidHow.CASH, user=None)
    again.refresh_from_db()
    waiting.refresh_from_db()
    assert again.payment == FeePayment.CASH
    assert waiting.refunded_at is not None
    # Paid by transfer, refunded in cash, and entered again for cash: nothing is left in the box.
    assert sums(event)[2] == balance_of(flight_of(event)).expected_cash == 0
    assert entry_table(event).totals.due == 40_00


def test_a_closed_cash_box_takes_no_fees_and_pays_nothing_out():
    event, director = played()
    with pytest.raises(DeskRefused, match=r"Settle this first, or close with open accounts\."):
        close_cash_box(event=event, counted=75_00, user=director)
    with pytest.raises(OvertakenRefused):
        close_cash_box(event=event, counted=75_00, user=director, anyway=True, seen=1)
    closing = close_cash_box(
        event=event, counted=124_50, starting=50_00, user=director, anyway=True, seen=75_00
    )
    assert (closing.expected, closing.difference, closing.unsettled) == (125_00, -50, 2)
    entrant, prize = EntrantRow.objects.filter(payment=FeePayment.OPEN)[0], Prize.objects.all()[0]
    flight = flight_of(event)
    newcomer = a_player(event.club, "P5")
    refused = (
        lambda: record_payment(entrant=entrant, user=director, payment=FeePayment.CASH),
        lambda: pay_prize(prize=prize, how=PaidHow.CASH, user=director),
        lambda: approve_prizes(flight=flight, user=director),
        lambda: settle(event=event, account=entrant.ref, how=PaidHow.CASH, user=director),
        lambda: close_cash_box(event=event, counted=0, user=director, anyway=True),
    )
    for act in refused:
        with pytest.raises(DeskRefused, match="The cash box was closed on") as error:
            act()
        assert error.value.code == "cash_box_closed"
    other = an_event(2, club=event.club)
    enter(flight=flight_of(other), players=[newcomer], payment=FeePayment.CASH)
    reopen_cash_box(event=event, user=director)
    with pytest.raises(OvertakenRefused):
        reopen_cash_box(event=event, user=director)
    record_payment(entrant=entrant, user=director, payment=FeePayment.CASH)
    kinds = (
        DeskEvent.objects.filter(kind__startswith="cash_box").order_by("seq").values_list("kind", flat=True)
    )
    assert list(kinds) == ["cash_box_closed", "cash_box_reopened"]


def test_paid_entries_are_refused_while_the_box_is_closed():
    event = an_event(2)
    close_cash_box(event=event, counted=0, user=None)
    player = a_player(event.club, "P5")
    with pytest.raises(DeskRefused, match="The cash box was closed on"):
        enter(flight=flight_of(event), players=[player], payment=FeePayment.CASH)
    enter(flight=flight_of(event), players=[player])


@pytest.mark.django_db(transaction=True)
def test_of_two_who_close_the_box_at_once_one_does():
    event = an_event(2)
    answers = at_once(
        lambda: close_cash_box(event=event, counted=1, user=None),
        lambda: close_cash_box(event=event, counted=2, user=None),
    )
    assert sorted(type(each).__name__ for each in answers) == ["CashClosing", "DeskRefused"]
    assert CashClosing.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_pay_all_that_is_pressed_three_times_at_once_pays_each_prize_once():
    event, director = played()
    address, shown = reverse("tournaments:settlement", args=[event.ref]), settlement_of(event)
    refs = {line.ref for line in shown.payable}

    def press(user, how):
        browser = Client()
        browser.force_login(user)
        return lambda: browser.post(address, {"all": how, "seen": str(shown.to_pay_out)}).status_code

    other = member(event.club, Role.DIRECTOR)
    answers = at_once(press(director, "cash"), press(director, "cash"), press(other, "transfer"))
    assert sorted(answers) == [302, 409, 409]
    settled = DeskEvent.objects.filter(event=event, kind="settled")
    assert sorted(entry.body["entrant"] for entry in settled) == sorted(refs)
    assert sum(entry.body["net"] for entry in settled) == shown.to_pay_out
    assert len({entry.body["how"] for entry in settled}) == 1
    assert settlement_of(event).to_pay_out == 0
    assert balance_of(flight_of(event)).expected_cash == sums(event)[2]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("first", ["all", "prize", "account"])
def test_pay_all_and_one_payment_at_once_pay_no_prize_twice(first):
    event, director = played(paid=4)
    shown = settlement_of(event)
    prize = Prize.objects.filter(flight__event=event).order_by("pk")[0]
    pay: dict[str, Callable[[], object]] = {
        "all": partial(pay_out_all, event=event, how=PaidHow.CASH, user=director, seen=shown.to_pay_out),
        "prize": partial(pay_prize, prize=prize, how=PaidHow.TRANSFER, user=director, seen=prize.amount),
        "account": partial(
            settle,
            event=event,
            account=prize.entrant.ref,
            how=PaidHow.TRANSFER,
            user=director,
            seen=prize.amount,
        ),
    }
    done, refused = in_between(pay.pop(first), pay["all"] if "all" in pay else pay["prize"])
    assert not isinstance(done, Exception)
    assert isinstance(refused, DeskRefused)
    prize.refresh_from_db()
    assert prize.paid_how == (PaidHow.CASH if first == "all" else PaidHow.TRANSFER)
    entries = DeskEvent.objects.filter(event=event, kind__in=["settled", "prize_paid"])
    assert sum(prize.ref in (entry.body.get("prizes") or [entry.body.get("prize")]) for entry in entries) == 1


def test_pages_lead_from_an_unpaid_winner_to_a_closed_box(client, django_assert_max_num_queries):
    event, director = played()
    client.force_login(director)
    address = reverse("tournaments:settlement", args=[event.ref])
    money = client.get(reverse("tournaments:money", args=[event.ref])).content.decode()
    assert "Unpaid winners:" in money
    assert address in money
    page = client.get(address).content.decode()
    assert "Unpaid winner<" in page
    for line in settlement_of(event).open:
        client.post(address, {"cash": f"{line.ref}:{line.account.net}"})
    stale = client.post(address, {"cash": "x:1"})
    assert stale.status_code == 409
    desk = reverse("tournaments:desk", args=[event.ref])
    step = client.get(desk).context["desk"].next_step
    assert (step.kind, step.address) == ("close_cash_box", f"{address}#cash-box")
    box = reverse("tournaments:cash_box", args=[event.ref])
    assert "is not an amount" in client.post(box, {"counted": "much"}).content.decode()
    assert client.post(box, {"counted": "20,00", "seen": "2000"}).status_code == 302
    assert CashClosing.objects.get().difference == 0
    assert "This event is done." in client.get(desk).text
    page = client.get(address).content.decode()
    assert "Reopen cash box" in page
    assert "Settle in cash" not in page
    client.post(box, {"reopen": "yes"})
    log = client.get(reverse("tournaments:log", args=[event.ref])).content.decode()
    for words in ("Cash box closed", "counted 20.00 EUR", "difference 0.00 EUR", "Cash box reopened"):
        assert words in log
    with django_assert_max_num_queries(8):
        client.get(address)


def test_a_receipt_is_shown_and_mailed(client):
    event, director = played()
    client.force_login(director)
    line = next(line for line in settlement_of(event).lines if line.account.unpaid_winner)
    address = reverse("tournaments:receipt", args=[event.ref, line.ref])
    page = client.get(address).content.decode()
    for words in ("Registration fee", "Entry fee", "Prize: Main pool", "Still to pay out"):
        assert words in page
    with pytest.raises(DeskRefused, match="no account"):
        send_receipt(event=event, account=line.ref, user=director)
    user = member(event.club, Role.MEMBER)
    line.players[0].entries.update(player=user.player)
    assert "Email receipt" in client.get(address).content.decode()
    before = OutgoingMail.objects.count() + len(mail.outbox)
    client.post(reverse("tournaments:mail_receipt", args=[event.ref, line.ref]))
    assert OutgoingMail.objects.count() + len(mail.outbox) == before + 1


def test_programs_settle_as_pages_do(client):
    event, director = played()
    client.force_login(director)
    address = reverse("api:settlement", args=[event.ref])
    seen = {"how": "cash", "seen": 1}
    assert client.post(address, seen, "application/json").status_code == 409
    found = client.get(address).json()
    assert [len(found["reasons"]), found["closing"], found["cash"]] == [1, None, 75_00]
    for account in found["accounts"]:
        if not account["settled"]:
            body = {"how": "transfer", "seen": account["net"]}
            to = reverse("api:settle", args=[event.ref, account["ref"]])
            assert client.post(to, body, "application/json").json()["settled"]
    box = reverse("api:cash_box", args=[event.ref])
    closed = client.post(box, {"counted": 75_00}, "application/json")
    assert closed.json()["difference"] == 0
    again = client.post(box, {"counted": 75_00}, "application/json")
    assert (again.status_code, again.json()["code"]) == (409, "cash_box_closed")
    assert client.get(address).json()["closing"]["counted"] == 75_00
    assert client.delete(box).json()["reopened_at"]
