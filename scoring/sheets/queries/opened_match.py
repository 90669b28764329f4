"""Load a match with everything that decides access to it, in one statement.

The ORM needs five queries for this and rebuilds each, which takes longer than running them. The columns
come from the models, so migrations apply here too. The statement locks nothing: writers name the version
that they read (``scoring.log.services.sheets.append_at_head``).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.db import connection
from django.db.models import JSONField, Model

from clubs.access import Viewer
from clubs.models import Club, Membership, Person, Player, Role, User
from clubs.models.columns import cache_many, cache_one
from scoring.log.queries.boards import tell_sides
from scoring.log.queries.results import DESK
from scoring.log.queries.visible import sees_match
from scoring.log.queries.writers import Author, author_of, claim_in
from scoring.models import (
    Claim,
    ClockState,
    Confirmation,
    Match,
    MatchPhoto,
    MatchPrivacy,
    MatchVideo,
    PlayerPrivacy,
    Result,
    Seat,
    Sheet,
    SheetEvent,
    SideRow,
)

Written = Mapping[str, tuple[int, str, dict[str, Any]]]
"""What stands under the writers' keys: seq, kind and body."""


@dataclass(frozen=True, slots=True)
class ShownPhoto:
    """A photo of the paper scoresheet as pages show it small, with the size of the whole one."""

    ref: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Beside:
    """What the page of a match shows besides its sheet.

    The photos that were not removed, oldest first; the video; and by player (pk) whether they keep the
    analyses of this match (``chosen``) or of all of theirs (``usual``) to themselves.
    """

    photos: tuple[ShownPhoto, ...]
    video: MatchVideo | None
    chosen: Mapping[int, bool]
    usual: Mapping[int, bool]


@dataclass(frozen=True, slots=True)
class Opened:
    """An unlocked match with its club, result, sheet, clock, sides, seats and names.

    ``role`` is the viewer's in the match's club; ``written`` the entries of the keys asked for that stand;
    ``director`` the name of the director who confirmed the result, "" without one; ``beside`` is None unless
    it was asked for.
    """

    match: Match
    role: Role | None
    written: Written = field(default_factory=dict)
    director: str = ""
    beside: Beside | None = None


def _columns(model: type[Model], alias: str) -> str:
    return ", ".join(f'{alias}."{each.column}"' for each in model._meta.concrete_fields)


_MODELS: tuple[tuple[str, type[Model]], ...] = (
    ("m", Match),
    ("s", Sheet),
    ("c", Club),
    ("r", Result),
    ("k", ClockState),
)
# Of a player and a name what a match shows; the rest is read when somebody asks for it.
_PLAYER, _PERSON = ["id", "ref", "user_id"], ["id", "player_id", "name"]
_SIDE, _SEAT = ["id", "match_id", "colour"], ["id", "match_id", "side_id", "player_id", "order"]
_BESIDE = f"""(SELECT json_build_object(
        'photos', (SELECT json_agg(json_build_array(ph.ref, ph.width, ph.height) ORDER BY ph.at, ph.id)
                   FROM {MatchPhoto._meta.db_table} ph WHERE ph.match_id = m.id AND ph.removed_at IS NULL),
        'video', (SELECT json_build_array(v.address, v.times)
                  FROM {MatchVideo._meta.db_table} v WHERE v.match_id = m.id),
        'chosen', (SELECT json_agg(json_build_array(mp.player_id, mp.keeps))
                   FROM {MatchPrivacy._meta.db_table} mp WHERE mp.match_id = m.id),
        'usual', (SELECT json_agg(json_build_array(pp.player_id, pp.keeps))
                  FROM {PlayerPrivacy._meta.db_table} pp
                  JOIN {Seat._meta.db_table} st ON st.player_id = pp.player_id
                  WHERE st.match_id = m.id))::text)
"""  # noqa: S608 - the names of tables are our own


def _statement(beside: str) -> str:
    return f"""
    SELECT {", ".join(_columns(model, alias) for alias, model in _MODELS)},
        (SELECT ms.role FROM {Membership._meta.db_table} ms
         JOIN {Player._meta.db_table} p ON p.id = ms.player_id
         WHERE ms.club_id = m.club_id AND p.user_id = %s::bigint),
        (SELECT json_agg(json_build_array(sd.id, sd.colour, st.id, st."order", p.id, p.ref, p.user_id,
                                          pe.id, pe.name) ORDER BY sd.id, st.id)::text
         FROM {SideRow._meta.db_table} sd
         LEFT JOIN {Seat._meta.db_table} st ON st.side_id = sd.id
         LEFT JOIN {Player._meta.db_table} p ON p.id = st.player_id
         LEFT JOIN {Person._meta.db_table} pe ON pe.player_id = p.id
         WHERE sd.match_id = m.id),
        (SELECT json_agg(json_build_array(e.client_key, e.seq, e.kind, e.body))::text
         FROM {SheetEvent._meta.db_table} e WHERE e.sheet_id = s.id AND e.client_key = ANY(%s::text[])),
        (SELECT pe.name FROM {Confirmation._meta.db_table} cf
         JOIN {Player._meta.db_table} p ON p.user_id = cf.user_id
         JOIN {Person._meta.db_table} pe ON pe.player_id = p.id
         WHERE cf.match_id = m.id AND cf.revision = r.revision AND cf.side = '{DESK}'),
        {beside}
    FROM {Match._meta.db_table} m
    JOIN {Sheet._meta.db_table} s ON s.id = m.sheet_id
    JOIN {Club._meta.db_table} c ON c.id = m.club_id
    LEFT JOIN {Result._meta.db_table} r ON r.match_id = m.id
    LEFT JOIN {ClockState._meta.db_table} k ON k.sheet_id = s.id
    WHERE m.ref = %s
    """  # noqa: S608 - the names of tables and columns are our own


_ALONE, _WITH_BESIDE = _statement("NULL"), _statement(_BESIDE)


def open_match_of(
    ref: str, viewer: Viewer, keys: Sequence[str] = (), *, beside: bool = False
) -> Opened | None:
    """The match of a ref, boards of chouettes among them, as the viewer finds it; None where there is none.

    Whether they may know of it is for the caller to say.
    """
    statement = _WITH_BESIDE if beside else _ALONE
    with connection.cursor() as cursor:
        cursor.execute(statement, [viewer.pk if isinstance(viewer, User) else None, list(keys), ref])
        row = cursor.fetchone()
    if row is None:
        return None
    found: list[Any] = []
    at = 0
    for _alias, model in _MODELS:
        end = at + len(model._meta.concrete_fields)
        found.append(_instance(model, row[at:end]))
        at = end
    match, sheet, club, result, clock = found
    role, sides, written, director, kept = row[at:]
    match.sheet, match.club, sheet.club = sheet, club, club
    Match._meta.get_field("result").set_cached_value(match, result)
    Sheet._meta.get_field("clock").set_cached_value(sheet, clock)
    _seat(match, json.loads(sides or "[]"))
    return Opened(
        match,
        _role_in(viewer, role),
        {key: (seq, kind, body) for key, seq, kind, body in json.loads(written or "[]")},
        director or "",
        None if kept is None else _beside(match, json.loads(kept)),
    )


def seen_match_of(
    ref: str,
    viewer: Viewer,
    session: SessionBase | None,
    keys: Sequence[str] = (),
    *,
    beside: bool = False,
) -> Opened | None:
    """``open_match_of`` for viewers of the match; None if it is hidden.

    One that is not confirmed is for the club's own people, unless the club opens it, and for who holds a
    claim to it in the ``session`` (None: a program's, which has none). The record of a chouette's game is
    for those who see the table.
    """
    opened = open_match_of(ref, viewer, keys, beside=beside)
    if opened is None:
        return None
    if opened.match.in_chouette:
        if writer_of(opened, viewer, session) is None:
            return None
        tell_sides(opened.match)
        return opened
    seen = sees_match(viewer, opened.match, opened.role)
    return opened if seen or _claim_of(opened.match, session) else None


def writer_of(opened: Opened, viewer: Viewer, session: SessionBase | None) -> Author | None:
    """The viewer as a writer; None if they can only watch (one query with a claim)."""
    return author_of(opened.match, viewer, role=opened.role, claim=_claim_of(opened.match, session))


def _claim_of(match: Match, session: SessionBase | None) -> Claim | None:
    return None if session is None else claim_in(session, match)


def _role_in(viewer: Viewer, role: int | None) -> Role | None:
    """``clubs.access.role_of`` with a known membership role."""
    if isinstance(viewer, User) and viewer.is_superuser:
        return Role.OWNER
    return None if role is None else Role(role)


def _instance(model: type[Model], values: Sequence[Any]) -> Model | None:
    """The row of a model, None for one that an outer join did not find."""
    if values[0] is None:
        return None
    fields = model._meta.concrete_fields
    read = [
        json.loads(value) if isinstance(each, JSONField) else value
        for each, value in zip(fields, values, strict=True)
    ]
    return model.from_db(connection.alias, [each.attname for each in fields], read)


def _beside(match: Match, found: Mapping[str, Any]) -> Beside:
    """The values of ``_BESIDE``."""
    address, times = found["video"] or (None, {})
    return Beside(
        tuple(ShownPhoto(*each) for each in found["photos"] or []),
        None if address is None else MatchVideo(match=match, address=address, times=times),
        dict(found["chosen"] or []),
        dict(found["usual"] or []),
    )


def _seat(match: Match, rows: Sequence[Sequence[Any]]) -> None:
    """Put sides, seats, players and names in their places, as ``MatchQuerySet.with_players`` does."""
    alias = connection.alias
    sides: dict[int, SideRow] = {}
    seats: dict[int, list[Seat]] = {}
    for side_id, colour, seat_id, order, *player_values, person_id, name in rows:
        if side_id not in sides:
            sides[side_id] = SideRow.from_db(alias, _SIDE, [side_id, match.pk, colour])
            seats[side_id] = []
        if seat_id is None:
            continue
        player = Player.from_db(alias, _PLAYER, player_values)
        named = None if person_id is None else Person.from_db(alias, _PERSON, [person_id, player.pk, name])
        cache_one(player, "person", named)
        seat = Seat.from_db(alias, _SEAT, [seat_id, match.pk, side_id, player.pk, order])
        seat.player = player
        seats[side_id].append(seat)
    for side_id, side in sides.items():
        cache_many(side, "seats", side.seats.get_queryset(), seats[side_id])
    cache_many(match, "sides", match.sides.get_queryset(), list(sides.values()))
