"""A weekend's main event: double elimination, the checker after every result; 128 players in the long run."""

from typing import Any

import pytest

from clubs.models import Role
from scoring.log.services.chains import chain_damage
from scoring.models import Match, MatchStatus
from tests.factories import member
from tests.tiers import sized
from tests.tournaments.factories import an_event, drawn, open_pairings, pairing, win
from tournaments.core.proof.check import check_text
from tournaments.models import EventStatus, PairingState, StageRow, StageStatus
from tournaments.stages.services.archives import archive_text

PLAYERS = sized(16, 128)


@pytest.mark.django_db
@pytest.mark.parametrize("players", [8, 64])
def test_a_result_costs_the_same_in_a_small_and_in_a_large_draw(
    django_assert_num_queries: Any, players: int
) -> None:
    stage = drawn(an_event(players, format_key="double"))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    win(pairing(stage, 1), director)
    first, second = pairing(stage, 2), pairing(stage, 3)
    with django_assert_num_queries(35):  # two matches open: the winners' next and the losers' first
        win(first, director)
    with django_assert_num_queries(27):  # nobody's next match is complete
        win(second, director)


@pytest.mark.long
@pytest.mark.django_db
def test_a_large_double_elimination_is_proven_after_every_result() -> None:
    event = an_event(PLAYERS, format_key="double")
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    results = 0
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director, a=(row.number + results) % 3 > 0)
            results += 1
            verdict = check_text(archive_text(StageRow.objects.get()))
            assert verdict.accepted, (row.number, verdict.faults)
    # Everybody but the winner has lost twice; the winner has lost once at most.
    assert results in {2 * PLAYERS - 2, 2 * PLAYERS - 1}
    stage.refresh_from_db()
    event.refresh_from_db()
    assert (stage.status, event.status) == (StageStatus.FINISHED, EventStatus.FINISHED)
    assert not stage.pairings.filter(state=PairingState.REPLACED).exists()
    assert Match.objects.filter(status=MatchStatus.FINISHED).count() == results
    assert chain_damage(stage) is None
