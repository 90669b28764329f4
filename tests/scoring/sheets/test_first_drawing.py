"""What the server draws of a sheet first is what the page's script draws of the same view: nothing moves."""

import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from itertools import product
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse

from clubs.formats.dates import for_scripts
from scoring.drawing.board import Layout, draw_board
from scoring.models import Match
from scoring.rules.dice import Roll
from scoring.rules.events import Doubled, OpeningRolled, Played, Resigned, Rolled, Suspended, Taken
from scoring.rules.match import Win
from scoring.rules.plays import Move
from scoring.rules.position import STARTING_POSITION
from scoring.rules.sides import Side
from scoring.sheets.queries.event_words import words_of
from scoring.sheets.services.clocks import start_clock
from scoring.sheets.services.decisions import void_match
from scoring.sheets.views.first_drawing import TOUCHED, TOUCHED_WIDE, board_seen
from scoring.sheets.words import sheet_words
from tests.node import PAGE, run_script
from tests.parts import parts_of
from tests.scoring.sheets.writing import author, play_turns, two_players, win, write

Shape = tuple[str, tuple[float, ...], str]
NEAR = 0.0501
"""The server writes one decimal."""

BOARDS = (
    PAGE
    + """
const { BoardDrawing } = await import("./scoring/static/scoring/sheets/board_drawing.js");
const { boardSeen } = await import("./scoring/static/scoring/sheets/board_state.js");
const { Geometry } = await import("./scoring/static/scoring/sheets/geometry.js");
const { Turn } = await import("./scoring/static/scoring/sheets/turn.js");
const plain = ({ tag, attributes, children }) => ({
  tag, attributes, children: children.map((each) => (each.tag ? plain(each) : each)),
});
tell(given.cases.map(({ view, layout }) => {
  const turn = new Turn().follow(view, "first");
  const bottom = view.your_side || "white";
  const seen = boardSeen({ view, turn, mine: false }, { layout, bottom, home: "right" });
  const drawing = new BoardDrawing(new Geometry(layout, bottom, "right"), seen.title);
  drawing.draw(seen);
  return plain(drawing.element);
}));
"""
)
UNDRAWN = {"targets", "landing", "can"}
"""What there is to be touched, which the script adds."""


def in_script(node: Any) -> Iterator[Shape]:
    attributes = {name: str(value) for name, value in node["attributes"].items()}
    if UNDRAWN & {*attributes.get("class", "").split()}:
        return
    yield from shape_of(node["tag"], attributes, "".join(map(str, node["children"][:1])))
    for child in node["children"]:
        if isinstance(child, dict):
            yield from in_script(child)


def on_server(element: ElementTree.Element) -> Iterator[Shape]:
    for each in element.iter():
        yield from shape_of(each.tag.rpartition("}")[2], dict(each.attrib), each.text or "")


def shape_of(tag: str, attributes: dict[str, str], words: str) -> Iterator[Shape]:
    """A shape with its sizes and, of letters, what they say."""
    if tag == "svg":
        yield tag, numbers(attributes["viewBox"]), ""
    elif tag == "text":
        yield tag, numbers(f"{attributes['x']} {attributes['y']}"), words
    elif tag in {"path", "polygon"}:
        yield tag, numbers(attributes.get("d") or attributes["points"]), ""
    elif tag in {"circle", "rect"}:
        names = ("cx", "cy", "r") if tag == "circle" else ("x", "y", "width", "height", "rx")
        yield tag, tuple(float(attributes[name]) for name in names), ""


def numbers(text: str) -> tuple[float, ...]:
    return tuple(map(float, re.findall(r"-?[\d.]+", text)))


def unmatched(one: list[Shape], other: list[Shape]) -> tuple[list[Shape], list[Shape]]:
    """What has nothing in its place on the other drawing: shapes of the first, then of the second."""
    rest, alone = list(other), []
    for tag, sizes, words in one:
        for each in rest:
            same = each[0] == tag and each[2] == words and len(each[1]) == len(sizes)
            if same and all(abs(a - b) < NEAR for a, b in zip(each[1], sizes, strict=True)):
                rest.remove(each)
                break
        else:
            alone.append((tag, sizes, words))
    return alone, rest


def a_view(**game: Any) -> dict[str, Any]:
    """As much of a view as a board needs."""
    usual = {
        "number": 1,
        "phase": "turn",
        "on_roll": "white",
        "to_act": "white",
        "position": {"white": STARTING_POSITION.own, "black": STARTING_POSITION.opponent},
        "cube": {"value": 1, "owner": None, "offered": None, "in_use": True},
        "roll": None,
    }
    sides = {side: {"name": side} for side in ("white", "black")}
    return {
        **sides,
        "status": "playing",
        "crawford": "off",
        "length": 7,
        "your_side": None,
        "plays": None,
    } | {"game": usual | game}


def counts(**slots: int) -> tuple[int, ...]:
    """A side's checkers: ``s25=2, s6=13`` is two on the bar and thirteen on the 6 point."""
    return tuple(slots.get(f"s{slot}", 0) for slot in range(26))


MESS = {"white": counts(s25=3, s6=7, s0=5), "black": counts(s25=1, s3=8, s0=6)}
CUBE = {"value": 2, "owner": "black", "offered": None, "in_use": True}
VIEWS = {
    "opening": a_view(phase="opening", on_roll=None, to_act=None),
    "rolled": a_view(phase="moving", roll=[6, 3]),
    "black's dice": a_view(phase="moving", on_roll="black", to_act="black", roll=[5, 5]),
    "bar, stacks and tray": a_view(position=MESS, on_roll="black", to_act="black"),
    "owned cube": a_view(cube=CUBE),
    "my cube": a_view(cube=CUBE | {"owner": "white", "value": 16}),
    "offered": a_view(phase="offered", to_act="black", cube=CUBE | {"owner": None, "offered": 4}),
    "offered to white": a_view(phase="offered", on_roll="black", cube=CUBE | {"owner": None, "offered": 128}),
    "Crawford": a_view() | {"crawford": "now"},
    "one point": a_view() | {"length": 1},
    "no cube": a_view(cube=CUBE | {"in_use": False}),
}


def test_the_first_board_is_the_one_that_the_script_draws() -> None:
    layouts: tuple[Layout, ...] = (TOUCHED, TOUCHED_WIDE)
    cases = [
        (f"{name}, {side} below", view | {"your_side": side}, layout)
        for (name, view), side, layout in product(VIEWS.items(), ("white", "black"), layouts)
    ]
    given = [{"view": view, "layout": asdict(layout)} for _name, view, layout in cases]
    drawn = run_script(BOARDS, {"words": sheet_words(), "cases": given})
    for (name, view, layout), script in zip(cases, drawn, strict=True):
        server = draw_board(board_seen(view), name="b", title="t", layout=layout)
        shapes = list(in_script(script))
        assert sum(tag == "circle" for tag, *_rest in shapes) > 10
        assert unmatched(shapes, list(on_server(ElementTree.fromstring(server)))) == ([], []), name


def test_the_points_have_the_numbers_of_the_player_who_moves() -> None:
    def numbers(view: dict[str, Any]) -> list[str]:
        drawn = draw_board(board_seen(view), name="b", title="t", layout=TOUCHED)
        letters = [shape for shape in on_server(ElementTree.fromstring(drawn)) if shape[0] == "text"]
        return [words for _tag, _sizes, words in letters[:24]]

    whites = [str(point) for point in range(1, 25)]
    assert numbers(VIEWS["rolled"]) == numbers(VIEWS["opening"]) == whites
    assert numbers(VIEWS["black's dice"]) == whites[::-1]
    assert numbers(VIEWS["black's dice"] | {"your_side": "black"}) == whites


PARTS = (
    PAGE
    + """
const folder = "./scoring/static/scoring/sheets";
const { Dock } = await import(`${folder}/dock.js`);
const { drawGames, Log } = await import(`${folder}/log.js`);
const { resultState, resultWords } = await import(`${folder}/result.js`);
const { statusWords } = await import(`${folder}/score.js`);
const { Turn } = await import(`${folder}/turn.js`);
const drawn = (draw) => {
  const host = document.createElement("div");
  draw(host);
  return host;
};
const sentence = (view, writes) => {
  const turn = new Turn().follow(view, "first");
  const dock = drawn((host) => new Dock(host, {}).draw({
    view, turn, writes, grid: false, pending: null,
  }));
  const said = (node) => (node.tag === "p" ? node : (node.children ?? []).map(said).find(Boolean));
  return said(dock)?.textContent ?? "";
};
tell(given.cases.map(({ view, writes }) => ({
  log: drawn((host) => new Log(host).draw({ view, waiting: [], writes, correct() {} })).textContent,
  games: drawn((host) => drawGames(host, view)).textContent,
  status: statusWords(view, writes),
  "result-words": view.status === "over" ? resultWords(view) : "",
  "result-state": view.status === "over" ? resultState(view, true) : "",
  dock: sentence(view, writes),
})));
"""
)


def stages() -> Iterator[tuple[str, Match]]:
    """A match from its opening to its end, with what can be in between."""
    match = two_players(3)
    yield "before the opening roll", match
    match = write(match, OpeningRolled(3, 1))
    yield "opening roll", match
    match = write(match, Played((Move(8, 5), Move(6, 5))))
    yield "black to roll", match
    yield "offered", write(match, Doubled(), by="black")
    yield "taken", (match := write(match, Taken()))
    yield "rolled", (match := write(match, Rolled(Roll(4, 2)), by="black"))
    yield "suspended", write(match, Suspended())
    yield "resigned", write(two_players(5), OpeningRolled(3, 1), Resigned(Side.BLACK, Win.GAMMON))
    yield "a game of three", write(two_players(3), win(Side.WHITE, Win.GAMMON))
    crawford = write(two_players(3), win(Side.WHITE, Win.GAMMON), OpeningRolled(3, 1))
    yield "Crawford game", write(crawford, Played((Move(8, 5), Move(6, 5))))
    yield "over, 6 points of 3", write(two_players(3), win(Side.WHITE, Win.BACKGAMMON, 2))
    yield "a second page of lines", play_turns(two_players(5), 20)
    yield "with clocks", with_clocks()
    yield "over", write(two_players(1), win(Side.BLACK))
    yield "over, void", void_match(match=write(two_players(3), win(Side.WHITE)), user=None, reason="")
    yield "money", write(two_players(0), OpeningRolled(6, 1))


def with_clocks() -> Match:
    match = two_players(3)
    start_clock(match=match, side="white")
    return match


@pytest.mark.django_db
@pytest.mark.parametrize("role", ["white", "watching", "visitor"])
def test_what_is_said_first_is_what_the_script_says(role: str) -> None:
    cases, pages, names = [], [], []
    for name, match in stages():
        client = Client()
        user = author(match, "white").user
        if role != "visitor" and user is not None:
            client.force_login(user)
        query = "?watch" if role == "watching" else ""
        page = client.get(reverse("scoring:scoresheet", args=[match.ref]) + query)
        if name.startswith("over") and role == "visitor":  # who only watched is led to the match's page
            assert page.status_code == 302
            continue
        assert page.status_code == 200
        view = json.loads(json.dumps(page.context["view"], default=str))
        cases.append({"view": view, "writes": page.context["first"].writes})
        pages.append(parts_of(page.content.decode()))
        names.append(name)
    assert any(case["writes"] for case in cases) == (role == "white")
    drawn = run_script(PARTS, {"words": sheet_words(), "formats": for_scripts("UTC"), "cases": cases})
    for name, said, parts in zip(names, drawn, pages, strict=True):
        first = {part: parts[part] for part in said}
        assert first == {part: "".join(words.split()) for part, words in said.items()}, name
    if role == "white":
        told = dict(zip(names, pages, strict=True))
        assert "toroll" in told["Crawford game"]["dock"]
        assert "double" not in told["Crawford game"]["dock"]
        assert "3–0" in told["over, 6 points of 3"]["games"]


@pytest.mark.django_db
def test_the_score_is_there_before_the_script(client: Client) -> None:
    match = write(two_players(3), OpeningRolled(3, 1))
    page = client.get(reverse("scoring:scoresheet", args=[match.ref])).content.decode()
    assert page.count("3 away") == page.count("167 pips") == 2
    assert re.search(r'data-player="white" data-turn>', page)
    assert page.count('<svg class="board-drawing"') == 2
    assert "htmx" not in page.partition("<body")[0]


ROLLS = (
    PAGE
    + """
const { inWords } = await import("./scoring/static/scoring/sheets/log.js");
const view = { game: { on_roll: "white" }, white: { name: "Ana" } };
tell(given.rolls.map((dice) => inWords({ kind: "roll", body: { dice } }, view)));
"""
)


def test_a_roll_is_told_in_one_form_the_higher_die_first() -> None:
    rolls = [(5, 6), (6, 5), (4, 4)]
    told = [
        words_of("roll", {"dice": roll}, side="white", notation=str(Roll(*roll)), names={"white": "Ana"})
        for roll in rolls
    ]
    assert told == ["Ana rolls 6-5", "Ana rolls 6-5", "Ana rolls 4-4"]
    assert run_script(ROLLS, {"words": sheet_words(), "rolls": rolls}) == told
