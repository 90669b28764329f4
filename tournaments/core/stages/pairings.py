"""Pairings and their reasons."""

from dataclasses import dataclass
from datetime import date

from scoring.rules.errors import InvalidValue
from tournaments.core.stages.slots import BYE


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason for a pairing: a stable code for translation, with the values the sentence names.

    ``entrant`` is whom it is about, 0 for the pairing as a whole.
    """

    code: str
    entrant: int = 0
    value: int = 0

    def __post_init__(self) -> None:
        if self.code not in SENTENCES:
            raise InvalidValue("reason", "there is no reason {name!r}", name=self.code)

    def sentence(self) -> str:
        """The reason in English."""
        return SENTENCES[self.code].format(value=self.value)


TIE_PLAYOFF = "tie_playoff"

SENTENCES = {
    "accelerated": "accelerated round: the upper half is paired with one point more",
    "same_score": "same score: {value}",
    "fold": "upper half meets lower half of the score group",
    "floated_down": "floated down: odd group",
    "floated_up": "floated up: meets a floater from above",
    "not_floated_before": "has not floated this way before",
    "floated_again": "floats again: every alternative is a worse pairing",
    "rematch_unavoidable": "rematch (met {value}x): unavoidable in this round",
    "protection_unavoidable": "protection broken: unavoidable in any pairing this close",
    "apart_unavoidable": "kept apart where possible: unavoidable in this round",
    "bye_first": "bye: has not had one yet",
    "bye_again": "bye number {value}: everyone else has had as many",
    "bye_lowest": "bye: lowest score among eligible entrants",
    "same_record": "same record",
    "closest_record": "closest record: {value} apart in losses",
    "playoff": "three left with the same record: playoff, bye by lot",
    "adjacent": "neighbours in the standings",
    "table": "round-robin table, round {value}",
    "ready": "both free",
    "rung": "neighbouring rungs",
    "challenge": "challenge over {value} rungs",
    "bracket": "bracket",
    "by_hand": "paired by the director",
    TIE_PLAYOFF: "playoff between entrants who are level",
}


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entrants, or one with a bye (``b`` is ``BYE``, which is 0).

    ``number`` is unique in its stage and never reused; ``round`` counts from 1. ``length`` is the match
    length in points, ``deadline`` the last day to play (leagues and ladders).
    """

    number: int
    round: int
    a: int
    b: int
    reasons: tuple[Reason, ...] = ()
    length: int | None = None
    deadline: date | None = None

    @property
    def is_bye(self) -> bool:
        return self.b == BYE

    @property
    def is_playoff(self) -> bool:
        """Whether it decides a tie: it counts in no score and no tie-break."""
        return any(reason.code == TIE_PLAYOFF for reason in self.reasons)

    def other(self, entrant: int) -> int:
        return self.b if entrant == self.a else self.a
