"""A replay is a pure fold: the same floats from any snapshot, and a correction is a replay."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.formulas.elo import BELGIUM, FIBS, FORMULAS, rinta_nikkola
from scoring.formulas.errors import InvalidResult, InvalidSnapshot, LogOutOfOrder
from scoring.formulas.replay import RatedResult, Snapshot, replay, snapshot_before

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
    return sorted(results, key=lambda r: r.key)


@given(log=logs(), formula=formulas, data=st.data())
def test_a_replay_from_any_snapshot_is_bit_identical_to_a_full_replay(log, formula, data):
    cut = data.draw(st.integers(0, len(log)))
    full = replay(log, formula=formula)
    head = replay(log[:cut], formula=formula)
    stored = Snapshot.from_json(head.end.to_json())
    tail = replay(log[cut:], formula=formula, start=stored)
    assert head.changes + tail.changes == full.changes
    assert tail.end == full.end
    assert tail.end.to_json() == full.end.to_json()


@given(log=logs(), every=st.integers(1, 7))
def test_kept_snapshots_are_those_of_shorter_logs(log, every):
    kept = replay(log, formula=FIBS, snapshot_every=every).snapshots
    assert kept == tuple(replay(log[:n], formula=FIBS).end for n in range(every, len(log) + 1, every))


@given(log=logs(), data=st.data())
def test_correcting_a_result_is_a_replay_from_the_snapshot_before_it(log, data):
    if not log:
        return
    at = data.draw(st.integers(0, len(log) - 1))
    wrong = log[at]
    corrected = [*log]
    corrected[at] = RatedResult(wrong.ref, wrong.played_at, wrong.length, wrong.loser, wrong.winner)
    snapshots = replay(log, formula=FIBS, snapshot_every=4).snapshots
    start = snapshot_before(snapshots, wrong.key)
    rest = [r for r in corrected if start is None or start.upto is None or r.key > start.upto]
    assert replay(rest, formula=FIBS, start=start).end == replay(corrected, formula=FIBS).end


@given(log=logs())
def test_every_change_carries_its_arithmetic(log):
    for change in replay(log, formula=FIBS).changes:
        step = 4 * change.length**0.5 * (1 - change.winner.probability)
        assert change.winner.change == pytest.approx(change.winner.k * step)
        assert change.loser.change == pytest.approx(-change.loser.k * step)
        for player in change.players:
            assert player.after == player.before + player.change
            assert player.experience_after == player.experience_before + change.length
            assert player.k == max(1.0, 5 - player.experience_before / 100)


@given(log=logs())
def test_experience_is_the_sum_of_the_lengths_played(log):
    end = replay(log, formula=FIBS).end
    for player, standing in end.standings.items():
        own = [r for r in log if player in {r.winner, r.loser}]
        assert standing.experience == sum(r.length for r in own)
        assert standing.matches == len(own)
        assert standing.last_played == own[-1].played_at


@given(log=logs())
def test_without_ramp_up_points_are_only_passed_around(log):
    standings = replay(log, formula=BELGIUM).end.standings.values()
    assert sum(s.rating for s in standings) == pytest.approx(1500 * len(standings))


def test_an_empty_log_changes_nothing():
    result = replay([], formula=FIBS)
    assert (result.changes, result.snapshots, result.end) == ((), (), Snapshot.beginning(FIBS))


def result(ref, day, **changed):
    values = {"length": 7, "winner": "a", "loser": "b", **changed}
    return RatedResult(ref, NEW_YEAR + timedelta(days=day), **values)


@pytest.mark.parametrize(
    "log",
    [
        [result("m2", 1), result("m1", 0)],
        [result("m2", 0), result("m1", 0)],
        [result("m1", 0), result("m1", 0)],
    ],
)
def test_a_log_out_of_order_is_refused(log):
    with pytest.raises(LogOutOfOrder):
        replay(log, formula=FIBS)


def test_a_log_that_starts_before_its_snapshot_is_refused():
    start = replay([result("m1", 3)], formula=FIBS).end
    with pytest.raises(LogOutOfOrder):
        replay([result("m0", 3)], formula=FIBS, start=start)


def test_a_snapshot_of_another_formula_is_refused():
    with pytest.raises(InvalidSnapshot, match="belgium@1"):
        replay([], formula=FIBS, start=Snapshot.beginning(BELGIUM))


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"formula":"fibs@1","upto":null,"standings":{"a":[NaN,0,0,null]}}', '{"upto":3}'],
)
def test_a_damaged_snapshot_is_refused(text):
    with pytest.raises(InvalidSnapshot):
        Snapshot.from_json(text)


@pytest.mark.parametrize("changed", [{"loser": "a"}, {"length": 0}, {"length": -3}])
def test_a_result_that_cannot_be_rated_is_refused(changed):
    with pytest.raises(InvalidResult):
        result("m1", 0, **changed)


def test_a_result_without_a_time_zone_is_refused():
    with pytest.raises(InvalidResult):
        RatedResult("m1", datetime(2026, 1, 1), 7, "a", "b")


def test_snapshot_every_must_be_positive():
    with pytest.raises(ValueError, match="snapshot_every"):
        replay([], formula=FIBS, snapshot_every=0)
