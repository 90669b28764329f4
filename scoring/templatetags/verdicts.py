"""``{% load verdicts %}``: what is said of a judged decision, in the reader's language."""

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import gettext, pgettext

from scoring.analysis.queries.failures import reason_of
from scoring.analysis.queries.judgements import Judgement
from scoring.analysis.queries.label_words import label_words, short_label
from scoring.drawing.chances import DESK, PHONE, ChanceGraph, draw_chances
from scoring.theory.decisions import Decision, DecisionKind
from scoring.theory.performance import ErrorMark
from scoring.theory.play_rating import PlayRating, play_rating

register = template.Library()


@register.filter
def action(text: str) -> str:
    """A candidate's action: a cube action in words, a play as it is written."""
    words = {
        "": gettext("cannot move"),
        "no double": gettext("No double"),
        "double/take": gettext("Double, take"),
        "double/pass": gettext("Double, pass"),
        "double": gettext("Double"),
        "take": gettext("Take"),
        "pass": gettext("Pass"),
    }
    return words.get(text, text)


@register.filter
def failure(error: str) -> str:
    """Why an analysis failed, in a sentence."""
    return reason_of(error)


@register.filter
def verdict(judgement: Judgement) -> str:
    """The verdict on a decision in two or three words."""
    decision = judgement.decision
    if len(decision.candidates) < 2:
        return gettext("Forced")
    if decision.kind is not DecisionKind.CHECKER and judgement.mark:
        return _wrong_cube(decision)
    if judgement.mark is ErrorMark.BLUNDER:
        return gettext("Blunder")
    if judgement.mark is ErrorMark.ERROR:
        return gettext("Error")
    if not judgement.error:
        return gettext("Best play") if decision.kind is DecisionKind.CHECKER else gettext("Correct")
    return gettext("Good play") if decision.kind is DecisionKind.CHECKER else gettext("Close")


def _wrong_cube(decision: Decision) -> str:
    played = decision.played
    if played == "no double":
        return gettext("Missed double")
    if played == "take":
        return gettext("Wrong take")
    return gettext("Wrong pass") if played == "pass" else gettext("Wrong double")


@register.filter
def mark_word(judgement: Judgement) -> str:
    """A decision's mark in one word; "good" if unmarked."""
    if judgement.mark is ErrorMark.BLUNDER:
        return gettext("blunder")
    return gettext("error") if judgement.mark is ErrorMark.ERROR else pgettext("of a decision", "good")


@register.filter
def cube_action(decision: Decision) -> str:
    """The right cube action of both players, e.g. "No double, take."; "" for an answer to a double."""
    equities = {each.action: each.equity for each in decision.candidates}
    if not {"no double", "double/take", "double/pass"} <= equities.keys():
        return ""
    hold, take, passed = (equities[each] for each in ("no double", "double/take", "double/pass"))
    if min(take, passed) > hold:
        return gettext("Double, take.") if take < passed else gettext("Double, pass.")
    if take < passed:
        return gettext("No double, take.")
    return gettext("Too good to double, pass.")


@register.filter
def level(decision: Decision) -> str:
    """The analysis level of the play made, or else of the best play."""
    played = next((each for each in decision.candidates if each.played), decision.best)
    return played.level if played else ""


@register.filter(name="play_rating")
def words_of_rating(pr: float | None) -> str:
    """GNU Backgammon's word for a PR; a dash without one."""
    words = {
        PlayRating.SUPERNATURAL: pgettext("rating of the play", "Supernatural"),
        PlayRating.WORLD_CLASS: pgettext("rating of the play", "World class"),
        PlayRating.EXPERT: pgettext("rating of the play", "Expert"),
        PlayRating.ADVANCED: pgettext("rating of the play", "Advanced"),
        PlayRating.INTERMEDIATE: pgettext("rating of the play", "Intermediate"),
        PlayRating.CASUAL: pgettext("rating of the play", "Casual player"),
        PlayRating.BEGINNER: pgettext("rating of the play", "Beginner"),
        PlayRating.BELOW: pgettext("rating of the play", "Below beginner"),
    }
    found = play_rating(pr)
    return words[found] if found else "–"


@register.filter(name="label_words")
def words_of_label(label: str) -> str:
    """An exact label as players say it."""
    return label_words(label)


@register.filter(name="short_label")
def short_words_of_label(label: str) -> str:
    """An exact label in its short form; the page has the whole one."""
    return short_label(label)


@register.filter
def label_id(label: str) -> str:
    """An id of the element that explains an exact label."""
    return f"label-{slugify(label)}"


@register.simple_tag
def chances(graph: ChanceGraph, title: str, *, phone: bool = False) -> SafeString:
    """The graph of White's chances."""
    drawing = draw_chances(graph, title=title, layout=PHONE if phone else DESK)
    return mark_safe(drawing)  # noqa: S308 - built by us; all words in it are escaped
