"""What a match came to for each player: cost, Snowie rate, luck-adjusted result and turning points."""

from dataclasses import replace

import pytest

from scoring.analysis.queries.judgements import Judgement
from scoring.matches.queries.chances import Stakes
from scoring.matches.queries.match_sums import Moment, side_sums
from scoring.matches.queries.stops import Stop, chance_graph
from scoring.notation.mat import read_mat
from scoring.notation.transcript import transcript
from scoring.rules.events import Played
from scoring.rules.match import MatchScore
from scoring.rules.sides import Side
from scoring.theory.decisions import Candidate, Decision, DecisionKind
from scoring.theory.performance import DEFAULT_THRESHOLDS
from tests.scoring.records import short_match


def judged_match(*, error: float = 0.1, luck: float | None = 0.2) -> list[Stop]:
    """A short match: each play of White loses ``error``, each roll of Black gains ``luck``."""
    found = []
    for step in transcript(enumerate(read_mat(short_match("Ana", "Ben")).events)):
        if step.kind != Played.kind or step.side is None:
            found.append(Stop(step, "", ()))
            continue
        is_white = step.side is Side.WHITE
        loss, gained = (error, None if luck is None else 0.0) if is_white else (0.0, luck)
        decision = Decision(
            str(step.seq), step.game, 1, step.side, DecisionKind.CHECKER, "", (), loss, True, gained
        )
        found.append(Stop(step, "", (Judgement(decision, DEFAULT_THRESHOLDS.mark(decision)),)))
    return found


def plays_of(stops: list[Stop], side: Side) -> list[Stop]:
    return [stop for stop in stops if stop.judgements and stop.step.side is side]


def test_a_loss_is_divided_by_the_plays_of_both() -> None:
    stops = judged_match()
    white, black = side_sums(stops, is_over=True)
    plays = [len(plays_of(stops, side)) for side in Side]
    assert white.snowie == pytest.approx(1000 * 0.1 * plays[0] / sum(plays))
    assert black.snowie == 0.0


def test_the_result_without_luck_adds_to_one_over_both_players() -> None:
    stops = judged_match()
    white, black = side_sums(stops, is_over=True)
    assert white.adjusted is not None
    assert black.adjusted is not None
    assert white.adjusted + black.adjusted == pytest.approx(1.0)
    gained = sum(Stakes.of(stop.step, Side.BLACK).cost(0.2) or 0.0 for stop in plays_of(stops, Side.BLACK))
    assert gained > 0.0
    winner = next(stop.step.final.winner for stop in reversed(stops) if stop.step.final)
    assert white.adjusted == pytest.approx(float(winner is Side.WHITE) + gained)


def test_the_line_of_luck_leads_as_far_as_the_result_without_luck_takes_off() -> None:
    played = (Candidate("24/18", 0.0, None, "", played=True),)
    stops = [
        replace(
            stop,
            judgements=tuple(
                replace(each, decision=replace(each.decision, candidates=played)) for each in stop.judgements
            ),
        )
        for stop in judged_match()
    ]
    graph = chance_graph({1: stops})
    white, _black = side_sums(stops, is_over=True)
    assert graph is not None
    assert white.adjusted is not None
    winner = next(stop.step.final.winner for stop in reversed(stops) if stop.step.final)
    level, end = Stakes.of(stops[0].step, Side.WHITE).before_game, graph.by_luck[-1][1]
    assert level == 0.5
    assert end - level == pytest.approx(float(winner is Side.WHITE) - white.adjusted)


@pytest.mark.parametrize(("is_over", "luck"), [(False, 0.2), (True, None)])
def test_no_result_without_luck_of_an_unfinished_match_or_of_unknown_luck(
    is_over: bool, luck: float | None
) -> None:
    assert [each.adjusted for each in side_sums(judged_match(luck=luck), is_over=is_over)] == [None, None]


def test_a_money_session_has_no_chance_to_lose() -> None:
    stops = [replace(stop, step=replace(stop.step, score=MatchScore.start(0))) for stop in judged_match()]
    white, _black = side_sums(stops, is_over=True)
    assert (white.cost, white.adjusted) == (None, None)
    assert white.snowie


def test_the_first_of_equal_moments_is_named() -> None:
    stops = judged_match()
    white, black = side_sums(stops, is_over=True)
    assert white.worst == Moment(plays_of(stops, Side.WHITE)[0].step.number, 0.1)
    assert black.worst is None
    assert black.luckiest == Moment(plays_of(stops, Side.BLACK)[0].step.number, 0.2)
