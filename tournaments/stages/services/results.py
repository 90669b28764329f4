"""Bring match results into the draw."""

from dataclasses import replace

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from scoring.models import Match, MatchStatus
from scoring.rules.endings import Ending
from scoring.sheets.services.results import ResultValue
from scoring.signals import ResultRefused
from tournaments.core.formats.table import format_of
from tournaments.core.play import acts
from tournaments.core.play.preview import preview
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.outcomes import PLAYED, Outcome
from tournaments.core.stages.stage import Stage
from tournaments.models import EntrantRow, Event, EventStatus, PairingRow, StageRow, StageStatus
from tournaments.signals import places_changed
from tournaments.stages.services.feeds import overtaken_by, pass_on
from tournaments.stages.services.locks import Hold, lock_for_result
from tournaments.stages.services.refusals import in_names, sides_of
from tournaments.stages.services.stages import begun_in, load, write
from tournaments.stages.services.ties import outcome_of_tie


def outcome_of(value: Stage, number: int, result: ResultValue | None) -> Outcome | None:
    """The outcome of a pairing from its match's result; White is ``a``.

    None for no result. A draw advances on it at once; ``confirmed`` is false while a confirmation is missing.
    """
    if result is None or result.ended == Ending.VOID:
        return None
    pairing = value.pairings[number]
    # In a draw who left is known: that entrant's open pairings are no-shows.
    ended = Ending.NO_SHOW if result.ended == Ending.WITHDRAWN else Ending(result.ended)
    if ended is Ending.DOUBLE_NO_SHOW:
        return Outcome(pairing.a, pairing.b, ended, confirmed=result.final)
    if not result.winner:
        return None
    white_won = result.winner == "white"
    winner, loser = (pairing.a, pairing.b) if white_won else (pairing.b, pairing.a)
    points = None
    if ended in PLAYED:
        points = result.points if white_won else (result.points[1], result.points[0])
    return Outcome(winner, loser, ended, points, confirmed=result.final)


def follow_match(
    *, match: Match, pairing: PairingRow, result: ResultValue | None, hold: Hold | None = None
) -> None:
    """Bring a result into the draw, in its transaction, with its sheet locked.

    ``hold`` is set when a desk decided it. Raises ResultRefused, and the transaction is rolled back, when
    others have played on the old result without such a decision: a director then corrects it after a preview
    (``tournaments.desk.services.results``).
    """
    stage, decided = (hold.stage, hold.decided) if hold else (lock_for_result(pairing), False)
    before = load(stage, fresh=True)
    finished = result if match.status in {MatchStatus.FINISHED, MatchStatus.VOID} else None
    if stage.boards > 1:
        if _left_to_the_other(before, pairing.number):
            return
        outcome = outcome_of_tie(stage, before, pairing, match, finished)
    else:
        outcome = outcome_of(before, pairing.number, finished)
    if outcome is not None:
        outcome = _let_stand(
            stage, before.outcomes.get(pairing.number), outcome, wanted=bool(hold and hold.stands)
        )
    if outcome == before.outcomes.get(pairing.number):
        return
    if stage.flight.event.status == EventStatus.CANCELLED:
        raise ResultRefused(_("The event was cancelled: no more results count."), code="cancelled")
    try:
        if not decided:
            _refuse_if_locked(stage, before, pairing.number, outcome)
        with in_names(stage):
            after = acts.report(before, pairing.number, outcome, decided=decided)
    except DrawRefused as refused:
        raise ResultRefused(str(refused), code=refused.code) from refused
    if not decided:
        _refuse_if_overtaken(stage, after)
    after = write(stage=stage, before=before, after=after, user=None, noted=hold is not None)
    places_changed.send(sender=StageRow, stage=stage, before=before, after=after)
    close_if_over(stage, after)


def _let_stand(stage: StageRow, old: Outcome | None, new: Outcome, *, wanted: bool) -> Outcome:
    """The outcome of a correction after which the later matches stand: who went on, went on.

    So it stays when the score of such a match is corrected again.
    """
    if old is None or not stage.is_bracket or new.advances is None or old.advances in {None, new.advances}:
        return new
    again = old.stands and old.winner == new.winner
    return replace(new, stands=True) if wanted or again else new


def _left_to_the_other(value: Stage, number: int) -> bool:
    """Whether a team match was decided by a departure: its boards no longer matter."""
    pairing = value.pairings[number]
    return number in value.outcomes and (pairing.a in value.gone or pairing.b in value.gone)


def _refuse_if_locked(stage: StageRow, value: Stage, number: int, outcome: Outcome | None) -> None:
    """Raise ResultRefused where later matches depend on the changed result."""
    if number not in value.outcomes:
        return
    locked = preview(value, number, outcome, started=begun_in(stage)).locked
    if locked:
        raise ResultRefused(
            _(
                "Later matches depend on this result (%(matches)s). Only a director can change it, at the "
                "desk."
            )
            % {"matches": sides_of(stage, locked)},
            code="locked",
        )


def _refuse_if_overtaken(stage: StageRow, after: Stage) -> None:
    """Raise ResultRefused where a later draw was made from this result."""
    drawn = overtaken_by(stage, after)
    if drawn:
        raise ResultRefused(
            _("%(stages)s was drawn on this result. Only a director can change it, at the desk.")
            % {"stages": ", ".join(each.name for each in drawn)},
            code="locked",
        )


def close_if_over(stage: StageRow, value: Stage) -> None:
    """Finish a stage after its last match and fill those it feeds, or reopen it."""
    over = format_of(stage.format).finished(value)
    status = StageStatus.FINISHED if over else StageStatus.RUNNING
    if stage.status != status:
        stage.status = status
        stage.save(update_fields=["status"])
    pass_on(stage, value)
    event = stage.flight.event
    if event.status == EventStatus.CANCELLED:
        return
    left = not over or _something_left(event)
    wanted = EventStatus.RUNNING if left else EventStatus.FINISHED
    if event.status != wanted:
        event.status = wanted
        event.save(update_fields=["status"])


def finish_if_over(event: Event) -> None:
    """Finish an event in progress once nothing is left; the caller holds its row."""
    if event.status == EventStatus.RUNNING and not _something_left(event):
        event.status = EventStatus.FINISHED
        event.save(update_fields=["status"])


def _something_left(event: Event) -> bool:
    """Whether a draw is left to play; an empty one that starts when full is not."""
    over = [StageStatus.FINISHED, StageStatus.SKIPPED]
    left = StageRow.objects.filter(flight__event=event).exclude(status__in=over)
    unfilled = Q(flight__starts_when_full=True, status=StageStatus.PLANNED)
    entered = EntrantRow.objects.filter(flight=OuterRef("flight")).entered()
    return left.exclude(unfilled & ~Exists(entered)).exists()
