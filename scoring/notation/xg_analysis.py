"""The analysis, comments and facts in the records of an `.xg` file.

Source: eXtreme Gammon's published description of its records (`TSaveRec`). Positions of an analysis are in
the numbering of the player on roll: index 0 the opponent's bar, 25 their own. Equities are that player's,
money-normalised (EMG), at the cube before the decision; a doubler's for all three actions of the cube.
Chances lie as lost backgammon, lost gammon, lost, won, gammon, backgammon, then the equity.
"""

import struct
from collections.abc import Iterator
from typing import NamedTuple

from scoring.notation.annotations import (
    LONGEST_COMMENT,
    MOST_CANDIDATES,
    MOST_COMMENTS,
    MOST_DECISIONS,
    Annotation,
    Annotations,
    Damaged,
    Option,
    Program,
    equity,
    luck,
    named_facts,
    plain,
    probabilities,
)
from scoring.notation.plays import format_moves
from scoring.notation.rtf import plain_text
from scoring.notation.xg_file import (
    CUBE,
    GAME_HEADER,
    KIND,
    MATCH_HEADER,
    MOVE,
    RECORD,
    comments_of,
    records_of,
)
from scoring.rules.errors import InvalidNotation, InvalidValue
from scoring.rules.plays import Move
from scoring.rules.position import BAR, OFF, Position

_LEVELS = {
    **{code: f"{code + 1}-ply" for code in range(9)},
    12: "3-ply red",
    100: "rollout",
    998: "opening book",
    999: "opening book",
    1000: "XG Roller",
    1001: "XG Roller+",
    1002: "XG Roller++",
}
_WIDE = 258
_FACTS = (("Event", 622), ("Site", 1396), ("Round", 1654))
"""Where the match's header keeps the facts, in UTF-16."""
_REMARKS = {MATCH_HEADER: (576, 580), GAME_HEADER: (56, 60)}
"""Where headers keep the numbers of their comments, -1 without one."""


class _Where(NamedTuple):
    """Offsets inside a record."""

    dice: int
    position: int
    comment: int


_PLAY = _Where(dice=100, position=124, comment=2524)
_CUBE_POSITION, _CUBE_COMMENT = 64, 292


def xg_annotations(data: bytes) -> Annotations:
    """What an `.xg` file says of its match.

    Never raises for a damaged analysis: what cannot be read is left out and flagged. Raises InvalidNotation
    only where no match can be read from the file either.
    """
    records = records_of(data)
    unread = ""
    try:
        comments = [plain(plain_text(line), LONGEST_COMMENT) for line in comments_of(data)[:MOST_COMMENTS]]
    except InvalidNotation as error:
        comments, unread = [], str(error)
    reader = _Reader(records, comments)
    moments = tuple(reader.moments())
    return Annotations(
        Program.XG,
        moments,
        facts=named_facts((name, _wide(records, at)) for name, at in _FACTS),
        remarks=tuple(reader.remarks),
        damaged=reader.damaged,
        unread=unread,
    )


class _Reader:
    def __init__(self, records: bytes, comments: list[str]) -> None:
        self.records, self.comments = records, comments
        self.game = self.damaged = self.told = 0
        self.remarks: list[tuple[int, str]] = []

    def moments(self) -> Iterator[Annotation]:
        told = 0
        for start in range(0, len(self.records), RECORD):
            kind = self.records[start + KIND]
            if kind in _REMARKS:
                self.game += kind == GAME_HEADER
                self._remarks(start, kind)
            elif kind in {MOVE, CUBE} and told < MOST_DECISIONS:
                record = self.records[start : start + RECORD]
                moment = self._play(record) if kind == MOVE else self._cube(record)
                if moment.options or moment.comment or moment.luck is not None:
                    told += 1
                    yield moment

    def _remarks(self, start: int, kind: int) -> None:
        for at in _REMARKS[kind]:
            if text := self._comment(_whole(self.records, start + at)):
                self.remarks.append((self.game, text))

    def _comment(self, number: int) -> str:
        """The comment of this number; a damaged file may name one of them any number of times."""
        text = self.comments[number] if 0 <= number < len(self.comments) else ""
        self.told += bool(text)
        return text if self.told <= MOST_COMMENTS else ""

    def _play(self, record: bytes) -> Annotation:
        dice = (_whole(record, _PLAY.dice), _whole(record, _PLAY.dice + 4))
        before = record[_PLAY.position : _PLAY.position + 26]
        options: tuple[Option, ...] = ()
        try:
            options = tuple(_options(record))
        except (Damaged, InvalidValue, InvalidNotation):
            self.damaged += 1
        return Annotation(
            self.game,
            _key(before),
            (max(dice), min(dice)),
            options,
            luck=luck(_double(record, 2320)) if options else None,
            comment=self._comment(_whole(record, _PLAY.comment)),
        )

    def _cube(self, record: bytes) -> Annotation:
        options: tuple[Option, ...] = ()
        try:
            options = tuple(_actions(record))
        except Damaged:
            self.damaged += 1
        return Annotation(
            self.game,
            _key(record[_CUBE_POSITION : _CUBE_POSITION + 26]),
            None,
            options,
            comment=self._comment(_whole(record, _CUBE_COMMENT)),
        )


def _options(record: bytes) -> Iterator[Option]:
    """The plays that were looked at, best first; none where the record has no analysis."""
    count = _whole(record, 188)
    if not 0 <= count <= MOST_CANDIDATES:
        raise Damaged(f"{count} plays")
    before = Position.from_key(_key(record[_PLAY.position : _PLAY.position + 26])) if count else None
    for number in range(count):
        values = struct.unpack_from("<7f", record, 1408 + 28 * number)
        if before is None or not any(values):
            continue
        at = 192 + 26 * number
        moves = struct.unpack_from("<8b", record, 1024 + 8 * number)
        yield Option(
            action=format_moves(before, _moves(moves)),
            equity=equity(values[6]),
            probabilities=_five(values),
            level=_level(struct.unpack_from("<h", record, 1280 + 4 * number)[0]),
            position=_key(record[at : at + 26]),
        )


def _actions(record: bytes) -> Iterator[Option]:
    """No double, double and take, double and pass; nothing where the record has no analysis.

    A record stands before every roll; where the cube was not to be turned it has no equities.
    """
    doubled, level = _whole(record, 16), _whole(record, 92)
    passed = struct.unpack_from("<f", record, 160)[0]
    if doubled not in (0, 1) or passed == 0.0:
        return
    chances = struct.unpack_from("<7f", record, 124)
    for action, at in (("no double", 152), ("double/take", 156), ("double/pass", 160)):
        value = struct.unpack_from("<f", record, at)[0]
        yield Option(action, equity(value), _five(chances), _level(level))


def _moves(pairs: tuple[int, ...]) -> tuple[Move, ...]:
    """From and to as XG counts: a point is one less than its number, 24 the bar, below 0 off."""
    found = []
    for source, target in zip(pairs[::2], pairs[1::2], strict=True):
        if source < 0 or (source, target) == (0, 0):
            break
        if source >= BAR or target >= source:
            raise Damaged(f"no move from {source + 1} to {target + 1}")
        found.append(Move(source + 1, max(OFF, target + 1)))
    return tuple(found)


def _five(values: tuple[float, ...]) -> tuple[float, float, float, float, float]:
    lost_backgammon, lost_gammon, _lost, won, gammon, backgammon = values[:6]
    return probabilities((won, gammon, backgammon, lost_gammon, lost_backgammon))


def _key(counts: bytes) -> str:
    """A position as `Position.key`; empty for one that cannot be."""
    signed = struct.unpack("<26b", counts)
    if any(abs(count) > 15 for count in signed):
        return ""
    return "".join(
        "-" if not count else chr(ord("A") - 1 + count) if count > 0 else chr(ord("a") - 1 - count)
        for count in signed
    )


def _level(code: int) -> str:
    return _LEVELS.get(code, f"level {code}")


def _wide(record: bytes, at: int) -> str:
    """Text of 129 characters of UTF-16, to its first zero."""
    return record[at : at + _WIDE].decode("utf-16-le", errors="replace").split("\0", 1)[0]


def _whole(record: bytes, at: int) -> int:
    return int(struct.unpack_from("<i", record, at)[0])


def _double(record: bytes, at: int) -> float:
    return float(struct.unpack_from("<d", record, at)[0])
