"""Match a file's own analysis to the decisions of its match.

What the file says of a moment belongs to the decision of the same game that was faced in the same position
with the same dice: so it stays right where the reader left plays out, put them right, or changed columns, and
never lands on a decision that it does not judge. What counts follows `scoring.theory.counting`.
"""

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.engines.cube_decisions import cube_decisions
from scoring.engines.decisions import CubeValues, play_decision
from scoring.engines.questions import request_for
from scoring.engines.requests import CheckerQuestion, CubeQuestion, Question, Situation
from scoring.notation.annotations import Annotation, Annotations, Unit
from scoring.rules.errors import InvalidValue
from scoring.rules.events import Event
from scoring.theory.decisions import Candidate, Decision
from scoring.theory.met import MatchPhase, equity_after

SHOWN = 10
"""Candidates of a play that are kept, and the one that was made."""

_Place = tuple[int, str, tuple[int, int] | None]


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment in the file; ``ref`` is the event it is about or empty, ``game`` 0 for the whole match."""

    game: int
    ref: str
    text: str


@dataclass(frozen=True, slots=True)
class Annotated:
    """Decisions in the order of play, comments, and how many judged moments fit no decision of the match.

    ``positions`` has what the player on roll faced at each decision.
    """

    decisions: tuple[Decision, ...]
    positions: tuple[str, ...]
    comments: tuple[Comment, ...]
    left_out: int


def annotated(annotations: Annotations, events: Sequence[Event], refs: Sequence[str]) -> Annotated:
    """Attach a file's analysis to the decisions of ``events`` with their ``refs``.

    Raises what replaying the events raises.
    """
    questions = request_for(events, preset="", refs=refs).questions
    waiting: dict[_Place, deque[Question]] = defaultdict(deque)
    for question in questions:
        waiting[_place(question)].append(question)
    order = {question.ref: number for number, question in enumerate(questions)}
    found: list[tuple[int, Decision, str]] = []
    comments = [Comment(game, "", text) for game, text in annotations.remarks]
    left_out = 0
    last: dict[_Place, Question] = {}
    for moment in annotations.moments:
        place = (moment.game, moment.position, moment.dice)
        here = waiting.get(place)
        if here and not moment.answer:
            last[place] = here.popleft()
        faced = last.get(place) if here is not None else None
        if moment.comment:
            comments.append(_comment(moment, faced))
        judged = _judged(moment, faced) if faced and moment.options else []
        left_out += bool(moment.options) and not judged
        found += [(order[faced.ref], decision, moment.position) for decision in judged if faced]
    found.sort(key=lambda row: row[0])
    decisions, positions = tuple(row[1] for row in found), tuple(row[2] for row in found)
    return Annotated(decisions, positions, tuple(comments), left_out)


def _place(question: Question) -> _Place:
    dice = None
    if isinstance(question, CheckerQuestion):
        dice = (max(question.dice), min(question.dice))
    return question.game, question.situation.position, dice


def _comment(moment: Annotation, faced: Question | None) -> Comment:
    ref = faced.ref if faced else ""
    if moment.answer and isinstance(faced, CubeQuestion):
        ref = faced.response_ref or ref
    return Comment(moment.game, ref, moment.comment)


def _judged(moment: Annotation, faced: Question) -> list[Decision]:
    """The decisions that the file's numbers amount to; none where they cannot be told as equities."""
    if isinstance(faced, CheckerQuestion):
        return [_play(moment, faced)]
    values = _values(moment, faced.situation)
    if values is None:
        return []
    first = moment.options[0]
    return cube_decisions(faced, values, first.probabilities, first.level, interval=first.interval)


def _values(moment: Annotation, faced: Situation) -> CubeValues | None:
    told = {option.action: option.equity for option in moment.options}
    try:
        values = CubeValues(told["no double"], told["double/take"], told["double/pass"])
    except KeyError:
        return None
    if moment.unit is Unit.EQUITY:
        return values
    return _from_chances(values, faced)


def _from_chances(values: CubeValues, faced: Situation) -> CubeValues | None:
    """Chances of winning the match as equities at the cube before the decision.

    0 and 1 are losing and winning the cube; with the match equity table that both programs come with. None
    for a score that the table does not have. A pass is worth a point, whatever the file says.
    """
    if not faced.own_away:
        return None
    phase = (
        MatchPhase.AFTER_CRAWFORD
        if 1 in (faced.own_away, faced.opponent_away)
        else MatchPhase.BEFORE_CRAWFORD
    )
    try:
        win, lose = (
            equity_after(faced.own_away, faced.opponent_away, points, phase=phase)
            for points in (faced.cube, -faced.cube)
        )
    except InvalidValue:
        return None
    if win <= lose:
        return None
    middle, half = (win + lose) / 2, (win - lose) / 2
    return CubeValues((values.no_double - middle) / half, (values.take - middle) / half, 1.0)


def _play(moment: Annotation, faced: CheckerQuestion) -> Decision:
    options = moment.options
    made = next((option for option in options if option.position == faced.played), None)
    choice = len(options) > 1
    error = max(0.0, options[0].equity - made.equity) if made and choice else None
    candidates = [
        Candidate(o.action, o.equity, o.probabilities, o.level, o.position, o is made, o.interval)
        for number, o in enumerate(options)
        if number < SHOWN or o is made
    ]
    return play_decision(faced, candidates, error, legal=faced.legal, luck=moment.luck)
