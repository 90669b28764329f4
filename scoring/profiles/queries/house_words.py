"""House rules of a chouette in sentences."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.rules.chouette.options import (
    Automatic,
    BoxKeeps,
    ChouetteOptions,
    Consultation,
    Extras,
    NewBox,
    ThreePlayers,
)

Words = Mapping[Any, str | Promise]

CONSULTATION: Words = {
    Consultation.NEVER: gettext_lazy("No consultation: the captain decides every play alone."),
    Consultation.FROM_START: gettext_lazy("The crew may consult on plays from the start."),
    Consultation.CUBE_TURNED: gettext_lazy("The crew may consult on plays once a cube has been turned."),
    Consultation.CUBE_IN_GAME: gettext_lazy(
        "Only players whose cube has been turned and taken may consult on plays."
    ),
}
AUTOMATIC: Words = {
    Automatic.NEVER: gettext_lazy("No automatic doubles."),
    Automatic.BOX_WISHES: gettext_lazy(
        "Automatic doubles: equal opening dice double every cube if the box agrees."
    ),
    Automatic.FIRST_ALWAYS: gettext_lazy(
        "Automatic doubles: the first equal opening dice double every cube, later ones if the box agrees."
    ),
}
BOX_KEEPS: Words = {
    BoxKeeps.BEAT_CAPTAIN: gettext_lazy("The box stays in as long as it beats the captain."),
    BoxKeeps.NET_NOT_NEGATIVE: gettext_lazy("The box stays in unless it loses points on the game overall."),
    BoxKeeps.LAST_ACTIVE_CUBE: gettext_lazy("The box stays in as long as it wins the last cube in play."),
}
NEW_BOX: Words = {
    NewBox.ACTING_CAPTAIN: gettext_lazy(
        "If the box beats the captain but has to leave, the first crew member who won becomes the box."
    ),
    NewBox.CAPTAIN: gettext_lazy(
        "If the box beats the captain but has to leave, the captain becomes the box anyway."
    ),
}
THREE_PLAYERS: Words = {
    ThreePlayers.BOTH_OR_NONE: gettext_lazy(
        "With three players, the box takes or passes both initial doubles when they come together."
    ),
    ThreePlayers.BOTH: gettext_lazy(
        "With three players, the box must take both initial doubles when they come together."
    ),
}
EXTRAS: Words = {
    Extras.NONE: gettext_lazy("No extras."),
    Extras.OPTIONAL: gettext_lazy(
        "Extras: a player who passes may pay a taker to hold an extra cube against them. The taker may"
        " refuse."
    ),
    Extras.COMPULSORY: gettext_lazy(
        "Extras: a player who passes may pay a taker to hold an extra cube against them. The taker must"
        " accept."
    ),
}


@dataclass(frozen=True, slots=True)
class HouseInWords:
    """House rules in words."""

    name: str
    title: str
    rules: list[str]


def house_title(name: str, title: str = "") -> str:
    """The club's title, else that of built-in house rules, else the name."""
    built_in = {
        "house": _("Midpoint standard"),
        "cambridge": _("Cambridge"),
        "colorado": _("Colorado"),
        "los-angeles": _("Los Angeles"),
    }
    return title or built_in.get(name) or name or _("House rules")


def house_in_words(name: str, title: str, options: ChouetteOptions) -> HouseInWords:
    """House rules in words."""
    return HouseInWords(name, house_title(name, title), list(sentences(options)))


def sentences(options: ChouetteOptions) -> list[str]:
    """House rules, one sentence each, in the order a new player would ask."""
    return [str(sentence) for sentence in (*_cubes(options), *_taking(options), *_places(options))]


def _cubes(options: ChouetteOptions) -> Iterator[str | Promise]:
    yield (
        _("Each crew member has their own cube against the box.")
        if options.multi_cube
        else _("The crew shares one cube, which the captain turns.")
    )
    yield (
        _("Jacoby rule: gammons and backgammons count on a cube only after it has been turned.")
        if options.jacoby
        else _("No Jacoby rule: gammons and backgammons always count.")
    )
    if options.beavers:
        yield (
            _("Beavers and raccoons are allowed.")
            if options.raccoons
            else _("Beavers are allowed, raccoons are not.")
        )
    else:
        yield _("No beavers.")
    if options.max_cube is not None:
        yield _("Cubes stop at %(value)s.") % {"value": options.max_cube}
    yield AUTOMATIC[options.automatic]


def _taking(options: ChouetteOptions) -> Iterator[str | Promise]:
    if options.takes_half:
        yield _(
            "When the whole crew doubles together, the box takes at least half of the cubes or passes them"
            " all."
        )
    if options.takes_captain:
        yield _(
            "When several players double together, a box that takes any cube must take the captain’s,"
            " unless it already holds a cube."
        )
    if options.three_players is not ThreePlayers.FREE:
        yield THREE_PLAYERS[options.three_players]
    if not (options.takes_half or options.takes_captain):
        yield _("The box may take some cubes and pass others.")
    if options.lone_taker_beavers:
        yield _("When the box doubles the whole crew and only one player takes, that player must beaver.")
    yield EXTRAS[options.extras]
    yield (
        _("Cubes may be settled or taken over at an agreed price.")
        if options.settlements
        else _("No settlements.")
    )
    yield CONSULTATION[options.consultation]
    yield _("A proxy may decide for a player who is away.") if options.proxies else _("No proxies.")


def _places(options: ChouetteOptions) -> Iterator[str | Promise]:
    yield (
        _("For the first game, each player rolls one die: the highest is the box, the second the captain.")
        if options.opening_dice == 1
        else _(
            "For the first game, each player rolls two dice: the highest is the box, the second the captain."
        )
    )
    yield BOX_KEEPS[options.box_keeps]
    if options.box_keeps is not BoxKeeps.BEAT_CAPTAIN:
        yield NEW_BOX[options.new_box]
    if options.double_stand_up:
        yield _("If the box has to leave after beating the captain, both go to the bottom.")
    yield (
        _("A player who joins during a game sits behind its loser.")
        if options.newcomers_last
        else _("A player who joins during a game sits ahead of its loser.")
    )
    if options.partner_must is not None:
        yield _("With %(count)s or more players, the box must take a partner.") % {
            "count": options.partner_must
        }
    if options.partner_from is not None:
        yield _(
            "With %(count)s or more players, the box may take a partner. They split the result; an odd point"
            " goes to the box."
        ) % {"count": options.partner_from}
    else:
        yield _("The box plays alone.")
