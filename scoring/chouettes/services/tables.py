"""A table of chouette is opened, people sit down at it by its code or are seated, the code is renewed."""

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
"""How long a guest's phone may write: a night and the day after it."""


class RulesRefused(Refused):
    """The rules at the table are no longer those that were read: nobody has sat down."""

    code = "rules_changed"
    template = _("The rules of this table have changed. Read them again.")
    parameters: Mapping[str, str] = {}

    def __init__(self) -> None:
        super().__init__("The rules of this table have changed. Read them again.")


def open_table(*, club: Club, user: User, title: str, house: House, stake: int = 0) -> Chouette:
    """A table under a house's rules; ``stake`` is minor units a point for who names no other.

    Whoever opens it does not sit yet (``join_table``). A club for points only has no stakes. Raises
    InvalidValue for a title or stake that cannot be.
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
    """The open table of a code as somebody typed it; None for every other code."""
    plain = plain_code(code)
    # Anything else cannot be a code; some of it (a zero byte) the database would not even be asked.
    if not (plain.isascii() and plain.isalnum()):
        return None
    return Chouette.objects.with_sheet().filter(code=plain, status=ChouetteStatus.OPEN).first()


def join_table(
    *, chouette: Chouette, user: User, stake: int | None = None, rules: str | None = None
) -> ChouettePlayer:
    """Sit down, having read the rules and agreed to them; ``stake`` None is the table's own.

    ``rules`` is the digest of those that were read (``rules_digest``), None where they were read at the table
    itself. Who sits there already stays as they are; who left or sat out comes back. Raises RulesRefused
    for rules that have changed since, EntryRefused for a full table, a stake that cannot be, a night
    that is over.
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
    """Sit down without a login: the club gets a guest, the session a claim to write here.

    A session that has sat down before keeps its seat. ``nonce`` is what the form was given that is sent: sent
    twice at once, before any answer has told the session of its claim, it is one guest all the same.
    Raises InvalidValue for a name that cannot be, and what ``join_table`` raises.
    """
    with transaction.atomic():
        # The club is locked by its new guest, before the table: twice the same request is one guest.
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
    """Seat somebody who has no phone at hand: they agreed at the table.

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
    """Another code for the table: whoever kept the old one does not come in by it.

    Raises IllegalAction for a guest's phone, which came in by the code itself, and for a night that is over.
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
    """What a claim keeps of the form that made it, so that sending it twice makes one."""
    return sha256(f"{table.ref}{nonce}".encode()).hexdigest()


def _claim_of_form(table: Chouette, nonce: str) -> Claim | None:
    """The claim that sending this very form has made before."""
    if not nonce:
        return None
    secret = hash_of_form(table, nonce)
    return Claim.objects.standing().filter(sheet=table.sheet_id, code_hash=secret).first()


def claim_for_phone(table: Chouette, nonce: str) -> Claim:
    """A claim whose code nobody ever sees: the session alone holds it, and the form that made it."""
    secret = hash_of_form(table, nonce)
    if not nonce or Claim.objects.filter(code_hash=secret).exists():
        secret = sha256(secrets.token_bytes(32)).hexdigest()
    return Claim.objects.create(sheet=table.sheet, code_hash=secret, expires_at=now() + LASTS)


def _require_read(table: Chouette, rules: str | None) -> None:
    """Nobody agrees to rules that they have not seen. Call it with the table locked."""
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
