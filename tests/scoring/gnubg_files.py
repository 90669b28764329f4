"""GNU Backgammon as a reader of files, for tests."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from scoring.engines.gnubg.program import gnubg_path


def saved_by_gnubg(folder: Path, texts: Sequence[str]) -> list[bytes]:
    """What GNU Backgammon saves of these `.sgf` texts, without a warning; skips where it is not installed."""
    if gnubg_path() is None:
        if os.environ.get("CI") == "true":
            pytest.fail("GNU Backgammon is not installed", pytrace=False)
        pytest.skip("GNU Backgammon is not installed")
    lines = []
    for number, text in enumerate(texts):
        (folder / f"{number}.sgf").write_text(text, encoding="utf-8")
        commands = (f"load match {folder}/{number}.sgf", f"save match {folder}/{number}.saved.sgf")
        lines += [f"gnubg.command({command!r})" for command in commands]
    (folder / "run.py").write_text("import gnubg\n" + "\n".join(lines) + "\n", encoding="utf-8")
    command = [str(gnubg_path()), "-t", "-q", "-r", "-p", "run.py"]
    run = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"HOME": str(folder)},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=120,
        check=True,
    )
    said = run.stdout + run.stderr
    assert "WARNING" not in said.upper(), said
    assert "ERROR" not in said.upper(), said
    return [(folder / f"{number}.saved.sgf").read_bytes() for number in range(len(texts))]
