"""Who may see a match: whoever may know its club; the record of a chouette's game, whoever sees the table."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers

from clubs.access import Viewer, role_of
from clubs.models import Player, Role
from scoring.log.queries.boards import tell_sides
from scoring.log.queries.visible import matches_seen_by, player_seen_by
from scoring.log.queries.writers import author_of
from scoring.models import (
    Analysis,
    FileAnalysis,
    Match,
)
from scoring.models.match import MatchQuerySet

REVISION = "The result's revision that was looked at: one that was corrected meanwhile is refused (409)."


def seen_match(viewer: Viewer, ref: str) -> Match:
    """The match with its club and sheet (one query). Raises Http404 where it is not known."""
    return _first(matches_seen_by(viewer), viewer, ref)


def known_match(viewer: Viewer, ref: str) -> tuple[Match, Role | None]:
    """The match with its players and the viewer's role in its club. Raises Http404 where it is not known."""
    match = _first(matches_seen_by(viewer).with_players(), viewer, ref)
    return match, role_of(viewer, match.club)


def known_analysis(viewer: Viewer, ref: str) -> Analysis:
    """The analysis, for whoever may see its match. Raises Http404."""
    analyses = Analysis.objects.select_related("match").filter(ref=ref)
    seen = analyses.filter(match__in=matches_seen_by(viewer).values("pk")).first()
    board = None if seen is not None else analyses.filter(match__in_chouette=True).first()
    if seen is None and board is not None and _board(viewer, board.match.ref) is not None:
        return board
    if seen is None:
        raise Http404(_("There is no such analysis."))
    return seen


def known_file_analysis(viewer: Viewer, ref: str) -> FileAnalysis:
    """The analysis in a file, for whoever may see its match. Raises Http404."""
    seen = FileAnalysis.objects.filter(source__match__in=matches_seen_by(viewer).values("pk"))
    analysis = seen.filter(ref=ref).first()
    if analysis is None:
        raise Http404(_("There is no such analysis."))
    return analysis


def _first(matches: MatchQuerySet, viewer: Viewer, ref: str) -> Match:
    match = matches.select_related("sheet", "club").filter(ref=ref).first() or _board(viewer, ref)
    if match is None:
        raise Http404(_("There is no such match."))
    return match


def _board(viewer: Viewer, ref: str) -> Match | None:
    boards = Match.with_boards.with_players().select_related("sheet", "club").filter(in_chouette=True)
    match = boards.filter(ref=ref).first()
    if match is None or author_of(match, viewer, role=role_of(viewer, match.club)) is None:
        return None
    return tell_sides(match)


class PlayerRefOut(serializers.Serializer[Any]):
    """A player, in short."""

    ref = serializers.CharField()
    name = serializers.CharField()


def known_player(viewer: Viewer, ref: str) -> Player:
    """The player of a ref, as the pages would show them. Raises Http404 where they are not known."""
    found = player_seen_by(viewer, ref)
    if found is None:
        raise Http404(_("There is no such player."))
    return found
