"""Check a stored rating list against a full replay of its log."""

from django.db import transaction

from scoring.models import RatingList
from scoring.ratings.services.rating_rows import differences, staging
from scoring.ratings.services.ratings import follow_waiting_for_now, stage_log


def wrong_rows(rating_list: RatingList) -> int:
    """Count rows that differ from a replay in any bit; changes nothing.

    Results that wait to be followed are followed first, as a worker will; that is taken back at the end. What
    they write again counts as right.
    """
    with transaction.atomic():
        follow_waiting_for_now(rating_list)
        with staging():
            stage_log(rating_list)
            found = differences(rating_list)
        transaction.set_rollback(True)
    return found
