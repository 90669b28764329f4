"""A chouette as files: the ledger as CSV, the full record as JSON."""

import csv
import json
from io import StringIO
from typing import Any

from clubs.currency import minor_digits
from scoring.chouettes.queries.chouettes import lines_in_words
from scoring.chouettes.queries.lines import log_rows
from scoring.chouettes.queries.payments import payments_of
from scoring.chouettes.queries.told import Told, told
from scoring.log.queries.chouettes import SeenTable
from scoring.models import ChouetteGame
from scoring.rules.chouette.session_state import ScoredGame
from scoring.rules.codec import to_plain

JSON_VERSION = 1
COLUMNS = ("game", "finished_at", "player", "ref", "role", "points")
MONEY = ("minor", "currency")
RISKY = "=+-@\t\r"


def ledger_csv(seen: SeenTable) -> str:
    """The ledger, one line per player and game, money where shown.

    A payment made has two lines without a game, its payer's and its receiver's: a player's ``minor`` sum to
    what they still have to receive. Two to four queries.
    """
    table, money = told(seen), seen.money_shown
    finished = _finished(seen)
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow((*COLUMNS, *(MONEY if money else ())))
    for game in table.state.games:
        at = finished.get(game.number, "")
        for line in game.ledger:
            shown = (line.minor, seen.chouette.currency) if money else ()
            name = harmless(table.names.get(line.player, "?"))
            role = _role(game, line.player)
            writer.writerow((game.number, at, name, line.player, role, line.points, *shown))
    for each in payments_of(table):
        if each["paid"]:
            at = each["at"].isoformat(timespec="seconds")
            for player, role, minor in (
                (each["payer"], "payer", each["minor"]),
                (each["receiver"], "receiver", -each["minor"]),
            ):
                name = harmless(table.names.get(player, "?"))
                writer.writerow(("", at, name, player, role, 0, minor, seen.chouette.currency))
    return text.getvalue()


def harmless(text: str) -> str:
    """Escape a text that a spreadsheet would take for a formula."""
    return f"'{text}" if text[:1] in RISKY and text else text


def night_json(seen: SeenTable) -> bytes:
    """The full record: rules, games, ledgers, cubes, payments and the log.

    The log has its hashes where money is shown. A club that hides money hides stakes, and so the hashes that
    cover them.
    """
    table = told(seen)
    chouette, state = seen.chouette, table.state
    balances = state.balances
    document: dict[str, Any] = {
        "format": "midpoint-chouette",
        "version": JSON_VERSION,
        "chouette": chouette.ref,
        "club": chouette.club.slug,
        "title": chouette.title,
        "status": chouette.status,
        "created_at": chouette.created_at.isoformat(),
        "closed_at": chouette.closed_at.isoformat() if chouette.closed_at else None,
        "currency": chouette.currency,
        "decimals": minor_digits(chouette.currency),
        "points_only": not seen.money_shown,
        "house": {"name": state.name, "values": to_plain(state.options, full=True)},
        "players": [
            {
                "ref": seat.player,
                "name": table.names.get(seat.player, "?"),
                "presence": seat.presence.value,
                "points": balances[seat.player][0],
                **({"stake": seat.stake, "minor": balances[seat.player][1]} if seen.money_shown else {}),
            }
            for seat in state.seats
        ],
        "games": [_game(seen, game) for game in state.games],
        "events": _events(table),
    }
    if seen.money_shown:
        document["settle_up"] = [_payment(each) for each in payments_of(table)]
        document["head_hash"] = chouette.sheet.head_hash
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def _payment(each: dict[str, Any]) -> dict[str, Any]:
    told = {name: each[name] for name in ("payer", "receiver", "minor", "paid", "seq", "by")}
    return {**told, "at": each["at"] and each["at"].isoformat()}


def _game(seen: SeenTable, game: ScoredGame) -> dict[str, Any]:
    ledger = [{"player": line.player, "points": line.points} for line in game.ledger]
    if seen.money_shown:
        ledger = [{**row, "minor": line.minor} for row, line in zip(ledger, game.ledger, strict=True)]
    return {
        "number": game.number,
        "seating": to_plain(game.seating, full=True),
        "cubes": to_plain(game.results, full=True),
        "payments": to_plain(game.payments, full=True),
        "ledger": ledger,
    }


def _events(table: Told) -> list[dict[str, Any]]:
    """The log as written.

    Where money is hidden, without stakes and hashes, corrections in place.
    """
    sheet = table.seen.chouette.sheet
    if not table.seen.money_shown:
        return lines_in_words(table, log_rows(sheet))
    rows = sheet.events.order_by("seq").values_list(
        "seq", "kind", "body", "replaces", "note_digest", "at", "hash"
    )
    return [
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
    ]


def _role(game: ScoredGame, player: str) -> str:
    seating = game.seating
    named = {seating.box: "box", seating.captain: "captain"}
    if seating.partner is not None:
        named[seating.partner] = "partner"
    return named.get(player, "crew")


def _finished(seen: SeenTable) -> dict[int, str]:
    rows = ChouetteGame.objects.filter(
        chouette=seen.chouette, number__isnull=False, finished_at__isnull=False
    )
    return {
        number: at.isoformat(timespec="seconds")
        for number, at in rows.values_list("number", "finished_at")
        if number is not None and at is not None
    }
