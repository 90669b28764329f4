"""Analyses of real files by both engines: the figures of the tool itself, and what we add to its cost.

As many of four files as fit into seven minutes, the shortest matches first; `bench analysis_all` takes every
file of the shared data. Of each engine:

- the largest difference of a PR from that of the tool called directly: gammonview's own `analyze_ogxm` at
  `fast`, gnubg's own analysis at 0 plies, which is `estimate`;
- our processor seconds at `fast`, with child process, transport and checks, beside the same engine calls made
  again by one bare process;
- matches an hour by two workers beside those by one, each on a processor of its own: without that, one
  worker uses both, because two gnubg share a match.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import inf
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from bgsage.board import possible_moves
from gvanalysis.match import analyze_ogxm
from gvanalysis.ogxm_reconstructor import reconstruct_decisions_from_ogxm
from gvformat.mat import mat_to_ogxm

from deploy.checkout import ROOT
from deploy.figures import Figure
from scoring.codec import to_plain
from scoring.engines.gnubg.program import gnubg_path
from scoring.engines.presets import ESTIMATE, FAST
from scoring.engines.questions import request_for
from scoring.engines.registry import analyse, installed_engines
from scoring.engines.requests import AnalysisRequest
from scoring.notation.formats import read_match
from scoring.rules.sides import Side
from scoring.theory.performance import PR_FACTOR

DATA = ROOT.parent / "shared" / "data"
SAMPLE = (
    "matches/galaxy-8062348.txt",
    "matches/solnze-Lasse_3pt_studio.txt",
    "matches/Magic-Lasse_5pt_studio.txt",
    "xg/ronde1_7p.xg",
)
SECONDS = 360.0
"""For all figures. A file is begun only if it should end in time, so the bench takes less than 7 minutes."""
FIGURES = 3
"""Figures of an engine."""
TEXTS = {".mat", ".txt"}
"""Files that both tools read themselves."""
OWN_RUN = """
import gnubg, json
gnubg.command("set threads 1")
gnubg.command("set analysis chequerplay evaluation plies 0")
gnubg.command("set analysis cubedecision evaluation plies 0")
gnubg.command("import mat match.mat")
gnubg.command("analyse match")
stats = gnubg.match(1, 0, 1, 0)["stats"]
open("stats.json", "w").write(json.dumps([stats["X"], stats["O"]]))
"""


def run() -> Iterator[Figure]:
    yield from measured([DATA / name for name in SAMPLE], seconds=SECONDS)


def measured(paths: Sequence[Path], *, seconds: float = inf) -> Iterator[Figure]:
    """The figures of every installed engine over these files, as many as ``seconds`` are enough for."""
    missing = [path for path in paths if not path.is_file()]
    if missing or not paths:
        raise FileNotFoundError(f"the bench needs the shared data beside the project: {missing or DATA}")
    engines = installed_engines()
    budget = _Budget(seconds, FIGURES * len(engines))
    for engine in engines:
        yield _difference(engine, [path for path in paths if path.suffix in TEXTS], budget)
        yield _cost(engine, paths, budget)
        yield _two_workers(engine, paths, budget)


class _Budget:
    """Time that is left, in equal shares for the figures that are still to come."""

    def __init__(self, seconds: float, figures: int) -> None:
        self._end, self._figures = time.monotonic() + seconds, figures

    def affordable(self, paths: Sequence[Path]) -> Iterator[Path]:
        """The shortest matches first, one at least, as long as the next one should end within the share."""
        began, done = time.monotonic(), 0
        share = (self._end - began) / self._figures
        self._figures -= 1
        sizes = {path: len(_asked(path).questions) for path in paths}
        for path in sorted(paths, key=lambda path: (sizes[path], path)):
            spent = time.monotonic() - began
            if done and spent * (done + sizes[path]) / done > share:
                return
            yield path
            done += sizes[path]


def _asked(path: Path, preset: str = FAST) -> AnalysisRequest:
    return request_for(read_match(path.read_bytes()).events, preset=preset)


def _difference(engine: str, paths: Sequence[Path], budget: _Budget) -> Figure:
    """Losses over the tool's own count of decisions: which of them count is our rule, not the engine's."""
    worst, compared, files = 0.0, 0, 0
    for path in budget.affordable(paths):
        files += 1
        direct = _gnubgs_own(path) if engine == "gnubg" else _gammonviews_own(path)
        request = _asked(path, ESTIMATE if engine == "gnubg" else FAST)
        decisions = analyse(request, engine=engine).decisions
        for side, (lost, counted) in zip(Side, direct, strict=True):
            if counted:
                ours = sum(each.error or 0.0 for each in decisions if each.side is side)
                worst = max(worst, PR_FACTOR * abs(ours - lost) / counted)
                compared += 1
    size = f"{compared} players of {files} files"
    return Figure(f"analysis, {engine}, largest difference of a PR", worst, "PR", size=size)


def _gnubgs_own(path: Path) -> list[tuple[float, int]]:
    """What each player lost and decided in a match that gnubg has imported and analysed itself."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "match.mat").write_bytes(path.read_bytes())
        (folder / "run.py").write_text(OWN_RUN)
        command = [str(gnubg_path()), "-t", "-q", "-r", "-p", "run.py"]
        subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=True)
        sides: list[dict[str, Any]] = json.loads((folder / "stats.json").read_text())
    found = []
    for side in sides:
        moves, cube = side["moves"], side["cube"]
        lost = sum(value for key, value in cube.items() if key.startswith("err-") and key.endswith("-skill"))
        found.append((moves["error-skill"] + lost, moves["unforced-moves"]))
    return found


def _gammonviews_own(path: Path) -> list[tuple[float, int]]:
    """What each player lost and decided by gammonview, in the order of our sides.

    Nothing for a player who rolled and gave up: gammonview judges that roll as a play.
    """
    ogxm = mat_to_ogxm(path.read_text(encoding="utf-8", errors="replace"))
    told = analyze_ogxm(ogxm, preset=FAST, threads=1, jobs=1, quiet=True, show_progress=False)["summary"]
    rows = [row for game in reconstruct_decisions_from_ogxm(ogxm) for row in game["decisions"]]
    gave_up = {row["is_p1"] for row in rows if _resigned_after_rolling(row)}
    found = {
        player: (0.0, 0)
        if (n == 1) in gave_up
        else (
            (told[f"player{n}_pr"] or 0.0) * told[f"player{n}_total_decisions"] / PR_FACTOR,
            told[f"player{n}_total_decisions"],
        )
        for player, n in ((ogxm["player_white"], 1), (ogxm["player_black"], 2))
    }
    return [found[player] for player in read_match(path.read_bytes()).players]


def _resigned_after_rolling(row: dict[str, Any]) -> bool:
    if row["kind"] != "checker" or not row["no_legal"]:
        return False
    return any(board != row["board"] for board in possible_moves(row["board"], *row["dice"]))


def _cost(engine: str, paths: Sequence[Path], budget: _Budget) -> Figure:
    ours, alone, files = 0.0, 0.0, 0
    for path in budget.affordable(paths):
        files += 1
        request = _asked(path)
        began = _used()
        analyse(request, engine=engine)
        ours += _used() - began
        calls = _child(engine, "record", json.dumps(to_plain(request)))
        alone += float(_child(engine, "repeat", calls))
    return Figure(
        f"analysis, {engine}, {FAST}",
        ours / files,
        "CPU s a match",
        size=f"{files} files",
        peer="its engine calls alone",
        peer_value=alone / files,
    )


def _used() -> float:
    """Processor seconds of this process and its children that have ended."""
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _child(engine: str, what: str, given: str) -> str:
    command = [sys.executable, "-m", "deploy.engine_calls", engine, FAST, what]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(
        command, input=given, capture_output=True, text=True, check=True, cwd=ROOT, env=environment
    ).stdout


def _two_workers(engine: str, paths: Sequence[Path], budget: _Budget) -> Figure:
    """Each file twice: in turn by one worker, at once by two."""
    spent, files = {1: 0.0, 2: 0.0}, 0
    for path in budget.affordable(paths):
        files += 1
        for workers in spent:
            spent[workers] += _spent(engine, [_asked(path)] * 2, workers)
    one, two = (3600 * 2 * files / seconds for seconds in spent.values())
    return Figure(
        f"analysis, {engine}, two workers",
        two,
        "matches/h",
        size=f"{2 * files} matches, a processor a worker",
        peer="one worker",
        peer_value=one,
        higher_is_better=True,
    )


def _spent(engine: str, requests: Sequence[AnalysisRequest], workers: int) -> float:
    """Seconds by the clock, each worker and its engine on one processor."""
    processors = SimpleQueue[int]()
    usable = sorted(os.sched_getaffinity(0))
    for number in range(workers):
        processors.put(usable[number % len(usable)])
    began = time.perf_counter()
    with ThreadPoolExecutor(
        workers, initializer=lambda: os.sched_setaffinity(0, {processors.get_nowait()})
    ) as pool:
        list(pool.map(lambda request: analyse(request, engine=engine), requests))
    return time.perf_counter() - began
