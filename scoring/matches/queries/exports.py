"""A match with its analysis as a file for other programs."""

from scoring.log.queries.sheets import events_of
from scoring.matches.queries.analysed_ogxm import write_analysed_ogxm
from scoring.matches.queries.match_page import MatchPage
from scoring.models import Analysis
from scoring.rules.errors import InvalidValue
from scoring.rules.sides import Side
from scoring.sheets.queries.exports import tags_of


def analysed_ogxm_of(page: MatchPage) -> bytes:
    """The match with the analysis that the page shows, as OGXM.

    Raises InvalidValue without an analysis, or where the match cannot be told so.
    """
    analysis = page.analysis
    if analysis is None:
        raise InvalidValue("not_analysed", "this match has no analysis: analyse it first")
    judged = {stop.step.number: [each.decision for each in stop.judgements] for stop in page.stops}
    done = analysis.finished_at if isinstance(analysis, Analysis) else None
    names = (page.names[Side.WHITE], page.names[Side.BLACK])
    events = [numbered.event for numbered in events_of(page.match.sheet)]
    return write_analysed_ogxm(
        names,
        events,
        tags_of(page.match),
        judged,
        label=analysis.exact_label,
        timestamp=int((done or page.match.played_at).timestamp()),
    )
