"""``manage.py legal_plays``: the published cases, in a process without a database."""

import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.tiers import sized

ROOT = Path(__file__).parents[2]


def run(text):
    environment = {**os.environ, "DATABASE_URL": "postgres://nobody@nowhere.invalid/none"}
    return subprocess.run(
        [sys.executable, "manage.py", "legal_plays"],
        cwd=ROOT,
        env=environment,
        input=text,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_every_published_case_is_answered_exactly(shared_data):
    with gzip.open(shared_data / "legal_plays.jsonl.gz", "rt") as lines:
        cases = [json.loads(line) for line in lines][:: sized(8, 1)]
    asked = "".join(json.dumps({key: case[key] for key in ("id", "pos", "dice")}) + "\n" for case in cases)
    done = run(asked)
    assert done.returncode == 0, done.stderr
    expected = [
        {"id": case["id"], "n_dice": case["n_dice"], "results": sorted(case["results"])} for case in cases
    ]
    assert [json.loads(line) for line in done.stdout.splitlines()] == expected


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nonsense", "line 2: 'nonsense' is not a case"),
        ('{"id": 1, "pos": "x", "dice": [1, 2]}', "line 2: a position key has 26 characters, 'x' has 1"),
        (
            '{"id": 1, "pos": "--------------------------", "dice": [0, 2]}',
            "line 2: a die shows 1 to 6, not 0",
        ),
        ('{"id": 1, "pos": "--------------------------"}', "line 2: "),
    ],
)
def test_a_bad_line_is_refused_by_its_number(line, message, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("\n" + line + "\n"))
    with pytest.raises(CommandError) as caught:
        call_command("legal_plays")
    assert str(caught.value).startswith(message)
    assert capsys.readouterr().out == ""
