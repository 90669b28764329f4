"""A player's rating and error rate over time, as charts whose points lead to their matches."""

from collections.abc import Sequence
from datetime import timedelta

from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from clubs.formats.dates import day, year_month
from scoring.drawing.charts import Chart, ChartLine, ChartPoint
from scoring.drawing.curves import Curve
from scoring.drawing.figures import pr, rating, rating_change
from scoring.models import RatingChange
from scoring.players.queries.play_rows import PlayedMatch
from scoring.theory.play_sums import LossTally

POOL = 10  # matches that one point of the error rate pools
FEWEST = 5  # points that make a chart


def rating_chart(changes: Sequence[RatingChange], *, title: str) -> Chart | None:
    """The rating after each of these changes, in the order of play; None where they make no chart."""
    points = tuple(
        ChartPoint(
            at=change.played_at,
            value=change.after,
            label=_rating_words(change),
            url=reverse("scoring:match", args=[change.match_ref]),
        )
        for change in changes
    )
    if not _make_chart(points):
        return None
    return Chart(title, _("Rating"), (ChartLine(_("Rating"), points),), decimals=1)


def rating_curve(changes: Sequence[RatingChange], zone: str) -> str:
    """The same drawn for the first screen, for a desk and for a phone; "" without any change."""
    if not changes:
        return ""
    first, last = changes[0], changes[-1]
    values = [(change.played_at, change.after) for change in changes]
    if len(values) == 1:
        values.insert(0, (first.played_at, first.before))
    words = _("Rating from %(before)s on %(first)s to %(after)s on %(last)s") % {
        "before": rating(first.before),
        "first": day(first.played_at, zone),
        "after": rating(last.after),
        "last": day(last.played_at, zone),
    }
    begin, end = (year_month(each.played_at, zone) for each in (first, last))
    curve = Curve(values, first=begin, last=end, title=words, now=rating(last.after))
    drawings = curve.svg(720, 200, kind="wide") + curve.svg(358, 150, kind="narrow")
    return mark_safe(drawings)  # noqa: S308 - built by us, words escaped


def performance_chart(played: Sequence[PlayedMatch], *, title: str) -> Chart | None:
    """The PR pooled over each match and those just before it, with its 95% confidence interval as a band.

    ``played`` is of one label, newest first. None where too few matches with counted decisions make no chart.
    """
    matches = [match for match in reversed(played) if match.tally.counted]
    points = tuple(
        _pooled_point(matches[max(0, number - POOL + 1) : number + 1]) for number in range(len(matches))
    )
    if not _make_chart(points):
        return None
    note = _("average of the last %(number)s matches; lower is better") % {"number": POOL}
    return Chart(title, _("PR"), (ChartLine(_("PR"), points),), decimals=1, note=note)


def _make_chart(points: Sequence[ChartPoint]) -> bool:
    """Whether there are enough values on different days for a chart."""
    return len(points) >= FEWEST and points[-1].at - points[0].at >= timedelta(days=1)


def _pooled_point(window: Sequence[PlayedMatch]) -> ChartPoint:
    newest = window[-1]
    tally = sum((match.tally for match in window), LossTally())
    pooled, margin = tally.pr or 0.0, tally.margin
    words = _("against %(opponent)s, PR %(pr)s in this match")
    return ChartPoint(
        at=newest.played_at,
        value=pooled,
        label=words % {"opponent": newest.opponent or _("Erased player"), "pr": pr(newest.tally.pr)},
        url=f"{reverse('scoring:match', args=[newest.match_ref])}#errors",
        low=None if margin is None else max(0.0, pooled - margin),
        high=None if margin is None else pooled + margin,
    )


def _rating_words(change: RatingChange) -> str:
    words = _("%(points)s for beating %(opponent)s") if change.won else _("%(points)s against %(opponent)s")
    return words % {"points": rating_change(change.after - change.before), "opponent": change.opponent.name}
