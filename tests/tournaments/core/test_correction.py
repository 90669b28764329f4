from random import Random

import pytest

from tests.tournaments.core.fields import field_of, play
from tournaments.core.brackets.changes import (
    admit_late,
    byes_open_to_late_entry,
)
from tournaments.core.brackets.correction import Correction, what_if
from tournaments.core.brackets.elimination import DoubleOptions, KnockoutOptions, double_elimination, knockout
from tournaments.core.brackets.resolve import BracketStatus, resolve
from tournaments.core.formats.table import format_of
from tournaments.core.play import acts
from tournaments.core.play.preview import preview
from tournaments.core.rounds.swiss import SwissOptions
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.outcomes import Outcome
from tournaments.core.stages.seeding import SeatingOptions, seat
from tournaments.core.standings.places import Place


def bracket_of(count):
    return knockout(seat(field_of(count), SeatingOptions(), Random(1)), KnockoutOptions())


def test_correction_before_the_next_match_is_allowed_and_shows_what_moves():
    bracket = bracket_of(8)
    found = what_if(bracket, {1: Outcome(1, 8)}, Correction(1, Outcome(8, 1)))
    assert found.allowed
    assert [c.match for c in found.matches] == [1, 5]
    assert found.matches[1].before[0] == 1
    assert found.matches[1].after[0] == 8
    assert [(c.entrant, c.before is None, c.after is None) for c in found.places] == [
        (1, True, False),
        (8, False, True),
    ]


def test_correction_is_locked_once_a_dependent_match_was_played_or_started():
    bracket = bracket_of(8)
    results = {1: Outcome(1, 8), 2: Outcome(4, 5)}
    assert what_if(bracket, results, Correction(1, Outcome(8, 1)), started={5}).locked == (5,)
    results[5] = Outcome(1, 4)
    found = what_if(bracket, results, Correction(1, Outcome(8, 1)))
    assert found.locked == (5,)
    assert not found.allowed


def test_corrected_score_with_the_same_winner_moves_and_locks_nothing():
    bracket = bracket_of(4)
    results = dict(play(bracket).results)
    found = what_if(bracket, results, Correction(1, Outcome(1, 4, points=(7, 5))))
    assert (found.matches, found.places, found.locked) == ((), (), ())


def test_correction_of_the_last_match_changes_the_places():
    bracket = bracket_of(4)
    found = what_if(bracket, play(bracket).results, Correction(3, Outcome(2, 1)))
    assert found.allowed
    assert [(c.entrant, c.before, c.after) for c in found.places] == [
        (1, Place(1, 1, 1), Place(1, 2, 2)),
        (2, Place(2, 2, 2), Place(2, 1, 1)),
    ]


def test_taking_a_result_back_reopens_the_match():
    bracket = bracket_of(4)
    found = what_if(bracket, {1: Outcome(1, 4)}, Correction(1, None))
    assert found.matches[0].after == (1, 4, -1, -1)
    with pytest.raises(DrawRefused, match="match 2 has no result"):
        what_if(bracket, {}, Correction(2, None))


def test_correction_in_a_double_elimination_reaches_both_brackets():
    bracket = double_elimination(range(1, 9), DoubleOptions())
    found = what_if(bracket, {1: Outcome(1, 2)}, Correction(1, Outcome(2, 1)))
    touched = {
        each.section
        for each in bracket.rounds
        for c in found.matches
        if each.first <= c.match < each.first + each.count
    }
    assert touched == {"main", "losers"}


def test_correction_must_name_the_two_entrants():
    with pytest.raises(DrawRefused, match="between 1 and 4"):
        what_if(bracket_of(4), {1: Outcome(1, 4)}, Correction(1, Outcome(1, 2)))


def test_late_entrant_takes_a_bye_until_its_holder_starts_his_next_match():
    seating = seat(field_of(6), SeatingOptions(), Random(1))  # byes for 1 and 2
    bracket = knockout(seating, KnockoutOptions())
    state = resolve(bracket, {})
    offered = byes_open_to_late_entry(state, seating)
    assert [seating[p ^ 1] for p in offered] == [2, 1]
    assert admit_late(state, seating, 7, offered[0]).count(7) == 1
    top_semi = bracket.winner_goes_to(seating.index(1) // 2 + 1)
    assert top_semi is not None
    state = resolve(bracket, {m: o for m, o in play(bracket).results.items() if m <= top_semi})
    assert [seating[p ^ 1] for p in byes_open_to_late_entry(state, seating)] == [2]
    with pytest.raises(DrawRefused, match="not an open bye"):
        admit_late(state, seating, 7, seating.index(1) ^ 1)
    with pytest.raises(DrawRefused, match="already seated"):
        admit_late(state, seating, 5, offered[0])


def test_withdrawal_between_rounds_gives_walkovers():
    bracket = bracket_of(8)
    results = {m: o for m, o in play(bracket).results.items() if m <= 4}
    before, after = resolve(bracket, results), resolve(bracket, results, gone={4})
    assert [m for m in range(1, 8) if after.status(m) is BracketStatus.WALKOVER] == [5]
    assert before.status(5) is not BracketStatus.WALKOVER
    assert after.winner[5] == 1
    assert after.status(7) is BracketStatus.WAITING


def test_return_is_refused_once_somebody_played_on_the_walkover():
    stage = acts.publish(acts.open_stage("knockout", field_of(8), KnockoutOptions(), seed="s"))
    for p in stage.open_pairings():
        stage = acts.report(stage, p.number, Outcome(min(p.a, p.b), max(p.a, p.b)))
    away = acts.leave(stage, 1)
    assert acts.come_back(away, 1).gone == {}
    away = acts.publish(away)
    final = acts.publish(acts.report(away, 6, Outcome(2, 3)))
    assert acts.come_back(final, 1).gone == {}
    over = acts.report(final, 7, Outcome(2, 4))
    with pytest.raises(DrawRefused, match="match 7 was played since the walkover"):
        acts.come_back(over, 1)


def test_late_entry_is_refused_when_a_bye_led_somebody_on_in_the_losers_side():
    bracket = double_elimination(seat(field_of(5), SeatingOptions(), Random(1)), DoubleOptions())
    seating = tuple(
        -code for code in [c for pair in zip(bracket.a[:4], bracket.b[:4], strict=True) for c in pair]
    )
    offered = byes_open_to_late_entry(resolve(bracket, {}), seating)
    assert len(offered) == 3
    played = play(bracket)
    assert byes_open_to_late_entry(played, seating) == ()


def swiss_after_a_round():
    stage = acts.publish(acts.open_stage("swiss", field_of(4), SwissOptions(), seed="s"))
    for p in stage.open_pairings():
        stage = acts.report(stage, p.number, Outcome(p.a, p.b))
    return stage


def test_preview_of_a_swiss_correction_shows_places_and_what_locks_it():
    stage = swiss_after_a_round()
    p = stage.pairings[1]
    turned = Outcome(p.b, p.a)
    found = preview(stage, 1, turned)
    assert found.allowed
    assert {c.entrant for c in found.places} == {p.a, p.b}
    assert found.matches[0].after == (p.a, p.b, p.b, p.a)
    assert preview(acts.publish(stage), 1, turned).locked == (3, 4)
    assert preview(acts.publish(stage), 1, Outcome(p.a, p.b, points=(7, 1))).allowed


def test_preview_of_a_bracket_correction_is_what_if():
    stage = acts.publish(acts.open_stage("knockout", field_of(4), KnockoutOptions(), seed="s"))
    stage = acts.report(acts.report(stage, 1, Outcome(1, 4)), 2, Outcome(2, 3))
    assert [c.match for c in preview(stage, 1, Outcome(4, 1)).matches] == [1, 3]
    stage = acts.report(acts.publish(stage), 3, Outcome(1, 2))
    assert preview(stage, 1, None).locked == (3,)
    with pytest.raises(DrawRefused):
        preview(swiss_after_a_round(), 9, None)


def test_third_place_match_decides_the_medals():
    stage = acts.open_stage("knockout", field_of(8), KnockoutOptions(third_place=True), seed="s")
    knockout_format = format_of("knockout")
    while not knockout_format.finished(stage):
        stage = acts.publish(stage)
        for p in stage.open_pairings():
            stage = acts.report(stage, p.number, Outcome(min(p.a, p.b), max(p.a, p.b)))
    assert [(p.entrant, p.first, p.last) for p in knockout_format.places(stage)][:5] == [
        (1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4), (5, 5, 8),
    ]  # fmt: skip


def test_pairing_called_before_a_correction_is_called_again_with_the_right_entrants():
    stage = acts.publish(acts.open_stage("knockout", field_of(4), KnockoutOptions(), seed="s"))
    stage = acts.publish(acts.report(acts.report(stage, 1, Outcome(1, 4)), 2, Outcome(2, 3)))
    corrected = acts.report(stage, 1, Outcome(4, 1))
    with pytest.raises(DrawRefused, match="match 3 is between 4 and 2, not 1 and 2"):
        acts.report(corrected, 3, Outcome(1, 2))
    again = acts.publish(corrected)
    assert (again.pairings[3].a, again.pairings[3].b) == (4, 2)
    assert acts.winners_of(acts.close(acts.report(again, 3, Outcome(4, 2)))) == (4,)


def test_walkover_for_a_pairing_that_a_correction_has_emptied_is_not_kept():
    stage = acts.publish(acts.open_stage("knockout", field_of(4), KnockoutOptions(), seed="s"))
    stage = acts.publish(acts.report(acts.report(stage, 1, Outcome(1, 4)), 2, Outcome(2, 3)))
    stage = acts.leave(acts.report(stage, 1, Outcome(4, 1)), 1)
    stage = acts.publish(stage)
    assert 3 not in stage.outcomes
    assert [(p.a, p.b) for p in stage.open_pairings()] == [(4, 2)]
