"""Serializers for flights."""

from rest_framework import serializers

from tournaments.models import Flight


class FlightOut(serializers.ModelSerializer[Flight]):
    """A division of an event, called `flight` in fields and paths.

    Money is in minor units of the club's currency.
    """

    class Meta:
        model = Flight
        fields = [
            *("ref", "name", "capacity", "team_size", "registration_fee", "entry_fee", "returned", "added"),
            *("shares", "eligibility", "pools", "starts_when_full"),
        ]
