"""Whatever is tried at a table through the services, its rows are what its log comes to."""

from itertools import count
from typing import Any

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.chouettes.services.corrections import correct, undo_last
from scoring.chouettes.services.damage import damage_of
from scoring.chouettes.services.tables import join_table
from scoring.models import Chouette, ChouettePlayer, Ledger
from scoring.rules.chouette.events import (
    Answered,
    CubeBeavered,
    CubeSettled,
    CubeTakenOver,
    ExtraTaken,
    GameBegun,
    GameOver,
    LeftTable,
    Nothing,
    Offered,
    OptionsChanged,
    RefusedExtra,
    SatOut,
    StakeSet,
    Swapped,
)
from scoring.rules.chouette.options import HOUSES, ChouetteOptions, Extras
from scoring.rules.match import Win
from scoring.sheets.services.entries import EntryRefused
from scoring.sheets.services.refolds import CorrectionRefused
from tests.scoring.chouettes.tables import NAMES, Night
from tests.tiers import sized

pytestmark = pytest.mark.django_db

FREE = ChouetteOptions(settlements=True, extras=Extras.OPTIONAL, raccoons=True, partner_from=4)
NAME = st.sampled_from(NAMES)
POINTS = st.integers(-4, 4)
STEPS = st.one_of(
    st.just(("begin",)),
    st.just(("begin",)),
    st.tuples(st.just("over"), st.booleans(), st.sampled_from(Win)),
    st.tuples(st.just("over"), st.booleans(), st.sampled_from(Win)),
    st.tuples(st.just("offer"), NAME, st.lists(NAME, max_size=4, unique=True)),
    st.tuples(st.just("offer"), NAME, st.just([])),
    st.tuples(st.just("answer"), NAME, st.booleans()),
    st.tuples(st.just("beaver"), NAME, NAME),
    st.tuples(st.just("extra"), NAME, NAME, st.booleans()),
    st.tuples(st.just("settle"), NAME, POINTS),
    st.tuples(st.just("take_over"), NAME, NAME, POINTS),
    st.tuples(st.just("join"), NAME, st.integers(0, 300)),
    st.tuples(st.just("leave"), NAME, st.booleans()),
    st.tuples(st.just("stake"), NAME, st.integers(0, 300)),
    st.tuples(st.just("swap"), NAME, NAME),
    st.tuples(st.just("options"), st.sampled_from([FREE, *HOUSES.values()])),
    st.just(("undo",)),
    st.tuples(st.just("correct"), st.integers(2, 60), st.booleans(), st.booleans()),
)
_keys = count(1)


class Scorer:
    """Somebody who tries anything on a night; what is refused is counted."""

    def __init__(self, night: Night) -> None:
        self.night, self.written = night, 0

    def do(self, what: str, *rest: Any) -> None:
        try:
            getattr(self, what)(*rest)
            self.written += 1
        except (EntryRefused, CorrectionRefused):
            pass

    def ref(self, name: str) -> str:
        return self.night.refs.get(name, "2222222222")

    def begin(self) -> None:
        self.night.write(GameBegun())

    def over(self, box_won: bool, win: Win) -> None:
        self.night.write(GameOver(box_won, win))

    def offer(self, name: str, others: list[str]) -> None:
        self.night.write(Offered(self.ref(name), tuple(self.ref(other) for other in others or [name])))

    def answer(self, name: str, takes: bool) -> None:
        game = self.night.state.game
        asked = tuple(
            cube.key for cube in (game.offered if game else ())
            if game.side_of(cube, self.ref(name)) is cube.asked
        )  # fmt: skip
        self.night.write(Answered(self.ref(name), asked if takes else (), () if takes else asked))

    def beaver(self, name: str, cube: str) -> None:
        self.night.write(CubeBeavered(self.ref(name), self.ref(cube)))

    def extra(self, payer: str, holder: str, refused: bool) -> None:
        event = RefusedExtra if refused else ExtraTaken
        self.night.write(event(self.ref(payer), self.ref(holder)))

    def settle(self, cube: str, points: int) -> None:
        self.night.write(CubeSettled(self.ref(cube), points))

    def take_over(self, cube: str, name: str, points: int) -> None:
        self.night.write(CubeTakenOver(self.ref(cube), self.ref(name), points))

    def join(self, name: str, stake: int) -> None:
        if name in self.night.users:
            join_table(chouette=self.night.chouette, user=self.night.users[name], stake=stake)
        else:
            self.night.sit(name, stake)

    def leave(self, name: str, out: bool) -> None:
        self.night.write(SatOut(self.ref(name)) if out else LeftTable(self.ref(name)))

    def stake(self, name: str, stake: int) -> None:
        self.night.write(StakeSet(self.ref(name), stake))

    def swap(self, one: str, other: str) -> None:
        self.night.write(Swapped(self.ref(one), self.ref(other)))

    def options(self, options: ChouetteOptions) -> None:
        self.night.write(OptionsChanged(options))

    def undo(self) -> None:
        undo_last(
            chouette=self.night.chouette,
            author=self.night.author(),
            after=self.night.head,
            key=f"undo-{next(_keys)}",
        )

    def correct(self, seq: int, away: bool, cut: bool) -> None:
        event = Nothing() if away else GameOver(box_won=False, win=Win.GAMMON)
        correct(
            chouette=self.night.chouette,
            author=self.night.author(),
            after=self.night.head,
            key=f"correct-{next(_keys)}",
            seq=seq,
            event=event,
            reason="tried",
            cut=cut and seq > 20,
        )


@settings(
    max_examples=sized(6, 40),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(steps=st.lists(STEPS, min_size=10, max_size=40), players=st.integers(3, 6))
def test_every_ledger_sums_to_zero_and_the_rows_are_what_the_log_comes_to(steps, players):
    night = Night(players, settlements=True, extras=Extras.OPTIONAL, partner_from=4)
    scorer = Scorer(night)
    for step in steps:
        scorer.do(*step)
    connection.check_constraints()
    assert damage_of(night.loaded.sheet) is None
    rows = Ledger.objects.filter(game__chouette=night.chouette)
    totals: dict[int, list[int]] = {}
    for game, points, minor in rows.values_list("game", "points", "minor"):
        both = totals.setdefault(game, [0, 0])
        both[0] += points
        both[1] += minor
    assert all(both == [0, 0] for both in totals.values())
    state = night.state
    assert (state.box is None) == (not state.line or not state.placed) or state.game is not None
    assert Chouette.objects.get(pk=night.chouette.pk).version > 1
    assert set(
        ChouettePlayer.objects.filter(chouette=night.chouette, seated=True).values_list("ref", flat=True)
    ) == set(state.balances)
