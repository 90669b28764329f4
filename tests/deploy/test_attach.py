"""Throw-away engines of several commands at once do not take each other's homes away."""

import fcntl
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from deploy import attach, embedded


@pytest.mark.long
def test_no_command_removes_the_home_that_another_one_has_just_made(tmp_path: Path):
    over = Event()

    def sweep() -> None:
        while not over.is_set():
            attach._remove_abandoned(tmp_path)

    def make() -> int:
        lost = 0
        try:
            for _ in range(1500):
                with attach.own_home(tmp_path) as home:
                    lost += not (home / "in-use").exists()
                    embedded.ServerHome(home, home / "run", user=None, throwaway=True).clear()
        finally:
            over.set()
        return lost

    with ThreadPoolExecutor(2) as pool:
        sweeping = pool.submit(sweep)
        assert pool.submit(make).result() == 0
        sweeping.result()
    assert list(tmp_path.iterdir()) == []


def test_an_abandoned_home_is_removed_and_a_used_one_is_not(tmp_path: Path):
    for name in ("throwaway-old", "throwaway-used"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "in-use").touch()
    with (tmp_path / "throwaway-used" / "in-use").open("r+") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        attach._remove_abandoned(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["throwaway-used"]
