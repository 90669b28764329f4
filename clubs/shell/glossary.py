"""The field's words, explained for somebody who hears them for the first time.

``{% term "crawford" %}`` shows the word as a button whose explanation opens on tap. Rules are explained as
the rules core implements them; the wording is ours.
"""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the field: how it is written in running text, and one or two sentences that explain it."""

    word: str | Promise
    meaning: str | Promise


TERMS: dict[str, Term] = {
    "anchor": Term(_("anchor"), _("A point with two or more of your checkers in the opponent's home board.")),
    "away": Term(_("away"), _("Points still needed to win the match: at 3 of 5 you are 2-away.")),
    "backgammon": Term(
        _("backgammon"),
        _(
            "A win worth three times the cube: the loser has borne off nothing and still has a "
            "checker on the bar "
            "or in the winner's home board."
        ),
    ),
    "bar": Term(_("bar"), _("Where a hit checker waits. It must enter before any other checker may move.")),
    "blot": Term(_("blot"), _("A checker alone on a point, which can be hit.")),
    "blunder": Term(
        _("blunder"), _("An error large enough to matter in one move; the limit is shown beside it.")
    ),
    "buchholz": Term(_("Buchholz"), _("A tie-break: the sum of the final scores of everybody you played.")),
    "bye": Term(
        _("bye"), _("A round without an opponent, because the number of players is odd or a place is empty.")
    ),
    "chouette": Term(
        _("chouette"),
        _("Money play for three or more: one player, the box, against a team led by its captain."),
    ),
    "consolation": Term(_("consolation"), _("A second draw for those who lost in the main one.")),
    "crawford": Term(
        _("Crawford game"),
        _(
            "The first game after a player comes within one point of winning the match. In it "
            "nobody may double."
        ),
    ),
    "cube": Term(
        _("doubling cube"),
        _(
            "Marks the stake of the game. Doubling offers to play on for twice as much; the other "
            "side takes or passes."
        ),
    ),
    "delay": Term(_("delay"), _("Seconds of every move that are not counted against your time.")),
    "direct-encounter": Term(
        _("Direct encounter"),
        _("A tie-break: the rank among those who are tied, counting only their matches with each other."),
    ),
    "director": Term(
        _("director"), _("The person who runs the event: makes the draw, settles results and rules.")
    ),
    "double": Term(_("double"), _("The offer to play on for twice the stake, made before rolling.")),
    "equity": Term(
        _("equity"), _("What a position is worth on average, in points for one point of the cube.")
    ),
    "error": Term(_("error"), _("How much equity a decision gave away against the best one.")),
    "experience": Term(
        _("experience"),
        _("The lengths of all rated matches added up. Newcomers' ratings move faster, until they settle."),
    ),
    "flight": Term(_("flight"), _("A part of an event for players of similar strength.")),
    "gammon": Term(
        _("gammon"), _("A win worth twice the cube, because the loser has not borne off a single checker.")
    ),
    "jacoby": Term(_("Jacoby rule"), _("In money play gammons count only once the cube has been turned.")),
    "luck": Term(_("luck"), _("How much better the rolls were than the average roll, in equity.")),
    "midpoint": Term(
        _("midpoint"),
        _(
            "The 13 point, halfway round the board. Five of your checkers start there, and the "
            "way home begins."
        ),
    ),
    "mwc": Term(_("match-winning chance"), _("How often a side wins the match from here, in percent.")),
    "no-show": Term(_("no-show"), _("A match won without play because the opponent did not appear.")),
    "pass": Term(_("pass"), _("To refuse a double and lose the game at the stake it had before.")),
    "pip": Term(
        _("pip count"), _("The number of points that all your checkers must still travel to bear off.")
    ),
    "pr": Term(
        _("PR"),
        _(
            "Performance rating: the average error of a decision times 500. Lower is better; "
            "world class is below 4."
        ),
    ),
    "prime": Term(
        _("prime"), _("Points in a row that the opponent cannot land on; nothing jumps over six of them.")
    ),
    "rating": Term(
        _("rating"),
        _(
            "A number for strength that moves with every match: more for a surprise, less for "
            "what was expected."
        ),
    ),
    "seed": Term(_("seed"), _("The rank a player has for the draw. High seeds meet late.")),
    "sonneborn-berger": Term(
        _("Sonneborn-Berger"),
        _("A tie-break: the sum of the final scores of everybody you beat, and half of those you drew with."),
    ),
    "swiss": Term(
        _("Swiss"),
        _(
            "Everybody plays every round, against an opponent with the same or nearly the same "
            "score, and nobody twice."
        ),
    ),
    "take": Term(
        _("take"), _("To accept a double: the game goes on for twice the stake, and the cube is yours.")
    ),
}
