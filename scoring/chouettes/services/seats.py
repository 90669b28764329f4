"""Moving a guest's seat to another phone by a one-time link.

A phone without an account is known by its session alone. When that is lost, a player with an account or a
director moves the seat, which the log notes. The link works for 30 minutes and one phone; the old phone can
no longer record.
"""

from datetime import timedelta

from django.contrib.sessions.backends.base import SessionBase
from django.core import signing
from django.db import transaction
from django.db.models import QuerySet
from django.utils.timezone import now

from clubs.live.topics import publish
from clubs.refs import new_ref
from scoring.chouettes.services.chouettes import append_entries, lock_table
from scoring.chouettes.services.tables import LASTS, claim_for_phone, hash_of_form
from scoring.log.queries.writers import Author
from scoring.models import Chouette, ChouettePlayer, Claim
from scoring.rules.chouette.events import SeatHanded
from scoring.rules.errors import IllegalAction, InvalidValue
from scoring.sheets.services.claims import keep_claim
from scoring.sheets.services.entries import Entry, check_key, not_yet_written

SALT = "scoring.chouette_seat"
OPEN_FOR = timedelta(minutes=30)
"""Lifetime of the link; the guest is at the same table."""


def open_seat(*, chouette: Chouette, author: Author, player: str, key: str) -> str:
    """Create a link that moves the seat of ``player`` (a ref) to another phone.

    Returns its secret.

    The log notes it once per ``key``. Raises InvalidValue for an unknown ref, IllegalAction for an author
    without an account and for a player who has one.
    """
    check_key(key)
    if author.user is None:
        raise IllegalAction(
            "seat_login", "only signed-in players at this table and directors can move a seat"
        )
    with transaction.atomic():
        table = lock_table(chouette)
        row = _seats().filter(chouette=table, ref=player).first()
        if row is None:
            raise InvalidValue("no_seat", "{player} has no seat at this table", player=player)
        if row.player.user_id is not None:
            raise IllegalAction(
                "has_login",
                "{player} has an account: they can sign in to return to their seat",
                player=row.player.name,
            )
        fresh = not_yet_written(table.sheet, table.sheet.head_seq, [Entry(key, SeatHanded(player))])
        if fresh:
            append_entries(table, author, fresh)
    return signing.dumps([row.ref, _claim_ref(row)], salt=SALT)


def seat_of(secret: str) -> ChouettePlayer | None:
    """The seat of a link; None for a mistyped, expired or used link."""
    found = _signed_seat(secret)
    return found[0] if found is not None and found[1] == _claim_ref(found[0]) else None


def take_seat(*, secret: str, session: SessionBase, nonce: str = "") -> ChouettePlayer:
    """Move the seat to the phone of this session; the old phone can no longer record.

    The form's ``nonce`` makes it idempotent. Raises IllegalAction for a link that has expired or was used.
    """
    found = _signed_seat(secret)
    if found is None:
        raise _closed()
    with transaction.atomic():
        table = lock_table(found[0].chouette)
        row = _seats().filter(pk=found[0].pk).first()
        if row is None:
            raise _closed()
        is_same_form = bool(nonce and row.claim and row.claim.code_hash == hash_of_form(table, nonce))
        if not is_same_form:
            if found[1] != _claim_ref(row):
                raise _closed()
            _move_claim(table, row, nonce)
            # The old phone asks again, and learns that it no longer records.
            table.version += 1
            table.save(update_fields=["version"])
            publish(table.ref, table.version)
        assert row.claim is not None  # noqa: S101 - it is that of the same form, or has just been moved
        keep_claim(session, table.ref, row.claim)
    return row


def _move_claim(table: Chouette, row: ChouettePlayer, nonce: str) -> None:
    """Give the claim a new ref, which cuts off the old phone but keeps its entries."""
    claim = row.claim
    if claim is None:
        row.claim = claim_for_phone(table, nonce)
        row.save(update_fields=["claim"])
        return
    secret = hash_of_form(table, nonce)
    if nonce and not Claim.objects.filter(code_hash=secret).exists():
        claim.code_hash = secret
    claim.ref, claim.expires_at, claim.revoked_at = new_ref(), now() + LASTS, None
    claim.save(update_fields=["ref", "code_hash", "expires_at", "revoked_at"])


def _signed_seat(secret: str) -> tuple[ChouettePlayer, str] | None:
    try:
        ref, claim = signing.loads(secret, salt=SALT, max_age=OPEN_FOR)
    except signing.BadSignature:
        return None
    row = _seats().filter(ref=ref).first()
    return None if row is None or row.player.user_id is not None else (row, claim)


def _seats() -> QuerySet[ChouettePlayer]:
    """Seats of players who have not been erased."""
    seats = ChouettePlayer.objects.filter(seated=True, player__erased_at=None)
    return seats.select_related("chouette__club", "chouette__sheet", "player__person", "claim")


def _claim_ref(row: ChouettePlayer) -> str:
    return row.claim.ref if row.claim is not None else ""


def _closed() -> IllegalAction:
    return IllegalAction("seat_closed", "this link has expired: ask at the table for a new one")
