"""Forbidden pairs: never paired, or only where all else would be worse, in every format and at every size."""

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from tests.tiers import sized
from tests.tournaments.core.events import plan_of
from tests.tournaments.core.fields import field_of
from tests.tournaments.core.test_rounds import brute_force, pairs, play_round
from tournaments.core.brackets.elimination import KnockoutOptions
from tournaments.core.formats.groups import spread
from tournaments.core.formats.table import format_of
from tournaments.core.matching.matching import Scale
from tournaments.core.matching.round_plan import AVOIDED, FORBIDDEN
from tournaments.core.matching.swiss_plan import plan_swiss
from tournaments.core.play import acts
from tournaments.core.play.simulation import ROUGH, World, play_event, strong_field
from tournaments.core.proof.archive import archive_of, dumps, loads
from tournaments.core.proof.check import check, check_text
from tournaments.core.rounds.keizer import KeizerOptions
from tournaments.core.rounds.lives import LivesOptions
from tournaments.core.rounds.monrad import MonradOptions
from tournaments.core.rounds.ready import ReadyOptions
from tournaments.core.rounds.round_robin import RoundRobinOptions
from tournaments.core.rounds.swiss import SwissOptions
from tournaments.core.stages.bans import bans_of
from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.records import Record
from tournaments.core.stages.stage import KeptApart, Paired


def labelled(count, *, never=(), avoid=()):
    """A field with a label for each group of numbers that must never meet, or where possible."""
    field = list(field_of(count))
    for kind, groups in (("never", never), ("avoid", avoid)):
        for label, group in enumerate(groups):
            for n in group:
                names = getattr(field[n - 1], kind) | {f"{kind}{label}"}
                field[n - 1] = replace(field[n - 1], **{kind: names})
    return tuple(field)


def opened(key, field, options):
    return acts.open_stage(key, field, options, seed="s")


def met(stage):
    return {frozenset((p.a, p.b)) for p in stage.pairings.values() if not p.is_bye}


def families(count, rng):
    """Groups of two to four of a field, some of which overlap."""
    return [rng.sample(range(1, count + 1), rng.randint(2, min(4, count))) for _ in range(count // 4)]


def test_partners_share_a_label_and_a_stricter_one_counts():
    bans = bans_of(labelled(5, never=[(1, 2)], avoid=[(1, 2, 3), (4,)]))
    assert [(a, b) for a, b in combinations(range(1, 6), 2) if bans.forbids(a, b)] == [(1, 2)]
    assert [(a, b) for a, b in combinations(range(1, 6), 2) if bans.avoids(a, b)] == [(1, 3), (2, 3)]
    assert not bans_of(field_of(4))


def test_a_forbidden_pair_costs_a_second_bye_or_a_rematch_and_one_to_avoid_does_not():
    for kind, third in (("never", {(1, 0), (2, 3)}), ("avoid", {(1, 2), (3, 0)})):
        stage = opened("swiss", labelled(3, **{kind: [(1, 2), (1, 3)]}), SwissOptions(rounds=3))
        stage = play_round(stage)
        if kind == "avoid":
            assert pairs(stage, 1) == {(2, 3), (1, 0)}
        for _ in range(2):
            stage = play_round(stage)
        met_by_one = {p.other(1) for p in stage.pairings.values() if 1 in (p.a, p.b)}
        assert met_by_one == ({0} if kind == "never" else {0, 2, 3}), third


def test_one_to_avoid_beats_the_fold_and_scores_and_says_so_where_it_cannot():
    field = labelled(4, avoid=[(1, 3)])
    assert pairs(play_round(opened("swiss", field, SwissOptions())), 1) == {(1, 2), (3, 4)}
    all_avoid = labelled(4, avoid=[(1, 2, 3, 4)])
    stage = acts.publish(opened("swiss", all_avoid, SwissOptions()))
    assert pairs(stage, 1) == {(1, 3), (2, 4)}
    assert "apart_unavoidable" in {r.code for p in stage.pairings.values() for r in p.reasons}


@pytest.mark.parametrize(
    ("key", "options"),
    [
        ("swiss", SwissOptions(rounds=5)),
        ("monrad", MonradOptions(rounds=5)),
        ("keizer", KeizerOptions(rounds=5)),
        ("lives", LivesOptions(lives=3, meetings="before_records")),
        ("lives", LivesOptions(lives=3)),
        ("ready", ReadyOptions(rounds=4)),
    ],
)
@pytest.mark.parametrize("count", [4, 5, 8, 9, 16, 31, sized(32, 256)])
def test_no_round_of_any_size_has_a_forbidden_pair_and_each_is_proved(key, options, count):
    rng = Random(count)
    field = labelled(count, never=families(count, rng), avoid=families(count, rng))
    drawn = opened(key, field, options)
    world = World(strong_field(count, rng), rng, ROUGH)

    def watch(before, after):
        if key != "ready" and count <= 9 and after.rounds > before.rounds:
            plan = plan_of(before)
            assert plan.best().cost == brute_force(plan)

    stage = play_event(drawn, world, watch=watch)
    assert stage.closed
    bans = bans_of(drawn.field)
    paired = [entry for entry in stage.log if isinstance(entry, Paired)]
    for entry in paired:  # where a forbidden pair is the only one left, the simulation plays it by hand
        assert entry.by_hand == any(bans.forbids(p.a, p.b) for p in entry.pairings)
    assert not all(entry.by_hand for entry in paired) or acts.forbidden_at_first(drawn)
    found = {fault.code for fault in check_text(dumps(archive_of(stage, drawn=drawn))).faults}
    assert found == ({"forbidden_pair"} if acts.forbidden_at_first(drawn) else set())


def test_the_last_pair_left_is_refused_by_name_and_played_once_the_list_has_changed():
    stage = opened("lives", labelled(4, never=[(1, 2)]), LivesOptions(lives=1, seeding="hand", playoff=False))
    stage = play_round(stage)
    stuck = acts.publish(stage)
    assert stuck is stage
    assert not format_of("lives").finished(stage)
    refused = acts.forbidden_next(stage)
    assert refused is not None
    assert (refused.code, refused.params) == ("forbidden_pair", {"entrant": 1, "opponent": 2, "round": 2})
    with pytest.raises(DrawRefused, match="entrants 2 and 1 must never meet"):
        acts.publish_by_hand(stage, [(2, 1)])
    allowed = acts.keep_apart(stage, "never0", (), never=True)
    assert acts.forbidden_next(allowed) is None
    assert pairs(acts.publish(allowed), 2) == {(1, 2)}
    softer = acts.keep_apart(stage, "never0", (1, 2), never=False)
    assert pairs(acts.publish(softer), 2) == {(1, 2)}
    assert acts.keep_apart(softer, "never0", (2, 1), never=False) is softer


def test_everyone_forbidden_with_everyone_is_refused_at_every_size_and_avoided_ones_play():
    for count in (2, 3, 4, 7, 64):
        everyone = [tuple(range(1, count + 1))]
        drawn = opened("swiss", labelled(count, never=everyone), SwissOptions(rounds=1))
        assert acts.forbidden_at_first(drawn) is not None
        assert acts.publish(drawn) is drawn
        ready = opened("ready", labelled(count, never=everyone), ReadyOptions(rounds=1))
        assert acts.forbidden_at_first(ready) is not None
        lax = opened("swiss", labelled(count, avoid=everyone), SwissOptions(rounds=1))
        assert acts.forbidden_at_first(lax) is None
        assert acts.publish(lax).rounds == 1


def test_the_list_changes_between_rounds_for_late_entrants_too_and_is_in_the_file():
    drawn = opened("swiss", field_of(4), SwissOptions(rounds=3))
    stage = play_round(acts.keep_apart(drawn, "k", (1, 3), never=True))
    assert pairs(stage, 1) == {(1, 2), (3, 4)}
    stage = acts.enter_late(stage, Entrant("x", never=frozenset({"late"})))
    stage = play_round(acts.keep_apart(stage, "late", (5, 1, 4), never=True))
    assert met(stage) & {frozenset(pair) for pair in ((1, 3), (1, 4), (1, 5), (4, 5))} == set()
    with pytest.raises(DrawRefused, match="there is no entrant 9"):
        acts.keep_apart(stage, "k", (1, 9), never=True)
    archive = archive_of(stage, drawn=drawn)
    assert loads(dumps(archive)) == archive
    assert check(archive).faults == ()
    assert archive.log[0] == KeptApart("k", (1, 3), never=True)
    forged = dumps(archive).replace('"label": "k"', '"label": "k",\n   "name": "Ann"')
    assert [fault.code for fault in check_text(forged).faults] == ["unknown_key"]


def test_a_forbidden_pair_that_was_published_is_found():
    drawn = opened("swiss", labelled(4, never=[(1, 3)]), SwissOptions(rounds=1))
    free = acts.publish(opened("swiss", field_of(4), SwissOptions(rounds=1)))
    published = drawn.after(Paired(tuple(free.pairings.values())))
    found = [fault.code for fault in check(archive_of(published, drawn=drawn)).faults]
    assert found == [f"avoidable {FORBIDDEN}", "not_reproducible"]


@pytest.mark.parametrize("count", [4, 5, 8, 16, 24, 64, sized(100, 256)])
def test_a_bracket_parts_forbidden_pairs_in_the_first_round_whatever_is_protected(count):
    # The seeds that would meet: the best of each half of the draw against the worst.
    plain = opened("knockout", field_of(count), KnockoutOptions())
    first = [(p.a, p.b) for p in format_of("knockout").due(plain)]
    strict, lax = first[: len(first) // 2], first[len(first) // 2 :]
    options = KnockoutOptions(protect_rounds=0)
    drawn = opened("knockout", labelled(count, never=strict, avoid=lax), options)
    then = {(p.a, p.b) for p in format_of("knockout").due(drawn)}
    assert not then & set(strict if count > 5 else ())
    assert (acts.forbidden_at_first(drawn) is None) == (not then & set(strict))
    assert check(archive_of(drawn, drawn=drawn)).accepted == (not then & set(strict))


FAMILIES = [
    (count, size, meeting)
    for count in (8, 9, 16, 24, 33, 64, sized(100, 256))
    for size, meeting in ((2, 0), (3, 1), (4, 1), (8, 2))
    if size <= count // 2
]


@pytest.mark.parametrize(("count", "size", "meeting"), FAMILIES)
def test_a_family_sits_in_as_many_parts_of_a_bracket_as_it_has_entrants(count, size, meeting):
    for seed in range(5):
        family = Random(seed).sample(range(1, count + 1), size)
        field = labelled(count, **{("never", "avoid")[seed % 2]: [family]})
        options = KnockoutOptions(seeding="lot", forbidden="parts", protect_rounds=0)
        drawn = acts.open_stage("knockout", field, options, seed=f"{seed}")
        total = len(drawn.order).bit_length() - 1
        at = [drawn.order.index(number) for number in family]
        assert min((p ^ q).bit_length() for p, q in combinations(at, 2)) >= total - meeting
        archive = archive_of(drawn, drawn=drawn)
        assert check(archive).findings == ()
        assert loads(dumps(archive)) == archive
        other = replace(drawn, order=tuple(reversed(drawn.order[:2])) + drawn.order[2:])
        assert "draw" in {fault.code for fault in check(archive_of(other, drawn=other)).faults}


def test_seeds_keep_their_places_above_a_family_and_the_proof_says_where_parts_are_missed():
    field = labelled(16, never=[(1, 2, 3, 4)], avoid=[(5, 6)])
    drawn = opened("knockout", field, KnockoutOptions(seeding="hand", forbidden="parts"))
    at = {number: position for position, number in enumerate(drawn.order)}
    assert len({at[n] // 4 for n in (1, 2, 3, 4)}) == 4
    assert at[5] // 8 != at[6] // 8
    swapped = list(drawn.order)
    inside = next(n for n in (7, 8) if at[n] // 8 != at[6] // 8)
    swapped[at[6]], swapped[at[inside]] = inside, 6
    moved = replace(drawn, order=tuple(swapped))
    found = {(each.code, each.severity) for each in check(archive_of(moved, drawn=moved)).findings}
    assert ("family", "warning") in found


def test_a_bracket_that_was_drawn_before_families_had_parts_is_still_proved():
    drawn = opened("knockout", labelled(16, never=[(1, 16, 8, 9)], avoid=[(3, 14)]), KnockoutOptions())
    assert drawn.order == (1, 12, 6, 10, 3, 13, 5, 14, 2, 15, 7, 9, 4, 16, 8, 11)
    text = dumps(archive_of(drawn, drawn=drawn))
    assert "forbidden" not in text  # as it was written then
    assert check_text(text).findings == ()


def test_a_late_entrant_takes_no_bye_against_a_forbidden_partner():
    drawn = opened("knockout", labelled(6, never=[(1,)]), KnockoutOptions())
    late = Entrant("x", never=frozenset({"never0"}))
    stage = acts.enter_late(drawn, late)
    assert stage.order[stage.order.index(7) ^ 1] == 2
    with pytest.raises(DrawRefused, match="the only bye left is against entrant 1") as refused:
        acts.enter_late(stage, replace(late, ref="y"))
    assert (refused.value.code, refused.value.params["entrant"]) == ("forbidden_bye", 1)


def test_groups_part_forbidden_pairs_and_a_group_that_cannot_is_refused():
    for seed in range(20):
        rng = Random(seed)
        count, groups = rng.randint(8, 40), rng.randint(2, 4)
        pairs_apart = [(n, n + 1) for n in rng.sample(range(1, count), 3)]
        found = spread(labelled(count, never=pairs_apart), groups)
        assert not any(one.never & other.never for group in found for one, other in combinations(group, 2))
        assert sorted(len(group) for group in found) == sorted(
            count // groups + (n < count % groups) for n in range(groups)
        )
    table = opened("round_robin", labelled(4, never=[(1, 2)]), RoundRobinOptions())
    refused = acts.forbidden_at_first(table)
    assert refused is not None
    assert {refused.params["entrant"], refused.params["opponent"]} == {1, 2}
    assert not check(archive_of(table, drawn=table)).accepted


@pytest.mark.parametrize("count", [255, 2047, 4097, 10_001])
@pytest.mark.parametrize("strict", [True, False])
def test_levels_of_very_large_fields_fit_with_forbidden_pairs(count, strict):
    field = labelled(count, avoid=[(1, 2)], **({"never": [(1, 3)]} if strict else {}))
    standing = [
        Record(n, wins=20 - n * 20 // count, byes=n % 3, met={n + 1: 3}, floats=[0])
        for n in range(1, count + 1)
    ]
    plan = plan_swiss(standing, {}, bans=bans_of(field))
    assert isinstance(plan.scale, Scale)
    assert plan.unit(FORBIDDEN) < 1 << 120
    assert plan.unit(AVOIDED) > plan.unit("bye by score")
