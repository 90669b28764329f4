"""A match as files: .mat, OGXM and SGF for other programs, JSON with the whole log."""

import json
from typing import Any

from scoring.log.queries.results import report_policy
from scoring.log.queries.sheets import events_of
from scoring.models import Match
from scoring.notation.ogxm import write_ogxm
from scoring.notation.sgf_writer import write_sgf
from scoring.rules.profiles import profile_from_plain, profile_to_plain
from scoring.rules.sides import Side
from scoring.sheets.queries.scoresheet import names_of

JSON_VERSION = 1
FILE_TAG = "MidpointMatch"
"""The tag of our own match files: the match's ref and how many events of its log are told, as ``ref/seq``."""


def tags_of(match: Match) -> dict[str, str]:
    """Header tags that identify the match when its file is imported again."""
    return {
        "Site": "Midpoint",
        "EventDate": f"{match.played_at:%Y.%m.%d}",
        FILE_TAG: f"{match.ref}/{match.sheet.head_seq}",
    }


def ogxm_of(match: Match) -> bytes:
    """The match in OGXM. Load it ``with_players()`` and its sheet.

    Raises InvalidValue where it cannot be told so.
    """
    names = names_of(match)
    events = [numbered.event for numbered in events_of(match.sheet)]
    return write_ogxm((names[Side.WHITE], names[Side.BLACK]), events, tags_of(match))


def sgf_of(match: Match) -> bytes:
    """The match as GNU Backgammon's SGF. Load it ``with_players()`` and its sheet.

    Raises InvalidValue where it cannot be told so.
    """
    names = names_of(match)
    events = [numbered.event for numbered in events_of(match.sheet)]
    return write_sgf((names[Side.WHITE], names[Side.BLACK]), events, tags_of(match)).encode()


def json_of(match: Match) -> bytes:
    """The match with every event of its log, replaced ones too, each with its hash, and the head's state.

    Load it ``with_players()`` and its sheet. ``note`` is the digest of the free text that belongs to an
    event.
    """
    result = getattr(match, "result", None)
    sheet = match.sheet
    rows = sheet.events.order_by("seq").values_list(
        "seq", "kind", "body", "replaces", "note_digest", "at", "hash"
    )
    document: dict[str, Any] = {
        "format": "midpoint-match",
        "version": JSON_VERSION,
        "match": match.ref,
        "club": match.club.slug,
        "played_at": match.played_at.isoformat(),
        "length": match.length,
        "status": match.status,
        "report": report_policy(match).value,
        "profile": profile_to_plain(profile_from_plain(sheet.profile)) if sheet.profile else None,
        "white": [{"ref": player.ref, "name": player.name} for player in match.white.players],
        "black": [{"ref": player.ref, "name": player.name} for player in match.black.players],
        "result": None
        if result is None
        else {
            "winner": result.winner or None,
            "white": result.white_points,
            "black": result.black_points,
            "ended": result.ended or None,
            "revision": result.revision,
            "final": result.final_at is not None,
        },
        "head_hash": sheet.head_hash,
        "events": [
            {
                "seq": seq,
                "kind": kind,
                "body": body,
                "replaces": replaces,
                "note": digest or None,
                "at": at.isoformat(),
                "hash": link,
            }
            for seq, kind, body, replaces, digest, at, link in rows
        ],
        "state": json.loads(sheet.state) if sheet.state else None,
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode()
