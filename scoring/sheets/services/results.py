"""Results of matches and their confirmations.

A result follows from the replayed sheet. It is final once a director confirms it, or every side that the
match's report policy asks (``scoring.rules.profiles``). Uploading a record, or recording it as a player,
confirms it for that side. A dispute window applies only if an event called the match or a director opened
it. Only final results rate.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.live.topics import publish_next
from clubs.models import User
from clubs.refusals import Refused
from clubs.work import services as work
from scoring.log.queries.results import (
    DESK,
    confirmed_by,
    is_backdated,
    is_called,
    missing_confirmations,
    open_objections,
    report_policy,
    side_of,
)
from scoring.log.services.notes import note_of
from scoring.log.services.sheets import lock_sheet
from scoring.models import (
    Claim,
    Confirmation,
    FinalBy,
    Match,
    MatchStatus,
    Objection,
    ObjectionWindow,
    Result,
)
from scoring.rules.endings import Ending
from scoring.rules.match_state import MatchState
from scoring.rules.profiles import ReportPolicy, profile_from_plain
from scoring.rules.sides import Side
from scoring.signals import ResultRefused, result_changed


class ConfirmationRefused(Refused):
    """The user cannot confirm or dispute this result; the message is shown to them."""


@dataclass(frozen=True, slots=True)
class ResultValue:
    """A result in the log; points White first, ``winner`` a colour or empty.

    ``ended`` is empty for a match that was over and goes on again: a correction took its end away.
    """

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


def value_in(state: MatchState) -> ResultValue | None:
    """The result that a state comes to, None while the match goes on."""
    if state.outcome is None:
        return None
    reason = state.outcome.reason
    ended = Ending.PLAYED if reason in {Ending.PLAYED, Ending.AGREED} else Ending(reason.value)
    return value_at(state, winner=state.winner or "", ended=ended)


def value_at(state: MatchState, *, winner: str, ended: str) -> ResultValue:
    """The state's points as a result."""
    score = state.score
    return ResultValue(
        winner=winner,
        points=(score.capped(Side.WHITE), score.capped(Side.BLACK)),
        raw=(score.white, score.black),
        ended=ended,
    )


def status_in(state: MatchState) -> MatchStatus:
    """The status of a match whose sheet is being written."""
    if state.outcome is None:
        return MatchStatus.PLAYING
    return MatchStatus.VOID if state.outcome.reason is Ending.VOID else MatchStatus.FINISHED


@dataclass(frozen=True, slots=True)
class Yes:
    """A confirmation given with a result: for a side, or as a director (side empty)."""

    side: str
    user: User | None = None
    claim: Claim | None = None


def record_result(
    *,
    match: Match,
    value: ResultValue | None,
    status: MatchStatus,
    said_yes: Sequence[Yes] = (),
    reported_by: Yes | None = None,
    hold: object = None,
) -> None:
    """Save the sheet's result. A changed result is a new, unconfirmed revision.

    ``value`` is None while the match goes on. ``said_yes`` counts for the result as it is written, so that
    what is final at once is announced once. ``reported_by`` is the player who wrote it: a new result of a
    match that was not called has their yes. Call it in a transaction that holds the match's sheet, with the
    match as it was read in it (and its result, where that was loaded along). Sends ``result_changed``, with
    ``hold`` for its receivers.
    """
    match.status = status
    match.version = publish_next(Match, match.pk, length=match.length, status=status.value)
    if value is None:
        return
    found: Result | None = getattr(match, "result", None)
    before, revision = (value_of(found), found.revision) if found else (None, 0)
    # A director's yes asks for nobody else's: it is written with the result.
    directed = status == MatchStatus.FINISHED and any(yes.side == DESK for yes in said_yes)
    current = _written(match, found, value, final_by=FinalBy.DIRECTOR if directed else None)
    if status == MatchStatus.FINISHED:
        # Who writes something else on the sheet of a finished match has not said yes to its result.
        if reported_by and current.revision > revision and _reports(match):
            said_yes = [*said_yes, reported_by]
        # A repeated confirmation of this revision changes nothing.
        Confirmation.objects.bulk_create(
            (
                Confirmation(
                    match=match, revision=current.revision, side=yes.side, user=yes.user, claim=yes.claim
                )
                for yes in said_yes
            ),
            ignore_conflicts=True,
        )
    if not _finalise(match, current):
        _open_window(match, current)
    _announce(match, before, current, hold)


def _reports(match: Match) -> bool:
    """Whether recording the result confirms it for the player who recorded it."""
    return not is_called(match) and report_policy(match) is ReportPolicy.WINNER_REPORTS


def _written(match: Match, current: Result | None, value: ResultValue, *, final_by: FinalBy | None) -> Result:
    """The row for the value: new, revised or unchanged; ``final_by`` settles it."""
    columns = {
        "winner": value.winner,
        "white_points": value.points[0],
        "black_points": value.points[1],
        "white_raw": value.raw[0],
        "black_raw": value.raw[1],
        "ended": value.ended,
    }
    final = {"final_at": now() if final_by else None, "final_by": final_by or ""}
    if current is None:
        return Result.objects.create(match=match, **columns, **final)
    if any(getattr(current, name) != column for name, column in columns.items()):
        for name, column in (columns | final).items():
            setattr(current, name, column)
        current.revision += 1
        current.objection_until = None
        current.save()
    return current


def _open_window(match: Match, result: Result) -> None:
    """Open the loser's dispute window when the winner reports."""
    if match.status != MatchStatus.FINISHED or result.final_at or result.objection_until:
        return
    if report_policy(match) is not ReportPolicy.WINNER_REPORTS or not result.winner:
        return
    if not is_called(match):
        return
    profile = profile_from_plain(match.sheet.profile)
    result.objection_until = now() + timedelta(minutes=profile.objection_minutes)
    result.save(update_fields=["objection_until"])
    ObjectionWindow.objects.create(match=match, revision=result.revision, available_at=result.objection_until)


def close_objection_window(window: ObjectionWindow) -> None:
    """Make an undisputed result final. ``window`` is work claimed by the caller.

    Where the draw refuses the result, the work has failed for good and says why: a director settles it.
    """
    try:
        with work.finish(window) as row:
            lock_sheet(Match.objects.values_list("sheet_id", flat=True).get(pk=row.match_id))
            match, result = _locked(row.match_id)
            if result is None or result.revision != row.revision or open_objections(match, result):
                return
            # Opened under older rules: a window alone makes no such result final.
            if not is_called(match) or is_backdated(match):
                return
            _settled(match, result, by=FinalBy.WINDOW)
    except ResultRefused as refused:
        work.fail(window, error=f"{refused.code}: {refused}", final=True)


def object_to_result(
    *,
    match: Match,
    side: str | None,
    user: User | None = None,
    claim: Claim | None = None,
    reason: str = "",
    revision: int | None = None,
) -> Result:
    """Dispute the current result for a side; only a director can then settle it.

    ``revision`` is the one that was looked at, if it is known: another one is refused. Objecting twice
    changes nothing. Raises ConfirmationRefused where there is nothing to object to any more, and for
    people who do not play here; InvalidValue for a reason of more than 2000 characters.
    """
    with transaction.atomic():
        lock_sheet(match.sheet_id)
        match, result = _locked(match.pk)
        if result is None or match.status != MatchStatus.FINISHED:
            raise ConfirmationRefused(_("This match is not finished and has no result yet."))
        _check_revision(result, revision)
        if side is None:
            raise ConfirmationRefused(_("Only the players of this match can dispute its result."))
        if result.final_at is not None:
            raise ConfirmationRefused(_("The result is final. Ask a director to correct it."))
        note = note_of(reason)
        Objection.objects.get_or_create(
            match=match,
            revision=result.revision,
            side=side,
            defaults={"user": user, "claim": claim, "note": note},
        )
        Confirmation.objects.filter(match=match, revision=result.revision, side=side).delete()
        _tell(match)
        return result


def confirm_result(
    *,
    match: Match,
    user: User | None,
    as_director: bool,
    claim: Claim | None = None,
    revision: int | None = None,
) -> Result:
    """Confirm the current result: a director for the match, a player for their side.

    ``revision`` is the one that was looked at, if it is known: another one is refused. Saying yes twice
    changes nothing. Raises ConfirmationRefused for an unfinished match and for people who neither play
    nor direct here.
    """
    with transaction.atomic():
        lock_sheet(match.sheet_id)
        match, result = _locked(match.pk)
        if result is None or match.status != MatchStatus.FINISHED:
            raise ConfirmationRefused(_("This match is not finished. There is nothing to confirm yet."))
        _check_revision(result, revision)
        side = "" if as_director else _own_side(match, user, claim)
        if side is None:
            raise ConfirmationRefused(
                _("Only the players of this match and directors can confirm its result.")
            )
        if side and report_policy(match) is ReportPolicy.DESK:
            raise ConfirmationRefused(_("Only directors can confirm results under these rules."))
        Confirmation.objects.get_or_create(
            match=match, revision=result.revision, side=side, defaults={"user": user, "claim": claim}
        )
        if not _settled(match, result):
            _tell(match)
        return result


def _check_revision(result: Result, revision: int | None) -> None:
    if revision is not None and revision != result.revision:
        raise ConfirmationRefused(_("The result has changed. Reload the page and check it again."))


def _own_side(match: Match, user: User | None, claim: Claim | None) -> str | None:
    if user is not None:
        return side_of(match, user)
    return (claim.side or None) if claim is not None else None


def _locked(match_pk: int) -> tuple[Match, Result | None]:
    """Lock the match with its players and result. The caller holds the sheet."""
    match = (
        Match.with_boards.with_players()
        .select_related("sheet")
        .select_for_update(of=("self",), no_key=True)
        .get(pk=match_pk)
    )
    return match, Result.objects.select_for_update(no_key=True).filter(match=match).first()


def _tell(match: Match) -> None:
    match.version = publish_next(Match, match.pk)


def settle(*, match: Match) -> Result:
    """Make a fully confirmed result final. The caller locks the match."""
    result = Result.objects.select_for_update(no_key=True).get(match=match)
    _settled(match, result)
    return result


def _settled(match: Match, result: Result, by: FinalBy | None = None) -> bool:
    before = value_of(result)
    if not _finalise(match, result, by):
        return False
    _announce(match, before, result)
    _tell(match)
    return True


def _finalise(match: Match, result: Result, by: FinalBy | None = None) -> bool:
    """Make the result final if it is fully confirmed or ``by`` overrides that."""
    if match.status != MatchStatus.FINISHED or result.final_at:
        return False
    if by is None:
        said = confirmed_by(match, result)
        if missing_confirmations(match, result, said):
            return False
        by = FinalBy.DIRECTOR if DESK in said else FinalBy.CONFIRMED
    result.final_at, result.final_by = now(), by
    result.save(update_fields=["final_at", "final_by"])
    return True


def _announce(match: Match, before: ResultValue | None, result: Result, hold: object = None) -> None:
    after = value_of(result)
    if after != before:
        result_changed.send(sender=Match, match=match, before=before, after=after, hold=hold)
