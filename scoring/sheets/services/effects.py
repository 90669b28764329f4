"""Update a match after its sheet changes: length, status, result, digest."""

from scoring.log.queries.writers import Author
from scoring.models import Match
from scoring.rules.match_state import MatchState
from scoring.rules.match_transitions import in_game
from scoring.sheets.services.identity import give_way, given_before, name_match
from scoring.sheets.services.results import Yes, record_result, status_in, value_at, value_in
from scoring.signals import board_changed, score_changed


def follow_state(*, match: Match, state: MatchState, author: Author, hold: object = None) -> None:
    """Save the match for the sheet's new state. The caller holds sheet and match.

    A match that goes on only grows a version. The result of one that is over is recorded, and is final at
    once when a director who does not play in it wrote it. The same match from a file gives way to it. What
    the record of a chouette's game does is for the table to say (``scoring.chouettes.services.boards``).
    ``hold`` goes to the receivers of ``result_changed``.
    """
    if match.in_chouette:
        board_changed.send(sender=Match, match=match, state=state, author=author)
        return
    match.length = state.score.length
    twin = name_match(match=match, state=state) if state.outcome or match.digest else None
    yes = [Yes("", user=author.user)] if author.directs and author.side is None else given_before(twin)
    value = value_in(state)
    if value is None and getattr(match, "result", None) is not None:
        value = value_at(state, winner="", ended="")
    own = Yes(author.side, user=author.user, claim=author.claim) if author.side else None
    status = status_in(state)
    record_result(match=match, value=value, status=status, said_yes=yes, reported_by=own, hold=hold)
    if value is None and not in_game(state):
        score_changed.send(sender=Match, match=match)
    if twin is not None:
        give_way(twin=twin, to=match, user=author.user)
