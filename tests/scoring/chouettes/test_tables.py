"""A night at a table through the services: who sits, what is written, what it comes to in rows."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.db import IntegrityError, connection

from scoring.chouettes.services.chouettes import record
from scoring.chouettes.services.corrections import correct, undo_last
from scoring.chouettes.services.damage import damage_of
from scoring.chouettes.services.tables import (
    add_to_table,
    join_as_guest,
    join_table,
    open_table,
    renew_code,
    table_of,
)
from scoring.log.queries.chouettes import seen_table
from scoring.models import ChouetteGame, ChouetteMoment, ChouettePlayer, Ledger
from scoring.players.services.newcomers import Newcomer
from scoring.profiles.queries.houses import BUILT_IN
from scoring.rules.chouette.events import (
    Agreed,
    GameBegun,
    GameOver,
    Joined,
    LeftTable,
    Nothing,
    Offered,
    OptionsChanged,
    SessionClosed,
    SessionStarted,
    StakeSet,
)
from scoring.rules.chouette.options import ChouetteOptions
from scoring.rules.errors import IllegalAction, InvalidValue
from scoring.rules.events import OpeningRolled
from scoring.rules.match import Win
from scoring.sheets.services.entries import ConflictRefused, Entry, EntryRefused
from scoring.sheets.services.refolds import CorrectionRefused
from tests.factories import ClubFactory
from tests.scoring.chouettes.tables import Night
from tests.scoring.sheets.writing import two_players, write

pytestmark = pytest.mark.django_db


def ledgers(night):
    rows = Ledger.objects.filter(game__chouette=night.chouette).order_by("game__number", "pk")
    names = {ref: name for name, ref in night.refs.items()}
    found: dict[int | None, dict[str, tuple[int, int]]] = {}
    for number, ref, points, minor in rows.values_list("game__number", "player__ref", "points", "minor"):
        found.setdefault(number, {})[names[ref]] = (points, minor)
    return found


def test_a_game_is_settled_into_rows_that_sum_to_zero():
    night = Night(3)
    night.write(GameBegun(), night.offer("Jon"), night.answer("Ana", takes="Jon"))
    night.write(night.offer("Eva"), night.answer("Ana", passes="Eva"))
    night.write(GameOver(box_won=True, win=Win.GAMMON))
    assert ledgers(night) == {1: {"Ana": (3, 300), "Jon": (-4, -400), "Eva": (1, 100)}}
    game = ChouetteGame.objects.get(chouette=night.chouette)
    assert (game.number, game.end_seq, game.finished_at is not None) == (1, night.head, True)
    assert damage_of(night.loaded.sheet) is None


def test_who_joins_late_sits_at_the_bottom_and_pays_only_from_then_on():
    night = Night(3)
    night.play()
    night.write(GameBegun())
    night.sit("Leo", stake=50)
    night.write(GameOver(box_won=False, win=Win.SINGLE))
    night.play()
    assert "Leo" not in ledgers(night)[2]
    assert "Leo" in ledgers(night)[3]
    assert sum(minor for _points, minor in night.balances().values()) == 0


def test_a_repeated_call_is_answered_as_the_first_time():
    night = Night(3)
    head, entries = night.head, [Entry("one", GameBegun())]
    for _twice in range(2):
        record(chouette=night.chouette, author=night.author(), after=head, entries=entries)
    assert night.head == head + 1
    with pytest.raises(EntryRefused):
        record(
            chouette=night.chouette,
            author=night.author(),
            after=head,
            entries=[Entry("one", SessionClosed())],
        )


def test_who_is_behind_is_told():
    night = Night(3)
    with pytest.raises(ConflictRefused) as behind:
        record(
            chouette=night.chouette,
            author=night.author(),
            after=night.head - 1,
            entries=[Entry("late", GameBegun())],
        )
    assert behind.value.seq == night.head


def test_of_several_entries_all_are_written_or_none():
    night = Night(3)
    head = night.head
    with pytest.raises(EntryRefused) as refused:
        night.write(GameBegun(), night.offer("Jon"), night.offer("Jon"))
    assert (refused.value.at, refused.value.error.code) == (2, "answer_first")
    assert night.head == head


def test_a_correction_in_an_earlier_game_rewrites_the_ledgers_after_it():
    night = Night(3)
    night.play()
    over = night.head
    night.play()
    before = ledgers(night)
    assert before[2]["Ana"] == (2, 200)
    correct(
        chouette=night.chouette,
        author=night.author("Jon"),
        after=night.head,
        key="c",
        seq=over,
        event=GameOver(box_won=False, win=Win.GAMMON),
        reason="it was the captain who won",
    )
    assert ledgers(night)[1] == {"Ana": (-2, -200), "Jon": (1, 100), "Eva": (1, 100)}
    # Jon is the box of the second game now, and won it.
    assert ledgers(night)[2]["Jon"] == (2, 200)
    assert damage_of(night.loaded.sheet) is None


def test_undo_takes_the_ledger_of_a_game_away():
    night = Night(3)
    night.play()
    undo_last(chouette=night.chouette, author=night.author(), after=night.head, key="u")
    assert ledgers(night) == {}
    assert ChouetteGame.objects.get(chouette=night.chouette).end_seq is None
    undo_last(chouette=night.chouette, author=night.author(), after=night.head, key="v")
    assert not ChouetteGame.objects.filter(chouette=night.chouette).exists()
    assert (
        undo_last(chouette=night.chouette, author=night.author(), after=0, key="v").sheet.head_seq
        == night.head
    )
    assert damage_of(night.loaded.sheet) is None


def test_a_correction_that_breaks_what_follows_names_it_and_cuts_only_when_told():
    night = Night(3)
    night.write(GameBegun(), night.offer("Jon"), night.answer("Ana", takes="Jon"))
    begun = night.head - 2
    asked: dict[str, Any] = {
        "chouette": night.chouette, "author": night.author(), "after": night.head, "key": "c", "seq": begun,
        "event": Nothing(), "reason": "not yet",
    }  # fmt: skip
    with pytest.raises(CorrectionRefused) as misfit:
        correct(**asked)
    assert misfit.value.seq == begun + 1
    correct(**asked, cut=True)
    assert night.state.game is None
    assert not ChouetteGame.objects.filter(chouette=night.chouette).exists()
    assert damage_of(night.loaded.sheet) is None


def test_a_game_whose_beginning_is_taken_away_gives_its_number_to_the_next():
    night = Night(3)
    for _game in range(3):
        night.play()
    first = ChouetteGame.objects.get(chouette=night.chouette, number=1)
    # Two corrections: the end alone cannot go, for the second game begins after it.
    assert first.end_seq is not None
    with pytest.raises(CorrectionRefused):
        correct(
            chouette=night.chouette, author=night.author(), after=night.head, key="b", seq=first.end_seq,
            event=Nothing(), reason="never played",
        )  # fmt: skip
    second = ChouetteGame.objects.get(chouette=night.chouette, number=2)
    correct(
        chouette=night.chouette, author=night.author(), after=night.head, key="c", seq=second.begun_seq,
        event=Nothing(), reason="never played", cut=True,
    )  # fmt: skip
    assert list(ledgers(night)) == [1]
    assert damage_of(night.loaded.sheet) is None


def test_the_start_stays_and_a_correction_needs_a_reason():
    night = Night(3)
    night.play()
    change: dict[str, Any] = {
        "chouette": night.chouette,
        "author": night.author(),
        "after": night.head,
        "key": "c",
    }
    with pytest.raises(EntryRefused, match="the start cannot be corrected"):
        correct(**change, seq=1, event=Nothing(), reason="x")
    with pytest.raises(EntryRefused, match="needs a reason"):
        correct(**change, seq=night.head, event=GameOver(box_won=False, win=Win.SINGLE), reason=" ")
    with pytest.raises(EntryRefused, match="there is no event"):
        correct(**change, seq=99, event=Nothing(), reason="x")


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (SessionStarted(BUILT_IN["house"].options), "not_an_entry"),
        (Nothing(), "not_an_entry"),
        (OptionsChanged(BUILT_IN["house"].options, "Ana's own words"), "no_house"),
        (OptionsChanged(ChouetteOptions(max_cube=2), "house"), "other_rules"),
        (Joined("2222222222", 1), "unknown_player"),
        (Agreed("2222222222"), "not_seated"),
    ],
)
def test_what_is_no_entry_is_refused(event, code):
    with pytest.raises(EntryRefused) as refused:
        Night(3).write(event)
    assert refused.value.error.code == code


def test_amounts_that_no_ledger_holds_are_refused():
    night = Night(3)
    with pytest.raises(EntryRefused, match="above the limit"):
        night.write(StakeSet(night.refs["Ana"], 10**12))


def test_the_night_ends_with_its_code_and_goes_on_with_another():
    night = Night(3)
    code = night.loaded.code
    assert table_of(f" {code[:5]}-{code[5:].lower()} ") == night.chouette
    night.write(SessionClosed())
    assert (night.loaded.status, night.loaded.code) == ("closed", "")
    assert table_of(code) is None
    assert table_of("") is None
    assert table_of("\x00") is None
    with pytest.raises(IllegalAction):
        renew_code(chouette=night.chouette, author=night.author())
    undo_last(chouette=night.chouette, author=night.author(), after=night.head, key="u")
    again = night.loaded
    assert (again.status, len(again.code), again.code != code) == ("open", 10, True)
    assert renew_code(chouette=again, author=night.author()) != again.code


def test_who_left_comes_back_by_the_code_and_twice_is_once():
    night = Night(3)
    night.write(LeftTable(night.refs["Eva"]))
    assert night.state.line == (night.refs["Ana"], night.refs["Jon"])
    again = join_table(chouette=night.chouette, user=night.users["Eva"])
    assert (again.ref, night.state.line[-1]) == (night.refs["Eva"], again.ref)
    head = night.head
    join_table(chouette=night.chouette, user=night.users["Eva"])
    assert night.head == head


def test_a_guest_sits_down_once_a_phone_and_writes():
    night = Night(3)
    session = SessionStore()
    row = join_as_guest(chouette=night.chouette, name=" Gus  Guest ", session=session, stake=20)
    assert (row.player.name, night.state.seats[-1].stake) == ("Gus Guest", 20)
    assert join_as_guest(chouette=night.chouette, name="Other", session=session) == row
    seen = seen_table(AnonymousUser(), night.chouette.ref, session)
    assert seen is not None
    assert (seen.me, seen.author.claim) == (row, row.claim)
    record(chouette=night.chouette, author=seen.author, after=night.head, entries=[Entry("g", GameBegun())])
    assert night.loaded.sheet.events.get(client_key="g").claim == row.claim
    with pytest.raises(InvalidValue):
        join_as_guest(chouette=night.chouette, name=" ", session=SessionStore())


def test_a_scorer_seats_somebody_without_a_phone():
    night = Night(3)
    row = add_to_table(chouette=night.chouette, author=night.author(), newcomer=Newcomer(name="Old Bob"))
    assert night.state.seat(row.ref).agreed
    other = night.sit("Leo")
    with pytest.raises(IllegalAction, match="Leo"):
        add_to_table(chouette=night.chouette, author=night.author(), newcomer=Newcomer(ref=other.player.ref))
    with pytest.raises(InvalidValue, match="there is no player"):
        add_to_table(chouette=night.chouette, author=night.author(), newcomer=Newcomer(ref="2222222222"))


def test_a_scorer_without_a_line_names_a_newcomer_and_goes_on():
    night = Night(3)
    head = night.head
    entries = [
        Entry("a", Joined("abcdefghjk", 30)),
        Entry("b", Agreed("abcdefghjk")),
        Entry("c", GameBegun()),
        Entry("d", Offered("abcdefghjk", ("abcdefghjk",))),
    ]
    asked: dict[str, Any] = {
        "chouette": night.chouette, "author": night.author(), "after": head, "entries": entries,
        "newcomers": {"abcdefghjk": Newcomer(name="Late Leo")},
    }  # fmt: skip
    for _twice in range(2):
        record(**asked)
    assert night.head == head + 4
    assert ChouettePlayer.objects.get(ref="abcdefghjk").player.name == "Late Leo"
    with pytest.raises(EntryRefused, match="is not a ref for a player"):
        record(
            chouette=night.chouette, author=night.author(), after=night.head,
            entries=[Entry("e", Joined("x", 0))], newcomers={"x": Newcomer(name="X")},
        )  # fmt: skip


def test_what_happens_to_the_cubes_is_tied_to_the_board_of_the_game():
    night = Night(3)
    night.write(GameBegun())
    board = two_players(0)
    ChouetteGame.objects.filter(chouette=night.chouette, number=1).update(match=board)
    night.write(night.offer("Jon"))
    write(board, OpeningRolled(3, 1))
    night.write(night.answer("Ana", takes="Jon"))
    moments = ChouetteMoment.objects.filter(event__sheet=night.loaded.sheet).order_by("event__seq")
    assert list(moments.values_list("event__kind", "board_seq")) == [("offer", 1), ("answer", 2)]
    for key in "abc":
        undo_last(chouette=night.chouette, author=night.author(), after=night.head, key=key)
    kept = ChouetteGame.objects.get(chouette=night.chouette)
    assert (kept.number, kept.match) == (None, board)
    night.play()
    assert ChouetteGame.objects.get(chouette=night.chouette, number=1) != kept
    assert damage_of(night.loaded.sheet) is None


def test_a_table_for_points_has_no_stakes():
    night = Night(3, club=ClubFactory.create(points_only=True), stake=0)
    night.play(box_won=False, win=Win.GAMMON)
    assert ledgers(night)[1]["Ana"] == (-2, 0)
    with pytest.raises(EntryRefused, match="points only"):
        night.write(StakeSet(night.refs["Ana"], 5))
    with pytest.raises(IllegalAction, match="points only"):
        open_table(club=night.club, user=night.users["Ana"], title="x", house=BUILT_IN["house"], stake=1)


@pytest.mark.parametrize(("title", "stake"), [("", 1), ("x" * 81, 1), ("x", -1), ("x", 10**9), ("\x00", 1)])
def test_a_table_that_cannot_be_is_not_opened(title, stake):
    night = Night(3)
    with pytest.raises(InvalidValue):
        open_table(
            club=night.club, user=night.users["Ana"], title=title, house=BUILT_IN["house"], stake=stake
        )


def test_the_database_refuses_a_ledger_that_does_not_sum_to_zero():
    night = Night(3)
    night.play()
    Ledger.objects.filter(game__chouette=night.chouette, points__gt=0).update(points=7)
    with pytest.raises(IntegrityError, match="not to zero"):
        connection.check_constraints()


def test_a_ledger_that_was_changed_by_hand_shows():
    night = Night(3)
    night.play()
    one, other = Ledger.objects.filter(game__chouette=night.chouette).order_by("pk")[:2]
    Ledger.objects.filter(pk=one.pk).update(points=one.points + 1)
    Ledger.objects.filter(pk=other.pk).update(points=other.points - 1)
    damage = damage_of(night.loaded.sheet)
    assert damage is not None
    assert damage.what == "the rows of game 1 do not match the log"
