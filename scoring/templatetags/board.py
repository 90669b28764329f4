"""``{% load board %}``: the board with its text twin, in the reader's language."""

from collections.abc import Sequence
from itertools import count
from typing import Any

from django import template
from django.template.context import RequestContext
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from scoring.drawing.board import TALL, WIDE, draw_board, draw_small
from scoring.drawing.board_view import Arrow, ArrowMeaning, BoardView, DrawnCube
from scoring.drawing.figures import error_size
from scoring.rules.plays import Move
from scoring.rules.position import BAR, OFF
from scoring.rules.sides import Side

register = template.Library()


def side_name(side: Side) -> str:
    """The side in the reader's language."""
    return gettext("White") if side is Side.WHITE else gettext("Black")


def played_arrow(moves: Sequence[Move], error: float | None = None) -> Arrow:
    """The play that was made; ``error`` is the equity it lost, None where it lost none or is not judged."""
    return Arrow(ArrowMeaning.PLAYED, tuple(moves), error_size(error) if error else "")


def best_arrow(moves: Sequence[Move]) -> Arrow:
    """The best play."""
    return Arrow(ArrowMeaning.BEST, tuple(moves))


def checkers_in_words(view: BoardView, side: Side) -> str:
    """Where a side stands, e.g. "White: 24 point 2, 13 point 5, 8 point 3, 6 point 5"."""
    places = []
    for slot, number in view.occupied(side):
        if slot == BAR:
            places.append(gettext("bar %(number)s") % {"number": number})
        elif slot == OFF:
            places.append(gettext("off %(number)s") % {"number": number})
        else:
            places.append(gettext("%(point)s point %(number)s") % {"point": slot, "number": number})
    return gettext("%(side)s: %(places)s.") % {"side": side_name(side), "places": ", ".join(places)}


def cube_in_words(cube: DrawnCube | None) -> str:
    """The cube's owner and value in words."""
    if cube is None:
        return gettext("No cube.")
    if cube.offered_to is not None:
        words = gettext("The cube is offered to %(side)s at %(value)s.")
        return words % {"side": side_name(cube.offered_to), "value": cube.value}
    if cube.owner is not None:
        words = gettext("%(side)s owns the cube at %(value)s.")
        return words % {"side": side_name(cube.owner), "value": cube.value}
    return gettext("The cube is centred at %(value)s.") % {"value": cube.value}


def turn_in_words(view: BoardView) -> str:
    """Whose turn it is; "" for no one's."""
    if view.roll is not None:
        words = gettext("%(side)s to play %(roll)s.")
        return words % {"side": side_name(view.on_roll), "roll": f"{view.roll[0]}-{view.roll[1]}"}
    return gettext("%(side)s is on roll.") % {"side": side_name(view.on_roll)} if view.turn else ""


def moves_in_words(moves: Sequence[Move]) -> str:
    """Moves as the field writes them one by one, e.g. "bar/22 6/off"."""
    names = {BAR: gettext("bar"), OFF: gettext("off")}
    return " ".join(
        f"{names.get(move.source, move.source)}/{names.get(move.target, move.target)}" for move in moves
    )


def arrows_in_words(arrows: Sequence[Arrow]) -> list[str]:
    """The arrows in words."""
    words = []
    for arrow in arrows:
        if arrow.meaning is ArrowMeaning.BEST:
            sentence = gettext("Best: %(moves)s.")
        elif arrow.meaning is ArrowMeaning.MINE:
            sentence = gettext("Your answer: %(moves)s.")
        elif arrow.label:
            sentence = gettext("Played: %(moves)s, error %(error)s.")
        else:
            sentence = gettext("Played: %(moves)s.")
        words.append(sentence % {"moves": moves_in_words(arrow.moves), "error": arrow.label})
    return words


@register.filter(name="in_words")
def board_in_words(view: BoardView) -> str:
    """The text twin: all that the drawing shows."""
    pips = gettext("Pip count %(white)s to %(black)s.") % {
        "white": view.pips(Side.WHITE),
        "black": view.pips(Side.BLACK),
    }
    sentences = [
        *(checkers_in_words(view, side) for side in Side),
        pips,
        cube_in_words(view.cube),
        turn_in_words(view),
        *arrows_in_words(view.arrows),
    ]
    return " ".join(sentence for sentence in sentences if sentence)


@register.simple_tag
def thumb(view: BoardView) -> SafeString:
    """The position as a small board, for ``<span class="thumb">``; words beside it say it, too."""
    return mark_safe(draw_small(view))  # noqa: S308 - built by us, without words


@register.inclusion_tag("scoring/drawing/_board.html", takes_context=True)
def board(
    context: RequestContext,
    view: BoardView,
    *,
    white: str = "",
    black: str = "",
    white_score: str | int = "",
    black_score: str | int = "",
    white_pr: str = "",
    black_pr: str = "",
    length: int = 0,
    caption: str = "",
    tall: bool = False,
    touch: bool = False,
) -> dict[str, Any]:
    """The board of ``view`` with its text twin.

    ``white`` and ``black`` are the players' names: given, each stands at its side of the board with its
    score, its pip count, its PR and, in a match of ``length`` points, how far away it is. ``tall`` turns the
    board for a phone held upright; ``touch`` adds targets with ``data-point``.
    """
    numbers: Any = context.render_context  # what one rendering of a page remembers
    name = f"board-{next(numbers.setdefault('board_numbers', count(1)))}"
    title = " ".join([gettext("Board."), turn_in_words(view)]).strip()
    drawing = draw_board(view, name=name, title=title, layout=TALL if tall else WIDE, touch=touch)
    given = {Side.WHITE: (white, white_score, white_pr), Side.BLACK: (black, black_score, black_pr)}
    players = {
        side: {
            "side": side,
            "name": name,
            "score": score,
            "away": max(length - int(score), 0) if length and score != "" else None,
            "pr": pr,
            "pips": view.pips(side),
        }
        for side, (name, score, pr) in given.items()
        if name
    }
    return {
        "name": name,
        "drawing": mark_safe(drawing),  # noqa: S308 - built by us; all words in it are escaped
        "words": board_in_words(view),
        "top": players.get(view.bottom.other),
        "bottom": players.get(view.bottom),
        "caption": caption,
        "tall": tall,
    }
