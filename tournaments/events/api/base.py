"""Shared parts of the event API: entrants out, flights and players in."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.response import Response

from clubs.access import SignedIn
from clubs.http.base import Access, ApiView
from clubs.http.serializers import Strict
from clubs.models import Club, Player, Role, Scope
from clubs.models.person import NAME_LENGTH
from clubs.people.search import members
from scoring.log.api import PlayerRefOut
from tournaments.models import EntrantRow, Event, FeePayment, Flight

FIRST_YEAR, LAST_YEAR = 1900, 2200
RUN = Access(SignedIn, Scope.DIRECT)


class EventTime(serializers.DateTimeField):
    """A time of an event between ``FIRST_YEAR`` and ``LAST_YEAR``."""

    def to_internal_value(self, value: Any) -> datetime:
        found: datetime = super().to_internal_value(value)
        if not FIRST_YEAR <= found.year <= LAST_YEAR:
            message = _("The year must be between %(first)s and %(last)s.")
            raise ValidationError(message % {"first": FIRST_YEAR, "last": LAST_YEAR}, code="year")
        return found


class ShowsEntrants:
    """A view of entrants; ``directs`` once a director of their club is known to ask."""

    directs = False

    def met(self, role: Role | None) -> None:
        self.directs = role is not None and role >= Role.DIRECTOR


class EntrantOut(serializers.ModelSerializer[EntrantRow]):
    """An entrant: its players and the state of its entry."""

    flight = serializers.SlugRelatedField[Any](slug_field="ref", read_only=True)
    players = PlayerRefOut(many=True)
    payment = serializers.SerializerMethodField(help_text="Only for directors, otherwise null.")
    refunded_at = serializers.SerializerMethodField(
        help_text="When the fees were refunded. Only for directors, otherwise null."
    )

    outstanding = serializers.SerializerMethodField(
        help_text="Part of recorded fees not paid yet, in minor units. Only for directors, otherwise null."
    )
    other_way = serializers.SerializerMethodField(
        help_text="Part of the paid fees that was not paid as `payment` says, but in the other of cash and "
        "transfer, in minor units. Only for directors, otherwise null."
    )
    email = serializers.SerializerMethodField(help_text="Only for directors, otherwise null.")
    club = serializers.CharField(source="from_club", allow_blank=True)

    class Meta:
        model = EntrantRow
        fields = [
            *("ref", "flight", "name", "players", "state", "payment", "refunded_at", "outstanding"),
            *("other_way", "rating", "seed", "club", "email", "pools", "registered_at"),
        ]

    @extend_schema_field({"type": "string", "nullable": True})
    def get_payment(self, entrant: EntrantRow) -> str | None:
        return entrant.payment if self._directs else None

    @extend_schema_field({"type": "string", "format": "date-time", "nullable": True})
    def get_refunded_at(self, entrant: EntrantRow) -> datetime | None:
        return entrant.refunded_at if self._directs else None

    @extend_schema_field({"type": "integer", "nullable": True})
    def get_outstanding(self, entrant: EntrantRow) -> int | None:
        return entrant.outstanding if self._directs else None

    @extend_schema_field({"type": "integer", "nullable": True})
    def get_other_way(self, entrant: EntrantRow) -> int | None:
        return entrant.other_way if self._directs else None

    @extend_schema_field({"type": "string", "nullable": True})
    def get_email(self, entrant: EntrantRow) -> str | None:
        return entrant.email if self._directs else None

    @property
    def _directs(self) -> bool:
        view = self.context.get("view")
        return isinstance(view, ShowsEntrants) and view.directs


class NewEntrant(Strict):
    """A new entrant: a player, pair or team; in the first division by default."""

    players = serializers.ListField(
        child=serializers.CharField(max_length=10), max_length=20, default=list, help_text="Refs of players."
    )
    guests = serializers.ListField(
        child=serializers.CharField(max_length=NAME_LENGTH),
        max_length=20,
        default=list,
        help_text="Names of players who become guests of the club, after `players`.",
    )
    flight = serializers.CharField(max_length=10, required=False)
    name = serializers.CharField(max_length=60, default="", allow_blank=True, help_text="The team's name.")
    payment = serializers.ChoiceField(choices=FeePayment.choices, default=FeePayment.OPEN)
    override = serializers.BooleanField(default=False, help_text="Override the entry restrictions.")
    pools = serializers.ListField(child=serializers.CharField(max_length=60), max_length=20, default=list)


def flight_of(event: Event, ref: str | None) -> Flight:
    """The named flight, by default the first; 400 for another event's."""
    flights = event.flights.select_related("event__club").order_by("position")
    if not ref:
        return flights[0]
    found = flights.filter(ref=ref).first()
    if found is None:
        message = _("There is no division %(ref)s in this event.") % {"ref": ref}
        raise ValidationError({"flight": [ErrorDetail(message, "unknown_flight")]})
    return found


def entering(club: Club, data: Mapping[str, Any]) -> list[Player | str]:
    """The players of a `NewEntrant`: those with these refs, then names of new guests. 400 for neither."""
    if not data["players"] and not data["guests"]:
        message = _("Enter at least one player.")
        raise ValidationError({"players": [ErrorDetail(message, "required")]})
    return [*players_named(club, data["players"]), *data["guests"]]


def players_named(club: Club, refs: list[str]) -> list[Player]:
    """The club's players with these refs; 400 for an unknown ref."""
    known = {player.ref: player for player in members(club).filter(ref__in=refs)}
    if unknown := [ref for ref in refs if ref not in known]:
        message = _("There is no player %(ref)s in the club.") % {"ref": unknown[0]}
        raise ValidationError({"players": [ErrorDetail(message, "unknown_player")]})
    return [known[ref] for ref in refs]


def entered(view: ApiView, entrant: EntrantRow) -> Response:
    """201 with the new entrant."""
    found = EntrantRow.objects.select_related("flight").with_players().get(pk=entrant.pk)
    return view.created(EntrantOut, found, "api:entrant", entrant=found.ref)
