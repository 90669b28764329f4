"""Report of an event: standings, results, statistics and error rates."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Exists, JSONField, OuterRef, Value
from django.db.models.functions import JSONObject
from django.utils.translation import gettext as _

from clubs.access import Viewer
from scoring.analysis.queries.performances import performance_of
from scoring.analysis.queries.told import ListedAnalysis, listed, told_to
from scoring.models import Analysis, Colour, FileAnalysis, Match, Seat
from scoring.rules.errors import ScoringError
from scoring.rules.game import GameOutcome
from scoring.rules.match import Win
from scoring.rules.match_state import state_from_plain
from scoring.theory.performance import Performance
from tournaments.events.queries.entrant_rows import shown_entrants
from tournaments.models import Board, EntrantRow, Event, Prize, StageRow
from tournaments.stages.queries.stage_picture import Picture, pictures_of
from tournaments.stages.services.stages import load_all


@dataclass(frozen=True, slots=True)
class ResultLine:
    """One finished match of the report."""

    stage: str
    round: str
    number: int
    first: str
    second: str
    first_points: int | None
    second_points: int | None
    winner: str
    words: str
    match: str
    confirmed: bool


@dataclass(frozen=True, slots=True)
class ReportedSide:
    """A side of a match: the refs and names of its players in order."""

    players: Sequence[tuple[str, str]]

    @property
    def name(self) -> str:
        return " / ".join(name for _ref, name in self.players)


@dataclass(frozen=True, slots=True)
class ReportedMatch:
    """A finished match with the state of its sheet, its sides by colour, and what its analysis says."""

    ref: str
    state: str
    sides: Mapping[str, ReportedSide]
    analysis: ListedAnalysis | None

    @property
    def white(self) -> ReportedSide:
        return self.sides[Colour.WHITE]

    @property
    def black(self) -> ReportedSide:
        return self.sides[Colour.BLACK]


@dataclass(frozen=True, slots=True)
class EventStatistics:
    """Counts of the event's finished matches; games only from scoresheets with games."""

    matches: int
    games: int
    gammons: int
    backgammons: int
    longest: ReportedMatch | None
    longest_games: int
    highest_cube: int


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """A player's error rate in the analysed matches of one engine label."""

    player: str
    ref: str
    performance: Performance
    matches: int


@dataclass(frozen=True, slots=True)
class ReportedPrize:
    """An approved prize, in minor units."""

    winner: EntrantRow
    amount: int


@dataclass(frozen=True, slots=True)
class Standings:
    """The drawn stages of an event, and its prizes by division, highest first.

    ``judged`` is whether any of its matches has an analysis.
    """

    pictures: Sequence[Picture]
    prizes: Sequence[ReportedPrize]
    judged: bool


def standings_of(event: Event) -> Standings:
    """The pictures of all drawn stages, and the prizes (four queries)."""
    prizes = Prize.objects.filter(flight=OuterRef("flight")).order_by("-amount", "pk")
    rows = StageRow.objects.filter(flight__event=event, drawn_at__isnull=False).select_related("flight")
    rows = rows.annotate(
        prizes=ArraySubquery(prizes.values_list(JSONObject(to="entrant", amount="amount"))),
        judged=Exists(Analysis.objects.filter(match__board__pairing__stage=OuterRef("pk"))),
        in_files=Exists(FileAnalysis.objects.filter(source__match__board__pairing__stage=OuterRef("pk"))),
    )
    stages = list(rows.order_by("flight__position", "position"))
    for stage in stages:
        stage.flight.event = event
    values = load_all(stages)
    # After the logs: somebody may have come late meanwhile.
    entrants = {each.pk: each for each in shown_entrants(event)} if stages else {}
    pictures = pictures_of(stages, values, entrants.values()) if stages else []
    approved = {stage.flight_id: vars(stage)["prizes"] for stage in stages}
    return Standings(
        pictures,
        [
            ReportedPrize(entrants[each["to"]], each["amount"])
            for found in approved.values()
            for each in found
        ],
        any(vars(stage)["judged"] or vars(stage)["in_files"] for stage in stages),
    )


def results_in(pictures: Sequence[Picture]) -> Iterator[ResultLine]:
    """Finished matches by stage and round (no query)."""
    for picture in pictures:
        for section in picture.sections:
            columns = section.columns if picture.is_bracket else section.in_order
            for column in columns:
                for cell in column.cells:
                    if cell.state not in {"done", "open"}:
                        continue
                    a, b = picture.names[cell.a.number], picture.names[cell.b.number]
                    yield ResultLine(
                        picture.stage.name,
                        column.title,
                        cell.number,
                        a.title,
                        b.title,
                        cell.a.points,
                        cell.b.points,
                        a.title if cell.a.won else b.title if cell.b.won else "",
                        cell.words,
                        (cell.placed.match if cell.placed else None) or "",
                        cell.state == "done",
                    )


def matches_of(standings: Standings, viewer: Viewer) -> list[ReportedMatch]:
    """The finished matches of the boards of these draws (one query, none before a draw).

    Analyses that the viewer cannot see are left out.
    """
    stages = [picture.stage for picture in standings.pictures]
    if not stages:
        return []
    boards = Board.objects.filter(pairing__stage__in=stages).values("match")
    seats = Seat.objects.filter(match=OuterRef("pk")).order_by("order")
    seat = JSONObject(colour="side__colour", ref="player__ref", name="player__person__name")
    rows = Match.objects.finished().filter(pk__in=boards).order_by("pk")
    # To ask for the analyses takes as long as all the rest: it is done where there are any.
    told = told_to(viewer) if standings.judged else Value(None, output_field=JSONField())
    seen = rows.annotate(seated=ArraySubquery(seats.values_list(seat)), told=told)
    return [
        ReportedMatch(ref, state, _sides(seated), listed(told))
        for ref, state, seated, told in seen.values_list("ref", "sheet__state", "seated", "told")
    ]


def _sides(seated: Sequence[Mapping[str, str]]) -> Mapping[str, ReportedSide]:
    erased = _("Erased player")
    return {
        colour: ReportedSide(
            [(each["ref"], each["name"] or erased) for each in seated if each["colour"] == colour]
        )
        for colour in Colour.values
    }


def statistics(matches: Sequence[ReportedMatch]) -> EventStatistics:
    """Gammons, backgammons, longest match and highest cube (no query)."""
    games = gammons = backgammons = cube = most = 0
    longest: ReportedMatch | None = None
    for match in matches:
        won = list(_outcomes(match))
        games += len(won)
        gammons += sum(each.win == Win.GAMMON for each in won)
        backgammons += sum(each.win == Win.BACKGAMMON for each in won)
        cube = max([cube, *(each.cube for each in won)])
        if len(won) > most:
            most, longest = len(won), match
    return EventStatistics(len(matches), games, gammons, backgammons, longest, most, cube)


def _outcomes(match: ReportedMatch) -> Iterator[GameOutcome]:
    """Game outcomes on the scoresheet; empty for a match with only a result."""
    plain = json.loads(match.state or "{}")
    if not plain.get("games"):
        return
    try:
        state = state_from_plain(plain)
    except ScoringError:
        return
    for game in state.games:
        yield game.outcome


def error_rates(matches: Sequence[ReportedMatch]) -> Mapping[str, list[ErrorRate]]:
    """Error rates by engine label, lowest first, without pairs (no query).

    A match that only a file analysed counts under the label of the file.
    """
    sums: dict[str, dict[str, tuple[str, Performance, int]]] = {}
    for match in matches:
        if match.analysis is None:
            continue
        for colour, side in match.sides.items():
            if len(side.players) != 1:
                continue
            [(ref, name)] = side.players
            own = performance_of(match.analysis, colour)
            of_label = sums.setdefault(match.analysis.label, {})
            _name, before, count = of_label.get(ref, (name, Performance(), 0))
            of_label[ref] = (name, before + own, count + 1)
    return {
        label: sorted(
            (ErrorRate(name, ref, total, count) for ref, (name, total, count) in players.items()),
            key=lambda rate: (rate.performance.pr is None, rate.performance.pr or 0.0, rate.player),
        )
        for label, players in sums.items()
    }
