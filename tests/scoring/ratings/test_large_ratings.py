"""A large rating list: a correction is a full replay to the last bit, whoever else writes meanwhile."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from clubs.models import Club, WorkStatus
from clubs.work import services as work
from deploy.large_club import fill
from scoring.formulas.elo import formula_named
from scoring.formulas.streams import Standings, replayed
from scoring.models import Match, Rating, RatingChange, RatingList, RatingUpdate, Result, Seat
from scoring.ratings.queries.rating_log import fetched, rated_log
from scoring.ratings.services import ratings
from scoring.ratings.services.ratings import ask_for_update, main_list, replay_list, shifts_if, update_list
from scoring.rules.endings import Ending
from tests.factories import ClubFactory
from tests.races import in_between
from tests.tiers import sized

PLAYERS = 60


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def follow(club: Club) -> None:
    while update := work.claim(RatingUpdate):
        update_list(update)


def turned(winner: str) -> str:
    return "black" if winner == "white" else "white"


def turn(match: Match) -> None:
    with transaction.atomic():
        Result.objects.filter(match=match).update(winner=turned(match.result.winner))
        ask_for_update(match=match)


def void(match: Match) -> None:
    """Taken out of the log, or put back into it."""
    with transaction.atomic():
        status = "finished" if match.status == "void" else "void"
        Match.objects.filter(pk=match.pk).update(status=status)
        ask_for_update(match=match)


def move(match: Match, dice: random.Random) -> None:
    """Played at another time than was said."""
    with transaction.atomic():
        other = Match.objects.in_club(match.club).order_by("?").values_list("played_at", flat=True)[0]
        Match.objects.filter(pk=match.pk).update(played_at=other)
        ask_for_update(match=match)


def hand_over(match: Match, players: list[int], dice: random.Random) -> None:
    """Played by somebody else than was said."""
    seats = dict(Seat.objects.filter(match=match).values_list("pk", "player_id"))
    instead = dice.choice([player for player in players if player not in seats.values()])
    with transaction.atomic():
        Seat.objects.filter(pk=dice.choice(sorted(seats))).update(player=instead)
        ask_for_update(match=match)


def stored(rating_list: RatingList) -> tuple[list[Any], dict[int, Any]]:
    """All that the list's rows say, in order, and where everybody stands."""
    changes = RatingChange.objects.on_list(rating_list).order_by("played_at", "match_ref", "-won")
    rows = fetched(
        changes.values_list(
            "match_id",
            "player_id",
            "opponent_id",
            "won",
            "length",
            "weight",
            "probability",
            "k",
            "before",
            "after",
            "opponent_before",
            "experience_before",
            "experience_after",
            "number",
        )
    )
    ends = Rating.objects.on_list(rating_list)
    places = ends.values_list("player_id", "value", "experience", "matches", "last_played_at")
    return rows, {player: rest for player, *rest in places}


def folded(rating_list: RatingList) -> tuple[list[Any], dict[int, Any]]:
    """The same from a full replay of the results as they are, in memory."""
    standings: Standings = {}
    rows = []
    with transaction.atomic():
        log = rated_log(rating_list.club)
        for m in replayed(log, standings, formula=formula_named(rating_list.formula)):
            won = (m.winner, m.loser, True, m.length, m.weight, m.chance, m.winner_k)
            lost = (m.loser, m.winner, False, m.length, m.weight, 1 - m.chance, m.loser_k)
            before, after, experience = m.winner_before, m.winner_after, m.winner_experience
            other, number = m.loser_before, m.winner_number
            rows.append((m.match, *won, before, after, other, experience, experience + m.length, number))
            before, after, experience = m.loser_before, m.loser_after, m.loser_experience
            other, number = m.winner_before, m.loser_number
            rows.append((m.match, *lost, before, after, other, experience, experience + m.length, number))
    return rows, {
        player: [each.rating, each.experience, each.matches, each.last_played]
        for player, each in standings.items()
    }


def corrections(club: Club, players: list[int], count: int) -> Iterator[None]:
    """So many random corrections, each followed."""
    dice = random.Random(5)
    matches = sorted(Match.objects.in_club(club).values_list("pk", flat=True))
    for number in range(count):
        match = Match.objects.select_related("result", "club").get(pk=dice.choice(matches))
        kinds = {2: void, 5: lambda m: move(m, dice), 7: lambda m: hand_over(m, players, dice)}
        kinds.get(number % 8, turn)(match)
        if number % 5:  # now and then two wait
            follow(club)
            yield
    follow(club)
    yield


@pytest.mark.django_db
def test_each_of_many_corrections_is_bit_identical_to_a_full_replay(club: Club) -> None:
    players = fill(club=club, players=PLAYERS, matches=sized(300, 2000))
    rating_list = main_list(club)
    replay_list(rating_list=rating_list)
    assert stored(rating_list) == folded(rating_list)
    for _ in corrections(club, players, sized(12, 200)):
        assert stored(rating_list) == folded(rating_list)


@pytest.mark.long
@pytest.mark.django_db(transaction=True)  # in one transaction each row would be kept in 1,000 versions
def test_each_of_1000_corrections_of_a_larger_club_is_bit_identical_to_a_full_replay(club: Club) -> None:
    players = fill(club=club, players=200, matches=2000)
    rating_list = main_list(club)
    replay_list(rating_list=rating_list)
    for _ in corrections(club, players, 1000):
        assert stored(rating_list) == folded(rating_list)


@pytest.mark.long
@pytest.mark.django_db
def test_a_list_of_70_000_matches_is_replayed_and_corrected(club: Club) -> None:
    """More than a statement may have parameters."""
    fill(club=club, players=2000, matches=70_000)
    rating_list = main_list(club)
    replay_list(rating_list=rating_list)
    assert stored(rating_list) == folded(rating_list)
    match = Match.objects.in_club(club).select_related("result").order_by("played_at")[1]
    expected = {shift.player.pk: shift.after for shift in would(match)}
    assert len(expected) > 1900
    turn(match)
    follow(club)
    assert stored(rating_list) == folded(rating_list)


def would(match: Match) -> list[ratings.RatingShift]:
    return shifts_if(match=match, winner=turned(match.result.winner), ending=Ending.PLAYED)


@pytest.mark.long
@pytest.mark.django_db
def test_what_a_correction_would_change_is_what_it_changes_bit_by_bit(club: Club) -> None:
    fill(club=club, players=PLAYERS, matches=300)
    rating_list = main_list(club)
    replay_list(rating_list=rating_list)
    dice = random.Random(6)
    matches = sorted(Match.objects.in_club(club).values_list("pk", flat=True))
    for _ in range(20):
        match = Match.objects.select_related("result", "club").get(pk=dice.choice(matches))
        turn(Match.objects.select_related("result", "club").get(pk=dice.choice(matches)))  # it waits
        before = dict(Rating.objects.on_list(rating_list).values_list("player_id", "value"))
        match.result.refresh_from_db()
        shifts = {shift.player.pk: (shift.before, shift.after) for shift in would(match)}
        assert dict(Rating.objects.on_list(rating_list).values_list("player_id", "value")) == before
        turn(match)
        follow(club)
        after = dict(Rating.objects.on_list(rating_list).values_list("player_id", "value"))
        assert shifts == {pk: (before[pk], after[pk]) for pk in after if before[pk] != after[pk]}


@pytest.mark.django_db
def test_more_waits_than_is_followed_one_by_one(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large import is replayed from the beginning, and previews do the same meanwhile."""
    fill(club=club, players=PLAYERS, matches=200)
    rating_list = main_list(club)
    monkeypatch.setattr(ratings, "MOST_FOLLOWED", 3)
    matches = list(Match.objects.in_club(club).select_related("result", "club")[:5])
    for match in matches:
        turn(match)
    matches[4].result.refresh_from_db()
    shifts = {shift.player.pk: shift.after for shift in would(matches[4])}
    turn(matches[4])
    follow(club)
    assert stored(rating_list) == folded(rating_list)
    assert dict(Rating.objects.on_list(rating_list).values_list("player_id", "value")) == shifts
    assert set(RatingUpdate.objects.values_list("status", flat=True)) == {WorkStatus.DONE}


@pytest.mark.django_db
def test_a_correction_writes_only_the_rows_that_it_changes(club: Club) -> None:
    fill(club=club, players=PLAYERS, matches=400)
    rating_list = main_list(club)
    replay_list(rating_list=rating_list)

    def places() -> dict[int, str]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT id, ctid::text FROM scoring_ratingchange")
            return dict(cursor.fetchall())

    before, rows = places(), stored(rating_list)[0]
    turn(Match.objects.in_club(club).select_related("result", "club").newest_first()[3])
    follow(club)
    after = places()
    rewritten = {pk for pk in after if before[pk] != after[pk]}
    changed = sum(old != new for old, new in zip(rows, stored(rating_list)[0], strict=True))
    assert before.keys() == after.keys()
    assert 2 <= len(rewritten) <= changed + 2
    replay_list(rating_list=rating_list)
    assert places() == after


@pytest.mark.long
@pytest.mark.django_db
def test_statements_have_no_more_parameters_for_more_matches(club: Club) -> None:
    fill(club=club, players=PLAYERS, matches=2500)
    rating_list = main_list(club)
    for match in Match.objects.in_club(club).select_related("club"):
        RatingUpdate.objects.create(list=rating_list, match=match)
    update = work.claim(RatingUpdate)
    assert update is not None
    with CaptureQueriesContext(connection) as queries:
        update_list(update)
    assert stored(rating_list) == folded(rating_list)
    assert max(query["sql"].count("$") for query in queries) <= 2100


@pytest.mark.django_db(transaction=True)
def test_nobody_waits_for_a_change_while_it_is_computed_and_who_was_overtaken_computes_again(
    club: Club,
) -> None:
    fill(club=club, players=20, matches=100)
    rating_list = main_list(club)
    replay_list(rating_list=rating_list)
    first, second = Match.objects.in_club(club).select_related("result", "club").order_by("played_at")[3:5]
    turn(second)
    late = work.claim(RatingUpdate)
    assert late is not None

    def hold_and_write() -> None:
        RatingList.objects.select_for_update(no_key=True).get(pk=rating_list.pk)
        turn(first)
        update_list(work.claim(RatingUpdate) or pytest.fail("nothing waits"))

    # The second reads and computes beside the first, waits only to write, and finds the list another.
    assert in_between(hold_and_write, lambda: update_list(late)) == [None, None]
    assert stored(rating_list) == folded(rating_list)
    assert set(RatingUpdate.objects.values_list("status", flat=True)) == {WorkStatus.DONE}
    assert RatingList.objects.get(pk=rating_list.pk).version == 4


@pytest.mark.django_db(transaction=True)
def test_a_full_replay_that_was_overtaken_keeps_what_others_have_followed(club: Club) -> None:
    fill(club=club, players=20, matches=100)
    rating_list = main_list(club)
    match = Match.objects.in_club(club).select_related("result", "club").order_by("played_at")[3]

    def hold_and_write() -> None:
        RatingList.objects.select_for_update(no_key=True).get(pk=rating_list.pk)
        turn(match)
        update_list(work.claim(RatingUpdate) or pytest.fail("nothing waits"))

    assert in_between(hold_and_write, lambda: replay_list(rating_list=rating_list)) == [None, None]
    assert stored(rating_list) == folded(rating_list)
