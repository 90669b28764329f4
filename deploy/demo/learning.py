"""What the demo accounts do with analysed matches: position of the week, a note, a second label.

Everything here can be done again and adds nothing then, so that a killed run is resumed.
"""

from collections.abc import Iterable

from clubs.models import Club, Player
from scoring.analysis.queries.engines import offered
from scoring.analysis.services.analyses import request_analysis
from scoring.learning.services.sharing import share_mistakes
from scoring.models import Analysis, Card, Level, Match, MatchNote
from scoring.models.note import NoteFor
from scoring.positions.services.saved import save_position
from scoring.sharing.services.notes import write_note

OPENING = "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
SAVED = 2
"""Own mistakes that each demo account saves as positions."""
NOTE = "I saw the other play and did not trust it. What would you do?"


def record_learning(club: Club, accounts: Iterable[Player]) -> None:
    """Let the demo accounts share and keep what they learn from their analysed matches in the club.

    Without an analysed match of theirs only the opening is saved.
    """
    noted = False
    for player in accounts:
        if player.user is None:
            continue
        share_mistakes(player=player, club=club, coach=True, quiz=True)
        save_position(user=player.user, xgid=OPENING, name="Opening 3-1", note="Make the 5 point.")
        cards = Card.objects.of_player(player).mistakes().filter(match__club=club).largest_first()
        for number, card in enumerate(cards[:SAVED], start=1):
            save_position(user=player.user, xgid=card.xgid, name=f"From a club night {number}")
        worst = cards.first()
        if worst is not None and not noted:
            noted = True
            _note(player, worst)
    _ask_for_a_second_label(club)


def _note(player: Player, card: Card) -> None:
    """A question to the club at the player's biggest mistake."""
    if player.user is None or MatchNote.objects.filter(author=player, match=card.match).exists():
        return
    match = Match.objects.with_players().select_related("sheet").get(pk=card.match_id)
    write_note(user=player.user, match=match, text=NOTE, audience=NoteFor.CLUB, event_seq=card.event_seq)


def _ask_for_a_second_label(club: Club) -> None:
    """Ask the workers to analyse the shortest analysed match another way, too."""
    done = Analysis.objects.done().filter(match__club=club, match__in_chouette=False, level=Level.STANDARD)
    shortest = done.select_related("match__sheet").order_by("head_seq", "pk").first()
    if shortest is None:
        return
    others = [each for each in offered() if (each.engine, each.preset) != (shortest.engine, shortest.preset)]
    # The other engine at the same depth costs least; with one engine, the next depth.
    others.sort(key=lambda each: (each.engine == shortest.engine, each.preset != shortest.preset))
    if others:
        request_analysis(match=shortest.match, engine=others[0].engine, preset=others[0].preset)
