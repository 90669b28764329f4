"""A chouette's game on the scoresheet's board: begun, ended from either side, private, and analysed."""

import json
from itertools import count
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client
from django.urls import reverse

from clubs.models import Role, WorkStatus
from clubs.work import services as work
from scoring.analysis.services.analyses import request_analysis, run_analysis
from scoring.chouettes.services.boards import open_board
from scoring.chouettes.services.corrections import correct as correct_at_table
from scoring.chouettes.services.corrections import undo_last as undo_at_table
from scoring.chouettes.services.damage import damage_of
from scoring.chouettes.services.tables import join_as_guest
from scoring.live import match_topic
from scoring.log.queries.boards import side_names, tell_sides
from scoring.log.queries.writers import Author
from scoring.matches.queries.match_page import MatchPage
from scoring.models import Analysis, ChouetteGame, DecisionOwner, Ledger, Match, MatchStatus
from scoring.rules.chouette.events import GameBegun, GameOver, Nothing, SessionClosed
from scoring.rules.dice import Roll
from scoring.rules.endings import Ending, GameEnd
from scoring.rules.events import Event, GameRecorded, MatchEnded, OpeningRolled, Played, Rolled, Voided
from scoring.rules.match import Win
from scoring.rules.plays import Move
from scoring.rules.sides import Side
from scoring.sheets.services.corrections import correct, undo_last
from scoring.sheets.services.entries import Entry, EntryRefused, record
from tests.factories import member
from tests.scoring.chouettes.tables import Night

pytestmark = pytest.mark.django_db
_keys = count(1)
OPENING = (OpeningRolled(3, 1), Played((Move(8, 5), Move(6, 5))))
TEAM = (Rolled(Roll(4, 2)), Played((Move(8, 4), Move(6, 4))))
BOX = (Rolled(Roll(6, 1)), Played((Move(13, 7), Move(8, 7))))
GAMMON = GameRecorded(Side.WHITE, Win.GAMMON, 1, GameEnd.BORNE_OFF)


class Recorded(Night):
    """A night whose first game is on, and is recorded on a board."""

    def __init__(self, players: int = 4, **options: Any) -> None:
        super().__init__(players, **options)
        self.write(GameBegun())
        self.match = open_board(chouette=self.loaded, author=self.author())

    @property
    def board(self) -> Match:
        return Match.with_boards.select_related("sheet").get(pk=self.match.pk)

    @property
    def board_with_sides(self) -> Match:
        return tell_sides(
            Match.with_boards.with_players().select_related("sheet__clock").get(pk=self.match.pk)
        )

    def on_board(self, *events: Event, by: str = "Ana") -> None:
        """Write on the board."""
        entries: list[Entry[Event]] = [Entry(f"board-{next(_keys)}", event) for event in events]
        record(match=self.board, author=self.author(by), after=self.board.sheet.head_seq, entries=entries)

    def take_back(self) -> None:
        board = self.board
        undo_last(match=board, author=self.author(), after=board.sheet.head_seq, key=f"undo-{next(_keys)}")

    def take_back_at_table(self) -> None:
        undo_at_table(chouette=self.loaded, author=self.author(), after=self.head, key=f"undo-{next(_keys)}")

    @property
    def game(self) -> ChouetteGame:
        return ChouetteGame.objects.get(match=self.match)

    def is_sound(self) -> None:
        """Both logs are whole and come to what is stored."""
        assert damage_of(self.board.sheet) is None
        assert damage_of(self.loaded.sheet) is None


def test_a_board_is_begun_once_and_shows_the_box_and_the_team():
    night = Recorded()
    assert open_board(chouette=night.loaded, author=night.author("Eva")) == night.match
    assert side_names(night.match) == {Side.WHITE: "Ana", Side.BLACK: "Jon / Eva / Leo"}
    assert night.board.sheet.head_seq == 1


def test_without_a_game_there_is_nothing_to_record():
    night = Night()
    with pytest.raises(EntryRefused, match="no game is in progress"):
        open_board(chouette=night.loaded, author=night.author())


def test_the_end_on_the_board_ends_the_game_at_the_table():
    night = Recorded(jacoby=False)
    night.on_board(*OPENING, *TEAM, GAMMON)
    assert night.state.game is None
    assert night.balances()["Ana"] == (6, 600)
    assert night.board.status == MatchStatus.FINISHED
    assert not hasattr(night.board, "result")
    assert night.game.end_seq == night.head
    night.is_sound()


def test_a_resignation_of_the_team_is_one_at_the_table():
    night = Recorded()
    night.on_board(*OPENING, GameRecorded(Side.BLACK, Win.SINGLE, 1, GameEnd.RESIGNATION))
    assert night.balances()["Ana"] == (-3, -300)


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (GameRecorded(Side.WHITE, Win.SINGLE, 1, GameEnd.PASS), "ends only its own cube"),
        (GameRecorded(Side.WHITE, Win.SINGLE, 2, GameEnd.BORNE_OFF), "this game has no cube"),
        (MatchEnded(Ending.AGREED), "ends at the table"),
    ],
)
def test_what_only_the_table_says_is_refused_on_the_board(event, reason):
    night = Recorded()
    with pytest.raises(EntryRefused, match=reason):
        night.on_board(*OPENING, event)
    assert night.board.sheet.head_seq == 1
    assert night.state.game is not None


def test_taking_back_the_end_on_the_board_takes_it_back_at_the_table():
    night = Recorded()
    night.on_board(*OPENING, GAMMON)
    night.take_back()
    assert night.state.game is not None
    assert night.board.status == MatchStatus.PLAYING
    assert not Ledger.objects.exists()
    night.on_board(*TEAM, GAMMON)
    assert night.state.game is None
    night.is_sound()


def test_once_the_next_game_has_begun_the_end_stays_until_that_is_taken_back():
    night = Recorded()
    night.on_board(*OPENING, GAMMON)
    night.write(GameBegun())
    with pytest.raises(EntryRefused, match="has moved on"):
        night.take_back()
    night.take_back_at_table()
    night.take_back()
    assert night.state.game is not None
    night.is_sound()


def test_an_end_that_is_corrected_on_the_board_changes_the_ledger():
    night = Recorded(jacoby=False)
    night.on_board(*OPENING, GAMMON)
    board = night.board
    single = GameRecorded(Side.WHITE, Win.SINGLE, 1, GameEnd.BORNE_OFF)
    correct(
        match=board, author=night.author(), after=board.sheet.head_seq, key="c", seq=4, event=single,
        reason="no gammon",
    )  # fmt: skip
    assert night.balances()["Ana"] == (3, 300)
    night.is_sound()


def test_what_the_board_has_ended_is_taken_back_and_corrected_there():
    night = Recorded()
    night.on_board(*OPENING, GAMMON)
    with pytest.raises(EntryRefused, match="undo its last play there"):
        night.take_back_at_table()
    with pytest.raises(EntryRefused, match="correct the result there"):
        correct_at_table(
            chouette=night.loaded, author=night.author(), after=night.head, key="c", seq=night.head,
            event=GameOver(box_won=False, win=Win.SINGLE), reason="wrong",
        )  # fmt: skip
    night.is_sound()


def test_a_game_that_ends_at_the_table_ends_the_record_and_goes_on_with_it():
    night = Recorded()
    night.on_board(*OPENING, *TEAM)
    night.write(night.offer("Ana", "Jon", "Eva", "Leo"))
    night.write(night.answer("Jon", passes="Jon"), night.answer("Eva", passes="Eva"))
    assert night.board.status == MatchStatus.PLAYING
    night.write(night.answer("Leo", passes="Leo"))
    assert night.board.status == MatchStatus.FINISHED
    with pytest.raises(EntryRefused, match="ended at the table"):
        night.take_back()
    night.take_back_at_table()
    assert night.board.status == MatchStatus.PLAYING
    night.on_board(*BOX)
    night.is_sound()


def test_a_game_that_was_never_begun_leaves_a_void_record():
    night = Recorded()
    night.on_board(*OPENING)
    night.take_back_at_table()
    assert night.board.status == MatchStatus.VOID
    assert night.game.number is None
    with pytest.raises(EntryRefused):
        night.on_board(*TEAM)
    night.is_sound()


def test_a_play_of_a_record_that_is_over_may_be_corrected():
    night = Recorded()
    night.on_board(*OPENING)
    night.write(GameOver(box_won=True, win=Win.SINGLE))
    board = night.board
    other = Played((Move(24, 21), Move(24, 23)))
    correct(
        match=board, author=night.author(), after=board.sheet.head_seq, key="c", seq=3, event=other,
        reason="another play",
    )  # fmt: skip
    with pytest.raises(EntryRefused, match="ended at the table"):
        correct(
            match=board, author=night.author(), after=night.board.sheet.head_seq, key="d",
            seq=4, event=Voided(), reason="no",
        )  # fmt: skip
    night.is_sound()


def test_the_record_is_seen_by_the_table_alone_and_is_nobodys_match(client: Client):
    night = Recorded()
    stranger = member(night.club, Role.MEMBER, name="Max")
    director = member(night.club, Role.DIRECTOR, name="Dora")
    page = reverse("scoring:scoresheet", args=[night.match.ref])
    for user, status in ((stranger, 404), (night.users["Eva"], 200), (director, 200)):
        client.force_login(user)
        assert client.get(page).status_code == status
        assert client.get(reverse("scoring:match", args=[night.match.ref])).status_code == status
        topic = match_topic(night.match.ref)
        assert topic is not None
        assert topic.allows(user) == (status == 200)
        assert night.match.ref not in client.get(reverse("tournaments:club", args=[night.club.slug])).text
    client.logout()
    assert client.get(page).status_code == 404
    assert not Match.objects.exists()


def test_a_table_begins_the_record_and_writes_it(client: Client):
    night = Night(4)
    client.force_login(night.users["Jon"])
    begin = reverse("api:chouette_board", args=[night.chouette.ref])
    assert client.post(begin).status_code == 422
    night.write(GameBegun())
    found = client.post(begin).json()
    assert found["page"].endswith(reverse("scoring:scoresheet", args=[found["match"]]))
    assert client.post(begin).json() == found
    state = client.get(reverse("api:chouette", args=[night.chouette.ref])).json()
    assert state["board"] == found
    body = {"after": 1, "entries": [{"key": "k", "kind": "opening_roll", "body": {"white": 3, "black": 1}}]}
    events = reverse("api:match_events", args=[found["match"]])
    answer = client.post(events, json.dumps(body), content_type="application/json")
    assert answer.status_code == 200
    assert answer.json()["white"]["name"] == "Ana"
    assert "match_end" in answer.json()["refusals"]
    assert answer.json()["one_game"]  # without a line, too, its page goes on to no second game


def test_the_record_is_read_by_those_who_see_the_table(client: Client):
    night = Night(4)
    client.force_login(night.users["Jon"])
    begin = reverse("api:chouette_board", args=[night.chouette.ref])
    assert "no game is in progress" in client.post(begin).text
    night.write(GameBegun())
    found = client.post(begin).json()
    sheet = client.get(reverse("api:sheet", args=[found["match"]]))
    assert sheet.json()["black"]["name"] == "Jon / Eva / Leo"
    client.force_login(member(night.club, Role.MEMBER, name="Max"))
    assert client.post(begin).status_code == 404
    assert client.get(reverse("api:sheet", args=[found["match"]])).status_code == 404


def analysed(night: Recorded) -> Analysis:
    analysis = request_analysis(match=night.board)
    assert analysis is not None
    claimed = work.claim(Analysis, ref=analysis.ref)
    assert claimed is not None
    return run_analysis(claimed)


def test_an_engine_judges_plays_at_the_captains_cube_and_each_cube_at_its_owners(client: Client):
    night = Recorded()
    night.on_board(*OPENING)
    night.write(night.offer("Jon"), night.offer("Eva"))
    night.write(night.answer("Ana", takes="Jon", passes="Eva"))
    night.on_board(*TEAM, *BOX)
    night.write(GameOver(box_won=False, win=Win.SINGLE))
    analysis = analysed(night)
    assert analysis.status == WorkStatus.DONE
    names = {ref: name for name, ref in night.refs.items()}
    owners = DecisionOwner.objects.filter(decision__analysis=analysis).select_related("decision", "player")
    found = {
        (owner.decision.kind, owner.decision.colour, owner.decision.played, names[owner.player.ref])
        for owner in owners.order_by("pk")
        if owner.decision.kind != "checker"
    }
    assert found == {
        ("double", "black", "double", "Jon"),
        ("double", "black", "double", "Eva"),
        ("double", "black", "no double", "Leo"),
        ("response", "white", "take", "Ana"),
        ("response", "white", "pass", "Ana"),
        ("double", "white", "no double", "Ana"),
    }
    plays = owners.filter(decision__kind="checker").order_by("decision__event_seq")
    told = [(names[each.player.ref], each.decision.event_seq) for each in plays]
    assert told == [
        ("Ana", 3),
        ("Jon", 5),
        ("Ana", 7),
    ]
    assert {each.cubes[0] for each in plays} == {night.refs["Jon"]}
    # A double that was answered both ways is one decision of the two who doubled.
    assert analysis.decisions.filter(kind="double", played="double").count() == 1
    client.force_login(night.users["Leo"])
    step = client.get(reverse("scoring:match", args=[night.match.ref])).text
    assert "Error rates by player" in step
    rates = MatchPage(night.board_with_sides, judged=True).owner_performances
    assert [name for name, _rate in rates] == ["Ana", "Jon", "Eva", "Leo"]
    judged = sum(rate.checker_counted for _name, rate in rates)
    assert judged == analysis.decisions.filter(kind="checker", counted=True).count()
    listed = client.get(reverse("api:analysis_decisions", args=[analysis.ref])).json()
    assert {owner["player"] for item in listed["items"] for owner in item["owners"]} == set(
        night.refs.values()
    )


@pytest.mark.long
def test_cubes_that_are_corrected_at_the_table_are_judged_anew():
    night = Recorded()
    night.on_board(*OPENING)
    night.write(night.offer("Jon"))
    offered = night.head
    night.write(night.answer("Ana", takes="Jon"))
    night.on_board(*TEAM, GAMMON)
    analysis = analysed(night)
    assert analysis.status == WorkStatus.DONE
    correct_at_table(
        chouette=night.loaded, author=night.author(), after=night.head, key="c", seq=offered + 1,
        event=night.answer("Ana", passes="Jon"), reason="it was passed",
    )  # fmt: skip
    analysis.refresh_from_db()
    assert analysis.status == WorkStatus.FAILED
    # Requested again by the correction itself.
    waiting = Analysis.objects.get(match=night.match, status=WorkStatus.QUEUED)
    again = analysed(night)
    assert again == waiting
    assert again != analysis
    assert again.decisions.filter(kind="response", played="pass").exists()


def waiting_analyses(night: Recorded) -> int:
    return Analysis.objects.filter(match=night.match, status=WorkStatus.QUEUED).count()


def test_a_game_that_goes_on_again_is_not_analysed_before_it_is_over():
    night = Recorded()
    night.on_board(*OPENING, *TEAM)
    night.write(GameOver(box_won=True, win=Win.SINGLE))
    assert waiting_analyses(night) == 1
    night.take_back_at_table()
    assert night.board.status == MatchStatus.PLAYING
    assert waiting_analyses(night) == 0
    night.write(GameOver(box_won=False, win=Win.SINGLE))
    assert waiting_analyses(night) == 1


def test_a_game_that_a_correction_ends_is_asked_for_once():
    night = Recorded(players=3)
    night.on_board(*OPENING, *TEAM)
    night.write(night.offer("Ana", "Jon", "Eva"), night.answer("Jon", passes="Jon"))
    night.write(night.answer("Eva", takes="Eva"))
    correct_at_table(
        chouette=night.loaded, author=night.author(), after=night.head, key="c", seq=night.head,
        event=night.answer("Eva", passes="Eva"), reason="she passed, too",
    )  # fmt: skip
    assert night.board.status == MatchStatus.FINISHED
    assert waiting_analyses(night) == Analysis.objects.filter(match=night.match).count() == 1


@pytest.mark.parametrize("ended_on_board", [False, True])
def test_a_game_that_is_over_and_whose_beginning_is_taken_back_is_not_analysed(ended_on_board):
    night = Recorded()
    night.on_board(*OPENING, *TEAM, *([GAMMON] if ended_on_board else []))
    if not ended_on_board:
        night.write(GameOver(box_won=True, win=Win.SINGLE))
    correct_at_table(
        chouette=night.loaded, author=night.author(), after=night.head, key="c", seq=night.game.begun_seq,
        event=Nothing(), reason="nobody played it", cut=True,
    )  # fmt: skip
    assert night.game.number is None
    assert waiting_analyses(night) == 0
    assert request_analysis(match=night.board) is None
    night.is_sound()


def test_who_sits_elsewhere_after_an_earlier_correction_is_judged_anew():
    night = Recorded()
    night.write(GameOver(box_won=True, win=Win.SINGLE))
    ended = night.head
    earlier, night.match = night.match, _second_board(night)
    night.on_board(*OPENING, *TEAM, GAMMON)
    analysis = analysed(night)
    assert analysis.status == WorkStatus.DONE
    correct_at_table(
        chouette=night.loaded, author=night.author(), after=night.head, key="c", seq=ended,
        event=GameOver(box_won=False, win=Win.SINGLE), reason="the captain won",
    )  # fmt: skip
    assert night.match != earlier
    assert side_names(night.match)[Side.WHITE] == "Jon"
    analysis.refresh_from_db()
    assert analysis.status == WorkStatus.FAILED


def _second_board(night: Recorded) -> Match:
    night.write(GameBegun())
    return open_board(chouette=night.loaded, author=night.author())


def test_once_the_night_is_over_a_guests_phone_writes_no_record():
    night = Recorded()
    row = join_as_guest(chouette=night.loaded, name="Gil", session=SessionStore())
    night.on_board(*OPENING, *TEAM)
    night.write(GameOver(box_won=True, win=Win.SINGLE), SessionClosed())
    phone, board = Author(claim=row.claim), night.board
    change: dict[str, Any] = {
        "match": board, "after": board.sheet.head_seq, "key": "c", "seq": 3,
        "event": Played((Move(24, 23), Move(13, 10))), "reason": "seen from the other side",
    }  # fmt: skip
    for refused in (
        lambda: correct(author=phone, **change),
        lambda: open_board(chouette=night.loaded, author=phone),
    ):
        with pytest.raises(EntryRefused, match="this chouette is over"):
            refused()
    correct(author=night.author(), **change)


def test_a_guest_of_the_table_writes_the_record_by_the_claim_to_the_table(client: Client):
    night = Recorded()
    join_as_guest(chouette=night.loaded, name="Gil", session=(session := client.session))
    session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key or ""
    body = {"after": 1, "entries": [{"key": "k", "kind": "opening_roll", "body": {"white": 3, "black": 1}}]}
    events = reverse("api:match_events", args=[night.match.ref])
    assert client.post(events, json.dumps(body), content_type="application/json").status_code == 200
