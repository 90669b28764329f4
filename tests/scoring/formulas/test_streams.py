"""A stream gives the floats of the fold, and a correction gives those of a full replay, to the last bit."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from scoring.formulas.elo import FIBS, FORMULAS, EloFormula, rinta_nikkola
from scoring.formulas.streams import (
    CHUNK,
    Moved,
    Rated,
    RatingCorrection,
    RatingStanding,
    Standings,
    Stored,
    replayed,
)
from tests.scoring.formulas.folding import RatedResult, fold_results

NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)
PLAYERS = range(1, 9)
formulas = st.sampled_from([*FORMULAS.values(), rinta_nikkola(1.2)])


@st.composite
def results(draw, match: int):
    winner, loser = draw(st.permutations(PLAYERS))[:2]
    at = NEW_YEAR + timedelta(minutes=draw(st.integers(0, 20)))  # many at the same moment
    return Rated(match, f"m{match:03}", at, draw(st.integers(1, 25)), winner, loser)


@st.composite
def logs(draw, largest=30):
    found = [draw(results(match)) for match in range(draw(st.integers(0, largest)))]
    return sorted(found, key=lambda rated: rated.place)


def fold(log: Sequence[Rated], formula: EloFormula) -> tuple[dict[int, Moved], Standings]:
    standings: Standings = {}
    return {moved.match: moved for moved in replayed(log, standings, formula=formula)}, standings


def correct(
    log: Sequence[Rated], changed: Mapping[int, Rated | None], formula: EloFormula
) -> tuple[dict[int, Moved], Standings, list[int]]:
    """The list with a correction in it, where everybody stands, and the matches that were rewritten."""
    stored, standings = fold(log, formula)
    entered = {}
    for each in filter(None, changed.values()):
        for player in (each.winner, each.loser):
            _, before = fold([rated for rated in log if rated.place < each.place], formula)
            if player in before:
                entered[each.match, player] = before[player]
    correction = RatingCorrection(
        changed, stored=lambda some: numbers(stored, some), entered=entered, formula=formula
    )
    new = [rated for rated in changed.values() if rated is not None]
    places = [rated.place for rated in [*log, *new] if rated.match in changed]
    links = [
        (each.played_at, each.ref, each.match, each.winner, each.loser)
        for each in log
        if each.place >= min(places, default=each.place)
    ]
    moved = list(correction.moved(links))
    kept = {match: each for match, each in stored.items() if match not in changed}
    after = standings | correction.standings
    return kept | {each.match: each for each in moved}, after, [each.match for each in moved]


def numbers(stored: Mapping[int, Moved], some: Sequence[int]) -> dict[int, Stored]:
    assert len(some) <= CHUNK
    rows = {match: stored[match] for match in some}
    return {
        match: Stored(
            row.length,
            row.winner_before,
            row.loser_before,
            row.winner_experience,
            row.loser_experience,
            row.winner_number,
            row.loser_number,
        )
        for match, row in rows.items()
    }


@given(log=logs(), formula=formulas)
def test_a_stream_gives_the_floats_of_the_fold(log, formula):
    moved, standings = fold(log, formula)
    results = [
        RatedResult(each.ref, each.played_at, each.length, str(each.winner), str(each.loser)) for each in log
    ]
    told = fold_results(results, formula=formula)
    for change, each in zip(told.changes, moved.values(), strict=True):
        assert (change.weight, change.winner.probability) == (each.weight, each.chance)
        assert (change.winner.k, change.loser.k) == (each.winner_k, each.loser_k)
        assert (change.winner.before, change.winner.after) == (each.winner_before, each.winner_after)
        assert (change.loser.before, change.loser.after) == (each.loser_before, each.loser_after)
    ends = {int(player): standing for player, standing in told.standings.items()}
    assert {
        player: (each.rating, each.experience, each.matches, each.last_played)
        for player, each in standings.items()
    } == {
        player: (each.rating, each.experience, each.matches, each.last_played)
        for player, each in ends.items()
    }


@given(log=logs(), formula=formulas, data=st.data())
def test_a_correction_is_bit_identical_to_a_full_replay(log, formula, data):
    """Results turned round, taken out, moved in time, given to others, and new ones, several at once."""
    changed: dict[int, Rated | None] = {}
    for match in data.draw(st.lists(st.integers(0, 35), max_size=6, unique=True)):
        changed[match] = data.draw(st.none() | results(match))
    list_after, standings, _ = correct(log, changed, formula)
    truth = [rated for rated in log if rated.match not in changed]
    truth += [rated for rated in changed.values() if rated is not None]
    expected, ends = fold(sorted(truth, key=lambda rated: rated.place), formula)
    assert list_after == expected
    held = {player: each for player, each in standings.items() if each.matches}
    assert {p: (s.rating, s.experience, s.matches) for p, s in held.items()} == {
        p: (s.rating, s.experience, s.matches) for p, s in ends.items()
    }


def test_only_matches_that_a_moved_player_is_in_are_rewritten():
    log = [
        Rated(match, f"m{match}", NEW_YEAR + timedelta(days=match), 5, *players)
        for match, players in enumerate([(1, 2), (3, 4), (5, 6), (1, 3), (5, 7), (3, 8)])
    ]
    turned = log[0]._replace(winner=2, loser=1)
    _, _, rewritten = correct(log, {0: turned}, FIBS)
    assert rewritten == [0, 3, 5]


def test_a_result_that_is_as_it_was_moves_nothing_else():
    log = [Rated(match, f"m{match}", NEW_YEAR + timedelta(days=match), 5, 1, 2) for match in range(5)]
    _, _, rewritten = correct(log, {2: log[2]}, FIBS)
    assert rewritten == [2]


def test_somebody_who_never_played_begins_at_the_start_of_the_formula():
    correction = RatingCorrection(
        {7: Rated(7, "m7", NEW_YEAR, 4, 1, 2)}, stored=lambda some: {}, entered={}, formula=FIBS
    )
    assert [(each.winner_after, each.loser_after) for each in correction.moved([])] == [(1520.0, 1480.0)]
    assert correction.standings[1] == RatingStanding(1520.0, 4, 1, NEW_YEAR)
