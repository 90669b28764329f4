"""The events of a night as they touch one game's cubes."""

import pytest

from scoring.rules.chouette.events import Joined, Offered
from scoring.rules.chouette.table import apply_to_table
from scoring.rules.errors import IllegalAction
from tests.scoring.rules.chouette.nights import FREE, game, on


def test_an_event_of_the_game_changes_its_cubes():
    offered = apply_to_table(on(game(4, FREE)), Offered("cap", ("cap",)))
    assert [cube.key for cube in offered.offered] == ["cap"]
    with pytest.raises(IllegalAction, match="only their own cubes"):
        apply_to_table(offered, Offered("two", ("three",)))


def test_what_is_not_the_games_leaves_it_as_it_is():
    before = on(game(4, FREE))
    assert apply_to_table(before, Joined("new", 100)) is before
