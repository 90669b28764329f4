"""The legal plays that a page finds by itself are the server's: the same sequences, in the same order."""

import json
from collections.abc import Iterable
from hashlib import sha1
from pathlib import Path
from random import Random
from typing import Any

import pytest

from scoring.rules.dice import Roll
from scoring.rules.plays import legal_plays, legal_sequences
from scoring.rules.position import STARTING_POSITION, Position
from tests.node import run_script
from tests.scoring.rules.positions import random_placement, random_roll, random_walk
from tests.tiers import sized

AT_ONCE = 2000
"""So many positions are asked in one process."""

# The sequences of a double can be thousands: they are compared by their digest.
DIGESTS = """
import { createHash } from "node:crypto";
import { legalPlays } from "./scoring/static/scoring/rules/plays.js";
tell(given.map(({ position, side, roll }) => {
  const { side: mover, sequences, forced } = legalPlays(position, side, roll);
  return [mover, createHash("sha1").update(JSON.stringify(sequences)).digest("hex"), forced];
}));
"""

RESULTS = """
import { gunzipSync } from "node:zlib";
import { legalPlays } from "./scoring/static/scoring/rules/plays.js";
import { moved } from "./scoring/static/scoring/sheets/play.js";
const count = (letter, first) => {
  const n = letter.charCodeAt(0) - first.charCodeAt(0) + 1;
  return n > 0 && n <= 15 ? n : 0;
};
const read = (text) => {
  const white = [...text].map((letter, slot) => (slot ? count(letter, "A") : 0));
  const black = [...text].map((_letter, slot) => (slot < 25 ? count(text[25 - slot], "a") : 0));
  black[25] = count(text[0], "a");
  black[0] = 0;
  return { white, black };
};
const written = ({ white, black }) =>
  Array.from({ length: 26 }, (_slot, slot) => {
    const [own, theirs] = [slot ? white[slot] : 0, slot < 25 ? black[25 - slot] : 0];
    return own ? String.fromCharCode(64 + own) : theirs ? String.fromCharCode(96 + theirs) : "-";
  }).join("");
const lines = gunzipSync(readFileSync(given)).toString().trim().split("\\n").map((line) => JSON.parse(line));
const wrong = lines.filter(({ pos, dice, n_dice, results }) => {
  const position = read(pos);
  const { sequences, forced } = legalPlays(position, "white", dice);
  const ends = new Set(sequences.map((moves) => written(moved(position, "white", moves))));
  const isAll = JSON.stringify([...ends].sort()) === JSON.stringify([...results].sort());
  return !isAll || (sequences[0]?.length ?? 0) !== n_dice || forced !== ends.size <= 1;
});
tell({ cases: lines.length, wrong });
"""


def digest(sequences: Iterable[Iterable[Iterable[int]]]) -> str:
    return sha1(json.dumps(sequences, separators=(",", ":")).encode()).hexdigest()


def compare(cases: list[tuple[Position, Roll]]) -> None:
    """Fail with the first case that a page answers differently; every second is seen by Black."""
    sides = ["white" if at % 2 else "black" for at in range(len(cases))]
    asked: list[dict[str, Any]] = [
        {
            "position": dict(zip((side, "black" if side == "white" else "white"), both, strict=True)),
            "side": side,
            "roll": [roll.low, roll.high],
        }
        for side, (position, roll) in zip(sides, cases, strict=True)
        for both in [(list(position.own), list(position.opponent))]
    ]
    for start in range(0, len(asked), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        told = run_script(DIGESTS, asked[part])
        for side, (position, roll), answer in zip(sides[part], cases[part], told, strict=True):
            wanted = digest(legal_sequences(position, roll))
            assert answer == [side, wanted, len(legal_plays(position, roll)) <= 1], (position, roll)


def any_case(rng: Random) -> tuple[Position, Roll]:
    position = random_walk(rng, rng.randint(0, 40)) if rng.random() < 0.5 else random_placement(rng)
    return position, random_roll(rng)


def game_of(rng: Random) -> list[tuple[Position, Roll]]:
    """Every position and roll of a game in which both sides play anything legal."""
    position, cases = STARTING_POSITION, list[tuple[Position, Roll]]()
    while 15 not in {position.own[0], position.opponent[0]}:
        roll = random_roll(rng)
        cases.append((position, roll))
        plays = legal_plays(position, roll)
        position = (rng.choice(plays).result if plays else position).flipped()
    return cases


@pytest.mark.shared_data
def test_the_plays_of_a_page_are_those_on_which_four_generators_agree(shared_data: Path) -> None:
    told = run_script(RESULTS, str(shared_data / "legal_plays.jsonl.gz"))
    assert told == {"cases": 2346, "wrong": []}


@pytest.mark.each_case
@pytest.mark.parametrize("seed", sized(range(1), range(10)))
def test_the_plays_of_a_page_are_those_of_the_server_anywhere(seed: int) -> None:
    rng = Random(seed)
    compare([any_case(rng) for _ in range(sized(300, 10_000))])


@pytest.mark.each_case
@pytest.mark.parametrize("seed", sized(range(1), range(10)))
def test_the_plays_of_a_page_are_those_of_the_server_in_every_turn_of_a_match(seed: int) -> None:
    rng = Random(seed)
    compare([case for _ in range(sized(2, 40)) for case in game_of(rng)])
