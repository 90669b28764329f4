"""Making, listing and ending links to matches."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_POST, require_safe

from clubs.access import SignedInRequest, decides, signed_in
from clubs.http.methods import shows_a_form
from clubs.http.parts import page_or_part
from clubs.models import User
from scoring.analysis.queries.privacy import can_see_analysis
from scoring.models import LinkShows, Match, ShareLink
from scoring.sharing.queries.embedding import snippet_of
from scoring.sharing.queries.links import EVERYONE, SHOWN_LINKS, can_share, links_to, numbers_of, own_stretch
from scoring.sharing.services.links import DAYS, LinkRefused, end_link, make_link
from scoring.sheets.views.visible_match import opened_match

SHOWN_ONCE = "new link"
FURTHEST = 100_000


class LinkForm(forms.Form):
    """What a new link shows, and for how long."""

    shows = forms.ChoiceField(label=gettext_lazy("The link shows"), widget=forms.RadioSelect)
    step = forms.IntegerField(
        required=False, min_value=1, max_value=FURTHEST, widget=forms.HiddenInput, label=gettext_lazy("Step")
    )
    days = forms.TypedChoiceField(
        label=gettext_lazy("The link ends after"), widget=forms.RadioSelect, coerce=int, initial=DAYS[1]
    )

    def __init__(self, *args: Any, choices: Sequence[tuple[str, Any]], **options: Any) -> None:
        super().__init__(*args, **options)
        fields: dict[str, Any] = self.fields
        fields["shows"].choices = choices
        fields["shows"].initial = choices[-1][0]
        fields["days"].choices = [(n, ngettext("%(n)s day", "%(n)s days", n) % {"n": n}) for n in DAYS]


@decides("players of the match and directors of its club")
@never_cache
@shows_a_form
@sensitive_variables("secret", "made")
def match_links(request: HttpRequest, match: str) -> HttpResponse:
    """Make a link to a match, and list the links to it.

    ``step`` names the decision that the reader came from. The address of a new link is shown once, on the
    page after the form.
    """
    opened = opened_match(request, match)
    found, user = opened.match, request.user
    if not isinstance(user, User) or not can_share(user, found, opened.role):
        raise PermissionDenied(_("Only the players of this match and directors can share it by link."))
    step = _step_in(request)
    is_open = can_see_analysis(EVERYONE, found)
    choices = [
        each for each in LinkShows.choices if _is_offered(LinkShows(each[0]), step=step, is_open=is_open)
    ]
    form = LinkForm(request.POST or None, choices=choices, initial={"step": step})
    if form.is_valid():
        sent = form.cleaned_data
        try:
            link, secret = make_link(
                user=user,
                match=found,
                role=opened.role,
                shows=LinkShows(sent["shows"]),
                days=sent["days"],
                step=sent["step"],
            )
        except LinkRefused as refused:
            form.add_error(None, str(refused))
        else:
            request.session[SHOWN_ONCE] = [link.ref, secret]
            return _back(found, step)
    newest = list(links_to(found).order_by("-made_at", "-pk")[: SHOWN_LINKS + 1])
    links = _with_steps(found, newest[:SHOWN_LINKS])
    context = {
        "match": found,
        "club": found.club,
        "form": form,
        "step": step,
        "is_open": is_open,
        "links": links,
        "more": len(newest) > SHOWN_LINKS,
        **_made(request, found, links),
    }
    return render(request, "scoring/sharing/match_links.html", context)


@signed_in
@require_POST
def end(request: SignedInRequest, link: str) -> HttpResponse:
    """End a link now; ``here`` leads back to the links of its match, ``step`` to the step one came from."""
    try:
        ended = end_link(user=request.user, ref=link)
    except ShareLink.DoesNotExist as error:
        raise Http404(_("There is no link %(ref)s.") % {"ref": link}) from error
    messages.success(request, _("Link ended. It no longer shows anything."))
    if "here" in request.POST:
        return _back(ended.match, _step_in(request))
    return redirect("scoring:links")


@signed_in
@never_cache
@require_safe
def links(request: SignedInRequest) -> HttpResponse:
    """The links that the viewer made, newest first."""
    after, before = request.GET.get("after", ""), request.GET.get("before", "")
    context = {"stretch": own_stretch(request.user, after=after, before=before)}
    return page_or_part(request, "scoring/sharing/links.html", context, part="list")


def _step_in(request: HttpRequest) -> int | None:
    asked = request.POST.get("step", "") or request.GET.get("step", "")
    return int(asked) if asked.isascii() and asked.isdigit() and len(asked) < len(str(FURTHEST)) else None


def _back(match: Match, step: int | None) -> HttpResponse:
    """To the links of a match, with the step that the reader came from."""
    address = reverse("scoring:match_links", args=[match.ref])
    return redirect(f"{address}?step={step}" if step else address)


def _is_offered(shows: LinkShows, *, step: int | None, is_open: bool) -> bool:
    return shows == LinkShows.MATCH or (is_open and (shows == LinkShows.ANALYSIS or step is not None))


def _with_steps(match: Match, links: list[ShareLink]) -> list[tuple[ShareLink, int | None]]:
    """Each link with the step of its decision (one query if any is for one)."""
    numbers = numbers_of(match) if any(link.event_seq for link in links) else {}
    return [(link, numbers.get(link.event_seq or 0)) for link in links]


def _made(
    request: HttpRequest, match: Match, links: Sequence[tuple[ShareLink, int | None]]
) -> dict[str, Any]:
    """The address of the link that was just made, and how to embed it; forgotten afterwards."""
    kept = request.session.pop(SHOWN_ONCE, None) if request.method == "GET" else None
    found = next((each for each in links if kept and each[0].ref == kept[0]), None)
    if found is None or kept is None:
        return {}
    link, step = found
    address = request.build_absolute_uri(reverse("scoring:shared", args=[kept[1]]))
    names = f"{match.white.name} – {match.black.name}"
    embedded = request.build_absolute_uri(reverse("scoring:shared_embed", args=[kept[1], step or 1]))
    return {
        "made": link,
        "address": address,
        "snippet": snippet_of(embedded, names) if link.shows == LinkShows.DECISION else "",
    }
