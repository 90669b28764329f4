"""The schema of a table is what the table answers, at every stage of a night: no field more, none less."""

import json
from typing import Any

import pytest

from scoring.chouettes.api.answers import ChouetteOut
from scoring.chouettes.queries.chouettes import table_view
from scoring.chouettes.services.boards import open_board
from scoring.profiles.queries.houses import BUILT_IN
from scoring.rules.chouette.events import GameBegun, OptionsChanged, SatOut
from tests.scoring.chouettes.tables import Night
from tests.scoring.described import as_described

pytestmark = pytest.mark.django_db


def described(night: Night) -> dict[str, Any]:
    """The view, once it is what its description makes of it."""
    view = json.loads(json.dumps(table_view(night.seen(), "http://testserver")))
    assert as_described(view, ChouetteOut) == view
    return dict(view)


def test_a_table_is_answered_as_the_schema_says() -> None:
    night = Night(4)
    assert described(night)["game"] is None
    night.write(GameBegun(), night.offer("Jon", "Jon"), night.offer("Eva", "Eva"))
    night.write(night.answer("Ana", takes="Jon", passes="Eva"))
    assert [cube["state"] for cube in described(night)["game"]["cubes"]] == ["in_game", "passed", "open"]
    open_board(chouette=night.loaded, author=night.author())
    assert described(night)["board"]
    night.write(OptionsChanged(BUILT_IN["cambridge"].options, "cambridge"))
    assert described(night)["house"]["announced"]


def test_a_night_with_games_and_debts_is_answered_as_the_schema_says() -> None:
    night = Night(3)
    night.play()
    night.write(SatOut(night.refs["Eva"]))
    told = described(night)
    assert (len(told["games"]), bool(told["payments"])) == (1, True)
    night.club.points_only = True
    night.club.save()
    assert described(night)["payments"] == []
