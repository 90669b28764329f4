"""Legal plays against two other engines, on the same positions in one run.

The positions come from seeded self-play: random rolls, random legal plays, game after game.  Every round
times each engine once over all of them; the figures are medians over the rounds: a busy machine slows both.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from random import Random

import bgsage
from gvformat import legality

from deploy.figures import Figure
from scoring.rules.dice import ROLLS_BY_DICE, Roll
from scoring.rules.plays import legal_positions, legal_results
from scoring.rules.position import OFF, STARTING_POSITION, Position

POSITIONS = 2000
SEED = 20260907
ROUNDS = 9


def run() -> Iterator[Figure]:
    cases = self_play(POSITIONS, SEED)
    boards = [(signed_board(position), roll.high, roll.low) for position, roll in cases]
    sides = [(list(position.own), list(opponent_seen_by_mover(position)), roll) for position, roll in cases]
    check_agreement(cases, boards)
    keys, theirs = paired(
        lambda: [legal_results(position, roll) for position, roll in cases],
        lambda: [bgsage.possible_moves(board, high, low) for board, high, low in boards],
    )
    yield Figure("ratio_keys_bgsage", ratio(theirs, keys), "x", size=POSITIONS, higher_is_better=True)
    yield throughput("keys", keys, "bgsage possible_moves", theirs)
    decoded, theirs = paired(
        lambda: [legal_positions(position, roll) for position, roll in cases],
        lambda: [legality.legal_plays(own, opponent, roll.high, roll.low) for own, opponent, roll in sides],
    )
    yield Figure("ratio_decoded_gvformat", ratio(theirs, decoded), "x", size=POSITIONS, higher_is_better=True)
    yield throughput("decoded", decoded, "gvformat legality", theirs)


def self_play(count: int, seed: int) -> list[tuple[Position, Roll]]:
    """``count`` positions with a roll, from random legal plays."""
    random = Random(seed)  # noqa: S311 - a reproducible sample
    cases: list[tuple[Position, Roll]] = []
    position = STARTING_POSITION
    while len(cases) < count:
        roll = ROLLS_BY_DICE[random.randint(1, 6), random.randint(1, 6)]
        cases.append((position, roll))
        results = legal_results(position, roll)
        if results:
            position = Position.from_packed(random.choice(sorted(results)))
        position = STARTING_POSITION if position.own[OFF] == 15 else position.flipped()
    return cases


def signed_board(position: Position) -> list[int]:
    """The board in bgsage's format: opponent's bar, points with signs, own bar."""
    points = [position.own[point] - position.opponent[25 - point] for point in range(1, 25)]
    return [position.opponent[25], *points, position.own[25]]


def opponent_seen_by_mover(position: Position) -> Iterator[int]:
    """The opponent's counts by the mover's numbering."""
    yield from reversed(position.opponent)


def check_agreement(cases: list[tuple[Position, Roll]], boards: list[tuple[list[int], int, int]]) -> None:
    """Check that both engines find the same positions."""
    for (position, roll), (board, high, low) in zip(cases, boards, strict=True):
        ours = {tuple(signed_board(result)) for result in legal_positions(position, roll)}
        theirs = {tuple(result) for result in bgsage.possible_moves(board, high, low)}
        if (ours or {tuple(board)}) != theirs:
            raise RuntimeError(f"{position.key} {roll}: {len(ours)} results, bgsage has {len(theirs)}")


def paired(ours: Callable[[], object], theirs: Callable[[], object]) -> tuple[list[float], list[float]]:
    """Seconds of each engine per round, one directly after the other."""
    seconds = [], []  # type: tuple[list[float], list[float]]
    for _ in range(ROUNDS):
        for work, taken in zip((ours, theirs), seconds, strict=True):
            began = time.perf_counter()
            work()
            taken.append(time.perf_counter() - began)
    return seconds


def ratio(theirs: list[float], ours: list[float]) -> float:
    """How many times faster we are: the median over the rounds."""
    return statistics.median(other / own for other, own in zip(theirs, ours, strict=True))


def throughput(name: str, ours: list[float], peer: str, theirs: list[float]) -> Figure:
    return Figure(
        f"legal plays, {name}",
        POSITIONS / statistics.median(ours),
        "positions/s",
        size=POSITIONS,
        peer=peer,
        peer_value=POSITIONS / statistics.median(theirs),
        higher_is_better=True,
    )
