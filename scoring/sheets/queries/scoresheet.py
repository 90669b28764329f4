"""The scoresheet as its page and its API show it: one dictionary of plain data, all text translated.

Everything is made from the stored state of the head and the last lines of the log: what it costs does not
depend on how long the match is. Positions are each side's own numbering: 0 off, 1 to 24, 25 the bar.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.models import Note
from scoring.log.queries.results import DESK, missing_confirmations, open_objections, waiting_names
from scoring.log.queries.words import text_of
from scoring.log.queries.writers import Author, is_final, ref_of
from scoring.models import ClockState, Match, MatchStatus, Result, Sheet, SheetEvent
from scoring.notation.xgid import xgid_of
from scoring.profiles.queries.profile_words import profile_title, sentences
from scoring.rules.codec import to_plain
from scoring.rules.errors import ScoringError
from scoring.rules.game import GameState, Phase
from scoring.rules.match import Crawford
from scoring.rules.match_state import FinishedGame, MatchState, Status, state_from_plain
from scoring.rules.plays import legal_plays, legal_sequences
from scoring.rules.position import Position
from scoring.rules.profiles import profile_from_plain
from scoring.rules.sheet import legal_actions, why_not
from scoring.rules.sides import Side
from scoring.sheets.queries.event_words import words_of

LINES = 30
REASONED = (
    *("opening_roll", "roll", "no_roll", "double", "play", "take", "pass", "beaver", "raccoon", "resign"),
    *("accept", "refuse", "game_result", "final_score", "suspend", "resume", "set_length", "penalty"),
    *("set_position", "match_end"),
)
TABLES = ("final_score", "match_end")
CRAWFORD = {
    Crawford.AHEAD: "before",
    Crawford.NOW: "now",
    Crawford.BEHIND: "after",
    Crawford.NONE: "off",
}


def view_for(sheet: Sheet, match: Match, author: Author | None) -> dict[str, Any]:
    """The view of a sheet for ``author`` (None: a spectator).

    Load the match ``with_players()``.
    """
    match.sheet = sheet
    state = state_from_plain(json.loads(sheet.state))
    return {
        "match": match.ref,
        "seq": sheet.head_seq,
        "version": match.version,
        "profile": _profile(sheet),
        "options": to_plain(state.options, full=True),
        **standing_of(state, match, author),
        "games": [finished_game(game) for game in state.games],
        "timeline": timeline_of(state),
        "one_game": match.in_chouette,
        **_lines(sheet, match, names_of(match)),
    }


def standing_of(state: MatchState, match: Match, author: Author | None) -> dict[str, Any]:
    """The view without rules, finished games and lines.

    Of a match that is on another machine everything is seen, and nothing entered.
    """
    names, clock = names_of(match), _clock(match.sheet)
    writer = None if match.sheet.is_away else author
    return {
        "length": state.score.length,
        "status": state.status.value,
        "ending": ending_of(state),
        "writer": ref_of(author) if author else None,
        "may_write": writer is not None and (writer.directs or not is_final(match)),
        "directs": author is not None and author.directs,
        "your_side": author.side if author else None,
        **{side.value: side_of(state, side, names, clock) for side in Side},
        **on_board(state, match, writer),
        "result": _result(match, names, writer),
        "flags": flags_of(state),
        "clock": clock,
    }


def on_board(state: MatchState, match: Match, author: Author | None) -> dict[str, Any]:
    """The part of the view that changes with every event."""
    barred = _for_directors(match.sheet, author)
    if match.in_chouette:
        barred |= dict.fromkeys(TABLES, _("Record the result of a chouette game at its table."))
    return {
        "crawford": CRAWFORD[state.score.crawford],
        "sign": sign_of(state),
        "game": game_of(state),
        "actions": [
            action for action in (actions_of(state) if author else []) if action["kind"] not in barred
        ],
        "refusals": {**_refusals(state, names_of(match)), **barred},
        "plays": _plays(state.game) if state.status is Status.PLAYING else None,
    }


def ending_of(state: MatchState) -> str | None:
    """How the match ended, None while it goes on."""
    return state.outcome.reason.value if state.outcome else None


def timeline_of(state: MatchState) -> list[tuple[int, int]]:
    """The scores of a match in their order, from its start: what a corrected length looks back at."""
    return [] if state.score.is_money else list(state.timeline)


def names_of(match: Match) -> dict[Side, str]:
    """The names at the two sides."""
    return {Side.WHITE: match.white.name, Side.BLACK: match.black.name}


def sign_of(state: MatchState) -> str:
    """The sign on the table: Crawford game, post-Crawford, Holland, double match point, or nothing."""
    score = state.score
    if score.winner is not None or score.is_money:
        return ""
    if score.crawford is Crawford.NOW:
        return _("Crawford game")
    if state.game.terms.holland and min(state.game.white_rolls, state.game.black_rolls) < 2:
        return _("Holland: no double yet")
    if score.is_dmp:
        return _("double match point")
    if score.crawford is Crawford.BEHIND:
        return _("post-Crawford")
    return _("match point") if 1 in {score.away(side) for side in Side} else ""


def _profile(sheet: Sheet) -> dict[str, Any] | None:
    if not sheet.profile:
        return None
    profile = profile_from_plain(sheet.profile)
    return {"name": profile.name, "title": profile_title(profile), "rules": sentences(profile)}


def side_of(
    state: MatchState, side: Side, names: Mapping[Side, str], clock: Mapping[str, Any] | None
) -> dict[str, Any]:
    score = state.score
    return {
        "name": names[side],
        "points": score.capped(side),
        "raw": score.points(side),
        "away": None if score.is_money else score.away(side),
        "penalty_points": state.penalties[side is Side.BLACK],
        "clock_ms": clock[f"{side.value}_ms"] if clock else None,
    }


def game_of(state: MatchState) -> dict[str, Any]:
    game = state.game
    offered = None
    if game.phase is Phase.OFFERED:
        offered = game.cube.value * 2
    elif game.phase in {Phase.BEAVERED, Phase.RACCOONED}:
        offered = game.cube.value
    resigning = game.resignation
    return {
        "number": game.number,
        "phase": game.phase.value,
        "on_roll": game.on_roll,
        "to_act": game.to_act,
        "position": {"white": list(game.position.own), "black": list(game.position.opponent)},
        "cube": {
            "value": game.cube.value,
            "owner": game.cube.owner,
            "offered": offered,
            "in_use": game.terms.options.cube and not game.terms.crawford,
            "turned": game.cube_turned,
        },
        "roll": [game.roll.high, game.roll.low] if game.roll else None,
        "automatic_doubles": game.automatic_doubles,
        "rolls": {"white": game.white_rolls, "black": game.black_rolls},
        "resign_offered": {
            "by": resigning.by,
            "level": int(resigning.level),
            "phase": resigning.phase.value,
        }
        if resigning
        else None,
        "pips": {"white": game.position.pips, "black": game.position.flipped().pips},
        "xgid": xgid(state),
    }


def xgid(state: MatchState) -> str | None:
    """The XGID of the position, None where it has none: a finished match, an irregular position."""
    try:
        return f"XGID={xgid_of(state)}"
    except ScoringError:
        return None


def actions_of(state: MatchState) -> list[dict[str, Any]]:
    return [
        {"kind": action.kind, "by": action.by, "levels": [int(level) for level in action.levels]}
        for action in legal_actions(state)
        if action.kind != "voided"
    ]


def _refusals(state: MatchState, names: Mapping[Side, str]) -> dict[str, str]:
    refused = {kind: why_not(state, kind) for kind in REASONED}
    return {kind: text_of(error, names) for kind, error in refused.items() if error is not None}


def _for_directors(sheet: Sheet, author: Author | None) -> dict[str, str]:
    """Event kinds only directors can enter, with the reason, for other writers."""
    if author is None or author.directs:
        return {}
    only = _("only directors can enter this")
    return dict.fromkeys(("penalty", "ruling", *(("set_length",) if sheet.directed else ())), only)


def _plays(game: GameState) -> dict[str, Any] | None:
    if game.phase is not Phase.MOVING or game.on_roll is None or game.roll is None:
        return None
    position: Position = game.seen_by(game.on_roll)
    return {
        "side": game.on_roll,
        "sequences": [[list(move) for move in moves] for moves in legal_sequences(position, game.roll)],
        "forced": len(legal_plays(position, game.roll)) <= 1,
    }


def finished_game(game: FinishedGame) -> dict[str, Any]:
    return {
        "number": game.number,
        "winner": game.outcome.winner,
        "win": game.outcome.win.name.lower(),
        "cube": game.outcome.cube,
        "ended": game.outcome.ended.value,
        "white": game.white,
        "black": game.black,
        "crawford": game.crawford,
    }


@dataclass(frozen=True, slots=True)
class _Row:
    """A line's values and its correction, if any."""

    event: SheetEvent
    correction: SheetEvent | None


def _lines(sheet: Sheet, match: Match, names: Mapping[Side, str]) -> dict[str, Any]:
    """The last lines with corrections applied (one query, two with corrections)."""
    log = SheetEvent.objects.filter(sheet=sheet).select_related("note")
    newest = list(log.filter(replaces=None).order_by("-seq")[: LINES + 1])
    rows = newest[:LINES][::-1]
    corrections = {}
    # Where the last rows follow one another up to the head, none of them can have been corrected.
    if rows and sheet.head_seq - rows[0].seq >= len(rows):
        for event in log.filter(replaces__gte=rows[0].seq).order_by("seq"):
            corrections[event.replaces] = event
    return {
        "lines": [_line(_Row(row, corrections.get(row.seq)), names) for row in rows],
        "earlier": earlier_lines(match) if len(newest) > LINES else None,
    }


def earlier_lines(match: Match) -> str:
    """The address of the earlier lines."""
    return reverse("scoring:match", args=[match.ref])


def line_of(event: SheetEvent, names: Mapping[Side, str]) -> dict[str, Any]:
    """The line of an uncorrected event."""
    return _line(_Row(event, None), names)


def lines_after(sheet: Sheet, names: Mapping[Side, str], seq: int) -> list[dict[str, Any]]:
    """The rows that were appended after ``seq``, as they were entered, at most ``LINES`` (one query).

    The ORM would rebuild the query for every overtaken writer, which takes longer than the answer.
    """
    with connection.cursor() as cursor:
        cursor.execute(_AFTER, [sheet.pk, seq, LINES])
        rows = cursor.fetchall()
    return [line_of(_event(*row), names) for row in rows]


_AFTER = f"""
    SELECT event.seq, event.kind, event.body, event.side, event.notation, event.at, event.replaces, note.text
    FROM {SheetEvent._meta.db_table} AS event
    LEFT JOIN {Note._meta.db_table} AS note ON note.id = event.note_id
    WHERE event.sheet_id = %s AND event.seq > %s ORDER BY event.seq LIMIT %s
"""  # noqa: S608 - the tables' names are our own


def _event(
    seq: int, kind: str, body: str, side: str, notation: str, at: datetime, replaces: int, text: str | None
) -> SheetEvent:
    note = None if text is None else Note(text=text)
    return SheetEvent(
        seq=seq,
        kind=kind,
        body=json.loads(body),
        side=side,
        notation=notation,
        at=at,
        replaces=replaces,
        note=note,
    )


def _line(row: _Row, names: Mapping[Side, str]) -> dict[str, Any]:
    shown = row.correction or row.event
    undone = row.correction is not None and row.correction.kind == "voided"
    told = row.event if undone else shown
    words = words_of(
        told.kind,
        told.body,
        side=told.side,
        notation=told.notation,
        names={side.value: name for side, name in names.items()},
    )
    return {
        "seq": row.event.seq,
        "kind": told.kind,
        "body": told.body,
        "words": words,
        "by": told.side or None,
        "at": row.event.at.isoformat(),
        "replaces": row.event.replaces,
        "undone": undone,
        "corrected": row.correction is not None and not undone,
        "note": shown.note.text if shown.note else "",
    }


def _result(match: Match, names: Mapping[Side, str], author: Author | None) -> dict[str, Any] | None:
    result: Result | None = getattr(match, "result", None)
    if result is None or match.status != MatchStatus.FINISHED:
        return None
    final = result.final_at is not None
    missing = set() if final else missing_confirmations(match, result)
    objections = set() if final else open_objections(match, result)
    until = result.objection_until
    may = bool(missing) and author is not None and (author.directs or author.side in missing)
    return {
        "winner": result.winner or None,
        "white": result.white_points,
        "black": result.black_points,
        "ended": result.ended,
        "final": final,
        "revision": result.revision,
        "waiting_for": [] if final else waiting_names(match, result, names),
        "dispute_until": until.isoformat() if until and not final and not objections else None,
        "disputed_by": [names[side] for side in Side if side in objections],
        "may_confirm": may or (author is not None and author.side in objections and DESK in missing),
        "may_dispute": not final and author is not None and author.side is not None,
    }


def flags_of(state: MatchState) -> list[str]:
    """Irregularities and warnings of the match in words, each once; how much is recorded is none."""
    flags = {
        "illegal_corrected": _("illegal play corrected"),
        "illegal_accepted": _("illegal play stands"),
        "incomplete_accepted": _("incomplete play stands"),
        "dead_cube": _("dead cube turned"),
        "set_position": _("position set"),
        "penalty": _("penalty points"),
        "ruling": _("ruling"),
    }
    found = [flags[flag.code] for flag in state.flags if flag.code in flags]
    voids = [flag for flag in state.flags if flag.code.startswith("void_")]
    return list(map(capfirst, [*dict.fromkeys(found), *([_("void roll or double")] if voids else [])]))


def _clock(sheet: Sheet) -> dict[str, Any] | None:
    clock: ClockState | None = getattr(sheet, "clock", None)
    if clock is None:
        return None
    return {
        "running": clock.running,
        "since": clock.since.isoformat() if clock.since else None,
        "now": now().isoformat(),
        "delay_ms": clock.delay_ms,
        "white_ms": clock.white_ms,
        "black_ms": clock.black_ms,
    }
