"""Whose yes a result has and whose it waits for."""

from collections.abc import Mapping, Set

from django.utils.translation import gettext as _

from clubs.models import User
from scoring.models import Colour, Confirmation, Match, Objection, Result, Seat
from scoring.profiles import ReportPolicy
from scoring.rules.sides import Side as Column

DESK = ""
"""What stands for a director among the sides whose yes is asked for."""


def report_policy(match: Match) -> ReportPolicy:
    """Whose yes the match's profile asks for; both sides' for a match from a file. Load the sheet along."""
    return ReportPolicy(match.sheet.profile.get("report", ReportPolicy.BOTH))


def confirmed_by(match: Match, result: Result) -> set[str]:
    """The colours that have said yes to this revision of the result, ``DESK`` for a director."""
    said = Confirmation.objects.filter(match=match, revision=result.revision)
    return set(said.values_list("side", flat=True))


def missing_confirmations(match: Match, result: Result, said: Set[str] | None = None) -> set[str]:
    """The colours whose yes is still missing, ``DESK`` for a director's; empty once a director has confirmed.

    An objection that its side has not taken back by a yes waits for a director. ``said`` is what
    :func:`confirmed_by` tells, where the caller has asked already.
    """
    said = confirmed_by(match, result) if said is None else set(said)
    if DESK in said:
        return set()
    asked = _asked(match, result)
    # Who brings the file of a match has said yes; on a sheet of our own people say so themselves.
    if asked == set(Colour.values) and not match.sheet.profile:
        brought_it = Seat.objects.filter(match=match, player__user__in=match.sources.values("user"))
        said |= set(brought_it.values_list("side__colour", flat=True))
    missing = asked - said
    if open_objections(match, result) - said:
        missing.add(DESK)
    return missing


def waiting_names(match: Match, result: Result, names: Mapping[Column, str]) -> list[str]:
    """Whom the result waits for, in words: White, Black, a director."""
    missing = missing_confirmations(match, result)
    waiting = [names[side] for side in Column if side in missing]
    return [*waiting, _("a director")] if DESK in missing else waiting


def open_objections(match: Match, result: Result) -> set[str]:
    """The colours that have objected to this revision of the result."""
    objections = Objection.objects.filter(match=match, revision=result.revision)
    return set(objections.values_list("side", flat=True))


def _asked(match: Match, result: Result) -> set[str]:
    policy = report_policy(match)
    if policy is ReportPolicy.DESK:
        return {DESK}
    if policy is ReportPolicy.WINNER_REPORTS and result.winner:
        return {Colour.BLACK if result.winner == Colour.WHITE else Colour.WHITE}
    return set(Colour.values)


def side_of(match: Match, user: User) -> str | None:
    """The colour of the side at which the user sits, or None. Load the match with ``with_players()``."""
    for side in match.sides.all():
        if any(player.user_id == user.pk for player in side.players):
            return side.colour
    return None
