"""Trying again what somebody else came between."""

import pytest
from django.db import transaction

from clubs.attempts import MOST_ATTEMPTS, MovedError, NeverSettledError, settled
from clubs.models import Club
from tests.factories import ClubFactory

pytestmark = pytest.mark.django_db


def test_an_attempt_is_made_again_until_nobody_came_between():
    made = []

    def attempt() -> str:
        made.append(ClubFactory.create().pk)
        if len(made) < 3:
            raise MovedError
        return "settled"

    with transaction.atomic():
        assert settled(attempt) == "settled"
    assert list(Club.objects.values_list("pk", flat=True)) == made[2:]


def test_attempts_have_a_bound_and_leave_nothing_behind():
    made = []

    def attempt() -> None:
        made.append(ClubFactory.create())
        raise MovedError

    with transaction.atomic(), pytest.raises(NeverSettledError, match="after 20 attempts"):
        settled(attempt)
    assert len(made) == MOST_ATTEMPTS
    assert not Club.objects.exists()


def test_another_error_is_not_tried_again():
    made = []

    def attempt() -> None:
        made.append(1)
        raise ValueError("no such club")

    with pytest.raises(ValueError, match="no such club"):
        settled(attempt)
    assert made == [1]
