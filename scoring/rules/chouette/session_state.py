"""State of a chouette session: seats, the current game and finished games.

Source: docs/reference/chouettes.md, "Rotation".
"""

from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any

from scoring.rules.chouette.costs import (
    CubeResult,
    LedgerLine,
    Payment,
    Seating,
)
from scoring.rules.chouette.game_state import TableGame
from scoring.rules.chouette.options import ChouetteOptions
from scoring.rules.chouette.payments import Transfer, after_payments
from scoring.rules.codec import canonical_bytes, from_plain, to_plain
from scoring.rules.errors import IllegalAction

DIGEST_LENGTH = 12


class SeatPresence(StrEnum):
    """Whether a player is in the rotation."""

    PLAYING = "playing"
    SITTING_OUT = "sitting_out"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class ChouetteSeat:
    """A player's seat.

    ``stake`` is minor units per point; ``proxy`` decides while the player is away.
    """

    player: str
    stake: int
    presence: SeatPresence = SeatPresence.PLAYING
    agreed: bool = False
    proxy: str | None = None


@dataclass(frozen=True, slots=True)
class ScoredGame:
    """A finished game with its ledger."""

    number: int
    seating: Seating
    results: tuple[CubeResult, ...]
    payments: tuple[Payment, ...]
    ledger: tuple[LedgerLine, ...]

    @property
    def winner(self) -> str:
        """The box if it won the last cube, else the first crew player who won with that cube."""
        last = self.results[-1]
        if last.box_won:
            return self.seating.box
        won = {each.player for each in self.results if not each.box_won and each.ended == last.ended}
        return next((player for player in self.seating.crew if player in won), last.player)


@dataclass(frozen=True, slots=True)
class Announced:
    """House rules announced for the next game."""

    name: str
    options: ChouetteOptions


@dataclass(frozen=True, slots=True)
class SessionState:
    """The table after some events.

    ``line`` is the rotation for the next game, the box first and the captain next; between games it includes
    ``partner``. During a game it has its players, then those who joined since. ``tied`` groups players who
    still roll for places. ``options`` are the rules of the current or next game; ``announced`` those of the
    game after. ``paid`` are the payments made, oldest first.
    """

    options: ChouetteOptions
    name: str
    seats: tuple[ChouetteSeat, ...] = ()
    line: tuple[str, ...] = ()
    partner: str | None = None
    placed: bool = False
    tied: tuple[tuple[str, ...], ...] = ()
    game: TableGame | None = None
    games: tuple[ScoredGame, ...] = ()
    announced: Announced | None = None
    closed: bool = False
    paid: tuple[Transfer, ...] = ()

    @property
    def balances(self) -> dict[str, tuple[int, int]]:
        """Each player's points and minor units so far, in joining order.

        Both sum to zero.
        """
        found = {seat.player: (0, 0) for seat in self.seats}
        for game in self.games:
            for line in game.ledger:
                points, minor = found[line.player]
                found[line.player] = (points + line.points, minor + line.minor)
        return found

    @property
    def unpaid(self) -> dict[str, int]:
        """Each player's minor units still to receive, negative for still to pay."""
        minor = {player: both[1] for player, both in self.balances.items()}
        return after_payments(minor, self.paid)

    @property
    def box(self) -> str | None:
        """The box of the current or next game; None before the places are set."""
        if self.game is not None:
            return self.game.seating.box
        return self.line[0] if self.placed and self.line else None

    @property
    def captain(self) -> str | None:
        """The captain; during a game, the first crew player still in."""
        if self.game is not None:
            return self.game.captain
        crew = self.crew
        return crew[0] if crew else None

    @property
    def crew(self) -> tuple[str, ...]:
        """The crew of the current game, or of the next one in the current rotation."""
        if self.game is not None:
            return self.game.seating.crew
        return tuple(player for player in self.line[1:] if player != self.partner) if self.placed else ()

    def seat(self, player: str) -> ChouetteSeat:
        """The seat of a player. Raises IllegalAction for one who never joined."""
        found = next((seat for seat in self.seats if seat.player == player), None)
        if found is None:
            raise IllegalAction("not_seated", "{player} is not at this table", player=player)
        return found


def rules_digest(state: SessionState) -> str:
    """Digest of the rules a player agrees to now.

    The first 12 hex digits of SHA-256 over the current and announced rules, names included.

    >>> usual, other = (SessionState(ChouetteOptions(jacoby=jacoby), "monday") for jacoby in (True, False))
    >>> rules_digest(usual) == rules_digest(other)
    False
    """
    coming = state.announced
    agreed = [[state.name, to_plain(state.options, full=True)]]
    if coming is not None:
        agreed.append([coming.name, to_plain(coming.options, full=True)])
    return sha256(canonical_bytes(agreed)).hexdigest()[:DIGEST_LENGTH]


def session_bytes(state: SessionState) -> bytes:
    """The canonical bytes of a state, stored and compared with a replay.

    Without payments, the bytes are those of states stored before payments were recorded.
    """
    plain = to_plain(state, full=True)
    if not state.paid:
        del plain["paid"]
    return canonical_bytes(plain)


def session_from_plain(plain: Any) -> SessionState:
    """Undo :func:`session_bytes`, once read as JSON. Raises InvalidValue."""
    return from_plain(SessionState, plain)
