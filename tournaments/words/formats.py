"""Names and one-sentence descriptions of the formats."""

from collections.abc import Mapping
from typing import Any, cast

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from scoring.codec import to_plain
from tournaments.core.formats.presets import PRESETS

FORMAT_NAMES: dict[str, Promise] = {
    "knockout": _("Knockout"),
    "knockout_lot": _("Knockout, drawn by lot"),
    "third_place": _("Knockout with a match for third place"),
    "consolation": _("Knockout with consolation"),
    "progressive": _("Knockout with progressive consolation"),
    "last_chance": _("Knockout, consolation and last chance"),
    "double": _("Double elimination"),
    "double_no_reset": _("Double elimination, one final"),
    "double_last_chance": _("Double elimination and last chance"),
    "swiss": _("Swiss"),
    "swiss_3": _("Swiss, three rounds"),
    "swiss_unbeaten": _("Swiss until one is unbeaten"),
    "lives": _("Three lives"),
    "lives_4": _("Four lives"),
    "round_robin": _("Round robin"),
    "double_round_robin": _("Double round robin"),
    "truncated_round_robin": _("Round robin, six rounds"),
    "league": _("League, a round a week"),
    "monrad": _("Danish monrad"),
    "keizer": _("Keizer"),
    "ready": _("Pair as ready"),
    "ladder": _("Ladder"),
}

FORMAT_SENTENCES: dict[str, Promise] = {
    "knockout": _("One loss and you are out. Quickest to a winner; half the field plays once."),
    "knockout_lot": _("A knockout without seeds, drawn at random."),
    "third_place": _("A knockout; the losing semi-finalists play for third place."),
    "consolation": _("First-match losers play on in a consolation."),
    "progressive": _("Losers of each early round drop into the consolation."),
    "last_chance": _("Main, consolation, and a last chance for players beaten in both."),
    "double": _("Out at the second loss; the unbeaten finalist must be beaten twice."),
    "double_no_reset": _("Out at the second loss; one final decides."),
    "double_last_chance": _("Double elimination; early double losers get a last chance."),
    "swiss": _("Everyone plays every round, against opponents with the same score."),
    "swiss_3": _("Three rounds for any number of entrants. Ends on time."),
    "swiss_unbeaten": _("Rounds continue until only one player is unbeaten."),
    "lives": _("Out at the third loss. Players with equal records meet, avoiding rematches."),
    "lives_4": _("Out at the fourth loss; the last four share the prizes."),
    "round_robin": _("Everyone plays everyone once."),
    "double_round_robin": _("Everyone plays everyone twice."),
    "truncated_round_robin": _("The first six rounds of a round robin: six matches each."),
    "league": _("Everyone plays everyone once, one round a week, with deadlines."),
    "monrad": _("Each round pairs neighbours in the standings."),
    "keizer": _("Neighbours meet, and a win counts more against a higher rank. Absences cost little."),
    "ready": _("Pairs players as soon as they are free, without waiting for a round."),
    "ladder": _("Challenge players above you; win and take their place."),
}


def format_title(key: str, options: Mapping[str, Any]) -> Promise:
    """The name of a draw: the preset closest to its plain options.

    Match lengths and dates do not count, but a round robin that has a date is a league; how it is seeded does
    where a preset is named by it. A format without such a preset has its own name. Accelerated rounds are
    said behind it.
    """
    if options.get("accelerated"):
        plain = {name: value for name, value in options.items() if name != "accelerated"}
        return cast("Promise", format_lazy(_("{format}, accelerated"), format=format_title(key, plain)))
    if key == "round_robin" and options.get("start"):
        return FORMAT_NAMES["league"]
    own = [each for each in PRESETS.values() if each.format == key]
    for without in (_of_every_draw, _of_seating):
        wanted = _left(options, without)
        for each in own:
            if _left(to_plain(each.options), without) == wanted:
                return FORMAT_NAMES[each.key]
    return FORMAT_NAMES[key]


def _left(options: Any, without: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if not without(name)}


def _of_every_draw(name: str) -> bool:
    return name in {"length", "start"} or name.endswith("lengths")


def _of_seating(name: str) -> bool:
    return _of_every_draw(name) or name in {"seeding", "byes"} or name.startswith("protect")
