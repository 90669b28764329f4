"""Payments of a night: marked as paid, taken back, counted after a correction, shown in text and files."""

import csv
import json
from io import StringIO

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client
from django.urls import reverse

from scoring.chouettes.queries.chouettes import table_view
from scoring.chouettes.queries.summary import summary_of
from scoring.chouettes.services.chouettes import record
from scoring.chouettes.services.corrections import correct, undo_last
from scoring.chouettes.services.damage import damage_of
from scoring.chouettes.services.payments import mark_paid, take_back_paid
from scoring.chouettes.services.tables import join_as_guest
from scoring.log.queries.chouettes import seen_table
from scoring.log.queries.writers import Author
from scoring.models import SheetEvent
from scoring.rules.chouette.events import GameOver, Joined, Nothing, PaymentMade, SessionClosed
from scoring.rules.chouette.payments import Transfer
from scoring.rules.match import Win
from scoring.sheets.services.entries import Entry, EntryRefused
from tests.scoring.chouettes.tables import Night

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    """Three at one euro a point; Jon and Eva have lost one each to Ana."""
    found = Night(3)
    found.play()
    return found


def paid(night: Night, payer: str, receiver: str, minor: int) -> PaymentMade:
    return PaymentMade(night.refs[payer], night.refs[receiver], minor)


def told(night: Night, reader: str = "Ana") -> list[str]:
    return [
        f"{each['words']}{' (paid)' * each['paid']}" for each in table_view(night.seen(reader))["payments"]
    ]


def test_a_payment_is_marked_once_taken_back_and_marked_again(night):
    night.write(paid(night, "Jon", "Ana", 100), by="Jon")
    [made] = [each for each in table_view(night.seen())["payments"] if each["paid"]]
    assert (made["seq"], made["by"], made["money"]) == (night.head, "Jon", "1.00 EUR")
    assert table_view(night.seen())["lines"][-1]["words"] == "Jon has paid Ana 1.00 EUR"
    assert told(night) == ["Jon pays Ana 1.00 EUR (paid)", "Eva pays Ana 1.00 EUR"]
    # Nothing more is due from Jon: somebody else who marks it is told so.
    with pytest.raises(EntryRefused, match="does not have to pay"):
        night.write(paid(night, "Jon", "Ana", 100))
    undo_last(chouette=night.loaded, author=night.author(), after=night.head, key="u")
    assert told(night) == ["Jon pays Ana 1.00 EUR", "Eva pays Ana 1.00 EUR"]
    night.write(paid(night, "Jon", "Ana", 40), by="Eva")
    assert told(night) == [
        "Jon pays Ana 0.40 EUR (paid)", "Eva pays Ana 1.00 EUR", "Jon pays Ana 0.60 EUR",
    ]  # fmt: skip
    assert night.balances()["Jon"] == (-1, -100)  # the ledger is what was won and lost
    assert damage_of(night.loaded.sheet) is None


def test_what_was_paid_counts_when_an_earlier_game_is_corrected(night):
    ended = night.head
    night.write(paid(night, "Jon", "Ana", 100), SessionClosed())
    for key, event in (("c", GameOver(box_won=False, win=Win.SINGLE)), ("d", GameOver(True, Win.SINGLE))):
        correct(
            chouette=night.loaded, author=night.author(), after=night.head, key=key, seq=ended,
            event=event, reason="the crew won",
        )  # fmt: skip
        if key == "c":
            # Ana lost 2, and has 1 of Jon's.
            assert told(night) == [
                "Jon pays Ana 1.00 EUR (paid)", "Ana pays Jon 2.00 EUR", "Ana pays Eva 1.00 EUR",
            ]  # fmt: skip
    assert told(night) == ["Jon pays Ana 1.00 EUR (paid)", "Eva pays Ana 1.00 EUR"]
    assert damage_of(night.loaded.sheet) is None


def test_a_correction_that_cuts_what_follows_leaves_what_was_paid(night):
    night.write(paid(night, "Jon", "Ana", 100))
    joined = SheetEvent.objects.get(
        sheet=night.loaded.sheet, body__player=night.refs["Jon"], kind=Joined.kind
    )
    correct(
        chouette=night.loaded, author=night.author(), after=night.head, key="c", seq=joined.seq,
        event=Nothing(), reason="never there", cut=True,
    )  # fmt: skip
    assert told(night) == ["Jon pays Ana 1.00 EUR (paid)", "Ana pays Jon 1.00 EUR"]
    assert damage_of(night.loaded.sheet) is None


def test_text_picture_and_files_say_what_was_paid(night, client):
    night.write(paid(night, "Jon", "Ana", 100), by="Eva")
    assert summary_of(night.seen()).text.endswith("Jon pays Ana 1.00 EUR (paid)\nEva pays Ana 1.00 EUR")
    client.force_login(night.users["Jon"])
    files = {
        name: client.get(reverse(f"scoring:chouette_{name}", args=[night.chouette.ref])).content.decode()
        for name in ("csv", "json")
    }
    rows = list(csv.DictReader(StringIO(files["csv"])))
    assert [(row["game"], row["player"], row["role"], row["minor"]) for row in rows[3:]] == [
        ("", "Jon", "payer", "100"), ("", "Ana", "receiver", "-100"),
    ]  # fmt: skip
    assert sum(int(row["minor"]) for row in rows if row["player"] == "Ana") == 100
    settle = json.loads(files["json"])["settle_up"]
    assert [(each["minor"], each["paid"], each["by"]) for each in settle] == [
        (100, True, "Eva"), (100, False, ""),
    ]  # fmt: skip


def test_a_club_for_points_shows_no_payments_and_takes_none(night, client):
    night.write(paid(night, "Jon", "Ana", 100))
    night.club.points_only = True
    night.club.save()
    view = table_view(night.seen())
    assert view["payments"] == []
    assert view["lines"][-1]["words"] == "Jon has paid Ana"
    assert view["lines"][-1]["body"]["minor"] == 0
    assert summary_of(night.seen()).payments == ()
    with pytest.raises(EntryRefused, match="plays for points only"):
        night.write(paid(night, "Eva", "Ana", 100))
    client.force_login(night.users["Ana"])
    page = client.get(reverse("scoring:chouette_history", args=[night.chouette.ref])).content.decode()
    assert "Settle up" not in page


def test_a_table_without_stakes_has_nothing_to_settle(client):
    night = Night(3, stake=0)
    night.play()
    client.force_login(night.users["Ana"])
    page = client.get(reverse("scoring:chouette_history", args=[night.chouette.ref])).content.decode()
    assert "Settle up" not in page
    assert "Everyone is even" not in page
    assert "EUR" not in page


@pytest.mark.parametrize(
    ("payer", "receiver", "minor", "why"),
    [
        ("Jon", "Ana", 101, "Jon does not have to pay Ana 1.01 EUR now"),
        ("Ana", "Jon", 1, "Ana does not have to pay Jon 0.01 EUR now"),
        ("Jon", "Eva", 1, "does not have to pay"),
        ("Jon", "Jon", 1, "does not have to pay"),
        ("Jon", "Ana", 10**30, "is above the limit"),
        ("Jon", "Ana", 0, "cannot be paid"),
        ("Jon", "Ana", -5, "cannot be paid"),
    ],
)
def test_only_what_is_due_can_be_paid(night, client, payer, receiver, minor, why):
    client.force_login(night.users["Ana"])
    body = {"payer": night.refs[payer], "receiver": night.refs[receiver], "minor": minor}
    answer = client.post(
        reverse("api:chouette_events", args=[night.chouette.ref]),
        {"after": night.head, "entries": [{"key": "k", "kind": "paid", "body": body}]},
        content_type="application/json",
    )
    assert answer.status_code == 422
    assert why in answer.json()["detail"]


def test_a_payment_is_deleted_and_never_turned_into_another(night):
    night.write(paid(night, "Jon", "Ana", 100))
    for seq, event in (
        (night.head, paid(night, "Eva", "Ana", 100)),
        (night.head - 1, paid(night, "Eva", "Ana", 1)),
    ):
        with pytest.raises(EntryRefused, match="a payment cannot be corrected"):
            correct(
                chouette=night.loaded, author=night.author(), after=night.head, key="c", seq=seq,
                event=event, reason="x",
            )  # fmt: skip


def test_two_who_mark_the_same_payment_on_the_summary_count_once(night):
    payment = Transfer(night.refs["Jon"], night.refs["Ana"], 100)
    marks = [
        mark_paid(chouette=night.loaded, author=night.author(name), key=key, payment=payment)
        for name, key in (("Ana", "a"), ("Ana", "a"), ("Jon", "j"))
    ]
    assert marks == [True, True, False]
    backs = [
        take_back_paid(chouette=night.loaded, author=night.author(), key=key, seq=night.head, reason="x")
        for key in ("b", "c")
    ]
    assert backs == [True, False]
    assert told(night) == ["Jon pays Ana 1.00 EUR", "Eva pays Ana 1.00 EUR"]


def test_the_summary_marks_payments_for_those_who_may_record(night):
    session = SessionStore()
    leo = join_as_guest(chouette=night.loaded, name="Leo", session=session)
    night.write(SessionClosed())
    history, marking = (
        reverse(f"scoring:chouette_{name}", args=[night.chouette.ref]) for name in ("history", "paid")
    )
    ana = Client()
    ana.force_login(night.users["Ana"])
    form = {
        "key": "k", "payer": night.refs["Jon"], "receiver": night.refs["Ana"], "minor": "100",
    }  # fmt: skip
    assert ana.get(history).content.decode().count("Mark paid") == 2
    assert ana.post(marking, form).headers["Location"] == f"{history}#payments-name"
    page = ana.get(history).content.decode()
    assert (page.count("Mark paid"), page.count("Not paid")) == (1, 1)
    for wrong in ({}, form | {"minor": "x"}, form | {"payer": "x" * 50}, {"key": "q", "seq": "0"}):
        shown = ana.post(marking, wrong, follow=True).content.decode()
        assert "This form is out of date" in shown
    assert "already recorded this" in ana.post(marking, form | {"key": "2"}, follow=True).content.decode()
    assert (
        "does not have to pay"
        in ana.post(marking, form | {"key": "3", "minor": "7"}, follow=True).content.decode()
    )
    ana.post(marking, {"key": "t", "seq": str(night.head)})
    assert ana.get(history).content.decode().count("Mark paid") == 2
    # A guest's phone can read it after the end, no more.
    phone = Author(claim=leo.claim)
    with pytest.raises(EntryRefused, match="this chouette is over"):
        mark_paid(
            chouette=night.loaded, author=phone, key="g",
            payment=Transfer(night.refs["Jon"], night.refs["Ana"], 100),
        )  # fmt: skip
    of_guest = seen_table(AnonymousUser(), night.chouette.ref, session)
    assert of_guest
    assert len(table_view(of_guest)["payments"]) == 2


def test_a_night_whose_state_was_stored_before_there_were_payments_is_intact(night):
    assert '"paid"' not in night.loaded.sheet.state
    record(
        chouette=night.loaded, author=night.author(), after=night.head,
        entries=[Entry("p", paid(night, "Jon", "Ana", 100))],
    )  # fmt: skip
    assert '"paid"' in night.loaded.sheet.state
