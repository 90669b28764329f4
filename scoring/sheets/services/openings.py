"""Create matches with their scoresheets."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.utils.timezone import now

from clubs.access import role_of
from clubs.models import Club, Player, Role, User
from scoring.log.services.sheets import begin_sheets
from scoring.models import Colour, Match, MatchStatus, Seat, Sheet, SideRow
from scoring.rules.errors import IllegalAction, InvalidValue
from scoring.rules.events import MatchStarted
from scoring.rules.profiles import STANDARD_PROFILE, Profile, profile_to_plain
from scoring.rules.sheet import begin

MOST_AT_A_SIDE = 2
EARLIEST = datetime(1900, 1, 1, tzinfo=UTC)
# Of clocks that do not agree: a device that is a little ahead still plays now.
AHEAD = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Opponents:
    """Players of a match, one or two a side, White first, and its length."""

    white: Sequence[Player]
    black: Sequence[Player]
    length: int


def open_match(
    *,
    club: Club,
    white: Sequence[Player],
    black: Sequence[Player],
    length: int,
    profile: Profile = STANDARD_PROFILE,
    user: User | None = None,
    played_at: datetime | None = None,
    handicap: tuple[int, int] = (0, 0),
    friendly: bool = False,
    directed: bool = False,
) -> Match:
    """Create a match to ``length`` points (0: money session) with its sheet.

    One or two players a side, nobody twice; ``handicap`` is White's and Black's points at the start;
    ``played_at`` an aware time, None for now. A ``friendly`` match moves no rating; a ``directed`` one is
    an event's. Raises InvalidValue for a length, handicap, time or seating that cannot be, IllegalAction
    for a ``user`` who neither plays in it nor directs; nothing is kept. Without a user the installation opens
    it.
    """
    (match,) = open_matches(
        club=club,
        seatings=[Opponents(white, black, length)],
        profile=profile,
        user=user,
        played_at=played_at,
        handicap=handicap,
        friendly=friendly,
        directed=directed,
    )
    return match


def open_matches(
    *,
    club: Club,
    seatings: Sequence[Opponents],
    profile: Profile = STANDARD_PROFILE,
    user: User | None = None,
    played_at: datetime | None = None,
    handicap: tuple[int, int] = (0, 0),
    friendly: bool = False,
    directed: bool = False,
) -> list[Match]:
    """Create a match for each seating, as :func:`open_match` (constant queries).

    Raises InvalidValue for what cannot be, IllegalAction for a user who may not; nothing is kept then.
    """
    for seating in seatings:
        _check_seating(seating.white, seating.black)
    directs = _check_opener(club, seatings, user)
    played_at = _when(played_at)
    starts = [MatchStarted(seating.length, profile.options, *handicap) for seating in seatings]
    states = [begin(start) for start in starts]
    plain = profile_to_plain(profile)
    sheets = [
        Sheet(club=club, profile=plain, opened_by=user, directed=directed, opened_by_director=directs)
        for _seating in seatings
    ]
    with transaction.atomic(savepoint=False):
        begin_sheets(sheets=sheets, events=starts, states=states, user=user)
        matches = Match.objects.bulk_create(
            Match(
                club=club,
                sheet=sheet,
                length=seating.length,
                played_at=played_at,
                status=MatchStatus.PLAYING,
                friendly=friendly,
            )
            for sheet, seating in zip(sheets, seatings, strict=True)
        )
        sides = SideRow.objects.bulk_create(
            SideRow(match=match, colour=colour)
            for match in matches
            for colour in (Colour.WHITE, Colour.BLACK)
        )
        at_sides = [players for seating in seatings for players in (seating.white, seating.black)]
        Seat.objects.bulk_create(
            Seat(match=side.match, side=side, player=player, order=order)
            for side, players in zip(sides, at_sides, strict=True)
            for order, player in enumerate(players)
        )
    return matches


def reseat(*, match: Match, colour: str, players: Sequence[Player]) -> None:
    """Change a side's players before the match starts. The caller holds the sheet.

    Raises InvalidValue once something was recorded, and for a seating that cannot be.
    """
    if match.sheet.head_seq > 1:
        raise InvalidValue("begun", "the players of a match that has started cannot be changed")
    others = Seat.objects.filter(match=match).exclude(side__colour=colour).select_related("player")
    _check_seating(players, [seat.player for seat in others])
    side = SideRow.objects.get(match=match, colour=colour)
    Seat.objects.filter(side=side).delete()
    Seat.objects.bulk_create(
        Seat(match=match, side=side, player=player, order=order) for order, player in enumerate(players)
    )


def _check_opener(club: Club, seatings: Sequence[Opponents], user: User | None) -> bool:
    """Whether the user directs. Raises IllegalAction for a user who does not play."""
    if user is None:
        return True
    role = role_of(user, club)
    if role is not None and role >= Role.DIRECTOR:
        return True
    for seating in seatings:
        if not any(player.user_id == user.pk for player in (*seating.white, *seating.black)):
            raise IllegalAction(
                "not_your_match",
                "only its players and directors can create a match: take a seat or ask a director",
            )
    return False


def _check_seating(white: Sequence[Player], black: Sequence[Player]) -> None:
    for players in (white, black):
        if not 1 <= len(players) <= MOST_AT_A_SIDE:
            raise InvalidValue("seats", "a side has 1 or 2 players, not {count}", count=len(players))
    everybody = [player.pk for player in (*white, *black)]
    if len(set(everybody)) < len(everybody):
        raise InvalidValue("same_player", "a player can have only one seat in a match")


def _when(played_at: datetime | None) -> datetime:
    """The checked time of play. Raises InvalidValue before 1900 and in the future."""
    at = now()
    if played_at is None:
        return at
    if not EARLIEST <= played_at <= at + AHEAD:
        raise InvalidValue(
            "played_at",
            "a match must be dated between 1900 and now, not {day}: leave the time empty for now",
            day=f"{played_at:%Y-%m-%d %H:%M %Z}",
        )
    return min(played_at, at)
