"""API of the desk, with the services and refusals of its page."""

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django_filters import CharFilter, ChoiceFilter, FilterSet
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.response import Response

from clubs.access import SignedIn
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.serializers import Strict
from clubs.models import Scope
from tournaments.core.play.next_steps import StepKind
from tournaments.core.stages.outcomes import Gone
from tournaments.desk.api.results import DeskPairingOut
from tournaments.desk.queries.desk import desk_page
from tournaments.desk.queries.desk_lines import DeskPage
from tournaments.desk.services.calls import call, call_ready, feature, move, start
from tournaments.desk.services.departures import leave
from tournaments.desk.services.tables import MOST_TABLES, change_table, make_tables, table_of
from tournaments.desk.services.undo import undo
from tournaments.events.access import directed_event, directed_pairing, known_entrant, require_director
from tournaments.events.api.base import EntrantOut
from tournaments.events.api.breaks import BreakOut
from tournaments.log.kinds import KINDS, PRIVATE
from tournaments.log.queries.authors import author_ref
from tournaments.log.queries.desk_log import lines, saying
from tournaments.models import DeskEvent, EventTable
from tournaments.stages.services.stages import load_fresh
from tournaments.words.clauses import CLAUSES

RUN = Access(SignedIn, Scope.DIRECT)
READ = Access(SignedIn)


class EntriesOut(serializers.Serializer[Any]):
    """When something was last entered on a scoresheet."""

    last_entry_at = serializers.DateTimeField(
        allow_null=True, help_text="Last entry of the scoresheet; null without a play or game on it."
    )
    silent_minutes = serializers.IntegerField(
        allow_null=True, help_text="Minutes without an entry, once unusual for a match in progress."
    )


class TieBoardOut(EntriesOut):
    """One board of a team match. Send `sheet` with a correction.

    It grows with the scoresheet.
    """

    number = serializers.IntegerField()
    match = serializers.CharField(source="match.ref")
    state = serializers.CharField(help_text="ready, playing, flag, waiting, objected, over")
    white = serializers.CharField(source="match.white.name")
    black = serializers.CharField(source="match.black.name")
    points = serializers.ListField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="Points of White and Black, once finished.",
    )
    sheet = serializers.IntegerField(source="match.sheet.head_seq")


class DeskLineOut(EntriesOut):
    """A match at the desk."""

    pairing = serializers.CharField(source="pairing.ref")
    match = serializers.CharField(source="match.ref", allow_null=True, default=None)
    stage = serializers.CharField(source="pairing.stage.ref")
    number = serializers.IntegerField(source="pairing.number")
    length = serializers.IntegerField(source="pairing.length")
    a = serializers.CharField(source="a.ref")
    b = serializers.CharField(source="b.ref")
    state = serializers.CharField(
        help_text="ready, early, blocked, called, late, playing, slow, flag, waiting, objected"
    )
    since = serializers.DateTimeField()
    table = serializers.IntegerField(source="pairing.table", allow_null=True)
    penalty = serializers.IntegerField(help_text="Suggested penalty points for lateness.")
    ends_at = serializers.DateTimeField(allow_null=True, help_text="Expected end.")
    blocked_by = serializers.CharField(source="blocked_by.pairing.ref", allow_null=True, default=None)
    boards = TieBoardOut(many=True, help_text="Boards of a team match; else empty.")
    seen = serializers.IntegerField(source="pairing.desk_seq")


class TableOut(serializers.ModelSerializer[EventTable]):
    """A table of the venue."""

    class Meta:
        model = EventTable
        fields = ["number", "name", "featured", "closed"]


class NextStepOut(serializers.Serializer[Any]):
    """Something that waits for the director."""

    kind = serializers.ChoiceField(choices=[kind.value for kind in StepKind])
    subject = serializers.CharField(
        allow_blank=True, help_text="Ref of the stage, flight or pairing; empty for the event."
    )
    title = serializers.CharField(source="button", help_text="In the language of the request.")
    about = serializers.CharField(allow_blank=True)
    address = serializers.CharField(
        allow_blank=True, source="api", help_text="Where to do it over this API, if one call does."
    )


class DeskOut(serializers.Serializer[DeskPage]):
    """The desk: matches, free tables and the expected end of the event."""

    next_steps = NextStepOut(many=True, source="steps", help_text="What waits for you, first things first.")
    matches = DeskLineOut(many=True, source="lines")
    free_tables = serializers.SerializerMethodField()
    expected_end = serializers.DateTimeField(allow_null=True)
    next_break = BreakOut(allow_null=True, help_text="The current break, else the next one.")
    minutes_per_point = serializers.FloatField(source="a_point")

    @extend_schema_field({"type": "array", "items": {"type": "integer"}})
    def get_free_tables(self, page: DeskPage) -> list[int]:
        return [table.number for table in page.free]


class CalledOut(serializers.Serializer[Any]):
    """The called matches, longest waiting first."""

    called = DeskPairingOut(many=True)


class PairingActionIn(Strict):
    """One action on a match."""

    action = serializers.ChoiceField(choices=["call", "move", "start", "feature", "unfeature"])
    table = serializers.IntegerField(
        min_value=1, max_value=MOST_TABLES, required=False, help_text="Default: the first free table."
    )
    seen = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["action"] == "move" and "table" not in attrs:
            raise ValidationError({"table": [ErrorDetail(_("Enter a table number."), "required")]})
        return attrs


class TablesIn(Strict):
    """The number of tables."""

    last = serializers.IntegerField(min_value=1, max_value=MOST_TABLES)


class TableSeen(Strict):
    """The table you last saw; 409 if it changed."""

    name = serializers.CharField(max_length=40, required=False, allow_blank=True)
    featured = serializers.BooleanField(required=False)
    closed = serializers.BooleanField(required=False)


class TableIn(Strict):
    """Changes of a table."""

    name = serializers.CharField(max_length=40, required=False, allow_blank=True)
    featured = serializers.BooleanField(required=False)
    closed = serializers.BooleanField(required=False)
    seen = TableSeen(required=False)


class DeskEventOut(serializers.ModelSerializer[DeskEvent]):
    """An entry of the event's log. `text` is free text.

    The hash chain has its salted digest.
    """

    text = serializers.SerializerMethodField()
    by = serializers.SerializerMethodField(help_text="Ref of the author.")
    body = serializers.DictField(help_text="Refs and numbers; fields depend on `kind`.")

    class Meta:
        model = DeskEvent
        fields = ["seq", "kind", "body", "text", "undoes", "by", "at", "hash"]

    def get_text(self, row: DeskEvent) -> str:
        return row.note.text if row.note else ""

    def get_by(self, row: DeskEvent) -> str | None:
        return author_ref(row)


class Desk(ApiView):
    access = {"GET": READ}

    @extend_schema(responses=DeskOut, summary="Get the desk of an event")
    def get(self, request: ApiRequest, event: str) -> Response:
        """For directors."""
        return self.one(DeskOut, desk_page(directed_event(request.user, event), read=load_fresh))


class CallReady(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=None, responses=CalledOut, summary="Call all ready matches")
    def post(self, request: ApiRequest, event: str) -> Response:
        """Longest waiting first, while tables are free.

        No player is called to two tables.
        """
        called = call_ready(event=directed_event(request.user, event), user=request.user)
        return self.one(CalledOut, {"called": called})


class PairingDesk(ApiView):
    access = {"POST": RUN}

    @extend_schema(
        request=PairingActionIn, responses=DeskPairingOut, summary="Call, move, start or feature a match"
    )
    def post(self, request: ApiRequest, pairing: str) -> Response:
        """409 with the current state if the match has changed."""
        data = self.valid(PairingActionIn)
        common: dict[str, Any] = {
            "pairing": directed_pairing(request.user, pairing),
            "user": request.user,
            "seen": data.get("seen"),
        }
        match data["action"]:
            case "call":
                row = call(**common, table=data.get("table"))
            case "move":
                row = move(**common, table=data["table"])
            case "start":
                row = start(**common)
            case wish:
                row = feature(**common, featured=wish == "feature")
        return self.one(DeskPairingOut, row)


class Disqualify(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=None, responses=EntrantOut, summary="Withdraw or disqualify an entrant")
    def post(self, request: ApiRequest, entrant: str) -> Response:
        """Open matches are lost in every section of the draw."""
        found, role = known_entrant(request.user, entrant)
        require_director(role)
        leave(entrant=found, user=request.user, how=Gone.DISQUALIFIED)
        return self.one(EntrantOut, known_entrant(request.user, entrant)[0])


class EventTables(ApiView):
    access = {"GET": READ, "POST": RUN}
    ordering = ("number",)

    @extend_schema(responses=TableOut(many=True), summary="List the tables of an event")
    def get(self, request: ApiRequest, event: str) -> Response:
        """For directors."""
        return self.listed(EventTable.objects.filter(event=directed_event(request.user, event)), TableOut)

    @extend_schema(request=TablesIn, responses=DeskEventOut, summary="Add tables")
    def post(self, request: ApiRequest, event: str) -> Response:
        entry = make_tables(
            event=directed_event(request.user, event), user=request.user, **self.valid(TablesIn)
        )
        return self.one(DeskEventOut, entry)


class OneTable(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=TableIn, responses=TableOut, summary="Close, feature or name a table")
    def post(self, request: ApiRequest, event: str, number: int) -> Response:
        found = directed_event(request.user, event)
        change_table(event=found, number=number, user=request.user, **self.valid(TableIn))
        return self.one(TableOut, table_of(found, number))


class LogFilter(FilterSet):  # type: ignore[misc]
    """Filter log entries by kind, text and cited clause."""

    kind = ChoiceFilter(choices=[(kind, kind) for kind in KINDS if kind not in PRIVATE])
    clause = ChoiceFilter(choices=[(clause, clause) for clause in CLAUSES], field_name="body__clause__rule")
    q = CharFilter(method="said", label="Text of a note or a cited clause.")

    class Meta:
        model = DeskEvent
        fields = ["kind", "clause", "q"]

    def said(self, rows: QuerySet[DeskEvent], _name: str, value: str) -> QuerySet[DeskEvent]:
        return saying(rows, value)


class EventLog(ApiView):
    access = {"GET": READ}
    filterset_class = LogFilter
    ordering = ("-seq", "pk")

    @extend_schema(responses=DeskEventOut(many=True), summary="List the event log, newest first")
    def get(self, request: ApiRequest, event: str) -> Response:
        """For directors. The logs of draws are in the stages' archives."""
        return self.listed(lines(directed_event(request.user, event)).exclude(kind__in=PRIVATE), DeskEventOut)


class UndoEntry(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=None, responses=DeskEventOut, summary="Undo a log entry")
    def post(self, request: ApiRequest, event: str, seq: int) -> Response:
        """Each entry once. Undo a result with `pairings/{ref}/reopen/`."""
        entry = undo(event=directed_event(request.user, event), seq=seq, user=request.user)
        return self.one(DeskEventOut, entry)
