"""Figures say who is better, and every bench can be found and is whole."""

import inspect
import json
import os
import pkgutil
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from deploy import benches
from deploy.benches import chain
from deploy.benches.idle import proportional_share
from deploy.benches.up import family, spent
from deploy.figures import Figure


def test_a_shorter_time_than_the_peers_is_a_ratio_above_one():
    assert Figure("draw", 0.5, "s", peer="other", peer_value=2.0).ratio == 4


def test_a_higher_throughput_than_the_peers_is_a_ratio_above_one():
    assert Figure("events", 9000, "1/s", peer="other", peer_value=3000, higher_is_better=True).ratio == 3


def test_without_a_peer_there_is_no_ratio():
    assert json.loads(Figure("up", 6.54321, "s", size="warm").as_json()) == {
        "name": "up",
        "value": 6.543,
        "unit": "s",
        "peer": None,
        "peer_value": None,
        "ratio": None,
        "target": None,
        "holds": None,
        "size": "warm",
    }


@pytest.mark.parametrize(
    ("value", "higher_is_better", "holds"),
    [(49.9, False, True), (50, False, True), (50.1, False, False), (49.9, True, False), (50, True, True)],
)
def test_a_figure_holds_its_target_when_it_is_no_worse(value: float, higher_is_better: bool, holds: bool):
    told = Figure("tap", value, "ms", target=50, higher_is_better=higher_is_better).as_json()
    assert json.loads(told)["holds"] is holds


def test_a_peer_that_needed_no_time_gives_no_ratio_instead_of_a_division_by_zero():
    assert Figure("draw", 0.0, "s", peer="other", peer_value=1.0).ratio is None


@pytest.mark.parametrize("name", [module.name for module in pkgutil.iter_modules(benches.__path__)])
def test_every_bench_has_a_run_without_arguments(name: str):
    module = import_module(f"deploy.benches.{name}")
    assert inspect.isgeneratorfunction(module.run)
    assert not inspect.signature(module.run).parameters


def test_an_unknown_bench_is_named_beside_the_known_ones():
    with pytest.raises(CommandError, match=r"there is no bench 'down'; choose one of .*up"):
        call_command("bench", "down")


@pytest.mark.long
def test_bench_lists_its_names():
    words = [sys.executable, "manage.py", "bench", "--list"]
    assert "up" in subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()


def test_the_processor_seconds_of_a_family_count_ended_children():
    busy = "import time; [0 for _ in iter(lambda: time.process_time() < 0.35, False)]"
    run = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {busy!r}])"
    script = f"{run}\nprint(flush=True)\ninput()"
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert family(process.pid) == [process.pid]
        assert spent(process.pid) >= 0.3  # the kernel counts in hundredths
    assert spent(process.pid) == 0


def test_the_memory_of_a_family_is_that_of_all_its_processes():
    grandchild = (
        "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(600)'])"
    )
    child = subprocess.Popen([sys.executable, "-c", grandchild], start_new_session=True)
    try:
        end = time.monotonic() + 60
        # One that was forked just now shares nearly everything until it runs a program of its own.
        while time.monotonic() < end and (
            len(both := family(child.pid)) < 2 or min(map(proportional_share, both)) <= 1_000_000
        ):
            time.sleep(0.05)
        assert both[0] == child.pid
        assert len(both) == 2
        assert all(proportional_share(pid) > 1_000_000 for pid in both)
    finally:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()


HEAD = """; [Player 1 "Ana"]
; [Player 2 "Ben"]
; [EventDate "2023.08.09"]

7 point match

 Game 1
 Ana : 0                          Ben : 0
"""


def test_the_names_of_a_record_stand_over_its_columns_not_in_its_head():
    assert chain.names_in(HEAD) == ["Ana", "Ben"]
    with pytest.raises(ValueError, match="names no players"):
        chain.names_in("7 point match")


def test_the_files_made_for_the_chain_are_as_many_matches(tmp_path: Path):
    """Each player of each length of name meets many, and no two twice."""
    real = tmp_path / "real.txt"
    real.write_text(HEAD)
    names = [tuple(chain.names_in(path.read_text())) for path in chain.made_files([real], tmp_path)]
    assert len(names) == len(set(names)) == chain.MANY
