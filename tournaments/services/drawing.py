"""The draw: the seed that was kept before is used once, and shown."""

from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.models import User
from scoring.services.ratings import main_list
from tournaments.draws import desk
from tournaments.draws.encoding import decode, encode
from tournaments.draws.entrants import Entrant as Drawn
from tournaments.draws.formats import FORMATS
from tournaments.models import (
    Entrant,
    EntrantState,
    EventStatus,
    Flight,
    Stage,
    StageEntrant,
    StageStatus,
)
from tournaments.services.events import DeskRefusedError
from tournaments.services.stages import load, lock_stage, write


def draw_stage(*, stage: Stage, user: User | None, seen: int | None = None) -> Stage:
    """Draw a planned stage among those who have checked in (everybody entered, when nobody did) and publish
    its first pairings.

    A draw cannot be made twice. Raises DeskRefusedError, StaleError, or DrawRefused for a field or options
    that the format cannot draw.
    """
    with transaction.atomic():
        # Registrations hold the flight: whoever is entered is in the draw, or is told that it was made.
        Flight.objects.select_for_update(no_key=True).get(pk=stage.flight_id)
        stage = lock_stage(stage, seen=seen)
        # Made here, so that the first two results of a club do not wait for each other's list.
        main_list(stage.flight.event.club)
        if stage.status != StageStatus.PLANNED:
            raise DeskRefusedError(_("The draw has been made already."), code="drawn")
        entrants = field_of(stage)
        options = typed_options(stage)
        drawn = desk.open_stage(stage.format, [_drawn(each) for each in entrants], options, seed=stage.seed)
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
        event = stage.flight.event
        if event.status == EventStatus.ANNOUNCED:
            event.status = EventStatus.RUNNING
            event.save(update_fields=["status"])
        before = load(stage)
        write(stage=stage, before=before, after=before, user=user)
    return stage


def field_of(stage: Stage) -> list[Entrant]:
    """Who would be drawn now, in the order of their registration."""
    entered = Entrant.objects.filter(flight=stage.flight).entered().with_players()
    entrants = list(entered.order_by("registered_at", "pk"))
    present = [entrant for entrant in entrants if entrant.state == EntrantState.PRESENT]
    return present or entrants


def typed_options(stage: Stage) -> Any:
    """The format's options with the stage's match lengths where the options name none.

    A format that has one length for all rounds is left without it where the stage has several: then each
    round's pairings have the stage's (``Stage.length_of``).
    """
    options = decode(FORMATS[stage.format].options, stage.options, "options")
    if not hasattr(options, "length"):
        lengths = options.lengths or tuple(stage.lengths) or (stage.length,)
        return replace(options, lengths=lengths)
    if options.length is not None or stage.lengths:
        return options
    return replace(options, length=stage.length)


def _drawn(entrant: Entrant) -> Drawn:
    return Drawn(
        ref=entrant.ref,
        rating=entrant.rating,
        members=tuple(player.ref for player in entrant.players),
    )
