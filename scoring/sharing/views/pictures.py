"""The picture of a position, for chats and link previews."""

from django.http import HttpRequest, HttpResponse
from django.http.response import Http404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import decides
from clubs.http.pictures import answer_picture
from scoring.analysis.queries.privacy import can_see_analysis
from scoring.drawing.board import draw_board
from scoring.drawing.board_view import BoardView
from scoring.drawing.picture import PictureLine, draw_picture
from scoring.matches.queries.match_page import MatchPage
from scoring.sharing.queries.previews import preview_of
from scoring.sheets.views.visible_match import visible_match

SITE = "Midpoint"


@decides("viewers of the match's club")
@require_safe
def step_png(request: HttpRequest, match: str, step: int) -> HttpResponse:
    """The position of a step with players, score and XGID as a PNG; with ``verdict`` also the verdict."""
    return picture_of(request, _asked(request, match, step))


@decides("viewers of the match's club")
@require_safe
def step_svg(request: HttpRequest, match: str, step: int) -> HttpResponse:
    """The position of a step as an SVG."""
    page = _asked(request, match, step)
    preview, view = preview_of(page), _plain_board(page)
    title = f"{preview.title}. {preview.turn}"
    return answer_picture(
        request,
        repr((view, title)),
        "image/svg+xml",
        lambda: draw_board(view, name="board", title=title, description=page.xgid or "").encode(),
    )


def picture_of(request: HttpRequest, page: MatchPage) -> HttpResponse:
    """The PNG of the page's current step, which has a board."""
    preview, view = preview_of(page), _plain_board(page)
    lines = [
        PictureLine(preview.title, strong=True),
        PictureLine(preview.score),
        PictureLine(preview.step),
        PictureLine(preview.turn),
        *([PictureLine(preview.verdict)] if preview.verdict and "verdict" in request.GET else []),
        *([PictureLine(page.xgid, small=True)] if page.xgid else []),
        PictureLine(f"{SITE} · {request.get_host()}", small=True),
    ]
    return answer_picture(request, repr((view, lines)), "image/png", lambda: draw_picture(view, lines))


def _asked(request: HttpRequest, match: str, step: int) -> MatchPage:
    """The page at this very step, with the verdict only for those who can see it."""
    found, _role = visible_match(request, match)
    page = MatchPage(found, step, judged=can_see_analysis(request.user, found))
    if page.board is None or page.number != step:
        raise Http404(_("The match %(ref)s has no step %(step)s.") % {"ref": found.ref, "step": step})
    return page


def _plain_board(page: MatchPage) -> BoardView:
    """The board without arrows. Raises Http404 for a match without positions."""
    view = page.board
    if view is None:
        raise Http404(_("The match %(ref)s has no positions.") % {"ref": page.match.ref})
    return BoardView(
        view.position, view.on_roll, view.bottom, view.home, view.cube, view.roll, turn=view.turn
    )
