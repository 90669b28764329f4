"""What an analysis asks an engine."""

from typing import NamedTuple

from django.conf import settings

from scoring.engines.chouette_questions import ChouetteRequest, chouette_request
from scoring.engines.questions import request_for
from scoring.engines.registry import default_engine
from scoring.engines.requests import AnalysisRequest
from scoring.log.queries.boards import game_of, table_record
from scoring.log.queries.sheets import events_of
from scoring.models import Analysis


class MatchQuestions(NamedTuple):
    """The questions of an analysis, with the deciding players for a chouette game."""

    request: AnalysisRequest
    chouette: ChouetteRequest | None


def questions_of(analysis: Analysis) -> MatchQuestions:
    """All questions of a match as its sheet stood."""
    log = events_of(analysis.match.sheet, upto=analysis.head_seq)
    if not analysis.match.in_chouette:
        events, refs = [numbered.event for numbered in log], [str(numbered.seq) for numbered in log]
        return MatchQuestions(request_for(events, preset=analysis.preset, refs=refs), None)
    seating, options, moments, proxies = table_record(game_of(analysis.match))
    board = [(numbered.seq, numbered.event) for numbered in log]
    asked = chouette_request(seating, options, board, moments, preset=analysis.preset, proxies=proxies)
    return MatchQuestions(asked.request, asked)


def engine_of(analysis: Analysis) -> str:
    """The engine that was asked for, else the installation's."""
    return analysis.engine or default_engine(settings.ANALYSIS_ENGINE)
