"""The draw: the seed that was kept before is used once, and shown; a redraw seals another.

A draw that is taken back before play keeps its seed known; entries are open again until the next draw.
"""

from collections.abc import Sequence
from secrets import token_hex
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.models import User
from scoring.models import Sheet
from scoring.ratings.services.ratings import main_list
from tournaments.core.formats.groups import spread
from tournaments.core.formats.table import FORMATS
from tournaments.core.play import acts
from tournaments.core.play.acts import draw_random
from tournaments.core.stages.encoding import decode, encode
from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.errors import DrawError
from tournaments.core.stages.lengths import with_lengths
from tournaments.core.stages.seeding import rank
from tournaments.core.stages.stage import Stage, seed_hash
from tournaments.events.services.events import options_before_the_draw, require_not_over
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note
from tournaments.models import (
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
from tournaments.models.stage import DRAW_TAKEN_BACK
from tournaments.stages.services.boards import void_boards
from tournaments.stages.services.feeds import drawn_field, pass_on, rules_of, sources_of
from tournaments.stages.services.locks import lock_stage, lock_with_sheets
from tournaments.stages.services.refusals import in_names, sides_of
from tournaments.stages.services.stages import begun_in, drawn, link_of, load, write


def draw_stage(*, stage: StageRow, user: User | None, seen: int | None = None) -> StageRow:
    """Draw a planned stage and publish its first pairings.

    The first stage of a flight is drawn among those who have checked in (everybody entered, when nobody did);
    are there several, they are groups of equal strength and drawn together. A stage that others feed is drawn
    among those whom they sent; who had come late into a draw of it that was taken back comes in again. A draw
    cannot be made twice. Raises DeskRefused, StaleRefused, or DrawRefused for a field or options that the
    format cannot draw.
    """
    with transaction.atomic():
        # Registrations hold the flight: whoever is entered is in the draw, or is told that it was made.
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
        raise DeskRefused(_("The draw has been made already."), code="drawn")
    if unneeded := next((each for each in stages if each.status == StageStatus.SKIPPED), None):
        raise DeskRefused(
            _("%(stage)s is not needed, so not drawn.") % {"stage": unneeded.name}, code="skipped"
        )


def _draw(
    stage: StageRow, field: Sequence[Entrant], entrants: Sequence[EntrantRow], user: User | None
) -> None:
    options = typed_options(stage)
    drawn = acts.open_stage(stage.format, field, options, seed=stage.seed)
    stage.options = encode(options)
    stage.algorithm = drawn.version
    stage.field = [encode(each) for each in drawn.field]
    stage.order = list(drawn.order)
    stage.status, stage.drawn_at = StageStatus.RUNNING, now()
    stage.save(update_fields=["options", "algorithm", "field", "order", "status", "drawn_at"])
    StageEntrant.objects.bulk_create(
        StageEntrant(stage=stage, number=number, entrant=entrant)
        for number, entrant in enumerate(entrants, 1)
    )
    before = load(stage)
    write(stage=stage, before=before, after=before, user=user)


def _let_in_again(stage: StageRow, user: User | None) -> None:
    """Who was in the draw that was taken back and is not sent by a stage gets a place in this one: the one
    that they had taken over, else one for late entrants. Raises DeskRefused where there is none left.
    """
    instead, late = stage.beside_the_field
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
        StageEntrant.objects.create(stage=stage, number=number, entrant=known[ref])
        try:
            with in_names(stage):
                value = acts.enter_late(value, drawn_entrant(known[ref]))
        except DrawError as refused:
            raise DeskRefused(
                _("%(name)s was in the draw that was taken back and has no place in this one: %(why)s")
                % {"name": known[ref].title, "why": refused},
                code="no_place",
            ) from refused
    if value is not before:
        write(stage=stage, before=before, after=value, user=user)


def first_stages(flight: Flight) -> list[StageRow]:
    """The stages that nobody feeds, in order: one, or the groups (one query)."""
    stages = list(flight.stages.select_related("flight__event__club").order_by("position"))
    fed = {rule.into for each in stages for rule in rules_of(each)}
    return [each for each in stages if each.ref not in fed]


def present_in(flight: Flight) -> list[EntrantRow]:
    """Those who have checked in, or everybody entered when nobody has, in the order of their registration."""
    entered = EntrantRow.objects.filter(flight=flight).entered().with_players()
    entrants = list(entered.order_by("registered_at", "pk"))
    return [entrant for entrant in entrants if entrant.state == EntrantState.PRESENT] or entrants


def _fields(stages: Sequence[StageRow]) -> list[tuple[Sequence[Entrant], list[EntrantRow]]]:
    """The field of each of the stages that are drawn together, with its rows."""
    if sources_of(stages[0]):
        field = drawn_field(stages[0])
        return [(field, _rows([each.ref for each in field]))]
    spread = _spread(stages, present_in(stages[0].flight))
    return [([drawn_entrant(each) for each in entrants], entrants) for entrants in spread]


def _spread(groups: Sequence[StageRow], entrants: list[EntrantRow]) -> list[list[EntrantRow]]:
    """The entrants in groups of equal strength; the unrated by a lot from the first group's seed."""
    if len(groups) == 1 or len(entrants) < 2 * len(groups):
        return [entrants, *([] for _ in groups[1:])]
    field = [drawn_entrant(each) for each in entrants]
    ranked = rank(field, "rating", draw_random(groups[0].seed))
    known = {each.ref: each for each in entrants}
    found = spread([field[number - 1] for number in ranked], len(groups))
    return [[known[each.ref] for each in group] for group in found]


def _rows(refs: Sequence[str]) -> list[EntrantRow]:
    known = {each.ref: each for each in EntrantRow.objects.filter(ref__in=refs).with_players()}
    return [known[ref] for ref in refs]


def typed_options(stage: StageRow) -> Any:
    """The format's options with the stage's match lengths where the options name none."""
    options = decode(FORMATS[stage.format].options, stage.options, "options")
    return with_lengths(options, length=stage.length, lengths=stage.lengths)


def drawn_entrant(entrant: EntrantRow) -> Entrant:
    """An entrant as the draw sees it: refs and a rating, no name. Load it ``with_players()``."""
    return Entrant(
        ref=entrant.ref,
        rating=entrant.rating,
        members=tuple(player.ref for player in entrant.players),
    )


def take_draw_back(*, stage: StageRow, user: User | None, reason: str, seen: int | None = None) -> StageRow:
    """Take a draw back before its first match: entries are open again, and a new seed is sealed.

    Its hash is shown at once and the draw is made as any other; so it is with the seed of duplicate dice. The
    old draw stays with the stage: hash, seed, field and order, so that anybody can draw it again; its
    pairings are replaced, their matches void, and whoever was called is told.
    Groups that were drawn together are taken back together; a stage that others feed gets the field that
    their results make by now, and who came late into it is let in again. Raises DeskRefused without a
    reason, before the draw, and once a match has begun, a result came in or somebody has left; StaleRefused
    when the stage's log is not at ``seen``.
    """
    if not reason.strip():
        raise DeskRefused(_("Say why it is drawn again: the log keeps it."), code="reason")
    with transaction.atomic():
        Flight.objects.select_for_update(no_key=True).get(pk=stage.flight_id)
        sources, locked = _held_together(stage, seen)
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
        found.refresh_from_db(fields=["fed", "confirmed_at", "status"])
    return found


def _held_together(stage: StageRow, seen: int | None) -> tuple[list[StageRow], list[StageRow]]:
    """What feeds the stage, and the stages that were drawn together, locked behind the sheets of their
    matches.
    """
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
    """Who came late is there; where nobody had checked in for the draw, that must not make them the only one
    to be drawn.
    """
    refs = {each["ref"] for stage in stages for each in stage.field}
    in_it = EntrantRow.objects.filter(numbers__stage__in=[stage.pk for stage in stages])
    in_it = in_it.filter(state=EntrantState.PRESENT)
    if not in_it.filter(ref__in=refs).exists():
        EntrantRow.objects.filter(pk__in=list(in_it.values_list("pk", flat=True))).update(
            state=EntrantState.REGISTERED
        )


def _open_sheets(stages: Sequence[StageRow]) -> QuerySet[Sheet]:
    return Sheet.objects.filter(
        match__board__pairing__stage__in=[stage.pk for stage in stages],
        match__board__pairing__state=PairingState.OPEN,
    )


def _unplayed(event: Event, stage: StageRow) -> Stage:
    """What is drawn and not yet played. Raises DeskRefused otherwise."""
    require_not_over(event)
    if stage.drawn_at is None:
        raise DeskRefused(_("%(stage)s is not drawn.") % {"stage": stage.name}, code="planned")
    value = load(stage)
    begun = set(value.outcomes) | begun_in(stage)
    rows = PairingRow.objects.filter(stage=stage, started_at__isnull=False).current()
    begun |= set(rows.values_list("number", flat=True))
    if begun:
        raise DeskRefused(
            _("%(stage)s is being played (%(matches)s): it is drawn again only before the first match.")
            % {"stage": stage.name, "matches": sides_of(stage, begun)},
            code="begun",
        )
    if value.gone:
        raise DeskRefused(
            _("Somebody has left %(stage)s: take that back in the event's log first.")
            % {"stage": stage.name},
            code="begun",
        )
    return value


def _take_back(stage: StageRow, value: Stage, user: User | None, *, fed: bool) -> list[str]:
    """The refs of the pairings that were called: these calls hold no longer."""
    pairings = list(PairingRow.objects.filter(stage=stage).current())
    PairingRow.objects.filter(pk__in=[row.pk for row in pairings]).update(state=PairingState.REPLACED)
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


def _dice(stage: StageRow) -> dict[str, str]:
    """The seed of duplicate dice, whose rolls a director may have looked at, with the hash that was shown: no
    match is played by it any more.
    """
    return {"dice_hash": stage.dice_hash, "dice_seed": stage.dice_seed} if stage.duplicate_dice else {}


def _beside_the_field(stage: StageRow, value: Stage) -> dict[str, Any]:
    """Who came late into a draw that others fill, and who took over whose place: they are let in again."""
    drawn_refs = [each["ref"] for each in stage.field]
    refs = [each.ref for each in value.field]
    instead = {old: new for old, new in zip(drawn_refs, refs, strict=False) if old != new}
    return {"late": refs[len(drawn_refs) :], "instead": instead}
