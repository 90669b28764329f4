"""A helper for tests: it speaks the wire and computes with the real engine, or lies."""

from functools import cache
from itertools import count
from typing import Any

from rest_framework.test import APIClient

from clubs.models import Club, Role, User
from scoring.codec import from_plain, to_plain
from scoring.engines.registry import analyse
from scoring.engines.requests import AnalysisRequest, AnalysisResult
from scoring.files.services.imports import import_file
from scoring.helper import PROTOCOL
from scoring.helper.labels import label_of
from scoring.helper.runner import by_question
from scoring.helping.services.helpers import ask_for_helper
from scoring.models import Analysis, Helper, HelperStatus, Match
from tests.factories import ClubFactory, member
from tests.scoring.records import short_match

_numbers = count()
ENGINE, PRESET = "gammonview", "estimate"
"""The quickest; the wire knows no difference."""


def label() -> str:
    """What this machine's engine labels its answers."""
    return str(label_of(ENGINE, PRESET))


def an_imported_match(club: Club) -> Match:
    """The same plays each time, and another opponent."""
    match, _report = import_file(
        club=club, filename="a.mat", content=short_match("Ana", f"Ben {next(_numbers)}")
    )
    assert match is not None
    Analysis.objects.filter(match=match).update(preset=PRESET)
    return match


def a_helper(club: Club | None = None, *, role: Role = Role.MEMBER, allowed: bool = True) -> "Wire":
    club = club or ClubFactory.create()
    user = member(club, role)
    helper, token = ask_for_helper(user=user, club=club, name="Ana's desktop")
    if allowed:
        Helper.objects.filter(pk=helper.pk).update(status=HelperStatus.ALLOWED)
    return Wire(user, helper, token)


@cache
def computed(request: AnalysisRequest) -> AnalysisResult:
    """The real engine's answer, computed once."""
    return analyse(request, engine=ENGINE)


class Wire:
    """One helper's requests."""

    def __init__(self, user: User, helper: Helper, token: str) -> None:
        self.user, self.helper, self.token = user, helper, token
        self.client = APIClient()
        self.client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")

    def post(self, path: str, body: dict[str, Any] | None = None) -> Any:
        return self.client.post(f"/api/v1/helper/{path}", body or {}, format="json")

    def claim(self, *labels: str, protocol: int = PROTOCOL) -> Any:
        return self.post("claims/", {"protocol": protocol, "labels": list(labels or [label()])})

    def lease(self) -> dict[str, Any]:
        answer = self.claim()
        assert answer.status_code == 200, answer.json()
        lease: dict[str, Any] = answer.json()["lease"]
        assert lease is not None
        return lease

    def answer(self, lease: dict[str, Any], **changes: Any) -> Any:
        return self.post(f"leases/{lease['ref']}/answer/", honest(lease) | changes)


def honest(lease: dict[str, Any]) -> dict[str, Any]:
    """The true answer to a lease."""
    request: AnalysisRequest = from_plain(AnalysisRequest, lease["request"], "request")
    result = computed(request)
    answers = [to_plain(each) for each in by_question(request.questions, result.decisions)]
    return {"label": str(result.label), "cpu_seconds": 1.0, "answers": answers}


def the_analysis() -> Analysis:
    return Analysis.objects.get()
