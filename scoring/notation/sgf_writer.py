"""Writing GNU Backgammon's `.sgf`: the plays, cube actions and results of a match.

Source: the SGF FF[4] specification, and GNU Backgammon's own files; what it reads back is tested with it.
``AN`` says whose analysis is in the nodes. White is player 0 (``W``), points are as
:mod:`scoring.notation.sgf_reader` tells them. Not every sheet can be told so: a position that was set up, an
illegal play, or a cube that begins above 1.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby

from scoring.notation.transcript import Step, transcript
from scoring.rules.endings import GameEnd
from scoring.rules.errors import InvalidValue
from scoring.rules.events import (
    Beavered,
    Doubled,
    DoubleStatus,
    Event,
    MatchStarted,
    Passed,
    Played,
    PlayStatus,
    PositionSet,
    Raccooned,
    Taken,
)
from scoring.rules.match import Crawford
from scoring.rules.plays import Move
from scoring.rules.position import BAR, OFF
from scoring.rules.sides import Side

_CUBE = {Taken: "take", Passed: "drop", Beavered: "double", Raccooned: "double"}
_LETTER = {Side.WHITE: "W", Side.BLACK: "B"}
_ESCAPED = str.maketrans({"\\": "\\\\", "]": "\\]", ":": "\\:", "\n": " ", "\r": " "})
_POINTS = 24

Telling = Callable[[Step], str]


def write_sgf(
    players: tuple[str, str],
    events: Sequence[Event],
    tags: Mapping[str, str],
    *,
    tell: Telling | None = None,
) -> str:
    """The match as `.sgf` text, one game tree a game.

    ``tell`` gives the further properties of a step's node. Rulings, suspensions and dice that wait for their
    play are not in it. Raises InvalidValue for a match that the format cannot tell.
    """
    if not events or not isinstance(events[0], MatchStarted):
        raise InvalidValue("no_start", "a record begins with the start of the match")
    steps = transcript(enumerate(events))
    games = [list(game) for _number, game in groupby(steps, key=lambda step: step.game)]
    told = [game for game in games if any(_is_told(step) for step in game)]
    if not told:
        raise InvalidValue("not_in_sgf", "this match cannot be written as .sgf: no game is recorded")
    return "".join(
        _tree(players, events[0], game, number, tags if number == 0 else {}, tell)
        for number, game in enumerate(told)
    )


def _is_told(step: Step) -> bool:
    return step.outcome is not None or isinstance(step.event, Played | Doubled | Taken | Passed)


def _tree(
    players: tuple[str, str],
    start: MatchStarted,
    game: Sequence[Step],
    number: int,
    tags: Mapping[str, str],
    tell: Telling | None,
) -> str:
    nodes = [node + (tell(step) if tell else "") for step in game if (node := _node(step))]
    return "\n".join([f"({_root(players, start, game, number, tags)}", *nodes]) + "\n)\n"


def _root(
    players: tuple[str, str], start: MatchStarted, game: Sequence[Step], number: int, tags: Mapping[str, str]
) -> str:
    first, score = game[0], game[0].score
    if first.before.cube.value != 1:
        raise _refused("a game begins with the cube at {cube}", cube=first.before.cube.value)
    rules = []
    if start.length:
        rules += ["Crawford"] if start.options.crawford else []
        rules += ["CrawfordGame"] if score.crawford is Crawford.NOW else []
    elif start.options.jacoby:
        rules.append("Jacoby")
    info = {"length": start.length, "game": number, "ws": score.white, "bs": score.black}
    white, black = (name.translate(_ESCAPED) for name in players)
    properties = {
        "PW": white,
        "PB": black,
        "EV": tags.get("Event", "").translate(_ESCAPED),
        "PC": tags.get("Site", "").translate(_ESCAPED),
        "DT": tags.get("EventDate", "").replace(".", "-"),
        "AN": tags.get("Annotator", "").translate(_ESCAPED),
        "RU": ":".join(rules),
        "RE": _result(game),
    }
    said = "".join(f"{name}[{value}]" for name, value in properties.items() if value)
    match = "".join(f"[{name}:{value}]" for name, value in info.items())
    return f";FF[4]GM[6]CA[UTF-8]AP[Midpoint]MI{match}{said}"


def _result(game: Sequence[Step]) -> str:
    """``W+2``, with R for a resignation; "" for a game that has not ended."""
    outcome = next((step.outcome for step in game if step.outcome is not None), None)
    if outcome is None:
        return ""
    resigned = "R" if outcome.ended is GameEnd.RESIGNATION else ""
    return f"{_LETTER[outcome.winner]}+{outcome.points}{resigned}"


def _node(step: Step) -> str:
    event = step.event
    if isinstance(event, PositionSet):
        raise _refused("a position was set up in game {game}", game=step.game)
    if isinstance(event, Played) and step.side is not None:
        if event.status is not PlayStatus.LEGAL or step.roll is None:
            raise _refused("the play {play} in game {game} is not legal", play=step.play, game=step.game)
        return f";{_LETTER[step.side]}[{step.roll.high}{step.roll.low}{letters_of(event.moves, step.side)}]"
    if isinstance(event, Doubled) and step.side is not None:
        return f";{_LETTER[step.side]}[double]" if event.status is DoubleStatus.OK else ""
    if step.outcome is not None and step.before.roll is not None:  # the roll on which a player resigned
        roll, player = step.before.roll, step.before.player
        return f";PL[{_LETTER[player]}]DI[{roll.high}{roll.low}]"
    word = _CUBE.get(type(event))
    return f";{_LETTER[step.side]}[{word}]" if word and step.side is not None else ""


def letters_of(moves: Iterable[Move], side: Side) -> str:
    """Moves as pairs of letters.

    >>> letters_of([Move(8, 5), Move(6, 5)], Side.WHITE)
    'hefe'
    """
    return "".join(_letter(slot, side) for move in moves for slot in move)


def _letter(slot: int, side: Side) -> str:
    """The letter of a mover's point: the inverse of ``scoring.notation.sgf_analysis.slot``.

    >>> _letter(6, Side.WHITE), _letter(19, Side.BLACK), _letter(25, Side.BLACK), _letter(0, Side.WHITE)
    ('f', 'f', 'y', 'z')
    """
    if slot == BAR:
        return "y"
    if slot == OFF:
        return "z"
    return chr(ord("a") + slot - 1 if side is Side.WHITE else ord("a") + _POINTS - slot)


def _refused(reason: str, **values: object) -> InvalidValue:
    return InvalidValue("not_in_sgf", f"this match cannot be written as .sgf: {reason}", **values)
