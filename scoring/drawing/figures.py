"""Ratings, PR, equities and chances as people read them: one rounding for each, everywhere.

| what | decimals | e.g. |
|---|---|---|
| rating, its change | 1 | 1523.4, +8.2 |
| limit of ratings, as it was typed | as it needs | 1600 |
| PR | 1 | 4.5 |
| equity, luck | 3, with sign | +0.391 |
| size of an error | 3, with minus | −0.084 |
| what a play costs, in a sentence | 3 | 0.084 |
| half of a 95% interval of an equity | 3, with sign | ±0.008 |
| chance of winning | 1 | 52.4% |
| share of matches won | 0 | 57% |
"""

from clubs.formats.numbers import MINUS, number, percent, plain, signed

NONE = "–"


def rating(value: float | None) -> str:
    """A rating to a tenth; a dash for who has none.

    >>> rating(1523.449), rating(None)
    ('1523.4', '–')
    """
    return NONE if value is None else number(value, 1)


def rating_limit(value: float) -> str:
    """A rating that somebody has typed, e.g. the limit of a division.

    >>> rating_limit(1600.0), rating_limit(1549.5)
    ('1600', '1549.5')
    """
    return plain(value, 1)


def rating_change(points: float) -> str:
    """What a match changes in a rating, e.g. "+8.2" and "−11.0"."""
    return signed(points, 1)


def pr(value: float | None) -> str:
    """A PR to a tenth; a dash where no decision counted.

    >>> pr(7.126), pr(None)
    ('7.1', '–')
    """
    return NONE if value is None else number(value, 1)


def equity(value: float) -> str:
    """An equity or a piece of luck with its sign; "0.000" has none.

    >>> equity(0.3914), equity(-0.084), equity(0.0)
    ('+0.391', '−0.084', '0.000')
    """
    return signed(value, 3)


def error_size(error: float) -> str:
    """The equity that an error lost (0 or more), as a loss.

    >>> error_size(0.0844)
    '−0.084'
    """
    return MINUS + number(abs(error), 3)


def cost(error: float) -> str:
    """The same in a sentence that says "costs".

    >>> cost(0.0844)
    '0.084'
    """
    return number(abs(error), 3)


def margin(half: float) -> str:
    """Half of the confidence interval of an equity.

    >>> margin(0.0081)
    '±0.008'
    """
    return "±" + number(half, 3)


def chance(share: float) -> str:
    """A chance between 0 and 1.

    >>> chance(0.5243)
    '52.4%'
    """
    return percent(share, 1)


def chance_of_100(share: float) -> str:
    """The same as a number up to 100, where "%" stands once for all.

    >>> chance_of_100(0.5243)
    '52.4'
    """
    return number(100 * share, 1)


def share_won(percent_won: float | None) -> str:
    """Matches won of all, given in percent; a dash where there is none.

    >>> share_won(66.667), share_won(None)
    ('67%', '–')
    """
    return NONE if percent_won is None else percent(percent_won / 100)
