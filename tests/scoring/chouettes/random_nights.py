"""Whole nights of chouette from a seed: anything may be tried, much of it sensible, and after each event the
table is checked. Plain randomness, so that thousands of them take seconds.
"""

import json
from collections.abc import Callable
from random import Random
from typing import Any

from scoring.log.queries.sheets import NumberedEvent
from scoring.rules.chouette import events
from scoring.rules.chouette.events import (
    ChouetteEvent,
    Nothing,
    chouette_event_from_plain,
    chouette_event_to_plain,
)
from scoring.rules.chouette.game_state import Fresh, Half, TableCube, TableGame
from scoring.rules.chouette.options import (
    HOUSES,
    Automatic,
    BoxKeeps,
    ChouetteOptions,
    Extras,
    NewBox,
    ThreePlayers,
)
from scoring.rules.chouette.payments import settling_payments
from scoring.rules.chouette.session import apply_event, begin_session, replay_session
from scoring.rules.chouette.session_state import SeatPresence, SessionState, session_bytes, session_from_plain
from scoring.rules.endings import GameEnd
from scoring.rules.errors import IllegalAction, InvalidValue
from scoring.rules.logs import CHOUETTE_LOG
from scoring.rules.match import Win
from scoring.sheets.services.entries import EntryRefused
from scoring.sheets.services.refolds import CorrectionRefused, put_in_place

NAMES = tuple("abcdefghijklm")
PARTNERS = [(None, None), (4, None), (6, None), (4, 5), (6, 7)]


def random_options(rng: Random) -> ChouetteOptions:
    """A house that is known, or one that nobody has thought of."""
    if rng.random() < 0.3:
        return HOUSES[rng.choice(sorted(HOUSES))]
    least, must = rng.choice(PARTNERS)
    flags = (
        "multi_cube", "jacoby", "beavers", "raccoons", "lone_taker_beavers", "takes_half", "takes_captain",
        "settlements", "double_stand_up", "newcomers_last", "proxies",
    )  # fmt: skip
    chosen: dict[str, Any] = {flag: rng.random() < 0.6 for flag in flags}
    return ChouetteOptions(
        three_players=rng.choice(list(ThreePlayers)),
        automatic=rng.choice(list(Automatic)),
        extras=rng.choice(list(Extras)),
        box_keeps=rng.choice(list(BoxKeeps)),
        new_box=rng.choice(list(NewBox)),
        partner_from=least,
        partner_must=must,
        opening_dice=rng.choice([1, 2]),
        max_cube=rng.choice([None, None, 1, 4, 64]),
        **chosen,
    )


class RandomNight:
    """A table from its start, the log that it has so far, and the state that this comes to."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        start = events.SessionStarted(random_options(self.rng))
        self.log: list[ChouetteEvent] = [start]
        self.state = begin_session(start)
        self.done: dict[str, int] = {}
        for name in NAMES[: self.rng.randint(3, 8)]:
            self.attempt(events.Joined(name, self.rng.choice([0, 1, 50, 100])))
        self.attempt(self.places())

    def run(self, steps: int) -> None:
        """So many things are tried; a night that is over by chance goes on only if it is taken back."""
        for _step in range(steps):
            chance = self.rng.random()
            if chance < 0.04:
                self.undo()
            elif chance < 0.08:
                self.correct()
            elif chance < 0.085:
                self.check_replay()
            else:
                self.attempt(self.proposal())
        self.check_replay()

    def note(self, what: str) -> None:
        """Count what has happened, so that a test can say that it did."""
        self.done[what] = self.done.get(what, 0) + 1

    # What may be tried --------------------------------------------------------------------------------------

    def proposal(self) -> ChouetteEvent:
        """Something that somebody may want to write now."""
        rng, game = self.rng, self.state.game
        if rng.random() < (0.12 if game else 0.35):
            return self.people()
        if game is None:
            chance = rng.random()
            if not self.state.placed and chance < 0.8:
                return self.places()
            if chance > 0.98:
                return events.SessionClosed()
            partner = rng.choice(self.state.line) if self.state.line and rng.random() < 0.4 else None
            return events.GameBegun(partner)
        if game.offered and rng.random() < 0.85:
            return self.answer(game)
        fresh = any(cube.fresh is not Fresh.NO for cube in game.cubes)
        kinds: list[tuple[float, Callable[[TableGame], ChouetteEvent]]] = [
            (6, self.offer), (6 if fresh else 0.2, self.redouble),
            (6 if game.round_passed else 0.2, self.extra),
            (1.5 if game.options.settlements else 0.2, self.sale), (3, self.over),
            (1.5 if not game.results else 0.1, lambda _game: events.OpeningTied(rng.random() < 0.5)),
            (0.2, lambda _game: events.SessionClosed()),
        ]  # fmt: skip
        weights, makers = zip(*kinds, strict=True)
        if game.must_beaver is not None and rng.random() < 0.7:
            cube = game.cube(game.must_beaver)
            return events.CubeBeavered(cube.holder, cube.key)
        maker: Callable[[TableGame], ChouetteEvent] = rng.choices(makers, weights)[0]
        return maker(game)

    def people(self) -> ChouetteEvent:
        rng = self.rng
        one, other = rng.choice(NAMES), rng.choice(NAMES)
        away = [seat.player for seat in self.state.seats if seat.presence is not SeatPresence.PLAYING]
        stake = rng.choice([0, 1, 25, 100, 1000])
        return rng.choice(
            [
                events.Joined(one, stake), events.Joined(one, stake), events.Agreed(one), events.SatOut(one),
                events.LeftTable(one), events.CameBack(one), events.CameBack(rng.choice(away or NAMES)),
                events.StakeSet(one, stake), events.Swapped(one, other), events.SeatHanded(one),
                events.ProxyNamed(one, other if rng.random() < 0.7 else None),
                events.OptionsChanged(random_options(rng)), self.places(),
                events.PaymentMade(one, other, rng.randint(0, 300)),
            ]
        )  # fmt: skip

    def places(self) -> ChouetteEvent:
        rng, state = self.rng, self.state
        if rng.random() < 0.4:
            return events.PlacesAgreed(tuple(rng.sample(state.line, len(state.line))))
        groups = state.tied or (state.line,)
        asked = next((group for group in groups if len(group) > 1), ())
        dice = state.options.opening_dice
        return events.PlacesThrown(
            tuple(
                events.PlaceThrow(player, tuple(rng.randint(1, 6) for _die in range(dice)))
                for player in asked
            )
        )

    def offer(self, game: TableGame) -> ChouetteEvent:
        rng = self.rng
        box, captain = game.seating.box, game.captain or game.seating.box
        by = rng.choice([box, box, captain, *game.seating.players])
        live = [cube.key for cube in game.cubes if cube.live and cube.against is None]
        own = [cube.key for cube in game.cubes if cube.live and game.side_of(cube, by)]
        keys = live if rng.random() < 0.4 else rng.sample(own, rng.randint(0, len(own)))
        return events.Offered(by, tuple(keys))

    def answer(self, game: TableGame) -> ChouetteEvent:
        rng = self.rng
        cube = rng.choice(game.offered)
        by = self.decider(game, cube, cube.asked)
        asked = [one.key for one in game.offered if game.side_of(one, by) is one.asked]
        if not game.options.multi_cube or rng.random() < 0.4:
            takes = asked if rng.random() < 0.6 else []
        else:
            takes = [key for key in asked if rng.random() < 0.5]
        return events.Answered(by, tuple(takes), tuple(key for key in asked if key not in takes))

    def redouble(self, game: TableGame) -> ChouetteEvent:
        fresh = [cube for cube in game.cubes if cube.fresh is not Fresh.NO]
        cube = self.rng.choice(fresh or game.cubes)
        kind = events.CubeBeavered if cube.fresh is Fresh.TAKEN else events.CubeRaccooned
        side = cube.owner if kind is events.CubeBeavered else (cube.owner or Half.BOX).other
        return kind(self.decider(game, cube, side), cube.key)

    def extra(self, game: TableGame) -> ChouetteEvent:
        kind = events.ExtraTaken if self.rng.random() < 0.8 else events.RefusedExtra
        payers = game.round_passed or game.seating.crew
        return kind(self.rng.choice(payers), self.rng.choice(game.seating.crew))

    def sale(self, game: TableGame) -> ChouetteEvent:
        rng = self.rng
        key, points = rng.choice(game.cubes).key, rng.randint(-4, 4)
        if rng.random() < 0.5:
            return events.CubeSettled(key, points)
        return events.CubeTakenOver(key, rng.choice(game.seating.players), points)

    def over(self, _game: TableGame) -> ChouetteEvent:
        ended = self.rng.choice([GameEnd.BORNE_OFF, GameEnd.BORNE_OFF, GameEnd.RESIGNATION, GameEnd.PASS])
        return events.GameOver(self.rng.random() < 0.5, self.rng.choice(list(Win)), ended)

    @staticmethod
    def decider(game: TableGame, cube: TableCube, side: Half | None) -> str:
        return cube.holder if side is Half.TEAM else cube.against or game.seating.box

    # What is done -------------------------------------------------------------------------------------------

    def attempt(self, event: ChouetteEvent) -> None:
        try:
            after = apply_event(self.state, event)
        except (IllegalAction, InvalidValue):
            self.note("refused")
            return
        before, self.state = self.state, after
        self.log.append(event)
        self.note(event.kind)
        if len(after.games) > len(before.games):
            check_ledger(after, len(before.games))
            check_payments(after)
        check_table(after)

    def numbered(self) -> list[NumberedEvent[ChouetteEvent]]:
        return [NumberedEvent(seq, event) for seq, event in enumerate(self.log, start=1)]

    def undo(self) -> None:
        """The last event that stands is taken back, as the table's button does it."""
        last = next((at for at in range(len(self.log), 1, -1) if self.log[at - 1] != Nothing()), None)
        if last is not None:
            self.replaced(last, Nothing(), cut=False)
            self.note("undo")

    def correct(self) -> None:
        """Something else in the place of an earlier event; what follows is validated anew, or cut."""
        if len(self.log) < 3:
            return
        seq, cut = self.rng.randint(2, len(self.log)), self.rng.random() < 0.3
        other = self.otherwise(self.log[seq - 1])
        try:
            self.replaced(seq, other, cut=cut)
            self.note(f"corrected {other.kind}")
        except EntryRefused:
            self.note("correction refused")
        except CorrectionRefused:
            self.note("correction does not fit")

    def otherwise(self, event: ChouetteEvent) -> ChouetteEvent:
        """What may have happened in the place of an event: the same thing another way, or nothing."""
        rng = self.rng
        if rng.random() < 0.15:
            return Nothing()
        match event:
            case events.GameOver():
                return events.GameOver(rng.random() < 0.5, rng.choice(list(Win)))
            case events.Answered(by=by, takes=takes, passes=passes):
                named = [*takes, *passes]
                took = [key for key in named if rng.random() < 0.5]
                return events.Answered(by, tuple(took), tuple(key for key in named if key not in took))
            case events.Offered(by=by, cubes=cubes):
                return events.Offered(by, tuple(rng.sample(cubes, rng.randint(1, len(cubes)))))
            case events.Joined(player=player):
                return events.Joined(player, rng.randint(0, 500))
            case events.StakeSet(player=player):
                return events.StakeSet(player, rng.randint(0, 500))
            case events.PlacesAgreed(players=players):
                return events.PlacesAgreed(tuple(rng.sample(players, len(players))))
            case events.PlacesThrown(throws=throws):
                dice = [tuple(rng.randint(1, 6) for _die in throw.dice) for throw in throws]
                return events.PlacesThrown(
                    tuple(
                        events.PlaceThrow(throw.player, each)
                        for throw, each in zip(throws, dice, strict=True)
                    )
                )
            case events.CubeSettled(cube=cube):
                return events.CubeSettled(cube, rng.randint(-4, 4))
            case events.OpeningTied(doubled=doubled):
                return events.OpeningTied(not doubled)
            case events.OptionsChanged():
                return events.OptionsChanged(random_options(rng))
            case _:
                return Nothing() if rng.random() < 0.5 else self.people()

    def replaced(self, seq: int, event: ChouetteEvent, *, cut: bool) -> None:
        new = put_in_place(CHOUETTE_LOG, self.numbered(), seq, event, cut=cut)
        for at, standing in new.changes:
            self.log[at - 1] = standing
        self.state = new.folded.state
        assert new.folded.misfit is None
        for number in range(len(self.state.games)):
            check_ledger(self.state, number)
        check_payments(self.state)
        check_table(self.state)

    def check_replay(self) -> None:
        """The log as it is stored comes to the same state, and so does the state as it is stored."""
        plain = json.loads(json.dumps([chouette_event_to_plain(event) for event in self.log]))
        assert replay_session(chouette_event_from_plain(*each) for each in plain) == self.state
        assert session_from_plain(json.loads(session_bytes(self.state))) == self.state


def check_ledger(state: SessionState, number: int) -> None:
    """A finished game brought its players nothing in sum, in points and in money."""
    game = state.games[number]
    assert game.number == number + 1
    assert sum(line.points for line in game.ledger) == 0
    assert sum(line.minor for line in game.ledger) == 0
    assert [line.player for line in game.ledger] == list(game.seating.players)


def check_payments(state: SessionState) -> None:
    """The payments that are proposed settle the night, after those that were made."""
    minor = state.unpaid
    for payment in settling_payments(minor):
        assert payment.minor > 0
        minor[payment.payer] += payment.minor
        minor[payment.receiver] -= payment.minor
    assert not any(minor.values())


def check_table(state: SessionState) -> None:
    """Everybody sits once; there is one box and one captain; cubes are what cubes can be."""
    assert len(set(state.line)) == len(state.line)
    here = {seat.player for seat in state.seats if seat.presence is SeatPresence.PLAYING}
    game = state.game
    if game is None:
        assert set(state.line) == here
        assert state.partner is None or state.partner in state.line[1:]
        assert not (state.placed and state.tied)
        if state.placed and len(state.line) > 1:
            assert state.box == state.line[0]
            assert state.captain in {None, *state.line[1:]}
        return
    seating = game.seating
    assert here <= set(state.line)
    assert not state.closed
    assert len(set(seating.players)) == len(seating.players)
    assert [state.box] == [player for player in seating.players if player == seating.box]
    assert not game.over
    still = [cube.player for cube in game.cubes if cube.live and cube.against is None]
    assert game.captain == next((player for player in seating.crew if player in still), None)
    assert [cube.player for cube in game.cubes if cube.against is None] == list(seating.crew)
    assert len({cube.key for cube in game.cubes}) == len(game.cubes)
    for cube in game.cubes:
        check_cube(game, cube)
    if not (game.options.multi_cube or game.offered):
        values = {(c.value, c.owner) for c in game.cubes if c.live and c.against is None}
        assert len(values) <= 1


def check_cube(game: TableGame, cube: TableCube) -> None:
    assert cube.value > 0
    assert cube.value & (cube.value - 1) == 0
    assert game.options.max_cube is None or cube.value <= game.options.max_cube
    assert cube.turned == (cube.owner is not None)
    assert cube.holder in game.seating.players
    assert cube.offered is None or (cube.live and cube.owner in {None, cube.offered})
    if cube.against is not None:
        assert game.options.extras is not Extras.NONE
        assert cube.against in game.seating.crew
    assert cube.account is None or game.options.settlements
