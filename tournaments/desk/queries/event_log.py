"""Readable log of an event: desk, draws and results, merged by time."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, TypeVar

from django.db.models import Exists, Model, OuterRef, QuerySet, Subquery, TextField, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce
from django.utils.timezone import localtime, override
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.formats.dates import day, moment, span
from clubs.formats.money import money
from clubs.formats.numbers import percent
from clubs.models import Player
from scoring.drawing import figures
from scoring.models import ENDINGS
from scoring.rules.endings import Ending
from tournaments.core.stages.outcomes import Outcome
from tournaments.core.stages.stage import (
    Closed,
    Entered,
    Entry,
    KeptApart,
    Left,
    LotSealed,
    Paired,
    Replaced,
    Reported,
    Returned,
    RoundMissed,
    RoundWithdrawn,
    TieReopened,
    TieSettled,
)
from tournaments.core.timetable.breaks import breaks_of
from tournaments.desk.queries.log_subjects import (
    LogSubjects,
    NamedDivisions,
    NamedEntrants,
    Numbered,
    entrants_named,
    subjects_of,
)
from tournaments.events.queries.terms import EVENT_TERMS, FLIGHT_TERMS, UNLOGGED, term_in_words
from tournaments.log.kinds import AUCTION, KINDS, LEFT, PRIVATE, TIES, UNDOABLE
from tournaments.log.queries.authors import author_name, with_authors
from tournaments.log.queries.desk_log import lines
from tournaments.models import (
    DeskEvent,
    EntrantRow,
    Event,
    FeePayment,
    ForbiddenKind,
    PairingRow,
    StageEvent,
)
from tournaments.models.stage import DRAW_TAKEN_BACK
from tournaments.stages.queries.draw_page import numbered_round
from tournaments.stages.queries.stage_rows import entry_of
from tournaments.words.clauses import cited_words
from tournaments.words.settlement import closed_in_log, lot_in_log, settled_in_log
from tournaments.words.ties import tie_break_name

SIZE = 30
BEFORE_ALL = datetime(1, 1, 2, tzinfo=UTC)

Logged = TypeVar("Logged", bound=Model)


@dataclass(frozen=True, slots=True)
class LogLine:
    """One log entry as text.

    ``seq`` is its number in the desk's log, None for a stage's log.
    """

    at: datetime
    who: str
    title: str
    words: str
    text: str = ""
    seq: int | None = None
    kind: str = ""
    undone: bool = False
    may_undo: bool = False
    pairing: str = ""
    board: int = 1
    clause: str = ""

    @property
    def day(self) -> date:
        """Day in the current time zone."""
        return localtime(self.at).date()


def event_log(
    event: Event,
    *,
    text: str = "",
    kinds: frozenset[str] = frozenset(),
    clause: str = "",
    before: datetime | None = None,
    private: bool = False,
    size: int = SIZE,
) -> list[LogLine]:
    """The newest ``size`` entries ``before`` a moment, for directors.

    ``private`` ones on request.

    Entries of the same moment as the last are included. A filter by text, kind or clause leaves out the
    stages' logs. The number of queries is constant.
    """
    own = lines(event, text=text, kinds=kinds, clause=clause)
    if not private:
        own = own.exclude(kind__in=PRIVATE)
    if before is not None:
        own = own.filter(at__lt=before)
    rows = StageEvent.objects.none()
    if not text and not kinds and not clause:
        # An undone draw is in the desk's log, with the reason; so are decisions on ties.
        rows = StageEvent.objects.filter(stage__flight__event=event).exclude(kind__in=_TOLD)
        # A result of the desk is in the stage's log too, at the place in its entry.
        told = DeskEvent.objects.filter(event=event, kind="result").annotate(
            stage_ref=KT("body__stage"), stage_seq=KT("body__stage_seq")
        )
        # As texts: the entries of a file can hold a number that is larger than any column.
        at = Cast(OuterRef("seq"), TextField())
        rows = rows.exclude(Exists(told.filter(stage_ref=OuterRef("stage__ref"), stage_seq=at)))
        rows = with_authors(rows).select_related("stage").order_by("-at", "-pk")
        rows = rows if before is None else rows.filter(at__lt=before)
    desk, drawn = _newest(own, size), _newest(rows, size)
    moments = sorted((row.at for row in (*desk, *drawn)), reverse=True)
    if len(moments) >= size:
        last = moments[size - 1]
        desk = [row for row in desk if row.at >= last]
        drawn = [row for row in drawn if row.at >= last]
    writer = _Writer.load(event, desk, drawn)
    read = [(row, entry_of(row.kind, row.body, "log")) for row in drawn]
    with override(event.tz):
        merged = [
            *(writer.of_desk(row) for row in desk),
            *(writer.of_stage(row, entry) for row, entry in read),
        ]
    return sorted(merged, key=lambda line: line.at, reverse=True)


def _newest(rows: QuerySet[Logged], size: int) -> list[Logged]:
    """The newest rows of a log, with all of the moment of the last one (one query).

    Entries of one transaction share a moment and stay together: the next page begins before it.
    """
    last = Subquery(rows.order_by("-at").values("at")[size - 1 : size])
    return list(rows.filter(at__gte=Coalesce(last, Value(BEFORE_ALL))))


def desk_lines(event: Event, rows: Sequence[DeskEvent], subjects: LogSubjects | None = None) -> list[LogLine]:
    """These desk entries as text; their ``subjects`` may be loaded already."""
    writer = _Writer.load(event, rows, [], subjects)
    with override(event.tz):
        return [writer.of_desk(row) for row in rows]


@dataclass(frozen=True, slots=True)
class _Writer:
    pairings: dict[str, PairingRow]
    entrants: dict[str, EntrantRow]
    numbers: Mapping[Numbered, EntrantRow]
    about: dict[str, Player]
    divisions: NamedDivisions
    here: bool
    """Whether entries can be undone: not while the event is on another computer."""

    @classmethod
    def load(
        cls,
        event: Event,
        desk: Sequence[DeskEvent],
        drawn: Sequence[StageEvent],
        subjects: LogSubjects | None = None,
    ) -> "_Writer":
        subjects = subjects or subjects_of(desk)
        found = dict(subjects.pairings)
        if subjects.known is not None:
            named = NamedEntrants({entrant.pk: entrant for entrant in subjects.known}, {})
        else:
            named = entrants_named(event, subjects, {row.stage_id for row in drawn})
        by_key = named.entrants
        for row in found.values():
            row.a = by_key[row.a_id]
            row.b = by_key[row.b_id] if row.b_id is not None else None
        refs = {ref for row in desk for ref in row.body.get("about", ())}
        about = Player.objects.filter(ref__in=refs).with_person() if refs else ()
        return cls(
            found,
            {entrant.ref: entrant for entrant in by_key.values()},
            named.numbers,
            {player.ref: player for player in about},
            NamedDivisions.of(desk),
            here=not event.is_away,
        )

    def of_desk(self, row: DeskEvent) -> LogLine:
        undone = bool(getattr(row, "undone", False))
        return LogLine(
            at=row.at,
            who=author_name(row),
            title=_(KINDS[row.kind]) if row.kind in KINDS else row.kind,
            words=self._desk_words(row),
            text=row.note.text if row.note else "",
            seq=row.seq,
            kind=row.kind,
            undone=undone,
            may_undo=self.here and not undone and (row.kind in UNDOABLE or row.kind == "result"),
            pairing=row.body.get("pairing") or "",
            board=row.body.get("board", 1),
            clause=cited_words(row.body["clause"]) if "clause" in row.body else "",
        )

    def of_stage(self, row: StageEvent, entry: Entry) -> LogLine:
        words = self._stage_words(row, entry)
        return LogLine(row.at, author_name(row), row.stage.name, words)

    def _desk_words(self, row: DeskEvent) -> str:
        return " · ".join(filter(None, [self._match(row), *self._details(row)]))

    def _match(self, row: DeskEvent) -> str:
        pairing = self.pairings.get(row.body.get("pairing") or "")
        entrant = self.entrants.get(row.body.get("entrant") or "")
        if pairing is not None:
            sides = {"a": pairing.a.title, "b": pairing.b.title if pairing.b else _("bye")}
            return _("%(a)s – %(b)s") % sides
        return entrant.title if entrant is not None else ""

    def _details(self, row: DeskEvent) -> Iterator[str]:
        body = row.body
        yield from self._where(body)
        for ref in body.get("about", ()):
            yield self.about[ref].name if ref in self.about else ref
        if row.kind == "tables_made":
            count = len(body["numbers"])
            yield ngettext("%(count)s table", "%(count)s tables", count) % {"count": count}
        if row.kind == "penalty":
            points = {"count": body["points"], "side": self._side(row, body["to"])}
            yield (
                ngettext("%(count)s point to %(side)s", "%(count)s points to %(side)s", body["points"])
                % points
            )
        if row.kind in _SAID:
            yield from _SAID[row.kind](body)
        if row.kind == "result":
            yield from self._result(row)
        if row.kind == "check_in":
            yield _("checked in") if body["after"]["state"] == "present" else _("not checked in")
        if row.kind == "table":
            yield from (_(_TABLE[name, bool(value)]) for name, value in body["after"].items())
        if row.kind in LEFT and body["lost"]:
            count = len(body["lost"])
            yield ngettext("%(count)s open match forfeited", "%(count)s open matches forfeited", count) % {
                "count": count
            }
        yield from self._about_several(row)
        if row.kind in _NAMING:
            yield from _NAMING[row.kind](body, self.divisions)
        yield from self._entering(row)
        if row.kind == "undone":
            yield _(KINDS.get(body["what"], body["what"]))

    def _where(self, body: Mapping[str, Any]) -> Iterator[str]:
        if body.get("table"):
            yield _("table %(table)s") % {"table": body["table"]}
        pairing = self.pairings.get(body.get("pairing") or "")
        if "board" in body and pairing is not None and pairing.stage.boards > 1:
            yield _("board %(number)s") % {"number": body["board"]}

    def _entering(self, row: DeskEvent) -> Iterator[str]:
        body = row.body
        if row.kind in {"entered", "partner"} and body["state"] == "waiting":
            yield _("on the waiting list")
        if row.kind == "partner":
            yield _("accepted") if body["accepts"] else _("declined")
        if row.kind in {"entry_taken_back", "entry_changed"} and body["moved_up"]:
            first = self.entrants.get(body["moved_up"])
            yield _("%(name)s moved up") % {"name": first.title if first else body["moved_up"]}
        if row.kind == "list_entered":
            yield ngettext("%(count)s entry", "%(count)s entries", body["entries"]) % {
                "count": body["entries"]
            }
        if row.kind == "moved_in":
            for each in body["seeds"]:
                yield _("%(hash)s… replaces %(before)s…") % {
                    "hash": each["hash"][:12],
                    "before": each["before"][:12],
                }
        if row.kind == "unlocked":
            since = moment(datetime.fromisoformat(body["since"]))
            yield _("changes made elsewhere since %(since)s discarded") % {"since": since}
        if row.kind == "prizes_approved":
            yield ngettext("%(count)s prize", "%(count)s prizes", body["prizes"]) % {"count": body["prizes"]}

    def _about_several(self, row: DeskEvent) -> Iterator[str]:
        if row.kind in TIES:
            yield from self._tie(row.body)
        if "apart" in row.body:
            yield from self._apart(row.body)

    def _apart(self, body: Mapping[str, Any]) -> Iterator[str]:
        names = [self.entrants[ref].title if ref in self.entrants else ref for ref in body["apart"]]
        yield ", ".join(names) or str(ForbiddenKind(body["rule"]).label)
        yield _("never") if body["never"] else _("where possible")

    def _tie(self, body: Mapping[str, Any]) -> Iterator[str]:
        yield ", ".join(self.entrants[ref].title if ref in self.entrants else ref for ref in body["tied"])
        if "how" in body:
            yield tie_break_name(body.get("tie_break") or body["how"])
        if "hash" in body:
            yield f"{body['hash'][:12]}…"

    def _result(self, row: DeskEvent) -> Iterator[str]:
        points, winner = row.body["points"], row.body["winner"]
        if points:
            yield f"{points[0]}–{points[1]}"
        elif winner:
            yield _("%(name)s wins") % {"name": self._side(row, winner)}
        if row.body["ended"] != "played":
            yield str(ENDINGS[Ending(row.body["ended"])])
        if row.body.get("stands"):
            yield _("later matches stand")

    def _side(self, row: DeskEvent, colour: str) -> str:
        pairing = self.pairings.get(row.body["pairing"])
        if pairing is None:
            return colour
        entrant = pairing.a if colour == "white" else pairing.b
        return entrant.title if entrant is not None else colour

    def _stage_words(self, row: StageEvent, entry: Entry) -> str:
        match entry:
            case Paired(pairings=pairings):
                count = len(pairings)
                return ngettext("%(count)s pairing published", "%(count)s pairings published", count) % {
                    "count": count
                }
            case Reported(pairing=number, outcome=outcome):
                return self._reported(row, number, outcome)
            case Left(entrant=number):
                return _("%(name)s left the draw") % {"name": self._name(row, number)}
            case Returned(entrant=number, taken_back=True):
                return _("%(name)s reinstated") % {"name": self._name(row, number)}
            case Returned(entrant=number):
                return _("%(name)s returned") % {"name": self._name(row, number)}
            case Entered(entrant=entrant):
                found = self.entrants.get(entrant.ref)
                return _("late entry: %(name)s") % {"name": found.title if found else entrant.ref}
            case Replaced(number=number):
                return _("substitute: %(name)s") % {"name": self._name(row, number)}
            case Closed():
                return _("draw finished")
            case KeptApart() | RoundWithdrawn():
                return _(KINDS[_SAID_AS[type(entry)]])
            case RoundMissed(entrant=number):
                return self._name(row, number)
            case LotSealed(tied=tied) | TieSettled(tied=tied) | TieReopened(tied=tied):
                return ", ".join(self._name(row, number) for number in tied)

    def _reported(self, row: StageEvent, number: int, outcome: Outcome | None) -> str:
        if outcome is None:
            return _("Match %(number)s: result undone") % {"number": number}
        names = {
            "number": number,
            "a": self._name(row, outcome.winner),
            "b": self._name(row, outcome.loser),
        }
        if outcome.ended is Ending.DOUBLE_NO_SHOW:
            return _("Match %(number)s: double no-show, %(a)s – %(b)s") % names
        words = _("Match %(number)s: %(a)s beats %(b)s") % names
        if outcome.points is not None:
            words += f" {outcome.points[0]}–{outcome.points[1]}"
        return words if outcome.confirmed else _("%(result)s, unconfirmed") % {"result": words}

    def _name(self, row: StageEvent, number: int) -> str:
        until = None
        if row.seq <= row.stage.drawn_behind:
            # The draw of this entry was undone; its late entrants keep their numbers.
            until = min(at for stage, at, _n in self.numbers if stage == row.stage_id and at and at >= row.at)
        entrant = self.numbers.get((row.stage_id, until, number))
        return entrant.title if entrant is not None else str(number)


_TOLD = frozenset(
    {
        DRAW_TAKEN_BACK,
        "lotsealed",
        "tiesettled",
        "tiereopened",
        "keptapart",
        "roundmissed",
        "roundjoined",
        "roundwithdrawn",
    }
)
"""Kinds of a stage's log that the event's log tells in full."""

_SAID_AS = {KeptApart: "pair_forbidden", RoundWithdrawn: "round_withdrawn"}
"""Entries of a stage that are said by the name of their kind in the event's log."""

_TABLE = {
    ("closed", True): gettext_noop("closed"),
    ("closed", False): gettext_noop("reopened"),
    ("featured", True): gettext_noop("featured"),
    ("featured", False): gettext_noop("not featured"),
    ("name", True): gettext_noop("renamed"),
    ("name", False): gettext_noop("name removed"),
}


def _upheld(body: Mapping[str, Any]) -> Iterator[str]:
    yield _("ruling upheld") if body["upheld"] else _("ruling overturned")


def _waiting(body: Mapping[str, Any]) -> Iterator[str]:
    yield _("rounds published manually") if body["wait"] else _("rounds published automatically")


def _round_paired(body: Mapping[str, Any]) -> Iterator[str]:
    yield numbered_round(body["round"])
    if body["by_hand"]:
        yield _("by hand")
    if body["unconfirmed"]:
        numbers = ", ".join(map(str, body["unconfirmed"]))
        yield _("unconfirmed results: match %(numbers)s") % {"numbers": numbers}
    if again := len(body.get("rematches", ())):
        yield ngettext("%(count)s rematch", "%(count)s rematches", again) % {"count": again}


def _round_withdrawn(body: Mapping[str, Any]) -> Iterator[str]:
    yield numbered_round(body["round"])
    yield _("rounds published manually")


def _admitted(body: Mapping[str, Any]) -> Iterator[str]:
    count = len(body["entrants"])
    yield ngettext("%(count)s entry", "%(count)s entries", count) % {"count": count}


def _checked_in(body: Mapping[str, Any]) -> Iterator[str]:
    count = len(body["entrants"])
    yield ngettext("%(count)s entrant", "%(count)s entrants", count) % {"count": count}


def _chosen(body: Mapping[str, Any]) -> Iterator[str]:
    if "pool" in body:
        yield body["pool"]
    count = len(body["after"])
    yield ngettext("%(count)s entry", "%(count)s entries", count) % {"count": count}


_ENTRY_VALUES = {
    "seed": gettext_noop("Seed"),
    "rating": gettext_noop("Rating"),
    "payment": gettext_noop("Fees"),
    "outstanding": gettext_noop("Outstanding"),
    "other_way": gettext_noop("Paid the other way"),
    "pools": gettext_noop("Side pools"),
    "name": gettext_noop("Team name"),
    "from_club": gettext_noop("Club"),
    "email": gettext_noop("Email address"),
}


def _entry_changed(body: Mapping[str, Any], divisions: NamedDivisions) -> Iterator[str]:
    if body["division"]:
        name = divisions.names.get(body["division"])
        yield _("moved to %(division)s") % {"division": name or body["division"]}
    for name, label in _ENTRY_VALUES.items():
        if name in body["others"]:
            yield _(label)
        elif name in body["after"]:
            currency = body.get("currency", "")
            said = {side: _entry_value(name, body[side][name], currency) for side in ("before", "after")}
            yield _("%(term)s: %(before)s → %(after)s") % (said | {"term": _(label)})


def _entry_value(name: str, value: Any, currency: str) -> str:
    if name in {"outstanding", "other_way"} and currency:
        return money(value, currency)
    if name == "payment":
        return str(FeePayment(value).label)
    if name == "rating":
        return figures.rating(value) if value is not None else "–"
    if name == "pools":
        return ", ".join(value) or "–"
    return "–" if value is None else str(value)


def _shares(body: Mapping[str, Any]) -> Iterator[str]:
    yield ", ".join(f"{name} {percent(share / 100)}" for name, share in body["shares"].items()) or _(
        "all to the main pool"
    )


def _breaks(body: Mapping[str, Any]) -> Iterator[str]:
    if not body["after"]:
        yield _("none")
    for each in breaks_of(body["after"]):
        yield f"{each.name} {span(each.starts_at, each.ends_at)}"


def _announced(body: Mapping[str, Any], divisions: NamedDivisions) -> Iterator[str]:
    copied = divisions.copied.get(body["like"])
    if copied is not None:
        words = {"event": copied.name, "day": day(copied.starts_at, copied.tz)}
        yield _("copied from %(event)s, %(day)s") % words


def _changed(body: Mapping[str, Any]) -> Iterator[str]:
    labels = FLIGHT_TERMS if "flight" in body else EVENT_TERMS
    for name in labels:
        if name in body["after"] and name in UNLOGGED:
            yield str(labels[name])
        elif name in body["after"]:
            said = {
                side: term_in_words(name, body[side][name], currency=body.get("currency", ""))
                for side in ("before", "after")
            }
            yield _("%(term)s: %(before)s → %(after)s") % (said | {"term": labels[name]})
    if moved_up := len(body.get("moved_up", ())):
        yield ngettext("%(count)s entry moved up", "%(count)s entries moved up", moved_up) % {
            "count": moved_up
        }


def _called_off(body: Mapping[str, Any], divisions: NamedDivisions) -> Iterator[str]:
    if name := divisions.names.get(body["flight"]):
        yield name
    if out := len(body["entrants"]):
        yield ngettext("%(count)s entry cancelled", "%(count)s entries cancelled", out) % {"count": out}


_SAID = {
    "checked_in_all": _checked_in,
    "fees_paid": _chosen,
    "pool_joined": _chosen,
    "changed": _changed,
    "flight_changed": _changed,
    "breaks": _breaks,
    "shares": _shares,
    "rounds_wait": _waiting,
    "round_paired": _round_paired,
    "round_withdrawn": _round_withdrawn,
    "appeal_decided": _upheld,
    "admitted": _admitted,
    "settled": settled_in_log,
    "cash_box_closed": closed_in_log,
    **dict.fromkeys(AUCTION, lot_in_log),
}

_NAMING = {"entry_changed": _entry_changed, "flight_called_off": _called_off, "announced": _announced}
