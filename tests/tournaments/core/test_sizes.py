"""Every format at every size: fields of at least two, byes spread, no prize without a win."""

from dataclasses import replace
from random import Random

import pytest

from scoring.rules.endings import Ending
from tests.tiers import sized
from tests.tournaments.core.fields import field_of
from tournaments.core.brackets.bracket import CONSOLATION, LAST_CHANCE, MAIN, structural_faults
from tournaments.core.brackets.elimination import DoubleOptions, KnockoutOptions
from tournaments.core.brackets.formats import Elimination, Knockout
from tournaments.core.brackets.shape import shape_faults, shape_of
from tournaments.core.formats.presets import PRESETS, Preset
from tournaments.core.formats.table import format_of
from tournaments.core.play import acts
from tournaments.core.play.sections import played_sections
from tournaments.core.play.simulation import ROUGH, World, play_event, strong_field
from tournaments.core.play.winning import entrants_with_a_win, prize_places
from tournaments.core.proof.archive import archive_of
from tournaments.core.proof.check import check
from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.outcomes import Outcome
from tournaments.core.timetable.forecast import Conditions, simulate_preset

SIZES = sized([4, 5, 6, 7, 9, 12, 17, 23, 24, 33, 65], range(4, 257))
MADE = [
    *PRESETS.values(),
    *(
        Preset(f"{key} by lot", preset.format, replace(preset.options, byes="lot"), 2)
        for key, preset in PRESETS.items()
        if preset.format in {"knockout", "double"}
    ),
    Preset("simple", "knockout", KnockoutOptions(consolation="simple", last_chance=1, third_place=True), 2),
    Preset("all rounds", "knockout", KnockoutOptions(consolation="progressive", feeding=9, last_chance=9), 2),
    Preset("double, all rounds", "double", DoubleOptions(byes="lot", last_chance=9), 2),
]
BRACKETS = [preset for preset in MADE if preset.format in {"knockout", "double"}]
WITH_ROUNDS_FOR_ALL = {"swiss", "round_robin", "monrad", "keizer", "ready"}


def bracket_format(key) -> Elimination:
    found = format_of(key)
    assert isinstance(found, Elimination)
    return found


@pytest.mark.parametrize("chosen", MADE, ids=lambda preset: preset.key)
def test_no_prize_without_a_win_no_lonely_section_and_byes_are_spread(chosen):
    for count in SIZES:
        stage, _rng = simulate_preset(chosen, count, seed=str(count), conditions=Conditions())
        found = played_sections(stage)
        assert found.prizes_without_a_win == 0, count
        assert found.smallest >= 2, (count, found)
        for each in found.sections:
            if chosen.format in WITH_ROUNDS_FOR_ALL:
                assert each.most_byes < 2 or each.fewest_byes, (count, each)
            elif chosen.format != "lives":  # there byes go round among those still in: judged by check
                assert each.most_byes < 2, (count, each)


@pytest.mark.parametrize("chosen", BRACKETS, ids=lambda preset: preset.key)
def test_every_drawn_shape_has_a_field_and_its_byes_once(chosen):
    draws = bracket_format(chosen.format)
    for count in SIZES:
        stage = acts.open_stage(chosen.format, field_of(count), chosen.options, seed=str(count))
        bracket = draws.bracket(stage)
        assert [*structural_faults(bracket), *shape_faults(bracket)] == [], count
        for each in shape_of(bracket):
            assert each.entrants >= 2, (count, each)
            assert each.most_byes <= 1, (count, each)
            assert all(each.matches), (count, each)


def shapes(count, options, key="knockout"):
    stage = acts.open_stage(key, field_of(count), options, seed="s")
    return {each.section: each for each in shape_of(bracket_format(key).bracket(stage))}


def test_a_consolation_is_fed_by_as_many_rounds_as_give_a_field():
    options = KnockoutOptions(consolation="progressive", last_chance=1)
    found = shapes(24, options)
    assert (found[CONSOLATION].entrants, found[CONSOLATION].matches) == (20, (8, 4, 4, 2, 1))
    assert (found[CONSOLATION].most_byes, found[LAST_CHANCE].entrants) == (0, 8)
    found = shapes(17, options)
    assert (found[CONSOLATION].matches, found[CONSOLATION].byes) == ((1, 4, 4, 2, 1), (7, 0, 0, 0, 0))
    assert found[LAST_CHANCE].fed_by == (("consolation", 1), ("consolation", 2))
    assert shapes(20, KnockoutOptions(consolation="simple"))[CONSOLATION].fed_by == (("main", 1), ("main", 2))
    assert shapes(24, KnockoutOptions(consolation="simple", feeding=3))[CONSOLATION].entrants == 20


def test_a_section_without_a_field_is_not_drawn():
    options = KnockoutOptions(consolation="progressive", last_chance=1, third_place=True)
    assert set(shapes(2, options)) == {MAIN}
    assert set(shapes(3, options)) == {MAIN}
    assert set(shapes(4, replace(options, third_place=False))) == {MAIN, CONSOLATION}
    assert set(shapes(4, DoubleOptions(last_chance=2), "double")) == {MAIN, "losers"}


@pytest.mark.parametrize(
    "chosen", [p for p in MADE if p.format in {"knockout", "double"}], ids=lambda p: p.key
)
def test_late_entrants_take_byes_and_change_no_match_that_was_made(chosen):
    """They come before, between and after matches; the draw stays one that the checker accepts."""
    for count in (5, 9, 12, 17, 20):
        rng = Random(count)
        drawn = stage = acts.open_stage(chosen.format, field_of(count), chosen.options, seed=str(count))
        mishaps = replace(ROUGH, late=1.0, leave=0.0, disqualify=0.0, correct=0.0)
        stage = play_event(stage, World(strong_field(count, rng), rng, mishaps, pace=0.4))
        verdict = check(archive_of(stage, drawn=drawn))
        assert verdict.faults == (), (count, verdict.faults)
        assert stage.late
    draws = bracket_format(chosen.format)
    stage = acts.publish(acts.open_stage(chosen.format, field_of(24), chosen.options, seed="s"))
    before = draws.bracket(stage)
    for number in range(25, 33):
        stage = acts.enter_late(stage, Entrant(f"late{number}"))
    after = draws.bracket(stage)
    assert after.size == before.size
    assert [(r.section, r.first, r.count) for r in after.rounds] == [
        (r.section, r.first, r.count) for r in before.rounds
    ]
    done = play_event(stage, World({}, Random(1)))
    assert played_sections(done).prizes_without_a_win == 0


def test_whoever_won_by_byes_and_walkovers_alone_is_in_no_prize():
    """The last chance of eight: all but one go home before it, and its prize is nobody's."""
    stage = acts.publish(
        acts.open_stage(
            "knockout", field_of(8), KnockoutOptions(consolation="progressive", last_chance=1), seed="s"
        )
    )
    draws = Knockout()
    while open_ := [p for p in stage.open_pairings() if p.number <= 9]:
        stage = acts.publish(acts.report(stage, open_[0].number, Outcome(open_[0].a, open_[0].b)))
    last = next(p for p in stage.open_pairings() if p.number == 11)
    stage = acts.leave(stage, last.a)
    places = draws.table(stage, LAST_CHANCE)
    assert [p.entrant for p in places if p.first == 1] == [last.b]
    assert prize_places(places, entrants_with_a_win(stage, LAST_CHANCE)) == ()
    assert stage.outcomes[11].ended is Ending.NO_SHOW


def test_draws_of_version_1_are_read_and_continued_as_they_were_drawn():
    options = KnockoutOptions(consolation="progressive", last_chance=1)
    now = acts.open_stage("knockout", field_of(24), options, seed="s")
    drawn = replace(now, version=1)
    draws = Knockout()
    assert draws.bracket(drawn).a != draws.bracket(now).a
    assert draws.bracket(drawn).section(LAST_CHANCE)
    rng = Random(1)
    stage = play_event(drawn, World(strong_field(24, rng), rng, replace(ROUGH, correct=0.0)))
    verdict = check(archive_of(stage, drawn=drawn))
    assert verdict.accepted
    assert {f.code for f in verdict.warnings} >= {"small_section"}
    assert not check(archive_of(replace(stage, version=3), drawn=drawn)).accepted
