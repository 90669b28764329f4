"""What is asked of an engine and what it answers, as values with a JSON form.

Positions are texts of 26 characters seen from the player on roll (who moves 24 -> 1 -> off): character 0 is
the opponent's bar, 1-24 the points, 25 the own bar; `-` is empty, `A`-`O` are 1-15 own checkers, `a`-`o` the
opponent's; what is not in view is borne off.

The answers' equities and errors are those of `scoring.theory.decisions`.
"""

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from scoring.rules.sides import Side
from scoring.theory.decisions import Decision, EngineLabel


class CubeOwner(StrEnum):
    """Who may turn the cube next, seen from the player on roll."""

    CENTRED = "centred"
    OWN = "own"
    OPPONENT = "opponent"


class Response(StrEnum):
    """What was answered to a double."""

    TAKE = "take"
    PASS = "pass"  # noqa: S105 - the answer to a double, not a password
    BEAVER = "beaver"


@dataclass(frozen=True, slots=True)
class Situation:
    """What both kinds of decision are faced with: position, cube and score, seen from the player on roll.

    `own_away` and `opponent_away` are points needed, 1 or more; both 0 in money play.
    """

    position: str
    cube: int = 1
    owner: CubeOwner = CubeOwner.CENTRED
    own_away: int = 0
    opponent_away: int = 0
    crawford: bool = False


@dataclass(frozen=True, slots=True)
class CheckerQuestion:
    """A roll that was played. `played` is the resulting position in the same frame as the situation.

    `ref` is the caller's and comes back with the answer. `legal` is our rules engine's verdict on the play;
    a play that is not legal (an accepted illegal one) is judged but never counted.
    """

    ref: str
    game: int
    ply: int
    side: Side
    situation: Situation
    dice: tuple[int, int]
    played: str
    legal: bool = True


@dataclass(frozen=True, slots=True)
class CubeQuestion:
    """A moment at which the player on roll could double. One question gives one or two decisions.

    `response` is None when there was no double or it was never answered; `response_ref` and `response_ply`
    belong to the opponent's decision.
    """

    ref: str
    game: int
    ply: int
    side: Side
    situation: Situation
    doubled: bool
    response: Response | None = None
    response_ref: str = ""
    response_ply: int = 0


Question = CheckerQuestion | CubeQuestion


@dataclass(frozen=True, slots=True)
class AnalysisRequest:
    """All questions of one match, in the order of play.

    `preset` is the engine's name for how deep to look; `jacoby` and `beavers` matter in money play only.
    `left_out` are refs of plays that cannot be asked about; the engine does not see them.
    """

    questions: tuple[Question, ...]
    preset: str
    jacoby: bool = True
    beavers: bool = True
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnalysisResult:
    """Every decision of the match, in the order of the questions."""

    label: EngineLabel
    decisions: tuple[Decision, ...]
    cpu_seconds: float = field(default=0.0, compare=False)


def request_to_json(request: AnalysisRequest) -> dict[str, Any]:
    """Plain data for the engine's process; `request_from_json` reads it back."""
    questions = [
        {"kind": "checker" if isinstance(q, CheckerQuestion) else "cube", **asdict(q)}
        for q in request.questions
    ]
    return {
        "preset": request.preset,
        "jacoby": request.jacoby,
        "beavers": request.beavers,
        "questions": questions,
    }


def request_from_json(document: dict[str, Any]) -> AnalysisRequest:
    """The request that `request_to_json` wrote; raises KeyError, TypeError or ValueError on anything else."""
    return AnalysisRequest(
        questions=tuple(_question(q) for q in document["questions"]),
        preset=document["preset"],
        jacoby=document["jacoby"],
        beavers=document["beavers"],
    )


def _question(row: dict[str, Any]) -> Question:
    values = {name: value for name, value in row.items() if name != "kind"}
    situation = dict(row["situation"])
    situation["owner"] = CubeOwner(situation["owner"])
    values["situation"] = Situation(**situation)
    values["side"] = Side(row["side"])
    if row["kind"] == "checker":
        first, second = row["dice"]
        values["dice"] = (first, second)
        return CheckerQuestion(**values)
    values["response"] = None if row["response"] is None else Response(row["response"])
    return CubeQuestion(**values)
