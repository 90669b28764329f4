"""A chouette table for its page and the API.

One dictionary of plain data, all text translated.

Its cost does not grow with the number of games: the state of the head is stored, the log is read
from its end.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import segno
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.currency import minor_digits
from scoring.chouettes.queries.actions import TableAction, actions, players_to_roll, refusals
from scoring.chouettes.queries.cubes import cube_of, cube_words
from scoring.chouettes.queries.ledger import my_lines
from scoring.chouettes.queries.lines import LINES, line_in_words, log_rows, rows_after
from scoring.chouettes.queries.payments import is_for_money, payments_of
from scoring.chouettes.queries.prospects import prospects
from scoring.chouettes.queries.seats import seats_of
from scoring.chouettes.queries.told import Told, named_text, told
from scoring.log.queries.chouettes import SeenTable
from scoring.log.queries.writers import ref_of
from scoring.models import ChouetteGame, ChouettePlayer, ChouetteStatus, SheetEvent
from scoring.profiles.queries.house_words import CONSULTATION, house_in_words, house_title
from scoring.rules.chouette.costs import LedgerLine
from scoring.rules.chouette.game_state import TableCube, TableGame
from scoring.rules.chouette.options import ChouetteOptions
from scoring.rules.chouette.session_state import (
    ScoredGame,
    SessionState,
    rules_digest,
)
from scoring.rules.codec import to_plain
from scoring.rules.errors import ScoringError

GAMES = 20
LineRow = tuple[SheetEvent, SheetEvent | None]


def table_view(seen: SeenTable, origin: str = "") -> dict[str, Any]:
    """The table as the viewer sees it.

    ``origin`` is the site's address, for links and QR codes.
    """
    table = told(seen)
    state, chouette = table.state, seen.chouette
    possible = actions(state, table.speaker)
    return {
        "chouette": chouette.ref,
        "title": chouette.title,
        "club": chouette.club.slug,
        "seq": chouette.sheet.head_seq,
        "version": chouette.version,
        "status": chouette.status,
        "may_write": may_write(seen),
        "writer": ref_of(seen.author),
        "you": seen.me.ref if seen.me else None,
        "points_only": not seen.money_shown,
        "currency": chouette.currency,
        "decimals": minor_digits(chouette.currency),
        "stake": chouette.stake if seen.money_shown else 0,
        "house": _house(table),
        "consultation": str(CONSULTATION[state.options.consultation]),
        "players": _players(table),
        "placed": state.placed,
        "to_roll": list(players_to_roll(state)),
        "game": None if state.game is None else _game(table, state.game),
        "board": _board(table, origin),
        "actions": [action.plain() for action in possible],
        "refusals": _refusals(table, possible),
        "possible_gains": _prospects(table),
        "games": _games(table, state.games[-GAMES:]),
        "lines": lines_in_words(table, log_rows(chouette.sheet, last=LINES)),
        "payments": [{**each, "at": each["at"] and each["at"].isoformat()} for each in payments_of(table)],
        "join": _join(seen, origin),
        "ahead": ahead_of(state, stakes=seen.money_shown),
        "movable_seats": [one.ref for one in seen.players if one.seated and can_move_seat(seen, one)],
    }


def may_write(seen: SeenTable) -> bool:
    """Whether the viewer can record: a guest's phone only until the chouette ends."""
    return seen.author.user is not None or seen.chouette.status == ChouetteStatus.OPEN


def ahead_of(state: SessionState, *, stakes: bool) -> dict[str, Any]:
    """The state for a page that records offline (static/scoring/chouettes/rules.js).

    Finished games are reduced to their count, payments are left out; stakes are 0 where they are hidden.
    """
    seats = state.seats if stakes else tuple(replace(seat, stake=0) for seat in state.seats)
    plain = to_plain(replace(state, seats=seats, games=(), paid=()), full=True)
    del plain["games"], plain["paid"]
    return {**plain, "played": len(state.games), "usual": to_plain(ChouetteOptions(), full=True)}


def night_of(seen: SeenTable) -> dict[str, Any]:
    """The history: every game with each player's share and role, and the whole log."""
    table = told(seen)
    marks = initials(seen.players)
    players = [{**player, "initials": marks.get(player["ref"], "?")} for player in _players(table)]
    games = _games(table, table.state.games)
    shorts = {one["ref"]: one["short"] for one in players}
    mine = my_lines(table.state.games, seen.me.ref, shorts) if seen.me else []
    for game in games:
        shares = {line["ref"]: line["points"] for line in game["ledger"]}
        roles = {game["partner"]: "partner", game["captain"]: "captain", game["box"]: "box"}
        game["cells"] = [(shares.get(each["ref"]), roles.get(each["ref"], "")) for each in players]
    rows = log_rows(seen.chouette.sheet)
    return {
        "house": _house(table),
        "points_only": not seen.money_shown,
        "players": players,
        "games": games,
        "mine": mine,
        "for_money": is_for_money(table),
        "payments": [
            {**each, "typed": str(each["minor"]), "entry": str(each["seq"])} for each in payments_of(table)
        ],
        "lines": [line_in_words(*row, table.speaker, seen.players) for row in rows],
    }


def lines_in_words(table: Told, rows: Iterable[LineRow]) -> list[dict[str, Any]]:
    """Log lines as JSON data."""
    speaker, players = table.speaker, table.seen.players
    lines = [line_in_words(event, correction, speaker, players) for event, correction in rows]
    return [{**line, "at": line["at"].isoformat()} for line in lines]


def lines_since(seen: SeenTable, seq: int) -> list[dict[str, Any]]:
    """Log lines after ``seq``, which others entered meanwhile."""
    return lines_in_words(told(seen), rows_after(seen.chouette.sheet, seq))


def refusal_text(seen: SeenTable, error: ScoringError) -> str:
    """A refusal at this table in words."""
    return named_text(error, {one.ref: one.player.name for one in seen.players})


def short_names(players: Sequence[ChouettePlayer]) -> dict[str, str]:
    """First names, with an initial or the whole name where two are alike."""
    names = {one.ref: one.player.name for one in players}
    firsts = {ref: name.split(" ", 1)[0] for ref, name in names.items()}
    longer = {ref: _with_initial(name) for ref, name in names.items()}
    found = {}
    for ref, name in names.items():
        for short in (firsts, longer):
            if list(short.values()).count(short[ref]) == 1:
                found[ref] = short[ref]
                break
        else:
            found[ref] = name
    return found


def initials(players: Sequence[ChouettePlayer]) -> dict[str, str]:
    """Initials of each player, numbered where two are alike."""
    found: dict[str, str] = {}
    for one in players:
        words = one.player.name.split() or ["?"]
        letters = words[0][0] + words[-1][0] if len(words) > 1 else words[0][:2]
        taken = sum(mark.rstrip("0123456789") == letters for mark in found.values())
        found[one.ref] = f"{letters}{taken + 1}" if taken else letters
    return found


def _with_initial(name: str) -> str:
    first, _space, rest = name.partition(" ")
    return f"{first} {rest[0]}." if rest else first


def _house(table: Told) -> dict[str, Any]:
    state = table.state
    house = house_in_words(state.name, table.houses.get(state.name, ""), state.options)
    coming = state.announced
    announced = coming and house_in_words(coming.name, table.houses.get(coming.name, ""), coming.options)
    return {
        "name": house.name,
        "title": house_title(state.name, table.houses.get(state.name, "")),
        "rules": house.rules,
        "digest": rules_digest(state),
        "announced": announced
        and {"name": announced.name, "title": announced.title, "rules": announced.rules},
    }


def _players(table: Told) -> list[dict[str, Any]]:
    """Every player in the log, in rotation order, absent ones last."""
    shown, balances = table.seen.money_shown, table.state.balances
    stakes = {seat.player: seat.stake for seat in table.state.seats}
    shorts = short_names([one for one in table.seen.players if one.seated])
    records = {one.ref for one in table.seen.players if _can_record(one)}
    return [
        {
            **seat,
            "name": table.names.get(ref, "?"),
            "short": shorts.get(ref, table.names.get(ref, "?")),
            "stake": stakes[ref] if shown else 0,
            "points": balances[ref][0],
            "minor": balances[ref][1] if shown else 0,
            "balance": table.gain(balances[ref][1]),
            "proxy_name": table.names.get(seat["proxy"], "?") if seat["proxy"] else "",
            "records": ref in records,
        }
        for ref, seat in ((seat["ref"], seat) for seat in seats_of(table.state))
    ]


def _can_record(one: ChouettePlayer) -> bool:
    """Whether a player has an account, or a phone with a claim that stands."""
    if one.player.user_id is not None:
        return True
    return one.claim is not None and one.claim.revoked_at is None and one.claim.expires_at > now()


def _game(table: Told, game: TableGame) -> dict[str, Any]:
    return {
        "number": game.number,
        "cubes": [_cube(table, cube) for cube in game.cubes],
        "opening_doubles": game.ties,
    }


def _cube(table: Told, cube: TableCube) -> dict[str, Any]:
    name, drawn = table.speaker.cube(cube.key), cube_of(cube)
    return {**drawn, "name": name, "words": cube_words(name, cube, drawn["state"])}


def _refusals(table: Told, possible: Sequence[TableAction]) -> dict[str, str]:
    if table.state.closed:
        return {}
    return {kind: table.text(error) for kind, error in refusals(table.state, possible).items()}


def _share(table: Told, line: LedgerLine) -> dict[str, Any]:
    shown = table.seen.money_shown
    return {"points": line.points, "minor": line.minor if shown else 0, "money": table.gain(line.minor)}


def _prospects(table: Told) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for way, lines in prospects(table.state).items():
        for player, line in lines.items():
            found.setdefault(player, {})[way] = _share(table, line)
    return found


def _board(table: Told, origin: str) -> dict[str, str] | None:
    """The board record of the current game, if one was started."""
    if table.state.game is None:
        return None
    games = ChouetteGame.objects.filter(chouette=table.seen.chouette, number=table.state.game.number)
    ref = games.values_list("match__ref", flat=True).first()
    return None if ref is None else {"match": ref, "page": origin + reverse("scoring:scoresheet", args=[ref])}


def _games(table: Told, games: Sequence[ScoredGame]) -> list[dict[str, Any]]:
    rows = ChouetteGame.objects.filter(
        chouette=table.seen.chouette, number__in=[game.number for game in games]
    ).values_list("number", "end_seq", "match__ref")
    placed = {number: (end_seq, match) for number, end_seq, match in rows}
    return [
        {
            "number": game.number,
            "box": game.seating.box,
            "captain": game.seating.captain,
            "partner": game.seating.partner,
            "words": _("%(box)s in the box, %(captain)s captain")
            % {
                "box": table.names.get(game.seating.box, "?"),
                "captain": table.names.get(game.seating.captain, "?"),
            },
            "seq": placed.get(game.number, (None, None))[0],
            "match": placed.get(game.number, (None, None))[1],
            "ledger": [{"ref": line.player, **_share(table, line)} for line in game.ledger],
        }
        for game in games
    ]


def can_move_seat(seen: SeenTable, one: ChouettePlayer) -> bool:
    """Whether the viewer can move a seat.

    Accounts can move guests' seats, but not an erased player's.
    """
    is_guest = one.player.user_id is None and one.player.erased_at is None
    return seen.author.user is not None and is_guest


def _join(seen: SeenTable, origin: str) -> dict[str, Any] | None:
    chouette = seen.chouette
    if chouette.status != ChouetteStatus.OPEN:
        return None
    code = chouette.code
    page = origin + reverse("scoring:join_chouette", args=[code])
    renews = seen.author.user is not None
    return {"code": f"{code[:5]}-{code[5:]}", "page": page, "qr": qr_code(page), "renews": renews}


@lru_cache(maxsize=256)
def qr_code(url: str) -> str:
    """A QR code of an address, as an SVG element."""
    return str(segno.make(url).svg_inline(scale=4, border=2, omitsize=True))
