"""A rating list follows the log of final results, once for each match, whatever happens to the worker."""

import pytest

from clubs.models import Club, Player, WorkStatus
from clubs.work import services as work
from scoring.models import Match, Rating, RatingChange, RatingUpdate
from scoring.ratings.services.ratings import (
    ask_for_update,
    main_list,
    replay_list,
    unrated_because,
    update_list,
)
from tests.factories import ClubFactory, PlayerFactory
from tests.scoring.factories import finish_match, open_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def ana() -> Player:
    return PlayerFactory.create(name="Ana")


@pytest.fixture
def ben() -> Player:
    return PlayerFactory.create(name="Ben")


def bring_up_to_date(club: Club) -> None:
    while update := work.claim(RatingUpdate):
        update_list(update)


def values(club: Club) -> dict[str, float]:
    rows = Rating.objects.filter(list__club=club).select_related("player__person")
    return {row.player.name: row.value for row in rows}


def test_a_final_match_moves_both_ratings_by_the_published_formula(
    club: Club, ana: Player, ben: Player
) -> None:
    match = finish_match(open_match(club, ana, ben, length=7), "white")
    ask_for_update(match=match)
    bring_up_to_date(club)
    assert values(club) == pytest.approx({"Ana": 1526.4575131106459, "Ben": 1473.5424868893541})
    change = RatingChange.objects.get(player=ana)
    assert (change.before, change.k, change.probability, change.number) == (1500, 5, 0.5, 1)
    assert change.after == change.before + 4 * change.k * change.weight**0.5 * 0.5


def test_a_match_that_is_not_final_does_not_rate(club: Club, ana: Player, ben: Player) -> None:
    match = finish_match(open_match(club, ana, ben), "white", final=False)
    ask_for_update(match=match)
    bring_up_to_date(club)
    assert values(club) == {}
    assert unrated_because(match) == "not_final"


def test_an_update_that_runs_twice_rates_once(club: Club, ana: Player, ben: Player) -> None:
    match = finish_match(open_match(club, ana, ben), "white")
    for _ in range(3):
        ask_for_update(match=match)
        bring_up_to_date(club)
    assert RatingChange.objects.count() == 2
    assert Rating.objects.get(player=ana).matches == 1


def test_a_match_imported_late_is_rated_in_the_order_of_play(club: Club, ana: Player, ben: Player) -> None:
    later = finish_match(open_match(club, ana, ben, day=9), "white")
    ask_for_update(match=later)
    bring_up_to_date(club)
    earlier = finish_match(open_match(club, ana, ben, length=11, day=2), "black")
    ask_for_update(match=earlier)
    bring_up_to_date(club)
    stepwise = list(
        RatingChange.objects.order_by("played_at", "won").values_list("after", "number", "match_ref")
    )
    replay_list(rating_list=main_list(club))
    assert (
        list(RatingChange.objects.order_by("played_at", "won").values_list("after", "number", "match_ref"))
        == stepwise
    )
    assert [ref for *_, ref in stepwise] == [earlier.ref] * 2 + [later.ref] * 2


def test_replaying_from_anywhere_gives_the_same_floats(club: Club) -> None:
    players = [PlayerFactory.create(name=name) for name in ("Ana", "Ben", "Cleo", "Dan")]
    matches = [
        finish_match(
            open_match(club, players[n % 4], players[(n * 3 + 1) % 4], length=1 + n % 7, day=n), "white"
        )
        for n in range(12)
        if n % 4 != (n * 3 + 1) % 4
    ]
    rating_list = main_list(club)
    replay_list(rating_list=rating_list)
    whole = list(
        RatingChange.objects.order_by("played_at", "player_id").values_list("before", "after", "k", "number")
    )
    for match in matches:
        ask_for_update(match=match)
        bring_up_to_date(club)
        again = RatingChange.objects.order_by("played_at", "player_id")
        assert list(again.values_list("before", "after", "k", "number")) == whole


def test_who_loses_the_only_rated_match_leaves_the_list(club: Club, ana: Player, ben: Player) -> None:
    match = finish_match(open_match(club, ana, ben), "white")
    ask_for_update(match=match)
    bring_up_to_date(club)
    Match.objects.filter(pk=match.pk).update(status="void")
    ask_for_update(match=match)
    bring_up_to_date(club)
    assert values(club) == {}
    assert not RatingChange.objects.exists()


def test_one_worker_takes_all_that_waits_for_a_list(club: Club, ana: Player, ben: Player) -> None:
    for day in range(3):
        ask_for_update(match=finish_match(open_match(club, ana, ben, day=day), "white"))
    update = work.claim(RatingUpdate)
    assert update is not None
    update_list(update)
    assert set(RatingUpdate.objects.values_list("status", flat=True)) == {WorkStatus.DONE}
    assert Rating.objects.get(player=ana).matches == 3


def test_a_worker_that_lost_its_update_writes_nothing(club: Club, ana: Player, ben: Player) -> None:
    ask_for_update(match=finish_match(open_match(club, ana, ben), "white"))
    update = work.claim(RatingUpdate)
    assert update is not None
    work.cancel(update)
    with pytest.raises(work.WorkLostError):
        update_list(update)
    assert not RatingChange.objects.exists()
