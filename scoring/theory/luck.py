"""What a match was worth without luck, and Snowie's error rate.

Source: docs/reference/theory.md, "Luck-adjusted result" and "Error rates".
"""

SNOWIE_FACTOR = 1000.0


def snowie_rate(loss: float, plays: int) -> float | None:
    """Snowie's error rate: 1,000 times a player's loss, divided by the plays of both players.

    `loss` is in normalised equity, >= 0; `plays` counts forced plays and dances. None without a play.

    >>> snowie_rate(0.5, 100)
    5.0
    >>> snowie_rate(0.0, 0) is None
    True
    """
    return SNOWIE_FACTOR * loss / plays if plays else None


def luck_adjusted(result: float, luck: float, opponent_luck: float) -> float:
    """A player's result less what luck gave both players, all in match-winning chance.

    `result` is 1 for a win and 0 for a loss. The value may lie outside 0..1.

    >>> luck_adjusted(1.0, 0.25, -0.125)
    0.625
    """
    return result - luck + opponent_luck
