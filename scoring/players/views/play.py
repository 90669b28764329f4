"""How a player plays: what the decisions of all their analysed matches come to, under one label."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import decides
from clubs.models import Player
from scoring.analysis.queries.label_words import label_words
from scoring.log.queries.visible import clubs_seen_by
from scoring.players.queries.play import PlayFigures, TallyLine, play_in
from scoring.players.queries.play_rows import MOST_MATCHES, newest_of_player, seen_sums
from scoring.players.queries.players import clubs_where_known, records_by_length
from scoring.players.views import play_words as words
from scoring.players.views.histories import performance_chart
from scoring.players.views.players import CHART_POINTS, SEEN, head_of, of_player
from scoring.ratings.queries.ratings import ratings_of
from scoring.theory.play_sums import FEWEST


@dataclass(frozen=True, slots=True)
class PlayTable:
    """One table: its id and heading, a name for each line, and one sentence on how to read it."""

    key: str
    heading: str
    rows: Sequence[tuple[str, TallyLine]]
    note: str = ""

    @property
    def counts_matches(self) -> bool:
        return any(line.matches is not None for _name, line in self.rows)


@decides(SEEN)
@require_safe
@of_player
def player_play(request: HttpRequest, player: Player) -> HttpResponse:
    """PR over time, by phase, kind, score, length and opponent; mistakes, openings, dice."""
    seen_clubs = clubs_seen_by(request.user)
    clubs = clubs_where_known(player, seen_clubs)
    labels = seen_sums(player, clubs=clubs, viewer=request.user)
    asked = request.GET.get("label", "")
    label = asked if asked in labels else next(iter(labels), "")
    ratings = ratings_of(player, seen_clubs)
    rating_list = ratings[0].list if ratings else None
    played = newest_of_player(player, labels.get(label, ()), rating_list=rating_list)
    play = play_in(played)
    lengths = records_by_length(player, clubs, request.user)
    context = head_of(request, player, clubs, "play", lengths=lengths) | {
        "play": play,
        "label": label,
        "labels": [(each, label_words(each), len(keys)) for each, keys in labels.items()],
        "most": MOST_MATCHES if len(played) == MOST_MATCHES else 0,
        "fewest": FEWEST,
        "groups": groups_of(play, rating_list.club.name if rating_list else ""),
        "mistakes": [(words.MISTAKES[each.kind], words.PHASES[each.phase], each) for each in play.mistakes],
        "performance_chart": performance_chart(played[:CHART_POINTS], title=_("PR over time")),
        "lengths": lengths,
        "dice": [(words.DICE[name], name, each) for name, each in play.dice.items()],
    }
    return render(request, "scoring/players/play.html", context)


def groups_of(play: PlayFigures, list_name: str) -> list[PlayTable]:
    """The tables of the page that have a line; ``list_name`` is the club whose ratings opponents have."""
    strength = _("Rating at the time, on the list of %(club)s.") % {"club": list_name} if list_name else ""
    wanted: list[tuple[str, str, list[TallyLine], Callable[[TallyLine], str], str]] = [
        ("windows", _("Newest matches"), play.windows, words.window, ""),
        ("phases", _("Phase of the game"), play.phases, words.named(words.PHASES), ""),
        ("kinds", _("Kind of decision"), play.kinds, words.named(words.KINDS), ""),
        ("scores", _("Score"), play.scores, words.named(words.SCORES), ""),
        ("lengths", _("Match length"), play.lengths, words.length, ""),
        ("opponents", _("Opponent’s rating"), play.opponents if list_name else [], words.opponent, strength),
        ("months", _("Months"), play.months, words.month, ""),
    ]
    return [
        PlayTable(key, heading, [(name(line), line) for line in lines], note)
        for key, heading, lines, name, note in wanted
        if lines
    ]
