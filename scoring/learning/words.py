"""Verdicts and the return of a card in the reader's language."""

from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.formats.dates import day as written_day
from scoring.drawing.figures import cost, error_size
from scoring.models import CardAnswer, CardState
from scoring.theory.cards import AnswerVerdict


def action_words(text: str) -> str:
    """A play as it is written, or a cube action in words."""
    names = {
        "": _("cannot move"),
        "no double": _("No double"),
        "double": _("Double"),
        "take": _("Take"),
        "pass": _("Pass"),
    }
    return names.get(text, text)


def verdict_words(answer: CardAnswer) -> str:
    """The verdict on an answer in one sentence, with what is best."""
    named = {
        "given": action_words(answer.given),
        "best": action_words(answer.best),
        "loss": cost(answer.loss or 0.0),
    }
    if answer.right and answer.given == answer.best:
        return _("Right: %(best)s is best.") % named
    if answer.right:
        return _("Right: %(given)s costs only %(loss)s. Best is %(best)s.") % named
    if answer.is_exact:
        return _("Not right: %(given)s costs %(loss)s. Best is %(best)s.") % named
    return (
        _("Not right: %(given)s is worse than every play listed, by at least %(loss)s. Best is %(best)s.")
        % named
    )


def best_words(best: str) -> str:
    """What was best, of a decision that nobody is asked."""
    return _("Best: %(best)s.") % {"best": action_words(best)}


def tried_words(play: str, verdict: AnswerVerdict | None, best: str) -> str:
    """What a play costs that was tried, in one sentence."""
    if verdict is None:
        return _("This match is not analysed yet, so nothing is known of %(play)s.") % {"play": play}
    named = {"play": play, "best": best, "loss": cost(verdict.loss)}
    if not verdict.is_exact:
        text = _("%(play)s is worse than every play listed, by at least %(loss)s. Best is %(best)s.")
    elif verdict.loss:
        text = _("%(play)s costs %(loss)s. Best is %(best)s.")
    else:
        text = _("%(play)s is best.")
    return text % named


def match_words(answer: CardAnswer) -> str:
    """What was done in the match, in one sentence."""
    named = {"played": action_words(answer.played), "loss": error_size(answer.played_loss or 0.0)}
    if answer.played_loss:
        return _("In the match: %(played)s, %(loss)s.") % named
    return _("In the match: %(played)s. That was right.") % named


def return_words(state: str, due: date | None, on: date) -> str:
    """When a card comes back, e.g. "Back in 7 days"."""
    if state == CardState.PARKED:
        return _("Parked after four wrong answers.")
    if due is None:
        return _("Done: this card does not come back.")
    days = (due - on).days
    if days <= 0:
        return _("Back today.")
    if days == 1:
        return _("Back tomorrow.")
    return ngettext("Back in %(n)s day.", "Back in %(n)s days.", days) % {"n": days}


def next_words(due: date | None) -> str:
    """When the next card comes back; "" without one."""
    return "" if due is None else _("Next card on %(day)s.") % {"day": written_day(due)}
