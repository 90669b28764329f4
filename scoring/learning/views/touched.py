"""The board of a question as its script touches it."""

from dataclasses import asdict
from typing import Any

from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from scoring.drawing.board import draw_board
from scoring.learning.queries.questions import Question
from scoring.sheets.views.first_drawing import TOUCHED, TOUCHED_WIDE
from scoring.sheets.words import sheet_words

SENTENCES = ("bar", "off", "tray", "point_name", "place", "place_from", "board_title", "dice_swap", "dice_up")
"""The sentences of the scoresheet that the board of a card says, too."""


def board_script(question: Question) -> dict[str, Any]:
    """What the script of the board that is touched gets: the view of a turn, the layouts, its sentences."""
    words = sheet_words()
    board = question.board
    cube = board.cube
    view = {
        "crawford": "now" if cube is None else "",
        "game": {
            "number": 1,
            "phase": "moving" if question.faced else "over",
            "on_roll": board.on_roll.value,
            "to_act": question.side.value,
            "roll": board.roll,
            "position": {side.value: board.checkers(side) for side in (board.on_roll, board.on_roll.other)},
            "cube": {
                "value": cube.value if cube else 1,
                "owner": cube.owner.value if cube and cube.owner else None,
                "offered": cube.value if cube and cube.offered_to else None,
                "in_use": cube is not None,
            },
        },
        "plays": {"sequences": question.sequences} if question.faced else None,
    }
    layouts = {"wide": TOUCHED_WIDE, "tall": TOUCHED}
    return {
        "config": {
            "view": view,
            "bottom": question.side.value,
            "layouts": {name: asdict(layout) for name, layout in layouts.items()},
        },
        "sentences": {name: words[name] for name in SENTENCES},
        "boards": [
            (name, mark_safe(draw_board(board, name=f"card-{name}", title=_("Board"), layout=layout)))  # noqa: S308 - built by us
            for name, layout in (("upright", TOUCHED), ("lying", TOUCHED_WIDE))
        ],
    }
