"""What an equity means for the match, the rank of a play, and the order in which a page shows its steps."""

import pytest

from scoring.analysis.queries.judgements import Judgement
from scoring.drawing.chances import PHONE, ChanceBand, ChanceGraph, ChanceMark, draw_chances
from scoring.matches.queries.chances import Stakes, white_chance
from scoring.matches.queries.steps import StepFilter, Stepping, first_shown
from scoring.matches.queries.stops import StepVerdict, Stop, chance_graph, rows_of, worst_first
from scoring.notation.mat import read_mat
from scoring.notation.transcript import Step, transcript
from scoring.rules.match import MatchScore
from scoring.rules.sides import Side
from scoring.theory.decisions import Candidate, Decision, DecisionKind
from scoring.theory.met import MatchPhase, equity_after
from scoring.theory.performance import DEFAULT_THRESHOLDS
from scoring.theory.phases import GamePhase
from tests.scoring.records import short_match

CHANCES = (0.5, 0.1, 0.0, 0.1, 0.0)


def steps() -> tuple[Step, ...]:
    return transcript(enumerate(read_mat(short_match("Ana", "Ben")).events))


def candidate(equity: float, *, played: bool = False, action: str = "8/4 6/4") -> Candidate:
    return Candidate(action, equity, CHANCES, "2-ply", played=played)


def judged(
    *candidates: Candidate,
    error: float | None = 0.0,
    side: Side = Side.WHITE,
    kind: DecisionKind = DecisionKind.CHECKER,
) -> Judgement:
    decision = Decision("1", 1, 1, side, kind, "", candidates, error, counted=True)
    return Judgement(decision, DEFAULT_THRESHOLDS.mark(decision))


def stop(step: Step, *judgements: Judgement) -> Stop:
    return Stop(step, "Ana", judgements)


@pytest.mark.parametrize("cube", [1, 2, 4])
@pytest.mark.parametrize(("white", "black"), [(0, 0), (3, 1), (5, 6)])
def test_a_won_game_is_the_chance_of_the_score_that_follows(white: int, black: int, cube: int) -> None:
    score = MatchScore(9, white, black)
    stakes = Stakes(score, cube, Side.WHITE)
    for equity, points in ((1.0, cube), (-1.0, -cube)):
        expected = equity_after(9 - white, 9 - black, points, phase=MatchPhase.AFTER_CRAWFORD)
        assert stakes.match_chance(equity) == pytest.approx(expected)


def test_chances_of_both_sides_are_one() -> None:
    score = MatchScore.start(7, white=2)
    white, black = (Stakes(score, 2, side).match_chance(0.3) for side in Side)
    black_loses = Stakes(score, 2, Side.BLACK).match_chance(-0.3)
    assert white is not None
    assert black is not None
    assert black_loses is not None
    assert white + black_loses == pytest.approx(1.0)
    assert black > black_loses


def test_an_error_costs_as_much_as_the_chance_falls() -> None:
    stakes = Stakes(MatchScore.start(5), 1, Side.BLACK)
    before, after = stakes.match_chance(0.4), stakes.match_chance(0.1)
    assert before is not None
    assert after is not None
    assert stakes.cost(0.3) == pytest.approx(before - after)


@pytest.mark.parametrize("score", [MatchScore(0), MatchScore(60), MatchScore(3, 3, 0)])
def test_without_a_match_in_the_table_there_is_no_chance(score: MatchScore) -> None:
    stakes = Stakes(score, 1, Side.WHITE)
    assert (stakes.match_chance(0.2), stakes.cost(0.2)) == (None, None)


def test_a_money_session_shows_the_chance_of_the_game() -> None:
    assert Stakes(MatchScore(0), 2, Side.WHITE).chance(candidate(0.9)) == 0.5
    assert Stakes(MatchScore(0), 2, Side.WHITE).chance(Candidate("", 0.9, None, "")) is None


def test_a_chance_is_never_beyond_certainty() -> None:
    assert Stakes(MatchScore.start(1), 1, Side.WHITE).match_chance(2.8) == 1.0


def test_what_was_not_played_tells_no_chance() -> None:
    decision = judged(candidate(0.2)).decision
    assert white_chance(decision, steps()[0]) is None


@pytest.mark.parametrize(
    ("equities", "played", "rank"),
    [
        ((0.3, 0.2, 0.1), 0, 1),
        ((0.3, 0.1, 0.2), 1, None),  # the last of those that are known: others may be better
        ((0.3, 0.2, 0.1, 0.0), 2, 3),
        ((0.3, 0.4, 0.1), 1, 2),  # a shallower look at another play does not make it the best
        ((0.3, 0.3, 0.1), 1, 2),
    ],
)
def test_the_rank_of_a_play_counts_the_better_ones(
    equities: tuple[float, ...], played: int, rank: int | None
) -> None:
    candidates = [candidate(equity, played=n == played) for n, equity in enumerate(equities)]
    shown = StepVerdict(judged(*candidates), steps()[0], "Ana")
    assert shown.plays > len(equities)
    assert shown.rank == rank


def test_the_rows_of_a_verdict_are_ordered_by_equity_with_the_best_one_first() -> None:
    equities = [0.5, 0.6, 0.1, 0.2, 0.3, 0.4, 0.0]
    shown = StepVerdict(judged(*(candidate(each, played=each == 0.0) for each in equities)), steps()[0], "")
    assert [row.candidate.equity for row in shown.rows] == [0.5, 0.6, 0.4, 0.3, 0.2, 0.0]
    assert [row.is_best for row in shown.rows] == [True, False, False, False, False, False]


def test_a_cube_action_has_no_rank() -> None:
    judgement = judged(candidate(0.1, action="take", played=True), kind=DecisionKind.RESPONSE)
    assert StepVerdict(judgement, steps()[0], "").plays == 0
    assert StepVerdict(judgement, steps()[0], "").rank is None


def test_the_worst_decision_of_a_step_leads() -> None:
    play, cube = judged(error=0.01), judged(error=0.09, kind=DecisionKind.DOUBLE)
    shown = stop(steps()[0], cube, play)
    assert shown.verdict is not None
    assert shown.verdict.judgement is cube
    assert [each.judgement for each in shown.others] == [play]
    right = stop(steps()[0], judged(kind=DecisionKind.DOUBLE), play)
    assert right.verdict is not None
    assert right.verdict.judgement is play


def test_a_game_is_listed_as_a_record_writes_it() -> None:
    stops = [stop(step) for step in steps()]
    rows = rows_of(stops)
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    assert [each.step for row in rows for each in (row.white, row.black, row.both) if each] == list(steps())
    assert all(row.white is None or row.white.step.side is Side.WHITE for row in rows)


def wrong_at(*errors: tuple[int, Side, float]) -> list[Stop]:
    made = {number: judged(error=error, side=side) for number, side, error in errors}
    return [stop(step, *([made[step.number]] if step.number in made else [])) for step in steps()]


def test_errors_are_stepped_through_by_side_and_size() -> None:
    stops = wrong_at((1, Side.WHITE, 0.03), (2, Side.BLACK, 0.1), (4, Side.BLACK, 0.04))
    found = {
        wanted: [each.step.number for each in stops if wanted.has(each)]
        for wanted in (
            StepFilter(),
            StepFilter(Side.BLACK),
            StepFilter(None, True),
            StepFilter(Side.WHITE, True),
        )
    }
    assert list(found.values()) == [[1, 2, 4], [2, 4], [2], []]


def test_errors_are_stepped_through_by_kind_and_phase() -> None:
    play = stop(steps()[0], judged(error=0.1))
    cube = stop(steps()[0], judged(error=0.1, kind=DecisionKind.DOUBLE))
    for wanted, found in (
        (StepFilter(cube=False), [True, False]),
        (StepFilter(cube=True), [False, True]),
        (StepFilter(phase=GamePhase.OPENING), [True, True]),
        (StepFilter(phase=GamePhase.BEAROFF), [False, False]),
        (StepFilter(cube=True, phase=GamePhase.OPENING), [False, True]),
    ):
        assert [wanted.has(each) for each in (play, cube)] == found


def test_the_buttons_lead_to_the_nearest_error_on_either_side() -> None:
    stepping = Stepping(3, 6, [1, 3, 5])
    assert (stepping.previous_error, stepping.next_error, stepping.passed) == (1, 5, 2)
    assert (stepping.previous, stepping.next) == (2, 4)
    last = Stepping(6, 6, [1, 3, 5])
    assert (last.next, last.next_error, last.passed) == (None, None, 3)
    assert Stepping(1, 6, []).previous is None


@pytest.mark.parametrize(
    ("viewer", "is_over", "first"),
    [(None, True, 2), (Side.WHITE, True, 3), (Side.BLACK, True, 2), (None, False, 8)],
)
def test_a_page_opens_at_the_viewers_first_error(viewer: Side | None, is_over: bool, first: int) -> None:
    stops = wrong_at((2, Side.BLACK, 0.03), (3, Side.WHITE, 0.1))
    assert len(stops) == 8
    assert first_shown(stops, viewer=viewer, is_over=is_over) == first


def test_a_match_without_errors_opens_at_its_beginning() -> None:
    assert first_shown(wrong_at(), viewer=Side.WHITE, is_over=True) == 1


def test_the_biggest_errors_come_first_and_equal_ones_in_the_order_of_play() -> None:
    stops = wrong_at((1, Side.WHITE, 0.03), (2, Side.BLACK, 0.1), (3, Side.WHITE, 0.1))
    assert [line.stop.step.number for line in worst_first(stops)] == [2, 3, 1]


def test_without_an_analysis_there_is_no_graph() -> None:
    assert chance_graph({}) is None


def graph(**changed: object) -> ChanceGraph:
    values: dict[str, object] = {
        "steps": 10,
        "points": ((1, 0.5), (4, 0.75), (10, 1.0)),
        "bands": (ChanceBand(1, 1, 6, "0–0"), ChanceBand(2, 7, 10, "1–0")),
        "marks": (ChanceMark(4, 0.75, Side.BLACK, blunder=True),),
        "now": 5,
    }
    return ChanceGraph(**(values | changed))  # type: ignore[arg-type]


def test_the_graph_shows_the_chance_of_the_step_or_the_last_before_it() -> None:
    assert (graph().at_now, graph(now=1).at_now, graph(points=((3, 0.2),), now=2).at_now) == (0.75, 0.5, None)


def test_the_graph_is_a_drawing_without_styles_whose_words_are_escaped() -> None:
    drawing = draw_chances(graph(), title="<Ana> & Ben")
    assert "&lt;Ana&gt; &amp; Ben" in drawing
    assert "style" not in drawing
    assert drawing.count('class="mark black blunder"') == 1
    assert ">1–0</text>" in drawing
    phone = draw_chances(graph(), title="", layout=PHONE)
    assert ">50%</text>" in phone
    assert ">1–0</text>" not in phone


def test_one_point_is_a_graph_too() -> None:
    assert "<svg" in draw_chances(graph(steps=1, points=((1, 0.4),), bands=(), marks=(), now=1), title="")


def test_luck_alone_is_drawn_as_a_line_of_its_own_inside_the_plot() -> None:
    drawing = draw_chances(graph(by_luck=((1, 0.5), (4, 1.3), (10, -0.2))), title="")
    assert drawing.count('class="luck"') == 1
    path = drawing.split('class="luck"')[1].split(' d="M')[1].split('"')[0]
    heights = [float(spot.split()[1]) for spot in path.split("L")]
    assert heights[1] == min(heights) >= 0
    assert heights[2] == max(heights) <= 132
    assert 'class="luck"' not in draw_chances(graph(), title="")
