"""Taking back that somebody left a draw: a withdrawal or a disqualification that was a mistake.

Nothing that was played may depend on it; somebody who really was away comes back (``services.late``).
"""

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from clubs.models import User
from scoring.models import Match, MatchStatus, Sheet
from tournaments.core.play.acts import take_back_leaving
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.outcomes import Gone
from tournaments.core.stages.stage import Stage as StageValue
from tournaments.desk.services.reporting import take_back_ending
from tournaments.events.services.events import DeskRefusedError, OvertakenError
from tournaments.log.kinds import LEFT
from tournaments.models import DeskEvent, Entrant, EventStatus, PairingState, Stage, StageEntrant
from tournaments.money.services.payouts import take_back_overtaken
from tournaments.stages.services.feeding import overtaken_by
from tournaments.stages.services.outcomes import close_if_over
from tournaments.stages.services.refusing import sides_of
from tournaments.stages.services.stages import begun_in, load, lock_with_sheets, write


def take_back(entry: DeskEvent, *, user: User) -> None:
    """The entrant of this entry never left: the matches that were lost by it go on where they stood.

    The caller has a transaction and writes the log. Raises OvertakenError when the entrant is back or was
    disqualified or left again since, or the draw was taken back; DeskRefusedError, saying why, where others
    have been paired or played on it.
    """
    stage = Stage.objects.select_related("flight__event__club").get(ref=entry.body["stage"])
    entrant = Entrant.objects.with_players().get(ref=entry.body["entrant"])
    lost, refs = entry.body["lost"], entry.body["matches"]
    locked = lock_with_sheets(stage, lambda: _sheets(stage, refs))
    if locked.flight.event.status == EventStatus.CANCELLED:
        raise DeskRefusedError(_("This event is cancelled."), code="event_over")
    numbers = StageEntrant.objects.filter(stage=locked, entrant=entrant)
    # None where the draw was taken back since.
    number = numbers.values_list("number", flat=True).first()
    before = load(locked)
    if number is None or before.gone.get(number) is not Gone(entry.kind) or _left_again(entry):
        raise OvertakenError(
            _("Something has been done here since: take that back first."), entrant=entrant.ref
        )
    # A correction may have taken him out of a match that he lost by leaving: that one counts no more.
    lost = [match for match in lost if _played_in(before, match, number)]
    was = entry.body["was"]
    try:
        after = take_back_leaving(
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
    take_back_overtaken(locked, before, after)
    matches = Match.objects.filter(ref__in=refs).exclude(status=MatchStatus.VOID)
    for match in matches.select_related("sheet").order_by("pk"):
        take_back_ending(
            match=match,
            user=user,
            key=f"desk-{entry.seq}-undone",
            reason=_("that somebody left was taken back"),
        )
    close_if_over(locked, after)
    Entrant.objects.filter(pk=entrant.pk).update(state=entry.body["state"])


def _played_in(value: StageValue, match: int, entrant: int) -> bool:
    """Whether the match has an outcome, and that names the entrant."""
    outcome = value.outcomes.get(match)
    return outcome is not None and entrant in {outcome.winner, outcome.loser}


def _left_again(entry: DeskEvent) -> bool:
    """Whether the same entrant has left the same draw once more since, and that stands."""
    log = DeskEvent.objects.filter(event=entry.event_id)
    same = log.filter(kind__in=LEFT, body__stage=entry.body["stage"], body__entrant=entry.body["entrant"])
    undone = log.filter(undoes__isnull=False).values_list("undoes", flat=True)
    return same.filter(seq__gt=entry.seq).exclude(seq__in=list(undone)).exists()


def _sheets(stage: Stage, refs: list[str]) -> QuerySet[Sheet]:
    """Those of the matches that were lost, and of the open ones, which may be void without the walkovers."""
    own = Q(match__ref__in=refs) | Q(match__board__pairing__state=PairingState.OPEN)
    return Sheet.objects.filter(own, match__board__pairing__stage=stage)


def _too_late(stage: Stage, entrant: Entrant, refused: DrawRefused) -> DeskRefusedError:
    match = int(str(refused.params["match"]))
    return DeskRefusedError(
        _(
            "Others were paired or have played on it (%(match)s): what %(name)s missed stays missed. "
            "Somebody who withdrew can come back from the next round on."
        )
        % {"name": entrant.title, "match": sides_of(stage, [match])},
        code=refused.code,
    )


def _refuse_if_drawn_on(stage: Stage, after: StageValue) -> None:
    drawn = overtaken_by(stage, after)
    if drawn:
        raise DeskRefusedError(
            _("The field of %(stages)s was drawn on it.")
            % {"stages": ", ".join(each.name for each in drawn)},
            code="locked",
        )
