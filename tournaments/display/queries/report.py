"""Report of an event: standings, results, statistics and error rates."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from clubs.access import Viewer
from scoring.analysis.queries.performances import performance_of
from scoring.analysis.queries.told import told_about
from scoring.models import Match, MatchStatus, Seat
from scoring.rules.errors import ScoringError
from scoring.rules.game import GameOutcome
from scoring.rules.match import Win
from scoring.rules.match_state import state_from_plain
from scoring.theory.performance import Performance
from tournaments.models import Board, Event
from tournaments.stages.queries.stage_picture import Picture


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
class EventStatistics:
    """Counts of the event's finished matches; games only from scoresheets with games."""

    matches: int
    games: int
    gammons: int
    backgammons: int
    longest: Match | None
    longest_games: int
    highest_cube: int


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """A player's error rate in the analysed matches of one engine label."""

    player: str
    ref: str
    performance: Performance
    matches: int


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


def matches_of(event: Event) -> list[Match]:
    """The finished matches of the event's boards (five queries)."""
    boards = Board.objects.filter(pairing__stage__flight__event=event).values("match")
    rows = Match.objects.filter(pk__in=boards, status=MatchStatus.FINISHED)
    return list(rows.with_players().select_related("sheet", "result", "club").order_by("pk"))


def statistics(matches: Sequence[Match]) -> EventStatistics:
    """Gammons, backgammons, longest match and highest cube (no query)."""
    games = gammons = backgammons = cube = most = 0
    longest: Match | None = None
    for match in matches:
        won = list(_outcomes(match))
        games += len(won)
        gammons += sum(each.win == Win.GAMMON for each in won)
        backgammons += sum(each.win == Win.BACKGAMMON for each in won)
        cube = max([cube, *(each.cube for each in won)])
        if len(won) > most:
            most, longest = len(won), match
    return EventStatistics(len(matches), games, gammons, backgammons, longest, most, cube)


def _outcomes(match: Match) -> Iterator[GameOutcome]:
    """Game outcomes on the scoresheet; empty for a match with only a result."""
    if not match.sheet.state:
        return
    try:
        state = state_from_plain(json.loads(match.sheet.state))
    except ScoringError:
        return
    for game in state.games:
        yield game.outcome


def error_rates(matches: Sequence[Match], viewer: Viewer) -> Mapping[str, list[ErrorRate]]:
    """Error rates by engine label, lowest first, without pairs (one query).

    A match that only a file analysed counts under the label of the file. Analyses that the viewer cannot see
    do not count.
    """
    analyses = told_about(matches, viewer)
    sums: dict[str, dict[str, tuple[Seat, Performance, int]]] = {}
    for match in matches:
        analysis = analyses.get(match.pk)
        if analysis is None:
            continue
        for side in match.sides.all():
            seats = list(side.seats.all())
            if len(seats) != 1:
                continue
            own = performance_of(analysis, side.colour)
            _seat, before, count = sums.setdefault(analysis.label, {}).get(
                seats[0].player.ref, (seats[0], Performance(), 0)
            )
            sums[analysis.label][seats[0].player.ref] = (seats[0], before + own, count + 1)
    return {
        label: sorted(
            (ErrorRate(seat.player.name, ref, total, count) for ref, (seat, total, count) in players.items()),
            key=lambda rate: (rate.performance.pr is None, rate.performance.pr or 0.0, rate.player),
        )
        for label, players in sums.items()
    }
