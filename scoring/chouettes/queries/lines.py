"""A chouette's log in words, one line per event, corrections in place."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from clubs.formats.numbers import signed
from scoring.models import ChouettePlayer, Sheet, SheetEvent
from scoring.profiles.queries.house_words import house_title
from scoring.rules.chouette.events import Nothing
from scoring.rules.codec import from_plain
from scoring.rules.endings import GameEnd
from scoring.sheets.queries.event_words import win_words

LINES = 30
MONEY = {"stake", "minor"}
"""The amounts of money in an event."""
Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Speaker:
    """Names of players, money format and titles of house rules, to word events."""

    names: Mapping[str, str]
    money: Callable[[int], str] | None
    houses: Mapping[str, str]

    def name(self, ref: str | None) -> str:
        return self.names.get(ref or "", "?")

    def cube(self, key: str) -> str:
        """The name of a cube by its key."""
        payer, _sign, holder = key.rpartition(">")
        if payer:
            return _("%(holder)s against %(payer)s") % {
                "holder": self.name(holder),
                "payer": self.name(payer),
            }
        return self.name(holder)

    def cubes(self, keys: Iterable[str]) -> str:
        return ", ".join(self.cube(key) for key in keys)

    def house(self, name: str) -> str:
        return house_title(name, self.houses.get(name, ""))


def words_of(kind: str, body: Body, speaker: Speaker) -> str:
    """An event in words."""
    writer = _WORDS.get(kind)
    return capfirst(writer(body, speaker)) if writer else kind


def log_rows(sheet: Sheet, *, last: int | None = None) -> list[tuple[SheetEvent, SheetEvent | None]]:
    """The ``last`` events in order, each with its correction if any (two queries)."""
    log = SheetEvent.objects.filter(sheet=sheet).select_related("note")
    rows = list(log.filter(replaces=None).order_by("-seq")[:last])[::-1]
    corrections = (
        {event.replaces: event for event in log.filter(replaces__gte=rows[0].seq).order_by("seq")}
        if rows
        else {}
    )
    return [(row, corrections.get(row.seq)) for row in rows]


def rows_after(sheet: Sheet, seq: int) -> list[tuple[SheetEvent, SheetEvent | None]]:
    """Events after ``seq`` as entered, at most ``LINES`` (one query)."""
    log = SheetEvent.objects.filter(sheet=sheet, seq__gt=seq).select_related("note")
    return [(row, None) for row in log.order_by("seq")[:LINES]]


def line_in_words(
    event: SheetEvent,
    correction: SheetEvent | None,
    speaker: Speaker,
    players: Sequence[ChouettePlayer],
) -> dict[str, Any]:
    """One line of the log, ``at`` an aware time."""
    shown = correction or event
    undone = shown.kind == Nothing.kind and (correction is not None or event.replaces is not None)
    told = event if correction is not None and undone else shown
    body = told.body
    if speaker.money is None:
        body = {name: 0 if name in MONEY else value for name, value in body.items()}
    return {
        "seq": event.seq,
        "kind": told.kind,
        "body": body,
        "words": words_of(told.kind, body, speaker),
        "by": writer_of(shown, players),
        "at": event.at,
        "replaces": event.replaces,
        "undone": undone,
        "corrected": correction is not None and not undone,
        "note": shown.note.text if shown.note else "",
    }


def writer_of(event: SheetEvent, players: Sequence[ChouettePlayer]) -> str:
    """The writer of an event: a player's name, or "someone else" for others."""
    for one in players:
        if event.claim_id is not None and one.claim_id == event.claim_id:
            return one.player.name
        if event.user_id is not None and one.player.user_id == event.user_id:
            return one.player.name
    return _("someone else") if event.user_id or event.claim_id else ""


def _started(body: Body, speaker: Speaker) -> str:
    return _("table opened: %(house)s") % {"house": speaker.house(body.get("name", ""))}


def _options(body: Body, speaker: Speaker) -> str:
    return _("from the next game: %(house)s") % {"house": speaker.house(body.get("name", ""))}


def _joined(body: Body, speaker: Speaker) -> str:
    if speaker.money is None or not body["stake"]:
        return _("%(who)s joins") % {"who": speaker.name(body["player"])}
    values = {"who": speaker.name(body["player"]), "stake": speaker.money(body["stake"])}
    return _("%(who)s joins at %(stake)s a point") % values


def _stake(body: Body, speaker: Speaker) -> str:
    if speaker.money is None:
        return _("%(who)s changes their stake") % {"who": speaker.name(body["player"])}
    values = {"who": speaker.name(body["player"]), "stake": speaker.money(body["stake"])}
    return _("%(who)s plays for %(stake)s a point") % values


def _places(body: Body, speaker: Speaker) -> str:
    throws = ", ".join(
        f"{speaker.name(throw['player'])} {'-'.join(map(str, throw['dice']))}" for throw in body["throws"]
    )
    return _("rolls for places: %(throws)s") % {"throws": throws}


def _order(body: Body, speaker: Speaker) -> str:
    return _("order set: %(players)s") % {"players": ", ".join(map(speaker.name, body["players"]))}


def _swapped(body: Body, speaker: Speaker) -> str:
    values = {"one": speaker.name(body["one"]), "other": speaker.name(body["other"])}
    return _("%(one)s and %(other)s swap places") % values


def _proxy(body: Body, speaker: Speaker) -> str:
    if body.get("proxy") is None:
        return _("%(who)s no longer has a proxy") % {"who": speaker.name(body["player"])}
    values = {"who": speaker.name(body["player"]), "proxy": speaker.name(body["proxy"])}
    return _("%(proxy)s is proxy for %(who)s") % values


def _begun(body: Body, speaker: Speaker) -> str:
    if body.get("partner") is None:
        return _("the next game begins")
    return _("the next game begins, %(who)s as partner") % {"who": speaker.name(body["partner"])}


def _tied(body: Body, _speaker: Speaker) -> str:
    return _("equal opening dice: every cube is doubled") if body["doubled"] else _("equal opening dice")


def _offered(body: Body, speaker: Speaker) -> str:
    if list(body["cubes"]) == [body["by"]]:
        return _("%(who)s doubles") % {"who": speaker.name(body["by"])}
    values = {"who": speaker.name(body["by"]), "cubes": speaker.cubes(body["cubes"])}
    return _("%(who)s doubles: %(cubes)s") % values


def _answered(body: Body, speaker: Speaker) -> str:
    who, takes, passes = speaker.name(body["by"]), body.get("takes", []), body.get("passes", [])
    if [*takes, *passes] == [body["by"]]:
        return _("%(who)s takes") % {"who": who} if takes else _("%(who)s passes") % {"who": who}
    values = {"who": who, "takes": speaker.cubes(takes), "passes": speaker.cubes(passes)}
    if takes and passes:
        return _("%(who)s takes: %(takes)s; passes: %(passes)s") % values
    return _("%(who)s takes: %(takes)s") % values if takes else _("%(who)s passes: %(passes)s") % values


def _on_cube(own: Callable[[], str], text: Callable[[], str]) -> Callable[[Body, Speaker], str]:
    """The sentence of an event on a cube; a player's own cube needs no name."""
    return lambda body, speaker: (
        (own() if body["by"] == body["cube"] else text())
        % {"who": speaker.name(body["by"]), "cube": speaker.cube(body["cube"])}
    )


def _between(text: Callable[[], str]) -> Callable[[Body, Speaker], str]:
    return lambda body, speaker: (
        text() % {"payer": speaker.name(body["payer"]), "holder": speaker.name(body["holder"])}
    )


def _settled(body: Body, speaker: Speaker) -> str:
    values = {"cube": speaker.cube(body["cube"]), "points": signed(body["points"])}
    return _("the cube of %(cube)s is settled: %(points)s for the crew") % values


def _taken_over(body: Body, speaker: Speaker) -> str:
    values = {
        "who": speaker.name(body["by"]),
        "cube": speaker.cube(body["cube"]),
        "points": signed(body["points"]),
    }
    return _("%(who)s takes over the cube of %(cube)s for %(points)s") % values


def _over(body: Body, _speaker: Speaker) -> str:
    resigned = from_plain(GameEnd, body.get("ended", GameEnd.BORNE_OFF.value)) is GameEnd.RESIGNATION
    values = {"win": win_words(body["win"])}
    if body["box_won"]:
        return _("the crew resigns %(win)s") % values if resigned else _("the box wins %(win)s") % values
    return _("the box resigns %(win)s") % values if resigned else _("the crew wins %(win)s") % values


def _paid(body: Body, speaker: Speaker) -> str:
    values = {"payer": speaker.name(body["payer"]), "receiver": speaker.name(body["receiver"])}
    if speaker.money is None:
        return _("%(payer)s has paid %(receiver)s") % values
    return _("%(payer)s has paid %(receiver)s %(amount)s") % {
        **values,
        "amount": speaker.money(body["minor"]),
    }


def _about(text: Callable[[], str]) -> Callable[[Body, Speaker], str]:
    return lambda body, speaker: text() % {"who": speaker.name(body["player"])}


_WORDS: Mapping[str, Callable[[Body, Speaker], str]] = {
    "chouette_start": _started,
    "options": _options,
    "join": _joined,
    "agree": _about(lambda: _("%(who)s agrees to the rules")),
    "places": _places,
    "order": _order,
    "swap": _swapped,
    "sit_out": _about(lambda: _("%(who)s sits out")),
    "come_back": _about(lambda: _("%(who)s is back")),
    "leave": _about(lambda: _("%(who)s leaves")),
    "stake": _stake,
    "proxy": _proxy,
    "game_start": _begun,
    "tie": _tied,
    "offer": _offered,
    "answer": _answered,
    "beaver": _on_cube(lambda: _("%(who)s beavers"), lambda: _("%(who)s beavers: %(cube)s")),
    "raccoon": _on_cube(lambda: _("%(who)s raccoons"), lambda: _("%(who)s raccoons: %(cube)s")),
    "extra": _between(lambda: _("%(payer)s pays %(holder)s to hold an extra")),
    "extra_refused": _between(lambda: _("%(holder)s refuses an extra against %(payer)s")),
    "settle": _settled,
    "take_over": _taken_over,
    "game_over": _over,
    "paid": _paid,
    "seat": _about(lambda: _("%(who)s moves to another phone")),
    "chouette_end": lambda _body, _speaker: _("the chouette is over"),
    "nothing": lambda _body, _speaker: _("undone"),
}
