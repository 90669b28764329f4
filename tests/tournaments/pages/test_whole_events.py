"""Whole events through the API: from registration to prizes, players reporting, a director correcting."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Club, Role, User
from tests.factories import ClubFactory, member
from tests.tiers import sized
from tournaments.core.proof.check import check_text

pytestmark = pytest.mark.django_db

PLAYERS = sized(8, 16)
LENGTH = 3
FEE = 1_000


class Somebody:
    """A person at the API. ``asks`` and ``does`` fail the test on an answer that was not expected."""

    def __init__(self, user: User) -> None:
        self.client, self.user = Client(), user
        self.client.force_login(user)

    def asks(self, name: str, /, *where: str) -> Any:
        answer = self.client.get(reverse(f"api:{name}", args=where))
        assert answer.status_code == 200, answer.content
        return answer.json()

    def does(self, name: str, /, *where: str, expect: int = 200, **body: Any) -> Any:
        answer = self.client.post(reverse(f"api:{name}", args=where), body, content_type="application/json")
        assert answer.status_code == expect, answer.content
        return answer.json()

    def everything(self, name: str, /, *where: str) -> list[dict[str, Any]]:
        """Every row of a list, page after page."""
        rows, address = [], reverse(f"api:{name}", args=where)
        while address:
            found = self.client.get(address).json()
            rows += found["items"]
            address = found["next"]
        return rows


class Evening:
    """An event with its director and players, each signed in on a device of their own."""

    def __init__(self, club: Club, format_key: str) -> None:
        self.director = Somebody(member(club, Role.DIRECTOR, name="Director"))
        self.players: dict[str, Somebody] = {}
        event = self.director.does(
            "club_events",
            club.slug,
            expect=201,
            name="Evening",
            starts_at=(now() + timedelta(hours=1)).isoformat(),
            format=format_key,
            length=LENGTH,
            entry_fee=FEE,
        )
        self.event = event["ref"]
        for number in range(1, PLAYERS + 1):
            player = Somebody(member(club, name=f"P{number}"))
            entrant = player.does("enter", self.event, expect=201)["ref"]
            self.players[entrant] = player
            self.director.does("check_in", entrant, payment="cash")
        self.stage = self.director.does("draw", self.event)["ref"]

    def open(self) -> list[dict[str, Any]]:
        rows = self.director.everything("stage_pairings", self.stage)
        return [row for row in rows if row["state"] == "open"]

    def the_winner_reports(self, row: dict[str, Any]) -> None:
        """The winner enters the score on the match's sheet and the loser says yes."""
        winner, loser = self.players[row["a"]], self.players[row["b"]]
        after = winner.asks("sheet", row["match"])["seq"]
        entry = {"key": f"{row['ref']}-end", "kind": "final_score", "body": {"white": LENGTH, "black": 1}}
        for _again in range(2):  # the answer was lost on the way: the same entry is sent once more
            winner.does("match_events", row["match"], after=after, entries=[entry])
        loser.does("confirmations", row["match"])

    def the_director_enters(self, row: dict[str, Any], **decision: Any) -> None:
        shown = self.director.does("preview_result", row["ref"], **decision)
        reason = "entered at the desk"
        self.director.does("pairing_result", row["ref"], seen=shown["seen"], reason=reason, **decision)

    def pairing(self, ref: str) -> dict[str, Any]:
        return next(
            row for row in self.director.everything("stage_pairings", self.stage) if row["ref"] == ref
        )


@pytest.mark.long
@pytest.mark.parametrize(
    "format_key", ["swiss", "last_chance", *sized([], ["lives", "double", "round_robin"])]
)
def test_all_players_from_registration_to_prizes(format_key):
    evening = Evening(ClubFactory.create(), format_key)
    played = 0

    first, second, third, fourth, *_rest = evening.open()
    evening.the_winner_reports(first)

    # The result was the other way round: nobody has gone on yet, so a reason is all that it takes.
    evening.the_director_enters(first, points=[2, LENGTH])
    assert evening.pairing(first["ref"])["winner"] == first["b"]

    # One does not come, one has to go home.
    evening.the_director_enters(second, ended="no_show", winner="b")
    assert evening.pairing(second["ref"])["winner"] == second["b"]
    left = third["a"]
    address = reverse("api:entrant", args=[left])
    assert evening.director.client.delete(address).status_code == 204
    assert evening.pairing(third["ref"])["winner"] == third["b"]
    evening.the_director_enters(fourth, points=[LENGTH, 0])

    while rows := evening.open():
        for row in rows:
            assert left not in {row["a"], row["b"]}
            evening.the_winner_reports(row)
            played += 1
        assert played < PLAYERS * PLAYERS, "this event does not end"

    assert evening.director.asks("stage", evening.stage)["status"] == "finished"
    assert evening.director.asks("event", evening.event)["status"] == "finished"
    prizes = evening.director.does("prizes", evening.event)["prizes"]
    assert sum(prize["amount"] for prize in prizes) == PLAYERS * FEE
    verdict = check_text(evening.director.asks("stage_archive", evening.stage)["archive"])
    assert verdict.accepted, verdict.faults
