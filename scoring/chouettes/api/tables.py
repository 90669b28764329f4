"""Chouettes: tables opened, sat down at, written and corrected, by the services of the pages."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from django.db import IntegrityError
from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from clubs.access import SignedIn, club_permission
from clubs.http.base import Access, ApiRequest, ApiView, ClubApiRequest
from clubs.http.problem_kinds import CONFLICT
from clubs.http.problems import Problem, ProblemError, about
from clubs.http.serializers import Strict
from clubs.models import Role, Scope
from scoring.chouettes.queries.chouettes import lines_since, table_view
from scoring.chouettes.services.chouettes import MOST_STAKE, correct, record, table_state, undo_last
from scoring.chouettes.services.requests import table_correction_in, table_entries_in
from scoring.chouettes.services.tables import (
    RulesRefused,
    add_to_table,
    join_table,
    open_table,
    table_of,
)
from scoring.log.queries.chouettes import SeenTable, seen_table
from scoring.models import Chouette
from scoring.players.services.newcomers import Newcomer
from scoring.profiles.queries.houses import house_named, rules_at
from scoring.profiles.services.houses import LONGEST_NAME
from scoring.sheets.api import EntryCorrection, NewEntries, Plain, Undo, entries_named
from scoring.sheets.services.entries import ConflictRefused

LONGEST_PERSON = 100


class ChouetteRowOut(serializers.ModelSerializer[Chouette]):
    """A table in a list."""

    club = serializers.SlugRelatedField[Any](slug_field="slug", read_only=True)
    url = serializers.SerializerMethodField()

    class Meta:
        model = Chouette
        fields = ["ref", "club", "title", "status", "created_at", "closed_at", "url"]

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_url(self, chouette: Chouette) -> str:
        path = reverse("api:chouette", args=[chouette.ref])
        address: str = self.context["request"].build_absolute_uri(path)
        return address


class ChouetteOut(serializers.Serializer[Any]):
    """A table as its viewer sees it. Money is in minor units; it is 0 where a club plays for points only."""

    chouette = serializers.CharField()
    title = serializers.CharField()
    club = serializers.CharField()
    seq = serializers.IntegerField(help_text="How many events the log has: what the next entry follows.")
    version = serializers.IntegerField()
    status = serializers.CharField(help_text="`open` or `closed`.")
    may_write = serializers.BooleanField()
    writer = serializers.CharField(help_text="Opaque: who you write as.")
    you = serializers.CharField(allow_null=True, help_text="Your own name in the log, if you sit there.")
    points_only = serializers.BooleanField()
    currency = serializers.CharField()
    decimals = serializers.IntegerField(help_text="Digits of the currency's minor unit.")
    stake = serializers.IntegerField(help_text="The table's own, minor units a point.")
    house = Plain(help_text="The rules that hold, in sentences, and those announced for the next game.")
    consultation = serializers.CharField()
    players = serializers.ListField(child=Plain(), help_text="In the order of the rotation.")
    placed = serializers.BooleanField()
    throw_now = serializers.ListField(child=serializers.CharField())
    game = Plain(allow_null=True, help_text="The game that is on: every cube with its value and owner.")
    board = Plain(allow_null=True, help_text="Where the game that is on is recorded on a board.")
    actions = serializers.ListField(child=Plain(), help_text="What may be recorded now.")
    refusals = Plain(help_text="Why the rest may not be.")
    stakes_to_win = Plain(help_text="What each player would win or lose in each way the board can end.")
    games = serializers.ListField(child=Plain(), help_text="The last 20 with their ledgers.")
    lines = serializers.ListField(child=Plain(), help_text="The last 30 lines in words.")
    payments = serializers.ListField(child=Plain(), help_text="The fewest that settle the night.")
    join = Plain(allow_null=True, help_text="The code by which others sit down.")
    hands = serializers.ListField(
        child=serializers.CharField(), help_text="Guests whose seats you may open for another phone."
    )


class PaymentOut(serializers.Serializer[Any]):
    """Somebody pays somebody so much, in minor units."""

    payer = serializers.CharField()
    receiver = serializers.CharField()
    minor = serializers.IntegerField()
    money = serializers.CharField()
    words = serializers.CharField()


class PaymentsOut(serializers.Serializer[Any]):
    """The payments after which everybody is even, on one page."""

    items = PaymentOut(many=True)
    next = serializers.URLField(allow_null=True)


def stake_field(**options: Any) -> serializers.IntegerField:
    """Minor units a point."""
    return serializers.IntegerField(min_value=0, max_value=MOST_STAKE, **options)


class NewTable(Strict):
    """A table to be opened; you sit down at it unless `sit` is false."""

    title = serializers.CharField(max_length=80)
    house = serializers.CharField(max_length=LONGEST_NAME, default="house", help_text="A house of the club.")
    stake = stake_field(default=0, help_text="Minor units a point, for who names no other.")
    sit = serializers.BooleanField(default=True)


class Sitting(Strict):
    """You have read the rules of the code's table and agree to them."""

    code = serializers.CharField(max_length=40)
    stake = stake_field(required=False, allow_null=True, default=None, help_text="The table's, if left out.")
    rules = serializers.CharField(
        max_length=64,
        required=False,
        allow_null=True,
        default=None,
        help_text="The digest of the rules that you have read: refused if they are others by now.",
    )


class NewSeat(Strict):
    """Somebody who agreed at the table: a player of the club by ref, or a guest by name."""

    name = serializers.CharField(max_length=LONGEST_PERSON, required=False, default="", allow_blank=True)
    member = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)
    stake = stake_field(required=False, allow_null=True, default=None)


def tables_of(request: ClubApiRequest) -> QuerySet[Chouette]:
    """A director's are all of the club, everybody else's their own."""
    tables = Chouette.objects.in_club(request.club).select_related("club")
    if request.role is not None and request.role >= Role.DIRECTOR:
        return tables
    return tables.filter(pk__in=Chouette.objects.sat_at_by(request.user.pk).values("pk"))


def table_for(request: ApiRequest, ref: str) -> SeenTable:
    """The table as the viewer sees it. Raises Http404 for whoever must not know of it."""
    seen = seen_table(request.user, ref)
    if seen is None:
        raise Http404(_("There is no such table."))
    return seen


def view_of(request: ApiRequest, ref: str) -> dict[str, Any]:
    """The table as it is now: what all of its changes answer with."""
    return table_view(table_for(request, ref), request.build_absolute_uri("/").rstrip("/"))


@contextmanager
def table_written(request: ApiRequest, ref: str, after: int = 0) -> Iterator[None]:
    """Name the entry that was refused; tell who was overtaken what the table is now.

    ``after`` is what the entries followed. The 409 has the table's ``state`` and ``theirs``, the lines that
    somebody else has written since: what the table's own page is told, too.
    """
    try:
        with entries_named():
            yield
    except ConflictRefused as behind:
        detail = _(behind.template).format(**behind.parameters)
        raise overtaken(request, ref, after, detail, behind.parameters) from behind
    except IntegrityError as at_once:
        detail = _("Somebody else has written the same at the same moment: look at the table again.")
        raise overtaken(request, ref, after, detail, {}) from at_once


def overtaken(
    request: ApiRequest, ref: str, after: int, detail: str, parameters: Mapping[str, Any]
) -> ProblemError:
    """The answer to whoever wrote on a table that has gone on."""
    seen = table_for(request, ref)
    members = {"state": ChouetteOut(view_of(request, ref)).data, "theirs": lines_since(seen, after)}
    code = ConflictRefused.code
    return ProblemError(Problem(CONFLICT, detail, code=code, parameters=parameters, members=members))


def read_again(table: Chouette, changed: RulesRefused) -> ProblemError:
    """The answer to whoever agrees to rules that do not hold: those that do."""
    table = Chouette.objects.with_sheet().get(pk=table.pk)
    members = {"house": asdict(rules_at(table.club, table_state(table.sheet)))}
    return ProblemError(Problem(CONFLICT, _(changed.template), code=changed.code, members=members))


class ClubChouettes(ApiView):
    access = {
        "GET": Access(club_permission(Role.GUEST)),
        "POST": Access(club_permission(Role.MEMBER), Scope.RECORD),
    }
    ordering = ("-created_at", "-ref")

    @extend_schema(responses=ChouetteRowOut(many=True), summary="Your chouettes in a club, the newest first")
    def get(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        """Those at which you sit or sat; a director sees those of the others, too."""
        return self.listed(tables_of(request), ChouetteRowOut)

    @extend_schema(request=NewTable, responses={201: ChouetteOut}, summary="Open a table of chouette")
    def post(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002
        body = self.valid(NewTable)
        with about("house", body["house"]):
            house = house_named(request.club, body["house"])
        table = open_table(
            club=request.club, user=request.user, title=body["title"], house=house, stake=body["stake"]
        )
        if body["sit"]:
            join_table(chouette=table, user=request.user)
        return self.created(ChouetteOut, view_of(request, table.ref), "api:chouette", chouette=table.ref)


class JoinChouette(ApiView):
    access = {"POST": Access(SignedIn, Scope.RECORD)}

    @extend_schema(request=Sitting, responses=ChouetteOut, summary="Sit down at the table of a code")
    def post(self, request: ApiRequest) -> Response:
        """Who sits there already stays; who left comes back. 404 for a code that opens no table; 409
        `rules_changed` for another digest in `rules`, with the rules of now and theirs in `house`.
        """
        body = self.valid(Sitting)
        table = table_of(body["code"])
        if table is None:
            raise Http404(_("This code opens no table: it is mistyped, or the night is over."))
        with entries_named():
            try:
                join_table(chouette=table, user=request.user, stake=body["stake"], rules=body["rules"])
            except RulesRefused as changed:
                raise read_again(table, changed) from changed
        return self.one(ChouetteOut, view_of(request, table.ref))


class OneChouette(ApiView):
    access = {"GET": Access(SignedIn)}

    @extend_schema(responses=ChouetteOut, summary="A table of chouette as it stands")
    def get(self, request: ApiRequest, chouette: str) -> Response:
        return self.one(ChouetteOut, view_of(request, chouette))


class ChouetteEvents(ApiView):
    access = {"POST": Access(SignedIn, Scope.RECORD)}

    @extend_schema(request=NewEntries, responses=ChouetteOut, summary="Write events of a chouette")
    def post(self, request: ApiRequest, chouette: str) -> Response:
        """All entries are written or none; 409 when somebody else has written since `after`: it has the
        table as it is now in `state`, and what the others wrote in `theirs`.

        An entry whose key is known already is answered as the first time and not written again.
        """
        seen = table_for(request, chouette)
        body = self.valid(NewEntries)
        with table_written(request, chouette, body["after"]):
            entries, newcomers = table_entries_in(body)
            record(
                chouette=seen.chouette,
                author=seen.author,
                after=body["after"],
                entries=entries,
                newcomers=newcomers,
            )
        return self.one(ChouetteOut, view_of(request, chouette))


class ChouetteUndo(ApiView):
    access = {"POST": Access(SignedIn, Scope.RECORD)}

    @extend_schema(request=Undo, responses=ChouetteOut, summary="Take back the last event of a chouette")
    def post(self, request: ApiRequest, chouette: str) -> Response:
        """409 when somebody else has written since `after`, with the `state` and `theirs`."""
        seen = table_for(request, chouette)
        body = self.valid(Undo)
        with table_written(request, chouette, body["after"]):
            undo_last(chouette=seen.chouette, author=seen.author, **body)
        return self.one(ChouetteOut, view_of(request, chouette))


class ChouetteCorrections(ApiView):
    access = {"POST": Access(SignedIn, Scope.RECORD)}

    @extend_schema(request=EntryCorrection, responses=ChouetteOut, summary="Correct an event of a chouette")
    def post(self, request: ApiRequest, chouette: str) -> Response:
        """The kind `nothing` takes the event away. 409 `does_not_fit` names the first later event that does
        not fit any more, unless `cut` is true; 409 `behind` when somebody else has written since `after`.
        """
        seen = table_for(request, chouette)
        body = self.valid(EntryCorrection)
        with table_written(request, chouette, body["after"]):
            correct(chouette=seen.chouette, author=seen.author, **table_correction_in(body))
        return self.one(ChouetteOut, view_of(request, chouette))


class ChouettePlayers(ApiView):
    access = {"POST": Access(SignedIn, Scope.RECORD)}

    @extend_schema(request=NewSeat, responses=ChouetteOut, summary="Seat somebody who agreed at the table")
    def post(self, request: ApiRequest, chouette: str) -> Response:
        seen = table_for(request, chouette)
        body = self.valid(NewSeat)
        with table_written(request, chouette, seen.chouette.sheet.head_seq):
            newcomer = Newcomer(name=body["name"], ref=body["member"])
            add_to_table(chouette=seen.chouette, author=seen.author, newcomer=newcomer, stake=body["stake"])
        return self.one(ChouetteOut, view_of(request, chouette))


class ChouettePayments(ApiView):
    access = {"GET": Access(SignedIn)}

    @extend_schema(responses=PaymentsOut, summary="The fewest payments that settle a chouette")
    def get(self, request: ApiRequest, chouette: str) -> Response:
        """None where the club plays for points only."""
        items = view_of(request, chouette)["payments"]
        return self.one(PaymentsOut, {"items": items, "next": None})
