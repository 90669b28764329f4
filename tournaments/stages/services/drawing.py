"""The draw: the seed that was kept before is used once, and shown."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.models import User
from scoring.ratings.services.ratings import main_list
from tournaments.core.formats.groups import spread
from tournaments.core.formats.table import FORMATS
from tournaments.core.play import acts
from tournaments.core.play.acts import draw_random
from tournaments.core.stages.encoding import decode, encode
from tournaments.core.stages.entrants import Entrant as Drawn
from tournaments.core.stages.errors import DrawError
from tournaments.core.stages.lengths import with_lengths
from tournaments.core.stages.seeding import rank
from tournaments.events.services.events import DeskRefusedError
from tournaments.models import (
    Entrant,
    EntrantState,
    Event,
    EventStatus,
    Flight,
    Stage,
    StageEntrant,
    StageStatus,
)
from tournaments.stages.services.feeding import drawn_field, rules_of, sources_of
from tournaments.stages.services.refusing import in_names
from tournaments.stages.services.stages import load, lock_stage, write


def draw_stage(*, stage: Stage, user: User | None, seen: int | None = None) -> Stage:
    """Draw a planned stage and publish its first pairings.

    The first stage of a flight is drawn among those who have checked in (everybody entered, when nobody did);
    are there several, they are groups of equal strength and drawn together. A stage that others feed is drawn
    among those whom they sent; who had come late into a draw of it that was taken back comes in again. A draw
    cannot be made twice. Raises DeskRefusedError, StaleError, or DrawRefused for a field or options that the
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


def _require_playable(event: Event, stages: Sequence[Stage]) -> None:
    if event.status == EventStatus.CANCELLED:
        raise DeskRefusedError(_("This event is cancelled."), code="event_over")
    if any(each.drawn_at is not None for each in stages):
        raise DeskRefusedError(_("The draw has been made already."), code="drawn")
    if unneeded := next((each for each in stages if each.status == StageStatus.SKIPPED), None):
        raise DeskRefusedError(
            _("%(stage)s is not needed, so not drawn.") % {"stage": unneeded.name}, code="skipped"
        )


def _draw(stage: Stage, field: Sequence[Drawn], entrants: Sequence[Entrant], user: User | None) -> None:
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


def _let_in_again(stage: Stage, user: User | None) -> None:
    """Who was in the draw that was taken back and is not sent by a stage gets a place in this one: the one
    that they had taken over, else one for late entrants. Raises DeskRefusedError where there is none left.
    """
    instead, late = stage.beside_the_field
    if not instead and not late:
        return
    before = value = load(stage)
    sent = {each.ref for each in value.field}
    rows = Entrant.objects.filter(ref__in={*instead.values(), *late} - sent).entered().with_players()
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
            raise DeskRefusedError(
                _("%(name)s was in the draw that was taken back and has no place in this one: %(why)s")
                % {"name": known[ref].title, "why": refused},
                code="no_place",
            ) from refused
    if value is not before:
        write(stage=stage, before=before, after=value, user=user)


def first_stages(flight: Flight) -> list[Stage]:
    """The stages that nobody feeds, in order: one, or the groups (one query)."""
    stages = list(flight.stages.select_related("flight__event__club").order_by("position"))
    fed = {rule.into for each in stages for rule in rules_of(each)}
    return [each for each in stages if each.ref not in fed]


def present_in(flight: Flight) -> list[Entrant]:
    """Those who have checked in, or everybody entered when nobody has, in the order of their registration."""
    entered = Entrant.objects.filter(flight=flight).entered().with_players()
    entrants = list(entered.order_by("registered_at", "pk"))
    return [entrant for entrant in entrants if entrant.state == EntrantState.PRESENT] or entrants


def _fields(stages: Sequence[Stage]) -> list[tuple[Sequence[Drawn], list[Entrant]]]:
    """The field of each of the stages that are drawn together, with its rows."""
    if sources_of(stages[0]):
        field = drawn_field(stages[0])
        return [(field, _rows([each.ref for each in field]))]
    spread = _spread(stages, present_in(stages[0].flight))
    return [([drawn_entrant(each) for each in entrants], entrants) for entrants in spread]


def _spread(groups: Sequence[Stage], entrants: list[Entrant]) -> list[list[Entrant]]:
    """The entrants in groups of equal strength; the unrated by a lot from the first group's seed."""
    if len(groups) == 1 or len(entrants) < 2 * len(groups):
        return [entrants, *([] for _ in groups[1:])]
    field = [drawn_entrant(each) for each in entrants]
    ranked = rank(field, "rating", draw_random(groups[0].seed))
    known = {each.ref: each for each in entrants}
    found = spread([field[number - 1] for number in ranked], len(groups))
    return [[known[each.ref] for each in group] for group in found]


def _rows(refs: Sequence[str]) -> list[Entrant]:
    known = {each.ref: each for each in Entrant.objects.filter(ref__in=refs).with_players()}
    return [known[ref] for ref in refs]


def typed_options(stage: Stage) -> Any:
    """The format's options with the stage's match lengths where the options name none."""
    options = decode(FORMATS[stage.format].options, stage.options, "options")
    return with_lengths(options, length=stage.length, lengths=stage.lengths)


def drawn_entrant(entrant: Entrant) -> Drawn:
    """An entrant as the draw sees it: refs and a rating, no name. Load it ``with_players()``."""
    return Drawn(
        ref=entrant.ref,
        rating=entrant.rating,
        members=tuple(player.ref for player in entrant.players),
    )
