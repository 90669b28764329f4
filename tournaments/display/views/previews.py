"""The picture of an event for link previews in chats."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from clubs.access import decides
from clubs.http.pictures import answer_picture
from scoring.drawing.board_view import BoardView
from scoring.drawing.picture import PictureLine, draw_picture
from scoring.rules.position import STARTING_POSITION
from tournaments.display.queries.summaries import summary_of, winners_of
from tournaments.events.access import WHO_MAY_SEE, known_event
from tournaments.events.queries.event_page import flight_blocks


@decides(WHO_MAY_SEE)
@require_safe
def event_png(request: HttpRequest, event: str) -> HttpResponse:
    """A board with name, date, club, format and field or winner as a PNG of 1200 x 630 pixels."""
    found, _role = known_event(request.user, event)
    summary = summary_of(found, flight_blocks(found), winners_of(found))
    lines = [
        PictureLine(found.name, strong=True),
        *(PictureLine(line) for line in summary.lines),
        PictureLine(f"Midpoint · {request.get_host()}", small=True),
    ]
    board = BoardView(STARTING_POSITION, turn=False)
    return answer_picture(request, repr((board, lines)), "image/png", lambda: draw_picture(board, lines))
