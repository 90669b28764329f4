"""Formats of a season: their rounds are played on days of their own, so the event has no finishing time."""

from enum import StrEnum
from typing import Any

SEASONS = frozenset({"keizer", "ladder"})
"""The formats that are always a season; a round robin is one when its rounds have deadlines."""


class Season(StrEnum):
    """How a season is played: a round each evening, or by deadlines, the players arranging their matches."""

    EVENINGS = "evenings"
    ARRANGED = "arranged"


def season_of(key: str, options: Any) -> Season | None:
    """The kind of season that a format with these options is for; None for an event of a day or a weekend."""
    if key == "keizer":
        return Season.EVENINGS
    dated = key == "round_robin" and options.start is not None
    return Season.ARRANGED if key in SEASONS or dated else None
