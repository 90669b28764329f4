"""Replay of real match records, every play validated by the rules."""

import statistics
import time
from collections.abc import Iterator

from deploy.checkout import ROOT
from deploy.figures import Figure
from scoring.notation.mat import read_mat
from scoring.rules.events import Event, Played
from scoring.rules.sheet import replay

ROUNDS = 7
MATCHES = ROOT.parent / "shared" / "data" / "matches"


def run() -> Iterator[Figure]:
    paths = sorted([*MATCHES.glob("*.txt"), *MATCHES.glob("*.mat")])
    if not paths:
        raise RuntimeError(f"no match records in {MATCHES}: the bench needs the data beside the project")
    files = [path.read_bytes() for path in paths]
    sheets = [read_mat(data).events for data in files]
    plays = sum(isinstance(event, Played) for sheet in sheets for event in sheet)
    size = f"{plays} plays of {len(sheets)} matches"
    yield Figure("replay", plays / median_seconds(sheets), "plays/s", size=size, higher_is_better=True)
    began = time.perf_counter()
    for data in files:
        read_mat(data)
    reading = time.perf_counter() - began
    yield Figure("replay, reading .mat", plays / reading, "plays/s", size=size, higher_is_better=True)


def median_seconds(sheets: list[tuple[Event, ...]]) -> float:
    taken = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for sheet in sheets:
            replay(sheet)
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)
