"""One line of a scoresheet in words, for people and for screen readers."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.models import ENDINGS
from scoring.rules.endings import Ending
from scoring.rules.match import Win

WINS = {1: lambda: _("a single"), 2: lambda: _("a gammon"), 3: lambda: _("a backgammon")}


def win_words(win: int) -> str:
    """The multiple that a game is won by: a single, a gammon, a backgammon."""
    return WINS[int(Win(win))]()


def words_of(
    kind: str, body: Mapping[str, Any], *, side: str, notation: str, names: Mapping[str, str]
) -> str:
    """An event in words, from its row's ``side`` and ``notation`` and both names."""
    writer = _WORDS.get(kind)
    return capfirst(writer(body, names.get(side, ""), notation, names)) if writer else kind


def _started(body: Mapping[str, Any], _who: str, _notation: str, _names: Mapping[str, str]) -> str:
    length = body["length"]
    if not length:
        return _("money session")
    return ngettext("match to %(n)s point", "match to %(n)s points", length) % {"n": length}


def _rolled(body: Mapping[str, Any], who: str, notation: str, _names: Mapping[str, str]) -> str:
    dice = "-".join(notation or map(str, body["dice"]))
    if "void" in body:
        reasons = {
            "cocked": _("cocked"),
            "premature": _("premature"),
            "die_on_checker": _("die on a checker"),
        }
        return _("%(who)s rolls %(dice)s (void: %(why)s)") % {
            "who": who,
            "dice": dice,
            "why": reasons[body["void"]],
        }
    return _("%(who)s rolls %(dice)s") % {"who": who, "dice": dice}


def _played(body: Mapping[str, Any], who: str, notation: str, _names: Mapping[str, str]) -> str:
    moves = " ".join(f"{source}/{target}" for source, target in body.get("moves", ()))
    play = notation or moves
    status = body.get("status", "legal")
    if not body.get("moves") and "result" not in body:
        if status == "legal":
            return _("%(who)s cannot move") % {"who": who}
        play = _("no move")
    values = {"who": who, "play": play}
    if status == "illegal_corrected":
        return _("%(who)s plays %(play)s (illegal, corrected)") % values
    if status == "illegal_accepted":
        return _("%(who)s plays %(play)s (illegal, stands)") % values
    if status == "incomplete_accepted":
        return _("%(who)s plays %(play)s (incomplete, stands)") % values
    return _("%(who)s plays %(play)s") % values


def _doubled(body: Mapping[str, Any], who: str, notation: str, _names: Mapping[str, str]) -> str:
    if body.get("status", "ok") != "ok":
        return _("%(who)s doubles (void)") % {"who": who}
    return _("%(who)s doubles to %(cube)s") % {"who": who, "cube": notation}


def _resigned(body: Mapping[str, Any], _who: str, _notation: str, names: Mapping[str, str]) -> str:
    return _("%(who)s offers to resign %(win)s") % {"who": names[body["by"]], "win": win_words(body["level"])}


def _game(body: Mapping[str, Any], _who: str, _notation: str, names: Mapping[str, str]) -> str:
    ways = {"borne_off": _("borne off"), "pass": _("by pass"), "resignation": _("by resignation")}
    return _("%(who)s wins %(win)s, cube %(cube)s, %(how)s") % {
        "who": names[body["winner"]],
        "win": win_words(body["win"]),
        "cube": body["cube"],
        "how": ways[body["ended"]],
    }


def _ended(body: Mapping[str, Any], _who: str, _notation: str, names: Mapping[str, str]) -> str:
    reason = body["reason"]
    how = _("session closed") if reason == Ending.AGREED else ENDINGS[Ending(reason)]
    if winner := body.get("winner"):
        return _("match ended: %(how)s, %(who)s wins") % {"how": how, "who": names[winner]}
    return _("match ended: %(how)s") % {"how": how}


def _penalty(body: Mapping[str, Any], _who: str, _notation: str, names: Mapping[str, str]) -> str:
    points = body["points"]
    return ngettext("%(n)s penalty point to %(who)s", "%(n)s penalty points to %(who)s", points) % {
        "n": points,
        "who": names[body["to"]],
    }


def _by(text: Callable[[str], str]) -> Callable[..., str]:
    return lambda _body, who, _notation, _names: text(who)


_WORDS: Mapping[str, Callable[..., str]] = {
    "match_start": _started,
    "opening_roll": lambda body, _who, _notation, names: (
        _("opening roll: %(white)s %(w)s, %(black)s %(b)s")
        % {"white": names["white"], "w": body["white"], "black": names["black"], "b": body["black"]}
    ),
    "roll": _rolled,
    "play": _played,
    "double": _doubled,
    "take": _by(lambda who: _("%(who)s takes") % {"who": who}),
    "pass": _by(lambda who: _("%(who)s passes") % {"who": who}),
    "beaver": _by(lambda who: _("%(who)s beavers") % {"who": who}),
    "raccoon": _by(lambda who: _("%(who)s raccoons") % {"who": who}),
    "resign": _resigned,
    "accept": _by(lambda who: _("%(who)s accepts the resignation") % {"who": who}),
    "refuse": _by(lambda who: _("%(who)s refuses the resignation") % {"who": who}),
    "no_roll": _by(lambda who: _("%(who)s is closed out") % {"who": who}),
    "game_result": _game,
    "final_score": lambda body, _who, _notation, _names: (
        _("final score %(white)s–%(black)s") % {"white": body["white"], "black": body["black"]}
    ),
    "match_end": _ended,
    "suspend": _by(lambda _who: _("match suspended")),
    "resume": _by(lambda _who: _("match resumed")),
    "set_length": lambda body, _who, _notation, _names: (
        _("match length corrected to %(n)s") % {"n": body["length"]}
    ),
    "penalty": _penalty,
    "set_position": _by(lambda _who: _("position set")),
    "ruling": _by(lambda _who: _("ruling")),
    "voided": _by(lambda _who: _("undone")),
}
