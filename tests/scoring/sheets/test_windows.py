"""The end of an objection window against everything that may come at the same moment."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils.timezone import now

from clubs.models import Role, WorkStatus
from clubs.work import services as work
from scoring.chouettes.services.damage import damage_of
from scoring.models import Match, MatchStatus, ObjectionWindow
from scoring.rules.events import LengthSet
from scoring.rules.sides import Side
from scoring.sheets.services.corrections import correct, undo_last
from scoring.sheets.services.entries import EntryRefused
from scoring.sheets.services.results import (
    ConfirmationRefused,
    close_objection_window,
    confirm_result,
    object_to_result,
)
from scoring.signals import result_changed
from scoring.tasks import close_window
from tests.factories import member
from tests.races import at_once
from tests.scoring.sheets.writing import author, loaded, two_players, win, write

REFUSALS = (ConfirmationRefused, EntryRefused)


def due(match: Match) -> ObjectionWindow:
    """The match's window, its time over."""
    ObjectionWindow.objects.filter(match=match).update(available_at=now() - timedelta(seconds=1))
    return ObjectionWindow.objects.get(match=match)


def _confirm(match: Match) -> None:
    confirm_result(match=match, user=author(match, "black").user, as_director=False)


def _direct(match: Match) -> None:
    confirm_result(match=match, user=member(match.club, Role.DIRECTOR), as_director=True)


def _object(match: Match) -> None:
    object_to_result(match=match, side="black", user=author(match, "black").user)


def _undo(match: Match) -> None:
    undo_last(match=match, author=author(match, "black"), after=2, key="u")


def _correct(match: Match) -> None:
    who = author(match, "black")
    correct(match=match, author=who, after=2, key="c", seq=2, event=win(Side.BLACK), reason="I won")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("meanwhile", [_confirm, _direct, _object, _undo, _correct])
def test_a_window_ends_at_the_moment_of_somebodys_word(meanwhile: Callable[[Match], None]) -> None:
    match = write(two_players(1), win(Side.WHITE))
    window = due(match)
    heard: list[Any] = []

    def hear(after: Any, **_signal: Any) -> None:
        heard.append(after)

    result_changed.connect(hear, sender=Match)
    try:
        outcomes = at_once(
            lambda: close_window(window.ref), lambda: close_window(window.ref), lambda: meanwhile(match)
        )
    finally:
        result_changed.disconnect(hear, sender=Match)
    assert outcomes[:2] == [None, None]
    assert outcomes[2] is None or isinstance(outcomes[2], REFUSALS)
    match = loaded(match)
    window.refresh_from_db()
    assert window.status == WorkStatus.DONE
    assert sum(after.final for after in heard) == int(match.result.final_at is not None)
    if match.result.final_at is not None:
        assert (match.status, match.result.winner, match.result.revision) == (
            MatchStatus.FINISHED,
            "white",
            1,
        )
    assert damage_of(match.sheet) is None


@pytest.mark.django_db
def test_a_worker_that_is_lost_while_the_window_ends_leaves_it_to_the_next() -> None:
    match = write(two_players(1), win(Side.WHITE))
    due(match)
    killed = work.claim(ObjectionWindow)
    assert killed is not None
    ObjectionWindow.objects.update(lease_until=now() - timedelta(seconds=1))
    (window,) = work.requeue_lost(ObjectionWindow)
    close_window(window.ref)
    assert loaded(match).result.final_by == "window"
    with pytest.raises(work.WorkLostError):
        close_objection_window(killed)


@pytest.mark.django_db
def test_the_window_of_a_result_that_was_taken_back_makes_no_later_one_final() -> None:
    match = write(two_players(2), win(Side.WHITE), win(Side.WHITE))
    first = due(match)
    undo_last(match=match, author=author(match, "white"), after=3, key="u")
    match = write(match, win(Side.WHITE))
    close_window(first.ref)
    assert loaded(match).result.final_at is None
    match = write(match, LengthSet(3, "", "it was to 3"))
    ObjectionWindow.objects.update(available_at=now() - timedelta(seconds=1))
    for window in ObjectionWindow.objects.filter(status=WorkStatus.QUEUED):
        close_window(window.ref)
    match = loaded(match)
    assert (match.status, match.result.final_at) == (MatchStatus.PLAYING, None)
