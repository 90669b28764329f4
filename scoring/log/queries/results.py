"""Confirmations a result has and still needs."""

from collections.abc import Mapping, Set
from datetime import timedelta

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from clubs.models import Membership, User
from scoring.models import Colour, Confirmation, FinalBy, Match, Objection, Result, Seat
from scoring.rules.profiles import ReportPolicy
from scoring.rules.sides import Side as Column

DESK = ""
"""What stands for a director among the sides whose yes is asked for."""


BACKDATED = timedelta(days=7)
"""How long before its record a match may have been played without a director's confirmation."""


def report_policy(match: Match) -> ReportPolicy:
    """The match's report policy; BOTH for an imported match. Load the sheet too."""
    return ReportPolicy(match.sheet.profile.get("report", ReportPolicy.BOTH))


def is_called(match: Match) -> bool:
    """Whether an event or director opened the match: a dispute window applies."""
    return match.sheet.directed or match.sheet.opened_by_director


def is_backdated(match: Match) -> bool:
    """Whether a director must confirm the date: backdated, or before a player joined.

    The date of a match that an event called, or that a director opened, is a director's already (no query).
    """
    if is_called(match):
        return False
    if match.played_at < match.created_at - BACKDATED:
        return True
    joined_later = Membership.objects.filter(
        player=OuterRef("player"), club=match.club_id, joined_at__gt=match.played_at
    )
    return Seat.objects.filter(Q(Exists(joined_later)), match=match).exists()


def confirmed_by(match: Match, result: Result) -> set[str]:
    """Colours that have confirmed this revision, ``DESK`` for a director."""
    said = Confirmation.objects.filter(match=match, revision=result.revision)
    return set(said.values_list("side", flat=True))


def missing_confirmations(match: Match, result: Result, said: Set[str] | None = None) -> set[str]:
    """Colours still to confirm, ``DESK`` for a director; empty once a director has.

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
    if open_objections(match, result) - said or is_backdated(match):
        missing.add(DESK)
    return missing


def waiting_names(match: Match, result: Result, names: Mapping[Column, str]) -> list[str]:
    """Names the result is waiting for: players or "a director"."""
    missing = missing_confirmations(match, result)
    waiting = [names[side] for side in Column if side in missing]
    return [*waiting, _("a director")] if DESK in missing else waiting


def settled_words(match: Match, result: Result, director: str) -> str:
    """A sentence on how the result became final; empty if it is not.

    ``director`` is the name of the one who confirmed it, "" where that is not known.
    """
    if result.final_at is None:
        return ""
    if result.final_by == FinalBy.WINDOW:
        return _("The result was not disputed in time.")
    if result.final_by == FinalBy.CONFIRMED:
        return _("%(white)s and %(black)s confirmed the result.") % {
            "white": match.white.name,
            "black": match.black.name,
        }
    if not director:
        return _("A director confirmed the result.")
    return _("%(name)s confirmed the result as a director.") % {"name": director}


def open_objections(match: Match, result: Result) -> set[str]:
    """Colours that dispute this revision of the result."""
    objections = Objection.objects.filter(match=match, revision=result.revision)
    return set(objections.values_list("side", flat=True))


def disputes() -> QuerySet[Objection]:
    """Open disputes of current results."""
    said = Confirmation.objects.filter(
        match=OuterRef("match"), revision=OuterRef("revision"), side=OuterRef("side")
    )
    return Objection.objects.filter(~Exists(said), revision=F("match__result__revision"))


def disputes_of(match: Match) -> list[Objection]:
    """Open disputes of one match, with notes (one query)."""
    return list(disputes().filter(match=match).select_related("note").order_by("pk"))


def _asked(match: Match, result: Result) -> set[str]:
    policy = report_policy(match)
    if policy is ReportPolicy.DESK:
        return {DESK}
    if policy is ReportPolicy.WINNER_REPORTS and result.winner and is_called(match):
        return {Colour.BLACK if result.winner == Colour.WHITE else Colour.WHITE}
    return set(Colour.values)


def side_of(match: Match, user: User) -> str | None:
    """The colour of the side at which the user sits, or None. Load the match with ``with_players()``."""
    for side in match.sides.all():
        if any(player.user_id == user.pk for player in side.players):
            return side.colour
    return None
