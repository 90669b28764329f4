"""Opening chouette tables, joining them, adding players, renewing the code."""

import secrets
from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256

from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext_noop as _

from clubs.live.topics import publish
from clubs.models import Club, User
from clubs.people.services.names import player_of
from clubs.refs import new_ref
from clubs.refusals import Refused
from scoring.chouettes.services.chouettes import MOST_STAKE, append_entries, lock_table, table_state
from scoring.log.queries.chouettes import shows_money
from scoring.log.queries.writers import Author, claim_to
from scoring.log.services.sheets import begin_sheets
from scoring.models import Chouette, ChouettePlayer, ChouetteStatus, Claim, Sheet, SheetKind
from scoring.players.services.newcomers import Newcomer, seat_newcomers, seat_player, unclaimed_guest
from scoring.profiles.queries.houses import House
from scoring.rules.chouette.events import Agreed, CameBack, ChouetteEvent, Joined, SessionStarted
from scoring.rules.chouette.session import begin_session
from scoring.rules.chouette.session_state import SeatPresence, rules_digest
from scoring.rules.codec import check_text
from scoring.rules.errors import IllegalAction, InvalidValue
from scoring.sheets.services.claims import keep_claim, new_code, plain_code
from scoring.sheets.services.entries import Entry

LONGEST_TITLE = 80
LASTS = timedelta(hours=48)
"""How long a guest's phone can record: an evening and the day after."""


class RulesRefused(Refused):
    """The table's rules have changed since they were read; nobody has joined."""

    code = "rules_changed"
    template = _("The rules of this table have changed. Read them again.")
    parameters: Mapping[str, str] = {}

    def __init__(self) -> None:
        super().__init__("The rules of this table have changed. Read them again.")


def open_table(*, club: Club, user: User, title: str, house: House, stake: int = 0) -> Chouette:
    """Open a table with house rules and a usual ``stake`` in minor units per point.

    Its opener joins separately (``join_table``). A club for points only has no stakes. Raises InvalidValue
    for an invalid title or stake.
    """
    check_text(title, where="title")
    title = " ".join(title.split())
    if not 1 <= len(title) <= LONGEST_TITLE:
        raise InvalidValue(
            "table_title",
            "{title!r} is not a title: use 1 to {most} characters",
            title=title,
            most=LONGEST_TITLE,
        )
    if not 0 <= stake <= MOST_STAKE:
        raise InvalidValue(
            "table_stake", "a stake must be 0 to {most}, not {stake}", stake=stake, most=MOST_STAKE
        )
    if stake and club.points_only:
        raise IllegalAction("points_only", "this club plays for points only: set the stake to 0")
    start = SessionStarted(house.options, house.name)
    with transaction.atomic():
        sheet = Sheet(club=club, kind=SheetKind.CHOUETTE, opened_by=user)
        begin_sheets(sheets=[sheet], events=[start], states=[begin_session(start)], user=user)
        return Chouette.objects.create(
            club=club,
            sheet=sheet,
            title=title,
            currency=club.currency,
            stake=stake,
            code=new_code(),
            points_only=club.points_only,
            opened_by=user,
        )


def table_of(code: str) -> Chouette | None:
    """The open table with a typed code, or None."""
    plain = plain_code(code)
    # Anything else cannot be a code, and PostgreSQL rejects a zero byte.
    if not (plain.isascii() and plain.isalnum()):
        return None
    return Chouette.objects.with_sheet().filter(code=plain, status=ChouetteStatus.OPEN).first()


def join_table(
    *, chouette: Chouette, user: User, stake: int | None = None, rules: str | None = None
) -> ChouettePlayer:
    """Join a table and agree to its rules; ``stake`` None is the table's usual stake.

    ``rules`` is the digest of the rules that were read (``rules_digest``), None if read at the table. Joining
    twice changes nothing; a player who left or sits out returns. Raises RulesRefused for rules that have
    changed since, EntryRefused for a full or closed table or an invalid stake.
    """
    with transaction.atomic():
        player = player_of(user=user)
        table = lock_table(chouette)
        _require_read(table, rules)
        row = ChouettePlayer.objects.filter(chouette=table, player=player).first()
        row = row or seat_player(table, player)
        _sit_down(table, row, Author(user=user), stake)
    return row


def join_as_guest(
    *,
    chouette: Chouette,
    name: str,
    session: SessionBase,
    stake: int | None = None,
    nonce: str = "",
    rules: str | None = None,
) -> ChouettePlayer:
    """Join without an account.

    Creates a guest, and a claim that lets the session record.

    A session with a seat keeps it. The form's ``nonce`` keeps a request sent twice at once, before the
    session has its claim, to one guest. Raises InvalidValue for an invalid name, and what ``join_table``
    raises.
    """
    with transaction.atomic():
        # Lock the club before the table, so that a repeated request creates one guest.
        Club.objects.select_for_update(no_key=True).get(pk=chouette.club_id)
        claim = claim_to(session, chouette.ref, chouette.sheet_id) or _claim_of_form(chouette, nonce)
        row = ChouettePlayer.objects.filter(chouette=chouette, claim=claim).first() if claim else None
        if row is None:
            player = unclaimed_guest(chouette.club, name)
            table = lock_table(chouette)
            _require_read(table, rules)
            claim = claim_for_phone(table, nonce)
            row = seat_player(table, player, claim=claim)
        else:
            table = lock_table(chouette)
            _require_read(table, rules)
        _sit_down(table, row, Author(claim=claim), stake)
        assert claim is not None  # noqa: S101 - made or found above
        keep_claim(session, table.ref, claim)
    return row


def add_to_table(
    *, chouette: Chouette, author: Author, newcomer: Newcomer, stake: int | None = None
) -> ChouettePlayer:
    """Add a player without a phone, who agreed to the rules at the table.

    Raises what ``scoring.players.services.newcomers`` and ``join_table`` raise.
    """
    with transaction.atomic():
        ref = new_ref()
        seat_newcomers(chouette, {ref: newcomer}, author)
        table = lock_table(chouette)
        row = ChouettePlayer.objects.get(ref=ref)
        _sit_down(table, row, author, stake)
    return row


def renew_code(*, chouette: Chouette, author: Author) -> str:
    """Give the table a new code; the old one stops working.

    Raises IllegalAction for a guest's phone, which joined by the code itself, and for a closed table.
    """
    if author.user is None:
        raise IllegalAction(
            "code_login", "only signed-in players at this table and directors can renew the code"
        )
    with transaction.atomic():
        table = lock_table(chouette)
        if table.status != ChouetteStatus.OPEN:
            raise IllegalAction("closed", "this chouette is over")
        table.code = new_code()
        table.version += 1
        table.save(update_fields=["code", "version"])
        publish(table.ref, table.version)
        return table.code


def hash_of_form(table: Chouette, nonce: str) -> str:
    """A hash of the form's nonce, stored with the claim it creates."""
    return sha256(f"{table.ref}{nonce}".encode()).hexdigest()


def _claim_of_form(table: Chouette, nonce: str) -> Claim | None:
    """The claim created by an earlier submission of this form, if any."""
    if not nonce:
        return None
    secret = hash_of_form(table, nonce)
    return Claim.objects.standing().filter(sheet=table.sheet_id, code_hash=secret).first()


def claim_for_phone(table: Chouette, nonce: str) -> Claim:
    """A claim without a visible code, for the session and form that created it."""
    secret = hash_of_form(table, nonce)
    if not nonce or Claim.objects.filter(code_hash=secret).exists():
        secret = sha256(secrets.token_bytes(32)).hexdigest()
    return Claim.objects.create(sheet=table.sheet, code_hash=secret, expires_at=now() + LASTS)


def _require_read(table: Chouette, rules: str | None) -> None:
    """Refuse agreement to rules not read. Call it with the table locked."""
    if rules is not None and rules != rules_digest(table_state(table.sheet)):
        raise RulesRefused


def _sit_down(table: Chouette, row: ChouettePlayer, author: Author, stake: int | None) -> None:
    state = table_state(table.sheet)
    seat = next((seat for seat in state.seats if seat.player == row.ref), None)
    events: list[ChouetteEvent] = []
    if seat is None:
        own = table.stake if stake is None else stake
        events.append(Joined(row.ref, own if shows_money(table) else 0))
    elif seat.presence is not SeatPresence.PLAYING:
        events.append(CameBack(row.ref))
    if seat is None or not seat.agreed:
        events.append(Agreed(row.ref))
    if events:
        key = secrets.token_hex(16)
        append_entries(table, author, [Entry(f"{key}-{n}", event) for n, event in enumerate(events)])
        row.seated = True
