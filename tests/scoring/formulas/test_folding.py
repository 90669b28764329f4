"""What a log of results does to ratings: the arithmetic of each change, experience, and the sum of all."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.formulas.elo import BELGIUM, FIBS, FORMULAS, rinta_nikkola
from tests.scoring.formulas.folding import RatedResult, fold_results

NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)
formulas = st.sampled_from([*FORMULAS.values(), rinta_nikkola(1.2)])


@st.composite
def logs(draw, largest=25):
    players = "abcde"
    results = []
    for number in range(draw(st.integers(0, largest))):
        winner, loser = draw(st.permutations(players))[:2]
        minute = draw(st.integers(0, 3))  # equal times are common: a club types a whole evening at once
        played_at = NEW_YEAR + timedelta(days=number // 3, minutes=minute)
        results.append(RatedResult(f"m{number:03}", played_at, draw(st.integers(1, 25)), winner, loser))
    return sorted(results, key=lambda r: (r.played_at, r.ref))


@given(log=logs())
def test_every_change_carries_its_arithmetic(log):
    for change in fold_results(log, formula=FIBS).changes:
        step = 4 * change.length**0.5 * (1 - change.winner.probability)
        assert change.winner.change == pytest.approx(change.winner.k * step)
        assert change.loser.change == pytest.approx(-change.loser.k * step)
        for player in change.players:
            assert player.after == player.before + player.change
            assert player.experience_after == player.experience_before + change.length
            assert player.k == max(1.0, 5 - player.experience_before / 100)


@given(log=logs())
def test_experience_is_the_sum_of_the_lengths_played(log):
    folded = fold_results(log, formula=FIBS)
    for player, standing in folded.standings.items():
        own = [r for r in log if player in {r.winner, r.loser}]
        assert standing.experience == sum(r.length for r in own)
        assert standing.matches == len(own)
        assert standing.last_played == own[-1].played_at


@given(log=logs())
def test_without_ramp_up_points_are_only_passed_around(log):
    standings = fold_results(log, formula=BELGIUM).standings.values()
    assert sum(s.rating for s in standings) == pytest.approx(1500 * len(standings))
