"""A director's decision on a match's result, written on its sheet.

Events that led to another outcome are replaced by ``voided`` ones and a ruling gives the reason; nothing is
deleted, and the log names the director.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from clubs.models import Note, User
from scoring.log.queries.sheets import NumberedEvent, events_of
from scoring.log.services.notes import put_away
from scoring.log.services.sheets import append_events, hold_match
from scoring.models import Match, Sheet
from scoring.rules.endings import Ending
from scoring.rules.errors import InvalidValue, ScoringError
from scoring.rules.events import Event, MatchEnded, MatchStarted, Ruled, ScoreRecorded, Voided
from scoring.rules.match_state import Status
from scoring.rules.match_transitions import in_game
from scoring.rules.sheet import apply, begin, replay
from scoring.rules.sides import Side
from scoring.sheets.services.results import ResultValue, Yes, record_result, status_in, value_in


@dataclass(frozen=True, slots=True)
class DirectedResult:
    """A decided result: ``winner`` a colour or empty, ``points`` (White, Black).

    Played out needs points; every other end keeps the points that the sheet has.
    """

    winner: str = ""
    points: tuple[int, int] | None = None
    ended: Ending = Ending.PLAYED

    def as_result(self) -> ResultValue:
        """The result of the decision, ignoring the points on the sheet."""
        points = self.points or (0, 0)
        return ResultValue(self.winner, points, points, self.ended, final=True)

    def event(self) -> Event:
        """The sheet event for the decision."""
        if self.ended is Ending.PLAYED:
            white, black = self.points or (0, 0)
            return ScoreRecorded(white, black)
        return MatchEnded(self.ended, Side(self.winner) if self.winner else None)


def overrule(
    *, match: Match, decision: DirectedResult, user: User | None, reason: str, hold: object = None
) -> Match:
    """Set a match's final result. The caller has checked the user's authority.

    ``hold`` goes to the receivers of ``result_changed``: what the caller has locked and decided. Raises
    InvalidValue for points that no such match has, and what a receiver refuses; nothing is written then.
    """
    with transaction.atomic():
        held = hold_match(Sheet.objects.filter(pk=match.sheet_id))
        overrule_held(match=held, decision=decision, user=user, reason=reason, hold=hold)
    return held


def overrule_held(
    *, match: Match, decision: DirectedResult, user: User | None, reason: str, hold: object = None
) -> None:
    """:func:`overrule` for a match held by the caller (``hold_match``).

    Whatever it raises, the caller's transaction is given up.
    """
    sheet = match.sheet
    log = events_of(sheet)
    keep = _kept(log, decision)
    overruled = [each.seq for each in log[keep:] if not isinstance(each.event, Ruled | Voided)]
    voided: Mapping[int, Event] = dict.fromkeys(overruled, Voided("overruled"))
    said: list[tuple[Event, Note | None]] = [put_away(Ruled("director", reason))] if reason else []
    said.append((decision.event(), None))
    counting = [voided.get(each.seq, each.event) for each in log]
    state = replay([*counting, *(event for event, _note in said)])
    append_events(
        sheet=sheet,
        events=[*voided.values(), *(event for event, _note in said)],
        state=state,
        user=user,
        replaces=[*overruled, *(None for _ in said)],
        notes=[*(None for _ in overruled), *(note for _event, note in said)],
    )
    yes = [Yes("", user=user)]
    record_result(match=match, value=value_in(state), status=status_in(state), said_yes=yes, hold=hold)


def void_match(*, match: Match, user: User | None, reason: str) -> Match:
    """Void the match; its log is kept."""
    return overrule(match=match, decision=DirectedResult(ended=Ending.VOID), user=user, reason=reason)


def _kept(log: list[NumberedEvent[Event]], decision: DirectedResult) -> int:
    """The number of events to keep before the decision.

    All before the one that ended the match; else those of the finished games; else the start alone. Raises
    what the rules say of the decision after the start alone.
    """
    first = log[0].event
    if not isinstance(first, MatchStarted):
        raise InvalidValue("not_started", "the sheet begins with {first}, not with a match", first=first.kind)
    state, states = begin(first), []
    between_games = 1
    for number, numbered in enumerate(log[1:], 2):
        states.append(state)
        state = apply(state, numbered.event)
        if state.status is Status.OVER:
            break
        if not in_game(state):
            between_games = number
    else:
        states.append(state)
    for kept in (len(states), between_games):
        try:
            apply(states[kept - 1], decision.event())
        except ScoringError:
            continue
        return kept
    apply(states[0], decision.event())
    return 1
