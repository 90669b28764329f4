"""Actions possible at a chouette now, and refusals of the rest, from the rules."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from scoring.chouettes.queries.lines import Speaker
from scoring.rules.chouette import events
from scoring.rules.chouette.events import ChouetteEvent, chouette_event_to_plain
from scoring.rules.chouette.game_state import Half, TableCube, TableGame
from scoring.rules.chouette.session import apply_event
from scoring.rules.chouette.session_state import SeatPresence, SessionState
from scoring.rules.errors import IllegalAction, InvalidValue, ScoringError
from scoring.rules.match import Win

SOMEBODY = "a new player"


@dataclass(frozen=True, slots=True)
class TableAction:
    """An event that can be recorded now: who records it, its cubes, players and body."""

    kind: str
    label: str
    by: tuple[str, ...] = ()
    cubes: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    body: dict[str, Any] = field(default_factory=dict)
    more: dict[str, Any] = field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "label": self.label,
            "by": list(self.by),
            "cubes": list(self.cubes),
            "players": list(self.players),
            "body": self.body,
            **self.more,
        }


def why_not(state: SessionState, event: ChouetteEvent) -> ScoringError | None:
    """The refusal of an event now; None if it is possible."""
    try:
        apply_event(state, event)
    except (IllegalAction, InvalidValue) as error:
        return error
    return None


def players_to_roll(state: SessionState) -> tuple[str, ...]:
    """The players to roll for places now: all, or those who tied."""
    if state.placed or state.game is not None or state.closed:
        return ()
    groups = state.tied or (state.line,)
    return next((group for group in groups if len(group) > 1), ())


def actions(state: SessionState, speaker: Speaker) -> list[TableAction]:
    """Everything that can be recorded now, the game's own actions first."""
    if state.closed:
        return []
    game = () if state.game is None else _in_game(state, state.game, speaker)
    return [*game, *_between_games(state, speaker), *_people(state)]


def refusals(state: SessionState, possible: Iterable[TableAction]) -> dict[str, ScoringError]:
    """Refusals of the kinds that are not among the possible actions."""
    named = {action.kind for action in possible}
    return {
        event.kind: error
        for event in _examples(state)
        if event.kind not in named and (error := why_not(state, event)) is not None
    }


def _may(state: SessionState, event: ChouetteEvent) -> bool:
    return why_not(state, event) is None


def _body(event: ChouetteEvent) -> dict[str, Any]:
    return chouette_event_to_plain(event)[1]


def _in_game(state: SessionState, game: TableGame, speaker: Speaker) -> Iterator[TableAction]:
    yield from _answers(game, speaker)
    yield from _offers(state, game, speaker)
    yield from _redoubles(state, game, speaker)
    yield from _extras(state, game, speaker)
    for doubled in (True, False):
        tie = events.OpeningTied(doubled)
        if _may(state, tie):
            label = _("Equal dice: double every cube") if doubled else _("Equal dice: roll again")
            yield TableAction(tie.kind, label, body=_body(tie))
    if _may(state, events.GameOver(box_won=True, win=Win.SINGLE)):
        yield TableAction(events.GameOver.kind, _("Game over"))
    yield from _sales(state, game)


def _offers(state: SessionState, game: TableGame, speaker: Speaker) -> Iterator[TableAction]:
    live = [cube.key for cube in game.cubes if cube.live]
    for player in game.seating.players:
        keys = [key for key in live if _may(state, events.Offered(player, (key,)))]
        if not keys:
            shared = tuple(cube.key for cube in game.cubes if cube.live and cube.against is None)
            keys = list(shared) if shared and _may(state, events.Offered(player, shared)) else []
        if keys:
            label = _("%(who)s doubles") % {"who": speaker.name(player)}
            offer = events.Offered(player, tuple(keys))
            yield TableAction(offer.kind, label, (player,), tuple(keys), body=_body(offer))


def _answers(game: TableGame, speaker: Speaker) -> Iterator[TableAction]:
    asked: dict[str, list[str]] = {}
    for cube in game.offered:
        asked.setdefault(_decider(game, cube, cube.asked), []).append(cube.key)
    for player, keys in asked.items():
        label = _("%(who)s answers") % {"who": speaker.name(player)}
        whole = player == game.seating.box
        yield TableAction(
            events.Answered.kind, label, (player,), tuple(keys), body={"by": player}, more={"all": whole}
        )


def _decider(game: TableGame, cube: TableCube, side: Half | None) -> str:
    return cube.holder if side is Half.TEAM else cube.against or game.seating.box


def _redoubles(state: SessionState, game: TableGame, speaker: Speaker) -> Iterator[TableAction]:
    for cube in game.cubes:
        if not cube.live or cube.owner is None:
            continue
        cube_name = speaker.cube(cube.key)
        owner, other = (_decider(game, cube, side) for side in (cube.owner, cube.owner.other))
        beaver, raccoon = events.CubeBeavered(owner, cube.key), events.CubeRaccooned(other, cube.key)
        if _may(state, beaver):
            own = _("%(who)s beavers") if owner == cube.key else _("%(who)s beavers: %(cube)s")
            label = own % {"who": speaker.name(owner), "cube": cube_name}
            yield TableAction(beaver.kind, label, (owner,), (cube.key,), body=_body(beaver))
        if _may(state, raccoon):
            own = _("%(who)s raccoons") if other == cube.key else _("%(who)s raccoons: %(cube)s")
            label = own % {"who": speaker.name(other), "cube": cube_name}
            yield TableAction(raccoon.kind, label, (other,), (cube.key,), body=_body(raccoon))


def _extras(state: SessionState, game: TableGame, speaker: Speaker) -> Iterator[TableAction]:
    for payer in game.seating.crew:
        for holder in game.seating.crew:
            extra = events.ExtraTaken(payer, holder)
            if payer != holder and _may(state, extra):
                names = {"payer": speaker.name(payer), "holder": speaker.name(holder)}
                label = _("%(holder)s holds an extra against %(payer)s") % names
                yield TableAction(extra.kind, label, (payer,), players=(payer, holder), body=_body(extra))
                refused = events.RefusedExtra(payer, holder)
                if _may(state, refused):
                    label = _("%(holder)s refuses an extra against %(payer)s") % names
                    yield TableAction(
                        refused.kind, label, (holder,), players=(payer, holder), body=_body(refused)
                    )


def _sales(state: SessionState, game: TableGame) -> Iterator[TableAction]:
    keys = tuple(cube.key for cube in game.cubes if _may(state, events.CubeSettled(cube.key, 0)))
    if keys:
        yield TableAction(events.CubeSettled.kind, _("Settle a cube"), cubes=keys)
    for cube in game.cubes:
        players = tuple(
            player
            for player in game.seating.players
            if cube.live and _may(state, events.CubeTakenOver(cube.key, player, 0))
        )
        if players:
            label = _("Take over a cube")
            yield TableAction(events.CubeTakenOver.kind, label, cubes=(cube.key,), players=players)


def _between_games(state: SessionState, speaker: Speaker) -> Iterator[TableAction]:
    if state.game is not None:
        return
    throwing = players_to_roll(state)
    if throwing:
        yield TableAction(
            "places", _("Roll for places"), players=throwing, more={"dice": state.options.opening_dice}
        )
    yield from _starts(state, speaker)
    if len(state.line) > 1:
        body = {"players": list(state.line)}
        yield TableAction("order", _("Set order"), players=state.line, body=body)
        yield TableAction("swap", _("Swap places"), players=state.line)
    if _may(state, events.SessionClosed()):
        yield TableAction(events.SessionClosed.kind, _("End chouette"))


def _starts(state: SessionState, speaker: Speaker) -> Iterator[TableAction]:
    for partner in (None, *state.line[1:]):
        begun = events.GameBegun(partner)
        if not _may(state, begun):
            continue
        label = _("Next game")
        if partner is not None:
            label = _("Next game, %(who)s as partner") % {"who": speaker.name(partner)}
        yield TableAction(begun.kind, label, players=(partner,) if partner else (), body=_body(begun))


def _people(state: SessionState) -> Iterator[TableAction]:
    if _may(state, events.Joined(SOMEBODY, 0)):
        yield TableAction(events.Joined.kind, _("Add a player"))
    for label, kind in (
        (_("Agree to the rules"), events.Agreed),
        (_("Sit out"), events.SatOut),
        (_("Come back"), events.CameBack),
        (_("Leave"), events.LeftTable),
    ):
        players = tuple(
            seat.player
            for seat in state.seats
            if _may(state, kind(seat.player)) and not (kind is events.Agreed and seat.agreed)
        )
        if players:
            yield TableAction(kind.kind, label, players=players)
    here = tuple(seat.player for seat in state.seats if seat.presence is not SeatPresence.GONE)
    stakes = tuple(
        seat.player for seat in state.seats if _may(state, events.StakeSet(seat.player, seat.stake))
    )
    if stakes:
        yield TableAction(events.StakeSet.kind, _("Change stake"), players=stakes)
    if len(here) > 1 and _may(state, events.ProxyNamed(here[0], here[1])):
        yield TableAction(events.ProxyNamed.kind, _("Name a proxy"), players=here)
    yield TableAction(events.OptionsChanged.kind, _("Change rules"))


def _examples(state: SessionState) -> Iterator[ChouetteEvent]:
    """One plausible event per kind; its refusal stands for the kind."""
    one, other = [*state.line, *("" for _n in range(2))][:2]
    dice = (1,) * state.options.opening_dice
    cube = one
    yield events.Joined(SOMEBODY, 0)
    yield events.PlacesThrown(tuple(events.PlaceThrow(player, dice) for player in players_to_roll(state)))
    yield events.PlacesAgreed(state.line)
    yield events.Swapped(one, other)
    yield events.GameBegun()
    yield events.SessionClosed()
    if state.line:
        yield events.StakeSet(one, 0)
    if state.game is not None:
        live = tuple(each.key for each in state.game.cubes if each.live)
        box, cube = state.game.seating.box, live[0]
        yield events.Offered(box, live)
        yield events.Answered(box, takes=live)
        yield events.CubeBeavered(state.game.cube(cube).holder, cube)
        yield events.CubeRaccooned(box, cube)
        first, second = state.game.seating.crew[:2]
        yield events.ExtraTaken(first, second)
    yield events.OpeningTied(doubled=False)
    yield events.CubeSettled(cube, 0)
    yield events.CubeTakenOver(cube, other, 0)
    yield events.GameOver(box_won=True, win=Win.SINGLE)
