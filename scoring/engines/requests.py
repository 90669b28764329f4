"""Requests to engines and their answers as values; ``scoring.codec`` makes JSON.

Positions are texts of 26 characters seen from the player on roll (who moves 24 -> 1 -> off): character 0 is
the opponent's bar, 1-24 the points, 25 their own bar; `-` is empty, `A`-`O` are 1-15 of their checkers,
`a`-`o` the opponent's; all others are borne off.

The answers' equities and errors are those of `scoring.theory.decisions`.
"""

from dataclasses import dataclass, field
from enum import StrEnum

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
    a play that is not legal (an accepted illegal one) is judged but never counted. `played` is "" for a
    position that is asked about on its own: nothing was played, so nothing was lost.
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
