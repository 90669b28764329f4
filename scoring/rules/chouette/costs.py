"""Scores of a chouette game and the next seating.

Source: docs/reference/chouettes.md, "Rotation" and "Cubes".  Three or more players.  The *box* plays alone
(with six or more players perhaps with a partner) against the *crew*, whose first player is the *captain*.
Each crew player has a cube against the box, or the crew shares one.  An *extra* is a further cube between
two of the crew: a player who passed sides with the box against one who took.  Points come from
:meth:`~scoring.rules.match.MatchScore.after`; every ledger sums to zero.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.rules.chouette.options import BoxKeeps, ChouetteOptions, NewBox
from scoring.rules.endings import GameEnd
from scoring.rules.errors import InvalidValue
from scoring.rules.match import MatchScore, Win
from scoring.rules.money import counted_win
from scoring.rules.sides import Side

FEWEST_PLAYERS = 3
SMALLEST_CREW = 2


@dataclass(frozen=True, slots=True)
class Seating:
    """The seats of a game: players are opaque references, ``crew[0]`` is the captain.

    Raises :class:`InvalidValue` for fewer than three players, a crew of one, or a player in two seats.
    """

    box: str
    crew: tuple[str, ...]
    partner: str | None = None

    def __post_init__(self) -> None:
        players = self.players
        if len(players) < FEWEST_PLAYERS:
            raise InvalidValue(
                "players", "a chouette needs at least 3 players, not {count}", count=len(players)
            )
        if len(self.crew) < SMALLEST_CREW:
            raise InvalidValue("crew", "a crew needs at least 2 players, not {count}", count=len(self.crew))
        twice = next((player for player in players if players.count(player) > 1), None)
        if twice is not None:
            raise InvalidValue("seated_twice", "{player} cannot sit in two seats", player=twice)

    @property
    def players(self) -> tuple[str, ...]:
        """All players: the box, its partner if any, the crew in order."""
        return (self.box, *((self.partner,) if self.partner is not None else ()), *self.crew)

    @property
    def captain(self) -> str:
        """The first player of the crew."""
        return self.crew[0]


@dataclass(frozen=True, slots=True)
class CubeResult:
    """The result of one cube.

    A crew player's against the box, or an extra ``against`` a crew player.

    ``box_won`` is whether the box's side won; ``win`` is as on the board, before Jacoby; ``cube`` the value
    that counts (before a passed double); ``cube_turned`` whether a double was taken. ``agreed`` are the
    points for the box's side of a settled cube, which alone count. ``account`` is the player who took over
    the crew's side of the cube.
    """

    player: str
    box_won: bool
    win: Win
    cube: int
    ended: GameEnd
    cube_turned: bool
    against: str | None = None
    agreed: int | None = None
    account: str | None = None


@dataclass(frozen=True, slots=True)
class Payment:
    """Points paid away from the board: the price of an extra or of a cube taken over.

    Counted at the lower of the two players' stakes.
    """

    payer: str
    receiver: str
    points: int


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """One player's gain in a game: points, and money in minor units."""

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
    """Ledger of one game, in the order of :attr:`Seating.players`.

    Points and money sum to zero.

    ``results`` has one entry for each crew player and each extra, in the order in which they ended.
    ``stakes`` are minor currency units per point; a crew player's cube is played at that player's stake, an
    extra at the lower of the two.  A partner gets half of the box's result; the box keeps an odd point, also
    in money (at the crew's lowest stake where stakes differ), and an odd minor unit of the rest.

    Raises :class:`InvalidValue` for a missing, repeated or impossible result, a missing stake, or an
    impossible payment.

    >>> seating = Seating("ana", ("jon", "eva"))
    >>> ways = {"win": Win.GAMMON, "cube": 2, "ended": GameEnd.BORNE_OFF}
    >>> won = CubeResult("jon", box_won=True, cube_turned=True, **ways)
    >>> ways = {"win": Win.SINGLE, "cube": 1, "ended": GameEnd.PASS}
    >>> passed = CubeResult("eva", box_won=False, cube_turned=False, **ways)
    >>> stakes = {"ana": 100, "jon": 100, "eva": 50}
    >>> for line in settle_game(seating, [won, passed], stakes, options=ChouetteOptions()):
    ...     print(line.player, line.points, line.minor)
    ana 3 350
    jon -4 -400
    eva 1 50
    """
    _check_results(seating, results, options)
    _check_stakes(seating, stakes)
    points = dict.fromkeys(seating.players, 0)
    minor = dict.fromkeys(seating.players, 0)
    for result in results:
        if result.against is None:
            _settle_cube(points, minor, result, seating.box, stakes[result.player], options)
    if seating.partner is not None:
        half = _half(points[seating.box])
        odd = points[seating.box] - 2 * half
        kept = odd * min(stakes[player] for player in seating.crew)
        _move(points, seating.box, seating.partner, half)
        _move(minor, seating.box, seating.partner, _half(minor[seating.box] - kept))
    for result in results:
        if result.against is not None:
            stake = min(stakes[result.player], stakes[result.against])
            _settle_cube(points, minor, result, result.against, stake, options)
    for payment in payments:
        _check_payment(payment, seating)
        stake = min(stakes[payment.payer], stakes[payment.receiver])
        _move(points, payment.payer, payment.receiver, payment.points)
        _move(minor, payment.payer, payment.receiver, payment.points * stake)
    return tuple(LedgerLine(player, points[player], minor[player]) for player in seating.players)


def _settle_cube(
    points: dict[str, int],
    minor: dict[str, int],
    result: CubeResult,
    against: str,
    stake: int,
    options: ChouetteOptions,
) -> None:
    gain, account = box_points(result, options), result.account or result.player
    _move(points, account, against, gain)
    _move(minor, account, against, gain * stake)


def box_points(result: CubeResult, options: ChouetteOptions) -> int:
    """Points of the box's side on one cube, negative for a loss."""
    if result.agreed is not None:
        return result.agreed
    win = counted_win(result.win, jacoby=options.jacoby, cube_turned=result.cube_turned)
    winner = Side.WHITE if result.box_won else Side.BLACK
    return MatchScore.start(0).after(winner, win, result.cube).balance(Side.WHITE)


def next_seating(seating: Seating, results: Sequence[CubeResult], options: ChouetteOptions) -> Seating:
    """Seating of the next game.

    A box that stays keeps its partner, and the captain goes to the bottom.  Otherwise the captain, or the
    crew player that :attr:`ChouetteOptions.new_box` selects, becomes the box, and the old box goes to the
    bottom, after its partner; with a double stand-up, a beaten captain goes down ahead of them. Raises
    :class:`InvalidValue` as :func:`settle_game` does.
    """
    _check_results(seating, results, options)
    against_box = [result for result in results if result.against is None]
    if _box_stays(seating, against_box, options):
        return Seating(seating.box, (*seating.crew[1:], seating.captain), seating.partner)
    beaten_by = {result.player for result in against_box if not result.box_won}
    following = seating.captain
    if following not in beaten_by and options.new_box is NewBox.ACTING_CAPTAIN:
        following = next(player for player in seating.crew if player in beaten_by)
    rest = [player for player in seating.crew if player != following]
    if options.double_stand_up and following != seating.captain:
        rest = [*rest[1:], seating.captain]
    partner = [seating.partner] if seating.partner is not None else []
    return Seating(following, (*rest, *partner, seating.box))


def fallen(before: Seating, after: Seating, *, double_stand_up: bool) -> tuple[str, ...]:
    """The players who went to the bottom between two games, in order."""
    if after.box == before.box:
        return after.crew[-1:]
    down = {before.box, before.partner}
    if double_stand_up and after.box != before.captain:
        down.add(before.captain)
    return tuple(player for player in after.crew if player in down)


def _box_stays(seating: Seating, results: Sequence[CubeResult], options: ChouetteOptions) -> bool:
    """Whether the box stays, by the cubes against it in ending order."""
    if options.box_keeps is BoxKeeps.BEAT_CAPTAIN:
        return next(result.box_won for result in results if result.player == seating.captain)
    if options.box_keeps is BoxKeeps.NET_NOT_NEGATIVE:
        return sum(box_points(result, options) for result in results) >= 0
    return results[-1].box_won


def _move(ledger: dict[str, int], payer: str, receiver: str, amount: int) -> None:
    ledger[payer] -= amount
    ledger[receiver] += amount


def _half(amount: int) -> int:
    """Half of an amount, rounded towards zero."""
    return amount // 2 if amount >= 0 else -(-amount // 2)


def _check_stakes(seating: Seating, stakes: Mapping[str, int]) -> None:
    for player in seating.players:
        stake = stakes.get(player)
        if type(stake) is not int or stake < 0:
            raise InvalidValue(
                "stake", "{player} cannot have a stake of {stake!r} per point", player=player, stake=stake
            )


def _check_results(seating: Seating, results: Sequence[CubeResult], options: ChouetteOptions) -> None:
    named = sorted(result.player for result in results if result.against is None)
    if named != sorted(seating.crew):
        raise InvalidValue(
            "results",
            "each of {crew} needs one result, not {named}",
            crew=", ".join(seating.crew),
            named=named,
        )
    for result in results:
        if result.ended is GameEnd.PASS and result.win is not Win.SINGLE:
            raise InvalidValue("pass", "a pass is a single game, not a {win}", win=result.win.name.lower())
        for player in (result.against, result.account):
            if player is not None and player not in seating.players:
                raise InvalidValue("cube_player", "{player} is not at this table", player=player)
    # A player who passes the box's double or settles leaves alone; the others' shared cube ends once.
    shared = {
        (result.box_won, result.win, result.cube, result.ended, result.cube_turned)
        for result in results
        if result.against is None
        and result.agreed is None
        and not (result.ended is GameEnd.PASS and result.box_won)
    }
    if not options.multi_cube and len(shared) > 1:
        raise InvalidValue("one_cube", "a crew with one cube has one result, not {count}", count=len(shared))


def _check_payment(payment: Payment, seating: Seating) -> None:
    for player in (payment.payer, payment.receiver):
        if player not in seating.players:
            raise InvalidValue("payment_player", "{player} is not at this table", player=player)
    if payment.payer == payment.receiver:
        raise InvalidValue("payment_player", "{player} cannot pay themselves", player=payment.payer)
    if type(payment.points) is not int or payment.points < 1:
        raise InvalidValue("payment", "{points!r} points cannot be paid", points=payment.points)
