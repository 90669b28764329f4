"""A deck for Anki: an ``.apkg`` file, which is a zip with a SQLite collection (schema 11) and its pictures.

A note is named by the ref of its card, so that a second import updates the first. Source: the schema that
Anki's own importer reads, https://github.com/ankidroid/Anki-Android/wiki/Database-Structure
"""

import io
import json
import sqlite3
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha1, sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

NOTE_TYPE, DECK = 1_764_201_600_001, 1_764_201_600_002
"""Ids of the note type and the deck, the same in every file."""

FIELDS = ("XGID", "Board", "Question", "Answer board", "Answer")
FRONT = "{{Board}}<p>{{Question}}</p>"
BACK = "{{Answer board}}<p>{{Answer}}</p><p class=xgid>XGID={{XGID}}</p>"
STYLE = ".card{font-family:sans-serif;text-align:center}img{max-width:100%}.xgid{font-size:small}"
SEPARATOR = "\x1f"

SCHEMA = """
CREATE TABLE col (id integer primary key, crt integer not null, mod integer not null, scm integer not null,
    ver integer not null, dty integer not null, usn integer not null, ls integer not null, conf text not null,
    models text not null, decks text not null, dconf text not null, tags text not null);
CREATE TABLE notes (id integer primary key, guid text not null, mid integer not null, mod integer not null,
    usn integer not null, tags text not null, flds text not null, sfld integer not null,
    csum integer not null, flags integer not null, data text not null);
CREATE TABLE cards (id integer primary key, nid integer not null, did integer not null, ord integer not null,
    mod integer not null, usn integer not null, type integer not null, queue integer not null,
    due integer not null, ivl integer not null, factor integer not null, reps integer not null,
    lapses integer not null, left integer not null, odue integer not null, odid integer not null,
    flags integer not null, data text not null);
CREATE TABLE revlog (id integer primary key, cid integer not null, usn integer not null,
    ease integer not null, ivl integer not null, lastIvl integer not null, factor integer not null,
    time integer not null,
    type integer not null);
CREATE TABLE graves (usn integer not null, oid integer not null, type integer not null);
CREATE INDEX ix_notes_usn on notes (usn);
CREATE INDEX ix_cards_usn on cards (usn);
CREATE INDEX ix_revlog_usn on revlog (usn);
CREATE INDEX ix_cards_nid on cards (nid);
CREATE INDEX ix_cards_sched on cards (did, queue, due);
CREATE INDEX ix_revlog_cid on revlog (cid);
CREATE INDEX ix_notes_csum on notes (csum);
"""


@dataclass(frozen=True, slots=True)
class AnkiNote:
    """One card: its two sides as HTML, and the boards as SVG."""

    ref: str
    xgid: str
    question: str
    answer: str
    board: str
    answer_board: str


def anki_deck(notes: Sequence[AnkiNote], *, name: str, at: int) -> bytes:
    """The deck ``name`` as an ``.apkg``, made ``at`` a time in seconds since 1970."""
    pictures: list[tuple[str, str]] = []
    for note in notes:
        pictures += [(f"{note.ref}-q.svg", note.board), (f"{note.ref}-a.svg", note.answer_board)]
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("collection.anki2", _collection(notes, name, at))
        archive.writestr(
            "media", json.dumps({str(n): f"midpoint-{each}" for n, (each, _svg) in enumerate(pictures)})
        )
        for number, (_file, svg) in enumerate(pictures):
            archive.writestr(str(number), svg)
    return file.getvalue()


def _collection(notes: Sequence[AnkiNote], name: str, at: int) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "collection.anki2"
        connection = sqlite3.connect(path)
        connection.executescript(SCHEMA)
        settings = (1, at, at * 1000, at * 1000, 11, 0, 0, 0)
        texts = [json.dumps(each) for each in (_settings(), _note_types(at), _decks(name, at), _options())]
        connection.execute("INSERT INTO col VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)", (*settings, *texts, "{}"))
        for number, note in enumerate(notes):
            key = int.from_bytes(sha256(note.ref.encode()).digest()[:6], "big") >> 1
            fields = (
                note.xgid,
                f'<img src="midpoint-{note.ref}-q.svg">',
                note.question,
                f'<img src="midpoint-{note.ref}-a.svg">',
                note.answer,
            )
            check = int(sha1(note.xgid.encode(), usedforsecurity=False).hexdigest()[:8], 16)
            connection.execute(
                "INSERT INTO notes VALUES (?,?,?,?,-1,'',?,?,?,0,'')",
                (key, note.ref, NOTE_TYPE, at, SEPARATOR.join(fields), note.xgid, check),
            )
            connection.execute(
                "INSERT INTO cards VALUES (?,?,?,0,?,-1,0,0,?,0,0,0,0,0,0,0,0,'')",
                (key + 1, key, DECK, at, number),
            )
        connection.commit()
        connection.close()
        return path.read_bytes()


def _settings() -> dict[str, Any]:
    return {
        "nextPos": 1,
        "estTimes": True,
        "activeDecks": [1],
        "sortType": "noteFld",
        "timeLim": 0,
        "sortBackwards": False,
        "addToCur": True,
        "curDeck": 1,
        "newSpread": 0,
        "dueCounts": True,
        "curModel": str(NOTE_TYPE),
        "collapseTime": 1200,
    }


def _note_types(at: int) -> dict[str, Any]:
    fields = [
        {"name": each, "ord": n, "sticky": False, "rtl": False, "font": "Arial", "size": 20, "media": []}
        for n, each in enumerate(FIELDS)
    ]
    template = {
        "name": "Card 1",
        "ord": 0,
        "qfmt": FRONT,
        "afmt": BACK,
        "did": None,
        "bqfmt": "",
        "bafmt": "",
    }
    return {
        str(NOTE_TYPE): {
            "id": NOTE_TYPE,
            "name": "Midpoint",
            "type": 0,
            "mod": at,
            "usn": -1,
            "sortf": 0,
            "did": DECK,
            "tmpls": [template],
            "flds": fields,
            "css": STYLE,
            "latexPre": "",
            "latexPost": "",
            "tags": [],
            "vers": [],
            "req": [[0, "any", [1, 2]]],
        }
    }


def _decks(name: str, at: int) -> dict[str, Any]:
    plain = {
        "mod": at,
        "usn": -1,
        "desc": "",
        "dyn": 0,
        "conf": 1,
        "collapsed": False,
        "extendNew": 10,
        "extendRev": 50,
        "newToday": [0, 0],
        "revToday": [0, 0],
        "lrnToday": [0, 0],
        "timeToday": [0, 0],
    }
    return {
        "1": {"id": 1, "name": "Default", **plain},
        str(DECK): {"id": DECK, "name": name, **plain},
    }


def _options() -> dict[str, Any]:
    new = {
        "delays": [1, 10],
        "ints": [1, 4, 7],
        "initialFactor": 2500,
        "perDay": 20,
        "order": 1,
        "bury": True,
    }
    review = {"perDay": 100, "ease4": 1.3, "fuzz": 0.05, "ivlFct": 1, "maxIvl": 36500, "bury": True}
    lapse = {"delays": [10], "mult": 0, "minInt": 1, "leechFails": 8, "leechAction": 0}
    plain = {"id": 1, "name": "Default", "mod": 0, "usn": 0, "maxTaken": 60, "autoplay": True, "timer": 0}
    return {"1": {**plain, "replayq": True, "dyn": False, "new": new, "rev": review, "lapse": lapse}}
