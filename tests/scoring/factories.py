"""Matches for tests that need results but no plays; sheets with plays are made by the import service."""

from datetime import UTC, datetime, timedelta

from django.db import transaction

from clubs.models import Club, Player
from scoring.models import Match, MatchStatus, Seat, Sheet, SideRow
from scoring.sheets.services.results import ResultValue, Yes, record_result

EPOCH = datetime(2026, 1, 1, 19, tzinfo=UTC)


def open_match(club: Club, white: Player, black: Player, *, length: int = 5, day: int = 0) -> Match:
    """A match with one player a side that is still being played."""
    match = Match.objects.create(
        club=club,
        sheet=Sheet.objects.create(club=club, opened_by_director=True),
        length=length,
        played_at=EPOCH + timedelta(days=day),
    )
    for colour, player in (("white", white), ("black", black)):
        side = SideRow.objects.create(match=match, colour=colour)
        Seat.objects.create(match=match, side=side, player=player)
    return match


def finish_match(match: Match, winner: str, *, final: bool = True, ended: str = "played") -> Match:
    """Give the match a result; final as if a director had confirmed it."""
    points = (match.length, 0) if winner == "white" else (0, match.length)
    value = ResultValue(winner=winner, points=points, raw=points, ended=ended)
    with transaction.atomic():
        record_result(
            match=match, value=value, status=MatchStatus.FINISHED, said_yes=[Yes("")] if final else []
        )
    return Match.objects.with_players().get(pk=match.pk)
