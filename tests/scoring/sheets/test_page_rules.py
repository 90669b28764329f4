"""A sheet without a line goes on by the server's rules: golden cases that Python makes and both answer."""

import json
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from scoring.log.queries.words import text_of
from scoring.models import ClockState
from scoring.notation.plays import format_moves, parse_moves
from scoring.rules.codec import to_plain
from scoring.rules.dice import Roll
from scoring.rules.events import EVENT_TYPES, event_to_plain
from scoring.rules.game import Phase
from scoring.rules.match_state import MatchState, Status
from scoring.rules.plays import Move, legal_sequences, mechanical_result
from scoring.rules.position import Position
from scoring.rules.sheet import why_not
from scoring.rules.sides import Side
from scoring.sheets.queries.scoresheet import (
    CRAWFORD,
    actions_of,
    ending_of,
    finished_game,
    game_of,
    side_of,
    timeline_of,
)
from scoring.sheets.services.clocks import run, stop
from scoring.sheets.words import sheet_words
from tests.node import PAGE, run_script
from tests.scoring.rules.positions import random_placement, random_roll, random_walk
from tests.scoring.sheets.random_sheets import RandomSheet

EVENTS = 120
CHAIN = 6
"""So many entries, at most, are on the page and not with the server."""
NOT_PREDICTED = {"match_start", "voided"}
"""No page enters these."""

NAMES = {Side.WHITE: "Ana", Side.BLACK: "Björn"}
PREDICTED_KINDS = sorted(set(EVENT_TYPES) - NOT_PREDICTED)
PREDICTED = 'import { PREDICTED } from "./scoring/static/scoring/sheets/actions.js";\ntell(PREDICTED);'

GO_ON = (
    PAGE
    + """
const { refusalWords } = await import("./scoring/static/scoring/sheets/checking.js");
const { projected } = await import("./scoring/static/scoring/sheets/projection.js");
const starting = given.starting;
tell(given.chains.map(({ view, entries }) => entries.map((entry, at) => {
  const refused = refusalWords(entry, projected(view, entries.slice(0, at), starting), starting);
  const { plays, result, ended, ...ahead } = projected(view, entries.slice(0, at + 1), starting);
  return { ...ahead, shows_plays: plays !== null, refused };
})));
"""
)


def view_of(state: MatchState) -> dict[str, Any]:
    """What the server tells of a state, as far as a page predicts it."""
    told = {
        "length": state.score.length,
        "status": state.status.value,
        "directs": True,
        "ending": ending_of(state),
        "timeline": timeline_of(state),
        "crawford": CRAWFORD[state.score.crawford],
        "options": to_plain(state.options, full=True),
        **{side.value: side_of(state, side, NAMES, None) for side in Side},
        "game": game_of(state),
        "games": [finished_game(game) for game in state.games],
        "actions": [action for action in actions_of(state) if action["kind"] not in NOT_PREDICTED],
        "refusals": {
            kind: text_of(error, NAMES)
            for kind in PREDICTED_KINDS
            if (error := why_not(state, kind)) is not None
        },
        "shows_plays": state.game.phase is Phase.MOVING and state.status is Status.PLAYING,
    }
    view: dict[str, Any] = json.loads(json.dumps(told))
    return view


def comparable(view: dict[str, Any]) -> dict[str, Any]:
    """Without marks of what is unsent, and with actions in an order of their own."""
    for game in view["games"]:
        game.pop("unsent", None)
    view["actions"].sort(key=lambda action: (action["kind"], action["by"] or ""))
    return view


def chains_of(seed: int) -> list[dict[str, Any]]:
    """A random sheet in pieces: a view of the server's, the entries after it, and what each of them makes."""
    sheet = RandomSheet(seed)
    chains: list[dict[str, Any]] = []
    chain: dict[str, Any] = {"view": view_of(sheet.state), "entries": [], "expected": []}
    for _ in range(EVENTS):
        if (attempt := sheet.attempt()) is None:
            continue
        event, stood = attempt
        kind, body = event_to_plain(event)
        if kind not in NOT_PREDICTED:
            chain["entries"].append({"kind": kind, "body": body})
            refused = text_of(sheet.refused, NAMES) if sheet.refused and not stood else ""
            chain["expected"].append(comparable(view_of(sheet.state)) | {"refused": refused})
        if (kind in NOT_PREDICTED and stood) or len(chain["entries"]) == CHAIN:
            chains.append(chain)
            chain = {"view": view_of(sheet.state), "entries": [], "expected": []}
    return [*chains, chain]


@pytest.mark.parametrize(
    "seeds", [range(30), pytest.param(range(30, 1500), marks=pytest.mark.long)], ids=("30", "1470")
)
def test_a_page_without_a_line_goes_on_as_the_server_will(seeds: range):
    chains = [chain for seed in seeds for chain in chains_of(seed)]
    starting = game_of(RandomSheet(0).state)["position"]
    asked = [{"view": chain["view"], "entries": chain["entries"]} for chain in chains]
    told = run_script(GO_ON, {"starting": starting, "chains": asked, "words": sheet_words()})
    kinds: set[str] = set()
    for chain, answers in zip(chains, told, strict=True):
        for at, (answer, wanted) in enumerate(zip(answers, chain["expected"], strict=True)):
            if answer["game"]["xgid"] is None:  # left to the server; one that is shown must be right
                answer["game"]["xgid"] = wanted["game"]["xgid"]
            assert comparable(answer) == wanted, chain["entries"][: at + 1]
        kinds |= {entry["kind"] for entry in chain["entries"]}
    assert kinds == set(run_script(PREDICTED, None))


def test_every_kind_of_entry_is_predicted_or_named_as_one_that_is_not():
    assert set(EVENT_TYPES) == {*run_script(PREDICTED, None), *NOT_PREDICTED}


PLAYS = """
import { diceLeft, moved, notation, pips } from "./scoring/static/scoring/sheets/play.js";
import { readPlay } from "./scoring/static/scoring/sheets/reading.js";
const names = { bar: "bar", off: "off" };
tell(given.map(({ position, dice, moves }) => {
  const words = notation(position, "white", moves, names);
  const after = moved(position, "white", moves);
  const left = diceLeft(dice, moves).length;
  return { words, read: readPlay(words, names), left, after, pips: pips(after.white) };
}));
"""


def both(position: Position) -> dict[str, list[int]]:
    return {"white": list(position.own), "black": list(position.opponent)}


def plays_of(seed: int) -> tuple[Position, Roll, tuple[Move, ...]]:
    """A position, a roll, and a whole legal play of it; hits, entering and bearing off among them."""
    rng = Random(seed)
    while True:
        position = random_walk(rng, rng.randint(0, 40)) if rng.random() < 0.5 else random_placement(rng)
        roll = random_roll(rng)
        if position.own[0] < 15 and (
            sequences := [moves for moves in legal_sequences(position, roll) if moves]
        ):
            return position, roll, rng.choice(sequences)


def test_a_play_is_moved_counted_written_and_read_as_by_the_server():
    cases = [plays_of(seed) for seed in range(600)]
    asked = [
        {"position": both(position), "dice": [roll.high, roll.low], "moves": moves}
        for position, roll, moves in cases
    ]
    for (position, roll, moves), answer in zip(cases, run_script(PLAYS, asked), strict=True):
        after = mechanical_result(position, moves)
        words = format_moves(position, moves)
        number = 4 if roll.is_double else 2
        assert answer == {
            "words": words,
            "read": [list(move) for move in parse_moves(words)],
            "left": number - len(moves),
            "after": both(after),
            "pips": after.pips,
        }, (position, roll, moves)


READ = """
import { readPlay, UnreadableError } from "./scoring/static/scoring/sheets/reading.js";
tell(given.map((text) => readPlay(text, { bar: "Bar", off: "aus" })));
"""
SPELLINGS = (
    "24/18/13 6/4(2)", "bar/20*", "b/20*/15", "25/20", "BAR/22", "8/off", "8/o", "8/0", "1/OFF(4)", "6/4*(2)",
    "", "  13/8,6/5 ", "Cannot Move", "cannot  move", "24/23 24/23",
)  # fmt: skip


def test_every_spelling_of_a_play_is_read_as_by_the_server():
    told = run_script(READ, SPELLINGS)
    assert told == [[list(move) for move in parse_moves(text)] for text in SPELLINGS]


CLOCKS = """
import { timeLeft, touched } from "./scoring/static/scoring/sheets/time_left.js";
tell(given.map(({ clock, touches, later }) => {
  const ahead = touches.reduce((shown, touch) => touched(shown, touch, clock.seen + touch.at), clock);
  return [ahead.running, ...["white", "black"].map((side) => timeLeft(ahead, side, clock.seen + later))];
}));
"""


def test_a_running_clock_is_counted_on_as_the_server_will_stop_it():
    rng = Random(8)
    now = datetime(2026, 5, 1, 20, tzinfo=UTC)
    asked, wanted = [], []
    for _ in range(200):
        ran, later, delay = rng.randrange(40_000), rng.randrange(60_000), rng.choice((0, 5_000, 12_000))
        row = ClockState(white_ms=rng.randrange(90_000), black_ms=rng.randrange(90_000), delay_ms=delay)
        row.running = rng.choice(("", "white", "black"))
        row.since = now - timedelta(milliseconds=ran) if row.running else None
        told = {name: getattr(row, name) for name in ("white_ms", "black_ms", "delay_ms")}
        since = row.since.isoformat() if row.since else None
        clock = told | {"running": row.running, "since": since, "now": now.isoformat(), "seen": 777_000}
        touches = []
        for at in sorted(rng.sample(range(later + 3), rng.randrange(3))):
            action, side = rng.choice(("start", "press", "pause")), rng.choice(list(Side))
            touches.append({"action": action, "side": side, "at": at})
            moment, runs = now + timedelta(milliseconds=at), side if action == "start" else side.other
            if action == "pause":
                stop(row, moment)
            elif row.running != runs:
                run(row, runs, moment)
        asked.append({"clock": clock, "touches": touches, "later": later + 3})
        running = row.running
        stop(row, now + timedelta(milliseconds=later + 3))
        wanted.append([running, row.white_ms, row.black_ms])
    assert run_script(CLOCKS, asked) == wanted
