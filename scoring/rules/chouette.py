"""Chouette: what a game of the box against the team costs each player, and who sits where next.

Source: field.md, section 5.  Three or more players.  The *box* plays alone (from six players on perhaps with
a partner) against the *crew*, whose first player is the *captain*.  Each crew player has a cube of the own
against the box, or the team shares one.  Points come from :meth:`~scoring.rules.match.MatchScore.after`, as
everywhere; every ledger sums to zero.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scoring.rules.errors import InvalidValue
from scoring.rules.events import Ended
from scoring.rules.match import MatchScore, Win
from scoring.rules.money import counted_win
from scoring.rules.sides import Side

FEWEST_PLAYERS = 3
SMALLEST_CREW = 2


class BoxKeeps(StrEnum):
    """When the box stays in the box: house rules differ."""

    BEAT_CAPTAIN = "beat_captain"
    NET_NOT_NEGATIVE = "net_not_negative"
    LAST_ACTIVE_CUBE = "last_active_cube"


class NewBox(StrEnum):
    """Who becomes the box when the captain was beaten and another crew player ended the box's time."""

    ACTING_CAPTAIN = "acting_captain"
    CAPTAIN = "captain"


@dataclass(frozen=True, slots=True)
class ChouetteOptions:
    """A house's rules of settling and rotating.

    ``multi_cube``      each crew player has an own cube; otherwise the team shares one;
    ``jacoby``          gammons count only on a cube that was turned: asked of each cube by itself;
    ``partner_from``    how many players it takes before the box may have a partner.
    """

    multi_cube: bool = True
    jacoby: bool = True
    box_keeps: BoxKeeps = BoxKeeps.BEAT_CAPTAIN
    new_box: NewBox = NewBox.ACTING_CAPTAIN
    partner_from: int = 6


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits where: players are named by opaque references, ``crew[0]`` is the captain.

    Raises :class:`InvalidValue` for fewer than three players, a crew of one, or a player in two seats.
    """

    box: str
    crew: tuple[str, ...]
    partner: str | None = None

    def __post_init__(self) -> None:
        players = self.players
        if len(players) < FEWEST_PLAYERS:
            raise InvalidValue("players", "a chouette has 3 players or more, not {count}", count=len(players))
        if len(self.crew) < SMALLEST_CREW:
            raise InvalidValue("crew", "a crew has 2 players or more, not {count}", count=len(self.crew))
        twice = next((player for player in players if players.count(player) > 1), None)
        if twice is not None:
            raise InvalidValue("seated_twice", "{player} cannot sit in two seats", player=twice)

    @property
    def players(self) -> tuple[str, ...]:
        """Everybody: the box, the partner if there is one, the crew in order."""
        return (self.box, *((self.partner,) if self.partner is not None else ()), *self.crew)

    @property
    def captain(self) -> str:
        """The first of the crew."""
        return self.crew[0]


@dataclass(frozen=True, slots=True)
class CubeResult:
    """How one crew player's game against the box ended.

    ``win`` is as on the board, before Jacoby; ``cube`` the value that counts (before a passed double);
    ``cube_turned`` whether a double on it was offered and accepted.
    """

    player: str
    box_won: bool
    win: Win
    cube: int
    ended: Ended
    cube_turned: bool


@dataclass(frozen=True, slots=True)
class Payment:
    """Points that change hands beside the board: an extra, by which one who passes has a taker hold his cube,
    or a settlement that was agreed on.  Counted at the lower of the two players' stakes.
    """

    payer: str
    receiver: str
    points: int


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """What a game brought one player: points, and money in minor units."""

    player: str
    points: int
    minor: int


def settle_game(
    seating: Seating,
    results: Sequence[CubeResult],
    stakes: Mapping[str, int],
    *,
    options: ChouetteOptions,
    payments: Sequence[Payment] = (),
) -> tuple[LedgerLine, ...]:
    """The ledger of one game, in the order of :attr:`Seating.players`; points and money sum to zero.

    ``results`` has one entry for each crew player, in the order in which they ended.  ``stakes`` are minor
    currency units a point; a crew player's cube is played at that player's stake, whatever the box's own.  A
    partner has half of the box's result, the odd point stays with the box.

    Raises :class:`InvalidValue` for a result that is missing, doubled or impossible, a missing stake, a
    partner at a table that is too small, or a payment that cannot be.

    >>> seating = Seating("ana", ("jon", "eva"))
    >>> won = CubeResult("jon", box_won=True, win=Win.GAMMON, cube=2, ended=Ended.BORNE_OFF, cube_turned=True)
    >>> passed = CubeResult("eva", box_won=False, win=Win.SINGLE, cube=1, ended=Ended.PASS, cube_turned=False)
    >>> stakes = {"ana": 100, "jon": 100, "eva": 50}
    >>> for line in settle_game(seating, [won, passed], stakes, options=ChouetteOptions()):
    ...     print(line.player, line.points, line.minor)
    ana 3 350
    jon -4 -400
    eva 1 50
    """
    _check_table(seating, results, stakes, options)
    points = dict.fromkeys(seating.players, 0)
    minor = dict.fromkeys(seating.players, 0)
    for result in results:
        gain = box_points(result, options)
        _move(points, result.player, seating.box, gain)
        _move(minor, result.player, seating.box, gain * stakes[result.player])
    for ledger in (points, minor):
        if seating.partner is not None:
            _move(ledger, seating.box, seating.partner, _half(ledger[seating.box]))
    for payment in payments:
        _check_payment(payment, seating)
        stake = min(stakes[payment.payer], stakes[payment.receiver])
        _move(points, payment.payer, payment.receiver, payment.points)
        _move(minor, payment.payer, payment.receiver, payment.points * stake)
    return tuple(LedgerLine(player, points[player], minor[player]) for player in seating.players)


def box_points(result: CubeResult, options: ChouetteOptions) -> int:
    """Points the box won from one crew player, negative if it lost."""
    win = counted_win(result.win, jacoby=options.jacoby, cube_turned=result.cube_turned)
    winner = Side.WHITE if result.box_won else Side.BLACK
    return MatchScore.start(0).after(winner, win, result.cube).balance(Side.WHITE)


def next_seating(seating: Seating, results: Sequence[CubeResult], options: ChouetteOptions) -> Seating:
    """Who sits where in the next game.

    The box that stays keeps its partner; the captain goes to the bottom.  Otherwise the captain becomes the
    box, or the crew player that :attr:`ChouetteOptions.new_box` says, and the old box goes to the bottom,
    after its partner. Raises :class:`InvalidValue` as :func:`settle_game` does.
    """
    _check_results(seating, results, options)
    if _box_stays(seating, results, options):
        return Seating(seating.box, (*seating.crew[1:], seating.captain), seating.partner)
    beaten_by = {result.player for result in results if not result.box_won}
    following = seating.captain
    if following not in beaten_by and options.new_box is NewBox.ACTING_CAPTAIN:
        following = next(player for player in seating.crew if player in beaten_by)
    rest = [player for player in seating.crew if player != following]
    partner = [seating.partner] if seating.partner is not None else []
    return Seating(following, (*rest, *partner, seating.box))


def _box_stays(seating: Seating, results: Sequence[CubeResult], options: ChouetteOptions) -> bool:
    if options.box_keeps is BoxKeeps.BEAT_CAPTAIN:
        return next(result.box_won for result in results if result.player == seating.captain)
    if options.box_keeps is BoxKeeps.NET_NOT_NEGATIVE:
        return sum(box_points(result, options) for result in results) >= 0
    return results[-1].box_won


def _move(ledger: dict[str, int], payer: str, receiver: str, amount: int) -> None:
    ledger[payer] -= amount
    ledger[receiver] += amount


def _half(amount: int) -> int:
    """Half of an amount, the odd unit left out, for wins and losses alike."""
    return amount // 2 if amount >= 0 else -(-amount // 2)


def _check_table(
    seating: Seating, results: Sequence[CubeResult], stakes: Mapping[str, int], options: ChouetteOptions
) -> None:
    _check_results(seating, results, options)
    if seating.partner is not None and len(seating.players) < options.partner_from:
        raise InvalidValue(
            "partner",
            "the box has a partner from {least} players on, not with {count}",
            least=options.partner_from,
            count=len(seating.players),
        )
    for player in seating.players:
        stake = stakes.get(player)
        if type(stake) is not int or stake < 0:
            raise InvalidValue(
                "stake", "{player} cannot play for {stake!r} a point", player=player, stake=stake
            )


def _check_results(seating: Seating, results: Sequence[CubeResult], options: ChouetteOptions) -> None:
    named = sorted(result.player for result in results)
    if named != sorted(seating.crew):
        raise InvalidValue(
            "results",
            "one result for each of {crew} is needed, not {named}",
            crew=", ".join(seating.crew),
            named=named,
        )
    for result in results:
        if result.ended is Ended.PASS and result.win is not Win.SINGLE:
            raise InvalidValue("pass", "a pass is a single, not a {win}", win=result.win.name.lower())
    shared = {
        (result.box_won, result.win, result.cube, result.ended, result.cube_turned) for result in results
    }
    if not options.multi_cube and len(shared) > 1:
        raise InvalidValue("one_cube", "a team with one cube has one result, not {count}", count=len(shared))


def _check_payment(payment: Payment, seating: Seating) -> None:
    for player in (payment.payer, payment.receiver):
        if player not in seating.players:
            raise InvalidValue("payment_player", "{player} does not sit at this table", player=player)
    if payment.payer == payment.receiver:
        raise InvalidValue("payment_player", "{player} cannot pay the own account", player=payment.payer)
    if type(payment.points) is not int or payment.points < 1:
        raise InvalidValue("payment", "{points!r} points cannot be paid", points=payment.points)
