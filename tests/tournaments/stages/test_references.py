"""What leads to a row leads to one of the same flight, once: the database refuses anything else."""

from collections.abc import Callable
from copy import copy
from functools import partial
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.db.models import Model, ProtectedError

from clubs.models.constraints import SameOwner
from tests.tournaments.factories import a_player
from tests.tournaments.stages.test_feeding import SWISS, planned, play, stage_named
from tournaments.entries.services.entries import enter
from tournaments.events.services.events import add_flight
from tournaments.models import (
    Declined,
    EarlierDraw,
    EarlierEntrant,
    EntrantRow,
    Feed,
    Flight,
    Sent,
    StageEntrant,
    StageRow,
)
from tournaments.stages.services.draws import draw_stage, undo_draw
from tournaments.stages.services.feeds import decline, fed_field

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def _made_once(module_db: None) -> tuple[Flight, Flight]:
    """A Swiss that has sent everybody on, one of whom declined; another flight with a draw taken back."""
    flight, director = planned(SWISS, 4)
    for reason in ("again", ""):
        swiss = draw_stage(stage=stage_named(flight, "Swiss"), user=director)
        if reason:
            undo_draw(stage=swiss, user=director, reason=reason)
    play(swiss, director)
    cup = stage_named(flight, "Cup")
    decline(stage=cup, entrant=EntrantRow.objects.get(ref=fed_field(cup)[0]), user=director)
    other = add_flight(event=flight.event, plan=SWISS, position=1)
    for name in ("P5", "P6"):
        enter(flight=other, players=[a_player(flight.event.club, name)])
    undo_draw(
        stage=draw_stage(stage=stage_named(other, "Swiss"), user=director), user=director, reason="again"
    )
    return flight, other


@pytest.fixture
def two_flights(_made_once: tuple[Flight, Flight], db: None) -> tuple[Flight, Flight]:
    """As they were made: what a test does to them is undone."""
    flight, other = (Flight.objects.select_related("event__club").get(pk=each.pk) for each in _made_once)
    return flight, other


def refused(write: Callable[[], object]) -> str:
    """What the database says at the end of a transaction that writes this."""
    with pytest.raises(IntegrityError) as said:
        _at_once(write)
    return str(said.value)


def _at_once(write: Callable[[], object]) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        write()
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


MODELS: list[type[Model]] = [Feed, Sent, Declined, StageEntrant, EarlierDraw, EarlierEntrant]


def of_flight(model: Any, flight: Flight) -> Any:
    """The row of a flight that was made last."""
    return model._default_manager.filter(flight=flight).order_by("-pk").first()


@pytest.mark.parametrize("model", MODELS)
def test_what_a_row_leads_to_is_of_its_flight(model, two_flights):
    flight, other = two_flights
    rules = [each for each in model._meta.constraints if isinstance(each, SameOwner)]
    assert rules
    for rule in rules:
        row = of_flight(model, flight)
        elsewhere = of_flight(model._meta.get_field(rule.field).related_model, other)
        same = model._default_manager.filter(pk=row.pk)
        assert rule.name in refused(partial(same.update, **{rule.field: elsewhere}))
        setattr(row, rule.field, elsewhere)
        with pytest.raises(ValidationError, match=f"“{rule.field}” belongs to another flight"):
            rule.validate(model, row)
        rule.validate(model, row, exclude={rule.field})
        rule.validate(model, of_flight(model, flight))


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ({"kind": "top", "amount": 0}, "feed_kind_has_its_amount"),
        ({"kind": "top", "amount": None}, "feed_kind_has_its_amount"),
        ({"kind": "atmostlosses", "amount": None}, "feed_kind_has_its_amount"),
        ({"kind": "rest", "amount": 1}, "feed_kind_has_its_amount"),
        ({"kind": "everybody", "amount": None}, "feed_kind_has_its_amount"),
    ],
)
def test_a_feed_is_a_rule_that_there_is(values, name, two_flights):
    flight, _other = two_flights
    feed = Feed.objects.filter(flight=flight)[:1]
    assert name in refused(lambda: Feed.objects.filter(pk__in=feed).update(**values))


def test_no_stage_feeds_itself(two_flights):
    stages = StageRow.objects.filter(feeds__isnull=False, flight__in=two_flights)
    assert stages
    for stage in stages:
        said = refused(partial(Feed.objects.filter(stage=stage).update, into=stage))
        assert "feed_into_another_stage" in said


def test_nobody_is_sent_declined_drawn_or_seated_twice(two_flights):
    flight, _other = two_flights
    sent, gone = Sent.objects.filter(flight=flight)[0], Declined.objects.get()
    place = StageEntrant.objects.filter(flight=flight).order_by("number")[0]
    again: list[tuple[Model, dict[str, object], str]] = [
        (sent, {"place": 99}, "sent_once_by_a_feed"),
        (gone, {}, "declined_once_a_stage"),
        (place, {"number": 99, "drawn": None, "seat": None}, "entrant_once_a_stage"),
        (place, {"number": 99, "drawn": None}, "stage_entrant_drawn_has_a_seat"),
        (place, {"number": 99, "seat": None}, "stage_entrant_drawn_has_a_seat"),
    ]
    for row, values, name in again:
        another = copy(row)
        another.pk = None
        for column, value in values.items():
            setattr(another, column, value)
        assert name in refused(partial(another.save, force_insert=True)), values


def test_no_row_goes_because_another_one_does(two_flights):
    flight, _other = two_flights
    for row in (*flight.stages.all(), *flight.entrants.all(), *Feed.objects.filter(entrants__isnull=False)):
        with pytest.raises(ProtectedError):
            row.delete()
