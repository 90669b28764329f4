"""Whatever a table does: every ledger sums to zero, there is one box and one captain, cubes are legal."""

import json

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from scoring.rules.chouette.events import (
    Answered,
    CameBack,
    ChouetteEvent,
    CubeBeavered,
    CubeRaccooned,
    CubeSettled,
    CubeTakenOver,
    ExtraTaken,
    GameBegun,
    GameOver,
    Joined,
    LeftTable,
    Nothing,
    Offered,
    OpeningTied,
    OptionsChanged,
    PlacesAgreed,
    RefusedExtra,
    SatOut,
    SessionStarted,
    StakeSet,
    Swapped,
    chouette_event_from_plain,
    chouette_event_to_plain,
)
from scoring.rules.chouette.game_state import Half, TableGame
from scoring.rules.chouette.options import (
    Automatic,
    BoxKeeps,
    ChouetteOptions,
    Extras,
    NewBox,
    ThreePlayers,
)
from scoring.rules.chouette.payments import settling_payments
from scoring.rules.chouette.session import apply_event, replay_session, why_not
from scoring.rules.chouette.session_state import SeatPresence, session_bytes, session_from_plain
from scoring.rules.errors import IllegalAction, InvalidValue
from scoring.rules.match import Win
from tests.tiers import sized

NAMES = tuple("abcdefghi")
PARTNERS = st.sampled_from([(None, None), (4, None), (6, None), (4, 7), (6, 7)])
OPTIONS = st.builds(
    lambda partners, **rest: ChouetteOptions(partner_from=partners[0], partner_must=partners[1], **rest),
    PARTNERS,
    multi_cube=st.booleans(),
    jacoby=st.booleans(),
    beavers=st.booleans(),
    raccoons=st.booleans(),
    lone_taker_beavers=st.booleans(),
    takes_half=st.booleans(),
    takes_captain=st.booleans(),
    three_players=st.sampled_from(ThreePlayers),
    automatic=st.sampled_from(Automatic),
    extras=st.sampled_from(Extras),
    settlements=st.booleans(),
    box_keeps=st.sampled_from(BoxKeeps),
    new_box=st.sampled_from(NewBox),
    double_stand_up=st.booleans(),
    newcomers_last=st.booleans(),
    max_cube=st.sampled_from([None, 1, 4, 64]),
)
PLAYER = st.sampled_from(NAMES)
SOME = st.lists(PLAYER, max_size=5, unique=True).map(tuple)


class Night(RuleBasedStateMachine):
    """A table where anything is tried; what is refused changes nothing."""

    log: list[ChouetteEvent]

    @property
    def game(self) -> TableGame:
        """The game that is on."""
        assert self.state.game is not None
        return self.state.game

    @initialize(options=OPTIONS, count=st.integers(3, 7))
    def open(self, options, count):
        names = NAMES[:count]
        self.log = [SessionStarted(options), *(Joined(name, 10 * (n + 1)) for n, name in enumerate(names))]
        self.log.append(PlacesAgreed(names))
        self.state = replay_session(self.log)

    def attempt(self, event):
        if why_not(self.state, event) is None:
            self.state = apply_event(self.state, event)
            self.log.append(event)

    @rule(player=PLAYER, stake=st.integers(0, 500))
    def join(self, player, stake):
        self.attempt(Joined(player, stake))

    @rule(player=PLAYER, what=st.sampled_from([SatOut, LeftTable, CameBack]))
    def come_and_go(self, player, what):
        self.attempt(what(player))

    @rule(one=PLAYER, other=PLAYER)
    def swap(self, one, other):
        self.attempt(Swapped(one, other))

    @rule(player=PLAYER, stake=st.integers(0, 500))
    def set_stake(self, player, stake):
        self.attempt(StakeSet(player, stake))

    @rule(options=OPTIONS)
    def change_options(self, options):
        self.attempt(OptionsChanged(options))

    @precondition(lambda self: self.state.game is None)
    @rule(partner=st.one_of(st.none(), PLAYER))
    def begin(self, partner):
        self.attempt(GameBegun(partner))

    @precondition(lambda self: self.state.game is not None)
    @rule(doubled=st.booleans())
    def tie(self, doubled):
        self.attempt(OpeningTied(doubled))

    @precondition(lambda self: self.state.game is not None)
    @rule(data=st.data(), everybody=st.booleans())
    def offer(self, data, everybody):
        game = self.game
        by = data.draw(st.sampled_from(game.seating.players))
        live = [cube.key for cube in game.cubes if cube.live]
        own = [cube.key for cube in game.cubes if cube.live and game.side_of(cube, by)]
        keys = live if everybody else data.draw(st.lists(st.sampled_from(own or live), unique=True))
        self.attempt(Offered(by, tuple(keys)))

    @precondition(lambda self: self.state.game is not None and self.state.game.offered)
    @rule(data=st.data())
    def answer(self, data):
        game = self.game
        cube = data.draw(st.sampled_from(game.offered))
        by = (cube.against or game.seating.box) if cube.offered is Half.TEAM else cube.holder
        asked = [one.key for one in game.offered if game.side_of(one, by) is one.asked]
        takes = data.draw(
            st.one_of(st.just(asked), st.just([]), st.lists(st.sampled_from(asked), unique=True))
        )
        self.attempt(Answered(by, tuple(takes), tuple(key for key in asked if key not in takes)))

    @precondition(lambda self: self.state.game is not None)
    @rule(data=st.data(), what=st.sampled_from([CubeBeavered, CubeRaccooned]))
    def beaver(self, data, what):
        game = self.game
        cube = data.draw(st.sampled_from(game.cubes))
        self.attempt(what(data.draw(st.sampled_from([cube.holder, game.seating.box])), cube.key))

    @precondition(lambda self: self.state.game is not None)
    @rule(payer=PLAYER, holder=PLAYER)
    def extra(self, payer, holder):
        self.attempt(ExtraTaken(payer, holder))

    @precondition(lambda self: self.state.game is not None)
    @rule(payer=PLAYER, holder=PLAYER)
    def no_extra(self, payer, holder):
        self.attempt(RefusedExtra(payer, holder))

    @precondition(lambda self: self.state.game is not None)
    @rule(data=st.data(), points=st.integers(-4, 4))
    def settle(self, data, points):
        cube = data.draw(st.sampled_from(self.game.cubes))
        self.attempt(CubeSettled(cube.key, points))

    @precondition(lambda self: self.state.game is not None)
    @rule(data=st.data(), by=PLAYER, points=st.integers(-4, 4))
    def take_over(self, data, by, points):
        cube = data.draw(st.sampled_from(self.game.cubes))
        self.attempt(CubeTakenOver(cube.key, by, points))

    @precondition(lambda self: self.state.game is not None)
    @rule(box_won=st.booleans(), win=st.sampled_from(Win))
    def finish(self, box_won, win):
        self.attempt(GameOver(box_won, win))

    @rule()
    def undo(self):
        """The last event that stands is taken back."""
        if len(self.log) > 2:
            self.log.pop()
            self.state = replay_session(self.log)

    @rule(data=st.data())
    def correct(self, data):
        """An event in the middle is taken away, if what follows still fits."""
        at = data.draw(st.integers(1, len(self.log) - 1))
        corrected = [*self.log[:at], Nothing(), *self.log[at + 1 :]]
        try:
            self.state = replay_session(corrected)
        except (IllegalAction, InvalidValue):
            return
        self.log = corrected

    @invariant()
    def every_ledger_sums_to_zero(self):
        for game in self.state.games:
            assert sum(line.points for line in game.ledger) == 0
            assert sum(line.minor for line in game.ledger) == 0
            assert {line.player for line in game.ledger} == set(game.seating.players)
        minor = {player: both[1] for player, both in self.state.balances.items()}
        left = dict(minor)
        for payment in settling_payments(minor):
            left[payment.payer] += payment.minor
            left[payment.receiver] -= payment.minor
        assert not any(left.values())

    @invariant()
    def everybody_sits_once(self):
        state = self.state
        assert len(set(state.line)) == len(state.line)
        here = {seat.player for seat in state.seats if seat.presence is SeatPresence.PLAYING}
        if state.game is None:
            assert set(state.line) == here
            assert state.partner is None or state.partner in state.line[1:]
        else:
            assert here <= set(state.line)
            assert state.box not in state.crew
            assert state.game.captain is None or state.game.captain in state.crew
            assert sorted(cube.player for cube in state.game.cubes if cube.against is None) == sorted(
                state.crew
            )

    @invariant()
    def cubes_are_legal(self):
        if self.state.game is None:
            return
        game = self.game
        for cube in game.cubes:
            assert cube.value & (cube.value - 1) == 0
            assert game.options.max_cube is None or cube.value <= max(1, game.options.max_cube)
            assert cube.turned == (cube.owner is not None)
            assert cube.live or cube.offered is None

    @invariant()
    def a_game_can_always_end(self):
        game = self.state.game
        if game is None or game.offered or game.must_beaver is not None:
            return
        for win in Win:
            for box_won in (True, False):
                assert why_not(self.state, GameOver(box_won, win)) is None

    @invariant()
    def the_log_says_it_all(self):
        plain = [chouette_event_to_plain(event) for event in self.log]
        assert replay_session(chouette_event_from_plain(*each) for each in plain) == self.state
        assert session_from_plain(json.loads(session_bytes(self.state))) == self.state


TestAnyNight = Night.TestCase
TestAnyNight.settings = settings(
    max_examples=sized(20, 60), stateful_step_count=50, deadline=None, suppress_health_check=list(HealthCheck)
)
