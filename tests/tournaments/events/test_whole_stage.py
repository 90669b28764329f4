"""What is read by statements that are written out is what Django's own queries read."""

from typing import Any

import pytest
from django.db.models import Model
from django.db.transaction import TransactionManagementError

from clubs.models import Role
from scoring.log.services.sheets import hold_match
from scoring.models import Match, Sheet
from tests.factories import PlayerFactory, UserFactory, member
from tests.tournaments.factories import an_event, drawn, pairing, win
from tournaments.events.queries.whole_stage import stage_for_update, stage_to_follow
from tournaments.models import PairingRow, StageRow
from tournaments.models.stage import FOLLOWED
from tournaments.stages.queries.stage_rows import entrants_at, pairings_at

pytestmark = pytest.mark.django_db


def loaded(row: Model) -> dict[str, object]:
    """The columns that were read, by name."""
    fields = [field.attname for field in row._meta.concrete_fields]
    return {name: getattr(row, name) for name in fields if name not in row.get_deferred_fields()}


def chain(stage: StageRow) -> list[dict[str, object]]:
    event = stage.flight.event
    return [loaded(row) for row in (stage, stage.flight, event, event.club)]


def test_a_stage_is_locked_as_it_is_with_all_that_it_hangs_on(django_assert_num_queries: Any) -> None:
    stage = drawn(an_event(4))
    with django_assert_num_queries(1):
        found = chain(stage_for_update(stage.pk))
    whole = StageRow.objects.select_related("flight__event__club").get(pk=stage.pk)
    assert found == chain(whole)
    with pytest.raises(StageRow.DoesNotExist, match="stage 0 no longer exists"):
        stage_for_update(0)


@pytest.mark.django_db(transaction=True)
def test_a_stage_is_not_locked_outside_a_transaction() -> None:
    stage = drawn(an_event(2))
    with pytest.raises(TransactionManagementError):
        stage_for_update(stage.pk)


def test_a_stage_is_followed_with_what_that_needs_and_the_role_of_who_asks(
    django_assert_num_queries: Any,
) -> None:
    stage = drawn(an_event(4))
    with django_assert_num_queries(1):
        found, role = stage_to_follow(stage.ref)
        assert found is not None
        followed = chain(found)
    needed = StageRow.objects.select_related("flight__event__club").only(*FOLLOWED).get(pk=stage.pk)
    assert (followed, role) == (chain(needed), None)
    director, stranger = member(stage.flight.event.club, Role.DIRECTOR), UserFactory.create()
    PlayerFactory.create(user=stranger)
    assert stage_to_follow(stage.ref, director.pk)[1] == Role.DIRECTOR
    assert stage_to_follow(stage.ref, stranger.pk)[1] is None
    assert stage_to_follow("2222222222") == (None, None)


def test_a_match_is_held_with_its_result_or_without_one(django_assert_num_queries: Any) -> None:
    stage = drawn(an_event(4))
    win(pairing(stage, 1), member(stage.flight.event.club, Role.DIRECTOR))
    for number, has_result in ((1, True), (2, False)):
        wanted = Match.objects.get(board__pairing__stage=stage, board__pairing__number=number)
        with django_assert_num_queries(2):
            match = hold_match(Sheet.objects.filter(pk=wanted.sheet_id))
            result = getattr(match, "result", None)
        assert loaded(match) == loaded(wanted)
        assert (result is not None) == has_result
        if result is not None:
            assert (loaded(result), result.match) == (loaded(wanted.result), match)
    sheet = Sheet.objects.create(club=stage.flight.event.club)
    with pytest.raises(Match.DoesNotExist, match="is of no match"):
        hold_match(Sheet.objects.filter(pk=sheet.pk))


def test_the_pairings_and_the_entrants_of_numbers_are_those_that_hold() -> None:
    stage = drawn(an_event(4))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    for number in (1, 2):
        win(pairing(stage, number), director)
    win(pairing(stage, 1), director, a=False, reason="Misheard.", decided=True)  # another final
    assert PairingRow.objects.filter(stage=stage, number=3).count() == 2
    found = pairings_at(stage, [1, 3])
    assert {n: loaded(row) for n, row in found.items()} == {n: loaded(pairing(stage, n)) for n in (1, 3)}
    assert pairings_at(stage, []) == {}
    assert entrants_at(stage, [1, 4, 9]) == dict(
        stage.numbers.filter(number__in=[1, 4]).values_list("number", "entrant_id")
    )
