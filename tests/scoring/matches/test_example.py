"""The example in the docs, run as a reader runs it: against a real server with a real worker."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from clubs.accounts.services.tokens import make_token
from clubs.models import Scope
from scoring.analysis.queries.analyses import performance_of
from scoring.models import Analysis
from tests.children import WorkerChild
from tests.factories import PlayerFactory, UserFactory
from tests.scoring.records import short_match

EXAMPLE = settings.BASE_DIR / "docs" / "examples" / "match_to_error_rates.py"


def run(site: str, token: str, file: Path) -> subprocess.CompletedProcess[str]:
    # -I: nothing of ours can be imported, and -W error: nothing in it is deprecated.
    words = [sys.executable, "-I", "-W", "error", str(EXAMPLE), site, token, str(file)]
    return subprocess.run(words, capture_output=True, text=True, timeout=240, cwd=file.parent)


def a_token(*scopes: Scope) -> str:
    user = UserFactory.create()
    PlayerFactory.create(user=user, name="Zoë")
    return make_token(user=user, label="example", scopes=scopes, expires_at=None)[1]


@pytest.mark.long
def test_the_example_prints_both_error_rates(server: str, worker: WorkerChild, tmp_path: Path):
    file = tmp_path / "one point.mat"
    file.write_bytes(short_match("Ana", "Ben"))
    done = run(server, a_token(Scope.OWN, Scope.RECORD), file)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    summary = Analysis.objects.get(status="done").summary or {}
    rates = {
        name: performance_of(summary, colour).pr for name, colour in (("Ana", "white"), ("Ben", "black"))
    }
    assert None not in rates.values()
    assert done.stdout.splitlines() == [f"{name}: PR {pr:.2f}" for name, pr in rates.items()]


@pytest.mark.long
def test_the_example_says_why_a_file_is_no_match(server: str, worker: WorkerChild, tmp_path: Path):
    file = tmp_path / "diary.txt"
    file.write_text("Dear diary, we played all night.\n")
    done = run(server, a_token(Scope.OWN, Scope.RECORD), file)
    assert done.returncode == 1
    assert done.stderr.startswith("diary.txt: ")


def test_the_example_says_what_is_refused(server: str, tmp_path: Path):
    done = run(server, a_token(Scope.RECORD), tmp_path / "never read.mat")
    reason = "This token does not have the scope “own”."
    assert (done.returncode, done.stderr) == (1, f"{server}/api/v1/clubs/: {reason}\n")


def test_the_example_is_short():
    assert len(EXAMPLE.read_text().splitlines()) < 60
    assert re.search(r"Scopes: own, record", EXAMPLE.read_text())
