import json
from dataclasses import replace
from random import Random

import pytest

from scoring.rules.endings import Ending
from tests.tiers import sized
from tests.tournaments.core.events import simulated
from tests.tournaments.core.fields import field_of
from tournaments.core.brackets.bracket import MAIN
from tournaments.core.brackets.elimination import DoubleOptions, KnockoutOptions
from tournaments.core.brackets.formats import DoubleElimination
from tournaments.core.brackets.resolve import BracketStatus
from tournaments.core.formats.presets import PRESETS, preset
from tournaments.core.formats.table import FORMATS
from tournaments.core.play import acts
from tournaments.core.play.simulation import ROUGH
from tournaments.core.proof.archive import archive_of, dumps
from tournaments.core.proof.check import check, check_text
from tournaments.core.rounds.lives import LivesOptions
from tournaments.core.rounds.round_robin import RoundRobinOptions
from tournaments.core.rounds.swiss import SwissOptions
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.outcomes import Gone, Outcome
from tournaments.core.stages.pairings import Pairing
from tournaments.core.stages.seeding import SeatingOptions
from tournaments.core.stages.slots import BYE
from tournaments.core.stages.stage import Closed, Left, Paired, Reported, Stage

ALL_SIZES = sized(set(), {"knockout", "progressive", "double", "swiss", "lives", "monrad", "ready", "ladder"})
SIZES = [2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 100, 127, 128]


@pytest.mark.parametrize("key", PRESETS)
def test_every_draw_from_the_minimum_to_128_is_accepted(key):
    chosen = preset(key)
    for count in (n for n in (range(129) if key in ALL_SIZES else SIZES) if n >= chosen.minimum):
        stage = acts.open_stage(chosen.format, field_of(count), chosen.options, seed=f"{key} {count}")
        published = acts.publish(stage)
        verdict = check(archive_of(published, drawn=stage))
        assert verdict.findings == (), (count, verdict.findings)
        assert published.pairings or FORMATS[chosen.format].finished(published)


@pytest.mark.parametrize("key", PRESETS)
def test_every_played_event_is_accepted(key):
    chosen = preset(key)
    for count in [n for n in (2, 3, 5, 6, 8, 11, 16, 23) if n >= chosen.minimum]:
        mishaps = ROUGH
        stage, archive = simulated(chosen.format, count, chosen.options, seed=count, mishaps=mishaps)
        verdict = check_text(dumps(archive))
        assert verdict.faults == (), (count, verdict.faults)
        assert stage.closed


# The catalogue of planted faults: one for each line of docs/reference/tournaments.md, "Faults a draw must not
# have", and more.


def swiss(count=8, rounds=3, played=1):
    drawn = acts.open_stage("swiss", field_of(count), SwissOptions(rounds=rounds), seed="s")
    stage = drawn
    for _ in range(played):
        stage = acts.publish(stage)
        for p in stage.open_pairings():
            stage = acts.report(stage, p.number, Outcome(min(p.a, p.b), max(p.a, p.b)))
    return drawn, stage


def codes(drawn: Stage, stage: Stage) -> set[str]:
    return {f.code for f in check(archive_of(stage, drawn=drawn)).faults}


def published_by_claim(stage: Stage, *pairs: tuple[int, int]) -> Stage:
    """A round as a wrong program would publish it, claiming that the algorithm made it."""
    start, number = stage.next_number, stage.rounds + 1
    return stage.after(Paired(tuple(Pairing(start + k, number, a, b) for k, (a, b) in enumerate(pairs))))


def test_1_greedy_pairing_that_ends_in_a_rematch_is_rejected():
    drawn, stage = swiss()
    first = [(p.a, p.b) for p in stage.pairings.values()]
    found = codes(drawn, published_by_claim(stage, *first))
    assert {"avoidable rematch", "not_reproducible"} <= found


def test_2_second_bye_is_rejected():
    drawn, stage = swiss(5)
    bye = next(p.a for p in stage.pairings.values() if p.is_bye)
    others = [n for n in range(1, 6) if n != bye]
    wrong = published_by_claim(stage, (others[0], others[2]), (others[1], others[3]), (bye, BYE))
    assert "avoidable second bye" in codes(drawn, wrong)


def test_2_round_generated_again_with_its_bye_is_rejected():
    drawn, stage = swiss(5, played=0)
    stage = acts.publish(stage)
    again = tuple(replace(p, number=p.number + 3) for p in stage.pairings.values())
    assert {"round_again", "round_open"} <= codes(drawn, stage.after(Paired(again)))


def test_2_leaving_and_rejoining_for_a_free_point_is_rejected():
    drawn, stage = swiss(6)
    stage = acts.come_back(acts.leave(stage, 2), 2)
    sides = [n for n in range(1, 7) if n != 2]
    wrong = published_by_claim(stage, (sides[0], sides[1]), (sides[2], sides[3]), (sides[4], BYE), (2, BYE))
    assert "byes" in codes(drawn, wrong)


def test_3_dropped_player_paired_with_himself_is_rejected():
    drawn, stage = swiss()
    stage = acts.leave(stage, 3)
    archive = archive_of(stage, drawn=drawn)
    broken = replace(archive, log=(*archive.log, Paired((Pairing(9, 2, 3, 3),))))
    assert {"self_pairing", "paired_out"} & {f.code for f in check(broken).faults}


def bracket_archive(count=5, key="double", options=None):
    drawn = acts.open_stage(key, field_of(count), options or DoubleOptions(), seed="s")
    return drawn, acts.publish(drawn)


def test_4_bye_that_does_not_reach_the_losers_side_is_rejected():
    drawn, stage = bracket_archive()
    archive = archive_of(stage, drawn=drawn)
    stuck = tuple(
        replace(c, holds=(-1, -1), status=BracketStatus.WAITING)
        if c.section == "losers" and c.round == 1
        else c
        for c in archive.bracket
    )
    assert check(archive).accepted
    assert {f.code for f in check(replace(archive, bracket=stuck)).faults} == {"bracket"}


def test_4_withdrawn_and_to_be_decided_are_not_a_bye():
    drawn, stage = bracket_archive(8)
    archive = archive_of(stage, drawn=drawn)
    guessed = tuple(replace(c, holds=(0, c.holds[1])) if c.match == 5 else c for c in archive.bracket)
    assert {f.code for f in check(replace(archive, bracket=guessed)).faults} == {"bracket"}


def test_5_somebody_advanced_from_a_double_no_show_is_rejected():
    drawn, stage = bracket_archive(4, "knockout", KnockoutOptions())
    stage = acts.report(stage, 1, Outcome(1, 4, Ending.DOUBLE_NO_SHOW))
    stage = acts.report(stage, 2, Outcome(2, 3))
    assert "wrong_entrants" in codes(drawn, stage.after(Paired((Pairing(3, 2, 1, 2),))))


@pytest.mark.parametrize("ended", [Ending.VOID, Ending.AGREED])
def test_a_match_that_never_counted_decides_no_pairing(ended):
    drawn, stage = bracket_archive(4, "knockout", KnockoutOptions())
    with pytest.raises(DrawRefused, match="has no outcome"):
        acts.report(stage, 1, Outcome(1, 4, ended))
    assert "no_outcome" in codes(drawn, stage.after(Reported(1, Outcome(1, 4, ended))))


def test_6_bracket_corrected_after_the_next_match_is_rejected():
    drawn, stage = bracket_archive(4, "knockout", KnockoutOptions())
    stage = acts.publish(acts.report(acts.report(stage, 1, Outcome(1, 4)), 2, Outcome(2, 3)))
    stage = acts.report(stage, 3, Outcome(1, 2))
    assert codes(drawn, stage.after(Reported(1, Outcome(4, 1)))) == {"locked"}
    assert codes(drawn, stage.after(Reported(1, Outcome(4, 1), decided=True))) == set()


def test_6_swiss_corrected_after_the_next_round_was_published_is_rejected():
    drawn, stage = swiss()
    stage = acts.publish(stage)
    p = stage.pairings[1]
    assert codes(drawn, stage.after(Reported(1, Outcome(p.b, p.a)))) == {"locked"}


def test_6_round_robin_can_always_be_corrected():
    drawn = acts.open_stage("round_robin", field_of(4), RoundRobinOptions(), seed="s")
    stage = acts.publish(drawn)
    for p in stage.open_pairings():
        stage = acts.report(stage, p.number, Outcome(p.a, p.b))
    p = stage.pairings[1]
    assert codes(drawn, acts.report(stage, 1, Outcome(p.b, p.a))) == set()


def test_7_draw_on_unconfirmed_results_is_warned_about_and_not_blocked():
    drawn = acts.open_stage("swiss", field_of(4), SwissOptions(rounds=2), seed="s")
    stage = acts.publish(drawn)
    for p in stage.open_pairings():
        stage = acts.report(stage, p.number, Outcome(p.a, p.b, confirmed=False))
    verdict = check(archive_of(acts.publish(stage), drawn=drawn))
    assert verdict.accepted
    assert [f.code for f in verdict.warnings] == ["unconfirmed"]


def test_8_winner_before_the_last_match_is_rejected():
    drawn, stage = swiss(8, rounds=3, played=2)
    assert "not_finished" in codes(drawn, stage.after(Closed((1,))))


def test_8_missing_reset_final_is_rejected():
    drawn = acts.open_stage("double", field_of(4), DoubleOptions(), seed="s")
    stage = drawn
    while not DoubleElimination().finished(stage):
        stage = acts.publish(stage)
        for p in stage.open_pairings():
            if p.number == 7:
                assert codes(drawn, stage.after(Closed((stage.outcomes[6].winner,)))) == {"not_finished"}
                return
            winner = max(p.a, p.b) if p.number == 6 else min(p.a, p.b)
            stage = acts.report(stage, p.number, Outcome(winner, p.a + p.b - winner))
    pytest.fail("the reset final was never due")


def test_8_wrong_winner_is_rejected():
    drawn, stage = swiss(2, rounds=1)
    assert codes(drawn, stage.after(Closed((2,)))) == {"winner"}


@pytest.mark.parametrize("private", ["waiting_list", "name", "email", "calendar"])
def test_9_archive_with_private_data_is_rejected(private):
    drawn, stage = swiss()
    body = json.loads(dumps(archive_of(stage, drawn=drawn)))
    for place in (body, body["field"][0]):
        place[private] = "somebody"
        assert [f.code for f in check_text(json.dumps(body)).faults] == ["unknown_key"]
        del place[private]
    assert check_text(json.dumps(body)).accepted


def test_10_disqualified_player_in_the_other_bracket_is_rejected():
    drawn, stage = bracket_archive(4)
    stage = acts.report(stage, 1, Outcome(1, 4, Ending.DISQUALIFIED))
    stage = acts.report(stage, 2, Outcome(2, 3))
    stage = acts.leave(stage, 4, Gone.DISQUALIFIED)
    losers = DoubleElimination().bracket(stage).section("losers")[0].first
    found = codes(drawn, stage.after(Paired((Pairing(losers, 3, 4, 3),))))
    assert {"not_ready", "not_reproducible"} <= found


def test_withdrawn_player_who_is_paired_is_rejected():
    drawn, stage = swiss(8)
    stage = stage.after(Left(1, Gone.WITHDRAWN))
    wrong = published_by_claim(stage, (1, 2), (3, 4), (5, 6), (7, 8))
    assert "paired_out" in codes(drawn, wrong)


def test_unpaired_player_is_rejected():
    drawn, stage = swiss(8)
    assert "unpaired" in codes(drawn, published_by_claim(stage, (1, 2), (3, 4), (5, 6)))


def test_other_seed_than_the_one_shown_is_rejected():
    drawn, stage = swiss()
    archive = archive_of(stage, drawn=drawn)
    assert {"seed_hash"} <= {f.code for f in check(replace(archive, seed="another")).faults}


def test_other_order_than_the_seed_draws_is_rejected():
    drawn = acts.open_stage("swiss", field_of(16), SwissOptions(seeding="lot"), seed="s")
    archive = archive_of(drawn, drawn=drawn)
    turned = replace(archive, order=tuple(reversed(archive.order)))
    assert {f.code for f in check(turned).faults} == {"draw"}


def test_unknown_version_is_rejected():
    drawn, stage = swiss()
    assert "version" in {f.code for f in check(replace(archive_of(stage, drawn=drawn), version=9)).faults}


@pytest.mark.parametrize(
    ("order", "code"),
    [
        ((1, 2, 3, 4, 5, 6, 7, 8), "seeds"),
        ((1, 8, 4, 5, 2, 7, 3, 3), "seated"),
        ((1, 8, 4, 5, 2, 7, 3, 0), "seated"),
        ((1, 8, 4, 5, 2, 7, 3, 6, 0, 0, 0, 0, 0, 0, 0, 0), "two_byes"),
    ],
)
def test_wrong_seatings_are_rejected(order, code):
    drawn = acts.open_stage("knockout", field_of(8), KnockoutOptions(), seed="s")
    archive = archive_of(drawn, drawn=drawn)
    found = {f.code for f in check(replace(archive, order=order, bracket=())).faults}
    assert {code, "draw"} <= found


def test_bye_for_a_weaker_seed_is_rejected():
    drawn = acts.open_stage("knockout", field_of(6), KnockoutOptions(), seed="s")
    archive = archive_of(drawn, drawn=drawn)
    seats = tuple({1: 6, 6: 1}.get(n, n) for n in archive.order)
    assert {"byes", "draw"} <= {f.code for f in check(replace(archive, order=seats, bracket=())).faults}


def test_crossing_that_meets_again_too_early_is_rejected():
    chosen = DoubleElimination()
    bracket = chosen.bracket(acts.open_stage("double", field_of(32), DoubleOptions(), seed="s"))
    assert list(chosen.crossing_faults(bracket)) == []
    b = list(bracket.b)
    second = bracket.section(MAIN)[1].matches
    for place, match in zip([b.index(2 * m + 1) for m in second], reversed(second), strict=True):
        b[place] = 2 * match + 1
    worse = replace(bracket, b=tuple(b))
    assert [f.code for f in chosen.crossing_faults(worse)] == ["crossing"]


def test_round_robin_that_pairs_twice_is_rejected():
    drawn = acts.open_stage("round_robin", field_of(4), RoundRobinOptions(), seed="s")
    p = acts.publish(drawn).pairings
    twice = tuple(replace(p[n], a=p[n - 2].a, b=p[n - 2].b) if p[n].round == 2 else p[n] for n in p)
    assert "rematch" in codes(drawn, drawn.after(Paired(twice)))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "not_json"),
        ("[]", "not_json"),
        ('{"format": "tombola"}', "unknown_format"),
        ('{"format": "swiss", "options": {"rounds": "three"}}', "wrong_type"),
        ('{"format": "swiss", "options": {"turns": 3}}', "unknown_key"),
        ('{"format": "swiss", "options": {}, "log": 3}', "wrong_type"),
        ('{"format": "swiss", "options": {}, "log": [{"kind": "party"}]}', "wrong_type"),
        ('{"format": "swiss", "options": {}}', "missing_key"),
    ],
)
def test_unreadable_archives_say_why(text, code):
    verdict = check_text(text)
    assert [f.code for f in verdict.faults] == [code]


def test_damaged_archives_are_never_a_crash():
    _, archive = simulated("lives", 9, LivesOptions(), mishaps=ROUGH)
    text = dumps(archive)
    rng = Random(7)
    for _ in range(300):
        at = rng.randrange(len(text))
        damaged = text[:at] + rng.choice('0123456789"{}[],x') + text[at + 1 :]
        check_text(damaged)


def test_protection_that_cannot_be_kept_is_a_warning():
    field = tuple(replace(e, club="one") for e in field_of(8))
    options = KnockoutOptions(seeding="lot", protect=("club",))
    drawn = acts.open_stage("knockout", field, options, seed="s")
    verdict = check(archive_of(drawn, drawn=drawn))
    assert verdict.accepted
    assert [f.code for f in verdict.warnings] == ["protection"]
    assert isinstance(options, SeatingOptions)


def test_an_archive_is_spelled_like_this():
    drawn = acts.open_stage("knockout", field_of(2), KnockoutOptions(seeding="hand"), seed="s")
    stage = acts.report(acts.publish(drawn), 1, Outcome(2, 1, points=(7, 3)))
    assert json.loads(dumps(archive_of(stage, drawn=drawn))) == {
        "edition": 1,
        "format": "knockout",
        "version": 2,
        "options": {"seeding": "hand"},
        "seed": "s",
        "seed_hash": "043a718774c572bd8a25adbeb1bfcd5c0256ae11cecf9f9c3f925d0e52beaf89",
        "field": [{"ref": "p1", "rating": 1999.0}, {"ref": "p2", "rating": 1998.0}],
        "order": [1, 2],
        "log": [
            {
                "kind": "paired",
                "pairings": [{"number": 1, "round": 1, "a": 1, "b": 2, "reasons": [{"code": "bracket"}]}],
            },
            {"kind": "reported", "pairing": 1, "outcome": {"winner": 2, "loser": 1, "points": [7, 3]}},
        ],
        "bracket": [
            {
                "match": 1,
                "section": "main",
                "round": 1,
                "slots": ["seed 1", "seed 2"],
                "holds": [1, 2],
                "status": "decided",
            }
        ],
    }
    assert json.loads(dumps(archive_of(drawn, drawn=drawn)))["log"] == []
