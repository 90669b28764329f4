"""Every refusal of a chouette, whole: rows of ``test_sentences``."""

from dataclasses import replace

from scoring.rules.chouette.events import (
    Agreed,
    Answered,
    CameBack,
    CubeBeavered,
    CubeRaccooned,
    CubeSettled,
    CubeTakenOver,
    ExtraTaken,
    GameBegun,
    GameOver,
    Joined,
    Offered,
    OpeningTied,
    PlacesAgreed,
    PlacesThrown,
    PlaceThrow,
    ProxyNamed,
    RefusedExtra,
    SatOut,
    SessionClosed,
    SessionStarted,
    StakeSet,
    Swapped,
    chouette_event_from_plain,
)
from scoring.rules.chouette.options import Automatic, Extras, ThreePlayers
from scoring.rules.chouette.payments import settling_payments
from scoring.rules.chouette.session import apply_event, replay_session
from scoring.rules.chouette.session_state import SessionState
from scoring.rules.endings import GameEnd
from scoring.rules.errors import IllegalAction, InvalidValue
from scoring.rules.match import Win
from tests.scoring.rules.chouette.nights import ALL, FREE, NAMES, game, night, then, wins

TWELVE = tuple(Joined(f"p{number}", 1) for number in range(9))
UNPLACED = replay_session([SessionStarted(FREE), Joined("ana", 1), Joined("jon", 1), Joined("eva", 1)])
DOUBLED = game(4, FREE, Offered("box", ("cap",)))
TAKEN = then(DOUBLED, Answered("cap", takes=("cap",)))
PASSED = then(DOUBLED, Answered("cap", passes=("cap",)))
ONE_CUBE = replace(FREE, multi_cube=False)
ALONE = game(
    3, replace(FREE, lone_taker_beavers=True),
    Offered("box", ("cap", "two")), Answered("cap", passes=("cap",)), Answered("two", takes=("two",)),
)  # fmt: skip
EXTRA = then(ALONE, ExtraTaken("cap", "two"))


def asked(count, **options) -> SessionState:
    """The whole crew offers its first doubles together."""
    crew = NAMES[1:count]
    return game(count, replace(FREE, **options), *(Offered(player, (player,)) for player in crew))


def does(state, event):
    return lambda: apply_event(state, event)


CHOUETTE_SENTENCES = [
    (
        does(night(3), SessionStarted(FREE)),
        IllegalAction,
        "started",
        "this table is open already",
    ),
    (
        does(night(3, FREE, SessionClosed()), GameBegun()),
        IllegalAction,
        "closed",
        "this night is over",
    ),
    (
        does(night(3, FREE, *TWELVE), Joined("more", 1)),
        IllegalAction,
        "full",
        "a table has 12 players at the most",
    ),
    (
        does(night(3, FREE, *TWELVE[1:], SatOut("box"), *TWELVE[:1], Joined("more", 1)), CameBack("box")),
        IllegalAction,
        "full",
        "a table has 12 players at the most",
    ),
    (
        does(night(3), Joined("box", 1)),
        IllegalAction,
        "sits_already",
        "box sits at this table already",
    ),
    (
        does(night(3), Joined("new", -1)),
        InvalidValue,
        "stake",
        "new cannot play for -1 a point",
    ),
    (
        does(night(3), Agreed("nobody")),
        IllegalAction,
        "not_seated",
        "nobody does not sit at this table",
    ),
    (
        does(UNPLACED, PlacesThrown((PlaceThrow("ana", (3,)),))),
        IllegalAction,
        "throws",
        "now throw: ana, jon, eva",
    ),
    (
        does(UNPLACED, PlacesThrown(tuple(PlaceThrow(name, (3, 4)) for name in ("ana", "jon", "eva")))),
        InvalidValue,
        "throw",
        "ana cannot have thrown 3 4",
    ),
    (
        does(UNPLACED, GameBegun()),
        IllegalAction,
        "places",
        "the places are not decided yet",
    ),
    (
        does(night(2), GameBegun()),
        IllegalAction,
        "players",
        "a chouette has 3 players or more, not 2",
    ),
    (
        does(night(3), PlacesAgreed(("box",))),
        IllegalAction,
        "places",
        "every player at the table has one place",
    ),
    (
        does(night(3), Swapped("cap", "cap")),
        IllegalAction,
        "swap",
        "cap has that place already",
    ),
    (
        does(night(3, FREE, SatOut("cap")), Swapped("cap", "two")),
        IllegalAction,
        "away",
        "cap is away already",
    ),
    (
        does(night(3, FREE, SatOut("cap")), SatOut("cap")),
        IllegalAction,
        "away",
        "cap is away already",
    ),
    (
        does(night(3), CameBack("cap")),
        IllegalAction,
        "here",
        "cap is here",
    ),
    (
        does(game(), StakeSet("cap", 1)),
        IllegalAction,
        "game_on",
        "not while a game is on",
    ),
    (
        does(night(3, replace(FREE, proxies=False)), ProxyNamed("cap", "two")),
        IllegalAction,
        "proxy",
        "no proxies in this house",
    ),
    (
        does(night(3), ProxyNamed("cap", "cap")),
        IllegalAction,
        "proxy",
        "cap cannot be the own proxy",
    ),
    (
        does(night(6, FREE, GameBegun("five"), wins(box=True)), GameBegun("two")),
        IllegalAction,
        "partner",
        "five is the box's partner already",
    ),
    (
        does(night(6), GameBegun("box")),
        IllegalAction,
        "partner",
        "box is not one of the crew",
    ),
    (
        does(night(7, replace(FREE, partner_must=7)), GameBegun()),
        IllegalAction,
        "partner",
        "with 7 players the box takes a partner",
    ),
    (
        does(night(5), GameBegun("cap")),
        IllegalAction,
        "partner",
        "the box has no partner with 5 players",
    ),
    (
        does(night(4), wins(box=True)),
        IllegalAction,
        "no_game",
        "no game is on",
    ),
    (
        does(game(), OpeningTied(doubled=True)),
        IllegalAction,
        "automatic",
        "equal opening dice do not double the cubes here",
    ),
    (
        does(game(4, replace(FREE, automatic=Automatic.FIRST_ALWAYS)), OpeningTied(doubled=False)),
        IllegalAction,
        "automatic",
        "the first equal opening dice always double the cubes here",
    ),
    (
        does(game(4, FREE, Offered("box", ("cap",))), OpeningTied(doubled=False)),
        IllegalAction,
        "begun",
        "the opening is over: a cube was turned",
    ),
    (
        does(game(), Offered("box", ())),
        IllegalAction,
        "no_cube",
        "say which cubes are doubled",
    ),
    (
        does(game(), Offered("box", ("nobody",))),
        IllegalAction,
        "no_cube",
        "there is no cube of nobody in this game",
    ),
    (
        does(game(), Offered("cap", ("two",))),
        IllegalAction,
        "not_own",
        "cap can double only their own cubes",
    ),
    (
        does(DOUBLED, Offered("two", ("two",))),
        IllegalAction,
        "answer_first",
        "a double waits for its answer",
    ),
    (
        does(DOUBLED, Offered("box", ("cap",))),
        IllegalAction,
        "answer_first",
        "a double waits for its answer",
    ),
    (
        does(DOUBLED, wins(box=True)),
        IllegalAction,
        "answer_first",
        "a double waits for its answer",
    ),
    (
        does(DOUBLED, CubeSettled("cap", 1)),
        IllegalAction,
        "answer_first",
        "a double waits for its answer",
    ),
    (
        does(DOUBLED, Answered("cap")),
        IllegalAction,
        "answer",
        "say of each double once whether it is taken or passed",
    ),
    (
        does(DOUBLED, Answered("two", takes=("cap",))),
        IllegalAction,
        "not_asked",
        "cap was not offered to two",
    ),
    (
        does(TAKEN, Offered("box", ("cap",))),
        IllegalAction,
        "not_owner",
        "the cube of cap is on the other side",
    ),
    (
        does(PASSED, Offered("box", ("cap",))),
        IllegalAction,
        "cube_over",
        "the cube of cap is out of this game",
    ),
    (
        does(PASSED, CubeSettled("cap", 1)),
        IllegalAction,
        "cube_over",
        "the cube of cap is out of this game",
    ),
    (
        does(game(4, replace(FREE, max_cube=1)), Offered("box", ("cap",))),
        IllegalAction,
        "max_cube",
        "no cube goes beyond 1 here",
    ),
    (
        does(game(4, ONE_CUBE), Offered("cap", ("cap",))),
        IllegalAction,
        "one_cube",
        "the crew has one cube: it is turned for all who are in",
    ),
    (
        does(
            game(4, ONE_CUBE, Offered("cap", ALL)), Answered("box", takes=("cap",), passes=("two", "three"))
        ),
        IllegalAction,
        "one_cube",
        "the crew has one cube: the box takes it or passes it",
    ),
    (
        does(
            game(4, FREE, Offered("cap", ("cap",)), Offered("two", ("two",))), Answered("box", takes=("cap",))
        ),
        IllegalAction,
        "answer_all",
        "the box answers all doubles at once",
    ),
    (
        does(asked(4, takes_captain=True), Answered("box", takes=("two",), passes=("cap", "three"))),
        IllegalAction,
        "takes_captain",
        "who takes a cube takes that of cap, who is captain",
    ),
    (
        # The captain has passed: who is captain now is whose cube is meant.
        does(
            then(
                game(4, replace(FREE, takes_captain=True), Offered("box", ("cap",))),
                Answered("cap", passes=("cap",)),
                Offered("two", ("two",)),
                Offered("three", ("three",)),
            ),
            Answered("box", takes=("three",), passes=("two",)),
        ),
        IllegalAction,
        "takes_captain",
        "who takes a cube takes that of two, who is captain",
    ),
    (
        does(asked(4, takes_half=True), Answered("box", takes=("two",), passes=("cap", "three"))),
        IllegalAction,
        "takes_half",
        "the box takes half of 3 or more, or none, not 1",
    ),
    (
        does(asked(3, three_players=ThreePlayers.BOTH), Answered("box", passes=("cap", "two"))),
        IllegalAction,
        "both",
        "with three players the box takes both",
    ),
    (
        does(
            asked(3, three_players=ThreePlayers.BOTH_OR_NONE),
            Answered("box", takes=("cap",), passes=("two",)),
        ),
        IllegalAction,
        "both_or_none",
        "with three players the box takes both or passes both",
    ),
    (
        does(ALONE, wins(box=True)),
        IllegalAction,
        "must_beaver",
        "two, who alone took, must beaver",
    ),
    (
        does(game(4, replace(FREE, beavers=False)), CubeBeavered("cap", "cap")),
        IllegalAction,
        "beaver",
        "no beavers in this house",
    ),
    (
        does(game(), CubeBeavered("cap", "cap")),
        IllegalAction,
        "beaver",
        "only who has just taken a double can beaver it",
    ),
    (
        does(game(4, replace(FREE, raccoons=False)), CubeRaccooned("box", "cap")),
        IllegalAction,
        "raccoon",
        "no raccoons in this house",
    ),
    (
        does(game(), CubeRaccooned("box", "cap")),
        IllegalAction,
        "raccoon",
        "only who has just been beavered can answer with a raccoon",
    ),
    (
        does(game(4, replace(FREE, extras=Extras.NONE)), ExtraTaken("cap", "two")),
        IllegalAction,
        "extra",
        "no extras in this house",
    ),
    (
        does(game(), ExtraTaken("cap", "two")),
        IllegalAction,
        "extra",
        "cap has not passed a double that two has just taken",
    ),
    (
        does(EXTRA, ExtraTaken("cap", "two")),
        IllegalAction,
        "extra_twice",
        "two holds an extra of cap already",
    ),
    (
        does(then(ALONE, RefusedExtra("cap", "two")), ExtraTaken("cap", "two")),
        IllegalAction,
        "extra_refused",
        "two has refused to hold an extra of cap",
    ),
    (
        does(
            game(
                3,
                replace(FREE, extras=Extras.COMPULSORY),
                Offered("box", ("cap", "two")),
                Answered("cap", passes=("cap",)),
                Answered("two", takes=("two",)),
            ),
            RefusedExtra("cap", "two"),
        ),
        IllegalAction,
        "extra_must",
        "two, who took, must hold the extra that cap asks for",
    ),
    (
        does(game(4, replace(FREE, settlements=False)), CubeSettled("cap", 1)),
        IllegalAction,
        "settlement",
        "no settlements in this house",
    ),
    (
        does(game(), CubeTakenOver("cap", "nobody", 1)),
        IllegalAction,
        "not_seated",
        "nobody does not sit at this table",
    ),
    (
        does(game(), CubeTakenOver("cap", "box", 1)),
        IllegalAction,
        "own_cube",
        "box plays this cube already",
    ),
    (
        does(game(), GameOver(box_won=True, win=Win.SINGLE, ended=GameEnd.PASS)),
        IllegalAction,
        "pass",
        "a passed double ends its cube alone",
    ),
    (
        lambda: replay_session([Joined("ana", 1)]),
        InvalidValue,
        "not_started",
        "the log begins with join, not with a chouette",
    ),
    (
        lambda: chouette_event_from_plain("dance", {}),
        InvalidValue,
        "event_kind",
        "there is no event of the kind 'dance'",
    ),
    (
        lambda: settling_payments({"ana": 5, "jon": -2}),
        InvalidValue,
        "balances",
        "balances sum to 3, not to 0",
    ),
    (
        lambda: replace(FREE, partner_from=3),
        InvalidValue,
        "partner_least",
        "a box with a partner needs 4 players, not 3",
    ),
    (
        lambda: replace(FREE, partner_from=None, partner_must=7),
        InvalidValue,
        "partner_must",
        "a box that must have a partner with 7 players may have one with so many",
    ),
    (
        lambda: replace(FREE, opening_dice=3),
        InvalidValue,
        "opening_dice",
        "places are thrown for with 1 or 2 dice, not 3",
    ),
    (lambda: replace(FREE, max_cube=3), InvalidValue, "max_cube", "a cube cannot show 3"),
]
