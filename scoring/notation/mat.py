"""The ``.mat`` text of Jellyfish, GNU Backgammon, Galaxy and Studio: read and written.

Source: docs/reference/notation.md, "Match text".

Read: any column width, line end and usual encoding, results named by their column alone, ``Cannot Move``,
``????``, ``???`` and ``Concedes`` (resigned after rolling), ``00:`` (before), joined and counted moves, bar
and off by number, a closed-out player's roll written or left out, a game or match that stops early, totals of
the last game capped to the points needed or to the length.  A play that is not legal is kept as played.  What
is odd or had to be guessed is flagged (:class:`~scoring.notation.record.RecordFlag`); a file from which no
match can be told is an :class:`~scoring.rules.errors.InvalidNotation` that names its line.

The bytes become text in ``mat_text``, lines of the usual form in ``mat_rows`` (tabs, numbers and dice), parts
of a file in ``mat_layout``, cells in ``mat_cells`` and ``mat_columns``, events in ``mat_turns``,
``mat_endings`` and ``mat_replay``; ``mat_results`` says what a total can mean.
"""

import re
from collections.abc import Mapping, Sequence

from scoring.notation import mat_reader, mat_writer
from scoring.notation.record import MatchRecord
from scoring.rules.events import Event


def read_mat(data: bytes) -> MatchRecord:
    """The match in a ``.mat`` or ``.txt`` file, replayed with the rules.

    Empty moves after a roll are a pass if nothing is legal, the forced play if exactly one is, else a
    resignation. Galaxy exports its unlimited games as matches to 16 points: that length is kept and flagged
    unless the games go beyond it.  Raises :class:`~scoring.rules.errors.InvalidNotation` with the line.

    >>> record = read_mat(b'''
    ...  3 point match
    ...
    ...  Game 1
    ...  Ana : 0                          Jon : 0
    ...   1)                             31: 8/5 6/5
    ...   2)  Doubles => 2                Drops
    ...       Wins 1 point
    ... ''')
    >>> record.players, str(record.state.score), record.finished, [event.kind for event in record.events][-2:]
    (('Ana', 'Jon'), '1-0', False, ['double', 'pass'])
    """
    return mat_reader.read(data)


def mat_name(name: str) -> str:
    """The name as a ``.mat`` file holds it: without unprintable characters and the colon that ends a name.

    Persian, Sinhala and emoji names have joiners that no line of the format takes.

    >>> mat_name("Ana : Bo"), mat_name("\\u200b")
    ('Ana - Bo', '?')
    """
    printable = "".join(letter for letter in name if letter.isprintable())
    return re.sub(r"\s:(?=\s)", " -", printable).strip() or "?"


def write_mat(
    players: tuple[str, str],
    events: Sequence[Event],
    tags: Mapping[str, str] | None = None,
    *,
    complete: bool = False,
) -> str:
    """The scoresheet as ``.mat`` text, White in the left column.

    What the format has no word for is left out: ties and void rolls, void doubles, refused resignations,
    rulings, penalties, interruptions, corrected lengths and positions, and most options.  Reading the text
    gives the same games and points unless one of the last four changed them.  With ``complete`` all of it is
    kept in comments (:mod:`scoring.notation.remarks`), and reading gives the very state of the match back;
    the words of rulings and reasons are among it, so such a text is for those who may read them.

    Raises :class:`~scoring.rules.errors.InvalidValue` for a name that the format cannot hold, and what
    :func:`scoring.rules.sheet.apply` raises.

    >>> from scoring.rules.events import MatchStarted, OpeningRolled, Played
    >>> from scoring.rules.plays import Move
    >>> opening = [MatchStarted(3), OpeningRolled(3, 1), Played((Move(8, 5), Move(6, 5)))]
    >>> print(write_mat(("Ana", "Jon"), opening))
    ; [Crawford "On"]
    <BLANKLINE>
     3 point match
    <BLANKLINE>
     Game 1
     Ana : 0                         Jon : 0
      1) 31: 8/5 6/5
    <BLANKLINE>
    """
    return mat_writer.write(players, events, tags or {}, complete=complete)
