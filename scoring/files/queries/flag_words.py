"""Notes on imported match files in words: what the reader noticed or guessed."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

Flag = Mapping[str, Any]

_SENTENCES: Mapping[str, Promise | str] = {
    "illegal_accepted": gettext_lazy("The play is not legal and was kept as played: %(detail)s."),
    "incomplete_accepted": gettext_lazy("Fewer dice were played than possible: %(detail)s."),
    "void_double": gettext_lazy("A double did not count: %(detail)s."),
    "handicap": gettext_lazy("The first game starts at %(detail)s."),
    "unfinished": gettext_lazy("The record stops before the end of the match."),
    "encoding": gettext_lazy("The file is not UTF-8. It was read as Windows-1252."),
    "unlimited": gettext_lazy("An unlimited game was exported as a match to %(detail)s points."),
    "no_name": gettext_lazy("The file gives no opponent’s name."),
    "name_in_header": gettext_lazy("The games give no opponent’s name. The file’s header gives %(detail)s."),
    "players_changed": gettext_lazy("The players are named differently here: %(detail)s."),
    "columns_swapped": gettext_lazy("The players change columns in this game."),
    "fused_rows": gettext_lazy("Turn %(turn)s was repaired: two rows were on one line."),
    "long_row": gettext_lazy("The row was repaired: it had more than two entries."),
    "no_heading": gettext_lazy("The game has no heading."),
    "line_skipped": gettext_lazy("This text was skipped: %(detail)s"),
    "take_guessed": gettext_lazy("%(detail)s’s take is missing and was added."),
    "repaired": gettext_lazy(
        "Turn %(turn)s was repaired: %(detail)s. No other play fits the rest of the game."
    ),
    "rest_unread": gettext_lazy("The plays cannot be read from here on: %(detail)s."),
    "points_differ": gettext_lazy("The stated result does not match the game: %(stated)s. Kept: %(kept)s."),
    "winner_differs": gettext_lazy("The stated winner cannot have won: %(stated)s. Kept: %(kept)s."),
    "score_differs": gettext_lazy("The heading gives the score as %(stated)s, the games as %(kept)s."),
    "no_result": gettext_lazy("The file does not say how this game ended."),
    "conceded": gettext_lazy("%(detail)s was awarded the match without winning enough points."),
    "crawford_off": gettext_lazy("The results only fit a match without the Crawford rule."),
    "jacoby_off": gettext_lazy("The results only fit games without the Jacoby rule."),
    "after_game": gettext_lazy("Entries after the end of the game were not read: %(detail)s."),
    "after_match": gettext_lazy("Games after the end of the match were not read: %(detail)s."),
    "cut_off": gettext_lazy("The file is cut off: its end is missing."),
    "more_flags": gettext_lazy("%(detail)s more notes on this file are not shown."),
    "analysis_damaged": gettext_lazy(
        "The file’s analysis of %(detail)s decisions has impossible numbers and was left out."
    ),
    "analysis_value": gettext_lazy("The file’s analysis of this decision was left out: %(detail)s."),
    "analysis_refused": gettext_lazy("The file’s analysis was left out: %(detail)s."),
    "comments_unread": gettext_lazy("The file’s comments cannot be read: %(detail)s."),
    "more_matches": gettext_lazy("The file has another match, which was not read. Upload it separately."),
}
"""By code; a detail such as ``a / b`` splits into ``stated`` and ``kept``."""


def flag_words(flag: Flag) -> str:
    """A stored flag in words (``scoring.notation.record.RecordFlag`` as plain data)."""
    sentence = _SENTENCES.get(flag["code"])
    if sentence is None:
        return f"{flag['code']} {flag['detail']}".strip()
    stated, _slash, kept = flag["detail"].rpartition(" / ")
    return str(sentence) % {"turn": 0, **flag, "stated": stated, "kept": kept}


def flag_place(flag: Flag) -> str:
    """The flag's place in the file: game and turn, else the line."""
    game, turn = flag.get("game"), flag.get("turn")
    if game and turn:
        return _("Game %(game)s, turn %(turn)s") % {"game": game, "turn": turn}
    if game:
        return _("Game %(game)s, line %(line)s") % {"game": game, "line": flag["line"]}
    return _("Line %(line)s") % {"line": flag["line"]}


_FACTS: Mapping[str, Promise | str] = {
    "Event": gettext_lazy("Event"),
    "Site": gettext_lazy("Site"),
    "Round": gettext_lazy("Round"),
    "Annotator": gettext_lazy("Annotator"),
}


def fact_name(name: str) -> str:
    """The label of a fact in a file's header."""
    return str(_FACTS.get(name, name))
