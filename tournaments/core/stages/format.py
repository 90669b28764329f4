"""The protocol of formats: brackets, rounds, schedules and ladders."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Any, Literal, Protocol

from tournaments.core.stages.entrants import Entrant, Field
from tournaments.core.stages.pairings import Pairing
from tournaments.core.stages.stage import Paired, Stage
from tournaments.core.standings.places import Place
from tournaments.core.standings.tables import Points


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with a draw. A ``"warning"`` is shown to the director and blocks nothing."""

    code: str
    message: str
    severity: Literal["fault", "warning"] = "fault"


class Season(StrEnum):
    """How a season is played: a round each evening, or by deadlines, the players arranging their matches.

    Its rounds have days of their own, so the event has no finishing time.
    """

    EVENINGS = "evenings"
    ARRANGED = "arranged"


class Format(Protocol):
    """A way to run one stage.

    All methods are pure. ``options`` is the dataclass of the format's typed options; ``version`` rises
    whenever the same seed would draw something else.
    """

    key: str
    version: int
    minimum: int
    options: type[Any]

    def draw(self, field: Field, options: Any, rng: Random) -> tuple[int, ...]:
        """What is decided before the first pairing: see ``Stage.order``.

        Raises:
            DrawRefused: the field or the options cannot be drawn.
        """
        ...

    def drawn_with(self, field: Field, options: Any) -> Any:
        """The options of a new draw of this field: an earlier draw keeps those that it was made with."""
        ...

    def points(self, stage: Stage) -> Points | None:
        """What its table counts, where that is not the wins."""
        ...

    def season(self, options: Any) -> Season | None:
        """The kind of season that it is for with these options; None for an event of a day or a weekend."""
        ...

    def due(self, stage: Stage) -> tuple[Pairing, ...]:
        """The pairings that should be published now; empty while results are awaited and when finished."""
        ...

    def finished(self, stage: Stage) -> bool:
        """Whether nothing is left to play."""
        ...

    def places(self, stage: Stage) -> tuple[Place, ...]:
        """The ranking: final when finished, provisional before."""
        ...

    def locked(self, stage: Stage, pairing: int) -> tuple[int, ...]:
        """The pairings that lock the winner of this one: made or played on it."""
        ...

    def admit(self, stage: Stage, entrant: Entrant) -> tuple[int, ...]:
        """The draw order with a late entrant in it, who gets the number ``len(stage.field) + 1``.

        Raises:
            DrawRefused: there is no place left.
        """
        ...

    def require_return(self, stage: Stage, entrant: int) -> None:
        """Refuse the return of an entrant if others have played on the absence.

        Raises:
            DrawRefused: ``place_taken``.
        """
        ...

    def judge_draw(self, stage: Stage) -> Iterator[Fault]:
        """Faults in the draw order of a stage that has just been drawn."""
        ...

    def judge(self, before: Stage, paired: Paired) -> Iterator[Fault]:
        """Faults by the format's own rules in published pairings.

        Judged from the pairings themselves, so that a round made by hand can be judged as well.
        """
        ...


class UsualFormat:
    """What most formats have in common: the options as typed, a table of wins, an end on the day."""

    def drawn_with(self, field: Field, options: Any) -> Any:  # noqa: ARG002
        return options

    def points(self, stage: Stage) -> Points | None:  # noqa: ARG002
        return None

    def season(self, options: Any) -> Season | None:  # noqa: ARG002
        return None
