"""API of a table's join code, guests' seats and boards."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.http.base import Access
from clubs.http.serializers import Strict
from clubs.models import Scope
from scoring.chouettes.api.answers import BoardOut, ChouetteOut
from scoring.chouettes.api.tables import Seated, TableView
from scoring.chouettes.queries.chouettes import qr_code
from scoring.chouettes.services.boards import open_board
from scoring.chouettes.services.seats import open_seat
from scoring.chouettes.services.tables import renew_code
from scoring.log.api import LETTING_IN
from scoring.sheets.services.entries import LONGEST_KEY


class ChouetteBoard(TableView):
    access = {"POST": Access(Seated, Scope.RECORD)}

    @extend_schema(request=None, responses=BoardOut, summary="Record a chouette's game on a board")
    def post(self, request: Request, chouette: str) -> Response:
        """Starts the record of the current game, or returns it if it exists.

        Rolls and plays are recorded on the match's scoresheet, cubes at the table; the end of the
        game ends both.
        """
        seen = self.writable(chouette)
        match = open_board(chouette=seen.chouette, author=seen.author)
        page = request.build_absolute_uri(reverse("scoring:scoresheet", args=[match.ref]))
        return self.one(BoardOut, {"match": match.ref, "page": page})


class ChouetteCode(TableView):
    access = {"POST": Access(Seated, Scope.RECORD)}
    throttle_classes = LETTING_IN

    @extend_schema(request=None, responses=ChouetteOut, summary="Renew a chouette's join code")
    def post(self, request: Request, chouette: str) -> Response:  # noqa: ARG002
        """The old code stops working; players at the table stay."""
        seen = self.writable(chouette)
        renew_code(chouette=seen.chouette, author=seen.author)
        return self.now(chouette)


class MovedSeat(Strict):
    """The seat of a player in `movable_seats`; `key` makes the request idempotent."""

    player = serializers.CharField(max_length=20)
    key = serializers.CharField(max_length=LONGEST_KEY)


class SeatOut(serializers.Serializer[Any]):
    """The page where one phone can take the seat, for 30 minutes."""

    page = serializers.URLField()
    qr = serializers.CharField(help_text="The page's address as a QR code, an SVG element.")


class ChouetteSeats(TableView):
    access = {"POST": Access(Seated, Scope.RECORD)}
    throttle_classes = LETTING_IN

    @extend_schema(
        request=MovedSeat, responses={201: SeatOut}, summary="Move a guest's seat to another phone"
    )
    def post(self, request: Request, chouette: str) -> Response:
        """For a guest whose phone is lost or new.

        The log notes who moved the seat, once per key.
        """
        seen = self.writable(chouette)
        secret = open_seat(chouette=seen.chouette, author=seen.author, **self.valid(MovedSeat))
        page = request.build_absolute_uri(reverse("scoring:take_seat", args=[secret]))
        return self.one(SeatOut, {"page": page, "qr": qr_code(page)}, status=201)
