"""Register, draw, report, correct, withdraw, return, replace and undo in any order: the promises hold."""

from collections import Counter
from contextlib import suppress

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from scoring.rules.endings import Ending
from tests.tiers import sized
from tests.tournaments.core.fields import field_of
from tournaments.core.formats.presets import PRESETS, preset
from tournaments.core.formats.table import format_of
from tournaments.core.play import acts
from tournaments.core.proof.archive import archive_of, dumps, loads
from tournaments.core.proof.check import check
from tournaments.core.rounds.format import RoundsFormat
from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.outcomes import Gone, Outcome

PICK = st.integers(0, 10_000)
ENDED = st.sampled_from(list(Ending))


class Event(RuleBasedStateMachine):
    """One stage of any preset; every action is what a director can do, refused or not."""

    @initialize(key=st.sampled_from(list(PRESETS)), extra=st.integers(0, 8), seed=PICK)
    def draw(self, key, extra, seed):
        chosen = preset(key)
        field = field_of(chosen.minimum + extra)
        self.drawn = self.stage = acts.open_stage(chosen.format, field, chosen.options, seed=str(seed))
        self.late = 0

    def attempt(self, action, *arguments, **options):
        with suppress(DrawRefused):
            self.stage = action(self.stage, *arguments, **options)

    @rule()
    def publish(self):
        self.attempt(acts.publish)

    @rule(pick=PICK, turned=st.booleans(), ended=ENDED)
    def report_open(self, pick, turned, ended):
        open_pairings = self.stage.open_pairings()
        if open_pairings:
            p = open_pairings[pick % len(open_pairings)]
            a, b = (p.b, p.a) if turned else (p.a, p.b)
            self.attempt(acts.report, p.number, Outcome(a, b, ended))

    @rule(turned=st.lists(st.booleans(), min_size=40, max_size=40))
    def report_all(self, turned):
        for p, other in zip(self.stage.open_pairings(), turned, strict=False):
            self.attempt(acts.report, p.number, Outcome(p.b, p.a) if other else Outcome(p.a, p.b))

    @precondition(lambda self: self.stage.outcomes)
    @rule(pick=PICK, undo=st.booleans())
    def correct(self, pick, undo):
        number = sorted(self.stage.outcomes)[pick % len(self.stage.outcomes)]
        old = self.stage.outcomes[number]
        self.attempt(acts.report, number, None if undo else Outcome(old.loser, old.winner))

    @rule(pick=PICK, how=st.sampled_from(list(Gone)))
    def leave(self, pick, how):
        self.attempt(acts.leave, 1 + pick % len(self.stage.field), how)

    @rule(pick=PICK)
    def come_back(self, pick):
        self.attempt(acts.come_back, 1 + pick % len(self.stage.field))

    @rule()
    def enter_late(self):
        self.late += 1
        self.attempt(acts.enter_late, Entrant(f"late{self.late}"))

    @rule(pick=PICK)
    def replace(self, pick):
        self.late += 1
        self.attempt(acts.replace_entrant, 1 + pick % len(self.stage.field), Entrant(f"late{self.late}"))

    @rule()
    def withdraw_round(self):
        self.attempt(acts.withdraw_round)

    @rule()
    def close(self):
        self.attempt(acts.close)

    @invariant()
    def everybody_is_placed_once_and_nobody_meets_himself(self):
        if not hasattr(self, "stage"):
            return
        placed = Counter(p.entrant for p in format_of(self.stage.format).places(self.stage))
        assert set(placed) == set(range(1, len(self.stage.field) + 1))
        assert set(placed.values()) == {1}
        assert all(p.a != p.b for p in self.stage.pairings.values())

    @invariant()
    def nobody_plays_twice_in_one_round_nor_after_leaving(self):
        if not hasattr(self, "stage"):
            return
        sides = Counter((p.round, n) for p in self.stage.pairings.values() for n in (p.a, p.b) if n)
        if isinstance(format_of(self.stage.format), RoundsFormat):
            assert set(sides.values()) <= {1}
        playing = Counter(n for p in self.stage.open_pairings() for n in (p.a, p.b))
        assert not playing.keys() & self.stage.gone.keys()

    def it_can_still_be_finished(self):
        """Whatever has happened, publishing and reporting ends the event with a winner or with nobody
        left.
        """
        for _ in range(200):
            self.attempt(acts.publish)
            for p in self.stage.open_pairings():
                self.attempt(acts.report, p.number, Outcome(p.a, p.b))
            if format_of(self.stage.format).finished(self.stage):
                return
        raise AssertionError(f"{self.stage.format} does not end")

    def teardown(self):
        if hasattr(self, "stage"):
            self.it_can_still_be_finished()
            archive = archive_of(self.stage, drawn=self.drawn)
            assert loads(dumps(archive)) == archive
            assert check(archive).faults == ()


Event.TestCase.settings = settings(
    max_examples=sized(40, 120),
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestAnyOrder = Event.TestCase
