"""Celery tasks: each claims work rows and calls one service for each."""

from contextlib import suppress
from time import monotonic

from celery import shared_task

from clubs.tasks import wake
from clubs.work import services as work
from clubs.work.services import WorkLostError
from scoring.analysis.services.analyses import run_part
from scoring.analysis.services.turns import claim_next, first_waiting
from scoring.files.services.imports import import_upload
from scoring.helping.services.samples import check_or_run
from scoring.learning.services.filling import fill_cards
from scoring.learning.services.sharing import choose_positions
from scoring.matches.services.notices import tell_result
from scoring.models import (
    Analysis,
    CardFill,
    ObjectionWindow,
    PositionAnalysis,
    RatingUpdate,
    ResultNotice,
    Upload,
    Urgency,
)
from scoring.positions.services.positions import claim_position, run_position
from scoring.ratings.services.ratings import update_list
from scoring.sheets.services.results import close_objection_window

WORKING = 30.0
"""Seconds after which a worker begins nothing more in one task, whose limit holds for what it has begun."""


@shared_task(name=Analysis.TASK)
def analyse_match(ref: str) -> None:
    """Analyse what waits, the most urgent first; the message, with whatever ref, only wakes the worker."""
    _analyse(ref, upto=Urgency.IDLE)


@shared_task(name=Analysis.ESTIMATING[0])
def estimate_match(ref: str) -> None:
    """Make the estimates and the quick positions that wait; nothing that takes minutes."""
    _analyse(ref, upto=Urgency.ESTIMATE)


def _analyse(_ref: str, *, upto: Urgency) -> None:
    end = monotonic() + WORKING
    while _analyse_next(upto):
        if monotonic() > end:
            if waiting := first_waiting(upto=upto):
                wake(waiting)
            return


def _analyse_next(upto: Urgency) -> bool:
    """Analyse an estimate, else a position that a user waits for, else a match; False if nothing waits."""
    with suppress(WorkLostError):  # another worker has it by now, or it was cancelled
        if estimate := claim_next(upto=Urgency.ESTIMATE):
            run_part(estimate)
        elif position := claim_position(quick_only=upto == Urgency.ESTIMATE):
            run_position(position)
        elif analysis := claim_next(upto=upto):
            check_or_run(analysis)
        else:
            return False
    return True


@shared_task(name=RatingUpdate.TASK)
def update_ratings(ref: str) -> None:
    """Bring a rating list up to date."""
    if update := work.claim(RatingUpdate, ref=ref):
        update_list(update)


@shared_task(name=Upload.TASK)
def import_uploaded_file(ref: str) -> None:
    """Turn an uploaded file into a match and a report."""
    if upload := work.claim(Upload, ref=ref):
        import_upload(upload)


@shared_task(name=ObjectionWindow.TASK)
def close_window(ref: str) -> None:
    """Make an undisputed result final."""
    if window := work.claim(ObjectionWindow, ref=ref):
        close_objection_window(window)


@shared_task(name=ResultNotice.TASK)
def tell_of_result(ref: str) -> None:
    """Tell one player that a result was recorded."""
    if notice := work.claim(ResultNotice, ref=ref):
        tell_result(notice)


@shared_task(name=CardFill.TASK)
def fill_cards_of_earlier_matches(ref: str) -> None:
    """Make the cards of a player's matches that were analysed before."""
    if fill := work.claim(CardFill, ref=ref):
        fill_cards(fill)


@shared_task(name=PositionAnalysis.TASK)
def analyse_position(ref: str) -> None:
    """Analyse one position that a user asked for."""
    if row := work.claim(PositionAnalysis, ref=ref):
        with suppress(WorkLostError):  # cancelled, or another worker has it by now
            run_position(row)


@shared_task(name="scoring.choose_positions")
def choose_positions_of_the_week() -> None:
    """Choose each club's position of the week, hourly; one that stands is kept."""
    choose_positions()
