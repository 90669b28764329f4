"""A writer of GNU Backgammon's `.sgf`, analysed or not, from its documented format, for tests alone.

A game is a list of nodes made by `roll`, `act` and `waiting`; points are written as in plays ("bar/20").
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scoring.notation.plays import parse_moves

EVEN = (0.5, 0.13, 0.005, 0.13, 0.005)


class Play(NamedTuple):
    """A play that was looked at."""

    moves: str
    equity: float | str
    chances: Sequence[object] = EVEN
    depth: str = "2C"


class Cube(NamedTuple):
    """A cube's analysis as the format has it: equities in a money game, chances in a match."""

    no_double: float | str
    take: float | str
    chances: Sequence[object] = EVEN
    depth: str = "2C"


def letters(colour: str, moves: str) -> str:
    """Points as letters: White counts from a, Black from x; y is the bar, z off."""

    def letter(slot: int) -> str:
        if slot in (0, 25):
            return "y" if slot else "z"
        return chr(ord("a") + slot - 1) if colour == "W" else chr(ord("x") - slot + 1)

    return "".join(letter(slot) for move in parse_moves(moves) for slot in move)


def roll(
    colour: str,
    dice: str,
    moves: str,
    *,
    plays: Sequence[Play] = (),
    cube: Cube | None = None,
    luck: object = None,
    comment: str = "",
) -> str:
    """A roll and its play; `plays` best first."""
    node = f"\n;{colour}[{dice}{letters(colour, moves)}]{_analysed(cube)}"
    if plays:
        node += "A[0]" + "".join(f"[{_looked_at(colour, play)}]" for play in plays) + "MR[]"
    if luck is not None:
        node += f"LU[{luck}]"
    return node + _comment(comment)


def act(colour: str, action: str, *, cube: Cube | None = None, comment: str = "") -> str:
    """A `double`, `take` or `drop`."""
    return f"\n;{colour}[{action}]{_analysed(cube)}{_comment(comment)}"


def waiting(colour: str, dice: str) -> str:
    """A roll that was not played."""
    return f"\n;PL[{colour}]DI[{dice}]"


def game(
    nodes: Iterable[str],
    *,
    result: str = "",
    length: int = 0,
    number: int = 0,
    score: tuple[int, int] = (0, 0),
    players: tuple[str, str] = ("Ana", "Ben"),
    rules: str = "",
    head: str = "",
) -> str:
    """One game tree."""
    root = f"(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.08.003]MI[length:{length}][game:{number}]"
    root += f"[ws:{score[0]}][bs:{score[1]}]PW[{escaped(players[0])}]PB[{escaped(players[1])}]{head}"
    root += f"RU[{rules}]" if rules else ""
    root += f"RE[{result}]" if result else ""
    return root + "".join(nodes) + ")\n"


def escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _looked_at(colour: str, play: Play) -> str:
    chances = " ".join(map(str, play.chances))
    return f"{letters(colour, play.moves)} E ver 3 {chances} {play.equity} {play.depth} 0 1 0.000000 1"


def _analysed(cube: Cube | None) -> str:
    if cube is None:
        return ""
    chances = " ".join(map(str, cube.chances))
    head = f"E ver 3 {cube.depth} 1 0.000000 1"
    return f"DA[{head} {chances} 0.0 {cube.no_double} {chances} 0.0 {cube.take}]"


def _comment(text: str) -> str:
    return f"C[{escaped(text)}]" if text else ""


def money_session() -> str:
    """Two money games with Jacoby: a double passed, and a resignation after a beaver."""
    first = [
        roll(
            "W",
            "31",
            "8/5 6/5",
            plays=[Play("8/5 6/5", 0.16), Play("24/20", -0.02), Play("13/9", -0.05)],
            luck=0.15,
            comment="the best [opening] \\ of all",
        ),
        roll("B", "64", "24/14", cube=Cube(-0.2, -0.6), plays=[Play("24/14", -0.1), Play("8/2 6/2", -0.12)]),
        act("W", "double", cube=Cube(0.55, 0.5), comment="too early"),
        act("B", "drop", cube=Cube(0.55, 0.5), comment="and too timid"),
    ]
    second = [
        roll("B", "52", "13/8 24/22"),
        act("W", "double", cube=Cube(0.1, -0.4)),
        act("B", "double"),
        act("W", "take"),
        roll("W", "66", "24/18 24/18 13/7 13/7", luck="-inf"),
        waiting("B", "33"),
    ]
    players = ("Ana", "Bén")
    head = "EV[Winter night]RO[2]PC[The cellar]AN[Cleo]GC[A friendly session]DT[2024-02-03]"
    won = game(first, result="W+1", head=head, players=players, rules="Jacoby")
    return won + game(second, result="W+4R", number=1, score=(1, 0), players=players, rules="Jacoby")
