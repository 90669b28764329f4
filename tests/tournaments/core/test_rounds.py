from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from scoring.rules.endings import Ending
from tests.tiers import sized
from tests.tournaments.core.events import plan_of, rematch_free_exists, rematches, simulated
from tests.tournaments.core.fields import field_of
from tournaments.core.formats.table import format_of
from tournaments.core.matching.matching import Scale, cheapest
from tournaments.core.matching.swiss_plan import plan_swiss
from tournaments.core.play import acts
from tournaments.core.play.simulation import ROUGH, World, play_event, strong_field
from tournaments.core.proof.archive import archive_of, dumps, loads
from tournaments.core.proof.check import check, check_text
from tournaments.core.rounds.keizer import KeizerOptions
from tournaments.core.rounds.lives import Lives, LivesOptions
from tournaments.core.rounds.lives_state import follow
from tournaments.core.rounds.monrad import MonradOptions
from tournaments.core.rounds.swiss import SwissOptions
from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.outcomes import Gone, Outcome
from tournaments.core.stages.records import Record
from tournaments.core.stages.slots import BYE
from tournaments.core.stages.stage import RoundWithdrawn
from tournaments.core.standings.places import Place


def start(key, count, options, seed="s"):
    return acts.open_stage(key, field_of(count), options, seed=seed)


def play_round(stage, winner=min):
    stage = acts.publish(stage)
    for p in stage.open_pairings():
        won = winner(p.a, p.b)
        stage = acts.report(stage, p.number, Outcome(won, p.a + p.b - won))
    return stage


def pairs(stage, number):
    return {(p.a, p.b) for p in stage.pairings.values() if p.round == number}


def test_swiss_of_eight_is_the_golden_event():
    stage = start("swiss", 8, SwissOptions())
    for _ in range(3):
        stage = play_round(stage)
    assert pairs(stage, 1) == {(1, 5), (2, 6), (3, 7), (4, 8)}
    assert pairs(stage, 2) == {(1, 3), (2, 4), (5, 7), (6, 8)}
    assert pairs(stage, 3) == {(1, 2), (3, 5), (4, 6), (7, 8)}
    assert format_of("swiss").finished(stage)
    assert format_of("swiss").places(stage)[0] == Place(1, 1, 1)


def test_pairing_carries_its_reasons():
    stage = play_round(start("swiss", 6, SwissOptions(rounds=3)))
    stage = acts.publish(stage)
    floated = next(p for p in stage.pairings.values() if p.round == 2 and p.reasons[0].code == "floated_down")
    assert [r.sentence() for r in floated.reasons] == [
        "floated down: odd group",
        "has not floated this way before",
        "floated up: meets a floater from above",
        "has not floated this way before",
    ]


@pytest.mark.parametrize(("floated_before", "floats"), [((), 3), ((3,), 1), ((1, 3), 2), ((1, 2, 3), 3)])
def test_float_is_not_repeated_when_another_can_float(floated_before, floats):
    upper = [Record(n, wins=1, floats=[1 if n in floated_before else 0]) for n in (1, 2, 3)]
    lower = [Record(n, losses=1, floats=[0]) for n in (4, 5, 6)]
    plan = plan_swiss([*upper, *lower], dict.fromkeys(range(1, 7), frozenset()))
    down = [plan.records[i].entrant for i, j in plan.best().pairs if i < 3 <= j]
    assert down == [floats]


@pytest.mark.parametrize("count", [5, 7, 9])
def test_nobody_rests_twice_before_everybody_has(count):
    stage = start("swiss", count, SwissOptions(rounds=count))
    for _ in range(count):
        stage = play_round(stage)
    assert set(Counter(p.a for p in stage.pairings.values() if p.is_bye).values()) == {1}


def test_bye_goes_to_the_lowest_score_group():
    stage = play_round(start("swiss", 9, SwissOptions(rounds=3)))
    scores = {r.entrant: r.score for r in plan_of(stage).records}
    stage = acts.publish(stage)
    bye = next(p for p in stage.pairings.values() if p.round == 2 and p.is_bye)
    assert scores[bye.a] == min(scores.values())
    assert [r.code for r in bye.reasons] == ["bye_first", "bye_lowest"]


def test_club_mates_are_kept_apart_where_nothing_suffers():
    field = field_of(16, clubs=4)
    plain = acts.publish(acts.open_stage("swiss", field, SwissOptions(), seed="x"))
    kept = acts.publish(acts.open_stage("swiss", field, SwissOptions(protect=("club",)), seed="x"))

    def mates(stage):
        return sum(field[p.a - 1].club == field[p.b - 1].club for p in stage.pairings.values())

    assert (mates(plain), mates(kept)) == (8, 8)  # the fold comes first, by the order of levels
    by_lot = SwissOptions(protect=("club",), seeding="lot")
    assert mates(acts.publish(acts.open_stage("swiss", field, by_lot, seed="x"))) <= 2


def test_until_unbeaten_goes_on_while_two_are_unbeaten():
    options = SwissOptions(rounds=2, until_unbeaten=True)
    stage, _ = simulated("swiss", 20, options, seed=3)
    assert stage.rounds >= 4
    lost = Counter(o.loser for o in stage.outcomes.values())
    assert sum(lost[n] == 0 for n in range(1, 21)) <= 1


def test_accelerated_rounds_pair_the_upper_half_apart_by_a_virtual_point():
    stage = play_round(start("swiss", 16, SwissOptions(rounds=4, accelerated=2)))
    assert pairs(stage, 1) == {(1, 5), (2, 6), (3, 7), (4, 8), (9, 13), (10, 14), (11, 15), (12, 16)}
    stage = play_round(stage)
    # 1-4 lead with 2; losers of the upper half and winners of the lower have 1 each; 13-16 have none.
    assert pairs(stage, 2) == {(1, 3), (2, 4), (5, 9), (6, 10), (7, 11), (8, 12), (13, 15), (14, 16)}
    reasons = {p.a: [r.code for r in p.reasons] for p in stage.pairings.values() if p.round == 2}
    assert reasons[1] == ["accelerated", "same_score", "fold"]
    assert reasons[5] == ["accelerated", "fold"]
    real = {r.entrant: (r.score, r.floats) for r in plan_of(stage).records}
    assert (real[5], real[9], real[1]) == ((1, [0, 0]), (1, [0, 0]), (2, [0, 0]))
    stage = play_round(stage)
    third = [p for p in stage.pairings.values() if p.round == 3]
    assert {r.code for p in third for r in p.reasons} == {"same_score", "fold"}
    assert pairs(stage, 3) >= {(1, 2)}


@pytest.mark.parametrize("count", [2, 3, 4, 5, 7, 8, 17, sized(33, 256)])
@pytest.mark.parametrize("rounds", [None, 5])
def test_accelerated_draws_of_any_size_are_proved(count, rounds):
    options = SwissOptions(rounds=rounds, accelerated=2)
    stage, archive = simulated("swiss", count, options, seed=count, mishaps=ROUGH)
    assert stage.closed
    assert check_text(dumps(archive)).faults == ()
    last = max(p.round for p in stage.pairings.values())
    assert all(r.code != "accelerated" for p in stage.pairings.values() if p.round == last for r in p.reasons)


def test_a_late_entrant_is_never_in_the_upper_half():
    stage = acts.enter_late(start("swiss", 5, SwissOptions(rounds=4, accelerated=2)), Entrant("x", 2500.0))
    assert plan_of(acts.leave(stage, 1)).records[-1].entrant == 6
    assert pairs(acts.publish(acts.leave(stage, 1)), 1) == {(2, 3), (4, 0), (5, 6)}


def brute_force(plan):
    """The least packed cost by trying every perfect pairing."""
    nodes = len(plan.records) + plan.odd
    cost = {(i, j): c for i, j, c in plan.edges(combinations(range(len(plan.records)), 2))}
    cost |= {(i, j): c for i, j, c in plan.bye_edges()} if plan.odd else {}

    def best(left):
        if not left:
            return 0
        first, *rest = left
        return min(cost[first, j] + best([k for k in rest if k != j]) for j in rest)

    return best(list(range(nodes)))


@pytest.mark.parametrize(
    ("key", "options"),
    [
        ("swiss", SwissOptions(rounds=6, protect=("club",))),
        ("swiss", SwissOptions(rounds=6, accelerated=3)),
        ("monrad", MonradOptions(rounds=6)),
        ("keizer", KeizerOptions(rounds=6)),
        ("lives", LivesOptions(lives=4)),
        ("lives", LivesOptions(lives=4, meetings="before_records")),
    ],
)
@pytest.mark.parametrize("count", [5, 6, 7, 8, 9, 10])
def test_pairing_is_the_exact_optimum_by_brute_force(key, options, count):
    def watch(before, after):
        if any(r.code == "playoff" for n in after.pairings for r in after.pairings[n].reasons):
            return
        plan = plan_of(before)
        assert plan.best().cost == brute_force(plan)

    simulated(key, count, options, seed=count, mishaps=ROUGH, watch=watch)


@pytest.mark.parametrize("count", [64, 129, 256])
def test_pairing_weight_equals_the_exact_optimum(count):
    stage = start("swiss", count, SwissOptions(rounds=9, seeding="lot"))
    rng = Random(count)
    for _ in range(4):
        stage = play_round(stage, winner=lambda a, b: rng.choice((a, b)))
    plan = plan_of(stage)
    nodes = range(len(plan.records))
    complete = plan.edges(combinations(nodes, 2)) + (plan.bye_edges() if plan.odd else [])
    exact = cheapest(len(nodes) + plan.odd, complete)
    assert exact is not None
    assert plan.best().cost == exact.cost == plan.cost(exact.pairs)


def test_large_field_falls_back_to_the_complete_graph_when_the_window_repeats_a_match():
    stage = start("swiss", 258, SwissOptions(rounds=2))
    plan = plan_of(stage)
    windowed = cheapest(258, plan.edges(plan.likely_pairs()))
    assert windowed is not None
    for i, j in plan.likely_pairs():
        plan.records[i].met[plan.records[j].entrant] = 1
        plan.records[j].met[plan.records[i].entrant] = 1
    assert plan.best().cost < plan.unit("rematch")


def test_field_too_small_for_its_rounds_gets_the_least_bad_rounds():
    stage = start("swiss", 4, SwissOptions(rounds=6))
    for _ in range(6):
        stage = play_round(stage)
    meetings = Counter(frozenset((p.a, p.b)) for p in stage.pairings.values())
    assert set(meetings.values()) == {2}


def test_scale_packs_levels_and_refuses_what_does_not_fit():
    scale = Scale.of((3, 9, 2), 5)
    assert scale.unpack(scale.pack((2, 30, 7))) == (2, 30, 7)
    with pytest.raises(OverflowError, match="do not fit"):
        Scale.of((10**12,) * 4, 10**6)


@pytest.mark.parametrize("event", range(sized(80, 200)))
def test_simulated_rounds_have_no_avoidable_rematch_no_unfair_bye_and_nobody_unpaired(event):
    rng = Random(event)
    count = round(5 * 40 ** rng.random())
    if event % 2:
        key, first = "swiss", True
        rounds, on = rng.choice((None, 3, 5, 7)), rng.random() < 0.2
        options: object = SwissOptions(rounds=rounds, until_unbeaten=on)
    else:
        key, first = "lives", event % 4 == 2
        lives = rng.choice((2, 3, 4))
        options = LivesOptions(lives=lives, meetings="before_records" if first else "after_records")

    def watch(before, after):
        if any(
            r.code == "playoff"
            for n, p in after.pairings.items()
            for r in p.reasons
            if n not in before.pairings
        ):
            return
        plan = plan_of(before)
        new = [p for n, p in after.pairings.items() if n not in before.pairings]
        sides = sorted(n for p in new for n in ((p.a,) if p.is_bye else (p.a, p.b)))
        assert sides == sorted(r.entrant for r in plan.records)
        fewest = min(r.byes for r in plan.records)
        byes = {r.entrant: r.byes for r in plan.records}
        assert all(byes[p.a] == fewest for p in new if p.is_bye)
        if first and rematches(before, after):
            assert not rematch_free_exists(before)

    stage, archive = simulated(key, count, options, seed=event, mishaps=ROUGH, watch=watch)
    assert stage.closed
    if event % 5 == 0:
        assert check_text(dumps(archive)).faults == ()


def test_archive_survives_the_round_trip():
    _, archive = simulated("lives", 23, LivesOptions(), mishaps=ROUGH)
    assert loads(dumps(archive)) == archive
    assert dumps(loads(dumps(archive))) == dumps(archive)


def test_same_seed_draws_the_same_event():
    one = simulated("swiss", 31, SwissOptions(seeding="lot"), seed=5, mishaps=ROUGH)[1]
    two = simulated("swiss", 31, SwissOptions(seeding="lot"), seed=5, mishaps=ROUGH)[1]
    assert dumps(one) == dumps(two)


def test_lives_of_four_is_the_golden_event():
    stage = start("lives", 4, LivesOptions(lives=2, seeding="hand"))
    lines = []
    while not format_of("lives").finished(stage):
        stage = play_round(stage)
        lines.append(sorted(pairs(stage, stage.rounds)))
    assert lines == [[(1, 2), (3, 4)], [(1, 3), (2, 4)], [(1, 2), (3, 0)], [(1, 3)]]
    assert [(p.entrant, p.first) for p in format_of("lives").places(stage)] == [
        (1, 1),
        (3, 2),
        (2, 3),
        (4, 4),
    ]


def test_lives_ends_in_the_money_when_one_has_more_than_one_life():
    options = LivesOptions(lives=3, paid_places=5, seeding="hand", playoff=False)
    stage, chosen, left = start("lives", 16, options), Lives(), []
    while not chosen.finished(stage):
        assert chosen.in_the_money(stage) == ()
        stage = play_round(stage)
        left.append(16 - len(follow(stage).out))
    # Six are left after round 6, three after round 7: 1 with all lives, 2 and 3 on their last, who are paid
    # equally.
    assert left == [16, 16, 14, 11, 9, 6, 3]
    assert chosen.in_the_money(stage) == (Place(1, 1, 1), Place(2, 2, 3), Place(3, 2, 3))


def test_nobody_who_was_just_eliminated_is_paid():
    options = LivesOptions(lives=2, paid_places=6, seeding="hand", playoff=False)
    stage = start("lives", 16, options)
    while not Lives().finished(stage):
        stage = play_round(stage)
    out = {n for n in range(1, 17) if sum(o.loser == n for o in stage.outcomes.values()) >= 2}
    paid = {p.entrant for p in Lives().in_the_money(stage)}
    assert 1 <= len(paid) <= 6
    assert not paid & out


def test_three_left_with_equal_records_play_it_out_with_a_bye_by_lot():
    stage = start("lives", 6, LivesOptions(lives=1, seeding="hand"))
    stage = play_round(stage)
    stage = acts.publish(stage)
    assert len(stage.open_pairings()) == 1
    playoff = [p for p in stage.pairings.values() if p.round == 2]
    assert all(r.code == "playoff" for p in playoff for r in p.reasons)
    stage = play_round(play_round(stage))
    assert format_of("lives").finished(stage)
    assert sorted(p.first for p in format_of("lives").places(stage)) == [1, 2, 3, 4, 4, 4]


def test_missing_a_round_costs_a_life():
    stage = play_round(start("lives", 8, LivesOptions(lives=3)))
    stage = acts.leave(stage, 1)
    stage = play_round(stage)
    stage = acts.come_back(stage, 1)
    rounds = plan_of(stage)
    lost = sum(o.loser == 1 for o in stage.outcomes.values())
    assert rounds.lost[1] == lost + 1


def test_leaving_and_coming_back_earns_no_point():
    stage = play_round(start("swiss", 7, SwissOptions(rounds=4)))
    stage = acts.leave(stage, 3)
    stage = play_round(stage)
    stage = acts.come_back(stage, 3)
    record = next(r for r in plan_of(stage).records if r.entrant == 3)
    assert (record.score, record.missed) == (record.wins + record.byes, 1)
    played = sum(3 in (p.a, p.b) for p in stage.pairings.values())
    assert record.wins + record.losses + record.byes == played == 1


def test_withdrawal_in_a_round_is_a_walkover_and_no_later_pairing():
    stage = acts.publish(start("swiss", 8, SwissOptions(rounds=3)))
    stage = acts.leave(stage, 1)
    assert [o.ended for o in stage.outcomes.values()] == [Ending.NO_SHOW]
    stage = play_round(play_round(play_round(stage)))
    assert sum(1 in (p.a, p.b) for p in stage.pairings.values()) == 1


def test_both_may_be_absent():
    stage = acts.publish(start("swiss", 4, SwissOptions(rounds=2)))
    p = stage.pairings[1]
    stage = acts.report(stage, 1, Outcome(p.a, p.b, Ending.DOUBLE_NO_SHOW))
    stage = play_round(stage)
    records = {r.entrant: r for r in plan_of(stage).records}
    assert (records[p.a].score, records[p.b].score) == (0, 0)
    assert p.b not in records[p.a].met


def test_correction_is_locked_once_the_next_round_is_published():
    stage = play_round(start("swiss", 4, SwissOptions()))
    p = stage.pairings[1]
    turned = Outcome(p.b, p.a)
    assert acts.report(stage, 1, turned).outcomes[1] == turned
    published = acts.publish(stage)
    with pytest.raises(DrawRefused, match="pairings 3, 4 depend on it"):
        acts.report(published, 1, turned)
    assert acts.report(published, 1, turned, decided=True).outcomes[1] == turned
    assert acts.report(published, 1, Outcome(p.a, p.b, points=(7, 6))).outcomes[1].points == (7, 6)


def test_round_by_hand_is_judged_by_warnings_only():
    drawn = start("swiss", 4, SwissOptions(rounds=2))
    stage = play_round(drawn)
    first = sorted(pairs(stage, 1))
    by_hand = acts.publish_by_hand(stage, first)
    verdict = check(archive_of(by_hand, drawn=drawn))
    assert verdict.accepted
    assert [f.code for f in verdict.warnings] == ["avoidable rematch"]


@pytest.mark.parametrize(
    ("pairing", "code"),
    [
        ([(1, 1), (2, 3)], "self_pairing"),
        ([(1, 2), (2, 3)], "paired_twice"),
        ([(1, 9), (2, 3)], "unknown_entrant"),
    ],
)
def test_impossible_rounds_by_hand_are_refused(pairing, code):
    with pytest.raises(DrawRefused) as refusal:
        acts.publish_by_hand(start("swiss", 4, SwissOptions()), pairing)
    assert refusal.value.code == code


def test_winner_is_not_declared_before_the_last_match_ended():
    stage = acts.publish(start("swiss", 2, SwissOptions(rounds=1)))
    with pytest.raises(DrawRefused, match="no winner can be declared"):
        acts.close(stage)
    stage = acts.report(stage, 1, Outcome(2, 1))
    assert acts.winners_of(acts.close(stage)) == (2,)


def test_disqualified_entrant_comes_last_and_cannot_return():
    stage = play_round(start("swiss", 8, SwissOptions(rounds=2)))
    stage = acts.leave(stage, 1, Gone.DISQUALIFIED)
    with pytest.raises(DrawRefused, match="entrant 1 was disqualified"):
        acts.come_back(stage, 1)
    assert format_of("swiss").places(stage)[-1].entrant == 1


def test_monrad_pairs_neighbours():
    stage = play_round(start("monrad", 8, MonradOptions(rounds=3, seeding="hand")))
    assert pairs(stage, 1) == {(1, 2), (3, 4), (5, 6), (7, 8)}
    stage = play_round(stage)
    assert pairs(stage, 2) == {(1, 3), (5, 7), (2, 4), (6, 8)}
    stage = play_round(stage)
    assert pairs(stage, 3) == {(1, 5), (2, 3), (6, 7), (4, 8)}


def test_monrad_with_rematches_meets_neighbours_again():
    stage = start("monrad", 4, MonradOptions(rounds=3, seeding="hand", rematches=True))
    for _ in range(3):
        stage = play_round(stage)
    assert (1, 2) in pairs(stage, 3) or (2, 1) in pairs(stage, 3)


@pytest.mark.parametrize(
    ("key", "options", "code"),
    [
        ("swiss", SwissOptions(rounds=0), "no_rounds"),
        ("swiss", SwissOptions(accelerated=-1), "accelerated"),
        ("swiss", SwissOptions(accelerated=1, seeding="lot"), "accelerated_by_lot"),
        ("swiss", SwissOptions(rounds=3, accelerated=3), "accelerated_too_long"),
        ("lives", LivesOptions(lives=0), "no_lives"),
        ("lives", LivesOptions(paid_places=0), "no_paid_places"),
        ("swiss", LivesOptions(), "wrong_options"),
        ("tombola", SwissOptions(), "unknown_format"),
    ],
)
def test_options_that_cannot_be_are_refused(key, options, code):
    with pytest.raises(DrawRefused) as refusal:
        start(key, 8, options)
    assert refusal.value.code == code


def test_byes_are_wins():
    stage = play_round(start("lives", 5, LivesOptions(lives=2)))
    bye = next(p for p in stage.pairings.values() if p.b == BYE)
    record = next(r for r in plan_of(stage).records if r.entrant == bye.a)
    assert (record.score, record.wins, record.byes) == (1, 0, 1)


def test_a_play_can_be_watched_for_some_rounds_only():
    drawn = start("swiss", 16, SwissOptions())
    stage = play_event(drawn, World(strong_field(16, Random(1)), Random(1)), rounds=2)
    assert stage.rounds == 2
    assert not stage.closed


@pytest.mark.parametrize("count", [4095, 4097, 10_001])
def test_levels_of_very_large_fields_fit(count):
    standing = [
        Record(n, wins=20 - n * 20 // count, byes=n % 3, met={n + 1: 3}, floats=[0]) for n in range(count)
    ]
    plan = plan_swiss(standing, {})
    assert plan.scale.units[0] < 1 << 120


def test_a_withdrawn_round_leaves_the_draw_as_it_was_and_is_proved():
    for key, options in (("swiss", SwissOptions(rounds=3)), ("monrad", MonradOptions(rounds=3))):
        drawn = start(key, 7, options)
        before = acts.leave(play_round(drawn), 7)
        published = acts.publish(before)
        after = acts.withdraw_round(published)
        assert (after.rounds, after.missed, after.absent) == (1, before.missed, before.absent)
        assert (after.pairings, after.outcomes) == (before.pairings, before.outcomes)
        again = acts.publish(after)
        assert again.pairings == published.pairings
        assert check_text(dumps(archive_of(again, drawn=drawn))).accepted


def test_a_round_with_a_result_the_first_and_one_twice_cannot_be_withdrawn():
    first = acts.publish(start("swiss", 6, SwissOptions(rounds=3)))
    second = acts.publish(play_round(start("swiss", 6, SwissOptions(rounds=3))))
    number = second.open_pairings()[0]
    begun = acts.report(second, number.number, Outcome(number.a, number.b))
    for stage in (first, begun, acts.withdraw_round(second)):
        with pytest.raises(DrawRefused, match=r"round \d cannot be withdrawn"):
            acts.withdraw_round(stage)


def test_a_file_that_withdraws_a_round_with_a_result_is_found_out():
    drawn = start("swiss", 6, SwissOptions(rounds=3))
    stage = acts.publish(play_round(drawn))
    number = stage.open_pairings()[0]
    true = archive_of(acts.report(stage, number.number, Outcome(number.a, number.b)), drawn=drawn)
    forged = replace(true, log=(*true.log, RoundWithdrawn(2)))
    assert {fault.code for fault in check(forged).faults} == {"not_withdrawable"}
