"""Celery tasks: each claims one work row and calls one service."""

from celery import shared_task

from clubs.work import services as work
from scoring.analysis.services.analyses import run_analysis
from scoring.files.services.imports import import_upload
from scoring.matches.services.notices import tell_result
from scoring.models import Analysis, ObjectionWindow, RatingUpdate, ResultNotice, Upload
from scoring.ratings.services.ratings import update_list
from scoring.sheets.services.results import close_objection_window


@shared_task(name=Analysis.TASK)
def analyse_match(ref: str) -> None:
    """Analyse one match; nothing happens when another worker has it or it is done."""
    if analysis := work.claim(Analysis, ref=ref):
        run_analysis(analysis)


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
