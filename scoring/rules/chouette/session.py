"""A chouette session as a fold of its log.

Source: docs/reference/chouettes.md, "Rotation".

The first event is a :class:`~scoring.rules.chouette.events.SessionStarted`; :func:`begin_session` creates
the state, :func:`apply_event` applies one event, :func:`replay_session` folds a list. Every game's ledger
sums to zero, and the same log gives the same state.

>>> from scoring.rules.chouette.events import GameBegun, GameOver, Joined, PlacesAgreed
>>> from scoring.rules.match import Win
>>> log = [SessionStarted(ChouetteOptions()), Joined("ana", 100), Joined("jon", 100), Joined("eva", 50),
...        PlacesAgreed(("ana", "jon", "eva")), GameBegun(), GameOver(box_won=True, win=Win.SINGLE)]
>>> night = replay_session(log)
>>> night.balances
{'ana': (2, 150), 'jon': (-1, -100), 'eva': (-1, -50)}
>>> night.line
('ana', 'eva', 'jon')
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from scoring.rules.chouette import events
from scoring.rules.chouette import game as table
from scoring.rules.chouette.costs import (
    FEWEST_PLAYERS,
    Seating,
    fallen,
    next_seating,
    settle_game,
)
from scoring.rules.chouette.events import ChouetteEvent, SessionStarted
from scoring.rules.chouette.game_state import TableGame
from scoring.rules.chouette.options import FEWEST_WITH_PARTNER, ChouetteOptions
from scoring.rules.chouette.payments import Transfer
from scoring.rules.chouette.session_state import (
    Announced,
    ChouetteSeat,
    ScoredGame,
    SeatPresence,
    SessionState,
)
from scoring.rules.chouette.table import TABLE_EVENTS
from scoring.rules.errors import IllegalAction, InvalidValue

MOST_PLAYERS = 12


def begin_session(event: SessionStarted) -> SessionState:
    """The state of a new table without players."""
    return SessionState(event.options, event.name)


def replay_session(log: Iterable[ChouetteEvent]) -> SessionState:
    """The state after a log.

    Raises InvalidValue for a log without a start, and what :func:`apply_event` raises.
    """
    first, *rest = log
    if not isinstance(first, SessionStarted):
        raise InvalidValue(
            "not_started", "the log begins with {first}, not with a chouette", first=first.kind
        )
    state = begin_session(first)
    for event in rest:
        state = apply_event(state, event)
    return state


def apply_event(state: SessionState, event: ChouetteEvent) -> SessionState:
    """The state after one more event.

    Raises :class:`IllegalAction` for an event not possible now, :class:`InvalidValue` for an invalid one.
    """
    if isinstance(event, events.Nothing | events.SeatHanded):
        return state
    if isinstance(event, events.PaymentMade):
        return _pay(state, event)
    if state.closed:
        raise IllegalAction("closed", "this chouette is over")
    handler = _HANDLERS.get(type(event))
    if handler is None:
        raise IllegalAction("started", "this chouette has already started")
    changed: SessionState = handler(state, event)
    return _settled(changed, changed.game) if changed.game is not None and changed.game.over else changed


def why_not(state: SessionState, event: ChouetteEvent) -> str | None:
    """The refusal of an event now, in English; None if it is possible."""
    try:
        apply_event(state, event)
    except (IllegalAction, InvalidValue) as error:
        return str(error)
    return None


def _pay(state: SessionState, event: events.PaymentMade) -> SessionState:
    if event.payer == event.receiver:
        raise InvalidValue("payment_player", "{player} cannot pay themselves", player=event.payer)
    if event.minor < 1:
        raise InvalidValue("payment_minor", "{minor} minor units cannot be paid", minor=event.minor)
    return replace(state, paid=(*state.paid, Transfer(event.payer, event.receiver, event.minor)))


def _join(state: SessionState, event: events.Joined) -> SessionState:
    if any(seat.player == event.player for seat in state.seats):
        raise IllegalAction("sits_already", "{player} is already at this table", player=event.player)
    if len(_playing(state)) >= MOST_PLAYERS:
        raise IllegalAction("full", "this table is full: at most {most} players", most=MOST_PLAYERS)
    seat = ChouetteSeat(event.player, _checked_stake(event.player, event.stake))
    return _at_the_bottom(replace(state, seats=(*state.seats, seat)), event.player)


def _at_the_bottom(state: SessionState, player: str) -> SessionState:
    """Add a player at the bottom, even while the others still roll for places."""
    tied = (*state.tied, (player,)) if state.tied else ()
    return replace(state, line=(*state.line, player), tied=tied)


def _agree(state: SessionState, event: events.Agreed) -> SessionState:
    return _seated(state, replace(state.seat(event.player), agreed=True))


def _change_options(state: SessionState, event: events.OptionsChanged) -> SessionState:
    """Change the rules, at once between games; every player must agree again."""
    seats = tuple(replace(seat, agreed=False) for seat in state.seats)
    if state.game is not None:
        return replace(state, seats=seats, announced=Announced(event.name, event.options))
    return replace(state, seats=seats, name=event.name, options=event.options, announced=None)


def _throw_places(state: SessionState, event: events.PlacesThrown) -> SessionState:
    """Order the players by their rolls, highest first; ties roll again."""
    _between_games(state)
    groups = () if state.placed else state.tied or (state.line,)
    asked = next((group for group in groups if len(group) > 1), ())
    thrown = [throw.player for throw in event.throws]
    if not asked or sorted(thrown) != sorted(asked):
        raise IllegalAction("throws", "to roll now: {players}", players=", ".join(asked) or "–")
    for throw in event.throws:
        _check_throw(throw, state.options)
    values = {throw.player: sum(throw.dice) for throw in event.throws}
    sorted_values = sorted(set(values.values()), reverse=True)
    split = tuple(tuple(p for p in asked if values[p] == value) for value in sorted_values)
    at = groups.index(asked)
    tied = (*groups[:at], *split, *groups[at + 1 :])
    line = tuple(player for group in tied for player in group)
    if any(len(group) > 1 for group in tied):
        return replace(state, line=line, tied=tied, placed=False)
    return replace(state, line=line, tied=(), placed=True, partner=None)


def _check_throw(throw: events.PlaceThrow, options: ChouetteOptions) -> None:
    dice = throw.dice
    if len(dice) != options.opening_dice or not all(1 <= die <= 6 for die in dice):
        raise InvalidValue(
            "throw", "{player} cannot have rolled {dice}", player=throw.player, dice=" ".join(map(str, dice))
        )


def _agree_places(state: SessionState, event: events.PlacesAgreed) -> SessionState:
    _between_games(state)
    if sorted(event.players) != sorted(state.line):
        raise IllegalAction("places", "give every player at the table one place")
    return replace(state, line=event.players, tied=(), placed=True, partner=None)


def _swap(state: SessionState, event: events.Swapped) -> SessionState:
    _between_games(state)
    for player in (event.one, event.other):
        _require_playing(state, player)
    if event.one == event.other:
        raise IllegalAction("swap", "{player} already has that place", player=event.one)
    places = {event.one: event.other, event.other: event.one}
    partner = None if state.partner is None else places.get(state.partner, state.partner)
    tied = tuple(tuple(places.get(p, p) for p in group) for group in state.tied)
    return replace(state, line=tuple(places.get(p, p) for p in state.line), tied=tied, partner=partner)


def _sit_out(state: SessionState, event: events.SatOut) -> SessionState:
    return _stand_up(state, event.player, SeatPresence.SITTING_OUT)


def _leave(state: SessionState, event: events.LeftTable) -> SessionState:
    return _stand_up(state, event.player, SeatPresence.GONE)


def _stand_up(state: SessionState, player: str, presence: SeatPresence) -> SessionState:
    """Leave the rotation: at once, or after the player's current game."""
    seat = state.seat(player)
    if seat.presence is presence or (
        presence is SeatPresence.SITTING_OUT and seat.presence is SeatPresence.GONE
    ):
        raise IllegalAction("away", "{player} is already away", player=player)
    state = _seated(state, replace(seat, presence=presence))
    if state.game is not None and player in state.game.seating.players:
        return state
    return _without_absent(state)


def _come_back(state: SessionState, event: events.CameBack) -> SessionState:
    """Return at the bottom; a player still in the current game keeps their place."""
    seat = state.seat(event.player)
    if seat.presence is SeatPresence.PLAYING:
        raise IllegalAction("here", "{player} is already playing", player=event.player)
    if len(_playing(state)) >= MOST_PLAYERS:
        raise IllegalAction("full", "this table is full: at most {most} players", most=MOST_PLAYERS)
    state = _seated(state, replace(seat, presence=SeatPresence.PLAYING))
    return state if event.player in state.line else _at_the_bottom(state, event.player)


def _set_stake(state: SessionState, event: events.StakeSet) -> SessionState:
    _between_games(state)
    seat = state.seat(event.player)
    return _seated(state, replace(seat, stake=_checked_stake(event.player, event.stake)))


def _name_proxy(state: SessionState, event: events.ProxyNamed) -> SessionState:
    seat = state.seat(event.player)
    if event.proxy is not None:
        if not state.options.proxies:
            raise IllegalAction("proxy", "the house rules do not allow proxies")
        if event.proxy == event.player:
            raise IllegalAction("proxy", "{player} cannot be their own proxy", player=event.player)
        state.seat(event.proxy)
    return _seated(state, replace(seat, proxy=event.proxy))


def _begin_game(state: SessionState, event: events.GameBegun) -> SessionState:
    _between_games(state)
    if not state.placed:
        raise IllegalAction("places", "the places are not set yet")
    if len(state.line) < FEWEST_PLAYERS:
        raise IllegalAction(
            "players", "a chouette needs at least {least} players, not {count}",
            least=FEWEST_PLAYERS, count=len(state.line),
        )  # fmt: skip
    _check_partner(state, event.partner)
    partner = event.partner if event.partner is not None else state.partner
    if len(state.line) < FEWEST_WITH_PARTNER:
        partner = None
    crew = tuple(player for player in state.line[1:] if player != partner)
    seating = Seating(state.line[0], crew, partner)
    game = table.begin_game(len(state.games) + 1, seating, state.options)
    return replace(state, game=game, partner=partner)


def _check_partner(state: SessionState, named: str | None) -> None:
    """Check the partner named for a game.

    A partner who stays need not be named again.
    """
    options, count = state.options, len(state.line)
    if named is None:
        if state.partner is None and options.partner_must is not None and count >= options.partner_must:
            raise IllegalAction("partner", "with {count} players, the box must take a partner", count=count)
        return
    if state.partner not in {None, named}:
        raise IllegalAction("partner", "{player} is already the box's partner", player=state.partner)
    if named not in state.line[1:]:
        raise IllegalAction("partner", "{player} is not in the crew", player=named)
    if options.partner_from is None or (count < options.partner_from and state.partner != named):
        raise IllegalAction("partner", "with {count} players, the box plays alone", count=count)


def _in_game(
    change: Callable[[TableGame, Any], TableGame],
) -> Callable[[SessionState, Any], SessionState]:
    """A session handler from a transition of the current game."""

    def handler(state: SessionState, event: Any) -> SessionState:
        if state.game is None:
            raise IllegalAction("no_game", "no game is in progress")
        return replace(state, game=change(state.game, event))

    return handler


def _close(state: SessionState, _event: events.SessionClosed) -> SessionState:
    _between_games(state)
    return replace(state, closed=True)


def _settled(state: SessionState, game: TableGame) -> SessionState:
    """Score a finished game and seat the next one."""
    seating = game.seating
    stakes = {player: state.seat(player).stake for player in seating.players}
    ledger = settle_game(seating, game.results, stakes, options=game.options, payments=game.payments)
    done = ScoredGame(game.number, seating, game.results, game.payments, ledger)
    after = next_seating(seating, game.results, game.options)
    partners = () if after.partner is None else (after.partner,)
    line = (after.box, *partners, *after.crew)
    newcomers = tuple(player for player in state.line if player not in seating.players)
    if newcomers and not game.options.newcomers_last:
        down = fallen(seating, after, double_stand_up=game.options.double_stand_up)
        line = (*(p for p in line if p not in down), *newcomers, *down)
    else:
        line = (*line, *newcomers)
    state = replace(state, game=None, games=(*state.games, done), line=line, partner=after.partner)
    if state.announced is not None:
        new = state.announced
        state = replace(state, name=new.name, options=new.options, announced=None)
    return _without_absent(state)


def _without_absent(state: SessionState) -> SessionState:
    here = {seat.player for seat in _playing(state)}
    line = tuple(player for player in state.line if player in here)
    # The partner of a box that leaves returns to the crew.
    keeps = state.partner in here and line[:1] == state.line[:1]
    groups = (tuple(player for player in group if player in here) for group in state.tied)
    tied = tuple(group for group in groups if group)
    # The places are decided once no tied players are left.
    decided = bool(tied) and all(len(group) == 1 for group in tied)
    return replace(
        state,
        line=line,
        partner=state.partner if keeps else None,
        placed=state.placed or decided,
        tied=() if decided else tied,
    )


def _seated(state: SessionState, seat: ChouetteSeat) -> SessionState:
    return replace(state, seats=tuple(seat if one.player == seat.player else one for one in state.seats))


def _playing(state: SessionState) -> list[ChouetteSeat]:
    return [seat for seat in state.seats if seat.presence is SeatPresence.PLAYING]


def _between_games(state: SessionState) -> None:
    if state.game is not None:
        raise IllegalAction("game_on", "a game is in progress: finish it first")


def _require_playing(state: SessionState, player: str) -> None:
    if state.seat(player).presence is not SeatPresence.PLAYING:
        raise IllegalAction("away", "{player} is already away", player=player)


def _checked_stake(player: str, stake: int) -> int:
    if stake < 0:
        raise InvalidValue(
            "stake", "{player} cannot have a stake of {stake!r} per point", player=player, stake=stake
        )
    return stake


_HANDLERS: Mapping[type[Any], Callable[[SessionState, Any], SessionState]] = {
    events.Joined: _join,
    events.Agreed: _agree,
    events.OptionsChanged: _change_options,
    events.PlacesThrown: _throw_places,
    events.PlacesAgreed: _agree_places,
    events.Swapped: _swap,
    events.SatOut: _sit_out,
    events.CameBack: _come_back,
    events.LeftTable: _leave,
    events.StakeSet: _set_stake,
    events.ProxyNamed: _name_proxy,
    events.GameBegun: _begin_game,
    events.SessionClosed: _close,
    **{kind: _in_game(change) for kind, change in TABLE_EVENTS.items()},
}
