"""What the demo accounts do with analysed matches: position of the week, a note, a link, a second label.

Each also asks to let a computer of theirs help; nobody has its token, so it never connects.

Everything here can be done again and adds nothing then, so that a killed run is resumed.
"""

from collections.abc import Iterable

from django.conf import settings

from clubs.models import Club, Player, User
from scoring.analysis.queries.engines import offered
from scoring.analysis.queries.privacy import can_see_analysis
from scoring.analysis.services.analyses import request_analysis
from scoring.helping.services.helpers import ask_for_helper
from scoring.learning.services.sharing import share_mistakes
from scoring.models import Analysis, Card, Helper, Level, LinkShows, Match, MatchNote, ShareLink
from scoring.models.note import NoteFor
from scoring.positions.services.saved import save_position
from scoring.sharing.queries.links import EVERYONE, numbers_of
from scoring.sharing.services.links import make_link
from scoring.sharing.services.notes import write_note
from scoring.sheets.queries.opened_match import open_match_of

OPENING = "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
SAVED = 2
"""Own mistakes that each demo account saves as positions."""
LINK_DAYS = 90
HELPER = "Living room desktop"
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
            _link(player.user, worst)
        _help(player.user, club)
    _ask_for_a_second_label(club)


def _note(player: Player, card: Card) -> None:
    """A question to the club at the player's biggest mistake."""
    if player.user is None or MatchNote.objects.filter(author=player, match=card.match).exists():
        return
    match = Match.objects.with_players().select_related("sheet").get(pk=card.match_id)
    write_note(user=player.user, match=match, text=NOTE, audience=NoteFor.CLUB, event_seq=card.event_seq)


def _link(user: User, worst: Card) -> None:
    """A link to the biggest mistake that shows nothing else."""
    opened = open_match_of(worst.match.ref, user)
    if opened is None or ShareLink.objects.filter(match=worst.match_id, made_by__user=user).exists():
        return
    step = numbers_of(opened.match).get(worst.event_seq)
    if step is not None and can_see_analysis(EVERYONE, opened.match):
        make_link(
            user=user,
            match=opened.match,
            role=opened.role,
            shows=LinkShows.DECISION,
            days=LINK_DAYS,
            step=step,
        )


def _help(user: User, club: Club) -> None:
    """A computer that offers its help."""
    if settings.ANALYSIS_HELPERS and not Helper.objects.filter(user=user, club=club).exists():
        ask_for_helper(user=user, club=club, name=HELPER)


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
