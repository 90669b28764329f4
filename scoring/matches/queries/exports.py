"""A match with its analysis as a file for other programs."""

from collections.abc import Mapping, Sequence

from scoring.analysis.queries.standing import Standing
from scoring.log.queries.sheets import events_of
from scoring.matches.queries.analysed_ogxm import write_analysed_ogxm
from scoring.matches.queries.analysed_sgf import write_analysed_sgf
from scoring.matches.queries.match_page import MatchPage
from scoring.models import Analysis
from scoring.rules.errors import InvalidValue
from scoring.rules.events import Event
from scoring.rules.sides import Side
from scoring.sheets.queries.exports import tags_of
from scoring.theory.decisions import Decision


def analysed_ogxm_of(page: MatchPage) -> bytes:
    """The match with the analysis that the page shows, as OGXM.

    Raises InvalidValue without an analysis, or where the match cannot be told so.
    """
    analysis = _shown(page)
    done = analysis.finished_at if isinstance(analysis, Analysis) else None
    return write_analysed_ogxm(
        *_told(page),
        _judged(page),
        label=analysis.exact_label,
        timestamp=int((done or page.match.played_at).timestamp()),
    )


def analysed_sgf_of(page: MatchPage) -> bytes:
    """The match with the analysis that the page shows, as GNU Backgammon's SGF.

    Raises as ``analysed_ogxm_of``.
    """
    label = _shown(page).exact_label
    return write_analysed_sgf(*_told(page), _judged(page), label=label).encode()


def _shown(page: MatchPage) -> Standing:
    if page.analysis is None:
        raise InvalidValue("not_analysed", "this match has no analysis: analyse it first")
    return page.analysis


def _judged(page: MatchPage) -> Mapping[int, Sequence[Decision]]:
    """The decisions by the number of their step."""
    return {stop.step.number: [each.decision for each in stop.judgements] for stop in page.stops}


def _told(page: MatchPage) -> tuple[tuple[str, str], list[Event], dict[str, str]]:
    """Names, events and tags."""
    events = [numbered.event for numbered in events_of(page.match.sheet)]
    return (page.names[Side.WHITE], page.names[Side.BLACK]), events, tags_of(page.match)
