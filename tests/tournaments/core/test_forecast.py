import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.tournaments.core.events import simulated
from tournaments.core.formats.presets import PRESETS, preset
from tournaments.core.prizes.payouts import paid_places
from tournaments.core.prizes.pools import Fees
from tournaments.core.proof.archive import dumps
from tournaments.core.rounds.swiss import SwissOptions
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.timetable.forecast import (
    Conditions,
    distribution,
    forecast,
    rank_correlation,
)


def run(name, *words):
    out = StringIO()
    call_command(name, *words, stdout=out)
    return out.getvalue()


@pytest.mark.parametrize("key", PRESETS)
def test_every_preset_can_be_forecast(key):
    conditions = Conditions(fees=Fees(entry=50_00, returned=90), added=7)
    played = forecast(preset(key), 16, seed="s", conditions=conditions)
    assert (played.minutes is None) == (key in {"league", "ladder", "keizer"})
    assert (played.evening is None) == (key != "keizer")
    assert (played.minutes or played.evening or 1) > 0
    assert len(played.places) == 16
    assert sum(amount for _, amount in played.payouts) == 16 * 45_00 + 7
    assert -1 <= played.fairness <= 1


def test_same_seed_same_forecast():
    one, two, other = (forecast(preset("swiss"), 20, seed=s, conditions=Conditions()) for s in "aab")
    assert one == two != other


def test_a_season_has_no_end_but_a_keizer_the_length_of_an_evening():
    season, matches = ("--format", "keizer", "--entrants", "9"), ("--length", "5")
    played = json.loads(run("simulate_event", *season, *matches, "--json"))
    assert (played["minutes"], played["rounds"]) == (None, 10)
    assert 5 * 5 <= played["evening"] <= 10 * 5
    assert json.loads(run("simulate_event", *season, "--repeat", "2", "--json"))["minutes"] is None
    assert "a season, a round an evening, at most 0:" in run("simulate_event", *season, *matches)
    assert "a season, the longest evening 0:" in run("simulate_event", *season, *matches, "--repeat", "2")
    assert "a season: 8 rounds" in run("simulate_event", "--format", "ladder", "--entrants", "4")


def test_fewer_tables_and_no_clocks_take_longer():
    minutes = [
        forecast(preset("round_robin"), 10, seed="s", conditions=c).minutes or 0
        for c in (Conditions(), Conditions(tables=2), Conditions(clocks=False))
    ]
    assert minutes[1] > 2 * minutes[0]
    assert minutes[2] > minutes[0]


def test_single_round_takes_no_more_than_its_longest_possible_match():
    played = forecast(preset("knockout"), 2, seed="s", conditions=Conditions(length=9))
    assert 5 * 9 <= (played.minutes or 0) <= 10 * 9


def test_stronger_fields_spread_makes_the_best_win_more_often():
    def wins(spread):
        runs = [
            forecast(preset("swiss"), 16, seed=str(n), conditions=Conditions(spread=spread))
            for n in range(60)
        ]
        return distribution(runs).best_wins

    assert wins(600.0) > wins(1.0)


def test_rank_correlation_knows_its_limits():
    assert rank_correlation([(1, 1), (2, 2), (3, 3)]) == 1
    assert rank_correlation([(3, 3), (2, 2), (1, 1)]) == -1
    assert rank_correlation([(1, 2), (1, 2)]) == 0


@pytest.mark.parametrize(("entrants", "paid"), [(2, 1), (16, 2), (32, 4), (60, 6), (64, 8), (500, 8)])
def test_about_one_in_eight_is_paid(entrants, paid):
    assert paid_places(entrants) == paid


def test_refusals_name_the_value():
    with pytest.raises(DrawRefused, match="1 entrants; last_chance needs at least 2"):
        forecast(preset("last_chance"), 1, seed="s", conditions=Conditions())
    with pytest.raises(DrawRefused, match="at least 1 table, not 0"):
        forecast(preset("swiss"), 4, seed="s", conditions=Conditions(tables=0))
    with pytest.raises(ValueError, match="no forecasts"):
        distribution([])


def test_simulate_event_prints_time_rematches_fairness_and_payouts():
    words = ["--format", "swiss", "--entrants", "32", "--seed", "7", "--entry-fee", "10000", "--tables", "8"]
    text = run("simulate_event", *words)
    assert "swiss, 32 entrants, seed 7" in text
    for word in ("finished after", "0 rematches", "rank correlation", "pays"):
        assert word in text
    figures = json.loads(run("simulate_event", *words, "--json"))
    assert sum(amount for _, amount in figures["payouts"]) == 32 * 10000
    assert (figures["prizes_without_a_win"], figures["smallest_section"], figures["most_byes"]) == (0, 32, 0)
    assert figures == json.loads(run("simulate_event", *words, "--json"))


def test_simulate_event_repeated_prints_distributions():
    text = run("simulate_event", "--format", "double", "--entrants", "8", "--repeat", "5")
    assert "5 events" in text
    assert "best player wins" in text
    figures = json.loads(
        run("simulate_event", "--format", "double", "--entrants", "8", "--repeat", "5", "--json")
    )
    assert (figures["events"], len(figures["expected_place"])) == (5, 8)
    assert (figures["prizes_without_a_win"], figures["smallest_section"], figures["most_byes"]) == (0, 7, 0)


def test_simulate_event_says_which_sections_too_few_entrants_can_reach():
    words = ["--format", "last_chance", "--seed", "1"]
    assert "too few entrants for: last chance" in run("simulate_event", *words, "--entrants", "4")
    figures = json.loads(run("simulate_event", *words, "--entrants", "24", "--json"))
    assert [(each["section"], each["entrants"]) for each in figures["sections"]] == [
        ("main", 24),
        ("consolation", 20),
        ("last chance", 8),
    ]
    assert (figures["smallest_section"], figures["most_byes"], figures["not_drawn"]) == (8, 1, [])


@pytest.mark.parametrize(
    "words",
    [
        ["--format", "tombola", "--entrants", "8"],
        ["--format", "swiss", "--entrants", "1"],
        ["--format", "swiss", "--entrants", "8", "--repeat", "0"],
        ["--format", "swiss", "--entrants", "8", "--length", "0"],
        ["--format", "swiss", "--entrants", "8", "--entry-fee", "-1"],
    ],
)
def test_simulate_event_refuses_with_a_sentence(words):
    with pytest.raises(CommandError):
        run("simulate_event", *words)


def test_check_draw_accepts_and_rejects(tmp_path):
    _, archive = simulated("swiss", 12, SwissOptions())
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(dumps(archive))
    bad.write_text(dumps(archive).replace('"seed": "seed 1"', '"seed": "seed 2"'))
    assert f"{good}: accepted\n  smallest section 12 entrants" in run("check_draw", str(good))
    told = json.loads(run("check_draw", "--json", str(good)))
    assert told["accepted"] is True
    figures = told["stages"][""]
    assert (figures["prizes_without_a_win"], figures["smallest_section"], figures["most_byes"]) == (0, 12, 0)
    with pytest.raises(CommandError, match="1 of 2 rejected") as refusal:
        run("check_draw", str(good), str(bad))
    assert refusal.value.returncode == 1
    with pytest.raises(CommandError, match="cannot be read"):
        run("check_draw", str(tmp_path / "none.json"))


def test_given_strengths_decide_who_wins():
    words = ["--format", "round_robin", "--entrants", "3", "--repeat", "20", "--json"]
    figures = json.loads(run("simulate_event", *words, "--strengths", "1000,9000,1000"))
    assert figures["best_wins"] == 1
    with pytest.raises(CommandError, match="2 strengths for 3 entrants"):
        run("simulate_event", *words, "--strengths", "1000,9000")
    with pytest.raises(CommandError, match="invalid ratings value: 'much'"):
        run("simulate_event", *words, "--strengths", "much")
