"""Whom a name in a file means, and how a guest turns out to be somebody."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep

import pytest
from django.db import connection, transaction

from clubs.models import Club, Membership, Player
from clubs.people.services.merges import MergeRefused
from scoring.files.services.aliases import (
    ClaimWaitsRefused,
    claim_name,
    confirm_claim,
    player_named,
    refuse_claim,
)
from scoring.models import Alias, RatingUpdate, Seat
from tests.factories import ClubFactory, PlayerFactory
from tests.races import at_once
from tests.scoring.factories import finish_match, open_match


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.mark.django_db
def test_a_name_nobody_knows_becomes_a_player_who_is_not_of_the_club(club: Club) -> None:
    guest = player_named(club=club, name="  Lasse   Madsen ")
    assert guest.person.name == "Lasse Madsen"
    assert not Membership.objects.filter(player=guest).exists()
    assert player_named(club=club, name="lasse madsen") == guest


@pytest.mark.django_db
def test_the_same_name_in_two_clubs_is_two_guests(club: Club) -> None:
    assert player_named(club=club, name="Lasse") != player_named(club=ClubFactory.create(), name="Lasse")


@pytest.mark.django_db
def test_a_claim_waits_for_a_director_also_where_nothing_final_hangs_on_the_name(club: Club) -> None:
    guest = player_named(club=club, name="bglover")
    other = player_named(club=club, name="other")
    match = finish_match(open_match(club, guest, other), "white", final=False)
    ana = PlayerFactory.create(name="Ana")
    alias = claim_name(alias=Alias.objects.get(player=guest), player=ana)
    assert (alias.confirmed_at, alias.claimed_by) == (None, ana)
    assert Seat.objects.get(match=match, side__colour="white").player == guest
    confirm_claim(alias=alias)
    assert Seat.objects.get(match=match, side__colour="white").player == ana
    assert player_named(club=club, name="BGlover") == ana
    guest.refresh_from_db()
    assert guest.merged_into == ana


@pytest.mark.django_db
def test_a_claim_on_rated_matches_waits_for_a_director(club: Club) -> None:
    guest, other = player_named(club=club, name="bglover"), player_named(club=club, name="other")
    match = finish_match(open_match(club, guest, other), "white")
    ana = PlayerFactory.create(name="Ana")
    alias = claim_name(alias=Alias.objects.get(player=guest), player=ana)
    assert (alias.confirmed_at, alias.claimed_by) == (None, ana)
    assert Seat.objects.get(match=match, side__colour="white").player == guest
    RatingUpdate.objects.all().delete()
    confirm_claim(alias=alias)
    assert Seat.objects.get(match=match, side__colour="white").player == ana
    assert RatingUpdate.objects.filter(match=match).exists()


@pytest.mark.django_db
def test_a_refused_claim_leaves_the_guest(club: Club) -> None:
    guest, other = player_named(club=club, name="bglover"), player_named(club=club, name="other")
    finish_match(open_match(club, guest, other), "white")
    alias = claim_name(alias=Alias.objects.get(player=guest), player=PlayerFactory.create(name="Ana"))
    refuse_claim(alias=alias)
    alias.refresh_from_db()
    assert (alias.player, alias.claimed_by) == (guest, None)
    with pytest.raises(MergeRefused, match="No player has claimed “bglover”"):
        confirm_claim(alias=alias)


@pytest.mark.django_db
def test_nobody_is_both_players_of_a_match(club: Club) -> None:
    guest = player_named(club=club, name="bglover")
    ana = PlayerFactory.create(name="Ana")
    finish_match(open_match(club, guest, ana), "white", final=False)
    with pytest.raises(MergeRefused, match="both played in match"):
        claim_name(alias=Alias.objects.get(player=guest), player=ana)
    assert Seat.objects.filter(player=guest).exists()


@pytest.mark.django_db
def test_a_name_that_is_somebodys_cannot_be_claimed(club: Club) -> None:
    player_named(club=club, name="bglover")
    alias = confirm_claim(alias=Alias.objects.get(), player=PlayerFactory.create(name="Ana"))
    with pytest.raises(MergeRefused, match="already belongs to a player"):
        claim_name(alias=alias, player=PlayerFactory.create(name="Ben"))


@pytest.mark.django_db(transaction=True)
def test_two_imports_at_once_make_one_guest() -> None:
    from django.db import transaction

    club = ClubFactory.create()

    def meet() -> Player:
        with transaction.atomic():
            return player_named(club=club, name="Lasse")

    players = at_once(*[meet] * 4)
    assert len({player.pk for player in players if isinstance(player, Player)}) == 1
    assert Player.objects.count() == 1


@pytest.mark.django_db
def test_a_second_claim_waits_for_the_first(club: Club) -> None:
    guest, other = player_named(club=club, name="bglover"), player_named(club=club, name="other")
    finish_match(open_match(club, guest, other), "white")
    ana, ben = PlayerFactory.create(name="Ana"), PlayerFactory.create(name="Ben")
    alias = claim_name(alias=Alias.objects.get(player=guest), player=ana)
    with pytest.raises(ClaimWaitsRefused, match="A director must decide that claim first"):
        claim_name(alias=alias, player=ben)
    assert claim_name(alias=alias, player=ana).claimed_by == ana
    refuse_claim(alias=alias)
    assert claim_name(alias=alias, player=ben).claimed_by == ben


@pytest.mark.django_db
def test_a_name_that_is_settled_is_not_given_to_another(club: Club) -> None:
    guest = player_named(club=club, name="bglover")
    ana, ben = PlayerFactory.create(name="Ana"), PlayerFactory.create(name="Ben")
    alias = confirm_claim(alias=Alias.objects.get(player=guest), player=ana)
    with pytest.raises(MergeRefused, match="“bglover” already belongs to a player"):
        confirm_claim(alias=alias, player=ben)
    ana.refresh_from_db()
    assert ana.merged_into is None
    assert confirm_claim(alias=alias, player=ana).player == ana


@pytest.mark.django_db(transaction=True)
def test_a_guest_is_not_merged_away_while_an_import_seats_them(club: Club) -> None:
    with transaction.atomic():
        player_named(club=club, name="bglover")
    alias, ana = Alias.objects.get(), PlayerFactory.create(name="Ana")
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            # What an import does: the club, the name, the seats.
            Club.objects.select_for_update(no_key=True).get(pk=club.pk)
            seated = player_named(club=club, name="bglover")
            settling = pool.submit(in_own_connection, lambda: confirm_claim(alias=alias, player=ana))
            end = monotonic() + 60
            while not settling.done() and not somebody_waits() and monotonic() < end:
                sleep(0.02)
            open_match(club, seated, PlayerFactory.create())
        settling.result(60)
    assert not Seat.objects.filter(player__merged_into__isnull=False).exists()
    assert Seat.objects.filter(player=ana).exists()


def in_own_connection(action: Callable[[], object]) -> None:
    try:
        action()
    finally:
        connection.close()


def somebody_waits() -> bool:
    """Whether another connection of this database waits for a lock."""
    with connection.cursor() as cursor:
        # Inside a transaction the first look would be the answer for ever.
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return bool(cursor.fetchone()[0])
