"""Withdraw or disqualify entrants during a draw, and undo it.

Undo is only possible while no later match depends on it; afterwards an entrant can be reinstated
(``tournaments.entries.services.late_entries``).
"""

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.models import User
from scoring.models import Match, MatchStatus, Sheet
from scoring.rules.endings import Ending
from scoring.sheets.services.decisions import DirectedResult, overrule
from tournaments.core.play import acts
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.outcomes import Gone
from tournaments.core.stages.stage import Stage
from tournaments.desk.services.results import void_result
from tournaments.events.services.events import OvertakenRefused
from tournaments.log.kinds import LEFT
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import StaleRefused, note
from tournaments.models import (
    Board,
    DeskEvent,
    EntrantRow,
    EntrantState,
    EventStatus,
    PairingRow,
    PairingState,
    StageEntrant,
    StageRow,
    StageStatus,
)
from tournaments.money.services.prizes import remove_outdated_prizes
from tournaments.stages.services.feeds import overtaken_by
from tournaments.stages.services.locks import Hold, lock_with_sheets
from tournaments.stages.services.refusals import in_names, sides_of
from tournaments.stages.services.results import close_if_over
from tournaments.stages.services.stages import begun_in, load, write

WHY = {
    Gone.WITHDRAWN: gettext_noop("withdrawn"),
    Gone.DISQUALIFIED: gettext_noop("disqualified"),
    Gone.LEFT_DRAW: gettext_noop("left the draw"),
}


def leave(
    *,
    entrant: EntrantRow,
    user: User | None,
    how: Gone = Gone.WITHDRAWN,
    seen: int | None = None,
    text: str = "",
) -> None:
    """Withdraw or disqualify a drawn entrant, or take them out of this draw only.

    There are no further pairings, and open matches are lost.

    A match in progress ends as retired, any other open match as withdrawn; finished matches stand. A
    disqualified entrant loses all open matches as disqualified, in every section. Undo with
    :func:`undo_departure`. Who leaves this draw only keeps the entry, and plays on in the stages that it
    feeds. ``text`` is the reason in the log.

    Raises StaleRefused if the draw's log is not at ``seen``; DeskRefused before the draw, after its end and
    for a disqualified entrant, DrawRefused for an entrant who has left.
    """
    with transaction.atomic():
        place = _place_of(entrant)
        stage = lock_with_sheets(place.stage, lambda: open_sheets(entrant))
        if seen is not None and stage.head_seq != seen:
            raise StaleRefused(stage.head_seq)
        if stage.status != StageStatus.RUNNING:
            raise DeskRefused(_("This draw is finished. Entrants can no longer leave it."), code="event_over")
        # Finished boards of a team match stand.
        open_ones = Match.objects.filter(_open(entrant, "board__pairing"))
        matches = list(open_ones.exclude(status=MatchStatus.FINISHED).select_related("sheet"))
        before = load(stage)
        if how is Gone.DISQUALIFIED and before.gone.get(place.number) is how:
            raise DeskRefused(
                _("%(name)s has already been disqualified.") % {"name": entrant.title}, code="already_left"
            )
        with in_names(stage):
            after = acts.leave(before, place.number, how)
        lost = [number for number in after.outcomes if number not in before.outcomes]
        close_if_over(stage, write(stage=stage, before=before, after=after, user=user))
        for match in matches:
            pairing = Board.objects.select_related("pairing").get(match=match).pairing
            decision, reason = _lost_by(entrant, pairing, match, how), _(WHY[how])
            hold = Hold(pairing, stage)
            overrule(match=match, decision=decision, user=user, reason=reason, hold=hold)
        row = EntrantRow.objects.filter(pk=entrant.pk)
        state = row.get().state
        if how is not Gone.LEFT_DRAW:
            row.update(state=EntrantState.WITHDRAWN)
        note(
            event=stage.flight.event,
            kind=how.value,
            user=user,
            text=text,
            stage=stage.ref,
            entrant=entrant.ref,
            state=state,
            was=before.gone[place.number].value if place.number in before.gone else "",
            lost=lost,
            matches=[match.ref for match in matches],
        )


def _place_of(entrant: EntrantRow) -> StageEntrant:
    places = StageEntrant.objects.filter(entrant=entrant).select_related("stage")
    place = places.order_by("-stage__position").first()
    if place is None:
        raise DeskRefused(_("This entrant is not in the draw."), code="not_drawn")
    return place


def open_sheets(entrant: EntrantRow) -> QuerySet[Sheet]:
    """The scoresheets of an entrant's open matches."""
    return Sheet.objects.filter(_open(entrant, "match__board__pairing"))


def _open(entrant: EntrantRow, pairing: str) -> Q:
    """Condition: the pairing at this path is open and has this entrant.

    A plain join, because nested subqueries took minutes before the database had analysed its tables.
    """
    sides = Q(**{f"{pairing}__a": entrant}) | Q(**{f"{pairing}__b": entrant})
    return sides & Q(**{f"{pairing}__state": PairingState.OPEN})


def _lost_by(entrant: EntrantRow, pairing: PairingRow, match: Match, how: Gone) -> DirectedResult:
    white = pairing.a_id == entrant.pk
    ended = Ending.RETIRED if match.sheet.head_seq > 1 else Ending.WITHDRAWN
    if how is Gone.DISQUALIFIED:
        ended = Ending.DISQUALIFIED
    return DirectedResult("black" if white else "white", None, ended)


def undo_departure(entry: DeskEvent, *, user: User) -> None:
    """Undo a withdrawal or disqualification: the matches lost by it continue.

    The caller has a transaction and writes the log. Raises OvertakenRefused if the entrant was reinstated,
    disqualified or withdrawn again, or the draw was undone; DeskRefused if later matches depend on it.
    """
    stage = StageRow.objects.select_related("flight__event__club").get(ref=entry.body["stage"])
    entrant = EntrantRow.objects.with_players().get(ref=entry.body["entrant"])
    lost, refs = entry.body["lost"], entry.body["matches"]
    locked = lock_with_sheets(stage, lambda: _sheets_of(stage, refs))
    if locked.flight.event.status == EventStatus.CANCELLED:
        raise DeskRefused(_("This event is cancelled."), code="event_over")
    numbers = StageEntrant.objects.filter(stage=locked, entrant=entrant)
    # None if the draw was undone.
    number = numbers.values_list("number", flat=True).first()
    before = load(locked)
    if number is None or before.gone.get(number) is not Gone(entry.kind) or _left_again(entry):
        raise OvertakenRefused(_("There are later changes here. Undo those first."), entrant=entrant.ref)
    # A correction may have replaced the entrant in a match that was lost by leaving.
    lost = [match for match in lost if _played_in(before, match, number)]
    was = entry.body["was"]
    try:
        after = acts.take_back_leaving(
            before,
            number,
            lost=lost,
            was=Gone(was) if was else None,
            started=begun_in(locked) - set(lost),
        )
    except DrawRefused as refused:
        raise _too_late(locked, entrant, refused) from refused
    _refuse_if_drawn_on(locked, after)
    after = write(stage=locked, before=before, after=after, user=user)
    remove_outdated_prizes(locked, before, after)
    boards = Board.objects.filter(match__ref__in=refs).exclude(match__status=MatchStatus.VOID)
    for board in boards.select_related("pairing", "match__sheet").order_by("match_id"):
        void_result(
            match=board.match,
            user=user,
            key=f"desk-{entry.seq}-undone",
            reason=_("disqualification undone") if entry.kind == "disqualified" else _("withdrawal undone"),
            hold=Hold(board.pairing, locked),
        )
    close_if_over(locked, after)
    EntrantRow.objects.filter(pk=entrant.pk).update(state=entry.body["state"])


def _played_in(value: Stage, match: int, entrant: int) -> bool:
    """Whether the match has an outcome with this entrant."""
    outcome = value.outcomes.get(match)
    return outcome is not None and entrant in {outcome.winner, outcome.loser}


def _left_again(entry: DeskEvent) -> bool:
    """Whether a later departure of the same entrant from the same draw stands."""
    log = DeskEvent.objects.filter(event=entry.event_id)
    same = log.filter(kind__in=LEFT, body__stage=entry.body["stage"], body__entrant=entry.body["entrant"])
    undone = log.filter(undoes__isnull=False).values_list("undoes", flat=True)
    return same.filter(seq__gt=entry.seq).exclude(seq__in=list(undone)).exists()


def _sheets_of(stage: StageRow, refs: list[str]) -> QuerySet[Sheet]:
    """Sheets of the lost matches, and of open matches that may become void."""
    own = Q(match__ref__in=refs) | Q(match__board__pairing__state=PairingState.OPEN)
    return Sheet.objects.filter(own, match__board__pairing__stage=stage)


def _too_late(stage: StageRow, entrant: EntrantRow, refused: DrawRefused) -> DeskRefused:
    match = int(str(refused.params["match"]))
    return DeskRefused(
        _(
            "This cannot be undone for %(name)s: later matches depend on it (%(match)s). A withdrawn "
            "entrant can be reinstated from the next round."
        )
        % {"name": entrant.title, "match": sides_of(stage, [match])},
        code=refused.code,
    )


def _refuse_if_drawn_on(stage: StageRow, after: Stage) -> None:
    drawn = overtaken_by(stage, after)
    if drawn:
        raise DeskRefused(
            _("The field of %(stages)s was drawn from this, so it cannot be undone.")
            % {"stages": ", ".join(each.name for each in drawn)},
            code="locked",
        )
