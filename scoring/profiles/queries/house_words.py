"""House rules in sentences: what everybody at a chouette agrees to, as the table shows it."""

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
    Consultation.NEVER: gettext_lazy("The team does not talk about plays: the captain decides alone."),
    Consultation.FROM_START: gettext_lazy("The team may talk about plays from the start."),
    Consultation.CUBE_TURNED: gettext_lazy("The team may talk about plays once a cube was turned."),
    Consultation.CUBE_IN_GAME: gettext_lazy(
        "Only players with a cube in the game, one that was turned and taken, may talk about plays."
    ),
}
AUTOMATIC: Words = {
    Automatic.NEVER: gettext_lazy("Equal opening dice do not double the cubes."),
    Automatic.BOX_WISHES: gettext_lazy("Equal opening dice double every cube if the box wishes."),
    Automatic.FIRST_ALWAYS: gettext_lazy(
        "The first equal opening dice double every cube; later ones if the box wishes."
    ),
}
BOX_KEEPS: Words = {
    BoxKeeps.BEAT_CAPTAIN: gettext_lazy("The box stays as long as it beats the captain."),
    BoxKeeps.NET_NOT_NEGATIVE: gettext_lazy("The box stays as long as it does not lose points in sum."),
    BoxKeeps.LAST_ACTIVE_CUBE: gettext_lazy("The box stays as long as it wins the last active cube."),
}
NEW_BOX: Words = {
    NewBox.ACTING_CAPTAIN: gettext_lazy(
        "When the captain was beaten and the box must go, the first of the crew who won follows."
    ),
    NewBox.CAPTAIN: gettext_lazy(
        "When the captain was beaten and the box must go, the captain follows all the same."
    ),
}
THREE_PLAYERS: Words = {
    ThreePlayers.BOTH_OR_NONE: gettext_lazy(
        "With three players the box takes both first doubles or neither."
    ),
    ThreePlayers.BOTH: gettext_lazy("With three players the box takes both first doubles."),
}
EXTRAS: Words = {
    Extras.NONE: gettext_lazy("No extras."),
    Extras.OPTIONAL: gettext_lazy(
        "Who passed may pay a taker to hold an extra against them; the taker may say no."
    ),
    Extras.COMPULSORY: gettext_lazy(
        "Who passed may pay a taker to hold an extra against them; the taker may not say no."
    ),
}


@dataclass(frozen=True, slots=True)
class ToldHouse:
    """House rules as their readers see them."""

    name: str
    title: str
    rules: list[str]


def house_title(name: str, title: str = "") -> str:
    """The club's own title, or that of a house that is built in; the name where there is neither."""
    built_in = {
        "house": _("Midpoint's usual rules"),
        "cambridge": _("Cambridge"),
        "colorado": _("Colorado"),
        "los-angeles": _("Los Angeles"),
    }
    return title or built_in.get(name) or name or _("House rules")


def told_house(name: str, title: str, options: ChouetteOptions) -> ToldHouse:
    """The house in words."""
    return ToldHouse(name, house_title(name, title), list(sentences(options)))


def sentences(options: ChouetteOptions) -> list[str]:
    """What the rules say, in the order in which a newcomer asks."""
    return [str(sentence) for sentence in (*_cubes(options), *_taking(options), *_places(options))]


def _cubes(options: ChouetteOptions) -> Iterator[str | Promise]:
    yield (
        _("Each crew player has their own cube against the box.")
        if options.multi_cube
        else _("The team has one cube, which the captain turns.")
    )
    yield (
        _("Jacoby rule: gammons count on a cube only once it was turned.")
        if options.jacoby
        else _("Gammons always count.")
    )
    if options.beavers:
        yield _("Beavers and raccoons.") if options.raccoons else _("Beavers, no raccoons.")
    else:
        yield _("No beavers.")
    if options.max_cube is not None:
        yield _("No cube goes beyond %(value)s.") % {"value": options.max_cube}
    yield AUTOMATIC[options.automatic]


def _taking(options: ChouetteOptions) -> Iterator[str | Promise]:
    if options.takes_half:
        yield _("When the whole crew doubles together, the box takes half of the cubes or more, or none.")
    if options.takes_captain:
        yield _(
            "Who takes any of the crew's doubles takes that of who is captain then, unless the box holds a"
            " cube already."
        )
    if options.three_players is not ThreePlayers.FREE:
        yield THREE_PLAYERS[options.three_players]
    if not (options.takes_half or options.takes_captain):
        yield _("The box takes and passes as it likes.")
    if options.lone_taker_beavers:
        yield _("Who alone takes when the box doubles the whole crew must beaver.")
    yield EXTRAS[options.extras]
    yield (
        _("Cubes may be settled or taken over at an agreed price.")
        if options.settlements
        else _("No settlements.")
    )
    yield CONSULTATION[options.consultation]
    yield _("A proxy may decide for who is away.") if options.proxies else _("No proxies.")


def _places(options: ChouetteOptions) -> Iterator[str | Promise]:
    yield (
        _("One die each decides the first places.")
        if options.opening_dice == 1
        else _("Two dice each decide the first places.")
    )
    yield BOX_KEEPS[options.box_keeps]
    if options.box_keeps is not BoxKeeps.BEAT_CAPTAIN:
        yield NEW_BOX[options.new_box]
    if options.double_stand_up:
        yield _("A captain whom the box beat, though it must go, goes to the bottom with it.")
    yield (
        _("Who joins during a game sits behind who lost it.")
        if options.newcomers_last
        else _("Who joins during a game sits ahead of who lost it.")
    )
    if options.partner_must is not None:
        yield _("From %(count)s players on the box must take a partner.") % {"count": options.partner_must}
    if options.partner_from is not None:
        yield _(
            "From %(count)s players on the box may take a partner: half each, the odd point to the box."
        ) % {"count": options.partner_from}
    else:
        yield _("The box plays alone.")
