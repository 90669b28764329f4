"""What follows when a result changes, or when two players turn out to be one."""

from typing import Any

from django.dispatch import receiver

from clubs import live
from clubs.access import may_see
from clubs.queries import register_export
from clubs.services.erasing import on_erase
from clubs.services.merging import on_merge
from clubs.tasks import wake
from scoring.models import Analysis, Match, MatchStatus, Upload
from scoring.queries.uploads import ENDED, batch_of
from scoring.services.aliases import move_matches
from scoring.services.analyses import request_analysis
from scoring.services.erasing import forget_names, own_matches, own_names
from scoring.services.ratings import ask_for_update
from scoring.signals import result_changed

on_merge(move_matches)
on_erase(forget_names)
register_export("matches", own_matches)
register_export("names_in_files", own_names)


def match_topic(ref: str) -> live.Topic | None:
    """A match's page: whoever may see its club."""
    match = Match.objects.select_related("club").filter(ref=ref).first()
    if match is None:
        return None
    return live.Topic(match.version, lambda viewer: may_see(viewer, match.club))


def analysis_topic(ref: str) -> live.Topic | None:
    """The progress of an analysis: whoever may see its match."""
    analysis = Analysis.objects.select_related("match__club").filter(ref=ref).first()
    if analysis is None:
        return None
    return live.Topic(analysis.version, lambda viewer: may_see(viewer, analysis.match.club))


def batch_topic(ref: str) -> live.Topic | None:
    """The progress of a batch of uploads: who brought it and the club's directors."""
    uploads = Upload.objects.filter(batch=ref)
    if not uploads.exists():
        return None
    version = 1 + uploads.filter(status__in=ENDED).count()
    return live.Topic(version, lambda viewer: batch_of(ref, viewer) is not None)


live.register(match_topic)
live.register(analysis_topic)
live.register(batch_topic)


@receiver(result_changed, sender=Match)
def follow_result(match: Match, **_signal: Any) -> None:
    """Ratings follow the result; a finished match with plays is analysed: rows first, then wake-ups."""
    for update in ask_for_update(match=match):
        wake(update)
    if match.status == MatchStatus.FINISHED and (analysis := request_analysis(match=match)):
        wake(analysis)
