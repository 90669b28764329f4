"""Live topics: matches, chouettes, analyses, positions, uploads, rating lists, clubs."""

from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import connection, transaction
from django.dispatch import receiver

from clubs.access import may_see, role_of
from clubs.live import topics
from clubs.models import Club
from scoring.analysis.queries.privacy import can_see_analysis
from scoring.files.queries.uploads import ENDED, batch_of
from scoring.log.queries.chouettes import seen_table
from scoring.log.queries.visible import sees_match
from scoring.log.queries.writers import claim_in
from scoring.models import Analysis, Chouette, Match, PositionAnalysis, RatingList, Upload
from scoring.signals import result_changed


def rating_list_topic(ref: str) -> topics.Topic | None:
    """A rating list: visible like its club."""
    found = RatingList.objects.select_related("club").filter(ref=ref).first()
    if found is None:
        return None
    return topics.Topic(found.version, lambda viewer: may_see(viewer, found.club))


def match_topic(ref: str) -> topics.Topic | None:
    """A match: visible to its viewers and holders of a claim to it."""
    matches = Match.with_boards.with_players().select_related("club", "sheet", "result")
    found = matches.filter(ref=ref).first()
    if found is None:
        return None
    if found.in_chouette:
        return _table_topic(found, found.version)
    return _topic(found, found.version)


def _topic(match: Match, version: int) -> topics.Topic:
    return topics.Topic(
        version,
        lambda viewer: sees_match(viewer, match, role_of(viewer, match.club)),
        lambda session: claim_in(session, match) is not None,
    )


def _table_topic(match: Match, version: int) -> topics.Topic:
    """A chouette game's board record: visible like its table."""
    table = chouette_topic(Chouette.objects.values_list("ref", flat=True).get(games__match=match))
    assert table is not None  # noqa: S101 - the record is a table's
    return replace(table, version=version)


def chouette_topic(ref: str) -> topics.Topic | None:
    """A chouette: visible like its table, also to guests' phones."""
    found = Chouette.objects.filter(ref=ref).first()
    if found is None:
        return None
    return topics.Topic(
        found.version,
        lambda viewer: seen_table(viewer, ref) is not None,
        lambda session: seen_table(AnonymousUser(), ref, session) is not None,
    )


def analysis_topic(ref: str) -> topics.Topic | None:
    """An analysis and its progress: visible like the match, unless its players keep it."""
    loaded = Analysis.objects.select_related("match__club", "match__sheet", "match__result")
    found = loaded.filter(ref=ref).first()
    if found is None:
        return None
    if found.match.in_chouette:
        return _table_topic(found.match, found.version)
    match = _topic(found.match, found.version)
    return topics.Topic(
        found.version,
        lambda viewer: match.allows(viewer) and can_see_analysis(viewer, found.match),
        lambda session: match.admits(session) and can_see_analysis(AnonymousUser(), found.match),
    )


def position_topic(ref: str) -> topics.Topic | None:
    """An analysis of a position, which names no one: visible to everyone who has its ref."""
    version = PositionAnalysis.objects.filter(ref=ref).values_list("version", flat=True).first()
    return None if version is None else topics.Topic(version, lambda _viewer: True)


def batch_topic(ref: str) -> topics.Topic | None:
    """An upload: visible to its uploader and directors."""
    if not (files := Upload.objects.filter(batch=ref)).exists():
        return None
    ended = files.filter(status__in=ENDED).count()
    return topics.Topic(1 + ended, lambda viewer: batch_of(ref, viewer) is not None)


@receiver(result_changed, sender=Match, dispatch_uid="tell the club's pages")
def tell_club(match: Match, **_signal: Any) -> None:
    """Reload the club's pages once per transaction when a result is committed.

    Not inside the result's own transaction: the club's row is locked before a match's, never after.
    """
    tell = _Tell(match.club_id)
    if all(hook[1] != tell for hook in connection.run_on_commit):
        transaction.on_commit(tell, robust=True)


@dataclass(frozen=True, slots=True)
class _Tell:
    """Gives a club its next version; equal per club, so that it is queued once."""

    club: int

    def __call__(self) -> None:
        topics.publish_next(Club, self.club)


for finder in (rating_list_topic, match_topic, chouette_topic, analysis_topic, position_topic, batch_topic):
    topics.register(finder)
