"""What follows from a no-show or a withdrawal, before it is chosen."""

import pytest

from scoring.rules.endings import Ending
from tests.tournaments.core.fields import field_of
from tournaments.core.brackets.elimination import KnockoutOptions
from tournaments.core.formats.presets import preset
from tournaments.core.play import acts
from tournaments.core.play.absence import AbsenceScope, NotOffered, absences
from tournaments.core.play.feeding import Rest, feed, ranking_of
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.outcomes import Gone, Outcome

MATCH, DRAW, EVENT = AbsenceScope


def a_stage(key, count):
    chosen = preset(key)
    return acts.publish(acts.open_stage(chosen.format, field_of(count), chosen.options, seed="s"))


def asked(stage, *, feeds=False):
    pairing = stage.open_pairings()[0]
    return pairing, {each.scope: each for each in absences(stage, pairing.number, pairing.a, feeds=feeds)}


@pytest.mark.parametrize(
    ("key", "feeds", "not_offered"),
    [
        ("knockout", False, {DRAW: NotOffered.NO_CONSOLATION}),
        ("progressive", False, {MATCH: NotOffered.KNOCKOUT}),
        ("double", False, {DRAW: NotOffered.NO_CONSOLATION}),
        ("swiss", False, {DRAW: NotOffered.NO_CONSOLATION}),
        ("swiss", True, {}),
        ("round_robin", True, {}),
        ("lives", False, {DRAW: NotOffered.NO_CONSOLATION}),
    ],
)
def test_each_format_offers_the_answers_that_it_has(key, feeds, not_offered):
    _pairing, found = asked(a_stage(key, 9), feeds=feeds)
    assert list(found) == [MATCH, DRAW, EVENT]
    assert {scope: each.not_offered for scope, each in found.items() if each.not_offered} == not_offered


def test_in_a_consolation_the_answer_names_match_and_byes():
    pairing, found = asked(a_stage("progressive", 24))
    stays, leaves = found[DRAW], found[EVENT]
    assert stays.lost == leaves.lost == (pairing.number,)
    assert (stays.entrant.section, stays.tables) == ("consolation", ("consolation",))
    assert stays.entrant.match is not None
    assert stays.opponent == leaves.opponent
    assert (leaves.entrant.match, leaves.tables) == (None, ())
    assert leaves.place.first > 8


def test_a_withdrawal_forfeits_every_open_match_of_a_round_robin():
    pairing, found = asked(a_stage("round_robin", 4))
    assert found[MATCH].lost == (pairing.number,)
    assert found[MATCH].paired
    assert len(found[EVENT].lost) == 3
    assert not found[EVENT].paired


def test_who_left_the_draw_alone_goes_on_to_the_stages_behind_it():
    stage = a_stage("swiss_3", 6)
    pairing = stage.open_pairings()[0]
    stage = acts.leave(stage, pairing.a, Gone.LEFT_DRAW)
    stage = acts.leave(stage, pairing.b, Gone.WITHDRAWN)
    while stage.open_pairings():
        for each in stage.open_pairings():
            stage = acts.report(stage, each.number, Outcome(each.a, each.b, Ending.PLAYED, (5, 1)))
        stage = acts.publish(stage)
    sent = {entrant.ref for entrant in feed(ranking_of(stage), [Rest("B")])["B"]}
    assert stage.field[pairing.a - 1].ref in sent
    assert stage.field[pairing.b - 1].ref not in sent
    assert acts.leave(stage, pairing.a, Gone.WITHDRAWN).gone[pairing.a] is Gone.WITHDRAWN
    with pytest.raises(DrawRefused, match="already"):
        acts.leave(stage, pairing.b, Gone.LEFT_DRAW)


def test_only_an_open_match_is_asked_about():
    stage = a_stage("knockout", 4)
    pairing = stage.open_pairings()[0]
    with pytest.raises(DrawRefused, match="not open"):
        absences(stage, 3, pairing.a)
    with pytest.raises(DrawRefused, match="not open"):
        absences(stage, pairing.number, 9)


def test_options_of_a_small_consolation_are_those_of_its_bracket():
    options = KnockoutOptions(consolation="simple")
    stage = acts.publish(acts.open_stage("knockout", field_of(4), options, seed="s"))
    _pairing, found = asked(stage)
    assert found[DRAW].not_offered is None
