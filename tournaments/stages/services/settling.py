"""Settle ties: a further tie-break, a lot drawn in public, a playoff; and undo it.

A decision is an entry of the stage's log, so that the audit file proves it. The seed of a lot is secret
between its announcement, which shows the hash, and the lot.
"""

from collections.abc import Callable, Sequence
from secrets import token_hex
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs.models import User
from scoring.models import Sheet
from scoring.rules.match import LONGEST_MATCH
from tournaments.core.play import ties
from tournaments.core.play.ties import Tied
from tournaments.core.stages.stage import Stage, seed_hash
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note
from tournaments.models import Event, EventStatus, PairingState, StageRow
from tournaments.signals import places_changed
from tournaments.stages.queries.stage_table import table_options
from tournaments.stages.services.feeds import drawn_from, overtaken_by
from tournaments.stages.services.locks import lock_with_sheets
from tournaments.stages.services.refusals import in_names
from tournaments.stages.services.results import close_if_over
from tournaments.stages.services.stages import begun_in, load, write

Act = Callable[[StageRow, Stage, Tied], Stage]

DECISIONS = ("tie_break", "announce_lot", "lot", "playoff", "undo")


def settle_tie(
    *,
    stage: StageRow,
    decision: str,
    entrants: Sequence[str],
    user: User | None,
    key: str = "",
    length: int | None = None,
    seen: int | None = None,
) -> StageRow:
    """Settle a tie of these entrants (refs) by one of ``DECISIONS``, or undo the last of them.

    ``key`` is the tie-break of "tie_break", ``length`` the match length of a "playoff". Raises as the
    functions below.
    """
    match decision:
        case "tie_break":
            return _apply_tie_break(stage=stage, entrants=entrants, key=key, user=user, seen=seen)
        case "announce_lot":
            return _announce_lot(stage=stage, entrants=entrants, user=user, seen=seen)
        case "lot":
            return _draw_lot(stage=stage, entrants=entrants, user=user, seen=seen)
        case "playoff":
            return _make_playoff(stage=stage, entrants=entrants, length=length, user=user, seen=seen)
        case "undo":
            return _undo_tie(stage=stage, entrants=entrants, user=user, seen=seen)
    raise ValueError(f"there is no decision {decision!r}")


def _apply_tie_break(
    *, stage: StageRow, entrants: Sequence[str], key: str, user: User | None, seen: int | None = None
) -> StageRow:
    """Apply a further tie-break to a tie of these entrants (refs).

    Raises DrawRefused for one that is not offered or separates none of them, and as ``_settle``.
    """

    def act(stage: StageRow, value: Stage, tied: Tied) -> Stage:
        return ties.settle_by_tie_break(value, table_options(stage), tied, key)

    return _settle(stage, entrants, act, user, seen, "tie_settled", how="tie_break", tie_break=key)


def _announce_lot(
    *, stage: StageRow, entrants: Sequence[str], user: User | None, seen: int | None = None
) -> StageRow:
    """Announce a lot among tied entrants (refs): its seed is sealed now, and its hash is public.

    Raises DrawRefused if one is announced already, and as ``_settle``.
    """
    seed = token_hex(16)

    def act(stage: StageRow, value: Stage, tied: Tied) -> Stage:
        stage.lot_seeds = {**stage.lot_seeds, seed_hash(seed): seed}
        return ties.seal_lot(value, table_options(stage), tied, seed_hash(seed))

    return _settle(stage, entrants, act, user, seen, "lot_announced", hash=seed_hash(seed))


def _draw_lot(
    *, stage: StageRow, entrants: Sequence[str], user: User | None, seen: int | None = None
) -> StageRow:
    """Draw the announced lot among tied entrants (refs), which reveals its seed.

    Raises DrawRefused without an announcement, and as ``_settle``.
    """

    def act(stage: StageRow, value: Stage, tied: Tied) -> Stage:
        sealed = ties.sealed_for(value, tied)
        seed = stage.lot_seeds.get(sealed.seed_hash, "") if sealed else ""
        if sealed and not seed:
            raise DeskRefused(
                _("The seed of this lot stayed on another computer. Undo the lot and announce a new one."),
                code="lot_elsewhere",
            )
        stage.lot_seeds = {hash_: kept for hash_, kept in stage.lot_seeds.items() if kept != seed}
        return ties.draw_sealed_lot(value, table_options(stage), tied, seed)

    return _settle(stage, entrants, act, user, seen, "tie_settled", how="lot")


def _make_playoff(
    *,
    stage: StageRow,
    entrants: Sequence[str],
    user: User | None,
    length: int | None = None,
    seen: int | None = None,
) -> StageRow:
    """Publish a playoff among tied entrants (refs); ``length`` in points, None for that of the stage.

    Raises DeskRefused for an impossible length, and as ``_settle``.
    """
    if length is not None and not 1 <= length <= LONGEST_MATCH:
        raise DeskRefused(
            _("A match to %(length)s points is not possible. Choose 1 to %(most)s.")
            % {"length": length, "most": LONGEST_MATCH},
            code="length",
        )

    def act(stage: StageRow, value: Stage, tied: Tied) -> Stage:
        return ties.make_playoff(value, table_options(stage), tied, length or stage.length)

    return _settle(stage, entrants, act, user, seen, "tie_settled", how="playoff")


def _undo_tie(
    *, stage: StageRow, entrants: Sequence[str], user: User | None, seen: int | None = None
) -> StageRow:
    """Undo the last decision on a tie of these entrants (refs), or the lot announced among them.

    Raises DrawRefused once the playoff has begun, and as ``_settle``.
    """

    def act(stage: StageRow, value: Stage, tied: Tied) -> Stage:
        return ties.reopen_tie(value, tied, begun=begun_in(stage))

    return _settle(stage, entrants, act, user, seen, "tie_reopened")


def _settle(
    stage: StageRow,
    entrants: Sequence[str],
    act: Act,
    user: User | None,
    seen: int | None,
    kind: str,
    **body: Any,
) -> StageRow:
    """Append a decision to the stage's log, pass on who goes on by it, and note it.

    Raises DrawRefused while matches are open and for entrants who are not level; DeskRefused for unknown
    entrants, after the draw of a stage that depends on it and after the event was cancelled; StaleRefused
    when the stage's log is not at ``seen``.
    """
    with transaction.atomic():
        stage = lock_with_sheets(stage, lambda: _playoff_sheets(stage), seen=seen)
        event = stage.flight.event
        # Read again: cancelling the event locks this stage as well.
        if Event.objects.filter(pk=event.pk, status=EventStatus.CANCELLED).exists():
            raise DeskRefused(_("This event is cancelled."), code="event_over")
        if stage.drawn_at is None:
            raise DeskRefused(_("%(stage)s has not been drawn.") % {"stage": stage.name}, code="planned")
        before = load(stage)
        numbers = {each.ref: n for n, each in enumerate(before.field, 1)}
        if unknown := next((ref for ref in entrants if ref not in numbers), None):
            raise DeskRefused(_("There is no entrant %(ref)s here.") % {"ref": unknown}, code="no_entrant")
        tied = tuple(sorted({numbers[ref] for ref in entrants}))
        kept = stage.lot_seeds
        with in_names(stage):
            after = act(stage, before, tied)
        # A field stands on the decision, also where the order without it is the same.
        undone = kind == "tie_reopened" and after.settled != before.settled
        drawn = drawn_from(stage) if undone else overtaken_by(stage, after)
        if drawn:
            raise DeskRefused(
                _("%(stages)s is drawn on this ranking. Undo that draw first.")
                % {"stages": ", ".join(each.name for each in drawn)},
                code="overtaken",
            )
        if stage.lot_seeds != kept:
            stage.save(update_fields=["lot_seeds"])
        after = write(stage=stage, before=before, after=after, user=user, noted=True)
        places_changed.send(sender=StageRow, stage=stage, before=before, after=after)
        close_if_over(stage, after)
        refs = [before.field[n - 1].ref for n in tied]
        note(event=event, kind=kind, user=user, stage=stage.ref, tied=refs, **body)
    return stage


def _playoff_sheets(stage: StageRow) -> QuerySet[Sheet]:
    """The sheets of open matches: those of a playoff that is undone are voided."""
    return Sheet.objects.filter(
        match__board__pairing__stage=stage.pk, match__board__pairing__state=PairingState.OPEN
    )
