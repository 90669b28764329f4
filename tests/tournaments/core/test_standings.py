import json

import pytest

from tournaments.core.standings.games import Game, arrange, without_early_leavers
from tournaments.core.standings.places import share_places
from tournaments.core.standings.tables import TableOptions, UnknownTieBreak, table
from tournaments.core.standings.tie_breaks import TIE_BREAKS

COLUMNS = {
    "sonneborn_berger": "sonneborn_berger",
    "wins": "wins",
    "black_wins": "second_side_wins",
    "koya": "koya",
    "direct_encounter": "direct_encounter",
    "buchholz": "buchholz",
    "buchholz_cut1": "buchholz_cut1",
}


def real_event(path):
    data = json.loads(path.read_text())
    games = [
        Game(r["number"], p["a"], p["b"], tuple(p["score"])) for r in data["rounds"] for p in r["pairings"]
    ]
    return data, arrange(data["players"], games)


@pytest.mark.parametrize("name", ["round_robin_10", "swiss_110"])
@pytest.mark.parametrize("adjust", [True, False])
def test_real_event_comes_out_as_published_for_every_player(shared_data, name, adjust):
    data, results = real_event(shared_data / "events" / f"{name}.json")
    published = [c for c in data["published"][0] if c in COLUMNS]
    for column in published:
        rows = table(results, TableOptions((COLUMNS[column],), adjust))
        found = {row.place.entrant: row for row in rows}
        for player in data["published"]:
            row = found[player["player"]]
            assert row.score == player["score"]
            assert dict(row.values)[COLUMNS[column]] == player[column], (player, column)
    assert len(published) == {"round_robin_10": 5, "swiss_110": 2}[name]


def test_round_robin_is_ranked_as_its_published_columns_rank_it(shared_data):
    data, results = real_event(shared_data / "events" / "round_robin_10.json")
    rows = table(results, TableOptions(("direct_encounter", "sonneborn_berger")))
    expected = sorted(
        data["published"], key=lambda p: (-p["score"], p["direct_encounter"], -p["sonneborn_berger"])
    )
    assert [row.place.entrant for row in rows] == [p["player"] for p in expected]
    assert not any(row.place.shared for row in rows)


def results_of(*games, entrants=4, left=None):
    return arrange(range(1, entrants + 1), games, left)


def values(results, key, **options):
    rows = table(results, TableOptions((key,), **options))
    return {row.place.entrant: dict(row.values)[key] for row in rows}


BYE_EVENT = results_of(
    Game(1, 1, 2, (1, 0), (7, 3)),
    Game(1, 3, None, (1, 0), played=False),
    Game(2, 1, 3, (1, 0), (7, 6)),
    Game(2, 2, None, (1, 0), played=False),
    entrants=3,
)


def test_bye_counts_as_a_round_against_ones_own_score():
    assert values(BYE_EVENT, "buchholz") == {1: 2, 2: 3, 3: 3}
    assert values(BYE_EVENT, "buchholz", adjust_unplayed=False) == {1: 2, 2: 2, 3: 2}


def test_opponent_who_withdrew_counts_as_if_he_had_drawn_the_rest():
    games = (Game(1, 1, 2, (0, 1)), Game(1, 3, 4, (1, 0)), Game(2, 1, 4, (1, 0)), Game(3, 1, 3, (1, 0)))
    plain = results_of(*games)
    left = results_of(*games, left={2: 1})
    assert values(plain, "buchholz")[1] == 1 + 0 + 1
    assert values(left, "buchholz")[1] == (1 + 2 * 0.5) + 0 + 1
    assert values(left, "buchholz", adjust_unplayed=False)[1] == 2


def test_real_wins_above_bye_wins():
    assert values(BYE_EVENT, "wins") == {1: 2, 2: 1, 3: 1}
    assert values(BYE_EVENT, "real_wins") == {1: 2, 2: 0, 3: 0}


def test_stavrou_gives_a_bye_no_margin():
    assert values(BYE_EVENT, "stavrou") == {1: 205, 2: 100, 3: 100}


def test_point_difference():
    assert values(BYE_EVENT, "point_difference") == {1: 5, 2: -4, 3: -1}


def test_median_buchholz_cuts_both_ends():
    games = [Game(r, 1, n, (1, 0)) for r, n in enumerate((2, 3, 4), 1)]
    games += [Game(4, 2, 3, (1, 0)), Game(5, 2, 4, (1, 0)), Game(6, 3, 4, (1, 0))]
    results = results_of(*games)
    assert values(results, "buchholz_median", adjust_unplayed=False)[1] == 1
    assert values(results, "buchholz_cut1", adjust_unplayed=False)[1] == 3


def test_direct_encounter_ranks_only_whom_missing_games_cannot_move():
    met = results_of(
        Game(1, 1, 2, (0, 1)), Game(2, 1, 3, (1, 0)), Game(2, 2, 4, (0, 1)), Game(3, 3, 4, (1, 0))
    )
    ranks = values(met, "direct_encounter")
    assert set(ranks.values()) == {0}  # a circle in which two pairs have not met


def test_direct_encounter_of_two():
    ranks = values(results_of(Game(1, 1, 2, (0, 1)), Game(2, 1, 3, (1, 0))), "direct_encounter")
    assert (ranks[2], ranks[1]) == (1, 2)


def test_direct_encounter_of_two_who_drew_or_did_not_meet_decides_nothing():
    apart = results_of(Game(1, 1, 3, (1, 0)), Game(1, 2, 4, (1, 0)))
    assert values(apart, "direct_encounter") == dict.fromkeys((1, 2, 3, 4), 0)
    drew = results_of(Game(1, 1, 2, (0.5, 0.5)), Game(1, 3, 4, (0.5, 0.5)))
    assert values(drew, "direct_encounter") == dict.fromkeys((1, 2, 3, 4), 0)


def test_lots_come_last_and_are_reproducible():
    results = results_of(Game(1, 1, 2, (0.5, 0.5)), Game(1, 3, 4, (0.5, 0.5)))
    one = table(results, TableOptions(("lot",), lot_seed="a"))
    assert one == table(results, TableOptions(("lot",), lot_seed="a"))
    assert not any(row.place.shared for row in one)
    assert (
        len(
            {
                tuple(r.place.entrant for r in table(results, TableOptions(("lot",), lot_seed=s)))
                for s in "abcdef"
            }
        )
        > 1
    )


def test_nothing_separates_means_shared_places():
    results = results_of(Game(1, 1, 2, (1, 0)), Game(1, 3, 4, (1, 0)))
    rows = table(results, TableOptions(()))
    assert [(r.place.first, r.place.last) for r in rows] == [(1, 2), (1, 2), (3, 4), (3, 4)]


def test_disqualified_come_last_whatever_they_scored():
    results = results_of(Game(1, 1, 2, (1, 0)), Game(1, 3, 4, (1, 0)))
    assert table(results, TableOptions(()), last=[1])[-1].place.entrant == 1


def test_early_leaver_of_a_round_robin_is_taken_out():
    games = [Game(1, 1, 2, (1, 0)), Game(2, 1, 3, (1, 0), played=False), Game(3, 1, 4, (1, 0), played=False)]
    assert without_early_leavers(games, {1: 1}) == ()
    half = [Game(1, 1, 2, (1, 0)), Game(2, 1, 3, (0, 1)), Game(3, 1, 4, (0, 1), played=False)]
    assert without_early_leavers(half, {1: 2}) == tuple(half)


def test_unknown_tie_break_is_named():
    with pytest.raises(UnknownTieBreak, match="there is no tie-break 'elo'"):
        table(results_of(), TableOptions(("elo",)))


def test_every_tie_break_cites_its_source():
    assert all(tie_break.source for tie_break in TIE_BREAKS.values())
    assert all(tie_break.key == key for key, tie_break in TIE_BREAKS.items())


def test_places_of_a_medal_table():
    assert [(p.first, p.last) for p in share_places([[1], [2], [3, 4]])] == [(1, 1), (2, 2), (3, 4), (3, 4)]
