"""Standard error of a pooled error rate, from its spread across matches."""

from collections.abc import Sequence
from math import sqrt

from scoring.theory.performance import PR_FACTOR, Performance


def standard_error(matches: Sequence[Performance]) -> float | None:
    """The standard error of the PR pooled over these matches of one player, in PR; None below three matches.

    A pooled PR is a ratio of two sums, so its error is that of the ratio estimator (Cochran, Sampling
    Techniques, 3rd edition, section 2.11): with r = sum(loss) / sum(counted) over n matches,
    sqrt(n / (n - 1) x sum((loss - r x counted)^2)) / sum(counted).

    >>> even = Performance(checker_loss=0.5, checker_counted=50)
    >>> standard_error([even] * 4)
    0.0
    >>> better, worse = Performance(checker_loss=0.4, checker_counted=50), Performance(0.6, 50)
    >>> round(standard_error([better, worse, even]), 3)
    0.577
    """
    counted = [match for match in matches if match.counted]
    if len(counted) < 3:
        return None
    decisions = sum(match.counted for match in counted)
    ratio = sum(match.loss for match in counted) / decisions
    squares = sum((match.loss - ratio * match.counted) ** 2 for match in counted)
    return PR_FACTOR * sqrt(len(counted) / (len(counted) - 1) * squares) / decisions
