"""Names and dates as no person writes them."""

import os

import pytest
from django.core.management import call_command

from scoring.files.services.imports import import_file
from scoring.models import Source
from tests.factories import ClubFactory
from tests.scoring.records import short_match

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("white", "black"),
    [
        ("X" * 300, "X" * 300),
        ("é" * 99 + "a", "e" * 99 + "A"),
        ("\ufdfa" * 100, "Ben"),  # one character that folds to eighteen
    ],
)
def test_very_long_names_are_two_players_and_the_same_two_again(white, black):
    club = ClubFactory.create()
    players = []
    for length in (b" 1 point match", b" 3 point match"):
        content = short_match(white, black).replace(b" 1 point match", length)
        match, report = import_file(club=club, filename="long.mat", content=content, final=True)
        assert report.error is None
        assert match is not None
        players.append((match.white.players[0], match.black.players[0]))
    assert players[0] == players[1]
    assert players[0][0] != players[0][1]


@pytest.mark.parametrize(
    ("day", "zone"), [("0001.01.01", "Asia/Tokyo"), ("9999.12.31", "Pacific/Honolulu"), ("0000.01.01", "UTC")]
)
def test_a_date_beyond_the_calendar_leaves_pages_that_open(client, day, zone):
    club = ClubFactory.create(tz=zone)
    content = f'; [EventDate "{day}"]\n; [EventTime "0:00"]\n'.encode() + short_match("Ana", "Ben")
    match, _report = import_file(club=club, filename="old.mat", content=content, final=True)
    assert match is not None
    assert client.get(match.get_absolute_url()).status_code == 200
    assert client.get("/matches/").status_code == 200


def test_a_file_whose_name_is_no_text_is_imported(tmp_path, capsys):
    path = os.fsencode(tmp_path) + b"/ni\xf1o.mat"
    with open(path, "wb") as file:  # noqa: PTH123 - the name is bytes
        file.write(short_match("Ana", "Ben"))
    call_command("import_match", os.fsdecode(path))
    assert "Ana – Ben" in capsys.readouterr().out
    assert Source.objects.get().filename == "ni?o.mat"
