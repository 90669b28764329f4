"""Writing OGXM with an analysis, through gammonview's own `gvformat`.

The match is written as in :mod:`scoring.notation.ogxm`; each decision is told with its turn.
**Perspective**: of the player who decides; `gvformat` tells answers to a double from the doubler's, so they
are turned here. **Units**: equities are EMG, as ours. ``model_id`` holds the exact label: its figures do not
compare with those of another.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.notation.annotations import CONFIDENCE
from scoring.notation.ogxm import ogxm_document
from scoring.notation.ogxm_analysis import ERROR
from scoring.notation.transcript import Step
from scoring.rules.events import Event
from scoring.theory.decisions import Decision, DecisionKind, EngineLabel

Entry = dict[str, Any]


def write_analysed_ogxm(
    players: tuple[str, str],
    events: Sequence[Event],
    tags: Mapping[str, str],
    judged: Mapping[int, Sequence[Decision]],
    *,
    label: str,
    timestamp: int,
) -> bytes:
    """The match with its decisions as OGXM in UTF-8 JSON.

    ``judged`` has the decisions by the number of their step, ``timestamp`` is when the analysis was done, in
    seconds since 1970. Raises InvalidValue for a match that the format, or `.mat`, cannot tell.
    """

    def tell(step: Step, entry: Entry) -> None:
        for decision in judged.get(step.number, ()):
            entry.update(_told(decision, entry))

    def finish(step: Step, ply: Entry) -> None:
        for decision in judged.get(step.number, ()):
            _tell_errors(decision, ply.get("analysis") or {})

    summary = {
        "engine": label,
        "preset": EngineLabel.parse(label).preset,
        "timestamp": timestamp,
        "eval_level": _level(_deepest(judged)),
    }
    document = ogxm_document(players, events, tags, tell=tell, finish=finish, summary=summary)
    return json.dumps(document, ensure_ascii=False).encode()


def _told(decision: Decision, entry: Entry) -> Entry:
    """What an entry says of a decision; nothing where it is about something else."""
    if not decision.candidates:
        return {}
    match decision.kind, entry["kind"]:
        case DecisionKind.CHECKER, "checker":
            return _checker(decision)
        case DecisionKind.DOUBLE, "checker":
            return {"cube": _cube(decision)}
        case DecisionKind.DOUBLE, "cube_decision":
            return _cube(decision) | {"player_action": "double"}
        case DecisionKind.RESPONSE, "cube_response":
            return _response(decision)
        case _:
            return {}


def _tell_errors(decision: Decision, analysis: Entry) -> None:
    """Put the standard errors of rollouts where the analysis of a ply tells the decision."""
    errors = {
        each.action: round(each.interval / CONFIDENCE, 6)
        for each in decision.candidates
        if each.interval is not None
    }
    if not errors:
        return
    if decision.kind is DecisionKind.CHECKER:
        for told in analysis.get("alternatives", ()):
            if told["notation"] in errors:
                told[ERROR] = errors[told["notation"]]
    elif decision.kind is DecisionKind.DOUBLE:
        places = (analysis.get(name) for name in ("cube_decision", "missed_double"))
        told = next((place for place in places if place), analysis)
        if "no_double_equity" in told:
            told[ERROR] = max(errors.values())


def _checker(decision: Decision) -> Entry:
    options = [
        {
            "move": candidate.action,
            "equity": round(candidate.equity, 6),
            "played": candidate.played,
            "eval_level": _level(candidate.level),
            "probs": list(candidate.probabilities or (0.0,) * 5),
        }
        for candidate in decision.candidates
    ]
    told: Entry = {"move_options": options, "counted": decision.counted}
    if decision.error is not None:
        told["lost_equity"] = decision.error
    if decision.luck is not None:
        told["luck"] = decision.luck
    return told


def _cube(decision: Decision) -> Entry:
    by_action = {candidate.action: candidate for candidate in decision.candidates}
    best = decision.candidates[0]
    told: Entry = {
        "optimal_action": "no_double" if best.action == "no double" else "double",
        "equity_no_double": by_action["no double"].equity,
        "equity_double_take": by_action["double/take"].equity,
        "equity_double_pass": by_action["double/pass"].equity,
        "lost_equity": decision.error or 0.0,
        "counted": decision.counted,
        "eval_level": _level(best.level),
    }
    return told | _chances(best.probabilities)


def _response(decision: Decision) -> Entry:
    by_action = {candidate.action: candidate for candidate in decision.candidates}
    best = decision.candidates[0]
    told: Entry = {
        "optimal_response": best.action,
        "equity_take": -by_action["take"].equity,
        "equity_pass": -by_action["pass"].equity,
        "lost_equity": decision.error or 0.0,
        "counted": decision.counted,
        "eval_level": _level(best.level),
    }
    if best.probabilities is None:
        return told
    win, gammon, backgammon, lost, lost_backgammon = best.probabilities
    return told | _chances((1.0 - win, lost, lost_backgammon, gammon, backgammon))


def _chances(probabilities: Sequence[float] | None) -> Entry:
    return {} if probabilities is None else {"probs": list(probabilities)}


def _level(level: str) -> str:
    """A depth in the words of the format: ``2-ply`` is ``2ply``, a rollout ``rollout``."""
    return "rollout" if level.startswith("rollout") else level.replace("-ply", "ply")


def _deepest(judged: Mapping[int, Sequence[Decision]]) -> str:
    """The deepest level of any candidate."""
    levels = [
        candidate.level
        for decisions in judged.values()
        for decision in decisions
        for candidate in decision.candidates
    ]
    return max(levels, key=lambda level: (level.startswith("rollout"), level), default="")
