"""Every log, of a match, a chouette, a draw and an event, is appended to in one way, and shows its damage."""

import json
from hashlib import sha256

import pytest
from django.db import IntegrityError, transaction
from django.db.models import F

from clubs.models import Note, Role
from scoring.log.queries.writers import Author
from scoring.log.services.chains import LogOvertakenError, append, chain_damage
from scoring.log.services.notes import erase_note, note_of
from scoring.rules.events import PenaltyGiven
from scoring.rules.sides import Side
from scoring.sheets.services.entries import Entry, record
from tests.factories import member
from tests.scoring.chouettes.tables import Night
from tests.scoring.sheets.writing import loaded as loaded_match
from tests.scoring.sheets.writing import two_players, win
from tests.scoring.sheets.writing import write as write_match
from tests.tournaments.factories import an_event, drawn, open_pairings
from tests.tournaments.factories import win as win_pairing
from tournaments.log.services import note
from tournaments.models import Event, StageRow


def of_a_match():
    match = write_match(two_players(5), win(Side.WHITE), win(Side.BLACK))
    entries = [Entry("late", PenaltyGiven(Side.BLACK, 1, "Ben was late"))]
    director = Author(member(match.club, Role.DIRECTOR), directs=True)
    record(match=match, author=director, after=match.sheet.head_seq, entries=entries)
    write_match(loaded_match(match), win(Side.WHITE))
    return loaded_match(match).sheet


def of_a_chouette():
    night = Night(3)
    night.play()
    sheet = night.loaded.sheet
    append(sheet, [another(sheet, note=note_of("Jon left early"))])
    append(sheet, [another(sheet)])
    return sheet


def of_a_draw():
    event = an_event(4)
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    for row in open_pairings(stage):
        win_pairing(row, director)
    win_pairing(open_pairings(stage)[0], director)
    return StageRow.objects.get(pk=stage.pk)


def of_an_event():
    event = an_event()
    with transaction.atomic():
        note(event=event, kind="called", user=None, table=1)
        note(event=event, kind="ruling", user=None, text="Dice were cocked.")
        note(event=event, kind="called", user=None, table=2)
    return Event.objects.get(pk=event.pk)


LOGS = [of_a_match, of_a_chouette, of_a_draw, of_an_event]
WITH_NOTES = [of_a_match, of_a_chouette, of_an_event]


def another(owner, **values):
    """One more entry for the owner's log."""
    model = owner.entries.model
    if hasattr(model, "client_key"):
        values["client_key"] = f"more-{owner.head_seq}"
    name = type(owner)._meta.get_field(owner.LOG).field.name
    return model(**{name: owner}, kind="more", body={"é": [1, None], "a": "ü"}, **values)


def again(owner):
    return type(owner).objects.get(pk=owner.pk)


@pytest.fixture(scope="module")
def _made_once(module_db):
    return {log: log() for log in LOGS}


@pytest.fixture
def owner(log, _made_once, db):
    """Whose log it is, as it was made: what a test does to it is undone."""
    return again(_made_once[log])


@pytest.mark.django_db
@pytest.mark.parametrize("log", LOGS)
def test_the_links_of_a_log_can_be_computed_by_hand(owner):
    link = ""
    for seq, row in enumerate(owner.entries, 1):
        earlier, digest = (getattr(row, name) for name in row.LINKED) if row.LINKED else (None, "")
        entry = {"previous": link, "seq": seq, "kind": row.kind, "body": row.body, "replaces": earlier}
        entry |= {"note": digest} if digest else {}
        text = json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        link = sha256(text.encode()).hexdigest()
        assert (row.seq, row.hash) == (seq, link)
    assert (owner.head_seq, owner.head_hash) == (seq, link)
    assert seq >= 4
    assert chain_damage(owner) is None


@pytest.mark.django_db
@pytest.mark.parametrize("log", LOGS)
def test_entries_are_appended_behind_the_last_one(owner, django_assert_num_queries):
    head = owner.head_seq
    entries = [another(owner), another(owner)]
    if hasattr(entries[0], "client_key"):
        entries[1].client_key = "last"
    with django_assert_num_queries(1):
        append(owner, entries)
    stored = again(owner)
    assert (
        (stored.head_seq, stored.head_hash)
        == (owner.head_seq, owner.head_hash)
        == (head + 2, entries[1].hash)
    )
    assert list(stored.entries)[-2:] == entries
    assert [(row.seq, row.body, row.at) for row in list(stored.entries)[-2:]] == [
        (row.seq, row.body, row.at) for row in entries
    ]
    assert chain_damage(stored) is None


@pytest.mark.django_db
@pytest.mark.parametrize("log", LOGS)
def test_an_outdated_head_appends_nothing(owner):
    stale = again(owner)
    head = stale.head_seq, stale.head_hash
    append(owner, [another(owner)])
    with pytest.raises(LogOvertakenError, match=f"behind {head[0]}"):
        append(stale, [another(stale)])
    assert (stale.head_seq, stale.head_hash) == head
    assert owner.entries.count() == head[0] + 1
    assert chain_damage(again(owner)) is None


@pytest.mark.django_db
@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize(
    ("values", "name"),
    [({"seq": F("seq") - 1}, "seq_once"), ({"seq": 0}, "seq_from_one"), ({"hash": "F" * 64}, "hash_is_one")],
)
def test_the_database_refuses_invalid_entries(owner, values, name):
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        owner.entries.filter(seq=3).update(**values)


@pytest.mark.django_db
@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("head", [{"head_seq": 0}, {"head_hash": ""}, {"head_hash": "no hash"}])
def test_the_database_refuses_a_head_without_its_hash(owner, head):
    with pytest.raises(IntegrityError, match="head_has_its_hash"), transaction.atomic():
        type(owner).objects.filter(pk=owner.pk).update(**head)


def changed_body(rows):
    rows.filter(seq=2).update(body={"changed": True})


def changed_kind(rows):
    rows.filter(seq=2).update(kind="changed")


def relinked_alone(rows):
    """The hash of a changed entry is right: the next one's is not any more."""
    row = rows.get(seq=2)
    plain = {"previous": rows.get(seq=1).hash, "seq": 2, "kind": "x", "body": {}, "replaces": None}
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"))
    linked = {name: "" if name == "note_digest" else None for name in row.LINKED}
    rows.filter(seq=2).update(kind="x", body={}, hash=sha256(text.encode()).hexdigest(), **linked)


def reordered(rows):
    last = rows.last().seq
    rows.filter(seq=2).update(seq=last + 1)
    rows.filter(seq=3).update(seq=2)
    rows.filter(seq=last + 1).update(seq=3)


def truncated(rows):
    rows.filter(seq=rows.last().seq).delete()


def without_the_first(rows):
    rows.filter(seq=1).delete()


def without_one(rows):
    rows.filter(seq=3).delete()


def one_more(rows):
    last = rows.last()
    last.pk, last.seq = None, last.seq + 1
    if hasattr(last, "client_key"):
        last.client_key = "one more"
    last.replaces = last.undoes = None
    last.save()


@pytest.mark.django_db
@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize(
    ("damage", "seq", "what"),
    [
        (changed_body, 2, "was changed"),
        (changed_kind, 2, "was changed"),
        (relinked_alone, 3, "was changed"),
        (reordered, 2, "was changed"),
        (truncated, 0, "the head says"),
        (without_the_first, 1, "is missing"),
        (without_one, 3, "is missing"),
        (one_more, -1, "was changed"),
    ],
)
def test_damage_shows_where_it_is(owner, damage, seq, what):
    damage(owner.entries)
    found = chain_damage(again(owner))
    assert found is not None
    assert found.seq == (seq if seq >= 0 else owner.head_seq + 1)
    assert what in str(found)


@pytest.mark.django_db
@pytest.mark.parametrize("log", LOGS)
def test_a_log_that_was_cut_with_its_head_left_behind_shows(owner):
    before = owner.entries.get(seq=owner.head_seq - 1)
    type(owner).objects.filter(pk=owner.pk).update(head_seq=before.seq, head_hash=before.hash)
    found = chain_damage(again(owner))
    assert found is not None
    assert str(found) == f"the head says {before.seq} entries, the log has {owner.head_seq}"


@pytest.mark.django_db
@pytest.mark.parametrize("log", WITH_NOTES)
@pytest.mark.parametrize("change", ["removed", "gone", "another digest", "another text", "another salt"])
def test_a_note_that_was_removed_or_changed_shows(owner, change):
    row = owner.entries.filter(note__isnull=False).get()
    rows, notes = owner.entries.filter(pk=row.pk), Note.objects.filter(pk=row.note_id)
    if change == "removed":
        rows.update(note=None, note_digest="")
    elif change == "gone":
        rows.update(note=None)
    elif change == "another digest":
        rows.update(note_digest="0" * 64)
    elif change == "another text":
        notes.update(text="Nothing happened.")
    else:
        notes.update(salt=b"0" * 16)
    found = chain_damage(again(owner))
    assert found is not None
    assert found.seq == row.seq


@pytest.mark.django_db
@pytest.mark.parametrize("log", WITH_NOTES)
def test_a_note_that_was_erased_is_no_damage(owner):
    row = owner.entries.filter(note__isnull=False).get()
    assert row.note is not None
    erase_note(row.note)
    assert chain_damage(again(owner)) is None
