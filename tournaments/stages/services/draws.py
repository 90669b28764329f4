"""Make and undo draws.

A draw uses the stage's sealed seed and reveals it. Undoing a draw before play keeps the old seed on record,
seals a new one and reopens entries.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from secrets import token_hex
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.models import User
from clubs.refusals import remedy_of
from scoring.codec import from_plain, to_plain
from scoring.log.services.chains import append
from scoring.models import Sheet
from scoring.ratings.services.ratings import main_list
from tournaments.core.formats.groups import spread
from tournaments.core.formats.table import FORMATS, format_of
from tournaments.core.play import acts
from tournaments.core.play.acts import draw_random
from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.errors import DrawError
from tournaments.core.stages.lengths import with_lengths
from tournaments.core.stages.seeding import rank
from tournaments.core.stages.stage import seed_hash
from tournaments.events.services.events import options_before_the_draw, require_not_over
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note
from tournaments.models import (
    EarlierDraw,
    EarlierEntrant,
    EntrantRow,
    EntrantState,
    Event,
    EventStatus,
    Flight,
    PairingRow,
    PairingState,
    StageEntrant,
    StageEvent,
    StageRow,
    StageStatus,
)
from tournaments.models.drawn_field import NumberedEntrant
from tournaments.models.stage import DRAW_TAKEN_BACK
from tournaments.stages.queries.forbidden import NO_LABELS, Labels, club_of, labels_of
from tournaments.stages.services.boards import void_boards
from tournaments.stages.services.feeds import drawn_field, pass_on, sources_of
from tournaments.stages.services.locks import lock_stage, lock_with_sheets
from tournaments.stages.services.refusals import in_names, remedy_in_log, sides_of
from tournaments.stages.services.stages import load, play_in, told, walkovers_in, write


def draw_stage(*, stage: StageRow, user: User | None, seen: int | None = None) -> StageRow:
    """Draw a planned stage and publish its first pairings.

    The first stage of a flight is drawn among those who have checked in (all entrants, if none has);
    are there several, they are groups of equal strength and drawn together. A stage that others feed is drawn
    among those whom they sent; who had come late into a draw of it that was taken back comes in again. A draw
    cannot be made twice. Raises DeskRefused, StaleRefused, or DrawRefused for a field or options that the
    format cannot draw, and where a forbidden pair would meet at once.
    """
    with transaction.atomic():
        # Entries lock the flight: an entrant is in the draw, or is refused because it was made.
        Flight.objects.select_for_update(no_key=True).get(pk=stage.flight_id)
        together = [stage] if sources_of(stage) else first_stages(stage.flight)
        locked = [lock_stage(each, seen=seen if each.pk == stage.pk else None) for each in together]
        event = locked[0].flight.event
        _require_playable(event, locked)
        # Made here, so that the first two results of a club do not wait for each other's list.
        main_list(event.club)
        for each, (field, entrants) in zip(locked, _fields(locked), strict=True):
            with in_names(each):
                _draw(each, field, entrants, user)
                _let_in_again(each, user)
        if event.status == EventStatus.ANNOUNCED:
            event.status = EventStatus.RUNNING
            event.save(update_fields=["status"])
    return next(each for each in locked if each.pk == stage.pk)


def _require_playable(event: Event, stages: Sequence[StageRow]) -> None:
    if event.status == EventStatus.CANCELLED:
        raise DeskRefused(_("This event is cancelled."), code="event_over")
    if any(each.drawn_at is not None for each in stages):
        raise DeskRefused(_("The draw has already been made."), code="drawn")
    if unneeded := next((each for each in stages if each.status == StageStatus.SKIPPED), None):
        raise DeskRefused(
            _("%(stage)s is not needed and cannot be drawn.") % {"stage": unneeded.name}, code="skipped"
        )


def _draw(
    stage: StageRow, field: Sequence[Entrant], entrants: Sequence[EntrantRow], user: User | None
) -> None:
    options = format_of(stage.format).drawn_with(field, typed_options(stage))
    drawn = acts.open_stage(stage.format, field, options, seed=stage.seed)
    stage.options = to_plain(options)
    stage.algorithm = drawn.version
    stage.entrants, stage.seats = len(drawn.field), len(drawn.order)
    stage.status, stage.drawn_at = StageStatus.RUNNING, now()
    stage.save(update_fields=["options", "algorithm", "entrants", "seats", "status", "drawn_at"])
    seats = {number: seat for seat, number in enumerate(drawn.order, 1)}
    StageEntrant.objects.bulk_create(
        StageEntrant(
            flight_id=stage.flight_id,
            stage=stage,
            number=number,
            entrant=entrant,
            drawn=entrant,
            seat=seats[number],
            told=told(each),
        )
        for number, (each, entrant) in enumerate(zip(drawn.field, entrants, strict=True), 1)
    )
    before = load(stage)
    if (refused := acts.forbidden_at_first(before)) is not None:
        raise refused
    write(stage=stage, before=before, after=before, user=user)


def _let_in_again(stage: StageRow, user: User | None) -> None:
    """Re-add entrants of the undone draw that no stage sent.

    Each gets the place that they had taken over, else one for late entrants. Raises DeskRefused where none is
    left.
    """
    instead, late = stage.beside_the_field if stage.drawn_behind and sources_of(stage) else ({}, [])
    if not instead and not late:
        return
    before = value = load(stage)
    sent = {each.ref for each in value.field}
    rows = EntrantRow.objects.filter(ref__in={*instead.values(), *late} - sent).entered().with_players()
    known = {each.ref: each for each in rows}
    for old, ref in instead.items():
        number = next((n for n, each in enumerate(value.field, 1) if each.ref == old), None)
        if ref in known and number is not None:
            entrant = known.pop(ref)
            value = acts.replace_entrant(value, number, drawn_entrant(entrant))
            StageEntrant.objects.filter(stage=stage, number=number).update(entrant=entrant)
    for ref in (ref for ref in [*instead.values(), *late] if ref in known):
        number = len(value.field) + 1
        StageEntrant.objects.create(flight_id=stage.flight_id, stage=stage, number=number, entrant=known[ref])
        try:
            with in_names(stage):
                value = acts.enter_late(value, drawn_entrant(known[ref]))
        except DrawError as refused:
            raise DeskRefused(
                _("%(name)s was in the previous draw but has no place in this one: %(why)s")
                % {"name": known[ref].title, "why": refused},
                code="no_place",
                remedy=remedy_of(refused),
            ) from refused
    if value is not before:
        write(stage=stage, before=before, after=value, user=user)


def first_stages(flight: Flight) -> list[StageRow]:
    """The stages without a feeding stage, in order: one, or the groups (one query)."""
    first = flight.stages.filter(fed_by=None).select_related("flight__event__club")
    return list(first.order_by("position"))


def present_in(flight: Flight) -> list[EntrantRow]:
    """The checked-in entrants, or all if none has: by seed, then by time of registration."""
    entered = EntrantRow.objects.filter(flight=flight).entered().with_players()
    entrants = list(entered.order_by(F("seed").asc(nulls_last=True), "registered_at", "pk"))
    return [entrant for entrant in entrants if entrant.state == EntrantState.PRESENT] or entrants


def _fields(stages: Sequence[StageRow]) -> list[tuple[Sequence[Entrant], list[EntrantRow]]]:
    """The fields of stages drawn together, with their rows."""
    if sources_of(stages[0]):
        field = drawn_field(stages[0])
        rows = _rows([each.ref for each in field])
        labels = labels_of(stages[0].flight, rows)
        return [([_labelled(each, labels) for each in field], rows)]
    groups = _spread(stages, present_in(stages[0].flight))
    return [(drawn_entrants(stages[0].flight, entrants), entrants) for entrants in groups]


def _spread(groups: Sequence[StageRow], entrants: list[EntrantRow]) -> list[list[EntrantRow]]:
    """The entrants in groups of equal strength; unrated ones by lot."""
    if len(groups) == 1 or len(entrants) < 2 * len(groups):
        return [entrants, *([] for _ in groups[1:])]
    field = drawn_entrants(groups[0].flight, entrants)
    ranked = rank(field, "rating", draw_random(groups[0].seed))
    known = {each.ref: each for each in entrants}
    found = spread([field[number - 1] for number in ranked], len(groups))
    return [[known[each.ref] for each in group] for group in found]


def _rows(refs: Sequence[str]) -> list[EntrantRow]:
    known = {each.ref: each for each in EntrantRow.objects.filter(ref__in=refs).with_players()}
    return [known[ref] for ref in refs]


def typed_options(stage: StageRow) -> Any:
    """The format's options with the stage's match lengths where the options name none."""
    options = from_plain(FORMATS[stage.format].options, stage.options, "options")
    return with_lengths(options, length=stage.length, lengths=stage.lengths)


def drawn_entrants(flight: Flight, entrants: Sequence[EntrantRow]) -> list[Entrant]:
    """Entrants as the draw sees them: refs, rating, seed, club and labels of forbidden pairs, no name.

    Load them ``with_players()`` (as many queries as ``labels_of``).
    """
    labels = labels_of(flight, entrants)
    return [
        _labelled(
            Entrant(
                ref=entrant.ref,
                rating=entrant.rating,
                members=tuple(player.ref for player in entrant.players),
                club=club_of(entrant),
                seed=entrant.seed,
            ),
            labels,
        )
        for entrant in entrants
    ]


def drawn_entrant(entrant: EntrantRow) -> Entrant:
    """One entrant as the draw sees it: see ``drawn_entrants``."""
    return drawn_entrants(entrant.flight, [entrant])[0]


def _labelled(entrant: Entrant, labels: Mapping[str, Labels]) -> Entrant:
    """The entrant with the labels that the list of forbidden pairs gives it now."""
    held = labels.get(entrant.ref, NO_LABELS)
    return replace(entrant, never=held.never, avoid=held.avoid)


def undo_draw(*, stage: StageRow, user: User | None, reason: str, seen: int | None = None) -> StageRow:
    """Undo a draw before its first match: reopen entries, seal a new seed.

    Its hash is shown at once and the draw is made as any other; so it is with the seed of duplicate dice. The
    old draw stays with the stage: hash, seed, field and order, so that anyone can repeat it; its
    pairings are replaced, their matches void, and called players are notified.
    Groups that were drawn together are taken back together; a stage that others feed gets the field that
    their results make by now, and who came late into it is let in again. Raises DeskRefused without a
    reason, before the draw, and once a match has begun, a result came in or an entrant has left; StaleRefused
    when the stage's log is not at ``seen``.
    """
    if not reason.strip():
        raise DeskRefused(_("Enter a reason for the redraw."), code="reason")
    with transaction.atomic():
        Flight.objects.select_for_update(no_key=True).get(pk=stage.flight_id)
        sources, locked = _held_together(stage, seen)
        event = locked[0].flight.event
        for each in locked:
            _require_unplayed(event, each)
        if not sources:
            _leave_no_late_one_alone(locked)
        called = [_take_back(each, user) for each in locked]
        for source in sources:
            pass_on(source, load(source))
        if not StageRow.objects.filter(flight__event=event, drawn_at__isnull=False).exists():
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
        found.refresh_from_db(fields=["confirmed_at", "status"])
    return found


def _held_together(stage: StageRow, seen: int | None) -> tuple[list[StageRow], list[StageRow]]:
    """Lock the stage, its feeders and its siblings, behind their sheets."""
    sources = sources_of(stage)
    together = [stage] if sources else first_stages(stage.flight)
    # In their order, those that feed first: as a result that changes a field locks them.
    first, *others = [*sources, *together]
    held = [
        lock_with_sheets(first, lambda: _open_sheets(together)),
        *(lock_stage(each) for each in others),
    ]
    for each in held:
        if each.pk == stage.pk and seen is not None:
            lock_stage(each, seen=seen)
    return held[: len(sources)], held[len(sources) :]


def _leave_no_late_one_alone(stages: Sequence[StageRow]) -> None:
    """Keep a late entrant from being the only one checked in for a redraw."""
    numbers = StageEntrant.objects.filter(stage__in=[stage.pk for stage in stages])
    in_it = EntrantRow.objects.filter(numbers__in=numbers, state=EntrantState.PRESENT)
    if not in_it.filter(pk__in=numbers.exclude(drawn=None).values("drawn")).exists():
        EntrantRow.objects.filter(pk__in=list(in_it.values_list("pk", flat=True))).update(
            state=EntrantState.REGISTERED
        )


def _open_sheets(stages: Sequence[StageRow]) -> QuerySet[Sheet]:
    return Sheet.objects.filter(
        match__board__pairing__stage__in=[stage.pk for stage in stages],
        match__board__pairing__state=PairingState.OPEN,
    )


def _require_unplayed(event: Event, stage: StageRow) -> None:
    """Raise DeskRefused for a stage that is not drawn or already in play."""
    require_not_over(event)
    if stage.drawn_at is None:
        raise DeskRefused(_("%(stage)s has not been drawn.") % {"stage": stage.name}, code="planned")
    value = load(stage)
    begun, walkovers = play_in(stage, value), walkovers_in(value)
    if begun and begun == walkovers:
        raise DeskRefused(
            _(
                "%(stage)s cannot be redrawn: it has a walkover or disqualification (%(matches)s). "
                "Undo that in the log first."
            )
            % {"stage": stage.name, "matches": sides_of(stage, walkovers)},
            code="walkover",
            remedy=remedy_in_log(stage),
        )
    if begun:
        raise DeskRefused(
            _("%(stage)s cannot be redrawn: play has begun (%(matches)s).")
            % {"stage": stage.name, "matches": sides_of(stage, begun)},
            code="begun",
        )
    if value.gone:
        raise DeskRefused(
            _("An entrant has withdrawn from %(stage)s. Undo that in the log first.") % {"stage": stage.name},
            code="begun",
            remedy=remedy_in_log(stage),
        )


def _take_back(stage: StageRow, user: User | None) -> list[str]:
    """Undo the draw of a stage and seal a new seed; the refs of called pairings."""
    pairings = list(PairingRow.objects.filter(stage=stage).current())
    PairingRow.objects.filter(pk__in=[row.pk for row in pairings]).update(state=PairingState.REPLACED)
    void_boards(pairings)
    _keep_the_draw(stage)
    old, seed = stage.seed, token_hex(16)
    body = {"seed": old, "next": seed_hash(seed)}
    append(stage, [StageEvent(stage=stage, kind=DRAW_TAKEN_BACK, body=body, user=user)])
    stage.drawn_behind = stage.head_seq
    stage.options = to_plain(options_before_the_draw(stage))
    stage.seed, stage.seed_hash, stage.dice_seed = seed, seed_hash(seed), token_hex(16)
    stage.entrants = stage.seats = 0
    stage.status, stage.drawn_at = StageStatus.PLANNED, None
    stage.save()
    return [row.ref for row in pairings if row.called_at is not None]


def _keep_the_draw(stage: StageRow) -> None:
    """Archive the undone draw with its seeds.

    Its dice are never used again: a director may have looked at the rolls.
    """
    kept = EarlierDraw.objects.create(
        flight_id=stage.flight_id,
        stage=stage,
        number=stage.earlier.count() + 1,
        seed=stage.seed,
        seed_hash=stage.seed_hash,
        algorithm=stage.algorithm,
        options=stage.options,
        seats=stage.seats,
        drawn_at=stage.drawn_at or now(),
        taken_back_at=now(),
        dice_hash=stage.dice_hash,
        dice_seed=stage.dice_seed if stage.duplicate_dice else "",
    )
    columns = [each.attname for each in NumberedEntrant._meta.concrete_fields]
    numbers = StageEntrant.objects.filter(stage=stage)
    EarlierEntrant.objects.bulk_create(EarlierEntrant(draw=kept, **row) for row in numbers.values(*columns))
    numbers.delete()
