"""Write rating rows in bulk: COPY into staging tables, then merge.

What a replay computes is staged in temporary tables of its transaction, so that nobody waits for it. Then the
list is brought to what is staged; rows that are so already are left alone.
"""

import gc
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from django.db import connection

from scoring.formulas.streams import Moved, Standings
from scoring.models import RatingList

COPIED = 10_000
"""Matches that are computed and then copied at once: a connection does not read while it copies."""


@contextmanager
def staging() -> Iterator[None]:
    """Temporary staging tables for the block, within a transaction."""
    with connection.cursor() as cursor:
        for statement in _STAGE:
            cursor.execute(statement)
    yield
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE staged_match, staged_standing CASCADE")


def stage_changes(moved: Iterable[Moved]) -> None:
    """Copy rating changes into the staging tables."""
    waiting = iter(moved)
    with _no_search_for_cycles():
        while some := list(islice(waiting, COPIED)):
            _copy("staged_match", _MATCH_TYPES, some)


@contextmanager
def _no_search_for_cycles() -> Iterator[None]:
    """Pause garbage collection, which costs a quarter of a replay's CPU time."""
    looked_for = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looked_for:
            gc.enable()


def stage_standings(standings: Standings) -> None:
    """Copy final standings into the staging tables."""
    rows = (
        (player, each.rating, each.experience, each.matches, each.last_played)
        for player, each in standings.items()
    )
    _copy("staged_standing", _STANDING_TYPES, rows)


def write_all(rating_list: RatingList) -> None:
    """Replace the list by the staged rows. The caller locks the list."""
    _write(rating_list, _DELETE_OTHERS, _LEAVE_OTHERS)


def write_changed(rating_list: RatingList, changed: Collection[int]) -> None:
    """Replace these matches' rows by the staged ones. The caller locks the list."""
    _write(rating_list, _DELETE_CHANGED, _LEAVE_WITHOUT, changed=list(changed))


def differences(rating_list: RatingList) -> int:
    """Count rows of the list that differ from the staged ones."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE staged_match, staged_standing")
        cursor.execute(_DIFFERENCES, {"list": rating_list.pk})
        (found,) = cursor.fetchone()
    return int(found)


def _write(rating_list: RatingList, delete: str, leave: str, **parameters: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE staged_match, staged_standing")
        for statement in (delete, _WRITE, leave, _STAND):
            cursor.execute(statement, {"list": rating_list.pk, **parameters})
        cursor.execute("TRUNCATE staged_match, staged_standing")


def _copy(table: str, types: str, rows: Iterable[tuple[Any, ...]]) -> None:
    with connection.cursor() as cursor, cursor.copy(f"COPY {table} FROM STDIN (FORMAT BINARY)") as copy:
        copy.set_types(types.split())
        for row in rows:
            copy.write_row(row)


_MATCH_TYPES = "int8 text timestamptz int4 float8 float8 int8 int8" + 6 * " float8" + 4 * " int4"
_STANDING_TYPES = "int8 float8 int4 int4 timestamptz"
_STAGE = (
    """
    CREATE TEMPORARY TABLE staged_match (
        match_id bigint, match_ref text COLLATE "C", played_at timestamptz, length int, weight float8,
        chance float8, winner_id bigint, loser_id bigint, winner_k float8, loser_k float8,
        winner_before float8, winner_after float8, loser_before float8, loser_after float8,
        winner_experience int, loser_experience int, winner_number int, loser_number int
    ) ON COMMIT DROP
    """,
    # The rows of the list: what a match did to its winner, and to its loser.
    """
    CREATE TEMPORARY VIEW staged_change AS
    SELECT staged.match_id, staged.match_ref, staged.played_at, staged.length, staged.weight, side.*
    FROM staged_match AS staged CROSS JOIN LATERAL (VALUES
        (winner_id, loser_id, true, chance, winner_k, winner_before, winner_after, loser_before,
            winner_experience, winner_experience + length, winner_number),
        (loser_id, winner_id, false, 1 - chance, loser_k, loser_before, loser_after, winner_before,
            loser_experience, loser_experience + length, loser_number)
    ) AS side (player_id, opponent_id, won, probability, k, before, after, opponent_before,
        experience_before, experience_after, number)
    """,
    """
    CREATE TEMPORARY TABLE staged_standing (
        player_id bigint, value float8, experience int, matches int, last_played_at timestamptz
    ) ON COMMIT DROP
    """,
)
_DELETE_OTHERS = """
    DELETE FROM scoring_ratingchange AS change
    WHERE list_id = %(list)s AND NOT EXISTS (
        SELECT FROM staged_change AS staged
        WHERE staged.match_id = change.match_id AND staged.player_id = change.player_id
    )
"""
_DELETE_CHANGED = """
    DELETE FROM scoring_ratingchange AS change
    WHERE list_id = %(list)s AND match_id = ANY(%(changed)s) AND NOT EXISTS (
        SELECT FROM staged_match AS staged
        WHERE staged.match_id = change.match_id AND change.player_id IN (staged.winner_id, staged.loser_id)
    )
"""
# Whatever is known of the table's size, each row is looked up by the constraint's index.
_WRITE = """
    INSERT INTO scoring_ratingchange AS change (list_id, match_id, player_id, opponent_id, won, played_at,
        match_ref, length, weight, probability, k, before, after, opponent_before, experience_before,
        experience_after, number)
    SELECT %(list)s, match_id, player_id, opponent_id, won, played_at, match_ref, length, weight, probability,
        k, before, after, opponent_before, experience_before, experience_after, number
    FROM staged_change
    ON CONFLICT (match_id, player_id, list_id) DO UPDATE
    SET opponent_id = excluded.opponent_id, won = excluded.won, played_at = excluded.played_at,
        match_ref = excluded.match_ref, length = excluded.length, weight = excluded.weight,
        probability = excluded.probability, k = excluded.k, before = excluded.before, after = excluded.after,
        opponent_before = excluded.opponent_before, experience_before = excluded.experience_before,
        experience_after = excluded.experience_after, number = excluded.number
    WHERE (change.opponent_id, change.won, change.played_at, change.match_ref, change.length, change.weight,
        change.probability, change.k, change.before, change.after, change.opponent_before,
        change.experience_before, change.experience_after, change.number)
    IS DISTINCT FROM (excluded.opponent_id, excluded.won, excluded.played_at, excluded.match_ref,
        excluded.length, excluded.weight, excluded.probability, excluded.k, excluded.before, excluded.after,
        excluded.opponent_before, excluded.experience_before, excluded.experience_after, excluded.number)
"""
_LEAVE_OTHERS = """
    DELETE FROM scoring_rating AS rating
    WHERE list_id = %(list)s
        AND NOT EXISTS (SELECT FROM staged_standing AS staged WHERE staged.player_id = rating.player_id)
"""
_LEAVE_WITHOUT = """
    DELETE FROM scoring_rating AS rating USING staged_standing AS staged
    WHERE rating.list_id = %(list)s AND rating.player_id = staged.player_id AND staged.matches = 0
"""
# Who lost the newest match has an older one that was not replayed.
_STAND = """
    INSERT INTO scoring_rating AS rating (list_id, player_id, value, experience, matches, last_played_at)
    SELECT %(list)s, player_id, value, experience, matches, coalesce(last_played_at, (
        SELECT max(change.played_at) FROM scoring_ratingchange AS change
        WHERE change.player_id = staged.player_id AND change.list_id = %(list)s
    ))
    FROM staged_standing AS staged WHERE matches > 0
    ON CONFLICT (list_id, player_id) DO UPDATE
    SET value = excluded.value, experience = excluded.experience, matches = excluded.matches,
        last_played_at = excluded.last_played_at
    WHERE (rating.value, rating.experience, rating.matches, rating.last_played_at)
        IS DISTINCT FROM (excluded.value, excluded.experience, excluded.matches, excluded.last_played_at)
"""
_ROW = """match_id, player_id, opponent_id, won, played_at, match_ref, length, weight, probability, k, before,
    after, opponent_before, experience_before, experience_after, number"""
_STANDING = "player_id, value, experience, matches, last_played_at"
_DIFFERENCES = f"""
    WITH wanted AS (SELECT {_ROW} FROM staged_change),
        stored AS (SELECT {_ROW} FROM scoring_ratingchange WHERE list_id = %(list)s),
        standing AS (SELECT {_STANDING} FROM staged_standing WHERE matches > 0),
        rating AS (SELECT {_STANDING} FROM scoring_rating WHERE list_id = %(list)s)
    SELECT (SELECT count(*) FROM (TABLE wanted EXCEPT ALL TABLE stored) AS missing)
        + (SELECT count(*) FROM (TABLE stored EXCEPT ALL TABLE wanted) AS surplus)
        + (SELECT count(*) FROM (TABLE standing EXCEPT ALL TABLE rating) AS unrated)
        + (SELECT count(*) FROM (TABLE rating EXCEPT ALL TABLE standing) AS overrated)
"""  # noqa: S608 - the columns are written above
