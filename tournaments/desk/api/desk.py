"""The desk over the API: the same services, and the same refusals, as the desk's page."""

from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django_filters import CharFilter, ChoiceFilter, FilterSet
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.response import Response

from clubs.access import SignedIn
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.serializers import Strict
from clubs.models import Player, Scope
from scoring.profiles.queries.profile_words import clauses
from scoring.rules.sides import Side
from tournaments.core.stages.outcomes import Gone
from tournaments.desk.api.results import MOST_BOARDS, DecisionIn, PreviewOut
from tournaments.desk.forms import LONGEST_TEXT, MOST_PENALTY
from tournaments.desk.queries.desk import DeskPage, desk_page
from tournaments.desk.services.calls import call, call_ready, feature, move, start
from tournaments.desk.services.corrections import preview_reopening
from tournaments.desk.services.penalties import penalise
from tournaments.desk.services.reporting import reopen_result, report_result
from tournaments.desk.services.rulings import appeal, decide_appeal, report_conduct, rule_on
from tournaments.desk.services.tables import MOST_TABLES, change_table, make_tables, table_of
from tournaments.desk.services.undoing import undo
from tournaments.events.access import directed_event, directed_pairing, known_entrant, require_director
from tournaments.events.api.base import EntrantOut
from tournaments.events.api.breaks import BreakOut
from tournaments.log.kinds import KINDS, PRIVATE
from tournaments.log.queries.authors import author_ref
from tournaments.log.queries.desk_log import lines, saying
from tournaments.models import DeskEvent, Event, EventTable, Pairing
from tournaments.stages.services.acts import leave
from tournaments.stages.services.stages import load
from tournaments.words.clauses import CLAUSES

RUN = Access(SignedIn, Scope.DIRECT)
READ = Access(SignedIn)
LONGEST_RULE = 200


class DeskPairingOut(serializers.ModelSerializer[Pairing]):
    """A match at the desk. `seen` is what a later action repeats: it moves with everything the desk does."""

    seen = serializers.IntegerField(source="desk_seq")

    class Meta:
        model = Pairing
        fields = ["ref", "state", "table", "called_at", "started_at", "featured", "seen"]


class TieBoardOut(serializers.Serializer[Any]):
    """One board of a team tie. `sheet` is what a correction repeats: it moves with all that is written."""

    number = serializers.IntegerField()
    match = serializers.CharField(source="match.ref")
    state = serializers.CharField(help_text="ready, playing, flag, waiting, objected, over")
    white = serializers.CharField(source="match.white.name")
    black = serializers.CharField(source="match.black.name")
    points = serializers.ListField(
        child=serializers.IntegerField(), allow_null=True, help_text="White's and Black's, once it has ended."
    )
    sheet = serializers.IntegerField(source="match.sheet.head_seq")


class DeskLineOut(serializers.Serializer[Any]):
    """A match that asks for something."""

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
    penalty = serializers.IntegerField(help_text="The points that lateness suggests now.")
    ends_at = serializers.DateTimeField(allow_null=True, help_text="When such a match is usually over.")
    blocked_by = serializers.CharField(source="blocked_by.pairing.ref", allow_null=True, default=None)
    boards = TieBoardOut(many=True, help_text="Of a team tie; else empty.")
    seen = serializers.IntegerField(source="pairing.desk_seq")


class TableOut(serializers.ModelSerializer[EventTable]):
    """A table of the venue."""

    class Meta:
        model = EventTable
        fields = ["number", "name", "featured", "closed"]


class DeskOut(serializers.Serializer[DeskPage]):
    """The desk: matches that ask for something, free tables, and when it will usually all be over."""

    matches = DeskLineOut(many=True, source="lines")
    free_tables = serializers.SerializerMethodField()
    over_at = serializers.DateTimeField(allow_null=True)
    next_break = BreakOut(allow_null=True, help_text="The break that is on, else the next one.")
    minutes_a_point = serializers.FloatField(source="a_point")

    @extend_schema_field({"type": "array", "items": {"type": "integer"}})
    def get_free_tables(self, page: DeskPage) -> list[int]:
        return [table.number for table in page.free]


class CalledOut(serializers.Serializer[Any]):
    """What was called, the longest waiting first."""

    called = DeskPairingOut(many=True)


class PairingActionIn(Strict):
    """One thing that the desk does with a match."""

    action = serializers.ChoiceField(choices=["call", "move", "start", "feature", "unfeature"])
    table = serializers.IntegerField(
        min_value=1, max_value=MOST_TABLES, required=False, help_text="Without it the first that is free."
    )
    seen = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["action"] == "move" and "table" not in attrs:
            raise ValidationError({"table": [ErrorDetail(_("Say to which table."), "required")]})
        return attrs


class PenaltyIn(Strict):
    """Penalty points for one side: White is the match's left column, `a`."""

    to = serializers.ChoiceField(choices=[side.value for side in Side])
    points = serializers.IntegerField(min_value=1, max_value=MOST_PENALTY)
    board = serializers.IntegerField(
        min_value=1, max_value=MOST_BOARDS, default=1, help_text="Of a team tie."
    )
    seen = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
    reason = serializers.CharField(max_length=LONGEST_TEXT, default="", allow_blank=True)


class FirstResultIn(DecisionIn):
    """A first result, with what the desk knew of the match."""

    seen = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
    reason = serializers.CharField(max_length=200, default="", allow_blank=True)


class ReopenIn(Strict):
    """Why a result is taken back; `seen` and `sheet` are the preview's."""

    board = serializers.IntegerField(
        min_value=1, max_value=MOST_BOARDS, default=1, help_text="Of a team tie."
    )
    sheet = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
    seen = serializers.IntegerField(min_value=0, max_value=2**31 - 1)
    reason = serializers.CharField(max_length=200)
    decided_all_the_same = serializers.BooleanField(default=False)


class BoardAsked(serializers.Serializer[Any]):
    """Which board of a team tie a question is about."""

    board = serializers.IntegerField(
        min_value=1, max_value=MOST_BOARDS, default=1, help_text="Of a team tie."
    )


class TablesIn(Strict):
    """Tables are numbered up to this."""

    last = serializers.IntegerField(min_value=1, max_value=MOST_TABLES)


class TableSeen(Strict):
    """A table as it was known; 409 when it is another by now."""

    name = serializers.CharField(max_length=40, required=False, allow_blank=True)
    featured = serializers.BooleanField(required=False)
    closed = serializers.BooleanField(required=False)


class TableIn(Strict):
    """What changes of a table."""

    name = serializers.CharField(max_length=40, required=False, allow_blank=True)
    featured = serializers.BooleanField(required=False)
    closed = serializers.BooleanField(required=False)
    seen = TableSeen(required=False)


class DeskEventOut(serializers.ModelSerializer[DeskEvent]):
    """An entry of the event's log. `text` is what somebody wrote; the chain has its salted digest."""

    text = serializers.SerializerMethodField()
    by = serializers.SerializerMethodField(help_text="The ref of the player who wrote it.")
    body = serializers.DictField(help_text="Refs and numbers; the fields depend on `kind`.")
    came_at = serializers.SerializerMethodField(
        help_text="When it came in with an event's file: who wrote it is the file's word. Else null."
    )

    class Meta:
        model = DeskEvent
        fields = ["seq", "kind", "body", "text", "undoes", "by", "at", "came_at", "hash"]

    def get_text(self, row: DeskEvent) -> str:
        return row.note.text if row.note else ""

    def get_by(self, row: DeskEvent) -> str | None:
        return author_ref(row)

    def get_came_at(self, row: DeskEvent) -> datetime | None:
        return getattr(row, "came_at", None)


class RulingIn(Strict):
    """What happened, the rule it rests on, what was decided."""

    happened = serializers.CharField(max_length=LONGEST_TEXT)
    decision = serializers.CharField(max_length=LONGEST_TEXT)
    clause = serializers.ChoiceField(
        choices=list(CLAUSES), default="", allow_blank=True, help_text="Of the event's profile."
    )
    rule = serializers.CharField(
        max_length=LONGEST_RULE, default="", allow_blank=True, help_text="Another rule, in words."
    )
    pairing = serializers.CharField(max_length=10, required=False, help_text="The ref of a pairing.")


class ClauseOut(serializers.Serializer[Any]):
    """One rule of a profile, in words."""

    clause = serializers.ChoiceField(choices=list(CLAUSES))
    words = serializers.CharField()


class ClausesOut(serializers.Serializer[Any]):
    """The rules of an event's profile."""

    profile = serializers.CharField()
    clauses = ClauseOut(many=True)


class AppealIn(Strict):
    """Who sits over the ruling."""

    committee = serializers.ListField(
        child=serializers.CharField(max_length=10), min_length=3, max_length=5, help_text="Refs of players."
    )
    reason = serializers.CharField(max_length=LONGEST_TEXT, default="", allow_blank=True)


class AppealDecisionIn(Strict):
    """What the committee decided."""

    upheld = serializers.BooleanField(help_text="Whether the ruling stands.")
    decision = serializers.CharField(max_length=LONGEST_TEXT)


class ConductIn(Strict):
    """Whom a report is about, and what happened."""

    about = serializers.ListField(
        child=serializers.CharField(max_length=10), min_length=1, max_length=20, help_text="Refs of players."
    )
    text = serializers.CharField(max_length=LONGEST_TEXT)


class Desk(ApiView):
    access = {"GET": READ}

    @extend_schema(responses=DeskOut, summary="The desk of an event")
    def get(self, request: ApiRequest, event: str) -> Response:
        """For directors."""
        return self.one(DeskOut, desk_page(directed_event(request.user, event), read=load))


class CallReady(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=None, responses=CalledOut, summary="Call every match that is ready")
    def post(self, request: ApiRequest, event: str) -> Response:
        """The longest waiting first, while there are tables; nobody is called to two."""
        called = call_ready(event=directed_event(request.user, event), user=request.user)
        return self.one(CalledOut, {"called": called})


class PairingDesk(ApiView):
    access = {"POST": RUN}

    @extend_schema(
        request=PairingActionIn, responses=DeskPairingOut, summary="Call, move, start or feature a match"
    )
    def post(self, request: ApiRequest, pairing: str) -> Response:
        """409 with what stands now for whoever is overtaken."""
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


class Penalties(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=PenaltyIn, responses=DeskPairingOut, summary="Award penalty points")
    def post(self, request: ApiRequest, pairing: str) -> Response:
        data = self.valid(PenaltyIn)
        found = directed_pairing(request.user, pairing)
        penalise(
            pairing=found,
            to=Side(data["to"]),
            points=data["points"],
            user=request.user,
            seen=data.get("seen"),
            reason=data["reason"],
            board=data["board"],
        )
        found.refresh_from_db()
        return self.one(DeskPairingOut, found)


class ReportResult(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=FirstResultIn, responses=DeskPairingOut, summary="Record a first result")
    def post(self, request: ApiRequest, pairing: str) -> Response:
        """409 for a match that has a result: a second one is a correction (`pairings/{ref}/result/`)."""
        found = directed_pairing(request.user, pairing)
        body = FirstResultIn(data=request.data, context=self.get_serializer_context())
        body.is_valid(raise_exception=True)
        data = body.validated_data
        row = report_result(
            pairing=found,
            decision=body.decided(),
            user=request.user,
            seen=data.get("seen"),
            reason=data["reason"],
            board=data["board"],
        )
        return self.one(DeskPairingOut, row)


class Reopen(ApiView):
    access = {"GET": READ, "POST": RUN}

    def known_parameters(self) -> set[str]:
        """The board is asked for; a change says it in its body."""
        return {"board"} if self.request.method in SAFE_METHODS else set()

    @extend_schema(
        parameters=[BoardAsked], responses=PreviewOut, summary="What taking a result back would change"
    )
    def get(self, request: ApiRequest, pairing: str) -> Response:
        """For directors; nothing where there is no result."""
        found = directed_pairing(request.user, pairing)
        asked = BoardAsked(data=request.query_params)
        asked.is_valid(raise_exception=True)
        return self.one(PreviewOut, preview_reopening(pairing=found, board=asked.validated_data["board"]))

    @extend_schema(request=ReopenIn, responses=DeskPairingOut, summary="Take a result back")
    def post(self, request: ApiRequest, pairing: str) -> Response:
        """The match goes on where it stood."""
        data = self.valid(ReopenIn)
        row = reopen_result(
            pairing=directed_pairing(request.user, pairing),
            seen=data["seen"],
            user=request.user,
            reason=data["reason"],
            decided=data["decided_all_the_same"],
            board=data["board"],
            sheet=data.get("sheet"),
        )
        return self.one(DeskPairingOut, row)


class Disqualify(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=None, responses=EntrantOut, summary="Put an entrant out of the draw")
    def post(self, request: ApiRequest, entrant: str) -> Response:
        """Open matches are lost, in every section of the draw."""
        found, role = known_entrant(request.user, entrant)
        require_director(role)
        leave(entrant=found, user=request.user, how=Gone.DISQUALIFIED)
        return self.one(EntrantOut, known_entrant(request.user, entrant)[0])


class EventTables(ApiView):
    access = {"GET": READ, "POST": RUN}
    ordering = ("number",)

    @extend_schema(responses=TableOut(many=True), summary="The tables of an event")
    def get(self, request: ApiRequest, event: str) -> Response:
        """For directors."""
        return self.listed(EventTable.objects.filter(event=directed_event(request.user, event)), TableOut)

    @extend_schema(request=TablesIn, responses=DeskEventOut, summary="Number the tables of the venue")
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
    """Entries of the log by kind, by words, and rulings by the clause that they cite."""

    kind = ChoiceFilter(choices=[(kind, kind) for kind in KINDS if kind not in PRIVATE])
    clause = ChoiceFilter(choices=[(clause, clause) for clause in CLAUSES], field_name="body__clause__rule")
    q = CharFilter(method="said", label="Words of a note, or of the clause that a ruling cites.")

    class Meta:
        model = DeskEvent
        fields = ["kind", "clause", "q"]

    def said(self, rows: QuerySet[DeskEvent], _name: str, value: str) -> QuerySet[DeskEvent]:
        return saying(rows, value)


class EventLog(ApiView):
    access = {"GET": READ}
    filterset_class = LogFilter
    ordering = ("-seq", "pk")

    @extend_schema(responses=DeskEventOut(many=True), summary="What the desk did, the newest first")
    def get(self, request: ApiRequest, event: str) -> Response:
        """For directors; the draws' own logs are in the stages' archives."""
        return self.listed(lines(directed_event(request.user, event)).exclude(kind__in=PRIVATE), DeskEventOut)


class UndoEntry(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=None, responses=DeskEventOut, summary="Take an entry of the desk's log back")
    def post(self, request: ApiRequest, event: str, seq: int) -> Response:
        """Once each; a result is taken back by `pairings/{ref}/reopen/`."""
        entry = undo(event=directed_event(request.user, event), seq=seq, user=request.user)
        return self.one(DeskEventOut, entry)


class Rulings(ApiView):
    access = {"GET": READ, "POST": RUN}

    @extend_schema(responses=ClausesOut, summary="The clauses that a ruling may cite")
    def get(self, request: ApiRequest, event: str) -> Response:
        """For directors: those of the event's rules profile."""
        profile = directed_event(request.user, event).rules
        told = [{"clause": name, "words": words} for name, words in clauses(profile).items()]
        return self.one(ClausesOut, {"profile": profile.name, "clauses": told})

    @extend_schema(request=RulingIn, responses=DeskEventOut, summary="Write a ruling down")
    def post(self, request: ApiRequest, event: str) -> Response:
        data = self.valid(RulingIn)
        found = directed_event(request.user, event)
        ref = data.pop("pairing", None)
        pairing = Pairing.objects.filter(stage__flight__event=found, ref=ref).first() if ref else None
        if ref and pairing is None:
            message = _("There is no match %(ref)s in this event.") % {"ref": ref}
            raise ValidationError({"pairing": [ErrorDetail(message, "unknown_pairing")]})
        entry = rule_on(event=found, user=request.user, pairing=pairing, **data)
        return self.one(DeskEventOut, entry)


class Appeals(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=AppealIn, responses=DeskEventOut, summary="Bring a ruling before a committee")
    def post(self, request: ApiRequest, event: str, seq: int) -> Response:
        """Three or five members, none of them interested in the match."""
        data = self.valid(AppealIn)
        found = directed_event(request.user, event)
        entry = appeal(
            event=found,
            ruling=seq,
            committee=_players(data["committee"], "committee", event=found),
            user=request.user,
            reason=data["reason"],
        )
        return self.one(DeskEventOut, entry)


class AppealDecision(ApiView):
    access = {"POST": RUN}

    @extend_schema(request=AppealDecisionIn, responses=DeskEventOut, summary="What the committee decided")
    def post(self, request: ApiRequest, event: str, seq: int) -> Response:
        data = self.valid(AppealDecisionIn)
        entry = decide_appeal(
            event=directed_event(request.user, event), ruling=seq, user=request.user, **data
        )
        return self.one(DeskEventOut, entry)


class Conduct(ApiView):
    access = {"GET": RUN, "POST": RUN}
    ordering = ("-seq", "pk")

    @extend_schema(responses=DeskEventOut(many=True), summary="Conduct reports, for directors alone")
    def get(self, request: ApiRequest, event: str) -> Response:
        return self.listed(lines(directed_event(request.user, event), kinds=PRIVATE), DeskEventOut)

    @extend_schema(request=ConductIn, responses=DeskEventOut, summary="Write a conduct report")
    def post(self, request: ApiRequest, event: str) -> Response:
        data = self.valid(ConductIn)
        found = directed_event(request.user, event)
        about = _players(data["about"], "about", event=found)
        entry = report_conduct(event=found, about=about, text=data["text"], user=request.user)
        return self.one(DeskEventOut, entry)


def _players(refs: list[str], field: str, *, event: Event) -> list[Player]:
    """The players of these refs, of the event or its club, in their order. Answers 400 for anybody else."""
    known_here = Q(entries__flight__event=event) | Q(memberships__club=event.club_id)
    rows = Player.objects.current().filter(known_here, ref__in=refs).with_person().distinct()
    known = {player.ref: player for player in rows}
    if unknown := [ref for ref in refs if ref not in known]:
        message = _("There is no player %(ref)s here.") % {"ref": unknown[0]}
        raise ValidationError({field: [ErrorDetail(message, "unknown_player")]})
    return [known[ref] for ref in refs]
