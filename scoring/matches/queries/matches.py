"""Matches for lists: players, score, status and error rates."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery

from clubs.access import Viewer
from clubs.models import Club, Player, User, WorkStatus
from scoring.analysis.queries.performances import performance_of
from scoring.analysis.queries.told import ListedAnalysis, told_about, told_of
from scoring.analysis.queries.worst import WorstError, worst_from
from scoring.log.queries.keyset import Order, Stretch, ref_of, stretch
from scoring.log.queries.results import disputes
from scoring.models import (
    Analysis,
    Colour,
    Confirmation,
    Level,
    Match,
    MatchStatus,
    Result,
    Seat,
    Sheet,
    SideRow,
    Source,
    Urgency,
)
from scoring.models.match import MatchQuerySet
from scoring.rules.endings import Ending
from scoring.rules.profiles import ReportPolicy

NEWEST_FIRST = Order("-played_at", "-ref", cursor="ref")
RECENT = 8
OPENED = 1
"""The first entry of a sheet opens the match; the second is played."""
UNPLAYED = frozenset(ending.value for ending in Ending if ending.unplayed)


class MatchStanding(StrEnum):
    """The one-word status of a match on pages."""

    PLAYING = "playing"
    UNFINISHED = "unfinished"
    UNCONFIRMED = "unconfirmed"
    DISPUTED = "disputed"
    FINAL = "final"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class MatchSideLine:
    """One side in a row.

    ``points`` of a match in play are those of its sheet; None before something is written there, and where it
    ended unplayed. ``pr`` is None without an analysis, and for an estimate.
    """

    side: SideRow
    points: int | None
    won: bool
    pr: float | None


def score_of(first: MatchSideLine, second: MatchSideLine) -> str:
    """The points of two sides as pages write them, in this order; "" before there are any."""
    return "" if first.points is None else f"{first.points}–{second.points}"


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A match for display; ``table`` is the event's table, if shown.

    ``label`` is the exact one of the analysis behind the PRs, "" without any.
    """

    match: Match
    sides: tuple[MatchSideLine, MatchSideLine]
    standing: MatchStanding
    label: str
    table: int | None = None
    worst: WorstError | None = None

    @property
    def worst_by(self) -> str:
        """The name of the side that made the biggest error."""
        return self.match.side(self.worst.side).name if self.worst else ""

    @property
    def has_pr(self) -> bool:
        """Whether either side has a PR: of a short match perhaps one alone."""
        return any(side.pr is not None for side in self.sides)

    @property
    def ended(self) -> str:
        """How it ended in words; "" where it was played out or goes on."""
        result = getattr(self.match, "result", None)
        return "" if result is None or result.ended in {"", Ending.PLAYED} else result.get_ended_display()

    @property
    def winner(self) -> str:
        """The name of the side that won; "" where nobody did."""
        return next((each.side.name for each in self.sides if each.won), "")

    @property
    def score(self) -> str:
        """White's points and Black's; "" before anything is written on the sheet."""
        return score_of(self.white, self.black)

    @property
    def white(self) -> MatchSideLine:
        return self.sides[0]

    @property
    def black(self) -> MatchSideLine:
        return self.sides[1]


def labels_shown(lines: Iterable[MatchLine]) -> list[str]:
    """The exact labels behind the PRs of these lines, each once."""
    return sorted({line.label for line in lines if line.has_pr})


def match_stretch(
    matches: MatchQuerySet, viewer: Viewer, *, after: str = "", before: str = "", size: int = 25
) -> Stretch[MatchLine]:
    """A stretch of matches, the newest first, as lines (six queries at most, however many matches)."""
    found = stretch(
        matches.with_players(), NEWEST_FIRST, cursor_of=ref_of, after=after, before=before, size=size
    )
    return Stretch(lines_of(found.rows, viewer), found.before, found.after)


def recent(matches: MatchQuerySet, viewer: Viewer, *, size: int = RECENT) -> list[MatchLine]:
    """The newest matches as lines (six queries at most)."""
    return lines_of(list(matches.with_players().newest_first()[:size]), viewer)


def lines_of(matches: Iterable[Match], viewer: Viewer) -> list[MatchLine]:
    """Lines of matches loaded ``with_players()``, with the error rates that the viewer can see.

    One query, one more where any of them is in play, and one where any awaits confirmation.
    """
    matches = list(matches)
    return _lines(matches, told_about(matches, viewer))


def line_of(match: Match, analysis: Analysis | None, *, table: int | None = None) -> MatchLine:
    """The line of one match loaded ``with_players()``, judged by ``analysis`` (a query until it is final)."""
    told = told_of(analysis)
    (line,) = _lines([match], {match.pk: told} if told else {})
    return replace(line, table=table)


def _lines(matches: Sequence[Match], told: Mapping[int, ListedAnalysis]) -> list[MatchLine]:
    scores, disputed = _scores_in_play(matches), _disputed(matches)
    return [
        MatchLine(
            match,
            (
                _side(match, Colour.WHITE, told.get(match.pk), scores.get(match.pk)),
                _side(match, Colour.BLACK, told.get(match.pk), scores.get(match.pk)),
            ),
            MatchStanding.DISPUTED if match.pk in disputed else _standing(match),
            told[match.pk].label if match.pk in told else "",
            worst=worst_from(told[match.pk].summary) if match.pk in told else None,
        )
        for match in matches
    ]


def _disputed(matches: Iterable[Match]) -> set[int]:
    """Those (pks) whose result is disputed, among those that await confirmation."""
    waiting = [match.pk for match in matches if _standing(match) is MatchStanding.UNCONFIRMED]
    return set(disputes().filter(match__in=waiting).values_list("match", flat=True)) if waiting else set()


def _scores_in_play(matches: Iterable[Match]) -> dict[int, dict[str, int]]:
    """The points by colour of those that are being played, by the match's pk, once something is written."""
    playing = {match.sheet_id: match.pk for match in matches if match.status == MatchStatus.PLAYING}
    if not playing:
        return {}
    written = Sheet.objects.filter(pk__in=playing, head_seq__gt=OPENED).exclude(state="")
    states = written.values_list("pk", "state")
    return {playing[pk]: json.loads(state)["score"] for pk, state in states}


def between(matches: MatchQuerySet, player: Player | None, other: Player | None) -> MatchQuerySet:
    """Matches of the player, or of the two players together."""
    if player is not None:
        matches = matches.filter(seats__player=player)
    if other is not None:
        matches = matches.filter(seats__player=other)
    return matches


def waiting_for(user: User) -> MatchQuerySet:
    """The user's finished, undisputed matches that they have yet to confirm."""
    return without_yes_of(user).exclude(Exists(disputes().filter(match=OuterRef("pk"))))


def without_yes_of(user: User) -> MatchQuerySet:
    """The user's finished matches that they have yet to confirm, disputed or not."""
    said_yes = Confirmation.objects.filter(
        Q(side=OuterRef("side__colour")) | Q(side=""),
        match=OuterRef("match"),
        revision=OuterRef("match__result__revision"),
    )
    brought_it = Source.objects.filter(match=OuterRef("match"), user__player__seats__side=OuterRef("side"))
    seats = Seat.objects.filter(~Exists(said_yes), ~Exists(brought_it), player__user=user)
    report = "match__sheet__profile__report"
    # A match from a file has no profile: both sides are asked. Nothing is excluded: what is absent is null.
    both = Q(**{f"{report}__isnull": True}) | Q(**{report: ReportPolicy.BOTH})
    called = Q(match__sheet__directed=True) | Q(match__sheet__opened_by_director=True)
    lost = ~Q(side__colour=F("match__result__winner")) & ~Q(match__result__winner="")
    reported = Q(**{report: ReportPolicy.WINNER_REPORTS}) & (~called | lost | Q(match__result__winner=""))
    seats = seats.filter(both | reported)
    return unconfirmed().filter(pk__in=seats.values("match"))


def unconfirmed() -> MatchQuerySet:
    """Finished matches whose result is not final, without moved events.

    An index has those results alone.
    """
    waiting = Result.objects.filter(final_at=None).values("match")
    return Match.objects.finished().filter(pk__in=waiting, sheet__moved_at=None)


def unconfirmed_in(clubs: QuerySet[Club]) -> MatchQuerySet:
    """These clubs' finished matches whose result is not final yet."""
    return unconfirmed().filter(club__in=clubs)


def unconfirmed_by_club(clubs: QuerySet[Club]) -> list[Club]:
    """Those of the clubs with results that are not final, their number as ``unconfirmed`` (one query)."""
    waiting = unconfirmed().filter(club=OuterRef("pk")).order_by()
    number = Subquery(waiting.values("club").annotate(number=Count("pk")).values("number"))
    counted = clubs.annotate(unconfirmed=number)
    return list(counted.filter(unconfirmed__gt=0).order_by("name", "pk"))


def running_analyses(clubs: QuerySet[Club], *, size: int = 5) -> list[Analysis]:
    """Queued and running analyses of these clubs, running first (five queries).

    Neither estimates nor what is analysed deeper because nothing else waits.
    """
    open_ones = Analysis.objects.filter(
        status__in=[WorkStatus.QUEUED, WorkStatus.RUNNING],
        match__club__in=clubs,
        match__in_chouette=False,
        level__gt=Level.ESTIMATE,
        urgency__lt=Urgency.IDLE,
    )
    return list(
        open_ones.select_related("match__club", "match__result")
        .prefetch_related("match__sides__seats__player__person")
        .order_by(F("lease_until").asc(nulls_last=True), "queued_at", "pk")[:size]
    )


def _side(
    match: Match, colour: Colour, told: ListedAnalysis | None, score: dict[str, int] | None
) -> MatchSideLine:
    result = getattr(match, "result", None)
    points = score[colour] if score else None
    if result is not None and result.ended not in UNPLAYED:
        points = result.white_points if colour == Colour.WHITE else result.black_points
    return MatchSideLine(
        side=match.side(colour),
        points=points,
        won=result is not None and result.winner == colour,
        pr=performance_of(told, colour).pr if told else None,
    )


def _standing(match: Match) -> MatchStanding:
    if match.status != MatchStatus.FINISHED:
        return MatchStanding(match.status)
    result = getattr(match, "result", None)  # a game of a chouette counts in its ledger and has none
    return MatchStanding.UNCONFIRMED if result and not result.final_at else MatchStanding.FINAL
