"""Shared parts of the pages of rules profiles and house rules."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render

from clubs.access import ClubRequest
from clubs.models import Club, Role
from scoring.log.queries.words import text_of
from scoring.rules.errors import ScoringError


@dataclass(frozen=True, slots=True)
class Pages:
    """Templates and URL names of one kind of rules."""

    form: str
    all: str
    says: str
    """The template that lists the sentences of ``rules``."""
    home: str
    new: str
    edit: str
    retire: str

    def list_rules(
        self,
        request: ClubRequest,
        club: Club,
        *,
        built_in: Sequence[object],
        own: Sequence[tuple[object, datetime | None]],
    ) -> HttpResponse:
        """List built-in, club and retired rules."""
        context = {
            "club": club,
            "role": request.role,
            "directs": request.role is not None and request.role >= Role.DIRECTOR,
            "built_in": built_in,
            "own": [each for each, retired in own if retired is None],
            "retired": [each for each, retired in own if retired is not None],
            "says": self.says,
            "addresses": self,
        }
        return render(request, self.all, context)

    def answer(
        self,
        request: ClubRequest,
        club: Club,
        form: Form,
        *,
        keep: Callable[[], Any],
        words: str,
        title: str,
    ) -> HttpResponse:
        """Show the form, or save with ``keep`` and redirect with the message ``words``."""
        if form.is_bound and form.is_valid():
            try:
                kept = keep()
            except ScoringError as error:
                form.add_error(None, text_of(error))
            else:
                messages.success(request, words % {"title": kept.title})
                return redirect(self.home, club.slug)
        return render(request, self.form, {"club": club, "form": form, "title": title})

    def tell(self, request: ClubRequest, club: Club, words: str, title: str) -> HttpResponse:
        """Redirect to the list with a message."""
        messages.success(request, words % {"title": title})
        return redirect(self.home, club.slug)


def sent(request: ClubRequest) -> QueryDict | None:
    """The submitted form data, if any."""
    return request.POST if request.method == "POST" else None
