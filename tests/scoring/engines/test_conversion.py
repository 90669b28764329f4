"""Files of other programs are read in a process of their own, within a limit, and come out the same."""

import json

import pytest
from gvformat import mat_to_ogxm, write_gvab

from scoring.engines import conversion
from scoring.engines.conversion import ConversionBroke, ConversionTimeout, read_bounded
from scoring.files.services.imports import import_file
from scoring.notation.formats import read_match
from scoring.rules.errors import InvalidNotation
from tests.factories import ClubFactory
from tests.scoring.records import short_match

OGXM = json.dumps(mat_to_ogxm(short_match("Ana", "Zoë").decode())).encode()


@pytest.mark.parametrize("data", [OGXM, write_gvab(json.loads(OGXM)), short_match("Ana", "Ben")])
def test_a_match_comes_out_as_without_the_limit(data):
    assert read_bounded(data) == read_match(data)


def test_an_xg_comes_out_as_without_the_limit(shared_data):
    data = (shared_data / "matches" / "charlot1-charlot2_7p.xg").read_bytes()
    assert read_bounded(data) == read_match(data)


@pytest.mark.parametrize("data", [b"{", b'{"games": 3}', b"OGXM" + b"\xff" * 200, b'{"format":"BGF"}\n'])
def test_what_cannot_be_read_is_told_as_without_the_limit(data):
    with pytest.raises(InvalidNotation) as plainly:
        read_match(data)
    with pytest.raises(InvalidNotation) as bounded:
        read_bounded(data)
    assert bounded.value == plainly.value


def test_what_takes_too_long_is_given_up():
    with pytest.raises(ConversionTimeout, match="not read within 0 seconds"):
        read_bounded(OGXM, time_limit=0)


def test_what_takes_too_much_memory_is_given_up(monkeypatch):
    monkeypatch.setattr(conversion, "MEMORY_LIMIT", 1)
    with pytest.raises(ConversionBroke):
        read_bounded(OGXM + b" " * 3_000_000)


def test_a_text_is_read_without_a_process_and_its_limit():
    assert read_bounded(short_match("Ana", "Ben"), time_limit=0).players == ("Ana", "Ben")


@pytest.mark.django_db
def test_the_report_of_an_import_says_so(monkeypatch):
    monkeypatch.setattr(conversion, "TIME_LIMIT", 0.0)
    match, report = import_file(club=ClubFactory.create(), filename="slow.ogxm", content=OGXM)
    assert match is None
    assert report.error == {
        "code": "too_slow",
        "message": "the file was not read within 0 seconds",
        "line": None,
    }
