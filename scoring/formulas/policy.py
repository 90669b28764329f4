"""Which matches rate and who is listed: choices of a club, as typed values.

Source: docs/reference/ratings.md, "What rates" (UKBGF clubs exclude walkovers, unfinished and friendly
matches; points won by penalty still rate) and "Who is listed" (Germany lists from 200 experience and a match
in the last 12 months; Belgium marks ratings under 100 experience as provisional); docs/reference/rules.md,
"How a match ends".
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from scoring.rules.endings import Ending


class Unrated(StrEnum):
    """Why a match does not move ratings; the first reason that applies, in this order."""

    UNFINISHED = "unfinished"
    NOT_FINAL = "not_final"
    NO_WINNER = "no_winner"
    MONEY = "money"
    LENGTH = "length"
    NOT_SINGLES = "not_singles"
    GUEST = "guest"
    SAME_PLAYER = "same_player"
    FRIENDLY = "friendly"
    ENDING = "ending"


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """What a policy needs to know of a match; `players` are the seats of both sides, opaque ids."""

    length: int
    players: tuple[tuple[str, ...], tuple[str, ...]]
    finished: bool
    final: bool
    has_winner: bool
    ending: Ending = Ending.PLAYED
    friendly: bool = False
    has_guest: bool = False


@dataclass(frozen=True, slots=True)
class RatingPolicy:
    """A club's choice of what rates. The defaults follow UKBGF clubs.

    A loss on time rates (the match was played under clocks); a retirement, a no-show and a disqualification
    do not. Doubles never rate: no published formula says how two ratings make one.
    """

    endings: frozenset[Ending] = frozenset({Ending.PLAYED, Ending.TIME, Ending.PENALTY})
    minimum_length: int = 1
    maximum_length: int | None = None
    rates_friendlies: bool = False
    rates_guests: bool = True

    def unrated_because(self, match: MatchFacts) -> Unrated | None:
        """The first reason not to rate the match, or None if it rates.

        >>> facts = MatchFacts(7, (("ann",), ("bob",)), finished=True, final=True, has_winner=True)
        >>> RatingPolicy().unrated_because(facts) is None
        True
        """
        too_long = self.maximum_length is not None and match.length > self.maximum_length
        seats = [len(side) for side in match.players]
        reasons = (
            (not match.finished, Unrated.UNFINISHED),
            (not match.final, Unrated.NOT_FINAL),
            (not match.has_winner, Unrated.NO_WINNER),
            (match.length < 1, Unrated.MONEY),
            (match.length < self.minimum_length or too_long, Unrated.LENGTH),
            (seats != [1, 1], Unrated.NOT_SINGLES),
            (match.has_guest and not self.rates_guests, Unrated.GUEST),
            (match.players[0] == match.players[1], Unrated.SAME_PLAYER),
            (match.friendly and not self.rates_friendlies, Unrated.FRIENDLY),
            (match.ending not in self.endings, Unrated.ENDING),
        )
        return next((reason for applies, reason in reasons if applies), None)


class ListingStatus(StrEnum):
    """How a player appears on a published list."""

    LISTED = "listed"
    PROVISIONAL = "provisional"
    UNLISTED = "unlisted"


@dataclass(frozen=True, slots=True)
class ListingPolicy:
    """Who appears on a published list; experience in points of match length."""

    minimum_experience: int = 0
    provisional_below: int = 0
    active_within: timedelta | None = None

    def status(self, *, experience: int, last_played: datetime | None, at: datetime) -> ListingStatus:
        """How a player with this experience and last rated match appears on the list of this moment."""
        if last_played is None or experience < self.minimum_experience:
            return ListingStatus.UNLISTED
        if self.active_within is not None and last_played < at - self.active_within:
            return ListingStatus.UNLISTED
        return ListingStatus.PROVISIONAL if experience < self.provisional_below else ListingStatus.LISTED


EVERYONE = ListingPolicy()
BELGIUM_LISTING = ListingPolicy(provisional_below=100)
GERMANY_LISTING = ListingPolicy(minimum_experience=200, active_within=timedelta(days=365))
