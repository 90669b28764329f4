"""A night of chouette: house rules, rotation, cubes, and a ledger that adds up."""

import json
from dataclasses import replace

import pytest

from scoring.rules.chouette.events import (
    Agreed,
    Answered,
    CameBack,
    ChouetteEvent,
    CubeBeavered,
    CubeRaccooned,
    CubeSettled,
    CubeTakenOver,
    ExtraTaken,
    GameBegun,
    GameOver,
    Joined,
    LeftTable,
    Nothing,
    Offered,
    OpeningTied,
    OptionsChanged,
    PlacesAgreed,
    PlacesThrown,
    PlaceThrow,
    ProxyNamed,
    RefusedExtra,
    SatOut,
    SeatHanded,
    SessionClosed,
    SessionStarted,
    StakeSet,
    Swapped,
    chouette_event_from_plain,
    chouette_event_to_plain,
)
from scoring.rules.chouette.options import (
    HOUSES,
    Automatic,
    BoxKeeps,
    ChouetteOptions,
    Extras,
    NewBox,
    ThreePlayers,
)
from scoring.rules.chouette.session import MOST_PLAYERS, apply_event, replay_session, why_not
from scoring.rules.chouette.session_state import Announced, rules_digest, session_bytes, session_from_plain
from scoring.rules.codec import from_plain, to_plain
from scoring.rules.endings import GameEnd
from scoring.rules.errors import IllegalAction, InvalidValue
from scoring.rules.match import Win
from tests.scoring.rules.chouette.nights import ALL, FREE, NAMES, game, night, on, then, wins


def refused(state, event: ChouetteEvent) -> str:
    why = why_not(state, event)
    assert why is not None, event
    return why


def points(state) -> dict[str, int]:
    return {line.player: line.points for line in state.games[-1].ledger}


# Places


def test_the_highest_throw_is_the_box_and_ties_throw_again():
    state = night(0, FREE, *(Joined(name, 100) for name in ("ana", "jon", "eva", "leo")))
    throws = {"ana": 4, "jon": 6, "eva": 4, "leo": 1}
    state = then(state, PlacesThrown(tuple(PlaceThrow(name, (die,)) for name, die in throws.items())))
    assert (state.placed, state.box) == (False, None)
    assert "places are not set" in refused(state, GameBegun())
    assert "to roll now: ana, eva" in refused(state, PlacesThrown((PlaceThrow("jon", (3,)),)))
    again = PlacesThrown((PlaceThrow("ana", (2,)), PlaceThrow("eva", (5,))))
    state = then(state, again)
    assert (state.line, state.box, state.captain) == (("jon", "eva", "ana", "leo"), "jon", "eva")
    assert state.crew == ("eva", "ana", "leo")


def test_who_joins_while_the_others_tie_is_last_and_does_not_throw():
    state = replay_session([SessionStarted(FREE), Joined("ana", 1), Joined("jon", 1), Joined("eva", 1)])
    state = then(state, PlacesThrown(tuple(PlaceThrow(name, (3,)) for name in ("ana", "jon", "eva"))))
    state = then(state, LeftTable("eva"), Joined("leo", 1), CameBack("eva"))
    decided = then(state, PlacesThrown((PlaceThrow("ana", (1,)), PlaceThrow("jon", (2,)))))
    assert decided.line == ("jon", "ana", "leo", "eva")
    assert decided.placed


def test_nobody_throws_twice_for_places_that_are_decided():
    state = night(0, FREE, Joined("ana", 100), Joined("jon", 100))
    decided = then(state, PlacesThrown((PlaceThrow("ana", (1,)), PlaceThrow("jon", (2,)))))
    again = PlacesThrown((PlaceThrow("ana", (6,)), PlaceThrow("jon", (2,))))
    assert "to roll now: –" in refused(decided, again)
    one = night(1)
    assert "to roll now: –" in refused(one, PlacesThrown((PlaceThrow("box", (1,)),)))
    assert "to roll now: –" in refused(one, PlacesThrown(()))
    assert decided.line == ("jon", "ana")


@pytest.mark.parametrize(("dice", "rolled"), [((1,), 2), ((0, 3), 2), ((7,), 1), ((1, 2), 1)])
def test_a_throw_that_cannot_be(dice, rolled):
    state = night(0, replace(FREE, opening_dice=rolled), Joined("ana", 1), Joined("jon", 1))
    throws = PlacesThrown((PlaceThrow("ana", dice), PlaceThrow("jon", dice)))
    with pytest.raises(InvalidValue, match="ana cannot have rolled"):
        apply_event(state, throws)


def test_who_leaves_before_the_places_are_decided_throws_no_more():
    state = night(0, FREE, *(Joined(name, 100) for name in ("ana", "jon", "eva")))
    state = then(state, PlacesThrown(tuple(PlaceThrow(name, (3,)) for name in ("ana", "jon", "eva"))))
    state = then(state, LeftTable("eva"), PlacesThrown((PlaceThrow("ana", (1,)), PlaceThrow("jon", (2,)))))
    assert state.line == ("jon", "ana")


def test_the_places_are_decided_when_only_one_of_a_tie_is_left():
    state = night(0, FREE, *(Joined(name, 100) for name in ("ana", "jon", "eva", "leo")))
    throws = {"ana": 6, "jon": 6, "eva": 3, "leo": 1}
    state = then(state, PlacesThrown(tuple(PlaceThrow(name, (die,)) for name, die in throws.items())))
    left = then(state, LeftTable("ana"))
    assert (left.placed, left.tied, left.line) == (True, (), ("jon", "eva", "leo"))
    assert on(then(left, GameBegun())).seating.box == "jon"
    nobody = then(state, *(LeftTable(name) for name in throws))
    assert (nobody.tied, nobody.line) == ((), ())


def test_who_changes_places_while_others_tie_keeps_the_place():
    state = night(0, FREE, *(Joined(name, 100) for name in ("ana", "jon", "eva", "leo")))
    throws = {"ana": 6, "jon": 3, "eva": 3, "leo": 1}
    state = then(state, PlacesThrown(tuple(PlaceThrow(name, (die,)) for name, die in throws.items())))
    state = then(state, Swapped("ana", "leo"))
    state = then(state, PlacesThrown((PlaceThrow("jon", (2,)), PlaceThrow("eva", (5,)))))
    assert state.line == ("leo", "eva", "jon", "ana")


def test_places_by_consent_name_everybody_once():
    assert "every player" in refused(night(4), PlacesAgreed(("box", "cap")))
    assert night(3, FREE, PlacesAgreed(("two", "box", "cap"))).box == "two"


def test_two_change_places():
    assert night(4, FREE, Swapped("cap", "three")).line == ("box", "three", "two", "cap")
    assert "already has that place" in refused(night(4), Swapped("cap", "cap"))
    assert "a game is in progress: finish it first" in refused(game(), Swapped("cap", "two"))
    with_partner = night(6, FREE, GameBegun("five"), wins(box=True), Swapped("five", "cap"))
    assert with_partner.partner == "cap"
    assert "already away" in refused(night(4, FREE, SatOut("two")), Swapped("cap", "two"))


# Rotation


def test_the_box_that_beats_the_captain_stays():
    assert game(4, FREE, wins(box=True)).line == ("box", "two", "three", "cap")


def test_a_game_is_won_by_the_box_or_by_the_first_of_the_crew_who_won_with_the_last_cube():
    assert game(4, FREE, wins(box=True)).games[-1].winner == "box"
    assert game(4, FREE, wins(box=False)).games[-1].winner == "cap"
    taken = (Answered("two", takes=("two",)), Answered("three", takes=("three",)))
    state = game(4, FREE, Offered("box", ALL), Answered("cap", passes=("cap",)), *taken, wins(box=False))
    assert state.games[-1].winner == "two"


def test_the_captain_who_wins_becomes_the_box():
    assert game(4, FREE, wins(box=False)).line == ("cap", "two", "three", "box")


def test_the_next_in_line_takes_over_when_the_captain_passes():
    state = game(4, FREE, Offered("box", ALL), Answered("cap", passes=("cap",)))
    assert state.captain == "two"
    state = then(state, Answered("two", takes=("two",)), Answered("three", passes=("three",)))
    assert state.captain == "two"
    state = then(state, wins(box=False))
    # Rotation is captain against box alone (Cambridge): the box beat the captain and stays.
    assert state.line == ("box", "two", "three", "cap")
    assert points(state) == {"box": 0, "cap": -1, "two": 2, "three": -1}


def test_both_stand_up_when_captain_and_box_have_lost():
    # Los Angeles (Joe Russell, 2013): the box at the bottom, behind the captain.
    options = replace(FREE, box_keeps=BoxKeeps.LAST_ACTIVE_CUBE, double_stand_up=True)
    doubled = (Offered("box", ALL), Answered("cap", passes=("cap",)))
    taken = (Answered("two", takes=("two",)), Answered("three", takes=("three",)))
    state = game(4, options, *doubled, *taken, wins(box=False))
    assert state.line == ("two", "three", "cap", "box")
    stays_captain = replace(options, double_stand_up=False)
    assert game(4, stays_captain, *doubled, *taken, wins(box=False)).line == ("two", "cap", "three", "box")
    captains = replace(options, new_box=NewBox.CAPTAIN)
    assert game(4, captains, *doubled, *taken, wins(box=False)).line == ("cap", "two", "three", "box")


@pytest.mark.parametrize(
    ("last", "box", "line"),
    [
        (False, True, ("box", "two", "three", "new", "cap")),
        (True, True, ("box", "two", "three", "cap", "new")),
        (False, False, ("cap", "two", "three", "new", "box")),
        (True, False, ("cap", "two", "three", "box", "new")),
    ],
)
def test_who_joins_during_a_game_sits_at_the_bottom(last, box, line):
    # Cambridge: new players will be ahead of the losing captain or box.
    state = game(4, replace(FREE, newcomers_last=last), Joined("new", 100), wins(box=box))
    assert state.line == line


def test_a_newcomer_is_ahead_of_both_who_stood_up():
    options = replace(FREE, box_keeps=BoxKeeps.LAST_ACTIVE_CUBE, double_stand_up=True)
    doubled = (Offered("box", ("cap",)), Answered("cap", passes=("cap",)))
    state = game(4, options, *doubled, Joined("new", 100), wins(box=False))
    assert state.line == ("two", "three", "new", "cap", "box")


@pytest.mark.parametrize(
    ("both", "line"), [(True, ("two", "new", "cap", "box")), (False, ("two", "cap", "new", "box"))]
)
def test_a_newcomer_is_ahead_of_both_at_a_table_of_three_too(both, line):
    options = replace(FREE, box_keeps=BoxKeeps.LAST_ACTIVE_CUBE, double_stand_up=both)
    doubled = (Offered("box", ("cap",)), Answered("cap", passes=("cap",)))
    assert game(3, options, *doubled, Joined("new", 100), wins(box=False)).line == line


def test_who_joins_between_games_sits_behind_everybody():
    assert night(4, FREE, Joined("new", 100)).line[-1] == "new"


def test_a_table_has_its_limits():
    many = tuple(Joined(f"p{n}", 1) for n in range(MOST_PLAYERS - 3))
    full = night(3, FREE, *many)
    assert "at most 12 players" in refused(full, Joined("more", 1))
    assert "is already at this table" in refused(full, Joined("box", 1))
    away = then(full, SatOut("box"), Joined("more", 1))
    assert "at most 12 players" in refused(away, CameBack("box"))
    assert "cannot have a stake of -1" in refused(night(3), Joined("new", -1))
    assert "at least 3 players, not 2" in refused(night(3, FREE, LeftTable("two")), GameBegun())


# Coming and going


def test_who_leaves_between_games_is_out_and_keeps_the_balance():
    state = game(4, FREE, wins(box=True))
    state = then(state, LeftTable("two"))
    assert state.line == ("box", "three", "cap")
    assert state.balances["two"] == (-1, -100)
    assert "already away" in refused(state, LeftTable("two"))
    assert "already away" in refused(state, SatOut("two"))


def test_who_leaves_during_a_game_plays_it_to_the_end():
    state = game(4, FREE, SatOut("two"))
    assert (state.crew, state.box) == (ALL, "box")
    state = then(state, wins(box=True))
    assert state.line == ("box", "three", "cap")
    state = then(state, CameBack("two"))
    assert state.line == ("box", "three", "cap", "two")
    assert "two is already playing" in refused(state, CameBack("two"))


def test_who_comes_back_during_the_game_has_never_been_away():
    state = game(4, FREE, SatOut("two"), CameBack("two"), wins(box=True))
    assert state.line == ("box", "two", "three", "cap")


def test_a_newcomer_may_leave_before_the_game_is_over():
    assert game(4, FREE, Joined("new", 1), LeftTable("new"), wins(box=True)).line[-1] == "cap"


def test_the_box_that_leaves_makes_room_for_the_captain():
    state = night(6, FREE, GameBegun("five"), wins(box=True), LeftTable("box"))
    assert (state.box, state.partner) == ("five", None)
    keeps = night(6, FREE, GameBegun("five"), wins(box=True), LeftTable("two"))
    assert keeps.partner == "five"
    gone = night(6, FREE, GameBegun("five"), wins(box=True), LeftTable("five"))
    assert gone.partner is None


def test_the_night_is_closed_between_games():
    assert "a game is in progress: finish it first" in refused(game(), SessionClosed())
    closed = night(3, FREE, SessionClosed())
    assert "this chouette is over" in refused(closed, GameBegun())
    assert then(closed, Nothing()) == closed


def test_a_seat_that_is_opened_for_a_phone_changes_nothing_even_when_the_night_is_over():
    for state in (night(3), game(3), night(3, FREE, SessionClosed())):
        assert apply_event(state, SeatHanded("box")) == state


def test_other_rules_and_announced_ones_have_another_digest():
    other = ChouetteOptions(jacoby=False)
    states = [
        night(3), night(3, other), night(3, FREE, OptionsChanged(FREE, "another name")),
        game(3, FREE, OptionsChanged(other)), game(3, FREE, OptionsChanged(other, "monday")),
    ]  # fmt: skip
    assert len({rules_digest(state) for state in states}) == len(states)
    # Who sits there and what was played does not matter.
    assert rules_digest(game(5)) == rules_digest(night(3))


def test_a_log_begins_with_a_start_and_has_one():
    with pytest.raises(InvalidValue, match="begins with join"):
        replay_session([Joined("ana", 1)])
    assert "already started" in refused(night(3), SessionStarted(FREE))


def test_a_stake_counts_from_the_next_game():
    state = night(3, FREE, StakeSet("cap", 50), GameBegun(), wins(box=True))
    assert state.balances == {"box": (2, 150), "cap": (-1, -50), "two": (-1, -100)}
    assert "a game is in progress: finish it first" in refused(game(), StakeSet("cap", 50))
    assert "nobody is not at" in refused(night(3), StakeSet("nobody", 50))


def test_a_proxy_is_somebody_else_at_the_table():
    state = night(3, FREE, ProxyNamed("cap", "two"))
    assert state.seat("cap").proxy == "two"
    assert then(state, ProxyNamed("cap")).seat("cap").proxy is None
    assert "their own proxy" in refused(state, ProxyNamed("cap", "cap"))
    assert "nobody is not at" in refused(state, ProxyNamed("cap", "nobody"))
    assert "do not allow proxies" in refused(night(3, replace(FREE, proxies=False)), ProxyNamed("cap", "two"))


def test_other_rules_hold_from_the_next_game_and_everybody_is_asked_anew():
    other = replace(FREE, jacoby=False)
    state = night(3, FREE, Agreed("cap"))
    assert state.seat("cap").agreed
    between = then(state, OptionsChanged(other, "ours"))
    assert (between.options, between.name, between.seat("cap").agreed) == (other, "ours", False)
    during = then(state, GameBegun(), OptionsChanged(other, "ours"))
    assert (during.options, during.announced) == (FREE, Announced("ours", other))
    # Jacoby still holds in the game that is on: a gammon on a cube that nobody turned is a single.
    after = then(during, wins(box=True, win=Win.GAMMON))
    assert (points(after)["box"], after.options, after.announced) == (2, other, None)


# A partner


def test_a_partner_has_half_and_keeps_the_box_company():
    state = night(6, FREE, GameBegun("five"))
    assert (on(state).seating.partner, state.crew) == ("five", ("cap", "two", "three", "four"))
    assert "a game is in progress: finish it first" in refused(state, GameBegun())
    state = then(state, Offered("cap", ("cap",)), Answered("box", passes=("cap",)), wins(box=True))
    # The box won 3 and lost 1: of 2 the partner has 1.
    assert points(state) == {"box": 1, "five": 1, "cap": 1, "two": -1, "three": -1, "four": -1}
    assert state.line[-2:] == ("five", "box")


@pytest.mark.parametrize(
    ("count", "options", "named", "why"),
    [
        (5, FREE, "cap", "with 5 players, the box plays alone"),
        (6, replace(FREE, partner_from=None), "cap", "with 6 players, the box plays alone"),
        (6, FREE, "box", "not in the crew"),
        (7, HOUSES["los_angeles"], None, "with 7 players, the box must take a partner"),
    ],
)
def test_a_partner_that_the_house_does_not_allow(count, options, named, why):
    assert why in refused(night(count, options), GameBegun(named))


def test_the_partner_of_a_box_that_stays_remains():
    state = night(6, FREE, GameBegun("five"), wins(box=True))
    assert state.partner == "five"
    assert "five is already the box's partner" in refused(state, GameBegun("two"))
    # Kit Woolsey's rules: a partnership remains for the box's run although somebody has left.
    assert on(then(state, LeftTable("two"), GameBegun("five"))).seating.partner == "five"
    assert on(then(state, LeftTable("two"), GameBegun())).seating.partner == "five"
    three = then(state, LeftTable("two"), LeftTable("three"), LeftTable("four"), GameBegun())
    assert (on(three).seating.partner, three.partner) == (None, None)


# Cubes


def test_each_cube_is_opened_taken_passed_and_redoubled_on_its_own():
    state = game(
        4, FREE,
        Offered("two", ("two",)), Offered("cap", ("cap",)), Answered("box", takes=("two",), passes=("cap",)),
        Offered("box", ("two", "three")),
        Answered("three", passes=("three",)), Answered("two", takes=("two",)),
        wins(box=False, win=Win.GAMMON),
    )  # fmt: skip
    assert points(state) == {"box": -8, "cap": 1, "two": 8, "three": -1}


def test_a_game_is_over_when_every_cube_is():
    state = game(3, FREE, Offered("cap", ("cap",)), Offered("two", ("two",)))
    state = then(state, Answered("box", passes=("cap", "two")))
    assert (state.game, points(state)) == (None, {"box": -2, "cap": 1, "two": 1})


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (Offered("cap", ("two",)), "cap can double only their own cubes"),
        (Offered("nobody", ("two",)), "nobody can double only"),
        (Offered("box", ()), "choose the cubes"),
        (Offered("box", ("nobody",)), "nobody has no cube"),
        (Answered("box"), "answer each double once"),
        (Answered("box", takes=("cap",), passes=("cap",)), "answer each double once"),
        (Answered("box", takes=("cap",)), "the cube of cap was not offered to box"),
        (CubeBeavered("cap", "cap"), "only the player who just took"),
        (CubeRaccooned("box", "cap"), "only the player who was just beavered"),
        (ExtraTaken("cap", "two"), "cap has not passed"),
        (CubeTakenOver("cap", "nobody", 1), "nobody is not at"),
        (CubeTakenOver("cap", "box", 1), "box already plays this cube"),
        (GameOver(box_won=True, win=Win.SINGLE, ended=GameEnd.PASS), "ends only its own cube"),
    ],
)
def test_what_may_not_happen_before_a_cube_was_turned(event, why):
    assert why in refused(game(), event)


def test_nothing_of_a_game_happens_between_games():
    for event in (Offered("box", ("cap",)), wins(box=True), OpeningTied(doubled=False)):
        assert "no game is in progress" in refused(night(4), event)


def test_a_double_waits_for_its_answer():
    state = game(4, FREE, Offered("box", ("cap",)))
    assert "has not been answered yet" in refused(state, Offered("box", ("cap",)))
    assert "has not been answered yet" in refused(state, Offered("two", ("two",)))
    assert "has not been answered yet" in refused(state, wins(box=True))
    assert "has not been answered yet" in refused(state, CubeSettled("cap", 1))
    taken = then(state, Answered("cap", takes=("cap",)))
    assert "the other side owns" in refused(taken, Offered("box", ("cap",)))
    passed = then(state, Answered("cap", passes=("cap",)))
    assert "no longer in play" in refused(passed, Offered("box", ("cap",)))
    assert "no longer in play" in refused(passed, CubeSettled("cap", 1))


def test_the_box_answers_everybody_at_once():
    state = game(4, FREE, Offered("cap", ("cap",)), Offered("two", ("two",)))
    assert "all doubles together" in refused(state, Answered("box", takes=("cap",)))


@pytest.mark.parametrize(
    ("options", "count", "takes", "why"),
    [
        ({"takes_half": True}, 4, ("cap",), "at least half of 3 doubles or none, not 1"),
        ({"takes_half": True}, 4, ("cap", "two"), None),
        ({"takes_half": True}, 4, (), None),
        ({"takes_captain": True}, 4, ("two", "three"), "must take that of the captain, cap"),
        ({"takes_captain": True}, 4, ("cap",), None),
        ({"takes_captain": True}, 4, (), None),
        ({"three_players": ThreePlayers.BOTH}, 3, (), "with three players, the box must take both doubles"),
        (
            {"three_players": ThreePlayers.BOTH},
            3,
            ("cap",),
            "with three players, the box must take both doubles",
        ),
        ({"three_players": ThreePlayers.BOTH}, 3, ("cap", "two"), None),
        ({"three_players": ThreePlayers.BOTH_OR_NONE}, 3, ("two",), "take or pass both doubles"),
        ({"three_players": ThreePlayers.BOTH_OR_NONE}, 3, (), None),
        ({"takes_half": True, "three_players": ThreePlayers.FREE}, 3, ("two",), None),
    ],
)
def test_the_houses_rules_of_the_boxs_takes(options, count, takes, why):
    house = replace(FREE, **options)
    crew = NAMES[1:count]
    state = game(count, house, *(Offered(player, (player,)) for player in crew))
    answer = Answered("box", takes, tuple(player for player in crew if player not in takes))
    assert (why_not(state, answer) or "").endswith(why or "")
    assert bool(why_not(state, answer)) == bool(why)


def test_the_rules_of_first_doubles_hold_for_the_whole_crew_alone():
    house = replace(FREE, takes_half=True)
    some = game(4, house, Offered("cap", ("cap",)), Offered("two", ("two",)))
    assert why_not(some, Answered("box", passes=("cap", "two"))) is None
    turned = game(
        4, house,
        Offered("box", ALL), *(Answered(player, takes=(player,)) for player in ALL),
        *(Offered(player, (player,)) for player in ALL),
    )  # fmt: skip
    assert why_not(turned, Answered("box", takes=("two",), passes=("cap", "three"))) is None


def test_a_box_that_holds_a_cube_already_may_pass_the_captains():
    house = replace(FREE, takes_captain=True)
    state = game(4, house, Offered("two", ("two",)), Answered("box", takes=("two",)))
    state = then(state, Offered("cap", ("cap",)), Offered("three", ("three",)))
    assert why_not(state, Answered("box", takes=("three",), passes=("cap",))) is None


def test_beavers_and_raccoons_answer_at_once():
    state = game(4, FREE, Offered("box", ("cap",)), Answered("cap", takes=("cap",)))
    assert "only the player who just took" in refused(state, CubeBeavered("box", "cap"))
    state = then(state, CubeBeavered("cap", "cap"))
    assert "only the player who was just beavered" in refused(state, CubeRaccooned("cap", "cap"))
    state = then(state, CubeRaccooned("box", "cap"))
    assert on(state).cube("cap").value == 8
    assert "only the player who was just beavered" in refused(state, CubeRaccooned("box", "cap"))
    late = game(4, FREE, Offered("box", ("cap",)), Answered("cap", takes=("cap",)), Offered("two", ("two",)))
    assert "only the player who just took" in refused(late, CubeBeavered("cap", "cap"))
    without = replace(FREE, beavers=False, raccoons=False)
    state = game(4, without, Offered("box", ("cap",)), Answered("cap", takes=("cap",)))
    assert "do not allow beavers" in refused(state, CubeBeavered("cap", "cap"))
    assert "do not allow raccoons" in refused(state, CubeRaccooned("box", "cap"))


def test_a_lone_taker_must_beaver():
    house = replace(FREE, beavers=False, lone_taker_beavers=True)
    passes = (Answered("cap", passes=("cap",)), Answered("two", passes=("two",)))
    state = game(4, house, Offered("box", ALL), *passes, Answered("three", takes=("three",)))
    for event in (wins(box=True), Offered("three", ("three",))):
        assert "three is the lone taker and must beaver" in refused(state, event)
    beavered = then(state, CubeBeavered("three", "three"))
    assert points(then(beavered, wins(box=False))) == {"box": -2, "cap": -1, "two": -1, "three": 4}
    settled = then(state, CubeSettled("three", 0))
    assert settled.game is None
    two_took = game(
        4, house, Offered("box", ALL), passes[0],
        Answered("two", takes=("two",)), Answered("three", takes=("three",)),
    )  # fmt: skip
    assert why_not(two_took, wins(box=True)) is None
    not_all = game(4, house, Offered("box", ("cap",)), Answered("cap", takes=("cap",)))
    assert why_not(not_all, wins(box=True)) is None
    small = replace(house, max_cube=2)
    no_room = game(4, small, Offered("box", ALL), *passes, Answered("three", takes=("three",)))
    assert why_not(no_room, wins(box=True)) is None


def test_a_beaver_that_is_due_stays_due_while_others_happen():
    house = replace(FREE, lone_taker_beavers=True)
    passes = (Answered("cap", passes=("cap",)), Answered("two", passes=("two",)))
    due = game(4, house, Offered("box", ALL), *passes, Answered("three", takes=("three",)))
    held = then(due, ExtraTaken("cap", "three"), CubeBeavered("three", "cap>three"))
    assert on(held).must_beaver == "three"
    assert on(then(held, CubeSettled("cap>three", 1))).must_beaver == "three"


def test_no_cube_goes_beyond_the_highest():
    house = replace(FREE, max_cube=2)
    state = game(4, house, Offered("box", ("cap",)), Answered("cap", takes=("cap",)))
    assert "cubes stop at 2" in refused(state, CubeBeavered("cap", "cap"))
    assert "cubes stop at 2" in refused(state, Offered("cap", ("cap",)))
    four = replace(FREE, max_cube=4)
    state = game(
        4, four, Offered("box", ("cap",)), Answered("cap", takes=("cap",)), CubeBeavered("cap", "cap")
    )
    assert "cubes stop at 4" in refused(state, CubeRaccooned("box", "cap"))


def test_an_extra_is_a_cube_between_two_of_the_crew():
    # The passer pays a point to have the taker hold a 2-cube against them: docs/reference/chouettes.md,
    # "Cubes".
    doubled = (Offered("box", ALL), Answered("cap", passes=("cap",)), Answered("two", takes=("two",)))
    state = game(4, FREE, *doubled, Answered("three", takes=("three",)), ExtraTaken("cap", "two"))
    assert "already holds an extra against cap" in refused(state, ExtraTaken("cap", "two"))
    assert "three has not passed" in refused(state, ExtraTaken("three", "two"))
    lost = then(state, wins(box=True))
    assert points(lost) == {"box": 5, "cap": 0, "two": -3, "three": -2}
    won = then(state, wins(box=False))
    assert points(won) == {"box": -3, "cap": -4, "two": 5, "three": 2}
    redoubled = then(
        state, Offered("two", ("cap>two",)), Answered("cap", passes=("cap>two",)), wins(box=True)
    )
    assert points(redoubled) == {"box": 5, "cap": -4, "two": 1, "three": -2}
    assert "do not allow extras" in refused(game(4, ChouetteOptions(), *doubled), ExtraTaken("cap", "two"))


def test_a_taker_may_refuse_an_extra_only_where_extras_are_optional():
    # Extras are optional or compulsory (docs/reference/chouettes.md, "House rules"): a demand needs the
    # holder's yes, or does not.
    doubled = (Offered("box", ALL), Answered("cap", passes=("cap",)), Answered("two", takes=("two",)))
    rest = Answered("three", takes=("three",))
    optional = game(4, FREE, *doubled, rest, RefusedExtra("cap", "two"))
    assert "two has refused" in refused(optional, ExtraTaken("cap", "two"))
    assert points(then(optional, ExtraTaken("cap", "three"), wins(box=True)))["cap"] == 0
    must = game(4, replace(FREE, extras=Extras.COMPULSORY), *doubled, rest)
    assert "must hold the extra" in refused(must, RefusedExtra("cap", "two"))
    assert on(then(must, ExtraTaken("cap", "two"))).cube("cap>two").live


def test_an_extra_is_between_who_passed_and_who_took_not_those_whose_cubes_were_taken_over():
    must = replace(FREE, extras=Extras.COMPULSORY)
    sold_and_passed = game(
        4, must, CubeTakenOver("cap", "two", 1), Offered("box", ALL),
        Answered("two", takes=("two",), passes=("cap",)), Answered("three", takes=("three",)),
    )  # fmt: skip
    for holder in ("two", "three"):
        assert "cap has not passed" in refused(sold_and_passed, ExtraTaken("cap", holder))
    sold_and_taken = game(
        4, must, CubeTakenOver("cap", "two", 1), Offered("box", ALL),
        Answered("two", takes=("cap", "two")), Answered("three", passes=("three",)),
    )  # fmt: skip
    assert "that cap just took" in refused(sold_and_taken, ExtraTaken("three", "cap"))
    assert on(then(sold_and_taken, ExtraTaken("three", "two"))).cube("three>two").live


def test_an_extra_needs_a_double_that_was_passed_to_the_box_and_taken():
    doubled_out = game(4, FREE, Offered("cap", ("cap",)), Answered("box", passes=("cap",)))
    assert "has not passed" in refused(doubled_out, ExtraTaken("cap", "two"))
    settled = game(4, FREE, CubeSettled("cap", -1))
    assert "has not passed" in refused(settled, ExtraTaken("cap", "two"))
    passed = game(4, FREE, Offered("box", ("cap",)), Answered("cap", passes=("cap",)))
    assert "has not passed a double that two just took" in refused(passed, ExtraTaken("cap", "two"))


def test_an_extra_is_of_the_same_round():
    passed = game(5, FREE, Offered("box", ("cap",)), Answered("cap", passes=("cap",)))
    later = then(passed, Offered("box", ("two",)), Answered("two", takes=("two",)))
    assert "has not passed a double that two just took" in refused(later, ExtraTaken("cap", "two"))
    both = then(passed, Offered("two", ("two",)), Answered("box", takes=("two",)))
    assert "has not passed a double that two just took" in refused(both, ExtraTaken("cap", "two"))
    # Doubles that wait together are one round, whatever the order in which they were said.
    waiting = game(5, FREE, Offered("box", ("cap", "two")), Answered("cap", passes=("cap",)))
    joined = then(waiting, Offered("box", ("three",)), Answered("three", takes=("three",)))
    assert why_not(joined, ExtraTaken("cap", "three")) is None


def test_an_extra_is_not_of_an_extra():
    answers = (Answered("two", takes=("two",)), Answered("three", takes=("three",)))
    state = game(4, FREE, Offered("box", ALL), Answered("cap", passes=("cap",)), *answers)
    held = then(state, ExtraTaken("cap", "two"))
    assert "has not passed" in refused(held, ExtraTaken("cap", "cap>two"))
    assert "has not passed" in refused(held, ExtraTaken("cap>two", "three"))


def test_two_settle_at_a_price():
    state = game(4, FREE, CubeSettled("cap", 3), CubeSettled("two", -2), wins(box=True))
    assert points(state) == {"box": 0, "cap": 3, "two": -2, "three": -1}
    assert state.line[0] == "cap"
    even = game(4, FREE, CubeSettled("cap", 0), wins(box=False))
    assert (points(even)["cap"], even.line[0]) == (0, "box")
    house = replace(FREE, settlements=False)
    for event in (CubeSettled("cap", 1), CubeTakenOver("cap", "two", 1)):
        assert "do not allow settlements" in refused(game(4, house), event)


@pytest.mark.parametrize(("price", "cap", "two"), [(1, -1, 2), (-1, 1, 0), (0, 0, 1)])
def test_another_may_carry_on_with_a_cube(price, cap, two):
    state = game(4, FREE, CubeTakenOver("cap", "two", price))
    assert "cap can double only" in refused(state, Offered("cap", ("cap",)))
    assert why_not(state, Offered("two", ("cap", "two"))) is None
    sold = then(state, CubeSettled("two", 0), wins(box=False))
    assert (points(sold)["cap"], points(sold)["two"]) == (cap, two)
    assert sold.line[0] == "cap"


def test_automatic_doubles_are_the_houses():
    always = replace(FREE, automatic=Automatic.FIRST_ALWAYS)
    assert "always double" in refused(game(4, always), OpeningTied(doubled=False))
    tied = game(4, always, OpeningTied(doubled=True), OpeningTied(doubled=False), OpeningTied(doubled=True))
    assert on(tied).cube("cap").value == 4
    # An automatic double is no double: Jacoby makes the gammon a single.
    assert points(then(tied, wins(box=True, win=Win.GAMMON)))["box"] == 12
    wishes = replace(FREE, automatic=Automatic.BOX_WISHES, max_cube=2)
    assert on(game(4, wishes, OpeningTied(doubled=False))).cube("cap").value == 1
    at_most = game(4, wishes, OpeningTied(doubled=True))
    assert "do not double" in refused(at_most, OpeningTied(doubled=True))
    assert "do not double" in refused(game(), OpeningTied(doubled=True))
    assert why_not(game(4, replace(always, max_cube=1)), OpeningTied(doubled=False)) is None
    late = game(4, always, OpeningTied(doubled=True), Offered("box", ("cap",)))
    assert "the opening is over" in refused(late, OpeningTied(doubled=True))


def test_a_team_with_one_cube_turns_it_together():
    house = replace(FREE, multi_cube=False)
    assert "two can double only their own cubes" in refused(game(4, house), Offered("two", ALL))
    assert "doubled for everyone" in refused(game(4, house), Offered("cap", ("cap",)))
    assert "doubled for everyone" in refused(game(4, house), Offered("box", ("cap",)))
    doubled = game(4, house, Offered("box", ALL), Answered("cap", passes=("cap",)))
    two = then(doubled, Answered("two", takes=("two",)), Answered("three", takes=("three",)))
    extra = then(two, ExtraTaken("cap", "three"), Offered("three", ("cap>three",)))
    assert on(extra).cube("cap>three").offered is not None
    redoubled = then(two, Offered("two", ("two", "three")))
    assert points(then(redoubled, Answered("box", passes=("two", "three")))) == {
        "box": -3, "cap": -1, "two": 2, "three": 2,
    }  # fmt: skip


def test_a_team_with_one_cube_beavers_it_together():
    house = replace(FREE, multi_cube=False)
    asked = game(4, house, Offered("box", ALL), Answered("cap", takes=("cap",)))
    assert "has not been answered yet" in refused(asked, CubeBeavered("cap", "cap"))
    two = then(asked, Answered("two", takes=("two",)), Answered("three", passes=("three",)))
    beavered = then(two, CubeBeavered("cap", "cap"))
    assert [cube.value for cube in on(beavered).cubes] == [4, 4, 1]
    assert points(then(beavered, wins(box=False))) == {"box": -7, "cap": 4, "two": 4, "three": -1}
    raccooned = then(beavered, CubeRaccooned("box", "two"))
    assert points(then(raccooned, wins(box=True))) == {"box": 17, "cap": -8, "two": -8, "three": -1}


def test_the_box_beavers_the_one_cube_against_the_whole_team():
    state = game(4, replace(FREE, multi_cube=False), Offered("cap", ALL), Answered("box", takes=ALL))
    assert points(then(state, CubeBeavered("box", "two"), wins(box=True)))["box"] == 12


def test_a_beaver_of_an_extra_leaves_the_one_cube_alone():
    house = replace(FREE, multi_cube=False)
    taken = (Answered("two", takes=("two",)), Answered("three", takes=("three",)))
    held = game(4, house, Offered("box", ALL), Answered("cap", passes=("cap",)), *taken)
    state = then(held, ExtraTaken("cap", "two"), CubeBeavered("two", "cap>two"))
    assert [(cube.key, cube.value) for cube in on(state).cubes if cube.live] == [
        ("two", 2), ("three", 2), ("cap>two", 4),
    ]  # fmt: skip
    # The extra is a cube of its own: the game ends with the crew's one and the extra's.
    assert points(then(state, wins(box=True))) == {"box": 5, "cap": 2, "two": -5, "three": -2}
    beside = Offered("two", ("two", "cap>two"))
    assert "doubled for everyone" in refused(state, beside)


def test_who_settles_leaves_the_one_cube_to_the_others():
    house = replace(FREE, multi_cube=False)
    one = game(4, house, CubeSettled("cap", 1))
    assert points(then(one, wins(box=True))) == {"box": 1, "cap": 1, "two": -1, "three": -1}
    each = then(one, CubeSettled("two", 2), CubeSettled("three", -1))
    assert points(each) == {"box": -2, "cap": 1, "two": 2, "three": -1}


def test_the_box_takes_the_one_cube_or_passes_it():
    state = game(4, replace(FREE, multi_cube=False), Offered("cap", ALL))
    assert "takes or passes it" in refused(state, Answered("box", takes=("cap",), passes=("two", "three")))
    taken = then(state, Answered("box", takes=ALL), wins(box=False, win=Win.GAMMON))
    assert points(taken)["box"] == -12


# Values


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("partner_from", 3, "needs at least 4 players, not 3"),
        ("partner_must", 2, "needs at least 4 players, not 2"),
        ("partner_must", 5, "cannot be compulsory from 5 players unless one is allowed"),
        ("opening_dice", 3, "1 or 2 dice for places, not 3"),
        ("max_cube", 3, "cannot show 3"),
        ("max_cube", 0, "cannot show 0"),
    ],
)
def test_a_house_rule_that_cannot_be(field, value, text):
    with pytest.raises(InvalidValue, match=text):
        replace(FREE, **{field: value})


@pytest.mark.parametrize("least", [None, 8])
def test_a_partner_that_the_box_must_have_is_one_that_it_may_have(least):
    with pytest.raises(InvalidValue, match="cannot be compulsory from 7 players"):
        replace(FREE, partner_from=least, partner_must=7)
    assert replace(FREE, partner_from=7, partner_must=7).partner_must == 7


@pytest.mark.parametrize("name", sorted(HOUSES))
def test_a_house_is_kept_as_plain_data(name):
    options = HOUSES[name]
    assert from_plain(ChouetteOptions, to_plain(options, full=False)) == options


def test_events_are_kept_as_plain_data():
    for event in (SessionStarted(HOUSES["los_angeles"], "LA"), PlacesThrown((PlaceThrow("ana", (3, 4)),)),
                  wins(box=True, win=Win.GAMMON), GameBegun()):  # fmt: skip
        assert chouette_event_from_plain(*chouette_event_to_plain(event)) == event
    with pytest.raises(InvalidValue, match="no event of the kind 'dance'"):
        chouette_event_from_plain("dance", {})


def test_a_state_is_kept_as_plain_data():
    state = game(6, HOUSES["los_angeles"], Offered("box", ("cap",)), OptionsChanged(FREE, "ours"))
    assert session_from_plain(json.loads(session_bytes(state))) == state


def test_a_refusal_says_which_rule():
    with pytest.raises(IllegalAction) as caught:
        apply_event(game(4, replace(FREE, settlements=False)), CubeSettled("cap", 1))
    assert caught.value.code == "settlement"
