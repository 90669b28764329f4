"""Ties: who is level, what it decides, and each way to settle it; proved by the checker."""

from dataclasses import replace

import pytest

from tests.tournaments.core.events import simulated
from tests.tournaments.core.fields import field_of
from tournaments.core.formats.table import format_of
from tournaments.core.formats.tables import stage_table
from tournaments.core.play import acts, ties
from tournaments.core.play.feeding import Rest, Top
from tournaments.core.play.ties import Stake
from tournaments.core.proof.archive import archive_of, drawn_stage
from tournaments.core.proof.check import check, check_event
from tournaments.core.proof.event_archive import EventArchive, Feeding
from tournaments.core.rounds.round_robin import RoundRobinOptions
from tournaments.core.rounds.swiss import SwissOptions
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.outcomes import Gone, Outcome
from tournaments.core.stages.stage import LotSealed, TieSettled, seed_hash
from tournaments.core.standings.choices import SETS, tie_break_faults
from tournaments.core.standings.tables import TableOptions

GROUP = TableOptions(SETS["group"].tie_breaks)
TOP_TWO = (Top(2, "cup"), Rest("plate"))


def circle(count, *, even=True):
    """A group whose first three beat each other in a circle, and lose to nobody else."""
    stage = acts.publish(acts.open_stage("round_robin", field_of(count), RoundRobinOptions(), seed="g"))
    beats = {(1, 2), (2, 3), (3, 1)}
    for p in stage.open_pairings():
        a_wins = (p.a, p.b) in beats or (p.a < p.b and (p.b, p.a) not in beats)
        won, lost = (p.a, p.b) if a_wins else (p.b, p.a)
        close = even or (won, lost) != (1, 2)
        stage = acts.report(stage, p.number, Outcome(won, lost, points=(5, 3 if close else 0)))
    return stage


def order(stage, options=GROUP):
    return [row.place.entrant for row in stage_table(stage, options)]


def win_playoff(stage, *winners):
    for p, winner in zip(stage.open_pairings(), winners, strict=True):
        stage = acts.report(stage, p.number, Outcome(winner, p.other(winner)))
    return stage


@pytest.mark.parametrize("count", range(3, 10))
def test_circle_of_three_is_one_tie_that_decides_who_goes_on(count):
    stage = circle(count)
    (tie,) = ties.ties_in(stage, GROUP, TOP_TWO, seeded={"cup"})
    assert (tie.tied, tie.first, tie.last, tie.matters) == ((1, 2, 3), 1, 3, True)
    assert set(tie.stakes) == {Stake("qualify", "cup"), Stake("seeding", "cup")}
    assert ties.ties_in(stage, GROUP, (Top(3, "cup"),)) == ()
    assert ties.ties_in(stage, GROUP, ())[0].stakes == (Stake("first"),)
    # Points separate them where one match was less close.
    assert ties.ties_in(circle(count, even=False), GROUP, TOP_TWO) == ()
    assert not {"buchholz", "buchholz_cut1", "wins"} & set(ties.separating(stage, GROUP, tie.tied))


def test_playoff_of_three_counts_in_no_score_and_may_leave_a_smaller_tie():
    drawn = acts.open_stage("round_robin", field_of(4), RoundRobinOptions(), seed="g")
    stage = circle(4)
    scores = {row.place.entrant: row.score for row in stage_table(stage, GROUP)}
    playing = ties.make_playoff(stage, GROUP, (1, 2, 3), 1)
    pairs = [(p.a, p.b, p.length) for p in playing.open_pairings()]
    assert sorted(tuple(sorted(pair[:2])) for pair in pairs) == [(1, 2), (1, 3), (2, 3)]
    assert {length for *_pair, length in pairs} == {1}
    assert not format_of("round_robin").finished(playing)
    with pytest.raises(DrawRefused, match="in progress"):
        ties.make_playoff(playing, GROUP, (1, 2, 3), 1)
    # 2 wins both; 1 and 3 do not meet: a double no-show leaves them level.
    over = win_playoff(playing, *(2 if 2 in pair[:2] else 3 for pair in pairs))
    assert order(over)[:3] == [2, 3, 1]
    assert {row.place.entrant: row.score for row in stage_table(over, GROUP)} == scores
    assert ties.ties_in(over, GROUP, TOP_TWO) == ()
    assert check(archive_of(over, drawn=drawn)).findings == ()
    with pytest.raises(DrawRefused) as refused:
        ties.reopen_tie(over, (1, 2, 3))
    assert refused.value.code == "playoff_begun"
    again = ties.reopen_tie(playing, (1, 2, 3))
    assert (again.pairings, again.settled) == (stage.pairings, ())
    # Everyone wins one: still a circle, so another decision follows.
    circular = win_playoff(playing, *(a if (a, b) in {(1, 2), (2, 3), (3, 1)} else b for a, b, _n in pairs))
    assert ties.ties_in(circular, GROUP, TOP_TWO)[0].tied == (1, 2, 3)


def test_lot_needs_the_seed_that_was_sealed_before():
    drawn = acts.open_stage("round_robin", field_of(5), RoundRobinOptions(), seed="g")
    stage, tied = circle(5), (1, 2, 3)
    with pytest.raises(DrawRefused) as refused:
        ties.draw_sealed_lot(stage, GROUP, tied, "secret")
    assert refused.value.code == "lot_not_sealed"
    sealed = ties.seal_lot(stage, GROUP, tied, seed_hash("secret"))
    for act, code in (
        (lambda: ties.draw_sealed_lot(sealed, GROUP, tied, "another"), "lot_not_sealed"),
        (lambda: ties.seal_lot(sealed, GROUP, tied, seed_hash("third")), "lot_sealed"),
        (lambda: ties.seal_lot(stage, GROUP, (1, 2), "h"), "not_tied"),
    ):
        with pytest.raises(DrawRefused) as refused:
            act()
        assert refused.value.code == code
    over = ties.draw_sealed_lot(sealed, GROUP, tied, "secret")
    assert ties.ties_in(over, GROUP, TOP_TWO) == ()
    assert over.sealed == ()
    assert check(archive_of(over, drawn=drawn)).findings == ()
    assert ties.ties_in(ties.reopen_tie(over, tied), GROUP, TOP_TWO)[0].tied == tied

    def codes(*entries):
        return {f.code for f in check(archive_of(stage.after(*entries), drawn=drawn)).faults}

    lot = TieSettled(tied, "lot", seed="secret")
    assert codes(lot) == {"lot_not_sealed"}
    assert codes(LotSealed(tied, seed_hash("other")), lot) == {"lot_seed"}
    assert codes(TieSettled((1, 4), "tie_break", key="koya")) == {"not_tied"}
    assert codes(replace(lot, how="playoff", seed="", pairings=())) == {"playoff"}
    assert check(archive_of(drawn.after(LotSealed(tied, "h")), drawn=drawn)).faults[0].code == "tie_in_play"


def test_decision_holds_only_while_exactly_these_are_level():
    stage, tied = circle(5), (1, 2, 3)
    decided = stage.after(TieSettled(tied, "lot", seed="x"))
    (third,) = [n for n in tied if n == order(decided)[2]]
    assert ties.ties_in(acts.leave(decided, third), GROUP, TOP_TWO) == ()
    # One who was not level before joins them: the decision no longer counts.
    (number,) = (n for n, p in stage.pairings.items() if {p.a, p.b} == {1, 4})
    corrected = acts.report(decided, number, Outcome(4, 1, points=(5, 3)))
    assert 1 not in dict(ties.tied_groups(corrected, stage_table(corrected, GROUP))).get(1, ())
    # Who has withdrawn is in no tie: the two who are left are.
    left = acts.leave(stage, 3)
    assert [tie.tied for tie in ties.ties_in(left, GROUP, (Top(1, "cup"),))] == [(1, 2)]
    assert ties.ties_in(left, GROUP, (Top(2, "cup"),)) == ()
    by_lot = left.after(LotSealed((1, 2), seed_hash("y")), TieSettled((1, 2), "lot", seed="y"))
    assert ties.ties_in(by_lot, GROUP, (Top(1, "cup"),)) == ()
    assert ties.ties_in(acts.come_back(by_lot, 3), GROUP, (Top(1, "cup"),))[0].tied == tied
    assert acts.leave(stage, 3, Gone.DISQUALIFIED).gone


def test_further_tie_break_must_make_a_difference():
    only_score = TableOptions(("direct_encounter",))
    stage = circle(4, even=False)
    tied = ties.ties_in(stage, only_score, TOP_TWO)[0].tied
    assert "point_difference" in ties.separating(stage, only_score, tied)
    settled = ties.settle_by_tie_break(stage, only_score, tied, "point_difference")
    assert order(settled, only_score) == order(stage)
    for key, code in (("koya", "no_difference"), ("buchholz", "tie_break"), ("lot", "tie_break")):
        with pytest.raises(DrawRefused) as refused:
            ties.settle_by_tie_break(stage, only_score, tied, key)
        assert refused.value.code == code


@pytest.mark.parametrize("count", [5, 17, 32])
def test_swiss_can_be_settled_down_to_the_last_place(count):
    stage, _archive = simulated("swiss", count, SwissOptions(rounds=3))
    stage = drawn_stage(archive_of(stage, drawn=stage)).after(*stage.log[:-1])
    drawn, options = drawn_stage(archive_of(stage, drawn=stage)), TableOptions(("buchholz",))
    rules = (Top(count // 2, "cup"),)
    for number in range(2):
        for tie in ties.ties_in(stage, options, rules):
            if number or len(tie.tied) > 2:
                sealed = ties.seal_lot(stage, options, tie.tied, seed_hash(f"{tie.tied}"))
                stage = ties.draw_sealed_lot(sealed, options, tie.tied, f"{tie.tied}")
            else:
                played = ties.make_playoff(stage, options, tie.tied, 3)
                assert acts.publish(played) is played
                stage = win_playoff(played, tie.tied[1])
                assert [n for n in order(stage, options) if n in tie.tied] == [tie.tied[1], tie.tied[0]]
    assert ties.ties_in(stage, options, rules) == ()
    assert check(archive_of(stage, drawn=drawn)).accepted


def test_event_whose_field_cut_a_tie_is_warned_about():
    group = circle(4)
    drawn = acts.open_stage("round_robin", field_of(4), RoundRobinOptions(), seed="g")
    sent = [group.field[n - 1] for n in order(group)[:2]]
    cup = acts.open_stage("knockout", sent, format_of("knockout").options(seeding="hand"), seed="c")
    archives = {"A": archive_of(group, drawn=drawn), "cup": archive_of(cup, drawn=cup)}
    event = EventArchive(archives, (Feeding(("A",), (Top(2, "cup"),), table=GROUP),))
    verdict = check_event(event)
    assert verdict.accepted
    assert [f.code for f in verdict.warnings] == ["cut_tie"]


@pytest.mark.parametrize(
    ("keys", "complete", "faults"),
    [
        (SETS["group"].tie_breaks, True, []),
        (SETS["buchholz"].tie_breaks, False, []),
        (("buchholz", "koya"), True, [("equal_for_all", "buchholz")]),
        (("wins",), False, [("is_the_score", "wins")]),
        (("lot", "koya", "koya"), False, [("lot_not_last", "lot"), ("twice", "koya")]),
        (("elo",), True, [("unknown", "elo")]),
    ],
)
def test_choice_of_tie_breaks_is_refused_with_a_reason(keys, complete, faults):
    assert list(tie_break_faults(keys, complete_round_robin=complete)) == faults


def test_same_opponents_make_buchholz_equal_in_every_complete_round_robin():
    for count in range(3, 10):
        stage = circle(count)
        for key in ("buchholz", "buchholz_cut1", "buchholz_median"):
            rows = {r.place.entrant: dict(r.values)[key] for r in stage_table(stage, TableOptions((key,)))}
            assert rows[1] == rows[2] == rows[3]
