"""A chouette's game on the board: the questions of its plays and cubes, by hand, and whose they are."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.engines.checks import check_request
from scoring.engines.chouette_questions import chouette_request
from scoring.engines.chouette_turns import TableMoment
from scoring.engines.requests import CheckerQuestion, CubeQuestion, Response
from scoring.rules.chouette import game as table
from scoring.rules.chouette.costs import Seating
from scoring.rules.chouette.events import (
    Answered,
    CubeBeavered,
    CubeRaccooned,
    CubeSettled,
    CubeTakenOver,
    ExtraTaken,
    GameOver,
    Offered,
    OpeningTied,
    ProxyNamed,
)
from scoring.rules.chouette.game import begin_game
from scoring.rules.chouette.game_state import Half
from scoring.rules.chouette.options import Automatic, ChouetteOptions, Extras, ThreePlayers
from scoring.rules.chouette.table import apply_to_table
from scoring.rules.dice import ALL_ROLLS, Roll
from scoring.rules.errors import IllegalAction
from scoring.rules.events import (
    Event,
    MatchStarted,
    NotRolled,
    OpeningRolled,
    Played,
    PlayStatus,
    Rolled,
    Voided,
)
from scoring.rules.match import Win
from scoring.rules.options import RuleOptions
from scoring.rules.plays import Move, legal_plays
from scoring.rules.position import Position
from scoring.rules.sheet import apply, begin
from scoring.rules.sides import Side
from tests.scoring.rules.sheets import board as put
from tests.tiers import sized

START = MatchStarted(0, RuleOptions(cube=False, jacoby=False, automatic_doubles=0))
SEATING = Seating("box", ("cap", "two", "three"))
PLAIN = ChouetteOptions(jacoby=False)
# Box (White) opens with 31 and the crew answers with 42: seq 4 is the crew's first roll, 6 the box's next.
OPENING = [OpeningRolled(3, 1), Played((Move(8, 5), Move(6, 5)))]
TEAM = [Rolled(Roll(4, 2)), Played((Move(8, 4), Move(6, 4)))]
BOX = [Rolled(Roll(6, 1)), Played((Move(13, 7), Move(8, 7)))]


def asked(*moments, board=(*OPENING, *TEAM, *BOX), options=PLAIN, seating=SEATING, **more):
    """What is asked of the game: moments are (board seq, event), numbered from 101."""
    log = [(seq, event) for seq, event in enumerate((START, *board), start=1)]
    events = [TableMoment(n, at, event) for n, (at, event) in enumerate(moments, start=101)]
    return chouette_request(seating, options, log, events, preset="fast", **more)


def cubes(found):
    """Every cube decision in one line: side, what was done, value and owner of the cube, who decided."""
    lines = []
    for question in found.request.questions:
        if isinstance(question, CheckerQuestion):
            continue
        cube = f"{question.situation.cube} {question.situation.owner}"
        if question.ref in found.faced:
            what = "doubles" if question.doubled else "rolls"
            lines.append(f"{question.side} {what} at {cube}: {whose(found, question.ref)}")
        if question.response is not None:
            lines.append(
                f"{question.side.other} {question.response} at {cube}: {whose(found, question.response_ref)}"
            )
    return lines


def whose(found, ref):
    return ", ".join(f"{each.player} [{' '.join(each.cubes)}]" for each in found.faced[ref].deciders)


def plays(found):
    """Every play in one line: side, cube at which it is judged, who decided it."""
    return [
        f"{each.side} at {each.situation.cube} {each.situation.owner}: {whose(found, each.ref)}"
        for each in found.request.questions
        if isinstance(each, CheckerQuestion)
    ]


def test_who_could_have_doubled_and_did_not_has_decided_once_on_alike_cubes():
    found = asked()
    assert cubes(found) == [
        "black rolls at 1 centred: cap [cap], two [two], three [three]",
        "white rolls at 1 centred: box [cap two three]",
    ]
    assert plays(found) == [
        "white at 1 centred: box [cap]",
        "black at 1 centred: cap [cap]",
        "white at 1 centred: box [cap]",
    ]
    assert [found.faced[question.ref].board_seq for question in found.request.questions] == [3, 4, 5, 6, 7]
    assert (found.left_out, found.request.left_out) == ((), ())


def test_each_double_and_each_answer_is_judged_at_its_own_cube():
    found = asked(
        (3, Offered("cap", ("cap",))),
        (3, Offered("two", ("two",))),
        (3, Answered("box", takes=("cap",), passes=("two",))),
    )
    assert cubes(found)[:4] == [
        "black doubles at 1 centred: cap [cap], two [two]",
        "white take at 1 centred: box [cap]",
        "white pass at 1 centred: box [two]",
        "black rolls at 1 centred: three [three]",
    ]
    # the box owns the captain's cube now, and may turn it as well as three's
    assert cubes(found)[4:] == [
        "white rolls at 2 own: box [cap]",
        "white rolls at 1 centred: box [three]",
    ]
    assert plays(found) == [
        "white at 1 centred: box [cap]",
        "black at 2 opponent: cap [cap]",
        "white at 2 own: box [cap]",
    ]
    double, take = found.request.questions[1], found.faced[found.request.questions[1].response_ref]
    assert (found.faced[double.ref].seq, take.seq) == (101, 103)
    assert {found.faced[double.ref].board_seq, take.board_seq} == {4}


def test_the_box_that_doubles_everybody_has_decided_once():
    found = asked(
        (5, Offered("box", ("cap", "two", "three"))),
        (5, Answered("cap", passes=("cap",))),
        (5, Answered("two", takes=("two",))),
        (5, Answered("three", takes=("three",))),
    )
    assert cubes(found)[1:] == [
        "white doubles at 1 centred: box [cap two three]",
        "black pass at 1 centred: cap [cap]",
        "black take at 1 centred: two [two], three [three]",
    ]
    # the captain passed: the next in line is the captain, and plays are judged at that cube
    assert plays(found)[-1] == "white at 2 opponent: box [two]"


def test_a_beaver_is_an_answer_and_a_raccoon_none():
    options = ChouetteOptions(raccoons=True)
    found = asked(
        (3, Offered("cap", ("cap",))),
        (3, Answered("box", takes=("cap",))),
        (3, CubeBeavered("box", "cap")),
        (3, CubeRaccooned("cap", "cap")),
        options=options,
    )
    assert cubes(found)[:2] == [
        "black doubles at 1 centred: cap [cap]",
        "white beaver at 1 centred: box [cap]",
    ]
    assert plays(found)[1] == "black at 8 opponent: cap [cap]"
    assert (found.request.jacoby, found.request.beavers) == (True, True)


def test_a_beaver_that_only_the_house_demands_is_judged_as_the_take_that_it_was():
    options = ChouetteOptions(beavers=False, lone_taker_beavers=True)
    found = asked(
        (5, Offered("box", ("cap", "two", "three"))),
        (5, Answered("cap", passes=("cap",))),
        (5, Answered("two", takes=("two",))),
        (5, Answered("three", passes=("three",))),
        (5, CubeBeavered("two", "two")),
        options=options,
    )
    assert "black take at 1 centred: two [two]" in cubes(found)


def test_takes_that_the_house_demands_are_nobodys_decision():
    crew = Seating("box", ("cap", "two"))
    moments = (
        (3, Offered("cap", ("cap",))),
        (3, Offered("two", ("two",))),
        (3, Answered("box", takes=("cap", "two"))),
    )
    forced = asked(*moments, seating=crew, options=ChouetteOptions(three_players=ThreePlayers.BOTH))
    assert cubes(forced)[1] == "white rolls at 2 own: box [cap two]"
    chosen = asked(*moments, seating=crew, options=ChouetteOptions(three_players=ThreePlayers.BOTH_OR_NONE))
    assert cubes(chosen)[1] == "white take at 1 centred: box [cap two]"


def test_a_team_with_one_cube_doubles_by_its_captain():
    options = ChouetteOptions(multi_cube=False)
    found = asked(
        (5, Offered("box", ("cap", "two", "three"))),
        (5, Answered("cap", takes=("cap",))),
        (5, Answered("two", passes=("two",))),
        (5, Answered("three", takes=("three",))),
        board=(*OPENING, *TEAM, *BOX, Rolled(Roll(3, 2)), Played((Move(13, 10), Move(13, 11)))),
        options=options,
    )
    assert cubes(found) == [
        "black rolls at 1 centred: cap [cap two three]",
        "white doubles at 1 centred: box [cap two three]",
        "black take at 1 centred: cap [cap], three [three]",
        "black pass at 1 centred: two [two]",
        "black rolls at 2 own: cap [cap three]",
    ]


def test_an_automatic_double_leaves_the_cube_in_the_middle():
    options = ChouetteOptions(automatic=Automatic.FIRST_ALWAYS)
    found = asked(
        (2, OpeningTied(doubled=True)), board=(OpeningRolled(4, 4), *OPENING, *TEAM), options=options
    )
    assert cubes(found) == ["black rolls at 2 centred: cap [cap], two [two], three [three]"]


def test_a_cube_at_its_maximum_is_no_decision():
    found = asked(options=ChouetteOptions(max_cube=1))
    assert cubes(found) == []
    assert len(plays(found)) == 3


def test_an_extra_is_played_between_its_two():
    options = ChouetteOptions(extras=Extras.OPTIONAL)
    reply = (Rolled(Roll(3, 2)), Played((Move(13, 10), Move(13, 11))))
    found = asked(
        (5, Offered("box", ("cap", "two", "three"))),
        (5, Answered("cap", passes=("cap",))),
        (5, Answered("two", takes=("two",))),
        (5, Answered("three", passes=("three",))),
        (5, ExtraTaken("cap", "two")),
        (7, Offered("two", ("two", "cap>two"))),
        (7, Answered("box", passes=("two",))),
        (7, Answered("cap", takes=("cap>two",))),
        board=(*OPENING, *TEAM, *BOX, *reply),
        options=options,
    )
    assert cubes(found)[-3:] == [
        "black doubles at 2 own: two [two cap>two]",
        "white pass at 2 own: box [two]",
        "white take at 2 own: cap [cap>two]",
    ]
    # nobody plays against the box any more: who is paid and who pays play on, at their cube
    assert plays(found)[-1] == "black at 4 opponent: two [cap>two]"


def test_who_took_a_cube_over_decides_it_and_the_captain_still_moves():
    options = ChouetteOptions(settlements=True)
    found = asked((3, CubeTakenOver("cap", "two", 1)), (3, CubeSettled("three", 1)), options=options)
    assert cubes(found)[0] == "black rolls at 1 centred: two [cap two]"
    assert plays(found)[1] == "black at 1 centred: cap [cap]"


def test_a_proxy_decides_for_who_is_away():
    found = asked((3, ProxyNamed("cap", None)), (3, ProxyNamed("two", "three")), proxies={"cap": "two"})
    assert cubes(found)[0] == "black rolls at 1 centred: cap [cap], three [two three]"
    named = asked(proxies={"cap": "two"})
    assert plays(named)[1] == "black at 1 centred: two [cap]"


@pytest.mark.parametrize("written_at", [2, 3, 4])
def test_a_double_belongs_before_the_dice_wherever_it_was_written_down(written_at):
    found = asked((written_at, Offered("cap", ("cap",))), (5, Answered("box", takes=("cap",))))
    assert cubes(found)[:2] == [
        "black doubles at 1 centred: cap [cap]",
        "white take at 1 centred: box [cap]",
    ]
    assert plays(found)[1] == "black at 2 opponent: cap [cap]"
    assert found.left_out == ()


@pytest.mark.parametrize("written_at", [1, 5])
def test_a_double_out_of_turn_is_named_and_its_cube_still_counts(written_at):
    found = asked((written_at, Offered("cap", ("cap",))), (written_at, Answered("box", takes=("cap",))))
    assert found.left_out == (101,)
    assert not [line for line in cubes(found) if "doubles" in line or "take" in line]
    assert plays(found)[-1] == "white at 2 own: box [cap]"


def test_a_double_that_nobody_answered_is_judged_alone():
    found = asked((7, Offered("cap", ("cap",))))
    assert cubes(found)[-1] == "black doubles at 1 centred: cap [cap]"
    assert found.faced[found.request.questions[-1].ref].board_seq == 7


def test_what_was_taken_back_on_the_board_moves_nothing():
    board = (*OPENING, Voided(), *TEAM)
    found = asked((4, Offered("cap", ("cap",))), (4, Answered("box", passes=("cap",))), board=board)
    assert cubes(found) == [
        "black doubles at 1 centred: cap [cap]",
        "white pass at 1 centred: box [cap]",
        "black rolls at 1 centred: two [two], three [three]",
    ]
    assert found.faced[found.request.questions[1].ref].board_seq == 5


def test_after_all_cubes_have_ended_nobody_decides():
    found = asked((5, GameOver(box_won=True, win=Win.SINGLE)))
    assert len(found.request.questions) == 3


def test_who_is_closed_out_and_leaves_the_dice_could_have_doubled():
    shut = put({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2) | {13: 3}, on_roll=Side.WHITE)
    found = asked(board=(*OPENING, *TEAM, shut, NotRolled()))
    assert cubes(found)[-1] == "white rolls at 1 centred: box [cap two three]"


def test_a_play_that_no_engine_can_be_told_is_named():
    fewer = Position.from_points({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 4})
    board = (OpeningRolled(3, 1), Played((), PlayStatus.ILLEGAL_ACCEPTED, fewer))
    found = asked(board=board)
    assert (found.request.questions, found.request.left_out, dict(found.faced)) == ((), ("3",), {})


def test_a_record_begins_with_its_start():
    with pytest.raises(IllegalAction, match="begins with the start"):
        chouette_request(SEATING, PLAIN, [(1, OpeningRolled(3, 1))], (), preset="fast")


OPTIONS = st.builds(
    ChouetteOptions,
    multi_cube=st.booleans(),
    jacoby=st.booleans(),
    beavers=st.booleans(),
    raccoons=st.booleans(),
    lone_taker_beavers=st.booleans(),
    takes_half=st.booleans(),
    takes_captain=st.booleans(),
    three_players=st.sampled_from(ThreePlayers),
    automatic=st.sampled_from(Automatic),
    extras=st.sampled_from(Extras),
    max_cube=st.sampled_from([None, 4, 64]),
)


class Table:
    """A chouette's game at random, written on the board and at the table as it is played."""

    def __init__(self, seating, options, rng):
        self.seating, self.rng = seating, rng
        self.game, self.options = begin_game(1, seating, options), options
        self.state = begin(START)
        self.board: list[tuple[int, Event]] = [(1, START)]
        self.moments: list[TableMoment] = []

    def at_table(self, event):
        try:
            self.game = apply_to_table(self.game, event)
        except IllegalAction:
            return False
        self.moments.append(TableMoment(len(self.moments) + 101, len(self.board), event))
        return True

    def on_board(self, event):
        self.state = apply(self.state, event)
        self.board.append((len(self.board) + 1, event))

    def play(self, turns):
        self.open()
        for _turn in range(turns):
            if self.state.game.number > 1 or self.game.over:
                return
            self.cubes(Half.BOX if self.state.game.on_roll is Side.WHITE else Half.TEAM)
            self.on_board(Rolled(self.rng.choice(ALL_ROLLS)))
            self.move()

    def open(self):
        first, second = self.rng.sample(range(1, 7), 2)
        self.on_board(OpeningRolled(first, second))
        self.move()

    def move(self):
        game = self.state.game
        assert game.roll is not None
        found = legal_plays(game.seen_by(game.player), game.roll)
        self.on_board(Played(self.rng.choice(found).moves if found else ()))

    def cubes(self, half):
        """Some of this side's cubes are doubled, and every double is answered in some way or other."""
        live = [cube for cube in self.game.cubes if cube.live]
        together = tuple(cube.key for cube in live if cube.against is None)
        for cube in live:
            by = cube.holder if half is Half.TEAM else cube.against or self.seating.box
            if self.rng.random() < 0.2:
                self.at_table(Offered(by, (cube.key,) if self.options.multi_cube else together))
        while self.game.offered:
            self.answer()
        for cube in self.game.cubes:
            if cube.live and self.rng.random() < 0.3:
                holder = self.seating.box if cube.owner is Half.BOX else cube.holder
                self.at_table(CubeBeavered(holder, cube.key))
        if self.game.must_beaver is not None:
            self.at_table(CubeBeavered(self.game.cube(self.game.must_beaver).holder, self.game.must_beaver))
        for payer in self.seating.crew:
            for holder in self.seating.crew:
                if payer != holder and self.rng.random() < 0.5:
                    try:
                        table.hold_extra(self.game, payer=payer, holder=holder)
                    except IllegalAction:
                        continue
                    self.at_table(ExtraTaken(payer, holder))

    def answer(self):
        cube = self.rng.choice(self.game.offered)
        by = (cube.against or self.seating.box) if cube.offered is Half.TEAM else cube.holder
        keys = [one.key for one in self.game.offered if self.game.side_of(one, by) is one.asked]
        takes = tuple(key for key in keys if self.rng.random() < 0.7)
        passes = tuple(key for key in keys if key not in takes)
        if not self.at_table(Answered(by, takes, passes)):
            assert self.at_table(Answered(by, tuple(keys), ()))


@settings(max_examples=sized(20, 60), deadline=None, suppress_health_check=list(HealthCheck))
@given(options=OPTIONS, crew=st.integers(2, 5), turns=st.integers(0, 60), seed=st.integers(0, 2**32))
def test_any_game_asks_what_could_be_faced_and_says_whose_it_is(options, crew, turns, seed):
    seating = Seating("box", ("cap", "two", "three", "four", "five")[:crew])
    night = Table(seating, options, random.Random(seed))
    night.play(turns)
    found = chouette_request(seating, options, night.board, night.moments, preset="fast")
    check_request(found.request)
    assert found.left_out == ()
    refs = [question.ref for question in found.request.questions]
    answers = [q.response_ref for q in found.request.questions if isinstance(q, CubeQuestion) and q.response]
    assert set(found.faced) <= {*refs, *answers}
    assert set(answers) <= set(found.faced)
    for question in found.request.questions:
        if question.ref not in found.faced:
            assert isinstance(question, CubeQuestion)
            assert question.doubled
            continue
        _decided_by_that_side(found, question.ref, question.side)
        if isinstance(question, CubeQuestion) and question.response:
            _decided_by_that_side(found, question.response_ref, question.side.other)
    _every_pass_is_found_again(found, night)


def _decided_by_that_side(found, ref, side):
    """A player of the box decides for White, the crew for Black, except where an extra is played."""
    for decider in found.faced[ref].deciders:
        for key in decider.cubes:
            payer, _, holder = key.rpartition(">")
            if side is Side.WHITE:
                assert decider.player == (payer or "box")
            elif payer:
                assert decider.player == holder
            else:
                assert decider.player != "box"


def _every_pass_is_found_again(found, night):
    """Nobody can be made to pass: each pass of the log is somebody's decision."""
    written = {(m.seq, key) for m in night.moments if isinstance(m.event, Answered) for key in m.event.passes}
    passes = [
        key
        for question in found.request.questions
        if isinstance(question, CubeQuestion) and question.response is Response.PASS
        for decider in found.faced[question.response_ref].deciders
        for key in decider.cubes
    ]
    assert len(passes) == len(written)
