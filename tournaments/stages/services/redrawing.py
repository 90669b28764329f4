"""A draw that is taken back before play: its seed stays known, another is sealed, it is drawn again."""

from collections.abc import Sequence
from secrets import token_hex
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.models import User
from scoring.models import Sheet
from tournaments.core.stages.encoding import encode
from tournaments.core.stages.stage import Stage as StageValue
from tournaments.core.stages.stage import seed_hash
from tournaments.events.services.events import DeskRefusedError, options_before_the_draw, require_not_over
from tournaments.log.services import note
from tournaments.models import (
    Entrant,
    EntrantState,
    Event,
    EventStatus,
    Flight,
    Pairing,
    PairingState,
    Stage,
    StageEntrant,
    StageEvent,
    StageStatus,
)
from tournaments.models.stage import DRAW_TAKEN_BACK
from tournaments.stages.services.boards import void_boards
from tournaments.stages.services.drawing import first_stages
from tournaments.stages.services.feeding import pass_on, sources_of
from tournaments.stages.services.refusing import sides_of
from tournaments.stages.services.stages import begun_in, drawn, link_of, load, lock_stage, lock_with_sheets


def take_draw_back(*, stage: Stage, user: User | None, reason: str, seen: int | None = None) -> Stage:
    """Take a draw back before its first match: entries are open again, and a new seed is sealed.

    Its hash is shown at once and the draw is made as any other; so it is with the seed of duplicate dice. The
    old draw stays with the stage: hash, seed, field and order, so that anybody can draw it again; its
    pairings are replaced, their matches void, and whoever was called is told.
    Groups that were drawn together are taken back together; a stage that others feed gets the field that
    their results make by now, and who came late into it is let in again. Raises DeskRefusedError without a
    reason, before the draw, and once a match has begun, a result came in or somebody has left; StaleError
    when the stage's log is not at ``seen``.
    """
    if not reason.strip():
        raise DeskRefusedError(_("Say why it is drawn again: the log keeps it."), code="reason")
    with transaction.atomic():
        Flight.objects.select_for_update(no_key=True).get(pk=stage.flight_id)
        sources, locked = _locked(stage, seen)
        event = locked[0].flight.event
        values = [_unplayed(event, each) for each in locked]
        if not sources:
            _leave_no_late_one_alone(locked)
        called = [
            _take_back(each, value, user, fed=bool(sources))
            for each, value in zip(locked, values, strict=True)
        ]
        for source in sources:
            pass_on(source, load(source))
        if not Stage.objects.filter(flight__event=event, drawn_at__isnull=False).exists():
            Event.objects.filter(pk=event.pk).update(status=EventStatus.ANNOUNCED)
        for each, lapsed in zip(locked, called, strict=True):
            note(
                event=event,
                kind="draw_taken_back",
                user=user,
                text=reason,
                stage=each.ref,
                seed=each.superseded[-1]["seed"],
                next=each.seed_hash,
                called=lapsed,
            )
        found = next(each for each in locked if each.pk == stage.pk)
        found.refresh_from_db(fields=["fed", "confirmed_at", "status"])
    return found


def _locked(stage: Stage, seen: int | None) -> tuple[list[Stage], list[Stage]]:
    """What feeds the stage, and the stages that were drawn together, locked behind the sheets of their
    matches.
    """
    sources = sources_of(stage)
    together = [stage] if sources else first_stages(stage.flight)
    # In their order, those that feed first: as a result that changes a field locks them.
    first, *others = [*sources, *together]
    held = [lock_with_sheets(first, lambda: _sheets(together)), *(lock_stage(each) for each in others)]
    for each in held:
        if each.pk == stage.pk and seen is not None:
            lock_stage(each, seen=seen)
    return held[: len(sources)], held[len(sources) :]


def _leave_no_late_one_alone(stages: Sequence[Stage]) -> None:
    """Who came late is there; where nobody had checked in for the draw, that must not make them the only one
    to be drawn.
    """
    refs = {each["ref"] for stage in stages for each in stage.field}
    in_it = Entrant.objects.filter(numbers__stage__in=[stage.pk for stage in stages])
    in_it = in_it.filter(state=EntrantState.PRESENT)
    if not in_it.filter(ref__in=refs).exists():
        Entrant.objects.filter(pk__in=list(in_it.values_list("pk", flat=True))).update(
            state=EntrantState.REGISTERED
        )


def _sheets(stages: Sequence[Stage]) -> QuerySet[Sheet]:
    return Sheet.objects.filter(
        match__board__pairing__stage__in=[stage.pk for stage in stages],
        match__board__pairing__state=PairingState.OPEN,
    )


def _unplayed(event: Event, stage: Stage) -> StageValue:
    """What is drawn and not yet played. Raises DeskRefusedError otherwise."""
    require_not_over(event)
    if stage.drawn_at is None:
        raise DeskRefusedError(_("%(stage)s is not drawn.") % {"stage": stage.name}, code="planned")
    value = load(stage)
    begun = set(value.outcomes) | begun_in(stage)
    rows = Pairing.objects.filter(stage=stage, started_at__isnull=False).current()
    begun |= set(rows.values_list("number", flat=True))
    if begun:
        raise DeskRefusedError(
            _("%(stage)s is being played (%(matches)s): it is drawn again only before the first match.")
            % {"stage": stage.name, "matches": sides_of(stage, begun)},
            code="begun",
        )
    if value.gone:
        raise DeskRefusedError(
            _("Somebody has left %(stage)s: take that back in the event's log first.")
            % {"stage": stage.name},
            code="begun",
        )
    return value


def _take_back(stage: Stage, value: StageValue, user: User | None, *, fed: bool) -> list[str]:
    """The refs of the pairings that were called: these calls hold no longer."""
    pairings = list(Pairing.objects.filter(stage=stage).current())
    Pairing.objects.filter(pk__in=[row.pk for row in pairings]).update(state=PairingState.REPLACED)
    void_boards(pairings)
    StageEntrant.objects.filter(stage=stage).delete()
    old, seed = drawn(stage), token_hex(16)
    stage.superseded = [
        *stage.superseded,
        {
            "seed": stage.seed,
            "seed_hash": stage.seed_hash,
            "algorithm": stage.algorithm,
            "options": stage.options,
            "field": stage.field,
            "order": stage.order,
            "drawn_at": (stage.drawn_at or now()).isoformat(),
            "taken_back_at": now().isoformat(),
            **_dice(stage),
            **(_beside_the_field(stage, value) if fed else {}),
        },
    ]
    body = {"kind": DRAW_TAKEN_BACK, "seed": old.seed, "next": seed_hash(seed)}
    stage.head_seq += 1
    stage.head_hash = link_of(stage.head_hash, stage.head_seq, body)
    StageEvent.objects.create(stage=stage, seq=stage.head_seq, body=body, user=user, hash=stage.head_hash)
    stage.drawn_behind = stage.head_seq
    stage.options = encode(options_before_the_draw(stage))
    stage.seed, stage.seed_hash, stage.dice_seed = seed, seed_hash(seed), token_hex(16)
    stage.field, stage.order = [], []
    stage.status, stage.drawn_at = StageStatus.PLANNED, None
    stage.save()
    return [row.ref for row in pairings if row.called_at is not None]


def _dice(stage: Stage) -> dict[str, str]:
    """The seed of duplicate dice, whose rolls a director may have looked at, with the hash that was shown: no
    match is played by it any more.
    """
    return {"dice_hash": stage.dice_hash, "dice_seed": stage.dice_seed} if stage.duplicate_dice else {}


def _beside_the_field(stage: Stage, value: StageValue) -> dict[str, Any]:
    """Who came late into a draw that others fill, and who took over whose place: they are let in again."""
    drawn_refs = [each["ref"] for each in stage.field]
    refs = [each.ref for each in value.field]
    instead = {old: new for old, new in zip(drawn_refs, refs, strict=False) if old != new}
    return {"late": refs[len(drawn_refs) :], "instead": instead}
