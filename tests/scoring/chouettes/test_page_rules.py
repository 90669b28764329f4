"""A page without a line goes on by the same rules as the server: random nights, played by both."""

import json
import re
from decimal import Decimal
from typing import Any

import pytest

from clubs.refs import REF_PATTERN
from scoring.chouettes.forms import minor_of
from scoring.chouettes.queries.actions import actions, players_to_roll
from scoring.chouettes.queries.chouettes import ahead_of
from scoring.chouettes.queries.cubes import cube_of
from scoring.chouettes.queries.lines import Speaker
from scoring.chouettes.queries.seats import seats_of
from scoring.chouettes.words import chouette_words
from scoring.rules.chouette.events import ChouetteEvent, chouette_event_to_plain
from scoring.rules.chouette.session import begin_session
from scoring.rules.chouette.session_state import SessionState
from tests.node import run_script
from tests.scoring.chouettes.random_nights import RandomNight

STEPS = 60
CHAIN = 5
"""So many entries, at most, are on the page and not with the server."""
NOBODY = Speaker({}, None, {})

PLAY = """
import { actions } from "./scoring/static/scoring/chouettes/actions.js";
import { Refused } from "./scoring/static/scoring/chouettes/game.js";
import { apply } from "./scoring/static/scoring/chouettes/rules.js";
tell(given.map(({ start, tries }) => {
  let state = start;
  return tries.map(([kind, body, looked]) => {
    let accepted = true;
    try {
      state = apply(state, kind, body);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      accepted = false;
    }
    return [accepted, looked ? [state, actions(state)] : null];
  });
}));
"""


class Told(RandomNight):
    """A night that is told as it goes: what is tried, whether it may be, now and then all that there is."""

    def __init__(self, seed: int) -> None:
        self.tries: list[list[Any]] = []
        self.expected: list[list[Any]] = []
        self.start: dict[str, Any] = {}
        super().__init__(seed)

    def attempt(self, event: ChouetteEvent) -> None:
        if not self.start:
            self.start = shown(begin_session(self.log[0]))  # type: ignore[arg-type]
        before = len(self.log)
        super().attempt(event)
        accepted, looked = len(self.log) > before, len(self.tries) % 3 == 0
        self.tries.append([*chouette_event_to_plain(event), looked])
        told = [shown(self.state), possible(self.state)] if looked else None
        self.expected.append([accepted, told])

    def run(self, steps: int) -> None:
        for _step in range(steps):
            self.attempt(self.proposal())


def shown(state: SessionState) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(json.dumps(ahead_of(state, stakes=True)))
    return told


def possible(state: SessionState) -> list[dict[str, Any]]:
    """What the server says may be recorded, without its labels; the number of dice beside it."""
    told = [action.plain() for action in actions(state, NOBODY)]
    found: list[dict[str, Any]] = json.loads(json.dumps(told))
    return [{name: value for name, value in each.items() if name != "label"} for each in found]


@pytest.mark.parametrize(
    "seeds", [range(20), pytest.param(range(20, 400), marks=pytest.mark.long)], ids=("20", "380")
)
def test_a_page_without_a_line_knows_what_the_server_would_accept(seeds: range) -> None:
    nights = []
    for seed in seeds:
        night = Told(seed)
        night.run(STEPS)
        nights.append(night)
    told = run_script(PLAY, [{"start": night.start, "tries": night.tries} for night in nights])
    for seed, night, answers in zip(seeds, nights, told, strict=True):
        for number, (answer, expected) in enumerate(zip(answers, night.expected, strict=True)):
            assert answer == expected, f"night {seed}, try {number}: {night.tries[number]}"
    assert sum(accepted for night in nights for accepted, _told in night.expected) > len(seeds) * STEPS / 4


GO_ON = """
globalThis.document = { getElementById: () => ({ textContent: JSON.stringify(given.words) }) };
const { projected } = await import("./scoring/static/scoring/chouettes/projection.js");
tell(given.chains.map(({ view, entries }) =>
  entries.map((_entry, at) => projected(view, entries.slice(0, at + 1)))));
"""


class Shown(RandomNight):
    """A night in pieces: what the server tells of a table, entries after it, and what each of them makes."""

    def __init__(self, seed: int) -> None:
        self.chains: list[dict[str, Any]] = []
        super().__init__(seed)

    def attempt(self, event: ChouetteEvent) -> None:
        if not self.log or not self.chains:
            super().attempt(event)
            self.chains.append({"view": self.view(), "entries": [], "expected": []})
            return
        chain = self.chains[-1]
        super().attempt(event)
        kind, body = chouette_event_to_plain(event)
        chain["entries"].append({"kind": kind, "body": body})
        chain["expected"].append(table(self.state))
        if len(chain["entries"]) == CHAIN:
            self.chains.append({"view": self.view(), "entries": [], "expected": []})

    def view(self) -> dict[str, Any]:
        players = [{**seat, "name": seat["ref"].upper()} for seat in table(self.state)["players"]]
        return {**table(self.state), "players": players, "ahead": shown(self.state)}

    def run(self, steps: int) -> None:
        for _step in range(steps):
            self.attempt(self.proposal())


def table(state: SessionState) -> dict[str, Any]:
    """What the server tells of the seats and cubes, as far as a page predicts it."""
    game = state.game
    told = {
        "status": "closed" if state.closed else "open",
        "placed": state.placed,
        "to_roll": players_to_roll(state),
        "players": seats_of(state),
        "game": game
        and {
            "number": game.number,
            "opening_doubles": game.ties,
            "cubes": [cube_of(cube) for cube in game.cubes],
        },
    }
    plain: dict[str, Any] = json.loads(json.dumps(told))
    return plain


def picked(answer: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """Of a page's table what the server's says, too; names and sentences are the page's own."""
    game = answer["game"]
    return {
        **{name: answer[name] for name in wanted},
        "players": [{name: seat.get(name) for name in wanted["players"][0]} for seat in answer["players"]],
        "game": game and {**game, "cubes": [without(cube, "name", "words") for cube in game["cubes"]]},
    }


def without(values: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in names}


@pytest.mark.parametrize(
    "seeds", [range(20), pytest.param(range(20, 400), marks=pytest.mark.long)], ids=("20", "380")
)
def test_a_page_without_a_line_shows_seats_and_cubes_as_the_server_will(seeds: range) -> None:
    nights = [Shown(seed) for seed in seeds]
    for night in nights:
        night.run(STEPS)
    chains = [chain for night in nights for chain in night.chains]
    asked = [{"view": chain["view"], "entries": chain["entries"]} for chain in chains]
    told = run_script(GO_ON, {"words": chouette_words(), "chains": asked})
    for chain, answers in zip(chains, told, strict=True):
        for at, (answer, wanted) in enumerate(zip(answers, chain["expected"], strict=True)):
            assert picked(answer, wanted) == wanted, chain["entries"][: at + 1]
    assert any(
        seat["role"] == "acting_captain" for each in told for answer in each for seat in answer["players"]
    )


TYPED = """
import { minorOf, newRef } from "./scoring/static/scoring/chouettes/typed.js";
const refs = Array.from({ length: 500 }, newRef);
tell({ refs, minor: given.map(({ text, decimals }) => minorOf(text, decimals)) });
"""


def test_amounts_and_names_of_newcomers_are_the_servers() -> None:
    amounts = [("EUR", 2, f"{cents / 100:.2f}") for cents in range(0, 30_000, 7)]
    amounts += [("JPY", 0, str(yen)) for yen in range(0, 5_000, 11)]
    amounts += [("KWD", 3, f"{fils / 1000:.3f}") for fils in range(0, 30_000, 13)]
    amounts += [("EUR", 2, text) for text in ("0", "2.5", "1234567.89")]
    asked = [
        {"text": written, "decimals": decimals}
        for _currency, decimals, text in amounts
        for written in (text, text.replace(".", ","))
    ]
    wanted = [
        minor_of(Decimal(text), currency) for currency, _decimals, text in amounts for _spelling in ".,"
    ]
    told = run_script(TYPED, asked)
    assert told["minor"] == wanted
    assert all(re.fullmatch(REF_PATTERN, ref) for ref in told["refs"])
    assert len(set(told["refs"])) == 500
