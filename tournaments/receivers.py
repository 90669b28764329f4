"""React to changed results, merged players and erased players."""

from typing import Any

from django.dispatch import receiver
from django.utils.translation import gettext as _

from clubs.accounts.queries import register_export
from clubs.clubs.services.erasures import on_erase
from clubs.clubs.services.titles import on_title
from clubs.http.base import register_gate
from clubs.people.services.merges import on_merge
from clubs.tasks import wake
from scoring.matches.occasions import Occasions, register
from scoring.matches.services.notices import register_push
from scoring.models import Match
from scoring.rules.endings import Ending
from scoring.sheets.services.results import ResultValue
from scoring.signals import ResultRefused, result_changed, score_changed
from tournaments.calcutta.services import return_prices
from tournaments.core.stages.stage import Stage
from tournaments.desk.queries.readable import require_readable
from tournaments.display.services.pushes import push_to, queue_calls
from tournaments.entries.services.erasures import forget_entry_addresses, own_entry_addresses
from tournaments.entries.services.merges import move_entries, put_entries_back
from tournaments.events.moved_events import require_here
from tournaments.events.services.erasures import forget_desk_notes, own_desk_notes
from tournaments.events.services.events import touch
from tournaments.following.services import forget_following, move_followers, own_follows, put_followers_back
from tournaments.models import DeskEvent, PairingRow, PairingState, StageRow
from tournaments.money.services.prizes import remove_outdated_prizes
from tournaments.signals import entry_written, places_changed
from tournaments.stages.queries.occasions import at_events_named, called_to_tables, event_of_open, events_of
from tournaments.stages.services.forbidden import follow_title
from tournaments.stages.services.locks import Hold
from tournaments.stages.services.results import follow_match
from tournaments.stages.services.stages import pairing_of
from tournaments.transfer.services.proofs import readable_by

CALLED = frozenset({"called", "moved"})
"""Entries of the log that send both sides to a table."""

on_merge("tournaments.entries", move_entries, put_entries_back)
on_erase(forget_desk_notes)
on_erase(forget_entry_addresses)
register(Occasions(of=events_of, named=at_events_named, called=called_to_tables))
register_gate(require_here)
register_export("desk_notes", own_desk_notes)
register_export("entry_addresses", own_entry_addresses)
on_merge("tournaments.followers", move_followers, put_followers_back)
on_erase(forget_following)
register_export("follows", own_follows)
on_title(follow_title)
register_push(push_to)
readable_by(require_readable)


@receiver(result_changed, sender=Match, dispatch_uid="draws follow results")
def follow_result(match: Match, after: ResultValue | None, hold: Hold | None, **_signal: Any) -> None:
    """Bring a result into its draw, in the same transaction.

    ``hold`` is set when a desk decided it. Matches from files have no pairing.
    """
    if not match.sheet.profile:
        return
    pairing = hold.pairing if hold else pairing_of(match)
    if pairing is None:
        return
    if pairing.state != PairingState.REPLACED:
        follow_match(match=match, pairing=pairing, result=after, hold=hold)
    elif after is None or after.ended != Ending.VOID:
        raise ResultRefused(_("The draw has changed and no longer has this match."), code="replaced")


@receiver(places_changed, sender=StageRow, dispatch_uid="prizes follow places")
def take_prizes_back(stage: StageRow, before: Stage, after: Stage, **_signal: Any) -> None:
    """Withdraw prizes computed for places that have changed."""
    remove_outdated_prizes(stage, before, after)


@receiver(score_changed, sender=Match, dispatch_uid="draws show how matches stand")
def show_score(match: Match, **_signal: Any) -> None:
    """Update the open draws of a match whose score changed."""
    event = event_of_open(match)
    if event is not None:
        touch(event)


@receiver(entry_written, sender=DeskEvent, dispatch_uid="auctions end with their division")
def end_auctions(entry: DeskEvent, **_signal: Any) -> None:
    """Return the prices of the lots when an event or a division is cancelled."""
    if entry.kind in {"cancelled", "flight_called_off"}:
        return_prices(event=entry.event, flight=entry.body.get("flight", ""), user=entry.user)


CALLED_OFF = frozenset({"draw_taken_back", "round_withdrawn"})
"""Kinds of entries that end calls; they name them."""


@receiver(entry_written, sender=DeskEvent, dispatch_uid="calls reach browsers")
def push_call(entry: DeskEvent, **_signal: Any) -> None:
    """Push a logged call to the called players, once committed.

    Moves to another table are pushed too, also when a move is undone, and cancelled calls when the call or
    its draw is undone or its round is withdrawn. The log is written before the pairing row: the worker reads
    it when sending.
    """
    kind, body = entry.kind, entry.body
    undone = body["what"] if kind == "undone" else ""
    if not (kind in CALLED or kind in CALLED_OFF or undone in CALLED):
        return
    refs = body["called"] if kind in CALLED_OFF else [body.get("pairing", "")]
    lapsed = kind in CALLED_OFF or undone == "called"
    for row in PairingRow.objects.filter(ref__in=refs).order_by("pk"):
        for call in queue_calls(pairing=row, at=entry.at, lapsed=lapsed):
            wake(call)
