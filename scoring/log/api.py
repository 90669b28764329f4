"""Access to matches in the API: as visible as the club or chouette table.

And who asks for sheets and tables: also the phone of somebody who has no login, by the claim in its session.
"""

from collections.abc import Mapping
from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from clubs.access import Permission, Policy, Viewer, role_of
from clubs.accounts.api.authentication import TokenOrSession
from clubs.http.base import ApiView
from clubs.http.problem_kinds import FORBIDDEN
from clubs.http.problems import Problem, ProblemError
from clubs.http.rates import ProgramRate, Rate
from clubs.models import ApiToken, Player, Role
from scoring.log.queries.boards import tell_sides
from scoring.log.queries.visible import matches_seen_by, player_seen_by
from scoring.log.queries.writers import SESSION_KEY, Author, author_of, ref_of
from scoring.models import (
    Analysis,
    FileAnalysis,
    Match,
)
from scoring.models.match import MatchQuerySet

REVISION = "The revision of the result that was shown. A corrected result is refused (409)."


def seen_match(viewer: Viewer, ref: str) -> Match:
    """The match with its club and sheet (one query). Raises Http404 if hidden."""
    return _first(matches_seen_by(viewer), viewer, ref)


def known_match(viewer: Viewer, ref: str) -> tuple[Match, Role | None]:
    """The match with its players and the viewer's role. Raises Http404 if hidden."""
    match = _first(matches_seen_by(viewer).with_players(), viewer, ref)
    return match, role_of(viewer, match.club)


def known_analysis(viewer: Viewer, ref: str) -> Analysis:
    """The analysis of a match the viewer can see. Raises Http404."""
    analyses = Analysis.objects.select_related("match").filter(ref=ref)
    seen = analyses.filter(match__in=matches_seen_by(viewer).values("pk")).first()
    board = None if seen is not None else analyses.filter(match__in_chouette=True).first()
    if seen is None and board is not None and _board(viewer, board.match.ref) is not None:
        return board
    if seen is None:
        raise Http404(_("There is no analysis %(ref)s.") % {"ref": ref})
    return seen


def known_file_analysis(viewer: Viewer, ref: str) -> FileAnalysis:
    """The file analysis of a match the viewer can see. Raises Http404."""
    seen = FileAnalysis.objects.filter(source__match__in=matches_seen_by(viewer).values("pk"))
    analysis = seen.filter(ref=ref).first()
    if analysis is None:
        raise Http404(_("There is no analysis %(ref)s.") % {"ref": ref})
    return analysis


def _first(matches: MatchQuerySet, viewer: Viewer, ref: str) -> Match:
    match = matches.select_related("sheet", "club").filter(ref=ref).first() or _board(viewer, ref)
    if match is None:
        raise Http404(_("There is no match %(ref)s.") % {"ref": ref})
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
    """The player of a ref. Raises Http404 if the viewer cannot see them."""
    found = player_seen_by(viewer, ref)
    if found is None:
        raise Http404(_("There is no player %(ref)s.") % {"ref": ref})
    return found


WRITER = "Midpoint-Writer"
"""Header of a shared device that names the writer of its entries (``ref_of``)."""


def session_of(request: Request) -> SessionBase | None:
    """The browser session that holds claims; None for a program with a token."""
    return None if isinstance(request.auth, ApiToken) else request.session


def holds_claim(request: Request) -> bool:
    """Whether the session holds any claim; the view checks which."""
    return SESSION_KEY in request.session


def or_claim(how: str) -> type[Permission]:
    """API policy: signed-in users and holders of a claim; the view decides which."""

    class OrClaim(Permission):
        policy = Policy(f"decides: {how}")

        def has_permission(self, request: Request, view: APIView) -> bool:  # noqa: ARG002 - DRF's signature
            if not request.user.is_authenticated and holds_claim(request):
                # As for a session with a login: whatever the phone is led to, it sends its own alone.
                TokenOrSession().enforce_csrf(request)
                return True
            return request.user.is_authenticated

    return OrClaim


LETTING_IN: list[type[BaseThrottle]] = [Rate]
"""Codes, claims and seats are made by hand, and rarely: pages are counted as programs are."""


def number_in(body: Any, name: str, otherwise: int = 0) -> int:
    """An integer field of a parsed body, or ``otherwise``."""
    value = body.get(name) if isinstance(body, Mapping) else None
    return value if type(value) is int else otherwise


class ClaimView(ApiView):
    """Base of sheet and table endpoints, also called by pages without an account.

    Pages are not counted, but where an address lets others in: there ``throttle_classes`` is ``LETTING_IN``.
    """

    throttle_classes = [ProgramRate]

    def require_writer(self, author: Author) -> None:
        """Refuse entries made by another user or claim than the sender."""
        if self.request.headers.get(WRITER, "") not in {"", ref_of(author)}:
            said = _(
                "Someone else made these entries on this device. They are kept until that player signs in."
            )
            raise ProblemError(Problem(FORBIDDEN, said, code="other_writer"))

    def handle_exception(self, exc: Exception) -> Response:
        """Explain a refusal, after the rollback, with the current sheet or table."""
        return super().handle_exception(self.explained(exc))

    def explained(self, error: Exception) -> Exception:
        """The problem for an exception, with extra members."""
        return error
