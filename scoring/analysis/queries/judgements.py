"""Judged decisions for pages: best candidates, mark, and chouette players."""

from dataclasses import dataclass

from scoring.theory.decisions import Candidate, Decision
from scoring.theory.performance import ErrorMark

SHOWN_CANDIDATES = 5


@dataclass(frozen=True, slots=True)
class CandidateLine:
    """One candidate as a list shows it; ``loss`` against the best, 0 for the best itself."""

    candidate: Candidate
    loss: float
    is_best: bool


@dataclass(frozen=True, slots=True)
class SeatOwner:
    """A chouette player who decided: their seat's key and name."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """One judged decision for display; ``owners`` names the chouette players."""

    decision: Decision
    mark: ErrorMark
    owners: str = ""

    @property
    def rows(self) -> list[CandidateLine]:
        """The best candidates, and the play made even if it ranks lower."""
        candidates = self.decision.candidates
        best = candidates[0].equity if candidates else 0.0
        rows = [CandidateLine(each, best - each.equity, n == 0) for n, each in enumerate(candidates)]
        return [row for n, row in enumerate(rows) if n < SHOWN_CANDIDATES or row.candidate.played]

    @property
    def error(self) -> float:
        return self.decision.error or 0.0
