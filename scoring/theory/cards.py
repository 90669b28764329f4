"""Which decisions make a card, and whether an answer to one is right.

Source: docs/players/mistakes.md, "Which decisions become cards". Losses are normalised equity (see
`scoring.theory.decisions`).

A card asks for a play, or for one of two cube actions. An answer within `ACCEPTED` of the best is right. A
play that the engine has not listed is known to lose at least as much as the worst one listed for its rank; a
decision is a card only if that is enough to say that such a play is wrong.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from scoring.notation.plays import parse_moves
from scoring.rules.dice import Roll
from scoring.rules.errors import ScoringError
from scoring.rules.explain import resolve_play
from scoring.rules.plays import Play, legal_results
from scoring.rules.position import Position
from scoring.rules.sides import Side
from scoring.theory.decisions import Candidate, Decision, DecisionKind

LIMIT = 0.050
"""The smallest loss that makes a card."""

SEVERAL_WITHIN = 0.020
"""A second-best answer this near makes several answers good: no card for an error."""

ACCEPTED = 0.035
"""An answer that loses at most this much is right."""

FINE_EVERY = 4
"""Every fourth card of a session is a decision that was right."""

FINE_A_MATCH = 4
"""Cards for right decisions that one match gives at most."""

NO_DOUBLE, DOUBLE, TAKE, PASS = "no double", "double", "take", "pass"
CUBE_ANSWERS = {DecisionKind.DOUBLE: (NO_DOUBLE, DOUBLE), DecisionKind.RESPONSE: (TAKE, PASS)}


class CardKind(StrEnum):
    """What the player did at the decision of a card."""

    ERROR = "error"
    FINE = "fine"


@dataclass(frozen=True, slots=True)
class FacedRoll:
    """What a checker decision was faced with: the position seen by the player on roll, and the roll."""

    position: Position
    roll: Roll


@dataclass(frozen=True, slots=True)
class AnswerVerdict:
    """What an answer loses against the best; at least so much unless `is_exact`."""

    loss: float
    is_exact: bool = True

    @property
    def is_right(self) -> bool:
        return self.loss <= ACCEPTED


def wants_fine(number: int) -> bool:
    """Whether the card of this number in a session, from 1, is to be a right decision.

    >>> [number for number in range(1, 11) if wants_fine(number)]
    [4, 8]
    """
    return number % FINE_EVERY == 0


def actions_of(decision: Decision) -> dict[str, float]:
    """The equity of each listed answer: plays, or the two cube actions of the player who decides.

    A double is worth the answer that is worse for the doubler.
    """
    equities = {each.action: each.equity for each in decision.candidates}
    if decision.kind is not DecisionKind.DOUBLE:
        return equities
    answers = [equities[each] for each in ("double/take", "double/pass") if each in equities]
    if NO_DOUBLE not in equities or not answers:
        return {}
    return {NO_DOUBLE: equities[NO_DOUBLE], DOUBLE: min(answers)}


def best_of(decision: Decision) -> str:
    """The best answer, "" if nothing is listed."""
    if decision.kind is DecisionKind.CHECKER:
        return decision.candidates[0].action if decision.candidates else ""
    actions = actions_of(decision)
    return max(actions, key=lambda action: actions[action], default="")


def loss_of(decision: Decision, action: str) -> float:
    """What a listed answer loses against the best, 0 or more."""
    if action == decision.played and decision.error is not None:
        return decision.error
    actions = actions_of(decision)
    return max(actions[best_of(decision)] - actions[action], 0.0)


def card_kind(decision: Decision, faced: FacedRoll | None, *, limit: float = LIMIT) -> CardKind | None:
    """What kind of card the decision makes, None for none. `faced` is None for a cube decision."""
    actions = actions_of(decision)
    if not (decision.counted and decision.legal and decision.error is not None and len(actions) > 1):
        return None
    gap = _gap(decision, actions)
    if decision.error >= limit:
        kind = CardKind.ERROR if gap > SEVERAL_WITHIN else None
    else:
        kind = CardKind.FINE if decision.error == 0 and gap >= limit else None
    if kind is None or faced is None or covers(decision, faced):
        return kind
    return None


def cards_of(
    decisions: Iterable[Decision], faced: Mapping[str, FacedRoll], side: Side, *, limit: float = LIMIT
) -> list[tuple[Decision, CardKind]]:
    """The cards of one side of a match: every error, and of the right decisions the closest few.

    `faced` has the position of each checker decision by the decision's `ref`.
    """
    found: list[tuple[Decision, CardKind]] = []
    fine: list[Decision] = []
    for decision in decisions:
        at = faced.get(decision.ref)
        if decision.side is not side or (decision.kind is DecisionKind.CHECKER and at is None):
            continue
        kind = card_kind(decision, at, limit=limit)
        if kind is CardKind.ERROR:
            found.append((decision, kind))
        elif kind is CardKind.FINE:
            fine.append(decision)
    most = min(FINE_A_MATCH, 1 + len(found) // (FINE_EVERY - 1))
    fine.sort(key=lambda decision: _gap(decision, actions_of(decision)))
    return found + [(decision, CardKind.FINE) for decision in fine[:most]]


def covers(decision: Decision, faced: FacedRoll) -> bool:
    """Whether every legal play can be judged: all are listed, or an unlisted one is known to be wrong."""
    return len(decision.candidates) >= len(legal_results(faced.position, faced.roll)) or (
        unlisted_loss(decision) > ACCEPTED
    )


def unlisted_loss(decision: Decision) -> float:
    """What a play that is not listed loses at least.

    The play that was made is listed whatever its rank, so it does not count.
    """
    ranked = [each.equity for each in decision.candidates if not each.played]
    return decision.candidates[0].equity - min(ranked) if ranked else 0.0


def judge_play(decision: Decision, faced: FacedRoll, play: Play) -> AnswerVerdict:
    """The verdict on a legal play, listed or not."""
    same = listed(decision, faced, play)
    if same is None:
        return AnswerVerdict(unlisted_loss(decision), is_exact=False)
    return AnswerVerdict(loss_of(decision, same.action))


def listed(decision: Decision, faced: FacedRoll, play: Play) -> Candidate | None:
    """The candidate that leads to the same position as the play."""
    return next((each for each in decision.candidates if _leads_to(each, faced, play)), None)


def _leads_to(candidate: Candidate, faced: FacedRoll, play: Play) -> bool:
    try:
        made = resolve_play(faced.position, faced.roll, parse_moves(candidate.action))
    except ScoringError:  # an illegal play that was accepted at the table
        return False
    return made.result == play.result


def _gap(decision: Decision, actions: Mapping[str, float]) -> float:
    """How far the best answer leads the second."""
    best = best_of(decision)
    return actions[best] - max(equity for action, equity in actions.items() if action != best)
