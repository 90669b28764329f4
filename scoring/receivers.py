"""Receivers for changed results and merged players."""

from typing import Any

from django.dispatch import receiver

from clubs.accounts.queries import register_export
from clubs.clubs.services.erasures import on_erase
from clubs.http.ways import way_to
from clubs.models import Player
from clubs.people.pages import register as register_player_page
from clubs.people.services.merges import Moved, on_merge
from clubs.tasks import wake
from scoring.analysis.services.analyses import request_finished
from scoring.analysis.services.play_sums import store_file_sums
from scoring.chouettes.services.boards import follow_board
from scoring.files.queries.photos import exported_photos
from scoring.files.services.aliases import move_matches, put_matches_back
from scoring.files.services.photos import forget_photos
from scoring.helping.queries.helpers import exported_helpers
from scoring.helping.services.helpers import forget_helpers
from scoring.learning.services.erasures import forget_cards, own_cards, own_shared
from scoring.learning.services.filling import ask_to_fill, drop_cards_of_others, refresh_cards
from scoring.log.queries.writers import Author
from scoring.matches.additions import register as register_addition
from scoring.matches.services.notices import ask_to_tell
from scoring.models import FileAnalysis, Match, MatchStatus
from scoring.players.services.erasures import (
    forget_names,
    forget_notes,
    own_chouettes,
    own_matches,
    own_names,
    own_notes,
)
from scoring.positions.services.saved import forget_positions, own_positions
from scoring.ratings.queries.ratings import queued_updates
from scoring.ratings.services.ratings import ask_for_update
from scoring.rules.match_state import MatchState
from scoring.sharing.queries.links import exported_links
from scoring.sharing.queries.notes import exported_notes
from scoring.sharing.queries.privacy import own_privacy
from scoring.sharing.services.links import forget_links
from scoring.sharing.services.notes import forget_match_notes
from scoring.sharing.views.additions import sharing_of
from scoring.sheets.queries.videos import exported_videos
from scoring.sheets.services.results import ResultValue
from scoring.sheets.services.videos import forget_videos
from scoring.signals import analysed, board_changed, file_analysed, record_over, result_changed


def move_and_rate(guest: Player, into: Player) -> Moved:
    """Move the guest's matches, and wake the replay of the lists that they rate on."""
    moved = move_matches(guest, into)
    for update in queued_updates(into):
        wake(update)
    return moved


def put_back_and_rate(guest: Player, into: Player, moved: Moved) -> None:
    """Put the guest's matches back, and wake the replay of the lists that they rate on."""
    put_matches_back(guest, into, moved)
    for update in queued_updates(guest):
        wake(update)


def look_for_cards(_guest: Player, into: Player) -> Moved:
    """Look for cards in the matches that the player has got; a guest has none to move."""
    if into.user_id is not None and (fill := ask_to_fill(player=into)):
        wake(fill)
    return {}


def drop_cards(_guest: Player, into: Player, _moved: Moved) -> None:
    """Drop the player's cards of matches that went back to the guest."""
    drop_cards_of_others(player=into)


def _player_page(player: Player) -> str:
    return way_to("scoring:player", player.ref)


register_player_page(_player_page)
register_addition(sharing_of)
on_merge("scoring.matches", move_and_rate, put_back_and_rate)
on_merge("scoring.learning", look_for_cards, drop_cards)
on_erase(forget_cards)
on_erase(forget_helpers)
on_erase(forget_names)
on_erase(forget_notes)
on_erase(forget_positions)
register_export("mistakes", own_cards)
register_export("shared_mistakes", own_shared)
register_export("analysis_helpers", exported_helpers)
register_export("matches", own_matches)
register_export("chouettes", own_chouettes)
register_export("names_in_files", own_names)
register_export("notes_on_matches", exported_notes)
on_erase(forget_match_notes)
on_erase(forget_photos)
register_export("photos", exported_photos)
on_erase(forget_videos)
register_export("videos", exported_videos)
on_erase(forget_links)
register_export("links", exported_links)
register_export("privacy_of_analyses", own_privacy)
register_export("notes_on_sheets", own_notes)
register_export("saved_positions", own_positions)


@receiver(result_changed, sender=Match)
def follow_result(match: Match, after: ResultValue | None, **_signal: Any) -> None:
    """Queue ratings, notices and the analyses after a changed result."""
    for update in ask_for_update(match=match):
        wake(update)
    for notice in ask_to_tell(match=match, value=after):
        wake(notice)
    if match.status == MatchStatus.FINISHED:
        for analysis in request_finished(match=match):
            wake(analysis)


@receiver(board_changed, sender=Match)
def follow_record(match: Match, state: MatchState, author: Author, **_signal: Any) -> None:
    """The table follows its board; a game that is over there is analysed."""
    follow_board(match=match, state=state, author=author)
    follow_record_over(match=match)


@receiver(record_over, sender=Match)
def follow_record_over(match: Match, **_signal: Any) -> None:
    """A chouette's game that is over is analysed as a match is, whichever of table and board has ended it."""
    if match.status == MatchStatus.FINISHED:
        for analysis in request_finished(match=match):
            wake(analysis)


@receiver(file_analysed, sender=FileAnalysis)
def follow_file_analysis(analysis: FileAnalysis, **_signal: Any) -> None:
    """Add up the play that a file's analysis judges, as one more label."""
    store_file_sums(analysis)


@receiver(analysed, sender=Match)
def follow_analysis(match: Match, **_signal: Any) -> None:
    """Keep the cards of the match true to its newest analysis; a chouette's decisions make none."""
    if not match.in_chouette:
        refresh_cards(match=match)
