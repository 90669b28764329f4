"""A measured figure, ours and a peer's from the same run."""

import json
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A measurement; the peer fields are None where nothing comparable exists.

    ``size`` says how much was worked on, in words or a number. Times and sizes are better when they are
    smaller; throughputs set ``higher_is_better``. A ``target`` is what was promised; a figure that is no
    worse holds it.
    """

    name: str
    value: float
    unit: str
    size: str | int | None = None
    peer: str | None = None
    peer_value: float | None = None
    higher_is_better: bool = False
    target: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times better we are than the peer: above 1 is faster or smaller."""
        if self.peer_value is None:
            return None
        better, worse = (
            (self.value, self.peer_value) if self.higher_is_better else (self.peer_value, self.value)
        )
        return better / worse if worse else None

    @property
    def holds(self) -> bool | None:
        """Whether it keeps its target; None without one."""
        if self.target is None:
            return None
        return self.value >= self.target if self.higher_is_better else self.value <= self.target

    def as_json(self) -> str:
        fields = {
            "name": self.name,
            "value": rounded(self.value),
            "unit": self.unit,
            "peer": self.peer,
            "peer_value": rounded(self.peer_value),
            "ratio": rounded(self.ratio),
            "target": rounded(self.target),
            "holds": self.holds,
            "size": self.size,
        }
        return json.dumps(fields, ensure_ascii=False)


def rounded(value: float | None) -> float | None:
    """Round to four significant digits, the precision of these measurements."""
    return None if value is None else float(f"{value:.4g}")
