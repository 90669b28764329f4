"""The page of a match: every position, and no more queries for a long match than for a short one."""

import re
from pathlib import Path

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club, Role, User, Visibility
from scoring.files.services.imports import import_file
from scoring.log.services.sheets import append_events
from scoring.matches.queries.match_page import MatchPage
from scoring.matches.queries.matches import waiting_for
from scoring.models import Match, MatchStatus
from scoring.notation.xgid import Offer, Xgid, decode_xgid
from scoring.rules.dice import Roll
from scoring.rules.endings import Ending, GameEnd
from scoring.rules.events import (
    Event,
    GameRecorded,
    MatchEnded,
    MatchStarted,
    OpeningRolled,
    ScoreRecorded,
    Voided,
)
from scoring.rules.match import Win
from scoring.rules.position import STARTING_POSITION
from scoring.rules.sheet import replay
from scoring.rules.sides import Side
from scoring.sheets.services.results import confirm_result, object_to_result, record_result, value_in
from tests.factories import ClubFactory, PlayerFactory, member
from tests.scoring.factories import finish_match, open_match
from tests.scoring.matches.test_list_pages import words
from tests.scoring.records import short_match

pytestmark = pytest.mark.django_db

LONG = b""" 3 point match

 Game 1
 Ana : 0                          Ben : 0
  1) 42: 8/4 6/4                  31: 8/5 6/5
  2) 65: 24/13                     Doubles => 2
  3)  Drops                        Wins 1 point

 Game 2
 Ana : 0                          Ben : 1
  1) 31: 8/5 6/5                  64: 24/14
  2) 53: 8/3 6/3                   Doubles => 2
  3)  Takes                       21: 13/11 6/5
  4) 66: 24/18(2) 13/7(2)         43: 8/4 8/5
  5)                               Wins 2 points and the match
"""


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def imported(club: Club, content: bytes) -> Match:
    match, report = import_file(club=club, filename="a.mat", content=content, final=True)
    assert report.error is None, report.error
    assert match is not None
    return match


def test_the_page_tells_the_match(client: Client, club: Club) -> None:
    match = imported(club, LONG)
    page = client.get(match.get_absolute_url()).content.decode()
    for expected in ("Ana", "Ben", "0 to 3</span>", "3 points", "Final", "Game by game", "42: 8/4 6/4"):
        assert expected in page
    assert "White: " in page  # the board's text twin


def test_the_xgid_of_any_position_is_there_to_be_copied(client: Client, club: Club) -> None:
    match = imported(club, LONG)
    found = []
    for step in range(1, len(MatchPage(match, judged=True).steps) + 1):
        page = client.get(f"/matches/{match.ref}/{step}/").text
        [text] = re.findall(r'id="xgid"[^>]*>(XGID=[^<]+)<', page)
        assert 'data-copies="xgid"' in page
        found.append(decode_xgid(text))
    assert found[0] == Xgid(STARTING_POSITION, turn=Side.WHITE, roll=Roll(4, 2), length=3)
    doubled, answered = found[3:5]
    assert (doubled.turn, doubled.roll, doubled.offer) == (Side.BLACK, None, None)
    assert answered.offer is Offer.DOUBLE
    assert {(xgid.white, xgid.black) for xgid in found} == {(0, 0), (0, 1)}


def test_every_step_has_an_address_of_its_own(client: Client, club: Club) -> None:
    match = imported(club, short_match("Ana", "Ben"))
    third = client.get(f"/matches/{match.ref}/3/").content.decode()
    assert "65: 24/13" in third
    assert 'aria-current="step"' in third
    partial = client.get(f"/matches/{match.ref}/3/", headers={"HX-Request": "true", "HX-Target": "stage"})
    assert partial.content.decode().lstrip().startswith('<section id="stage"')


def test_a_step_beyond_the_end_shows_the_last(client: Client, club: Club) -> None:
    match = imported(club, short_match("Ana", "Ben"))
    assert client.get(f"/matches/{match.ref}/999/").status_code == 200


@pytest.mark.parametrize("content", [short_match("Ana", "Ben"), LONG], ids=["short", "long"])
def test_the_page_takes_the_same_queries_for_any_match(
    client: Client, club: Club, content: bytes, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    match = imported(club, content)
    with django_assert_num_queries(6):
        client.get(match.get_absolute_url())


def test_a_members_only_club_does_not_show_its_matches(client: Client, club: Club) -> None:
    match = imported(club, short_match("Ana", "Ben"))
    Club.objects.filter(pk=club.pk).update(visibility=Visibility.MEMBERS)
    stranger = member(ClubFactory.create(), Role.OWNER)
    for path in (f"/matches/{match.ref}/", f"/matches/{match.ref}/2/", f"/matches/{match.ref}/match.mat"):
        assert client.get(path).status_code == 404
        client.force_login(stranger)
        assert client.get(path).status_code == 404
        client.force_login(member(club))
        assert client.get(path).status_code == 200
        client.logout()


def test_the_match_can_be_taken_away_as_a_file_that_reads_the_same(client: Client, club: Club) -> None:
    match = imported(club, LONG)
    content = client.get(f"/matches/{match.ref}/match.mat").content
    again, _ = import_file(club=club, filename="again.mat", content=content, final=True)
    assert again == match


def test_only_members_ask_for_an_analysis(client: Client, club: Club) -> None:
    match = imported(club, short_match("Ana", "Ben"))
    match.analyses.all().delete()
    client.post(f"/matches/{match.ref}/analyse/")
    client.force_login(member(club, Role.GUEST))
    client.post(f"/matches/{match.ref}/analyse/")
    assert not match.analyses.exists()
    client.force_login(member(club))
    client.post(f"/matches/{match.ref}/analyse/")
    client.post(f"/matches/{match.ref}/analyse/")
    assert match.analyses.count() == 1


def test_a_match_of_which_nothing_is_recorded_yet_has_a_page(client: Client, club: Club) -> None:
    match = open_match(club, PlayerFactory.create(), PlayerFactory.create())
    assert "Nothing recorded yet." in client.get(match.get_absolute_url()).content.decode()


def test_who_has_confirmed_is_not_asked_again(client: Client, club: Club) -> None:
    one, two = member(club, name="One"), member(club, name="Two")
    match = finish_match(open_match(club, one.player, two.player), "white", final=False)
    client.force_login(one)
    assert "Confirm 5–0" in client.get(match.get_absolute_url()).content.decode()
    client.post(f"/matches/{match.ref}/confirm/", {"revision": match.result.revision})
    shown = client.get(match.get_absolute_url()).content.decode()
    assert "Waiting for Two to confirm" in shown
    assert "Confirm 5–0" not in shown


def test_a_disputed_result_says_what_comes_next_to_each(client: Client, club: Club) -> None:
    one, two = member(club, name="One"), member(club, name="Two")
    match = finish_match(open_match(club, one.player, two.player), "white", final=False)
    object_to_result(match=match, side="black", user=two, reason="It was 4–5.")
    next_of: dict[User | None, tuple[str, list[str]]] = {
        None: ("Two disputes 5–0 A director decides.", []),
        one: (
            (
                "Two disputes 5–0 “It was 4–5.” A director decides. If the score is wrong, correct it on the"
                " scoresheet."
            ),
            ["Open scoresheet"],
        ),
        two: (
            "You dispute 5–0 “It was 4–5.” A director decides. If you now agree, confirm the result.",
            ["Confirm 5–0"],
        ),
        member(club, Role.DIRECTOR): (
            (
                "Two disputes 5–0 “It was 4–5.” As a director, confirm this score or correct it on the"
                " scoresheet."
            ),
            ["Open scoresheet", "Confirm 5–0"],
        ),
    }
    for viewer, (said, offers) in next_of.items():
        if viewer is not None:
            client.force_login(viewer)
        shown = words(client.get(match.get_absolute_url()))
        assert "Disputed" in shown
        assert f"{said} {' '.join(offers)}".strip() in shown
        for other in {"Open scoresheet", "Confirm 5–0"} - set(offers):
            assert other not in shown
    listed = reverse("scoring:matches") + "?show=mine"
    for player in (one, two):
        client.force_login(player)
        assert list(waiting_for(player)) == []
        assert "Disputed" in words(client.get(listed))
        assert "to confirm" not in words(client.get(reverse("tournaments:now")))
    confirm_result(match=match, user=two, as_director=False)
    assert list(waiting_for(one)) == [match]
    for page in (match.get_absolute_url(), listed):
        assert "Disputed" not in words(client.get(page))


def test_a_disputed_score_reads_alike_wherever_the_winner_sits(client: Client, club: Club) -> None:
    one, two = member(club, name="One"), member(club, name="Two")
    match = finish_match(open_match(club, one.player, two.player), "black", final=False)
    object_to_result(match=match, side="white", user=one, reason="")
    client.force_login(one)
    assert "You dispute 5–0" in words(client.get(match.get_absolute_url()))


def score_alone(club: Club, *events: Event, length: int = 9) -> Match:
    """A match of which these events were written on a sheet."""
    match = open_match(
        club, PlayerFactory.create(name="Ana"), PlayerFactory.create(name="Ben"), length=length
    )
    log = [MatchStarted(length), *events]
    state = replay(log)
    with transaction.atomic():
        append_events(sheet=match.sheet, events=log, state=state, user=None)
        status = MatchStatus.UNFINISHED if state.outcome is None else MatchStatus.FINISHED
        record_result(match=match, value=value_in(state), status=status)
    return Match.objects.with_players().select_related("sheet").get(pk=match.pk)


def test_a_score_alone_shows_no_board_and_no_unfinished_game(client: Client, club: Club) -> None:
    match = score_alone(club, ScoreRecorded(9, 4))
    page = client.get(match.get_absolute_url()).content.decode()
    assert "Only the result was recorded" in page
    for absent in ('id="stage"', "unfinished", "Game by game", "XGID"):
        assert absent not in page
    assert client.get(f"/matches/{match.ref}/1/").status_code == 200


def test_results_of_games_alone_are_a_table_without_a_board(client: Client, club: Club) -> None:
    games = (
        GameRecorded(Side.WHITE, Win.GAMMON, 2, GameEnd.BORNE_OFF),
        GameRecorded(Side.BLACK, Win.SINGLE, 4, GameEnd.PASS),
    )
    match = score_alone(club, *games, GameRecorded(Side.BLACK, Win.GAMMON, 4, GameEnd.BORNE_OFF))
    page = client.get(match.get_absolute_url()).content.decode()
    assert 'id="stage"' not in page
    assert [
        f"{game.finished.white}–{game.finished.black}"
        for game in MatchPage(match, judged=True).games
        if game.finished
    ] == [
        "4–0",
        "4–4",
        "4–9",
    ]
    assert "4–9" in page
    assert "4–12" not in page


def test_the_table_of_games_shows_the_score_capped(client: Client, club: Club, shared_data: Path) -> None:
    content = (shared_data / "xg" / "match_with_comment.xg").read_bytes()
    match = imported(club, content)
    page = client.get(match.get_absolute_url()).content.decode()
    assert "4–9" in page
    assert "4–10" not in page


def test_an_entry_that_was_undone_is_no_step(club: Club) -> None:
    game = GameRecorded(Side.WHITE, Win.SINGLE, 1, GameEnd.BORNE_OFF)
    match = score_alone(club, OpeningRolled(3, 1), *[Voided("undone")] * 40, game)
    steps = MatchPage(match, judged=True).steps
    assert [step.kind for step in steps] == ["game_result"]
    assert [step.number for step in steps] == [1]


def test_the_end_of_a_match_between_games_is_no_game_of_its_own(club: Club) -> None:
    game = GameRecorded(Side.WHITE, Win.SINGLE, 1, GameEnd.BORNE_OFF)
    match = score_alone(club, game, MatchEnded(Ending.RETIRED, Side.WHITE))
    (only,) = MatchPage(match, judged=True).games
    assert only.finished is not None
    assert [stop.step.kind for stop in only.stops] == ["game_result", "match_end"]
