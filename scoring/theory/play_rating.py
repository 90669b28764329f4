"""A word for an error rate: the scale of GNU Backgammon.

Source: docs/reference/theory.md, "A word for an error rate".
"""

from enum import StrEnum

from scoring.theory.performance import PR_FACTOR


class PlayRating(StrEnum):
    """How good play is, best first."""

    SUPERNATURAL = "supernatural"
    WORLD_CLASS = "world_class"
    EXPERT = "expert"
    ADVANCED = "advanced"
    INTERMEDIATE = "intermediate"
    CASUAL = "casual"
    BEGINNER = "beginner"
    BELOW = "below_beginner"


LIMITS = {
    PlayRating.SUPERNATURAL: 0.002,
    PlayRating.WORLD_CLASS: 0.005,
    PlayRating.EXPERT: 0.008,
    PlayRating.ADVANCED: 0.012,
    PlayRating.INTERMEDIATE: 0.018,
    PlayRating.CASUAL: 0.026,
    PlayRating.BEGINNER: 0.035,
}
"""The mean loss of a decision, in normalised equity, below which each word holds."""


def play_rating(pr: float | None) -> PlayRating | None:
    """The word for a PR, None without one.

    >>> str(play_rating(0.9)), str(play_rating(2.5)), str(play_rating(40.0)), play_rating(None)
    ('supernatural', 'expert', 'below_beginner', None)
    """
    if pr is None:
        return None
    return next((word for word, limit in LIMITS.items() if pr < PR_FACTOR * limit), PlayRating.BELOW)
