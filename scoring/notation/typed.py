"""Parse typed turns such as ``31 85 65``, using the legal plays to disambiguate.

A line is what one side did, or several things in a row: the cube first (``d`` doubles, ``t`` takes, ``p``
passes, ``b`` beavers, ``rc`` raccoons, or the words), then a roll (``31``, ``3-1``), then its moves. A move
is ``85`` (8/5), ``8-5``, ``24/18``, ``2418``, ``bar/20`` or ``b20``, ``6/off`` or ``6o``; one checker's steps
may be joined (``24/18/13``) and equal ones counted (``85(2)``). ``-`` and ``cannot move`` are no move. The
first roll of a game gives White's die, then Black's. ``r1`` to ``r3`` offers to resign by the player on roll,
``o1`` to ``o3`` by the opponent, ``resigns gammon`` in words; ``y`` accepts, ``n`` refuses. A roll with a
colon begins a turn, so that a row of a match file can be pasted: ``4) 31: 8/5 6/5  64: 24/14``. What is
written short is completed where only one legal play has it; otherwise the readings are shown.

>>> from scoring.rules.events import MatchStarted
>>> from scoring.rules.sheet import begin
>>> [event.kind for event in read_line(begin(MatchStarted(5)), "31 85 65")]
['opening_roll', 'play']
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, pairwise, product

from scoring.notation.plays import format_play
from scoring.notation.videos import read_time
from scoring.rules.dice import Roll
from scoring.rules.errors import IllegalPlay, InvalidNotation
from scoring.rules.events import (
    Accepted,
    Beavered,
    Doubled,
    Event,
    NotRolled,
    OpeningRolled,
    Passed,
    Played,
    Raccooned,
    RefusedResignation,
    Resigned,
    Rolled,
    Taken,
)
from scoring.rules.explain import explain_play, resolve_play
from scoring.rules.game import GameState, Phase
from scoring.rules.match import Win
from scoring.rules.match_state import MatchState
from scoring.rules.plays import Move, Play, legal_plays, legal_sequences
from scoring.rules.position import BAR, OFF, Position
from scoring.rules.sheet import apply

LONGEST_LINE = 200
LONGEST_TOKEN = 18
MOST_READINGS = 200
SHOWN_READINGS = 8

_WORDS: Mapping[str, Callable[[], Event]] = {
    "d": Doubled,
    "t": Taken,
    "p": Passed,
    "b": Beavered,
    "rc": Raccooned,
    "y": Accepted,
    "n": RefusedResignation,
    "x": NotRolled,
    **dict.fromkeys(("double", "doubles", "redouble", "redoubles"), Doubled),
    **dict.fromkeys(("take", "takes"), Taken),
    **dict.fromkeys(("pass", "passes", "drop", "drops"), Passed),
    **dict.fromkeys(("beaver", "beavers"), Beavered),
    **dict.fromkeys(("raccoon", "raccoons"), Raccooned),
    **dict.fromkeys(("accept", "accepts"), Accepted),
    **dict.fromkeys(("refuse", "refuses", "reject", "rejects"), RefusedResignation),
}
_RESIGNATION = re.compile(r"(?P<who>[ro])(?P<level>[123])")
_RESIGNS = {"resign", "resigns"}
_LEVELS = {name: win for win in Win for name in (win.name.lower(), str(win.value))}
_NO_MOVE = {"-", "cannot move", "no move", "no play", "dance", "dances", "danced", "fan", "fans", "fanned"}
_TO = {"=>", "to"}
_MEANT = str.maketrans(
    {chr(0xFEE0 + code): chr(code) for code in range(0x21, 0x7F)}  # full width, as Asian keyboards type it
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63", "-")
    | dict.fromkeys("\u2044\u2215\u2192", "/")
)
"""Other characters for the same, one for one."""
_ROLL = re.compile("([1-6])[-/]?([1-6])")
_ROW = re.compile(r"[0-9]{1,3}[.)]")
_TOKEN = re.compile(r"[^\s,;:]+:?")
_TIMED = re.compile(r"\s*@(?P<time>\S*)")
_COUNTED = re.compile(r"(?P<path>.+)\((?P<times>[1-4])\)")
_SLOTS = {"bar": BAR, "b": BAR, "off": OFF, "o": OFF}
_SPLIT = re.compile(r"/|(?<=[a-z])(?=[0-9])|(?<=[0-9])(?=[a-z])")


class AmbiguousPlay(IllegalPlay):
    """What was typed fits several legal plays.

    ``parameters["readings"]`` has the first of them, ``parameters["lines"]`` the whole line with each in it.
    """


def read_line(state: MatchState, line: str) -> tuple[Event, ...]:
    """The events of a typed line, in the state before it.

    Raises InvalidNotation (``at`` is the offset) for what cannot be read, AmbiguousPlay where several legal
    plays fit, and what ``scoring.rules.sheet.apply`` raises for what may not happen.
    """
    if len(line) > LONGEST_LINE:
        raise InvalidNotation("line_length", "a line has at most {most} characters", at=0, most=LONGEST_LINE)
    words = _TOKEN.finditer(line.translate(_MEANT))
    tokens = [(found.start(), found.group().lower()) for found in words]
    if tokens and _ROW.fullmatch(tokens[0][1]):
        del tokens[0]
    if not tokens:
        raise InvalidNotation("empty_line", "the line is empty", at=0)
    events: list[Event] = []
    rest = tokens
    while rest:
        try:
            found, rest = _next(state, rest)
        except AmbiguousPlay as error:
            error.parameters["lines"] = _whole_lines(tokens, rest, error.parameters["readings"])
            raise
        events.append(found)
        state = apply(state, found)
        if not rest and state.game.phase is Phase.MOVING and isinstance(found, Rolled | OpeningRolled):
            events += _forced(state.game)
    return tuple(events)


def read_timed_line(state: MatchState, line: str) -> tuple[int | None, tuple[Event, ...]]:
    """``read_line`` of a line that may begin with its time in a video, ``@12:34``: the seconds, or None.

    >>> from scoring.rules.events import MatchStarted
    >>> from scoring.rules.sheet import begin
    >>> seconds, events = read_timed_line(begin(MatchStarted(5)), "@12:34 31 85 65")
    >>> seconds, len(events)
    (754, 2)
    """
    found = _TIMED.match(line)
    if found is None:
        return None, read_line(state, line)
    time = found["time"]
    seconds = read_time(time)
    try:
        # In its place, so that the offsets of errors stay.
        return seconds, read_line(state, line.replace(f"@{time}", " " * (len(time) + 1), 1))
    except AmbiguousPlay as error:
        error.parameters["lines"] = [f"@{time} {each}" for each in error.parameters["lines"]]
        raise


def _whole_lines(
    tokens: Sequence[tuple[int, str]], rest: Sequence[tuple[int, str]], readings: Sequence[str]
) -> list[str]:
    """The line as it would be typed for each reading of the moves with which the rest begins."""
    before = [token for _at, token in tokens[: len(tokens) - len(rest)]]
    after = [token for _at, token in rest[_count_moves(rest) :]]
    return [" ".join([*before, reading, *after]) for reading in readings]


def _next(state: MatchState, tokens: list[tuple[int, str]]) -> tuple[Event, list[tuple[int, str]]]:
    """The event that the first tokens stand for in this state, and the tokens that are left."""
    at, word = tokens[0]
    game = state.game
    if resigned := _RESIGNATION.fullmatch(word):
        by = game.player if resigned["who"] == "r" else game.player.other
        return Resigned(by, Win(int(resigned["level"]))), tokens[1:]
    if word in _RESIGNS:
        return _resigned(game, tokens[1:])
    if game.phase is Phase.MOVING:
        count = _count_moves(tokens)
        return _play(game, tokens[:count]), tokens[count:]
    if word in _WORDS:
        event = _WORDS[word]()
        return event, _after_value(game, tokens[1:]) if isinstance(event, Doubled) else tokens[1:]
    first, _slash, second = word.partition("/")
    if first in _WORDS and second in _WORDS:
        return _WORDS[first](), [(at + len(first) + 1, second), *tokens[1:]]
    return _roll(game, tokens)


def _resigned(game: GameState, tokens: list[tuple[int, str]]) -> tuple[Event, list[tuple[int, str]]]:
    """A resignation by the player on roll, of what the tokens begin with, ``a gammon``; a single without."""
    rest = tokens[1:] if tokens and tokens[0][1] == "a" else tokens
    level = _LEVELS.get(rest[0][1]) if rest else None
    return Resigned(game.player, level or Win.SINGLE), rest[1:] if level else rest


def _count_moves(tokens: Sequence[tuple[int, str]]) -> int:
    """How many tokens are moves: up to a resignation or the roll of the next turn, which has a colon."""
    words = [word for _at, word in tokens]
    return next((count for count, word in enumerate(words) if _ends_moves(word)), len(words))


def _ends_moves(word: str) -> bool:
    return bool(word in _RESIGNS or _RESIGNATION.fullmatch(word) or (word[-1] == ":" and _ROLL.match(word)))


def _after_value(game: GameState, tokens: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """The tokens behind the value that a double may name, ``=> 2``. Raises InvalidNotation for another."""
    if not tokens or tokens[0][1] not in _TO:
        return tokens
    value = 2 * game.cube.value
    at, word = tokens[1] if len(tokens) > 1 else tokens[0]
    if word != str(value):
        raise InvalidNotation(
            "typed_cube", "“{word}”: the cube goes to {value}.", at=at, word=word, value=value
        )
    return tokens[2:]


def _roll(game: GameState, tokens: list[tuple[int, str]]) -> tuple[Event, list[tuple[int, str]]]:
    """The roll with which the tokens begin, one of two digits or two of one, and the tokens that are left."""
    at, word = tokens[0]
    count = 2 if len(word) == 1 and len(tokens) > 1 and len(tokens[1][1].rstrip(":")) == 1 else 1
    found = _ROLL.fullmatch("".join(each for _at, each in tokens[:count]).rstrip(":"))
    if found is None:
        raise InvalidNotation("typed", "“{word}” is neither a roll nor a command.", at=at, word=word)
    first, second = map(int, found.groups())
    event = OpeningRolled(first, second) if game.phase is Phase.OPENING else Rolled(Roll(first, second))
    return event, tokens[count:]


def _forced(game: GameState) -> list[Event]:
    """The play of a roll of which nothing more is typed, where there is only one."""
    assert game.roll is not None  # noqa: S101 - true in the phase MOVING
    plays = legal_plays(game.seen_by(game.player), game.roll)
    return [Played(plays[0].moves if plays else ())] if len(plays) <= 1 else []


def _play(game: GameState, tokens: Sequence[tuple[int, str]]) -> Played:
    assert game.roll is not None  # noqa: S101 - true in the phase MOVING
    position, roll = game.seen_by(game.player), game.roll
    if " ".join(token for _at, token in tokens) in _NO_MOVE:
        return Played()
    readings = list(islice(_readings(tokens), MOST_READINGS))
    found: dict[Position, Play] = {}
    refusals: list[IllegalPlay] = []
    for moves in readings:
        answer = explain_play(position, roll, moves)
        if isinstance(answer, IllegalPlay):
            refusals.append(answer)
        else:
            found.setdefault(answer.result, answer)
    if not found:
        found = _completed(position, roll, readings)
    if not found:
        raise refusals[0]
    if len(found) > 1:
        raise _ambiguous(position, " ".join(token for _at, token in tokens), list(found.values()))
    (play,) = found.values()
    return Played(play.moves)


def _ambiguous(position: Position, typed: str, plays: Sequence[Play]) -> AmbiguousPlay:
    readings = [format_play(position, play) for play in plays[:SHOWN_READINGS]]
    shown = ", ".join(readings)
    return AmbiguousPlay(
        "ambiguous", "{typed} can be read as {shown}", typed=typed, shown=shown, readings=readings
    )


def _completed(position: Position, roll: Roll, readings: Sequence[Sequence[Move]]) -> dict[Position, Play]:
    """The legal plays that have all moves of one reading among their steps."""
    found: dict[Position, Play] = {}
    sequences = legal_sequences(position, roll)
    results = {play.moves: play for play in legal_plays(position, roll)}
    for moves in readings:
        for steps in sequences:
            left = list(steps)
            if all(move in left and not left.remove(move) for move in moves):  # type: ignore[func-returns-value]
                play = results.get(steps) or resolve_play(position, roll, steps)
                found.setdefault(play.result, play)
    return found


def _readings(tokens: Sequence[tuple[int, str]]) -> Iterator[list[Move]]:
    """Every way to read the tokens as moves."""
    choices = [_paths(at, token) for at, token in tokens]
    for paths in product(*choices):
        yield [move for path in paths for move in path]


def _paths(at: int, token: str) -> list[list[Move]]:
    """The ways to read one token: steps of a checker, as often as it says."""
    named = token.rstrip(":*").replace("-", "/") if len(token) <= LONGEST_TOKEN else ""
    counted = _COUNTED.fullmatch(named)
    path, times = (counted["path"], int(counted["times"])) if counted else (named, 1)
    slots_named = _slots(path.replace("*", ""))
    ways = [slots for slots in slots_named if len(slots) > 1 and _falls(slots)]
    if not ways:
        raise InvalidNotation("typed_move", "“{word}” is not a move. Type it like 8/5.", at=at, word=token)
    return [[Move(*pair) for pair in pairwise(slots)] * times for slots in ways]


def _falls(slots: Sequence[int]) -> bool:
    return all(source > target for source, target in pairwise(slots))


def _slots(path: str) -> list[list[int]]:
    """The slots that a path can name: its parts are words, or digits that can be cut in several ways."""
    ways: list[list[int]] = [[]]
    explicit = "/" in path
    for part in filter(None, _SPLIT.split(path)):
        if part in _SLOTS:
            cuts = [[_SLOTS[part]]]
        elif part.isascii() and part.isdigit():
            cuts = [[int(part)]] if explicit and len(part) <= 2 else _cut(part)
        else:
            return []
        ways = [way + cut for way in ways for cut in cuts if all(slot <= BAR for slot in cut)]
    return ways


def _cut(digits: str) -> list[list[int]]:
    """Every way to cut a run of digits into slots of one or two digits; none starts with a zero but 0."""
    if not digits:
        return [[]]
    found = []
    for width in (1, 2):
        head, rest = digits[:width], digits[width:]
        if len(head) == width and int(head) <= BAR and (width == 1 or head[0] != "0"):
            found += [[int(head), *cut] for cut in _cut(rest)]
    return found
