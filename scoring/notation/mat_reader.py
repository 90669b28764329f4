"""Reading ``.mat`` and its relatives: see :mod:`scoring.notation.mat`."""

from collections.abc import Iterator
from dataclasses import replace

from scoring.notation.mat_layout import MatFile, read_layout
from scoring.notation.mat_options import options_of
from scoring.notation.mat_replay import Replay
from scoring.notation.record import MatchRecord, RecordFlag
from scoring.rules.errors import InvalidNotation
from scoring.rules.options import RuleOptions

_UNLIMITED = ("BackgammonGalaxy", 16)
_DOUBTS = frozenset(
    {"rest_unread", "points_differ", "winner_differs", "score_differs", "no_result", "conceded"}
    | {"after_game", "after_match", "void_double", "crawford_off"}
)
"""The flags of a reading that contradicts itself; another set of rules may not."""


def read(data: bytes) -> MatchRecord:
    """See :func:`scoring.notation.mat.read_mat`."""
    file = read_layout(data)
    best: MatchRecord | None = None
    refused: InvalidNotation | None = None
    for options, length, flags in _readings(file):
        try:
            record = Replay(replace(file, flags=[*file.flags, *flags]), options, length).run()
        except InvalidNotation as error:
            refused = refused or error
            continue
        if best is None or _doubts(record) < _doubts(best):
            best = record
        if not _doubts(best):
            break
    if best is None:
        raise refused or InvalidNotation("no_game", "line {line}: the file has no games", line=1)
    return best


def _doubts(record: MatchRecord) -> int:
    return sum(flag.code in _DOUBTS for flag in record.flags)


def _readings(file: MatFile) -> Iterator[tuple[RuleOptions, int, list[RecordFlag]]]:
    """The rules that the match may have been played by: as the head says first, then what it leaves open."""
    tags, line = dict(file.tags), file.length_line
    if file.start is not None:
        yield file.start.options, file.length, []
        return
    options, flags = options_of(tags, line)
    unlimited = (tags.get("Site"), file.length) == _UNLIMITED
    if unlimited:
        flags.append(RecordFlag(line, "unlimited", str(file.length)))
    yield options, file.length, flags
    if unlimited:
        yield options, 0, flags
    if file.length and "Crawford" not in tags:
        yield replace(options, crawford=False), file.length, [*flags, RecordFlag(line, "crawford_off")]
    if (unlimited or not file.length) and "Jacoby" not in tags:
        # nothing in the file says whether Jacoby was agreed on: the points do
        yield replace(options, jacoby=False), 0, [*flags, RecordFlag(line, "jacoby_off")]
