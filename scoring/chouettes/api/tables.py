"""API of chouette tables: open, join, record, undo and correct."""

from dataclasses import asdict
from typing import Any

from django.db import IntegrityError
from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import SignedIn, club_permission
from clubs.http.base import Access, ApiRequest, ApiView, ClubApiRequest
from clubs.http.etags import version_tag
from clubs.http.problem_kinds import CONFLICT
from clubs.http.problems import Problem, ProblemError, about, told
from clubs.http.serializers import Strict
from clubs.models import Role, Scope
from scoring.chouettes.api.answers import TABLE, ChouetteOut, ChouetteSummaryOut, PaymentsOut
from scoring.chouettes.queries.chouettes import lines_since, refusal_text, table_view
from scoring.chouettes.queries.summary import summary_of
from scoring.chouettes.services.chouettes import MOST_STAKE, record, table_state
from scoring.chouettes.services.corrections import correct, undo_last
from scoring.chouettes.services.requests import table_correction_in, table_entries_in
from scoring.chouettes.services.tables import (
    RulesRefused,
    add_to_table,
    join_table,
    open_table,
    table_of,
)
from scoring.log.api import ClaimView, number_in, or_claim, session_of
from scoring.log.queries.chouettes import SeenTable, seen_table
from scoring.log.queries.writers import ref_of
from scoring.models import Chouette
from scoring.players.services.newcomers import Newcomer
from scoring.profiles.queries.houses import house_named, rules_at
from scoring.profiles.services.houses import LONGEST_NAME
from scoring.rules.errors import ScoringError
from scoring.sheets.api.bodies import EntryCorrection, NewEntries, Undo
from scoring.sheets.api.conflicts import misfit, overtaken
from scoring.sheets.api.sheets import entries_named
from scoring.sheets.services.entries import ConflictRefused, EntryRefused
from scoring.sheets.services.refolds import CorrectionRefused

Seated = or_claim("players of the table, the member who opened it, directors of its club")
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


def stake_field(**options: Any) -> serializers.IntegerField:
    """Minor units a point."""
    return serializers.IntegerField(min_value=0, max_value=MOST_STAKE, **options)


class NewTable(Strict):
    """A new table; you join it unless `sit` is false."""

    title = serializers.CharField(max_length=80)
    house = serializers.CharField(
        max_length=LONGEST_NAME, default="house", help_text="The name of house rules."
    )
    stake = stake_field(default=0, help_text="Usual stake, in minor units per point.")
    sit = serializers.BooleanField(default=True)


class JoinTable(Strict):
    """Join the table with this code, and agree to its rules."""

    code = serializers.CharField(max_length=40)
    stake = stake_field(
        required=False, allow_null=True, default=None, help_text="Default: the table's stake."
    )
    rules = serializers.CharField(
        max_length=64,
        required=False,
        allow_null=True,
        default=None,
        help_text="The digest of the rules you have read; 409 if they have changed.",
    )


class NewSeat(Strict):
    """A player who has agreed to the rules.

    One of the club by ref, or a guest by name.
    """

    name = serializers.CharField(max_length=LONGEST_PERSON, required=False, default="", allow_blank=True)
    member = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)
    stake = stake_field(required=False, allow_null=True, default=None)


def tables_of(request: ClubApiRequest) -> QuerySet[Chouette]:
    """The user's own tables; for directors, every table of the club."""
    tables = Chouette.objects.in_club(request.club).select_related("club")
    if request.role is not None and request.role >= Role.DIRECTOR:
        return tables
    return tables.filter(pk__in=Chouette.objects.sat_at_by(request.user.pk).values("pk"))


class TableView(ClaimView):
    """An endpoint of one table; changes return the table."""

    seen: SeenTable | None = None
    """The table being changed, once the writer is known."""

    def table(self, ref: str) -> SeenTable:
        """The table as the viewer sees it. Raises Http404 without access."""
        seen = seen_table(self.request.user, ref, session_of(self.request))
        if seen is None:
            raise Http404(_("There is no chouette %(ref)s.") % {"ref": ref})
        return seen

    def writable(self, ref: str) -> SeenTable:
        """The table for its writer.

        Raises Http404, and a problem for a different writer than stated.
        """
        seen = self.table(ref)
        self.require_writer(seen.author)
        self.seen = seen
        return seen

    def shown(self, seen: SeenTable) -> Response:
        """A viewer's table, plain data that ``ChouetteOut`` describes."""
        return Response(view_of(self.request, seen))

    def now(self, ref: str) -> Response:
        """The current table."""
        return self.shown(self.table(ref))

    def explained(self, error: Exception) -> Exception:
        """The API's problem for an error.

        Names in place of refs, conflicts with the current table.
        """
        seen = self.seen
        match error:
            case _ if seen is None:
                return error
            case EntryRefused():
                entry = f"entries.{error.at}" if "entries" in self.request.data else None
                return told(error.error, detail=refusal_text(seen, error.error), field_name=entry)
            case ScoringError():
                return told(error, detail=refusal_text(seen, error))
            case CorrectionRefused():
                lines = lines_since(seen, error.seq - 1)
                return misfit(error, lines, refusal_text(seen, error.error))
            case ConflictRefused() | IntegrityError():
                return self._overtaken(error, seen.chouette.ref)
            case _:
                return error

    def _overtaken(self, error: ConflictRefused | IntegrityError, ref: str) -> Exception:
        """The answer to a change of a table that others have changed meanwhile."""
        try:
            seen = self.table(ref)
        except Http404 as gone:
            return gone
        after = number_in(self.request.data, "after", seen.chouette.sheet.head_seq)
        theirs = lines_since(seen, after)
        members = {"state": view_of(self.request, seen), "theirs": theirs}
        said = _("Someone else recorded the same thing at the same moment. Reload the table and try again.")
        return overtaken(error, members, at_once=said)


def view_of(request: Request, seen: SeenTable) -> dict[str, Any]:
    """A viewer's table, with absolute links."""
    return table_view(seen, request.build_absolute_uri("/").rstrip("/"))


def outdated_rules(table: Chouette, changed: RulesRefused) -> ProblemError:
    """The 409 for outdated rules, with the current ones."""
    table = Chouette.objects.with_sheet().get(pk=table.pk)
    members = {"house": asdict(rules_at(table.club, table_state(table.sheet)))}
    return ProblemError(Problem(CONFLICT, _(changed.template), code=changed.code, members=members))


class ClubChouettes(ApiView):
    access = {
        "GET": Access(club_permission(Role.GUEST)),
        "POST": Access(club_permission(Role.MEMBER), Scope.RECORD),
    }
    ordering = ("-created_at", "-ref")

    @extend_schema(responses=ChouetteRowOut(many=True), summary="List your chouettes in a club, newest first")
    def get(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        """Tables you have played at; directors see every table."""
        return self.listed(tables_of(request), ChouetteRowOut)

    @extend_schema(request=NewTable, responses={201: ChouetteOut}, summary="Open a chouette table")
    def post(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002
        body = self.valid(NewTable)
        with about("house", body["house"]):
            house = house_named(request.club, body["house"])
        table = open_table(
            club=request.club, user=request.user, title=body["title"], house=house, stake=body["stake"]
        )
        if body["sit"]:
            join_table(chouette=table, user=request.user)
        seen = seen_table(request.user, table.ref)
        assert seen is not None  # noqa: S101 - who opens a table sees it
        response = Response(view_of(request, seen), status=201)
        response.headers["Location"] = request.build_absolute_uri(reverse("api:chouette", args=[table.ref]))
        return response


class JoinChouette(ApiView):
    access = {"POST": Access(SignedIn, Scope.RECORD)}

    @extend_schema(request=JoinTable, responses=ChouetteOut, summary="Join a chouette table by code")
    def post(self, request: ApiRequest) -> Response:
        """Joining twice changes nothing; a player who left returns.

        404 for an unknown code; 409 `rules_changed` for another digest in `rules`, with the current
        rules in `house`.
        """
        body = self.valid(JoinTable)
        table = table_of(body["code"])
        if table is None:
            raise Http404(_("No open table has this code. Check it, or ask for the current one."))
        with entries_named():
            try:
                join_table(chouette=table, user=request.user, stake=body["stake"], rules=body["rules"])
            except RulesRefused as changed:
                raise outdated_rules(table, changed) from changed
        seen = seen_table(request.user, table.ref)
        assert seen is not None  # noqa: S101 - who sits there sees it
        return Response(view_of(request, seen))


class OneChouette(TableView):
    access = {"GET": Access(Seated)}

    @extend_schema(responses=ChouetteOut, summary="Get a chouette table")
    def get(self, request: Request, chouette: str) -> Response:  # noqa: ARG002
        seen = self.table(chouette)
        me = seen.me.ref if seen.me else "-"
        who = f"{me}-{ref_of(seen.author)}-{int(seen.money_shown)}"
        tag = version_tag(seen.chouette.version, who, get_language())
        return self.tagged(tag, lambda: self.shown(seen))


class ChouetteEvents(TableView):
    access = {"POST": Access(Seated, Scope.RECORD)}

    @extend_schema(request=NewEntries, responses=TABLE, summary="Record events of a chouette")
    def post(self, request: Request, chouette: str) -> Response:  # noqa: ARG002
        """All entries are recorded, or none.

        409 if the log has grown since `after`, with the current table in `state` and the new entries
        in `theirs`.

        An entry with a known key is not recorded again.
        """
        seen = self.writable(chouette)
        body = self.valid(NewEntries)
        entries, newcomers = table_entries_in(body)
        record(
            chouette=seen.chouette,
            author=seen.author,
            after=body["after"],
            entries=entries,
            newcomers=newcomers,
        )
        return self.now(chouette)


class ChouetteUndo(TableView):
    access = {"POST": Access(Seated, Scope.RECORD)}

    @extend_schema(request=Undo, responses=TABLE, summary="Undo the last event of a chouette")
    def post(self, request: Request, chouette: str) -> Response:  # noqa: ARG002
        """409 if the log has grown since `after`, with `state` and `theirs`."""
        seen = self.writable(chouette)
        undo_last(chouette=seen.chouette, author=seen.author, **self.valid(Undo))
        return self.now(chouette)


class ChouetteCorrections(TableView):
    access = {"POST": Access(Seated, Scope.RECORD)}

    @extend_schema(request=EntryCorrection, responses=TABLE, summary="Correct an event of a chouette")
    def post(self, request: Request, chouette: str) -> Response:  # noqa: ARG002
        """The kind `nothing` deletes the event.

        409 `does_not_fit` names the first later event that no longer fits, unless `cut` is true; 409
        `behind` if the log has grown since `after`.
        """
        seen = self.writable(chouette)
        correction = table_correction_in(self.valid(EntryCorrection))
        correct(chouette=seen.chouette, author=seen.author, **correction)
        return self.now(chouette)


class ChouettePlayers(TableView):
    access = {"POST": Access(Seated, Scope.RECORD)}

    @extend_schema(request=NewSeat, responses=TABLE, summary="Add a player to a chouette table")
    def post(self, request: Request, chouette: str) -> Response:  # noqa: ARG002
        seen = self.writable(chouette)
        body = self.valid(NewSeat)
        newcomer = Newcomer(name=body["name"], ref=body["member"])
        add_to_table(chouette=seen.chouette, author=seen.author, newcomer=newcomer, stake=body["stake"])
        return self.now(chouette)


class ChouettePayments(TableView):
    access = {"GET": Access(Seated)}

    @extend_schema(responses=PaymentsOut, summary="Get the fewest payments that settle a chouette")
    def get(self, request: Request, chouette: str) -> Response:
        """Those made are `paid`; empty in a club that plays for points only."""
        items = view_of(request, self.table(chouette))["payments"]
        return self.one(PaymentsOut, {"items": items, "next": None})


class ChouetteSummary(TableView):
    access = {"GET": Access(Seated)}

    @extend_schema(responses=ChouetteSummaryOut, summary="Get the summary of a chouette to share")
    def get(self, request: Request, chouette: str) -> Response:
        """Games, totals and payments as text, and the address of the same as a picture."""
        seen = self.table(chouette)
        picture = reverse("scoring:chouette_png", args=[seen.chouette.ref])
        return self.one(
            ChouetteSummaryOut,
            {"text": summary_of(seen).text, "picture": request.build_absolute_uri(picture)},
        )
