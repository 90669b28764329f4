"""The help: all pages by reader, a search, and each page."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import public
from clubs.help.pages import INDEX, READERS, help_page, search, shelf, shelves
from clubs.help.rendering import rendered
from clubs.http.parts import page_or_part


@public
@require_safe
def all_help(request: HttpRequest) -> HttpResponse:
    """List the pages by reader, or search titles and headings for ``q``."""
    words = request.GET.get("q", "").strip()[:100]
    shown = {"search": words, "found": search(words)} if words else {"search": "", "shelves": shelves()}
    return page_or_part(request, "clubs/help/all.html", shown, part="list")


@public
@require_safe
def reader_help(request: HttpRequest, reader: str) -> HttpResponse:
    """Show a reader's introduction and list of pages."""
    return _shown(request, reader, INDEX)


@public
@require_safe
def page_of_help(request: HttpRequest, reader: str, topic: str) -> HttpResponse:
    """Show one page of the docs."""
    return _shown(request, reader, topic)


def _shown(request: HttpRequest, reader: str, topic: str) -> HttpResponse:
    page = help_page(reader, topic)
    if page is None:
        raise Http404(_("There is no help page “%(page)s”.") % {"page": f"{reader}/{topic}"})
    return render(
        request,
        "clubs/help/page.html",
        {"page": page, "text": rendered(page), "reader": READERS[reader], "shelf": shelf(reader)},
    )
