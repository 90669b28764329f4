"""Writing on a scoresheet: each event once, in order, and only what may happen."""

import pytest

from clubs.models import Role
from scoring.chouettes.services.damage import damage_of
from scoring.log.queries.writers import Author, writer
from scoring.models import Match, MatchStatus, SheetEvent
from scoring.rules.dice import Roll
from scoring.rules.endings import GameEnd
from scoring.rules.errors import IllegalPlay
from scoring.rules.events import Event, GameRecorded, OpeningRolled, Played, Rolled
from scoring.rules.match import Win
from scoring.rules.plays import Move
from scoring.rules.sides import Side
from scoring.sheets.queries.scoresheet import view_for
from scoring.sheets.services.corrections import undo_last
from scoring.sheets.services.entries import ConflictRefused, Entry, EntryRefused, record
from scoring.sheets.services.openings import open_match
from tests.factories import ClubFactory, PlayerFactory, UserFactory, member

pytestmark = pytest.mark.django_db


def new_match(length: int = 3) -> tuple[Match, Author]:
    """A match between two players with logins, and White as the author."""
    user, other = UserFactory.create(), UserFactory.create()
    white = PlayerFactory.create(name="Ana", user=user)
    black = PlayerFactory.create(name="Ben", user=other)
    match = open_match(club=ClubFactory.create(), white=[white], black=[black], length=length, user=user)
    return Match.objects.with_players().select_related("sheet").get(pk=match.pk), Author(user, side="white")


def test_entries_are_appended_in_order_and_replayed_from_the_stored_state() -> None:
    match, author = new_match()
    entries: list[Entry[Event]] = [
        Entry("a", OpeningRolled(3, 1)),
        Entry("b", Played((Move(8, 5), Move(6, 5)))),
        Entry("c", Rolled(Roll(6, 5))),
    ]
    match = record(match=match, author=author, after=1, entries=entries)
    assert damage_of(match.sheet) is None
    rows = SheetEvent.objects.filter(sheet=match.sheet).order_by("seq")
    assert list(rows.values_list("seq", "client_key", "side", "notation")) == [
        (1, "start", "", ""),
        (2, "a", "", "3-1"),
        (3, "b", "white", "31: 8/5 6/5"),
        (4, "c", "black", "65"),
    ]


def test_a_repeated_key_is_answered_and_never_applied_twice() -> None:
    match, author = new_match()
    first: list[Entry[Event]] = [Entry("a", OpeningRolled(3, 1))]
    record(match=match, author=author, after=1, entries=first)
    record(match=match, author=author, after=1, entries=first)
    longer = [*first, Entry("b", Played((Move(8, 5), Move(6, 5))))]
    match = record(match=match, author=author, after=1, entries=longer)
    assert match.sheet.head_seq == 3
    with pytest.raises(EntryRefused, match="is already used for another event"):
        record(match=match, author=author, after=3, entries=[Entry("a", OpeningRolled(5, 1))])


def test_an_entry_that_follows_anything_but_the_head_is_a_conflict() -> None:
    match, author = new_match()
    record(match=match, author=author, after=1, entries=[Entry("a", OpeningRolled(3, 1))])
    with pytest.raises(ConflictRefused):
        record(match=match, author=author, after=1, entries=[Entry("b", OpeningRolled(4, 2))])


def test_all_entries_of_a_call_are_written_or_none() -> None:
    match, author = new_match()
    entries: list[Entry[Event]] = [
        Entry("a", OpeningRolled(3, 1)),
        Entry("b", Played((Move(8, 4), Move(6, 5)))),
    ]
    with pytest.raises(EntryRefused) as refused:
        record(match=match, author=author, after=1, entries=entries)
    assert refused.value.at == 1
    assert isinstance(refused.value.error, IllegalPlay)
    assert SheetEvent.objects.filter(sheet=match.sheet).count() == 1


def test_the_last_game_ends_the_match_and_an_undo_opens_it_again() -> None:
    match, author = new_match(length=1)
    won = Entry("a", GameRecorded(Side.WHITE, Win.SINGLE, 1, GameEnd.BORNE_OFF))
    match = record(match=match, author=author, after=1, entries=[won])
    match.refresh_from_db()
    assert match.status == MatchStatus.FINISHED
    assert (match.result.winner, match.result.white_points, match.result.final_at) == ("white", 1, None)
    match = undo_last(match=match, author=author, after=2, key="undo")
    assert match.status == MatchStatus.PLAYING
    assert damage_of(match.sheet) is None


def test_the_view_of_a_new_match() -> None:
    match, author = new_match()
    assert author.user is not None
    view = view_for(match.sheet, match, writer(match, author.user))
    assert (view["seq"], view["status"], view["may_write"]) == (1, "playing", True)
    assert view["white"] == {
        "name": "Ana",
        "points": 0,
        "raw": 0,
        "away": 3,
        "penalty_points": 0,
        "clock_ms": None,
    }
    assert [action["kind"] for action in view["actions"]][:2] == ["opening_roll", "game_result"]
    watching = writer(match, member(match.club, Role.MEMBER))
    assert view_for(match.sheet, match, watching)["may_write"] is False
