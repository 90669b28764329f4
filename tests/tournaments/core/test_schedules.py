from datetime import UTC, date, datetime, timedelta
from random import Random

import pytest

from tests.tournaments.core.fields import field_of
from tournaments.core.brackets.elimination import KnockoutOptions
from tournaments.core.formats.groups import interleave, spread
from tournaments.core.formats.table import format_of
from tournaments.core.formats.tables import stage_table
from tournaments.core.ladders.ladder import Ladder, LadderOptions
from tournaments.core.play import acts
from tournaments.core.play.feeding import AtMostLosses, Rest, TiedForFirst, Top, feed, ranking_of
from tournaments.core.play.simulation import World, play_event, strong_field
from tournaments.core.prizes.money import PrizeRefused
from tournaments.core.prizes.satellites import satellite_prizes
from tournaments.core.rounds.lives import LivesOptions
from tournaments.core.rounds.ready import ReadyOptions
from tournaments.core.rounds.round_robin import RoundRobinOptions, berger, schedule
from tournaments.core.rounds.swiss import SwissOptions
from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.outcomes import Outcome
from tournaments.core.stages.pairings import Pairing
from tournaments.core.stages.teams import BoardResult, tie_outcome
from tournaments.core.standings.places import share_places
from tournaments.core.standings.tables import TableOptions


def played(key, count, options, seed="s", winner=min):
    stage = acts.open_stage(key, field_of(count), options, seed=seed)
    while not format_of(key).finished(stage):
        stage = acts.publish(stage)
        for p in stage.open_pairings():
            won = winner(p.a, p.b)
            stage = acts.report(stage, p.number, Outcome(won, p.a + p.b - won))
    return stage


def test_berger_table_of_six_is_the_published_one():
    assert berger(6) == [
        [(1, 6), (2, 5), (3, 4)],
        [(6, 4), (5, 3), (1, 2)],
        [(2, 6), (3, 1), (4, 5)],
        [(6, 5), (1, 4), (2, 3)],
        [(3, 6), (4, 2), (5, 1)],
    ]


@pytest.mark.parametrize("count", range(2, 129))
def test_berger_tables_pair_everybody_once(count):
    rounds = berger(count)
    assert len(rounds) == count - 1 + count % 2
    for pairs in rounds:
        assert sorted(n for pair in pairs for n in pair if n) == list(range(1, count + 1))
    met = [frozenset(pair) for pairs in rounds for pair in pairs if 0 not in pair]
    assert len(met) == len(set(met)) == count * (count - 1) // 2


def test_double_round_robin_turns_the_sides():
    rounds = schedule(4, RoundRobinOptions(cycles=2))
    assert rounds[3] == [(b, a) for a, b in rounds[0]]
    assert len(schedule(10, RoundRobinOptions(rounds=6))) == 6


def test_league_has_a_deadline_for_each_round():
    start = date(2026, 1, 5)
    stage = acts.publish(
        acts.open_stage("round_robin", field_of(4), RoundRobinOptions(start=start), seed="s")
    )
    assert [p.deadline for p in stage.pairings.values()][::2] == [
        start + timedelta(days=d) for d in (6, 13, 20)
    ]


def test_nobody_enters_a_published_schedule():
    stage = acts.open_stage("round_robin", field_of(4), RoundRobinOptions(), seed="s")
    assert len(acts.enter_late(stage, Entrant("late")).order) == 5
    with pytest.raises(DrawRefused, match="the schedule is published"):
        acts.enter_late(acts.publish(stage), Entrant("late"))


def test_early_leaver_of_a_round_robin_counts_for_nobody():
    stage = acts.publish(
        acts.open_stage("round_robin", field_of(5), RoundRobinOptions(seeding="hand"), seed="s")
    )
    first = next(p for p in stage.open_pairings() if 5 in (p.a, p.b))
    stage = acts.report(stage, first.number, Outcome(5, first.other(5)))
    stage = acts.leave(stage, 5)
    for p in stage.open_pairings():
        stage = acts.report(stage, p.number, Outcome(min(p.a, p.b), max(p.a, p.b)))
    rows = {r.place.entrant: r.score for r in stage_table(stage, TableOptions(("sonneborn_berger",)))}
    assert rows == {1: 3, 2: 2, 3: 1, 4: 0, 5: 0}


def test_pair_as_ready_pairs_two_who_get_free():
    stage = acts.publish(
        acts.open_stage("ready", field_of(6), ReadyOptions(rounds=3, seeding="hand"), seed="s")
    )
    assert len(stage.open_pairings()) == 3
    one, two, _ = stage.open_pairings()
    stage = acts.report(stage, one.number, Outcome(one.a, one.b))
    assert acts.publish(stage) is stage  # the two who are free have just met
    stage = acts.publish(acts.report(stage, two.number, Outcome(two.a, two.b)))
    new = [p for p in stage.open_pairings() if p.number > 3]
    assert {frozenset((p.a, p.b)) for p in new} & {frozenset((one.a, two.a)), frozenset((one.b, two.b))}


@pytest.mark.parametrize("count", [2, 3, 4, 7, 12, 31])
def test_pair_as_ready_gives_everybody_all_matches_but_no_second_bye(count):
    rng = Random(count)
    stage = acts.open_stage("ready", field_of(count), ReadyOptions(rounds=4), seed="s")
    stage = play_event(stage, World(strong_field(count, rng), rng, pace=0.3))
    taken = [n for p in stage.pairings.values() for n in (p.a, p.b) if n]
    byes = [p.a for p in stage.pairings.values() if p.is_bye]
    lacking = [n for n in range(1, count + 1) if taken.count(n) < 4]
    assert len(lacking) < 2, lacking
    assert all(byes.count(n) == 1 for n in lacking)
    assert max(map(byes.count, byes), default=0) < 2
    assert max(taken.count(n) for n in range(1, count + 1)) == 4


def test_ladder_winner_from_below_takes_the_rung():
    stage = acts.publish(acts.open_stage("ladder", field_of(5), LadderOptions(periods=2), seed="s"))
    assert [(p.a, p.b) for p in stage.open_pairings()] == [(1, 2), (3, 4)]
    stage = acts.report(stage, 1, Outcome(2, 1))
    stage = acts.report(stage, 2, Outcome(3, 4))
    assert Ladder().rungs(stage) == [2, 1, 3, 4, 5]
    stage = acts.publish(stage)
    assert [(p.a, p.b) for p in stage.open_pairings()] == [(1, 3), (4, 5)]


def test_ladder_challenge_within_reach():
    stage = acts.open_stage("ladder", field_of(6), LadderOptions(reach=2, start=date(2026, 1, 1)), seed="s")
    challenged = acts.challenge(stage, 5, 3)
    p = challenged.pairings[1]
    assert (p.a, p.b, p.deadline, p.reasons[0].sentence()) == (
        3,
        5,
        date(2026, 1, 14),
        "challenge over 2 rungs",
    )
    assert Ladder().rungs(acts.report(challenged, 1, Outcome(5, 3))) == [1, 2, 5, 3, 4, 6]
    for bad, code in [((5, 2), "out_of_reach"), ((2, 5), "out_of_reach"), ((9, 1), "not_on_ladder")]:
        with pytest.raises(DrawRefused) as refusal:
            acts.challenge(stage, *bad)
        assert refusal.value.code == code
    with pytest.raises(DrawRefused, match="entrant 5 has a match to play first"):
        acts.challenge(challenged, 5, 4)
    with pytest.raises(DrawRefused, match="swiss has no challenges"):
        acts.challenge(acts.open_stage("swiss", field_of(4), SwissOptions(), seed="s"), 2, 1)


def test_groups_are_a_serpentine_that_parts_club_mates():
    assert [[e.ref for e in g] for g in spread(field_of(8), 2)] == [
        ["p1", "p4", "p5", "p8"],
        ["p2", "p3", "p6", "p7"],
    ]
    groups = spread(field_of(16, clubs=4), 4)
    assert all(len({e.club for e in g}) == 4 for g in groups)
    sizes = sorted(len(g) for g in spread(field_of(10), 3))
    assert sizes == [3, 3, 4]
    with pytest.raises(DrawRefused, match="5 entrants cannot make 3 groups"):
        spread(field_of(5), 3)


def test_groups_feed_a_knockout_with_group_mates_apart():
    rankings = []
    for group in spread(field_of(16), 4):
        stage = acts.open_stage("round_robin", group, RoundRobinOptions(seeding="hand"), seed="g")
        stage = acts.publish(stage)
        for p in stage.open_pairings():
            stage = acts.report(stage, p.number, Outcome(min(p.a, p.b), max(p.a, p.b)))
        order = [row.place.entrant for row in stage_table(stage, TableOptions())]
        rankings.append(feed(ranking_of(stage, order), [Top(2, "cup"), Rest("consolation")]))
    field = interleave([r["cup"] for r in rankings])
    assert [e.ref for e in field] == ["p1", "p2", "p3", "p4", "p8", "p7", "p6", "p5"]
    options = KnockoutOptions(seeding="hand", protect=("met",), protect_rounds=2)
    cup = acts.publish(acts.open_stage("knockout", field, options, seed="cup"))
    mates = {frozenset((i, i + 4)) for i in range(1, 5)}
    assert not mates & {frozenset((p.a, p.b)) for p in cup.open_pairings()}


def test_swiss_feeds_cup_and_consolation_and_declined_places_pass_down():
    stage = played("swiss", 32, SwissOptions(rounds=5))
    ranking = ranking_of(stage)
    fed = feed(ranking, [Top(8, "cup"), Top(16, "consolation"), Rest("out")])
    assert [len(fed[k]) for k in ("cup", "consolation", "out")] == [8, 16, 8]
    declined = feed(
        ranking, [Top(8, "cup"), Top(16, "consolation"), Rest("out")], declined={fed["cup"][2].ref}
    )
    assert fed["cup"][2] not in declined["cup"]
    assert declined["cup"][-1] == fed["consolation"][0]
    assert len(declined["out"]) == 7


def test_at_most_m_losses_and_fresh_start():
    stage = played("swiss", 16, SwissOptions(rounds=3))
    fed = feed(ranking_of(stage), [AtMostLosses(1, "cup"), Rest("fresh start")])
    assert (len(fed["cup"]), len(fed["fresh start"])) == (8, 8)
    fresh = acts.open_stage("knockout", fed["fresh start"], KnockoutOptions(seeding="lot"), seed="f")
    assert len(acts.publish(fresh).open_pairings()) == 4


def test_playoff_of_those_tied_for_first():
    stage = played("swiss", 16, SwissOptions(rounds=2))
    fed = feed(ranking_of(stage), [TiedForFirst("playoff")])
    assert len(fed["playoff"]) == 4
    single = played("swiss", 4, SwissOptions(rounds=2))
    assert feed(ranking_of(single), [TiedForFirst("playoff")])["playoff"] == ()


@pytest.mark.parametrize("rule", [Top(0, "x"), AtMostLosses(-1, "x")])
def test_rules_that_take_nobody_are_refused(rule):
    with pytest.raises(DrawRefused):
        feed(ranking_of(played("swiss", 4, SwissOptions(rounds=1))), [rule])


def test_stage_under_way_feeds_nothing():
    with pytest.raises(DrawRefused, match="still in progress"):
        ranking_of(acts.publish(acts.open_stage("swiss", field_of(4), SwissOptions(), seed="s")))


NOON = datetime(2026, 1, 3, 12, tzinfo=UTC)


def test_satellite_pays_entries_and_the_rest_in_cash():
    paid = satellite_prizes(250_00, 100_00, share_places([[4], [2], [1, 3]]))
    assert (paid.entries, paid.cash) == ((4, 2), ((1, 25_00), (3, 25_00)))
    cut = satellite_prizes(250_00, 100_00, share_places([[4], [1, 2]]))
    assert (cut.entries, cut.cash) == ((4,), ((1, 75_00), (2, 75_00)))
    with pytest.raises(PrizeRefused):
        satellite_prizes(250_00, 0, share_places([[1]]))


def test_doubles_and_teams_enter_every_format():
    pairs = tuple(Entrant(f"t{n}", members=(f"a{n}", f"b{n}")) for n in range(8))
    for key, options in (
        ("knockout", KnockoutOptions()),
        ("swiss", SwissOptions()),
        ("lives", LivesOptions()),
    ):
        assert acts.publish(acts.open_stage(key, pairs, options, seed="s")).open_pairings()
    with pytest.raises(DrawRefused, match="player a1 is in two entrants"):
        acts.open_stage("swiss", (*pairs, Entrant("x", members=("a1", "z"))), SwissOptions(), seed="s")


def board(number, a_won, points=(7, 0)):
    return BoardResult(number, a_won, points if a_won else (points[1], points[0]))


def test_team_tie_is_decided_by_boards_then_points_then_the_first_board():
    tie = Pairing(1, 1, 4, 9)
    assert tie_outcome(tie, [board(1, True)], planned=3) is None
    clear = tie_outcome(tie, [board(1, False), board(2, True), board(3, True)], planned=3)
    assert clear is not None
    assert (clear.winner, clear.points) == (4, (2, 1))
    by_points = tie_outcome(tie, [board(1, True, (7, 6)), board(2, False, (7, 0))], planned=2)
    assert by_points is not None
    assert by_points.winner == 9
    by_board = tie_outcome(tie, [board(1, True), board(2, False)], planned=2)
    assert by_board is not None
    assert by_board.winner == 4
    with pytest.raises(DrawRefused, match="board 1 has two results"):
        tie_outcome(tie, [board(1, True), board(1, True)], planned=2)
    with pytest.raises(DrawRefused, match="board 3"):
        tie_outcome(tie, [board(3, True)], planned=2)


def test_replacement_before_the_first_match():
    stage = acts.publish(acts.open_stage("swiss", field_of(4), SwissOptions(), seed="s"))
    assert acts.replace_entrant(stage, 2, Entrant("sub")).field[1].ref == "sub"
    p = stage.pairings[1]
    begun = acts.report(stage, 1, Outcome(p.a, p.b))
    with pytest.raises(DrawRefused, match="has already played and can only withdraw"):
        acts.replace_entrant(begun, p.a, Entrant("sub"))


def test_late_entrant_joins_the_next_swiss_round_with_nothing():
    stage = acts.publish(acts.open_stage("swiss", field_of(4), SwissOptions(rounds=3), seed="s"))
    for p in stage.open_pairings():
        stage = acts.report(stage, p.number, Outcome(p.a, p.b))
    stage = acts.publish(acts.enter_late(stage, Entrant("late")))
    assert sum(5 in (p.a, p.b) for p in stage.pairings.values()) == 1
    over = played("swiss", 4, SwissOptions(rounds=2))
    with pytest.raises(DrawRefused, match="the last round is over"):
        acts.enter_late(over, Entrant("late"))
    with pytest.raises(DrawRefused, match="no lives left"):
        acts.enter_late(played("lives", 8, LivesOptions(lives=2)), Entrant("late"))
