"""The poster of an event: its picture, and the page where directors set it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import SignedInRequest, decides
from clubs.http.etags import unchanged
from clubs.http.methods import shows_a_form
from clubs.refusals import with_remedy
from tournaments.events.access import DIRECTORS, WHO_MAY_SEE, directed_event, known_event
from tournaments.events.forms.poster import PosterForm
from tournaments.events.queries.posters import poster_of
from tournaments.events.services.posters import remove_poster, set_poster
from tournaments.events.views.answers import REFUSALS
from tournaments.events.views.moved_events import needs_event_here


@decides(WHO_MAY_SEE)
@require_safe
def poster_jpg(request: HttpRequest, event: str) -> HttpResponse:
    """The poster as a JPEG, 304 where the reader has it; without one the drawn preview of the event."""
    found, _role = known_event(request.user, event)
    etag = f'"{found.poster}"'
    if found.poster and unchanged(request, etag):
        return HttpResponseNotModified(headers={"ETag": etag})
    content = poster_of(found)
    if content is None:
        return redirect("tournaments:event_png", found.ref)
    headers = {"ETag": etag, "Cache-Control": "private, no-cache"}
    return HttpResponse(content, content_type="image/jpeg", headers=headers)


@needs_event_here
@decides(DIRECTORS)
@shows_a_form
def poster(request: SignedInRequest, event: str) -> HttpResponse:
    """Set, replace or remove the poster."""
    found = directed_event(request.user, event)
    if request.method == "POST" and "remove" in request.POST:
        remove_poster(event=found, user=request.user)
        messages.success(request, _("Poster removed."))
        return redirect("tournaments:poster", event=found.ref)
    form = PosterForm(request.POST, request.FILES) if request.method == "POST" else PosterForm()
    if form.is_bound and form.is_valid():
        file = form.cleaned_data["poster"]
        try:
            set_poster(event=found, name=file.name, content=file.read(), user=request.user)
        except REFUSALS as refused:
            form.add_error("poster", with_remedy(refused))
        else:
            messages.success(request, _("Poster saved."))
            return redirect("tournaments:poster", event=found.ref)
    return render(request, "tournaments/events/poster.html", {"event": found, "form": form})
