"""The two kinds of log, each with what it takes to write and to read it: its codec, its fold, its bytes."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from scoring.rules import sheet
from scoring.rules.chouette.events import (
    ChouetteEvent,
    Nothing,
    SessionStarted,
    chouette_event_from_plain,
    chouette_event_to_plain,
)
from scoring.rules.chouette.session import apply_event, begin_session, replay_session
from scoring.rules.chouette.session_state import SessionState, session_bytes, session_from_plain
from scoring.rules.events import Event, MatchStarted, Voided, event_from_plain, event_to_plain
from scoring.rules.match_state import MatchState, state_bytes, state_from_plain

E = TypeVar("E")
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class LogKind(Generic[E, S]):
    """A kind of log: events ``E`` that fold into a state ``S``.

    ``start``  the type of the first event, and of no other;
    ``void``   the event that stands where one was taken away, ``cut`` where it went with an earlier one.

    >>> CHOUETTE_LOG.event_to_plain(CHOUETTE_LOG.void)
    ('nothing', {})
    """

    start: type[Any]
    void: E
    cut: E
    event_to_plain: Callable[[E], tuple[str, dict[str, Any]]]
    event_from_plain: Callable[[str, Mapping[str, Any]], E]
    begin: Callable[[Any], S]
    apply: Callable[[S, E], S]
    replay: Callable[[Iterable[E]], S]
    state_bytes: Callable[[S], bytes]
    state_from_plain: Callable[[Any], S]

    def is_void(self, event: E) -> bool:
        """Whether nothing happens at this place of the log any more."""
        return type(event) is type(self.void)


MATCH_LOG: LogKind[Event, MatchState] = LogKind(
    start=MatchStarted,
    void=Voided(),
    cut=Voided("cut"),
    event_to_plain=event_to_plain,
    event_from_plain=event_from_plain,
    begin=sheet.begin,
    apply=sheet.apply,
    replay=sheet.replay,
    state_bytes=state_bytes,
    state_from_plain=state_from_plain,
)

CHOUETTE_LOG: LogKind[ChouetteEvent, SessionState] = LogKind(
    start=SessionStarted,
    void=Nothing(),
    cut=Nothing(),
    event_to_plain=chouette_event_to_plain,
    event_from_plain=chouette_event_from_plain,
    begin=begin_session,
    apply=apply_event,
    replay=replay_session,
    state_bytes=session_bytes,
    state_from_plain=session_from_plain,
)
