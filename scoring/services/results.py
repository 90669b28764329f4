"""What a match's sheet comes to, and who has said yes to it.

A result follows from the replayed sheet. It is final when a director says so, or when both sides do; whoever
brought the record has said yes for the side they sat at. Only final results rate.
"""

from dataclasses import dataclass

from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.models import User
from scoring.models import Confirmation, Match, MatchStatus, Result
from scoring.queries.results import missing_confirmations, side_of
from scoring.signals import result_changed


class ConfirmationRefusedError(Exception):
    """This person's yes is not asked for; the message says why and is meant for the reader of a page."""


@dataclass(frozen=True, slots=True)
class ResultValue:
    """A result as the log has it, points White first; ``winner`` is a colour, or empty without one."""

    winner: str
    points: tuple[int, int]
    raw: tuple[int, int]
    ended: str
    final: bool = False


def value_of(result: Result) -> ResultValue:
    """The row as a value."""
    return ResultValue(
        winner=result.winner,
        points=(result.white_points, result.black_points),
        raw=(result.white_raw, result.black_raw),
        ended=result.ended,
        final=result.final_at is not None,
    )


def record_result(*, match: Match, value: ResultValue | None, status: MatchStatus) -> None:
    """Write what the sheet comes to. A result unlike the one before is a new revision, to be confirmed anew.

    Call it in a transaction that holds the match's sheet, when sources and confirmations are written.
    """
    current = Result.objects.filter(match=match).first()
    before = value_of(current) if current else None
    match.status = status
    match.version += 1
    match.save(update_fields=["status", "version"])
    if value is None:
        return
    columns = {
        "winner": value.winner,
        "white_points": value.points[0],
        "black_points": value.points[1],
        "white_raw": value.raw[0],
        "black_raw": value.raw[1],
        "ended": value.ended,
    }
    if current is None:
        current = Result.objects.create(match=match, **columns)
    elif any(getattr(current, name) != column for name, column in columns.items()):
        for name, column in columns.items():
            setattr(current, name, column)
        current.revision += 1
        current.final_at = None
        current.save()
    _finalise(match, current)
    _announce(match, before)


def confirm_result(*, match: Match, user: User, as_director: bool) -> Result:
    """Somebody's yes to the result as it stands: a director's settles it, a player's is for the own side.

    Saying yes twice changes nothing. Raises ConfirmationRefusedError for an unfinished match and for people
    who neither play nor direct here.
    """
    with transaction.atomic():
        match = Match.objects.select_for_update(of=("self",), no_key=True).with_players().get(pk=match.pk)
        result = Result.objects.select_for_update(no_key=True).filter(match=match).first()
        if result is None or match.status != MatchStatus.FINISHED:
            raise ConfirmationRefusedError(_("The match is not finished: there is nothing to confirm yet."))
        side = "" if as_director else side_of(match, user)
        if side is None:
            raise ConfirmationRefusedError(
                _("Only the players of this match and the club's directors confirm it.")
            )
        Confirmation.objects.get_or_create(
            match=match, revision=result.revision, side=side, defaults={"user": user}
        )
        return settle(match=match)


def settle(*, match: Match) -> Result:
    """Make the result final if nobody's yes is missing any more. The caller's transaction locks the match."""
    result = Result.objects.select_for_update(no_key=True).get(match=match)
    before = value_of(result)
    if _finalise(match, result):
        match.version += 1
        match.save(update_fields=["version"])
        _announce(match, before)
    return result


def _finalise(match: Match, result: Result) -> bool:
    if match.status != MatchStatus.FINISHED or result.final_at or missing_confirmations(match, result):
        return False
    result.final_at = now()
    result.save(update_fields=["final_at"])
    return True


def _announce(match: Match, before: ResultValue | None) -> None:
    after = value_of(Result.objects.get(match=match))
    if after != before:
        result_changed.send(sender=Match, match=match, before=before, after=after)
