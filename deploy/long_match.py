"""A long analysed match, made of the games of recorded matches.

The games keep their plays and their analyses; only the match around them is new: its length, its score and
the place of each entry in the log.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from django.db import transaction
from django.utils.timezone import now

from clubs.models import Club, Player, WorkStatus
from scoring.engines.annotated import annotated
from scoring.log.services.sheets import append_events, lock_match
from scoring.models import Analysis, DecisionRow, Level, Match, MatchStatus
from scoring.notation.record import MatchRecord
from scoring.rules.errors import ScoringError
from scoring.rules.events import Event, MatchStarted
from scoring.rules.match_state import MatchState
from scoring.rules.sheet import apply, begin
from scoring.sheets.services.openings import open_match
from scoring.sheets.services.results import Yes, record_result, value_in
from scoring.theory.decisions import Decision
from scoring.theory.performance import by_game, by_side, sums_of


@dataclass(frozen=True, slots=True)
class AnalysedGame:
    """The entries of one game, and its decisions; ``ref`` of each is the number of its entry, from 0."""

    events: tuple[Event, ...]
    decisions: tuple[Decision, ...]


def games_of(record: MatchRecord) -> Iterator[AnalysedGame]:
    """The finished games of a record whose file has an analysis."""
    if record.annotations is None or not record.annotations.is_analysed:
        return
    refs = [str(number) for number in range(len(record.events))]
    judged: dict[int, list[Decision]] = defaultdict(list)
    for decision in annotated(record.annotations, record.events, refs).decisions:
        judged[decision.game].append(decision)
    start = record.events[0]
    if not isinstance(start, MatchStarted):
        return
    state, first = begin(start), 1
    for number, event in enumerate(record.events[1:], 1):
        game, finished = state.game.number, len(state.games)
        state = apply(state, event)
        if len(state.games) > finished:
            moved = (replace(each, ref=str(int(each.ref) - first)) for each in judged[game])
            yield AnalysedGame(record.events[first : number + 1], tuple(moved))
            first = number + 1


def write_long_match(
    *,
    club: Club,
    white: Player,
    black: Player,
    records: Sequence[MatchRecord],
    length: int,
    label: str,
) -> Match:
    """Store a finished match to ``length`` points with an analysis under this label.

    Games that cannot be played at their score, with a double in the Crawford game, are left out. Raises
    RuntimeError if the records have too few games.
    """
    match = open_match(club=club, white=[white], black=[black], length=length)
    games = (game for record in records for game in games_of(record))
    with transaction.atomic():
        sheet, current = lock_match(match)
        state, events, decisions = _played(begin(MatchStarted(length)), games, at=sheet.head_seq)
        append_events(sheet=sheet, events=events, state=state, user=None)
        record_result(match=current, value=value_in(state), status=MatchStatus.FINISHED, said_yes=[Yes("")])
        current.analyses.all().delete()  # what a finished match asks an engine for
        analysis = Analysis.objects.create(
            match=current,
            head_seq=sheet.head_seq,
            head_hash=sheet.head_hash,
            level=Level.STANDARD,
            preset="fast",
            label=label,
            status=WorkStatus.DONE,
            finished_at=now(),
            summary={
                "match": sums_of(by_side(decisions)),
                "games": {str(game): sums_of(sides) for game, sides in by_game(decisions).items()},
            },
        )
        DecisionRow.objects.bulk_create(_rows(analysis, decisions))
    return Match.objects.with_players().get(pk=match.pk)


def _played(
    state: MatchState, games: Iterable[AnalysedGame], *, at: int
) -> tuple[MatchState, list[Event], list[Decision]]:
    """The finished match, its entries after number ``at``, and its decisions."""
    events: list[Event] = []
    decisions: list[Decision] = []
    for game in games:
        number, tried = state.game.number, state
        try:
            for event in game.events:
                tried = apply(tried, event)
        except ScoringError:
            continue
        first = at + len(events) + 1
        moved = (replace(each, ref=str(first + int(each.ref)), game=number) for each in game.decisions)
        decisions.extend(moved)
        events.extend(game.events)
        state = tried
        if state.outcome is not None:
            return state, events, decisions
    raise RuntimeError(f"{state.game.number} games end at {state.score}: bring more records")


def _rows(analysis: Analysis, decisions: Iterable[Decision]) -> list[DecisionRow]:
    return [
        DecisionRow.of(
            decision,
            number=number,
            event_seq=int(decision.ref),
            analysis=analysis,
            played=decision.played[:80],
        )
        for number, decision in enumerate(decisions)
    ]
