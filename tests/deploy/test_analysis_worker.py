"""Another machine joins the analysis with one command."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from clubs.models import WorkStatus
from clubs.tasks import wake
from deploy import processes
from deploy.launch import needs_engines
from scoring.files.services.imports import import_file
from scoring.models import Analysis
from tests.children import child_environment
from tests.factories import ClubFactory
from tests.scoring.records import short_match
from tests.waiting import until

COMMAND = [sys.executable, "-m", "django", "analysis_worker"]


def refusal(*words: str, **variables: str) -> str:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "deploy.settings", **variables}
    told = subprocess.run(
        [*COMMAND, *words],
        capture_output=True,
        text=True,
        cwd=settings.BASE_DIR,
        env=environment,
        check=False,
    )
    assert told.returncode == 1
    return told.stderr.strip()


def test_it_never_starts_servers_of_its_own() -> None:
    assert not needs_engines(["analysis_worker"])


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "variables", "said"),
    [
        ([], {"BROKER_URL": ""}, "Set BROKER_URL to the values of the site."),
        (["--processes", "0"], {}, "--processes 0 is too few: choose 1 or more."),
        (
            [],
            {"DATABASE_URL": "postgres://midpoint@127.0.0.1:1/midpoint"},
            "The site's database does not answer",
        ),
    ],
)
def test_it_says_what_is_missing(words, variables, said) -> None:
    given = {
        "DATABASE_URL": "postgres://midpoint@127.0.0.1:1/midpoint",
        "BROKER_URL": "redis://127.0.0.1:1/0",
    }
    assert said in refusal(*words, **(given | variables))


@pytest.mark.long
def test_it_analyses_what_waits_at_the_site(transactional_db, tmp_path: Path) -> None:
    environment = child_environment(connection.settings_dict) | {"BROKER_URL": settings.BROKER_URL}
    match, _ = import_file(club=ClubFactory.create(), filename="a.mat", content=short_match("Ana", "Ben"))
    analysis = Analysis.objects.get(match=match)
    process = processes.spawn(
        [*COMMAND, "--processes", "1"],
        environment=environment,
        log=tmp_path / "worker.log",
        directory=settings.BASE_DIR,
    )
    try:
        wake(analysis)
        until(Analysis.objects.filter(pk=analysis.pk, status=WorkStatus.DONE).exists)
    finally:
        processes.stop(process, signal.SIGTERM, 20)
    assert process.returncode == 0, processes.tail(tmp_path / "worker.log", 40)
