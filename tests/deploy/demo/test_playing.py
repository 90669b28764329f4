"""The demo's matches: strength is a thicker or thinner haze, a plan decides every die, the rules are kept."""

import doctest
import os
import signal
from pathlib import Path
from random import Random
from threading import Timer

import pytest

from deploy.demo import making, strength
from deploy.demo.farm import play
from deploy.demo.playing import MatchPlan, play_match
from deploy.demo.strength import Strength
from scoring.engines.gammonview.worth import CubeWorth, Worth
from scoring.rules.events import Doubled, Passed, Played, PlayStatus, Resigned, Taken
from scoring.rules.game import Phase
from scoring.rules.match_state import Status
from scoring.rules.sheet import replay
from tests.deploy.demo.partners import PipCounter

EXPERT, BEGINNER = Strength.at(1.0), Strength.at(0.0)


@pytest.mark.parametrize("module", [making, strength], ids=lambda m: m.__name__)
def test_docstring_examples(module):
    outcome = doctest.testmod(module)
    assert (outcome.attempted > 0, outcome.failed) == (True, 0)


def cost(player: Strength) -> float:
    """What the player's choices among five plays, 0.05 apart, lose on average."""
    worths = [Worth(-0.05 * n, 0.5, 0.1) for n in range(5)]
    dice = Random(7)
    return sum(0.05 * player.choose(worths, dice) for _ in range(2000)) / 2000


def test_a_weaker_player_loses_more_by_each_choice():
    losses = [cost(Strength.at(level / 4)) for level in range(5)]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.001
    assert losses[0] > 0.03


def test_without_a_haze_the_cube_goes_by_the_three_equities():
    clear = Strength(0.0)
    dice = Random(1)
    assert clear.doubles(CubeWorth(0.60, 0.64, 0.70), dice)
    assert clear.takes(CubeWorth(0.60, 0.64, 0.70), dice)
    assert not clear.takes(CubeWorth(0.60, 0.74, 0.70), dice)
    assert not clear.doubles(CubeWorth(0.72, 0.74, 0.70), dice)  # too good


@pytest.mark.parametrize("level", [-0.1, 1.1])
def test_there_is_no_level_outside_the_club(level):
    with pytest.raises(ValueError, match="a level is from 0 to 1"):
        Strength.at(level)


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5])
def test_a_match_is_played_out_by_the_rules(length):
    for number in range(3):
        plan = MatchPlan(length, EXPERT, BEGINNER, f"{length}/{number}")
        state = replay(play_match(plan, PipCounter()))
        assert state.status is Status.OVER
        assert max(state.score.white, state.score.black) >= length


def test_the_same_plan_makes_the_same_match_and_another_seed_another():
    plan = MatchPlan(3, EXPERT, BEGINNER, "here")
    again = MatchPlan(3, EXPERT, BEGINNER, "here")
    other = MatchPlan(3, EXPERT, BEGINNER, "there")
    assert play_match(plan, PipCounter()) == play_match(again, PipCounter())
    assert play_match(plan, PipCounter()) != play_match(other, PipCounter())


def test_cubes_are_turned_taken_passed_and_games_resigned():
    events = [
        event
        for n in range(12)
        for event in play_match(MatchPlan(5, BEGINNER, BEGINNER, str(n)), PipCounter())
    ]
    assert {Doubled, Taken, Passed, Resigned} <= {type(event) for event in events}


def test_a_slip_is_one_illegal_play_that_stands():
    events = play_match(MatchPlan(1, EXPERT, BEGINNER, "slip", slip_after=8), PipCounter())
    slips = [e for e in events if isinstance(e, Played) and e.status is not PlayStatus.LEGAL]
    assert [slip.status for slip in slips] == [PlayStatus.ILLEGAL_ACCEPTED]
    assert [flag.code for flag in replay(events).flags] == ["illegal_accepted"]


def test_a_match_that_is_broken_off_ends_at_a_roll():
    events = play_match(MatchPlan(5, EXPERT, EXPERT, "off", broken_off_after=30), PipCounter())
    state = replay(events)
    assert (state.status, state.game.phase) == (Status.PLAYING, Phase.TURN)
    assert 30 <= len(events) < 40


def test_the_engine_plays_the_same_in_one_process_and_in_two():
    plans = {n: MatchPlan(1, Strength.at(0.6), Strength.at(0.4), f"farm/{n}") for n in range(3)}
    told: list[tuple[int, int]] = []
    two = dict(play(plans, processes=2, on_progress=lambda done, total: told.append((done, total))))
    assert two == dict(play(plans, processes=1))
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert all(replay(events).winner for events in two.values())


@pytest.mark.long
def test_processes_may_end_long_after_their_last_match():
    plans = {n: MatchPlan(1, EXPERT, BEGINNER, f"slow/{n}") for n in range(2)}
    held: list[int] = []

    def hold_at_the_last(done: int, total: int) -> None:
        if done == total:
            held.extend(engines_of_this_process())
            for pid in held:
                os.kill(pid, signal.SIGSTOP)
            Timer(1.0, let_go).start()

    def let_go() -> None:
        for pid in held:
            os.kill(pid, signal.SIGCONT)

    assert len(dict(play(plans, processes=1, on_progress=hold_at_the_last))) == 2
    assert held


def engines_of_this_process() -> list[int]:
    mine = Path("/proc/self/task").glob("*/children")
    pids = {int(pid) for path in mine for pid in path.read_text().split()}
    return [pid for pid in pids if b"deploy.demo" in Path(f"/proc/{pid}/cmdline").read_bytes()]
