"""A club of any size in seconds: players and final matches, written by COPY.

Only for throw-away databases: foreign keys are not checked while the rows are written, which only a
PostgreSQL superuser can do. The same seed gives the same club.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection, transaction

from clubs.lookalikes import skeleton
from clubs.models import Club
from clubs.refs import REF_ALPHABET, REF_LENGTH

BEGINNING = datetime(2016, 1, 1, 12, tzinfo=UTC)
LENGTHS = (1, 3, 5, 5, 7, 7, 9, 11)

_RAW = """
    CREATE TEMPORARY TABLE raw_match (
        number bigint, ref text, sheet text, played_at timestamptz, length smallint, winner text,
        white bigint, black bigint
    ) ON COMMIT DROP
"""
# One match of the raw table becomes a sheet, a match, a result, two sides and two seats.
_UNFOLDED = (
    """
    INSERT INTO scoring_sheet (id, ref, club_id, kind, head_seq, head_hash, state, profile, directed,
        opened_by_director, created_at)
    SELECT number, sheet, %(club)s, 'match', 0, '', '', '{}', false, false, played_at FROM raw_match
    """,
    """
    INSERT INTO scoring_match (id, ref, club_id, sheet_id, length, played_at, status, digest, friendly,
        in_chouette, version, created_at)
    SELECT number, ref, %(club)s, number, length, played_at, 'finished', '', false, false, 1, played_at
    FROM raw_match
    """,
    """
    INSERT INTO scoring_result (match_id, winner, white_points, black_points, white_raw, black_raw, ended,
        revision, final_at, final_by)
    SELECT number, winner, white_points, black_points, white_points, black_points, 'played', 1, played_at,
        'director'
    FROM raw_match CROSS JOIN LATERAL (
        SELECT CASE winner WHEN 'white' THEN length ELSE 0 END AS white_points,
            CASE winner WHEN 'black' THEN length ELSE 0 END AS black_points
    ) AS score
    """,
    """
    INSERT INTO scoring_side (id, match_id, colour)
    SELECT 2 * number + (colour = 'black')::int, number, colour
    FROM raw_match CROSS JOIN (VALUES ('white'), ('black')) AS colours (colour)
    """,
    """
    INSERT INTO scoring_seat (match_id, side_id, player_id, "order", finished_length, finished_club_id,
        finished_open, finished_won)
    SELECT number, 2 * number + (colour = 'black')::int, CASE colour WHEN 'white' THEN white ELSE black END,
        0, length, %(club)s, true, winner = colour
    FROM raw_match CROSS JOIN (VALUES ('white'), ('black')) AS colours (colour)
    """,
)
_NUMBER_ON = "SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"
_NEXT_KEY = "SELECT coalesce(max(id), 0) + 1 FROM {table}"
_FILLED = (
    *("clubs_player", "clubs_person", "scoring_match", "scoring_sheet"),
    *("scoring_side", "scoring_seat", "scoring_result"),
)
_NUMBERED = ("scoring_sheet", "scoring_match", "scoring_side", "clubs_player")


def fill(*, club: Club, players: int, matches: int, seed: int = 1) -> list[int]:
    """Add players and final matches between them; return the players' keys."""
    dice = random.Random(seed)  # noqa: S311 - a reproducible club
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        first = next_key(cursor, "clubs_player")
        keys = list(range(first, first + players))
        refs = refs_without_end(dice)
        copied(cursor, "clubs_player (id, ref)", "int8 text", zip(keys, refs, strict=False))
        named = ((key, f"Player {key}", f"player {key}", skeleton(f"Player {key}")) for key in keys)
        columns = "clubs_person (player_id, name, sort_key, skeleton)"
        copied(cursor, columns, "int8 text text text", named)
        cursor.execute(_RAW)
        number = next_key(cursor, "scoring_side") // 2 + next_key(cursor, "scoring_match")
        types = "int8 text text timestamptz int2 text int8 int8"
        copied(cursor, "raw_match", types, _raw(number, matches, keys, refs, dice))
        for statement in _UNFOLDED:
            cursor.execute(statement, {"club": club.pk})
        cursor.execute("DROP TABLE raw_match")
        for table in _NUMBERED:
            cursor.execute(_NUMBER_ON.format(table=table))
        cursor.execute("SET LOCAL session_replication_role = origin")
    with connection.cursor() as cursor:
        # By name: without names it holds the server's shared tables until the caller's transaction ends.
        cursor.execute(f"ANALYZE {', '.join(_FILLED)}")
    return keys


def _raw(
    first: int, count: int, players: Sequence[int], refs: Iterator[str], dice: random.Random
) -> Iterator[tuple[Any, ...]]:
    """Matches minutes apart, some simultaneous; the stronger half wins more."""
    at = BEGINNING
    for number in range(first, first + count):
        at += timedelta(minutes=dice.randrange(5))
        white = dice.randrange(len(players))
        black = (white + dice.randrange(1, len(players))) % len(players)
        winner = "white" if dice.random() < 0.5 + 0.2 * ((black - white) / len(players)) else "black"
        length = LENGTHS[dice.randrange(len(LENGTHS))]
        yield number, next(refs), next(refs), at, length, winner, players[white], players[black]


def refs_without_end(dice: random.Random) -> Iterator[str]:
    """Yield refs that never repeat, in no order."""
    seen = dice.randrange(len(REF_ALPHABET) ** REF_LENGTH)
    while True:
        seen = (seen + 0x1CE4E5B9BF58476D) % len(REF_ALPHABET) ** REF_LENGTH
        rest, text = seen, ""
        for _ in range(REF_LENGTH):
            rest, digit = divmod(rest, len(REF_ALPHABET))
            text += REF_ALPHABET[digit]
        yield text


def next_key(cursor: Any, table: str) -> int:
    """The next free key of a table."""
    cursor.execute(_NEXT_KEY.format(table=table))
    return int(cursor.fetchone()[0])


def copied(cursor: Any, target: str, types: str, rows: Iterable[Sequence[Any]]) -> None:
    """Write rows by binary COPY; ``types`` are those of the columns."""
    with cursor.copy(f"COPY {target} FROM STDIN (FORMAT BINARY)") as copy:
        copy.set_types(types.split())
        for row in rows:
            copy.write_row(row)
