"""What follows when a match's result changes, or when two players turn out to be one."""

from typing import Any

from django.dispatch import receiver
from django.utils.translation import gettext as _

from clubs.services.merging import on_merge
from scoring.models import Match
from scoring.ratings.policy import Ending
from scoring.services.results import ResultValue
from scoring.signals import ResultRefusedError, result_changed
from tournaments.models import PairingState
from tournaments.services.merging import move_entries
from tournaments.services.outcomes import follow_match
from tournaments.services.stages import pairing_of

on_merge(move_entries)


@receiver(result_changed, sender=Match, dispatch_uid="draws follow results")
def follow_result(match: Match, after: ResultValue | None, **_signal: Any) -> None:
    """The pairing's outcome, and whoever it leads to next, in the transaction of the result."""
    pairing = pairing_of(match)
    if pairing is None:
        return
    if pairing.state != PairingState.REPLACED:
        follow_match(match=match, pairing=pairing, result=after, user=None)
    elif after is None or after.ended != Ending.VOID:
        raise ResultRefusedError(
            _("The draw has changed since: this match counts for nothing any more."), code="replaced"
        )
