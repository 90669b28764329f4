"""Whose yes makes a result final, by the match's report policy."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils.timezone import now

from clubs.models import Role, User, WorkStatus
from clubs.work import services as work
from scoring.chouettes.services.damage import damage_of
from scoring.log.queries.writers import Author
from scoring.log.services.sheets import state_of
from scoring.matches.queries.matches import waiting_for
from scoring.models import Match, MatchStatus, ObjectionWindow
from scoring.rules.endings import Ending
from scoring.rules.events import (
    LengthSet,
    MatchEnded,
    PenaltyGiven,
    PositionSet,
    Resigned,
    Resumed,
    Suspended,
)
from scoring.rules.match import Win
from scoring.rules.position import Position
from scoring.rules.profiles import BUILT_IN, ReportPolicy
from scoring.rules.sides import Side
from scoring.sheets.queries.scoresheet import view_for
from scoring.sheets.services.corrections import correct, undo_last
from scoring.sheets.services.entries import Entry, EntryRefused, record
from scoring.sheets.services.results import (
    ConfirmationRefused,
    close_objection_window,
    confirm_result,
    object_to_result,
)
from scoring.signals import result_changed
from scoring.tasks import close_window
from tests.factories import member
from tests.scoring.factories import finish_match
from tests.scoring.sheets.writing import author, loaded, two_players, win, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def announced():
    """What ``result_changed`` told, in order: (before, after)."""
    heard: list[Any] = []

    def hear(before: Any, after: Any, **_signal: Any) -> None:
        heard.append((before, after))

    result_changed.connect(hear, sender=Match)
    yield heard
    result_changed.disconnect(hear, sender=Match)


def played(policy: ReportPolicy) -> Match:
    return write(two_players(1, replace(BUILT_IN["us"], report=policy)), win(Side.WHITE))


def confirmed(match: Match, colour: str) -> Match:
    confirm_result(match=match, user=author(match, colour).user, as_director=False)
    return loaded(match)


def user_of(match: Match, colour: str) -> User:
    user = author(match, colour).user
    assert user is not None
    return user


def director_of(match: Match) -> Author:
    return Author(member(match.club, Role.DIRECTOR), directs=True)


def result_view(match: Match, colour: str = "white") -> dict[str, Any]:
    view: dict[str, Any] = view_for(match.sheet, match, author(match, colour))["result"]
    return view


def test_where_the_winner_reports_the_loser_confirms() -> None:
    match = played(ReportPolicy.WINNER_REPORTS)
    assert match.status == MatchStatus.FINISHED
    assert (result_view(match)["waiting_for"], result_view(match)["may_confirm"]) == (["Ben"], False)
    assert result_view(match, "black")["may_confirm"] is True
    assert list(waiting_for(user_of(match, "white"))) == []
    assert list(waiting_for(user_of(match, "black"))) == [match]
    match = confirmed(match, "white")
    assert match.result.final_at is None
    match = confirmed(match, "black")
    assert (match.result.final_by, result_view(match)["final"]) == ("confirmed", True)


def test_where_both_confirm_one_is_not_enough() -> None:
    match = confirmed(played(ReportPolicy.BOTH), "black")
    assert (match.result.final_at, result_view(match)["waiting_for"]) == (None, ["Ana"])
    assert confirmed(match, "white").result.final_at


def test_at_the_desk_only_a_director_confirms() -> None:
    match = played(ReportPolicy.DESK)
    assert result_view(match)["waiting_for"] == ["a director"]
    assert list(waiting_for(user_of(match, "black"))) == []
    with pytest.raises(ConfirmationRefused, match="Only directors can confirm"):
        confirmed(match, "black")
    confirm_result(match=match, user=director_of(match).user, as_director=True)
    assert loaded(match).result.final_by == "director"


def test_a_directors_entry_is_final_at_once_and_announced_once(announced) -> None:
    match = two_players(1)
    record(match=match, author=director_of(match), after=1, entries=[Entry("a", win(Side.BLACK))])
    assert loaded(match).result.final_by == "director"
    assert [(before, after.winner, after.final) for before, after in announced] == [(None, "black", True)]


def test_a_result_that_is_recorded_and_confirmed_at_once_is_announced_once(announced) -> None:
    finish_match(two_players(1), "white")
    assert [(before, after.final) for before, after in announced] == [(None, True)]


def test_a_result_that_is_taken_back_is_announced(announced) -> None:
    match = played(ReportPolicy.WINNER_REPORTS)
    undo_last(match=match, author=author(match, "white"), after=2, key="u")
    assert [(after.winner, after.ended) for _before, after in announced] == [("white", "played"), ("", "")]
    match = loaded(match)
    assert (match.status, match.result.objection_until) == (MatchStatus.PLAYING, None)
    assert view_for(match.sheet, match, None)["result"] is None


def test_the_objection_window_closes_by_itself() -> None:
    match = played(ReportPolicy.WINNER_REPORTS)
    window = ObjectionWindow.objects.get(match=match)
    assert window.available_at == match.result.objection_until
    close_window(window.ref)
    assert loaded(match).result.final_at is None
    ObjectionWindow.objects.update(available_at=now() - timedelta(seconds=1))
    close_window(window.ref)
    assert loaded(match).result.final_by == "window"
    window.refresh_from_db()
    assert window.status == WorkStatus.DONE


def test_an_objection_keeps_the_result_open_until_a_director_settles_it() -> None:
    match = played(ReportPolicy.WINNER_REPORTS)
    object_to_result(match=match, side="black", user=author(match, "black").user, reason="I won that game.")
    ObjectionWindow.objects.update(available_at=now() - timedelta(seconds=1))
    window = work.claim(ObjectionWindow)
    assert window is not None
    close_objection_window(window)
    match = loaded(match)
    view = result_view(match)
    assert (view["final"], view["disputed_by"], view["dispute_until"]) == (False, ["Ben"], None)
    assert view["waiting_for"] == ["Ben", "a director"]
    confirm_result(match=match, user=director_of(match).user, as_director=True)
    assert loaded(match).result.final_at


def test_a_later_yes_takes_the_objection_back() -> None:
    match = played(ReportPolicy.WINNER_REPORTS)
    object_to_result(match=match, side="black", user=author(match, "black").user)
    assert confirmed(match, "black").result.final_by == "confirmed"


def test_a_corrected_result_is_confirmed_anew_and_has_a_new_window() -> None:
    match = played(ReportPolicy.WINNER_REPORTS)
    correct(
        match=match,
        author=author(match, "white"),
        after=2,
        key="c",
        seq=2,
        event=win(Side.BLACK),
        reason="no",
    )
    match = loaded(match)
    assert (match.result.revision, result_view(match)["waiting_for"]) == (2, ["Ana"])
    assert ObjectionWindow.objects.filter(match=match).count() == 2


@pytest.mark.parametrize("reason", [Ending.TIME, Ending.RETIRED, Ending.NO_SHOW])
def test_a_match_ends_otherwise_than_by_its_score(reason) -> None:
    match = write(two_players(5), MatchEnded(reason, Side.BLACK))
    assert (match.status, match.result.winner, match.result.ended) == ("finished", "black", reason.value)


@pytest.mark.parametrize(
    "event",
    [
        MatchEnded(Ending.DISQUALIFIED, Side.BLACK),
        MatchEnded(Ending.VOID),
        PenaltyGiven(Side.BLACK, 1, "late"),
    ],
)
def test_what_a_director_decides_is_a_directors_to_enter(event) -> None:
    match = two_players(5)
    with pytest.raises(EntryRefused, match="only directors can"):
        write(match, event)
    record(match=match, author=director_of(match), after=1, entries=[Entry("a", event)])
    assert loaded(match).sheet.head_seq == 2


def test_free_text_is_in_a_note_and_not_in_the_log() -> None:
    match = two_players(5)
    entries = [Entry("a", PenaltyGiven(Side.BLACK, 1, "Ben was late"))]
    record(match=match, author=director_of(match), after=1, entries=entries)
    record(match=match, author=director_of(match), after=1, entries=entries)
    match = loaded(match)
    row = match.sheet.events.get(seq=2)
    assert "Ben" not in str(row.body)
    assert row.note is not None
    assert (row.note.text, row.note_digest) == ("Ben was late", row.note.digest)
    assert view_for(match.sheet, match, None)["lines"][-1]["note"] == "Ben was late"
    type(row).objects.filter(pk=row.pk).update(note_digest="0" * 64)
    damage = damage_of(match.sheet)
    assert damage is not None
    assert damage.seq == 2


def test_a_match_is_suspended_resumed_and_made_longer() -> None:
    match = write(two_players(3), win(Side.WHITE), Suspended())
    with pytest.raises(EntryRefused, match="suspended"):
        write(match, win(Side.WHITE))
    match = write(match, Resumed(), win(Side.WHITE), win(Side.BLACK), win(Side.WHITE))
    assert match.status == MatchStatus.FINISHED
    match = write(match, LengthSet(5, "x", "it was to 5"))
    assert (match.status, match.length, state_of(match.sheet).score.length) == ("playing", 5, 5)


def test_a_gammon_of_a_side_that_has_borne_off_is_refused() -> None:
    off = PositionSet(Position.from_points({6: 5, 0: 10}, {6: 14, 0: 1}), "test", on_roll=Side.WHITE)
    match = write(two_players(5), off)
    with pytest.raises(EntryRefused, match="borne off"):
        write(match, Resigned(Side.BLACK, Win.GAMMON))
    with pytest.raises(EntryRefused, match="borne off"):
        write(match, win(Side.WHITE, Win.GAMMON))
    assert write(match, win(Side.WHITE)).sheet.head_seq == 3
