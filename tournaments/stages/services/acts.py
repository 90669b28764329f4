"""What the desk does to a stage that is under way, apart from results."""

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.models import User
from scoring.models import Match, MatchStatus, Sheet
from scoring.rules.endings import Ending
from scoring.sheets.services.overruling import Decision, overrule
from tournaments.core.play import acts
from tournaments.core.stages.outcomes import Gone
from tournaments.events.services.events import DeskRefusedError
from tournaments.log.services import note
from tournaments.models import (
    Board,
    Entrant,
    EntrantState,
    Pairing,
    PairingState,
    StageEntrant,
    StageStatus,
)
from tournaments.stages.services.held import stage_held
from tournaments.stages.services.outcomes import close_if_over
from tournaments.stages.services.refusing import in_names
from tournaments.stages.services.stages import load, lock_with_sheets, write

WHY = {Gone.WITHDRAWN: gettext_noop("withdrawn"), Gone.DISQUALIFIED: gettext_noop("disqualified")}


def leave(*, entrant: Entrant, user: User | None, how: Gone = Gone.WITHDRAWN) -> None:
    """Take a drawn entrant out of the stage that is under way: no further pairing, and open ones are lost.

    A match that was begun is retired from, another one is a no-show; what was played before stands. The
    event's log has it, where it can be taken back (``services.reinstating``). Who is
    disqualified loses the open matches by that, in every section of the draw. Raises DeskRefusedError before
    the draw, after the end and for who was disqualified before, DrawRefused for who has left already.
    """
    with transaction.atomic():
        place = _place_of(entrant)
        stage = lock_with_sheets(place.stage, lambda: _open_sheets(entrant))
        if stage.status != StageStatus.RUNNING:
            raise DeskRefusedError(_("This draw is finished: nobody can leave it."), code="event_over")
        # The boards of a team tie that are over stay as they were played.
        open_ones = Match.objects.filter(_open(entrant, "board__pairing"))
        matches = list(open_ones.exclude(status=MatchStatus.FINISHED).select_related("sheet"))
        before = load(stage)
        if how is Gone.DISQUALIFIED and before.gone.get(place.number) is how:
            raise DeskRefusedError(
                _("%(name)s has been disqualified already.") % {"name": entrant.title}, code="already_left"
            )
        with in_names(stage):
            after = acts.leave(before, place.number, how)
        lost = [number for number in after.outcomes if number not in before.outcomes]
        close_if_over(stage, write(stage=stage, before=before, after=after, user=user))
        for match in matches:
            pairing = Board.objects.select_related("pairing").get(match=match).pairing
            decision, reason = _lost_by(entrant, pairing, match, how), _(WHY[how])
            with stage_held(stage, pairing, match):
                overrule(match=match, decision=decision, user=user, reason=reason)
        row = Entrant.objects.filter(pk=entrant.pk)
        state = row.get().state
        row.update(state=EntrantState.WITHDRAWN)
        note(
            event=stage.flight.event,
            kind=how.value,
            user=user,
            stage=stage.ref,
            entrant=entrant.ref,
            state=state,
            was=before.gone[place.number].value if place.number in before.gone else "",
            lost=lost,
            matches=[match.ref for match in matches],
        )


def _place_of(entrant: Entrant) -> StageEntrant:
    places = StageEntrant.objects.filter(entrant=entrant).select_related("stage")
    place = places.order_by("-stage__position").first()
    if place is None:
        raise DeskRefusedError(_("This entrant was not drawn: there is nothing to leave."), code="not_drawn")
    return place


def _open_sheets(entrant: Entrant) -> QuerySet[Sheet]:
    return Sheet.objects.filter(_open(entrant, "match__board__pairing"))


def _open(entrant: Entrant, pairing: str) -> Q:
    """That the pairing at this path is the entrant's and still open.

    A plain join: nested in subqueries it was minutes long in an event whose tables the database has not yet
    counted.
    """
    sides = Q(**{f"{pairing}__a": entrant}) | Q(**{f"{pairing}__b": entrant})
    return sides & Q(**{f"{pairing}__state": PairingState.OPEN})


def _lost_by(entrant: Entrant, pairing: Pairing, match: Match, how: Gone) -> Decision:
    white = pairing.a_id == entrant.pk
    ended = Ending.RETIRED if match.sheet.head_seq > 1 else Ending.NO_SHOW
    if how is Gone.DISQUALIFIED:
        ended = Ending.DISQUALIFIED
    return Decision("black" if white else "white", None, ended)
