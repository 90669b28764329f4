"""Mistakes in files: a deck for Anki, XGIDs, a printed sheet."""

import io
import json
import sqlite3
import zipfile

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.learning.anki import DECK, FIELDS, NOTE_TYPE, SEPARATOR
from scoring.models import Card, CardState
from scoring.notation.xgid import decode_xgid
from tests.factories import ClubFactory
from tests.scoring.learning.analysed import a_player, analysed_match

pytestmark = pytest.mark.django_db


def signed_in(matches=1):
    club = ClubFactory.create()
    user = a_player(club)
    for _each in range(matches):
        analysed_match(club, user, losses=[0.2, 0.1, 0])
    client = Client()
    client.force_login(user)
    return client


def deck(client, tmp_path):
    answer = client.get(reverse("scoring:mistakes_apkg"))
    assert answer.headers["Content-Disposition"] == 'attachment; filename="midpoint-mistakes.apkg"'
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    path = tmp_path / "collection.anki2"
    path.write_bytes(archive.read("collection.anki2"))
    return archive, sqlite3.connect(path)


def test_a_deck_has_a_note_for_each_mistake_with_both_boards(tmp_path):
    client = signed_in()
    archive, collection = deck(client, tmp_path)
    notes = collection.execute("SELECT id, guid, mid, flds FROM notes ORDER BY guid").fetchall()
    mistakes = {card.ref: card for card in Card.objects.mistakes()}
    assert [note[1] for note in notes] == sorted(mistakes)
    assert {note[2] for note in notes} == {NOTE_TYPE}
    media = {name: number for number, name in json.loads(archive.read("media")).items()}
    for _key, ref, _type, text in notes:
        fields = dict(zip(FIELDS, text.split(SEPARATOR), strict=True))
        assert fields["XGID"] == mistakes[ref].xgid
        assert "Your play? You are 1 away, your opponent 1." in fields["Question"]
        assert "Best:" in fields["Answer"]
        for side in ("Board", "Answer board"):
            name = fields[side].partition('src="')[2].rstrip('">')
            svg = archive.read(media[name]).decode()
            assert svg.startswith('<svg class="board-drawing" xmlns="http://www.w3.org/2000/svg"')
            assert ('class="arrow' in svg) is (side == "Answer board")
    cards = collection.execute("SELECT nid, did, queue, due FROM cards ORDER BY due").fetchall()
    assert [card[1:] for card in cards] == [(DECK, 0, n) for n in range(len(notes))]
    assert {card[0] for card in cards} == {note[0] for note in notes}


def test_a_second_deck_has_the_same_notes(tmp_path):
    client = signed_in()
    ids = []
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        _archive, collection = deck(client, folder)
        ids.append(collection.execute("SELECT id, guid FROM notes ORDER BY id").fetchall())
    assert ids[0] == ids[1] != []


def test_xgids_are_one_a_line_the_largest_mistake_first():
    client = signed_in()
    text = client.get(reverse("scoring:mistakes_xgid")).content.decode()
    cards = Card.objects.mistakes().order_by("-error")
    assert text.splitlines() == [f"XGID={card.xgid}" for card in cards]
    for line in text.splitlines():
        decode_xgid(line)


def test_a_retired_mistake_is_in_no_file():
    client = signed_in()
    Card.objects.update(state=CardState.RETIRED, end="fine", due=None)
    assert client.get(reverse("scoring:mistakes_xgid")).content == b""


@pytest.mark.parametrize("matches", [1, 4])
def test_the_printed_sheet_has_a_front_and_a_back(matches):
    client = signed_in(matches)
    content = client.get(reverse("scoring:mistakes_pdf")).content
    assert content.startswith(b"%PDF")
    assert content.count(b"/Type /Page\n") == 2


@pytest.mark.parametrize("matches", [1, 3])
def test_a_file_asks_the_database_as_often_however_many_mistakes_there_are(matches):
    client = signed_in(matches)
    with CaptureQueriesContext(connection) as queries:
        client.get(reverse("scoring:mistakes_apkg"))
    assert len(queries) == 6
