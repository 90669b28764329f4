"""The glossary: terms of backgammon and tournaments, explained on tap.

``{% term "crawford" %}`` shows the word as a button whose explanation opens on tap. Rules are explained as
the rules core implements them.
"""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Term:
    """A term as written in running text, and its explanation in a sentence or two."""

    word: str | Promise
    meaning: str | Promise


TERMS: dict[str, Term] = {
    "anchor": Term(_("anchor"), _("A point with two or more of your checkers in the opponent’s home board.")),
    "away": Term(_("away"), _("Points still needed to win the match: at 3 of 5 you are 2-away.")),
    "backgammon": Term(
        _("backgammon"),
        _(
            "A win worth three times the cube: the loser has borne off nothing and still has a "
            "checker on the bar "
            "or in the winner’s home board."
        ),
    ),
    "bar": Term(_("bar"), _("Where a hit checker waits. It must enter before any other checker may move.")),
    "bear-off": Term(
        _("bear-off"),
        _("The end of a race: all checkers of the player who decides are home, and they take them off."),
    ),
    "blot": Term(_("blot"), _("A checker alone on a point, which can be hit.")),
    "blunder": Term(_("blunder"), _("A large error; the threshold is shown beside it.")),
    "buchholz": Term(_("Buchholz"), _("A tie-break: the sum of your opponents’ final scores.")),
    "bye": Term(
        _("bye"),
        _("A round without an opponent, because the number of players is odd or the bracket is not full."),
    ),
    "card": Term(_("card"), _("A decision from one of your matches, asked again until you know the answer.")),
    "chouette": Term(
        _("chouette"),
        _("Money play for three or more: one player, the box, against a team led by its captain."),
    ),
    "consolation": Term(_("consolation"), _("A second bracket for players knocked out of the main one.")),
    "contact": Term(
        _("contact"), _("A position in which a checker of either side has still to pass one of the other’s.")
    ),
    "crawford": Term(
        _("Crawford game"),
        _(
            "The first game after a player comes within one point of winning the match. "
            "It is played without the cube."
        ),
    ),
    "cube": Term(
        _("doubling cube"),
        _("Marks the stake of the game. A player can offer to double it; the opponent takes or passes."),
    ),
    "delay": Term(_("delay"), _("Seconds at the start of each turn that do not count against your time.")),
    "direct-encounter": Term(
        _("Direct encounter"),
        _("A tie-break: the results between the tied players only."),
    ),
    "director": Term(
        _("director"), _("The person who runs the event: makes the draw, decides results and gives rulings.")
    ),
    "double": Term(_("double"), _("The offer to play on for twice the stake, made before rolling.")),
    "equity": Term(_("equity"), _("What a position is worth on average, in points with the cube at 1.")),
    "error": Term(_("error"), _("The equity a decision lost against the best one.")),
    "experience": Term(
        _("experience"),
        _("The total length of a player’s rated matches. Ratings of new players change faster."),
    ),
    "flight": Term(_("division"), _("Part of an event, for players of similar strength.")),
    "gammon": Term(
        _("gammon"), _("A win worth twice the cube, because the loser has not borne off a single checker.")
    ),
    "jacoby": Term(_("Jacoby rule"), _("In money play gammons count only once the cube has been turned.")),
    "keizer-value": Term(
        _("value"), _("What a win against this player is worth in a Keizer: the higher the rank, the more.")
    ),
    "label": Term(
        _("label"),
        _(
            "What analysed a match: engine, version, preset and match equity table. PRs of two labels do not "
            "compare."
        ),
    ),
    "luck": Term(_("luck"), _("How much better the rolls were than average, in equity.")),
    "luck-adjusted": Term(
        _("luck-adjusted result"),
        _("The result in match-winning chance, less both players’ luck. It can lie outside 0 to 100%."),
    ),
    "midpoint": Term(
        _("midpoint"),
        _(
            "The 13 point, halfway round the board. Five of your checkers start there, and the "
            "way home begins."
        ),
    ),
    "mwc": Term(_("match-winning chance"), _("The chance of winning the match from here, in percent.")),
    "no-show": Term(_("no-show"), _("A match decided without play because a player did not appear.")),
    "pass": Term(_("pass"), _("To refuse a double and lose the game at its current stake.")),
    "pip": Term(
        _("pip count"), _("The total number of points your checkers still have to travel to bear off.")
    ),
    "pr": Term(
        _("PR"),
        _(
            "Performance rating: the average error of a decision times 500. Lower is better; "
            "world class is below 2.5."
        ),
    ),
    "preset": Term(_("preset"), _("How deep an engine looks: estimate, fast, deep or rollout.")),
    "play-rating": Term(
        _("rating of the play"),
        _("The word that GNU Backgammon gives to an error rate, from supernatural to below beginner."),
    ),
    "prime": Term(_("prime"), _("Several made points in a row. A checker cannot jump over six of them.")),
    "race": Term(_("race"), _("A position without contact: only the pip counts and the dice decide.")),
    "rating": Term(
        _("rating"),
        _("A number for playing strength that changes with every match, more after a surprise."),
    ),
    "seed": Term(_("seed"), _("A player’s rank for the draw. High seeds meet late.")),
    "snowie": Term(
        _("Snowie error rate"),
        _("A player’s loss times 1,000, divided by the plays of both players. Lower is better."),
    ),
    "sonneborn-berger": Term(
        _("Sonneborn-Berger"),
        _("A tie-break: the final scores of the opponents you beat, plus half of those you drew with."),
    ),
    "swiss": Term(
        _("Swiss"),
        _(
            "Everyone plays every round, against opponents on the same or a similar score, never the same "
            "one twice."
        ),
    ),
    "take": Term(
        _("take"), _("To accept a double: the game goes on for twice the stake, and you own the cube.")
    ),
}

MORE: dict[str, str] = {
    "bear-off": "players/play",
    "blunder": "players/analysis",
    "buchholz": "directors/tie-breaks",
    "bye": "directors/knockout",
    "card": "players/mistakes",
    "chouette": "players/chouette",
    "consolation": "directors/knockout",
    "contact": "players/play",
    "direct-encounter": "directors/tie-breaks",
    "error": "players/analysis",
    "experience": "players/rating",
    "flight": "directors/divisions",
    "keizer-value": "directors/swiss",
    "label": "players/analysis",
    "luck": "players/analysis",
    "luck-adjusted": "players/analysis",
    "no-show": "directors/no-show",
    "play-rating": "players/analysis",
    "pr": "players/analysis",
    "preset": "players/analysis",
    "race": "players/play",
    "rating": "players/rating",
    "seed": "directors/draw",
    "snowie": "players/analysis",
    "sonneborn-berger": "directors/tie-breaks",
    "swiss": "directors/swiss",
}
"""The page of the docs that says more about a term."""
