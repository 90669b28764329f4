"""Seats of a chouette: order and roles."""

from typing import Any

from scoring.rules.chouette.session_state import (
    ChouetteSeat,
    SeatPresence,
    SessionState,
)


def seats_of(state: SessionState) -> list[dict[str, Any]]:
    """Every seat with its role, in rotation order, absent players last."""
    order = {player: place for place, player in enumerate(state.line)}
    if state.game is not None:
        seating = state.game.seating.players
        later = [player for player in state.line if player not in seating]
        order = {player: place for place, player in enumerate((*seating, *later))}
    seats = sorted(state.seats, key=lambda seat: (order.get(seat.player, len(order)), _away(seat)))
    return [
        {
            "ref": seat.player,
            "role": _role(state, seat),
            "place": order[seat.player] + 1 if seat.player in order else None,
            "agreed": seat.agreed,
            "presence": seat.presence.value,
            "proxy": seat.proxy,
            "still_in": _still_in(state, seat.player),
        }
        for seat in seats
    ]


def _away(seat: ChouetteSeat) -> int:
    return list(SeatPresence).index(seat.presence)


def _role(state: SessionState, seat: ChouetteSeat) -> str:
    game, player = state.game, seat.player
    if game is not None and player in game.seating.players:
        if player == game.seating.box:
            return "box"
        if player == game.seating.partner:
            return "partner"
        if player == game.captain:
            return "captain" if player == game.seating.captain else "acting_captain"
        return "crew"
    if seat.presence is not SeatPresence.PLAYING:
        return "out" if seat.presence is SeatPresence.SITTING_OUT else "gone"
    if game is not None or not state.placed:
        return "waiting"
    if player == state.box:
        return "box"
    if player == state.partner:
        return "partner"
    return "captain" if player == state.captain else "crew"


def _still_in(state: SessionState, player: str) -> bool:
    game = state.game
    if game is None:
        return False
    if player in {game.seating.box, game.seating.partner}:
        return True
    return any(cube.live and player in {cube.player, cube.holder} for cube in game.cubes)
