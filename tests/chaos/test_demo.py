"""``up --demo``: the club is there at once and fills behind the site, however often that is killed."""

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from deploy.checkout import copy_project
from deploy.demo.plan import Size
from tests.chaos.installation import Up, run, with_environment

pytestmark = [pytest.mark.chaos, pytest.mark.long]
CLUB = "/clubs/sete-rios-demo-club/"
DONE = "SELECT done FROM clubs_demoprogress"
MATCHES = """
SELECT count(*) FROM scoring_match
WHERE NOT in_chouette AND id NOT IN (SELECT match_id FROM tournaments_board)
"""


def done(up: Up) -> int:
    with up.database() as connection:
        found = connection.execute(DONE).fetchone()
    return int(found[0]) if found else -1


def test_the_demo_club_fills_behind_its_pages_although_what_fills_it_is_killed(
    new_checkout: Callable[[str], Path],
):
    checkout = with_environment(copy_project(new_checkout("demo")))
    with Up(checkout, "--demo") as up:
        up.wait_until(lambda: b"Sete Rios Demo Club" in up.get(CLUB)[1], "page of the club")
        up.wait_until(lambda: done(up) > 3, "first matches")
        assert b"Creating the demo club: " in up.get("/demo/")[1]
        before, killed = done(up), up.pids("demo")
        os.kill(killed[0], signal.SIGKILL)
        up.wait_until(lambda: done(up) > before + 3, "next matches")
        assert up.stop() == 0
        assert up.left_behind() == []
    with Up(checkout, "--demo") as again:
        waited = run(checkout, "demo", "--wait", "--json", "--analysed", "0")
        assert waited.returncode == 0, waited.stderr
        report = json.loads(waited.stdout)
        assert (report["made_now"], report["analysed"] >= Size().analysed) == (False, True)
        assert b"being filled" not in again.get("/demo/")[1]
        again.wait_until(lambda: "The demo club is complete" in again.printed, "last word")
        with again.database() as connection:
            assert connection.execute(MATCHES).fetchone() == (Size().matches + 3,)
