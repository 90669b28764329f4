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
    PaymentMade,
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
        "this chouette has already started",
    ),
    (
        does(night(3, FREE, SessionClosed()), GameBegun()),
        IllegalAction,
        "closed",
        "this chouette is over",
    ),
    (
        does(night(3, FREE, *TWELVE), Joined("more", 1)),
        IllegalAction,
        "full",
        "this table is full: at most 12 players",
    ),
    (
        does(night(3, FREE, *TWELVE[1:], SatOut("box"), *TWELVE[:1], Joined("more", 1)), CameBack("box")),
        IllegalAction,
        "full",
        "this table is full: at most 12 players",
    ),
    (
        does(night(3), Joined("box", 1)),
        IllegalAction,
        "sits_already",
        "box is already at this table",
    ),
    (
        does(night(3), Joined("new", -1)),
        InvalidValue,
        "stake",
        "new cannot have a stake of -1 per point",
    ),
    (
        does(night(3), Agreed("nobody")),
        IllegalAction,
        "not_seated",
        "nobody is not at this table",
    ),
    (
        does(UNPLACED, PlacesThrown((PlaceThrow("ana", (3,)),))),
        IllegalAction,
        "throws",
        "to roll now: ana, jon, eva",
    ),
    (
        does(UNPLACED, PlacesThrown(tuple(PlaceThrow(name, (3, 4)) for name in ("ana", "jon", "eva")))),
        InvalidValue,
        "throw",
        "ana cannot have rolled 3 4",
    ),
    (
        does(UNPLACED, GameBegun()),
        IllegalAction,
        "places",
        "the places are not set yet",
    ),
    (
        does(night(2), GameBegun()),
        IllegalAction,
        "players",
        "a chouette needs at least 3 players, not 2",
    ),
    (
        does(night(3), PlacesAgreed(("box",))),
        IllegalAction,
        "places",
        "give every player at the table one place",
    ),
    (
        does(night(3), Swapped("cap", "cap")),
        IllegalAction,
        "swap",
        "cap already has that place",
    ),
    (
        does(night(3, FREE, SatOut("cap")), Swapped("cap", "two")),
        IllegalAction,
        "away",
        "cap is already away",
    ),
    (
        does(night(3, FREE, SatOut("cap")), SatOut("cap")),
        IllegalAction,
        "away",
        "cap is already away",
    ),
    (
        does(night(3), CameBack("cap")),
        IllegalAction,
        "here",
        "cap is already playing",
    ),
    (
        does(game(), StakeSet("cap", 1)),
        IllegalAction,
        "game_on",
        "a game is in progress: finish it first",
    ),
    (
        does(night(3, replace(FREE, proxies=False)), ProxyNamed("cap", "two")),
        IllegalAction,
        "proxy",
        "the house rules do not allow proxies",
    ),
    (
        does(night(3), ProxyNamed("cap", "cap")),
        IllegalAction,
        "proxy",
        "cap cannot be their own proxy",
    ),
    (
        does(night(6, FREE, GameBegun("five"), wins(box=True)), GameBegun("two")),
        IllegalAction,
        "partner",
        "five is already the box's partner",
    ),
    (
        does(night(6), GameBegun("box")),
        IllegalAction,
        "partner",
        "box is not in the crew",
    ),
    (
        does(night(7, replace(FREE, partner_must=7)), GameBegun()),
        IllegalAction,
        "partner",
        "with 7 players, the box must take a partner",
    ),
    (
        does(night(5), GameBegun("cap")),
        IllegalAction,
        "partner",
        "with 5 players, the box plays alone",
    ),
    (
        does(night(4), wins(box=True)),
        IllegalAction,
        "no_game",
        "no game is in progress",
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
        "the opening is over: a cube has been turned",
    ),
    (
        does(game(), Offered("box", ())),
        IllegalAction,
        "no_cube",
        "choose the cubes to double",
    ),
    (
        does(game(), Offered("box", ("nobody",))),
        IllegalAction,
        "no_cube",
        "nobody has no cube in this game",
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
        "a double has not been answered yet",
    ),
    (
        does(DOUBLED, Offered("box", ("cap",))),
        IllegalAction,
        "answer_first",
        "a double has not been answered yet",
    ),
    (
        does(DOUBLED, wins(box=True)),
        IllegalAction,
        "answer_first",
        "a double has not been answered yet",
    ),
    (
        does(DOUBLED, CubeSettled("cap", 1)),
        IllegalAction,
        "answer_first",
        "a double has not been answered yet",
    ),
    (
        does(DOUBLED, Answered("cap")),
        IllegalAction,
        "answer",
        "answer each double once: take or pass",
    ),
    (
        does(DOUBLED, Answered("two", takes=("cap",))),
        IllegalAction,
        "not_asked",
        "the cube of cap was not offered to two",
    ),
    (
        does(TAKEN, Offered("box", ("cap",))),
        IllegalAction,
        "not_owner",
        "the other side owns the cube of cap",
    ),
    (
        does(PASSED, Offered("box", ("cap",))),
        IllegalAction,
        "cube_over",
        "the cube of cap is no longer in play",
    ),
    (
        does(PASSED, CubeSettled("cap", 1)),
        IllegalAction,
        "cube_over",
        "the cube of cap is no longer in play",
    ),
    (
        does(game(4, replace(FREE, max_cube=1)), Offered("box", ("cap",))),
        IllegalAction,
        "max_cube",
        "cubes stop at 1 here",
    ),
    (
        does(game(4, ONE_CUBE), Offered("cap", ("cap",))),
        IllegalAction,
        "one_cube",
        "the crew shares one cube: it is doubled for everyone still in",
    ),
    (
        does(
            game(4, ONE_CUBE, Offered("cap", ALL)), Answered("box", takes=("cap",), passes=("two", "three"))
        ),
        IllegalAction,
        "one_cube",
        "the crew shares one cube: the box takes or passes it",
    ),
    (
        does(
            game(4, FREE, Offered("cap", ("cap",)), Offered("two", ("two",))), Answered("box", takes=("cap",))
        ),
        IllegalAction,
        "answer_all",
        "the box must answer all doubles together",
    ),
    (
        does(asked(4, takes_captain=True), Answered("box", takes=("two",), passes=("cap", "three"))),
        IllegalAction,
        "takes_captain",
        "a box that takes any cube must take that of the captain, cap",
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
        "a box that takes any cube must take that of the captain, two",
    ),
    (
        does(asked(4, takes_half=True), Answered("box", takes=("two",), passes=("cap", "three"))),
        IllegalAction,
        "takes_half",
        "the box must take at least half of 3 doubles or none, not 1",
    ),
    (
        does(asked(3, three_players=ThreePlayers.BOTH), Answered("box", passes=("cap", "two"))),
        IllegalAction,
        "both",
        "with three players, the box must take both doubles",
    ),
    (
        does(
            asked(3, three_players=ThreePlayers.BOTH_OR_NONE),
            Answered("box", takes=("cap",), passes=("two",)),
        ),
        IllegalAction,
        "both_or_none",
        "with three players, the box must take or pass both doubles",
    ),
    (
        does(ALONE, wins(box=True)),
        IllegalAction,
        "must_beaver",
        "two is the lone taker and must beaver",
    ),
    (
        does(game(4, replace(FREE, beavers=False)), CubeBeavered("cap", "cap")),
        IllegalAction,
        "beaver",
        "the house rules do not allow beavers",
    ),
    (
        does(game(), CubeBeavered("cap", "cap")),
        IllegalAction,
        "beaver",
        "only the player who just took a double can beaver it",
    ),
    (
        does(game(4, replace(FREE, raccoons=False)), CubeRaccooned("box", "cap")),
        IllegalAction,
        "raccoon",
        "the house rules do not allow raccoons",
    ),
    (
        does(game(), CubeRaccooned("box", "cap")),
        IllegalAction,
        "raccoon",
        "only the player who was just beavered can raccoon",
    ),
    (
        does(game(4, replace(FREE, extras=Extras.NONE)), ExtraTaken("cap", "two")),
        IllegalAction,
        "extra",
        "the house rules do not allow extras",
    ),
    (
        does(game(), ExtraTaken("cap", "two")),
        IllegalAction,
        "extra",
        "cap has not passed a double that two just took",
    ),
    (
        does(EXTRA, ExtraTaken("cap", "two")),
        IllegalAction,
        "extra_twice",
        "two already holds an extra against cap",
    ),
    (
        does(then(ALONE, RefusedExtra("cap", "two")), ExtraTaken("cap", "two")),
        IllegalAction,
        "extra_refused",
        "two has refused an extra against cap",
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
        "two took and must hold the extra against cap",
    ),
    (
        does(game(4, replace(FREE, settlements=False)), CubeSettled("cap", 1)),
        IllegalAction,
        "settlement",
        "the house rules do not allow settlements",
    ),
    (
        does(game(), CubeTakenOver("cap", "nobody", 1)),
        IllegalAction,
        "not_seated",
        "nobody is not at this table",
    ),
    (
        does(game(), CubeTakenOver("cap", "box", 1)),
        IllegalAction,
        "own_cube",
        "box already plays this cube",
    ),
    (
        does(game(), GameOver(box_won=True, win=Win.SINGLE, ended=GameEnd.PASS)),
        IllegalAction,
        "pass",
        "a pass ends only its own cube",
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
        does(night(3), PaymentMade("cap", "cap", 1)),
        InvalidValue,
        "payment_player",
        "cap cannot pay themselves",
    ),
    (
        does(night(3), PaymentMade("cap", "box", 0)),
        InvalidValue,
        "payment_minor",
        "0 minor units cannot be paid",
    ),
    (
        lambda: settling_payments({"ana": 5, "jon": -2}),
        InvalidValue,
        "balances",
        "balances sum to 3, not 0",
    ),
    (
        lambda: replace(FREE, partner_from=3),
        InvalidValue,
        "partner_least",
        "a box with a partner needs at least 4 players, not 3",
    ),
    (
        lambda: replace(FREE, partner_from=None, partner_must=7),
        InvalidValue,
        "partner_must",
        "a partner cannot be compulsory from 7 players unless one is allowed with that many",
    ),
    (
        lambda: replace(FREE, opening_dice=3),
        InvalidValue,
        "opening_dice",
        "players roll 1 or 2 dice for places, not 3",
    ),
    (lambda: replace(FREE, max_cube=3), InvalidValue, "max_cube", "a cube cannot show 3"),
]
