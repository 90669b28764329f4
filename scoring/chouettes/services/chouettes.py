"""Recording events in a chouette's log: once each, in order, as the rules allow.

As on the scoresheet (``scoring.sheets.services.entries``), an entry has the writer's key and the seq it
follows. A known key is not recorded again; another head is a conflict.
"""

import json
from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.timezone import now

from clubs.formats.money import money
from clubs.live.topics import publish
from scoring.chouettes.services.board_ends import follow_table
from scoring.chouettes.services.rows import SpanTracker, write_games, write_seats
from scoring.log.queries.chouettes import shows_money
from scoring.log.queries.writers import Author
from scoring.log.services.sheets import append_events, lock_sheet
from scoring.models import (
    Chouette,
    ChouetteGame,
    ChouetteMoment,
    ChouettePlayer,
    ChouetteStatus,
    HouseRules,
    Sheet,
    SheetEvent,
)
from scoring.players.services.newcomers import Newcomer, seat_newcomers
from scoring.profiles.queries.houses import BUILT_IN, house_of
from scoring.rules.chouette.events import (
    ChouetteEvent,
    CubeSettled,
    CubeTakenOver,
    Joined,
    Nothing,
    OptionsChanged,
    PaymentMade,
    SeatHanded,
    SessionStarted,
    StakeSet,
)
from scoring.rules.chouette.session_state import SessionState
from scoring.rules.errors import IllegalAction, InvalidValue, ScoringError
from scoring.rules.logs import CHOUETTE_LOG
from scoring.sheets.services.claims import new_code
from scoring.sheets.services.entries import (
    Entry,
    EntryRefused,
    check_entries,
    not_yet_written,
)

MOST_STAKE = 10_000_000
MOST_POINTS = 1_000_000
MOST_CUBE = 1 << 20
MOST_PAID = 10**15
TableEntry = Entry[ChouetteEvent]


def lock_table(chouette: Chouette) -> Chouette:
    """Lock and reload a table with its club and sheet, the sheet first."""
    sheet = lock_sheet(chouette.sheet_id)
    locked = (
        Chouette.objects.select_related("club")
        .select_for_update(of=("self",), no_key=True)
        .get(pk=chouette.pk)
    )
    locked.sheet = sheet
    return locked


def table_state(sheet: Sheet) -> SessionState:
    """The stored state of the head."""
    return CHOUETTE_LOG.state_from_plain(json.loads(sheet.state))


def record(
    *,
    chouette: Chouette,
    author: Author,
    after: int,
    entries: Sequence[TableEntry],
    newcomers: Mapping[str, Newcomer] | None = None,
) -> Chouette:
    """Append all entries to the table's log, or none; returns the table.

    ``after`` is the seq that the first entry follows; entries recorded before are skipped. ``newcomers`` maps
    new refs in join events to players. Raises ConflictRefused for another head, EntryRefused with the index
    of a refused entry.
    """
    check_entries(entries)
    for at, entry in enumerate(entries):
        if isinstance(entry.event, SeatHanded):
            raise EntryRefused(at, no_entry(entry.event))
    with transaction.atomic():
        if newcomers:
            _seat(chouette, author, entries, newcomers)
        table = lock_table(chouette)
        fresh = not_yet_written(table.sheet, after, entries)
        if fresh:
            refuse_phones_at_closed(table, author)
            append_entries(table, author, fresh, first=len(entries) - len(fresh))
    return table


def _seat(
    chouette: Chouette, author: Author, entries: Sequence[TableEntry], newcomers: Mapping[str, Newcomer]
) -> None:
    """Create the players of join events."""
    for at, entry in enumerate(entries):
        if isinstance(entry.event, Joined) and entry.event.player in newcomers:
            ref = entry.event.player
            try:
                seat_newcomers(chouette, {ref: newcomers[ref]}, author)
            except ScoringError as error:
                raise EntryRefused(at, error) from error


def append_entries(table: Chouette, author: Author, entries: Sequence[TableEntry], *, first: int = 0) -> None:
    """Append entries to a locked table.

    Raises EntryRefused; ``first`` is the index of the first entry.
    """
    sheet = table.sheet
    before = state = table_state(sheet)
    known, tracker = known_refs(table), SpanTracker()
    tracker.begun = _begun_seq(table, state)
    for at, entry in enumerate(entries, start=first):
        try:
            refuse_at_table(table, entry.event, known)
            if isinstance(entry.event, PaymentMade):
                _require_due(table, state, entry.event)
            earlier, state = state, CHOUETTE_LOG.apply(state, entry.event)
            require_bounds(state)
        except ScoringError as error:
            raise EntryRefused(at, error) from error
        tracker.see(sheet.head_seq + 1 + at - first, earlier, state)
    head = sheet.head_seq
    append_events(
        sheet=sheet,
        events=[entry.event for entry in entries],
        state=state,
        user=author.user,
        claim=author.claim,
        client_keys=[entry.key for entry in entries],
    )
    _tie_to_board(table, before, head)
    spans = tracker.all(state)
    write_games(table, [span for span in spans if (span.end_seq or span.begun_seq) > head])
    if before.game is not None:
        follow_table(table=table, author=author)
    if [seat.player for seat in before.seats] != [seat.player for seat in state.seats]:
        write_seats(table, state)
    publish_state(table, state)


def refuse_phones_at_closed(table: Chouette, author: Author) -> None:
    """Refuse a guest's phone at a closed table, where it can only read.

    Call it with the table locked. Raises EntryRefused.
    """
    if author.user is None and table.status != ChouetteStatus.OPEN:
        raise EntryRefused(0, IllegalAction("closed", "this chouette is over"))


def refuse_at_table(table: Chouette, event: ChouetteEvent, known: frozenset[str]) -> None:
    """Refuse events that the rules alone would accept.

    These are stakes in a club for points only, unknown players and house rules, amounts too large for the
    ledger, and a second start.
    """
    if isinstance(event, SessionStarted | Nothing):
        raise no_entry(event)
    if isinstance(event, Joined) and event.player not in known:
        raise InvalidValue(
            "unknown_player",
            "{player} is not known at this table: name the player, or have them join by code",
            player=event.player,
        )
    if isinstance(event, Joined | StakeSet):
        if event.stake and not shows_money(table):
            raise IllegalAction("points_only", "this club plays for points only: set the stake to 0")
        if event.stake > MOST_STAKE:
            raise InvalidValue(
                "stake_most",
                "a stake of {stake} is above the limit of {most}",
                stake=event.stake,
                most=MOST_STAKE,
            )
    if isinstance(event, OptionsChanged):
        _require_house(table, event)
    if isinstance(event, CubeSettled | CubeTakenOver) and abs(event.points) > MOST_POINTS:
        raise InvalidValue(
            "points_most",
            "{points} points are above the limit of {most}",
            points=event.points,
            most=MOST_POINTS,
        )


def _require_due(table: Chouette, state: SessionState, event: PaymentMade) -> None:
    """Refuse a payment that is more than its payer still has to pay, or its receiver to receive."""
    if not shows_money(table):
        raise IllegalAction("points_only_paid", "this club plays for points only: there is nothing to pay")
    if event.minor > MOST_PAID:
        raise InvalidValue(
            "paid_most",
            "a payment of {minor} minor units is above the limit of {most}",
            minor=event.minor,
            most=MOST_PAID,
        )
    unpaid = state.unpaid
    if unpaid.get(event.payer, 0) > -event.minor or unpaid.get(event.receiver, 0) < event.minor:
        raise IllegalAction(
            "not_due",
            "{payer} does not have to pay {receiver} {amount} now: check what is still to pay",
            payer=event.payer,
            receiver=event.receiver,
            amount=money(event.minor, table.currency),
        )


def no_entry(event: ChouetteEvent) -> IllegalAction:
    if isinstance(event, SeatHanded):
        return IllegalAction("seat_entry", "moving a seat to another phone cannot be entered or corrected")
    if isinstance(event, PaymentMade):
        return IllegalAction(
            "paid_entry", "a payment cannot be corrected: delete it, then mark the right one as paid"
        )
    return IllegalAction("not_an_entry", "{kind} cannot be entered: undo the event instead", kind=event.kind)


def _require_house(table: Chouette, event: OptionsChanged) -> None:
    """Refuse rules under an unknown name, or not those of the named house rules.

    The log has only names of house rules, never free text, which an erasure could not reach; with the rules
    themselves, so that a replay needs no lookup.
    """
    name = event.name
    if not name:
        return
    house = BUILT_IN.get(name)
    if house is None:
        row = HouseRules.objects.in_club(table.club).filter(name=name).first()
        house = None if row is None else house_of(row)
    if house is None:
        raise InvalidValue(
            "no_house", "this club has no house rules {name!r}: choose from its own", name=name
        )
    if house.options != event.options:
        raise InvalidValue(
            "other_rules",
            "the house rules {name!r} have changed: reload the page, or leave out the name",
            name=name,
        )


def require_bounds(state: SessionState) -> None:
    for cube in state.game.cubes if state.game else ():
        if cube.value > MOST_CUBE:
            raise InvalidValue("cube_most", "a cube of {value} is too large", value=cube.value)


def known_refs(table: Chouette) -> frozenset[str]:
    return frozenset(ChouettePlayer.objects.filter(chouette=table).values_list("ref", flat=True))


def _begun_seq(table: Chouette, state: SessionState) -> int | None:
    if state.game is None:
        return None
    return ChouetteGame.objects.values_list("begun_seq", flat=True).get(
        chouette=table, number=state.game.number
    )


def _tie_to_board(table: Chouette, before: SessionState, head: int) -> None:
    """Note the board's position for events of a game that is also recorded there."""
    if before.game is None:
        return
    recorded = ChouetteGame.objects.filter(
        chouette=table, number=before.game.number, match__isnull=False
    ).values_list("match__sheet__head_seq", flat=True)
    board_seq = recorded.first()
    if board_seq is None:
        return
    written = SheetEvent.objects.filter(sheet=table.sheet, seq__gt=head).values_list("pk", flat=True)
    ChouetteMoment.objects.bulk_create(ChouetteMoment(event_id=pk, board_seq=board_seq) for pk in written)


def publish_state(table: Chouette, state: SessionState) -> None:
    """Update status and code.

    A closed table has none, a reopened one gets a new code.
    """
    closed = state.closed
    if closed and table.status == ChouetteStatus.OPEN:
        table.status, table.code, table.closed_at = ChouetteStatus.CLOSED, "", now()
    elif not closed and table.status == ChouetteStatus.CLOSED:
        table.status, table.code, table.closed_at = ChouetteStatus.OPEN, new_code(), None
    table.version += 1
    table.save(update_fields=["status", "code", "closed_at", "version"])
    publish(table.ref, table.version)
