"""A player's mistakes as a deck for Anki, as XGIDs and on paper."""

from html import escape

from django.http import HttpResponse
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubs.access import SignedInRequest, signed_in
from clubs.models import Player
from scoring.drawing.board import draw_board
from scoring.drawing.figures import error_size
from scoring.learning.anki import AnkiNote, anki_deck
from scoring.learning.paper import A_SHEET, PrintedCard, mistakes_sheet
from scoring.learning.queries.exports import ExportedCard, exported_cards
from scoring.learning.queries.questions import Question, arrows_of
from scoring.learning.words import action_words, best_words


@signed_in
@never_cache
@require_safe
def mistakes_apkg(request: SignedInRequest) -> HttpResponse:
    """The largest mistakes as a deck for Anki; imported again, it updates the notes."""
    at = now()
    notes = [_note(each) for each in _cards(request)]
    deck = anki_deck(notes, name=_("Midpoint: my mistakes"), at=int(at.timestamp()))
    return _file(deck, "application/apkg", "midpoint-mistakes.apkg")


@signed_in
@never_cache
@require_safe
def mistakes_xgid(request: SignedInRequest) -> HttpResponse:
    """The largest mistakes as XGIDs, one a line."""
    lines = [f"XGID={each.question.card.xgid}\n" for each in _cards(request)]
    return _file("".join(lines).encode(), "text/plain; charset=utf-8", "midpoint-mistakes.txt")


@signed_in
@never_cache
@require_safe
def mistakes_pdf(request: SignedInRequest) -> HttpResponse:
    """A page with the six mistakes that are due first, and their answers on its back."""
    cards = [_printed(each) for each in _cards(request, most=A_SHEET, due_first=True)]
    sheet = mistakes_sheet(cards, title=_("My mistakes"), answers=_("Answers"))
    return _file(sheet, "application/pdf", "midpoint-mistakes.pdf")


def _cards(request: SignedInRequest, *, due_first: bool = False, **limit: int) -> list[ExportedCard]:
    player = Player.objects.filter(user=request.user).first()
    return exported_cards(player, due_first=due_first, **limit) if player else []


def asked_words(question: Question) -> str:
    """What a position asks, with the score, in one line."""
    if question.is_offered:
        asked = _("Take or pass?")
    elif question.answers:
        asked = _("Double or not?")
    else:
        asked = _("%(roll)s. Your play?") % {"roll": question.roll}
    if question.away is None:
        return _("%(asked)s Money game.") % {"asked": asked}
    values = {"asked": asked, "own": question.away[0], "other": question.away[1]}
    return _("%(asked)s You are %(own)s away, your opponent %(other)s.") % values


def _answer_lines(card: ExportedCard) -> list[str]:
    played = {"played": action_words(card.decision.played), "loss": error_size(card.decision.error or 0.0)}
    return [
        best_words(card.best),
        _("In the match: %(played)s, %(loss)s.") % played,
    ]


def _drawings(card: ExportedCard) -> tuple[str, str]:
    """The board before and after the answer, alone on a page."""
    question = card.question
    answered = question.drawn(*arrows_of(card.best, "", card.decision.played))
    title = asked_words(question)
    return draw_board(question.board, name="b", title=title), draw_board(answered, name="b", title=title)


def _note(card: ExportedCard) -> AnkiNote:
    board, answer_board = _drawings(card)
    found = card.question.card
    answer = "<br>".join(escape(line) for line in _answer_lines(card))
    return AnkiNote(found.ref, found.xgid, escape(asked_words(card.question)), answer, board, answer_board)


def _printed(card: ExportedCard) -> PrintedCard:
    board, answer_board = _drawings(card)
    lines = [*_answer_lines(card), f"XGID={card.question.card.xgid}"]
    return PrintedCard(asked_words(card.question), lines, board, answer_board)


def _file(content: bytes, media_type: str, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type=media_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
