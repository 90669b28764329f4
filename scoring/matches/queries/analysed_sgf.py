"""Writing GNU Backgammon's `.sgf` with an analysis.

Source: GNU Backgammon 1.08, the functions WriteMoveAnalysis, WriteDoubleAnalysis and WriteLuck of its reader
and writer of SGF (docs/reference/notation.md, "Other match files"). ``A`` lists plays, best first, behind the
number of the one that was made, from 0: points, ``E ver 3``, five chances, equity, depth. ``DA`` is the cube
before the roll or at the double, ``LU`` the luck.

**Units**: plays and luck are EMG; a cube's equities are points in a money game and chances of winning the
match in a match. ``LV`` and ``LI``, additions of ours that other programs skip, have the depths that the
format cannot say, and half of each 95% interval of a rollout; ``LD`` and ``LC`` are those of a cube. ``AN``
of the first game names the exact label, which :mod:`scoring.notation.sgf_analysis` reads.
"""

import re
from collections.abc import Mapping, Sequence

from scoring.notation.plays import parse_moves
from scoring.notation.sgf_analysis import ANNOTATOR
from scoring.notation.sgf_writer import letters_of, write_sgf
from scoring.notation.transcript import Step
from scoring.rules.errors import InvalidValue
from scoring.rules.events import Doubled, Event, Played
from scoring.rules.sides import Side
from scoring.theory.decisions import Candidate, Decision, DecisionKind
from scoring.theory.met import MatchPhase, chance_of

Five = tuple[float, float, float, float, float]

_PLIES = re.compile(r"(\d{1,2})-ply")
_EVALUATED = "1 0.000000 1"
"""How GNU Backgammon looked: deterministic, without noise, by its pruning networks."""
_UNTOLD: Five = (0.0, 0.0, 0.0, 0.0, 0.0)


def write_analysed_sgf(
    players: tuple[str, str],
    events: Sequence[Event],
    tags: Mapping[str, str],
    judged: Mapping[int, Sequence[Decision]],
    *,
    label: str,
) -> str:
    """The match with its decisions as `.sgf` text.

    ``judged`` has the decisions by the number of their step. An answer to a double is told by the double.
    Raises InvalidValue for a match that the format cannot tell.
    """

    def tell(step: Step) -> str:
        if not isinstance(step.event, Played | Doubled):
            return ""
        return "".join(_told(decision, step) for decision in judged.get(step.number, ()))

    return write_sgf(players, events, {**tags, "Annotator": f"{ANNOTATOR} {label}"}, tell=tell)


def _told(decision: Decision, step: Step) -> str:
    if not decision.candidates:
        return ""
    if decision.kind is DecisionKind.DOUBLE:
        return _cube(decision, step)
    return _play(decision) if decision.kind is DecisionKind.CHECKER else ""


def _play(decision: Decision) -> str:
    made = next((number for number, each in enumerate(decision.candidates) if each.played), None)
    if made is None:
        return ""
    entries = "".join(f"[{_entry(each, decision.side)}]" for each in decision.candidates)
    luck = "" if decision.luck is None else f"LU[{decision.luck:.5f}]"
    return f"A[{made}]{entries}MR[]{luck}{_levels(decision.candidates)}{_intervals(decision.candidates)}"


def _entry(candidate: Candidate, side: Side) -> str:
    letters = letters_of(parse_moves(candidate.action), side)
    chances = _numbers(candidate.probabilities or _UNTOLD)
    return f"{letters} E ver 3 {chances} {candidate.equity:.6f} {_depth(candidate.level)} 0 {_EVALUATED}"


def _cube(decision: Decision, step: Step) -> str:
    told = {each.action: each for each in decision.candidates}
    chances = decision.candidates[0].probabilities or _UNTOLD
    win, gammon, backgammon, lost_gammon, lost_backgammon = chances
    cubeless = 2 * win - 1 + gammon + backgammon - lost_gammon - lost_backgammon
    tables = []
    for action in ("no double", "double/take"):
        value = _unit(told[action].equity, decision.side, step)
        if value is None:
            return ""
        tables.append(f"{_numbers(chances)} {cubeless:.6f} {value:.9f}")
    level = decision.candidates[0].level
    levels = "" if _PLIES.fullmatch(level) else f"LD[{_escaped(level)}]"
    return f"DA[E ver 3 {_depth(level)} {_EVALUATED} {' '.join(tables)}]{levels}{_interval_of(decision)}"


def _unit(equity: float, side: Side, step: Step) -> float | None:
    """A cube's equity in the format's unit; None at a score beyond the match equity table."""
    if step.score.is_money:
        return equity
    own, other = step.score.away(side), step.score.away(side.other)
    phase = MatchPhase.AFTER_CRAWFORD if 1 in (own, other) else MatchPhase.BEFORE_CRAWFORD
    try:
        return chance_of(equity, own, other, cube=step.before.cube.value, phase=phase)
    except InvalidValue:
        return None


def _numbers(values: Five) -> str:
    return " ".join(f"{value:.6f}" for value in values)


def _depth(level: str) -> str:
    """The depth in the format's words; 0-ply where it is none, and ``LV`` has the words."""
    found = _PLIES.match(level)
    return f"{found[1] if found else 0}C"


def _levels(candidates: Sequence[Candidate]) -> str:
    levels = [each.level for each in candidates]
    if all(map(_PLIES.fullmatch, levels)):
        return ""
    return "LV" + "".join(f"[{_escaped(level)}]" for level in levels)


def _intervals(candidates: Sequence[Candidate]) -> str:
    if all(each.interval is None for each in candidates):
        return ""
    told = ("" if each.interval is None else f"{each.interval:.4f}" for each in candidates)
    return "LI" + "".join(f"[{each}]" for each in told)


def _interval_of(cube: Decision) -> str:
    told = [each.interval for each in cube.candidates if each.interval is not None]
    return f"LC[{max(told):.4f}]" if told else ""


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
