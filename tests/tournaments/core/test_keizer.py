"""Keizer: values by rank, points by the values of beaten opponents, and neighbours who meet."""

from random import Random

import pytest

from tests.tournaments.core.fields import field_of
from tests.tournaments.core.test_rounds import pairs, play_round
from tournaments.core.formats.table import format_of
from tournaments.core.formats.tables import stage_table
from tournaments.core.play import acts
from tournaments.core.proof.archive import archive_of, dumps
from tournaments.core.proof.check import check_text
from tournaments.core.rounds.keizer import KeizerOptions
from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.keizer import keizer_standing, value_at
from tournaments.core.stages.outcomes import Gone, Outcome
from tournaments.core.standings.tables import TableOptions

NONE = TableOptions(())


def season(count, **options):
    return acts.open_stage("keizer", field_of(count), KeizerOptions(seeding="hand", **options), seed="s")


def decided(stage, *winners):
    """The due round with these winners, else the first of a pair."""
    stage = acts.publish(stage)
    for pairing in stage.open_pairings():
        winner = next((n for n in (pairing.a, pairing.b) if n in winners), pairing.a)
        stage = acts.report(stage, pairing.number, Outcome(winner, pairing.other(winner)))
    return stage


def scores(stage):
    return {
        row.place.entrant: (row.place.first, row.score, row.values[0])
        for row in stage_table(stage, TableOptions())
    }


def test_the_first_value_is_about_three_times_the_last():
    for count in (24, 35, 64, 256):
        assert 2.9 < value_at(1, count) / value_at(count, count) < 3.4
    assert [value_at(rank, 2) for rank in (1, 2)] == [2, 1]


def test_a_season_of_four_by_hand():
    # Values 4, 3, 2, 1; 2 beats 1 and 4 beats 3: 3 + 4, 1 + 2 and the own values of the others.
    stage = decided(season(4, rounds=4), 2, 4)
    assert pairs(stage, 1) == {(1, 2), (3, 4)}
    assert scores(stage) == {
        2: (1, 7.0, ("keizer_value", 3.0)),
        1: (2, 4.0, ("keizer_value", 4.0)),
        4: (3, 3.0, ("keizer_value", 1.0)),
        3: (4, 2.0, ("keizer_value", 2.0)),
    }
    # Now 2 is worth 4, 1 is worth 3, 4 is worth 2 and 3 is worth 1. 2 and 1 have just met: 2-4 and 1-3, won
    # by 4 and 1. All is counted again: 2 has 4 + 3, 4 has 2 + 1 + 4, 1 has 3 + 1. Of equals 2 was ahead.
    stage = decided(stage, 4, 1)
    assert pairs(stage, 2) == {(2, 4), (1, 3)}
    assert scores(stage) == {
        2: (1, 7.0, ("keizer_value", 4.0)),
        4: (2, 7.0, ("keizer_value", 2.0)),
        1: (3, 4.0, ("keizer_value", 3.0)),
        3: (4, 1.0, ("keizer_value", 1.0)),
    }
    assert [(place.entrant, place.text) for place in format_of("keizer").places(stage)] == [
        *((2, "1–2"), (4, "1–2")),  # equals share prizes
        *((1, "3"), (3, "4")),
    ]


def test_a_bye_is_half_of_the_own_value_and_a_missed_round_a_third_five_times_at_most():
    stage = decided(season(5, rounds=10), 1, 3)
    assert pairs(stage, 1) == {(1, 2), (3, 4), (5, 0)}
    standing = keizer_standing(stage)
    assert standing.sixths[5] == (6 + 3) * standing.values[5]
    stage = acts.leave(stage, 2)
    for absences in range(1, 8):
        stage = decided(stage, 1, 3)
        now = keizer_standing(stage)
        assert now.sixths[2] == (6 + 2 * min(absences, 5)) * now.values[2]
    stage = acts.publish(acts.come_back(stage, 2))
    assert 2 in {n for pair in pairs(stage, 9) for n in pair}


def test_an_absence_is_for_one_round_counts_as_missed_and_is_in_the_proof():
    drawn = season(5, rounds=4)
    stage = decided(drawn, 1, 3)
    assert 5 in {pairing.a for pairing in stage.pairings.values() if pairing.is_bye}
    stage = acts.miss_round(stage, 2)
    assert acts.miss_round(stage, 2) is stage
    assert acts.join_round(acts.join_round(stage, 2), 2).absent == frozenset()
    assert not format_of("keizer").finished(stage)
    with pytest.raises(DrawRefused, match="entrant 2 is absent from round 2"):
        acts.publish_by_hand(stage, [(1, 2), (3, 4), (5, 0)])
    stage = decided(stage, 1, 3)
    assert 2 not in {n for pair in pairs(stage, 2) for n in pair}
    assert not stage.absent
    assert (stage.missed[2], keizer_standing(stage).sixths[2]) == (1, 8 * keizer_standing(stage).values[2])
    stage = acts.publish(stage)
    assert 2 in {n for pair in pairs(stage, 3) for n in pair}
    text = dumps(archive_of(stage, drawn=drawn))
    assert check_text(text).findings == ()
    forged = text.replace('"kind": "roundmissed"', '"kind": "roundmissed", "taken_back": true')
    assert {"not_reproducible"} <= {fault.code for fault in check_text(forged).faults}


def test_two_must_attend_and_a_draw_with_fewer_waits_instead_of_ending():
    stage = acts.miss_round(decided(season(3, rounds=4), 1), 1)
    with pytest.raises(DrawRefused, match="without entrant 2 fewer than 2 play round 2"):
        acts.miss_round(stage, 2)
    stage = acts.leave(stage, 2)
    assert acts.publish(stage) is stage
    assert not format_of("keizer").finished(stage)
    assert acts.too_few_attend(stage)
    assert not acts.too_few_attend(acts.join_round(stage, 1))
    assert pairs(acts.publish(acts.join_round(stage, 1)), 2) == {(1, 3)}
    with pytest.raises(DrawRefused, match="entrant 2 has withdrawn"):
        acts.miss_round(stage, 2)


def test_six_have_the_values_and_points_of_the_source():
    # keizer.schlapp.name, "Beispielturnier": before round 1 Botwinnik (1) has 7 and Keres (6) has 2. After it
    # Capablanca, who beat Steinitz, has 9, Keres, who beat Tal, 5, Steinitz 4 and Tal 3.
    assert [keizer_standing(season(6)).values[n] for n in range(1, 7)] == [7, 6, 5, 4, 3, 2]
    stage = acts.publish(season(6))
    assert pairs(stage, 1) == {(1, 2), (3, 4), (5, 6)}
    for number, winner, loser in ((2, 3, 4), (3, 6, 5)):
        stage = acts.report(stage, number, Outcome(winner, loser))
    assert [keizer_standing(stage).sixths[n] / 6 for n in (3, 6, 4, 5)] == [9, 5, 4, 3]


@pytest.mark.parametrize("count", [2, 3, 7, 12, 25, 64])
def test_a_season_of_any_size_with_comings_and_goings_is_proved_round_by_round(count):
    rng = Random(count)
    drawn = stage = acts.open_stage("keizer", field_of(count), KeizerOptions(rounds=12), seed=f"{count}")
    while not stage.closed:
        stage = play_round(stage)
        standing = keizer_standing(stage)
        assert sorted(standing.order) == list(range(1, len(stage.field) + 1))
        by_points = sorted(standing.order, key=lambda n: (-standing.sixths[n], -standing.values[n]))
        assert (
            tuple(by_points) == standing.order == tuple(row.place.entrant for row in stage_table(stage, NONE))
        )
        if stage.rounds == 3:
            stage = acts.enter_late(stage, Entrant("late"))
        if count > 3 and stage.rounds == 4:
            stage = acts.leave(stage, rng.randint(1, count))
        if count > 3 and stage.rounds == 6:
            stage = acts.come_back(stage, next(iter(stage.gone)))
        if stage.rounds == 12:
            stage = acts.close(stage)
    for pairing in stage.pairings.values():
        recent = [
            other
            for other in stage.pairings.values()
            if not pairing.is_bye
            and {other.a, other.b} == {pairing.a, pairing.b}
            and pairing.round - 3 <= other.round < pairing.round
        ]
        assert not recent or count < 7
    text = dumps(archive_of(stage, drawn=drawn))
    assert check_text(text).findings == ()


def test_another_pairing_than_the_ranking_gives_is_found():
    stage = decided(season(6, rounds=5), 2, 4, 6)
    drawn = season(6, rounds=5)
    published = acts.publish(stage)
    text = dumps(archive_of(published, drawn=drawn))
    assert check_text(text).faults == ()
    swapped = [(p.a, p.b) for p in published.open_pairings()]
    swapped = [(swapped[0][0], swapped[1][0]), (swapped[0][1], swapped[1][1]), swapped[2]]
    other = acts.publish_by_hand(stage, swapped)
    forged = dumps(archive_of(other, drawn=drawn)).replace('"by_hand": true', '"by_hand": false')
    assert "not_reproducible" in {fault.code for fault in check_text(forged).faults}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"rounds": 0}, "0 rounds: at least 1"),
        ({"apart": -2}, "no rematch in the next -2 rounds: at least 0"),
        ({"length": 0}, "matches to 0 points: at least 1"),
        ({"seeding": "age"}, "there is no seeding 'age'; choose from rating, hand, lot"),
    ],
)
def test_each_option_is_refused_by_its_value(options, said):
    with pytest.raises(DrawRefused, match=said):
        acts.open_stage("keizer", field_of(4), KeizerOptions(**options), seed="s")


def test_who_was_disqualified_is_last_whatever_the_points():
    stage = acts.leave(decided(season(4, rounds=4), 1, 3), 1, Gone.DISQUALIFIED)
    assert scores(stage)[1][0] == 4
    assert format_of("keizer").places(stage)[-1].entrant == 1
