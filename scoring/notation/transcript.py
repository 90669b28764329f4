"""Steps of a scoresheet for replay, each with its board.

A roll and its play are one step, each cube action, resignation and recorded result is one. Words for a page
are made from ``kind`` and the values at the interface; nothing here is text but the notation of plays.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from scoring.notation.plays import format_moves
from scoring.rules.dice import Roll
from scoring.rules.events import Event, MatchStarted, OpeningRolled, Played, PlayStatus, Rolled, Voided
from scoring.rules.game import GameOutcome, GameState
from scoring.rules.match import MatchScore
from scoring.rules.position import Position
from scoring.rules.sheet import apply, begin
from scoring.rules.sides import Side


@dataclass(frozen=True, slots=True)
class Step:
    """One stop.

    ``number`` counts from 1, ``seq`` is the event's place in the log and ``roll_seq`` that of the roll before
    a play. ``kind`` is the event's; ``side`` who acted, None for what happens to a match as a whole.
    ``before`` is the game as it was faced, at ``score``; ``after`` the position that a play reached, seen by
    the mover. ``outcome`` is set on the step that ended a game, ``final`` the score then.
    """

    number: int
    seq: int
    roll_seq: int | None
    game: int
    kind: str
    side: Side | None
    before: GameState
    score: MatchScore
    roll: Roll | None = None
    play: str = ""
    after: Position | None = None
    status: PlayStatus | None = None
    outcome: GameOutcome | None = None
    final: MatchScore | None = None
    event: Event | None = None


def transcript(numbered: Iterable[tuple[int, Event]]) -> tuple[Step, ...]:
    """The steps of a log of (seq, event) pairs, which begins with a MatchStarted and replays.

    Raises what ``scoring.rules.sheet.apply`` raises. A roll that waits for its play gives no step yet, and
    neither does a log in which nothing stands. An entry that was undone is no step.
    """
    remaining = iter(numbered)
    first = next(remaining, None)
    if first is None:
        return ()
    _, start = first
    if not isinstance(start, MatchStarted):
        raise TypeError(f"a scoresheet begins with the start of the match, not with {start!r}")
    state = begin(start)
    steps: list[Step] = []
    roll_seq: int | None = None
    for seq, event in remaining:
        before, state = state, apply(state, event)
        if isinstance(event, Voided):
            continue
        if isinstance(event, OpeningRolled | Rolled):
            roll_seq = seq
            continue
        game = before.game
        side = game.to_act
        ended = len(state.games) > len(before.games)
        played = isinstance(event, Played)
        faced = game.seen_by(game.on_roll) if game.on_roll else game.position
        steps.append(
            Step(
                number=len(steps) + 1,
                seq=seq,
                roll_seq=roll_seq if played else None,
                game=game.number,
                kind=event.kind,
                side=getattr(event, "by", None) if event.kind == "resign" else side,
                before=game,
                score=before.score,
                roll=game.roll if played else None,
                play=format_moves(faced, event.moves) if isinstance(event, Played) else "",
                after=_reached(state.game, game) if played and not ended else None,
                status=event.status if isinstance(event, Played) else None,
                outcome=state.games[-1].outcome if ended else None,
                final=state.score if ended else None,
                event=event,
            )
        )
    return tuple(steps)


def step_of_entries(steps: Iterable[Step]) -> dict[int, int]:
    """The number of the step that an entry of the log belongs to: a play's, also for its roll."""
    return {seq: step.number for step in steps for seq in (step.roll_seq, step.seq) if seq}


def _reached(game: GameState, before: GameState) -> Position | None:
    return game.seen_by(before.on_roll) if before.on_roll else None
