"""Actions on a stage: each returns the next stage or refuses.

Each function returns the stage after it, or refuses and changes nothing.
"""

from collections.abc import Collection, Iterable
from random import Random
from typing import Any

from scoring.rules.endings import Ending
from tournaments.core.brackets.formats import Elimination
from tournaments.core.brackets.resolve import require_ready
from tournaments.core.formats.table import format_of
from tournaments.core.ladders.ladder import Ladder
from tournaments.core.rounds.format import RoundsFormat
from tournaments.core.stages.bans import bans_of, forbidden_in
from tournaments.core.stages.entrants import Entrant, Field, check_field
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.outcomes import NO_OUTCOME, Gone, Outcome
from tournaments.core.stages.pairings import Pairing, Reason
from tournaments.core.stages.stage import (
    Closed,
    Entered,
    Entry,
    KeptApart,
    Left,
    Paired,
    Replaced,
    Reported,
    Returned,
    RoundMissed,
    RoundWithdrawn,
    Stage,
)


def open_stage(key: str, field: Field, options: Any, *, seed: str) -> Stage:
    """Draw a new stage from a seed that was stored before.

    Raises:
        DrawRefused: ``unknown_format``, ``wrong_options`` or whatever the format refuses.
    """
    chosen = format_of(key)
    if not isinstance(options, chosen.options):
        raise DrawRefused(
            "wrong_options",
            f"{key} takes {chosen.options.__name__}, not {type(options).__name__}",
            format=key,
        )
    order = chosen.draw(field, options, draw_random(seed))
    return Stage(key, chosen.version, options, seed, tuple(field), order)


def draw_random(seed: str) -> Random:
    """The random stream of the draw itself."""
    return Random(f"{seed}/draw")  # noqa: S311 - a reproducible draw, not a secret


def forbidden_at_first(drawn: Stage) -> DrawRefused | None:
    """Why a stage that has just been drawn cannot be played: a forbidden pair meets in its first pairings.

    Those are all pairings of a round robin. Where everyone would only rest, each two are forbidden. None if
    it can be played.
    """
    chosen = format_of(drawn.format)
    first = chosen.proposed(drawn) if isinstance(chosen, RoundsFormat) else chosen.due(drawn)
    if first and all(pairing.is_bye for pairing in first):
        a, b = drawn.order[:2]
        first = (Pairing(1, 1, a, b),)
    return forbidden_in(drawn.field, first)


def forbidden_next(stage: Stage) -> DrawRefused | None:
    """Why the round that is due cannot be paired without a forbidden pair; None if it can, or none is due."""
    chosen = format_of(stage.format)
    return forbidden_in(stage.field, chosen.proposed(stage)) if isinstance(chosen, RoundsFormat) else None


def keep_apart(stage: Stage, label: str, entrants: Iterable[int], *, never: bool) -> Stage:
    """Give exactly these entrants a label of forbidden pairs; the same stage if nothing changes.

    Raises:
        DrawRefused: ``unknown_entrant``.
    """
    after = stage.after(KeptApart(label, tuple(sorted(entrants)), never))
    return stage if after.field == stage.field else after


def publish(stage: Stage) -> Stage:
    """Publish the pairings that are due; the same stage when none are."""
    due = format_of(stage.format).due(stage)
    return stage.after(Paired(due)) if due else stage


def publish_by_hand(stage: Stage, pairs: Iterable[tuple[int, int]]) -> Stage:
    """Publish a round that the director paired; (entrant, ``BYE``) is a bye.

    Raises:
        DrawRefused: ``pairings_open`` while a round is being played, ``already_left``, ``unknown_entrant``,
            ``absent``, ``paired_twice``, ``self_pairing`` or ``forbidden_by_hand``.
    """
    if stage.open_pairings():
        raise DrawRefused("pairings_open", f"{len(stage.open_pairings())} pairings are still in progress")
    number, round_number = stage.next_number, stage.rounds + 1
    bans = bans_of(stage.field)
    pairings: list[Pairing] = []
    for a, b in pairs:
        if a == b:
            raise DrawRefused("self_pairing", f"entrant {a} cannot play entrant {a}", entrant=a)
        if bans.forbids(a, b):
            raise DrawRefused(
                "forbidden_by_hand", f"entrants {a} and {b} must never meet", entrant=a, opponent=b
            )
        for n in (a, b):
            if n in stage.gone:
                raise DrawRefused("already_left", f"entrant {n} has withdrawn", entrant=n, round=round_number)
            if n in stage.absent:
                raise DrawRefused(
                    "absent",
                    f"entrant {n} is absent from round {round_number}",
                    entrant=n,
                    round=round_number,
                )
        pairings.append(Pairing(number + len(pairings), round_number, a, b, (Reason("by_hand"),)))
    return stage.after(Paired(tuple(pairings), by_hand=True))


def may_withdraw_round(stage: Stage) -> bool:
    """Whether the last round can be withdrawn: a later one than the first, with no result and no decision.

    The first round comes with the draw. Absences from the round after it must be undone before.
    """
    if stage.last is None or stage.rounds < 2 or stage.closed or stage.absent:
        return False
    if not isinstance(format_of(stage.format), RoundsFormat):
        return False
    return not stage.settled and not stage.sealed and stage.outcomes.keys().isdisjoint(stage.last.pairings)


def withdraw_round(stage: Stage) -> Stage:
    """Withdraw the last round, as if it had not been published.

    Raises:
        DrawRefused: ``not_withdrawable`` unless ``may_withdraw_round``.
    """
    if not may_withdraw_round(stage):
        message = f"round {stage.rounds} cannot be withdrawn"
        raise DrawRefused("not_withdrawable", message, round=stage.rounds)
    return stage.after(RoundWithdrawn(stage.rounds))


def challenge(stage: Stage, challenger: int, challenged: int) -> Stage:
    """Turn a ladder challenge into a pairing.

    Raises:
        DrawRefused: ``not_a_ladder``, or what ``ladder.Ladder.challenge`` refuses.
    """
    chosen = format_of(stage.format)
    if not isinstance(chosen, Ladder):
        raise DrawRefused("not_a_ladder", f"{stage.format} has no challenges", format=stage.format)
    return stage.after(Paired((chosen.challenge(stage, challenger, challenged),), by_hand=True))


def report(stage: Stage, pairing: int, outcome: Outcome | None, *, decided: bool = False) -> Stage:
    """Report, correct or (``None``) undo an outcome.

    A correction that changes who won is refused while later pairings depend on it, unless the director, who
    has been shown the consequences, has ``decided``.

    Raises:
        DrawRefused: ``locked``, ``no_such_pairing``, ``wrong_entrants``, ``not_ready``, ``no_outcome`` for a
            match that never counted, or ``already_left`` when an outcome is taken back whose pairing could
            not be played again.
    """
    if outcome is not None and outcome.ended in NO_OUTCOME:
        raise DrawRefused("no_outcome", f"a match that ended {outcome.ended} has no outcome")
    meeting = stage.pairings.get(pairing)
    if outcome is None and meeting is not None:
        for n in (meeting.a, meeting.b):
            if n in stage.gone:
                raise DrawRefused(
                    "already_left",
                    f"entrant {n} has withdrawn: correct the result instead of undoing it",
                    entrant=n,
                    pairing=pairing,
                )
    chosen = format_of(stage.format)
    if outcome is not None and isinstance(chosen, Elimination):
        require_ready(chosen.resolution(stage), pairing, outcome)
    locked = () if decided else locked_by(stage, pairing, outcome)
    if locked:
        raise DrawRefused(
            "locked",
            f"pairing {pairing} cannot change its winner: pairings {', '.join(map(str, locked))} "
            "depend on it",
            pairing=pairing,
            locked=locked,
        )
    return stage.after(Reported(pairing, outcome, decided=decided))


def locked_by(stage: Stage, pairing: int, outcome: Outcome | None) -> tuple[int, ...]:
    """The pairings that forbid this report; empty for a first report and for one that keeps the winner."""
    before = stage.outcomes.get(pairing)
    if before is None:
        return ()
    if outcome is not None and outcome.advances == before.advances:
        return ()
    return format_of(stage.format).locked(stage, pairing)


def leave(stage: Stage, entrant: int, how: Gone = Gone.WITHDRAWN) -> Stage:
    """Withdraw or disqualify an entrant: their open pairings become walkovers.

    Raises:
        DrawRefused: ``unknown_entrant`` or ``already_left``.
    """
    entries: list[Entry] = [Left(entrant, how)]
    ended = Ending.DISQUALIFIED if how is Gone.DISQUALIFIED else Ending.NO_SHOW
    entries.extend(
        Reported(pairing.number, Outcome(pairing.other(entrant), entrant, ended))
        for pairing in stage.open_pairings()
        if entrant in (pairing.a, pairing.b)
    )
    return stage.after(*entries)


def come_back(stage: Stage, entrant: int) -> Stage:
    """Bring a withdrawn entrant back from the next round on.

    Raises:
        DrawRefused: ``not_away``, ``disqualified``, or ``place_taken`` when others played on the walkover.
    """
    format_of(stage.format).require_return(stage, entrant)
    return stage.after(Returned(entrant))


def miss_round(stage: Stage, entrant: int) -> Stage:
    """Leave an entrant out of the next round; the same stage if it is known.

    Raises:
        DrawRefused: ``no_absences`` for another format, ``unknown_entrant``, ``already_left``,
            ``no_next_round`` after the last one, or ``too_few_attend`` when fewer than two would be left.
    """
    chosen = format_of(stage.format)
    if not isinstance(chosen, RoundsFormat) or not chosen.absences:
        raise DrawRefused("no_absences", f"{stage.format} has no absences", format=stage.format)
    after = stage.after(RoundMissed(entrant))
    if after.absent == stage.absent:
        return stage
    if entrant in stage.gone:
        raise DrawRefused("already_left", f"entrant {entrant} has withdrawn", entrant=entrant)
    if stage.closed or stage.rounds >= chosen.rounds_planned(stage):
        raise DrawRefused("no_next_round", f"there is no round after {stage.rounds}", rounds=stage.rounds)
    if len(after.attending) < chosen.minimum:
        raise DrawRefused(
            "too_few_attend",
            f"without entrant {entrant} fewer than {chosen.minimum} play round {stage.rounds + 1}",
            entrant=entrant,
            minimum=chosen.minimum,
            round=stage.rounds + 1,
        )
    return after


def too_few_attend(stage: Stage) -> bool:
    """Whether the next round waits because absences leave fewer than two for it."""
    if not stage.absent or len(stage.attending) > 1:
        return False
    return not format_of(stage.format).finished(stage)


def join_round(stage: Stage, entrant: int) -> Stage:
    """Have an entrant play the next round after all; the same stage if they were to play it."""
    return stage.after(RoundMissed(entrant, taken_back=True)) if entrant in stage.absent else stage


def take_back_leaving(
    stage: Stage,
    entrant: int,
    *,
    lost: Iterable[int] = (),
    was: Gone | None = None,
    started: Collection[int] = (),
) -> Stage:
    """Undo a departure: the pairings ``lost`` by it are open again.

    ``was`` is the kind of an earlier departure (who had withdrawn is disqualified later); ``started`` are
    pairings in play without an outcome.

    Raises:
        DrawRefused: ``not_away``, or ``place_taken`` when others were paired or have played on the departure.
    """
    require_nothing_played_on(stage, entrant)
    entries: list[Entry] = [Returned(entrant, taken_back=True)]
    entries.extend(Reported(number, None, decided=True) for number in lost if number in stage.outcomes)
    if was is not None:
        entries.append(Left(entrant, was))
    after = stage.after(*entries)
    chosen = format_of(stage.format)
    if isinstance(chosen, Elimination):
        old, new = chosen.resolution(stage), chosen.resolution(after)
        others = [n for n in started if (old.a[n], old.b[n]) != (new.a[n], new.b[n])]
        for match in (*others, *(n for n in new.stale if n not in old.stale)):
            raise _played_on(entrant, match)
    return after


def require_nothing_played_on(stage: Stage, entrant: int) -> None:
    """Refuse to undo a departure on which others have been paired.

    Raises:
        DrawRefused: ``not_away`` or ``place_taken``.
    """
    if entrant not in stage.gone:
        raise DrawRefused("not_away", f"entrant {entrant} has not withdrawn", entrant=entrant)
    chosen = format_of(stage.format)
    if isinstance(chosen, Elimination):
        chosen.require_return(stage, entrant)
        return
    left = max(n for n, entry in enumerate(stage.log) if isinstance(entry, Left) and entry.entrant == entrant)
    for entry in stage.log[left:]:
        if isinstance(entry, Paired):
            raise _played_on(entrant, entry.pairings[0].number)


def _played_on(entrant: int, match: int) -> DrawRefused:
    return DrawRefused(
        "place_taken",
        f"that entrant {entrant} left cannot be taken back: match {match} was paired or played on it",
        entrant=entrant,
        match=match,
    )


def enter_late(stage: Stage, entrant: Entrant) -> Stage:
    """Add a late entrant where the format still has a place.

    Raises:
        DrawRefused: ``entrant_twice``, ``player_twice`` or what the format refuses.
    """
    if any(entrant.ref == known.ref for known in stage.field):
        raise DrawRefused("entrant_twice", f"entrant {entrant.ref} is in the field twice", ref=entrant.ref)
    playing = [stage.field[n - 1] for n in stage.present]
    check_field((*playing, entrant), minimum=0)
    return stage.after(Entered(entrant, format_of(stage.format).admit(stage, entrant)))


def replace_entrant(stage: Stage, number: int, entrant: Entrant) -> Stage:
    """Substitute an entrant who has not started a match.

    Raises:
        DrawRefused: ``already_played``, ``entrant_twice``, ``player_twice`` or ``unknown_entrant``.
    """
    if stage.begun(number):
        raise DrawRefused(
            "already_played", f"entrant {number} has already played and can only withdraw", entrant=number
        )
    others = tuple(e for n, e in enumerate(stage.field, 1) if n != number)
    check_field((*others, entrant), minimum=0)
    return stage.after(Replaced(number, entrant))


def close(stage: Stage) -> Stage:
    """Declare the stage finished.

    Raises:
        DrawRefused: ``not_finished`` while anything is left to play, a reset final included.
    """
    chosen = format_of(stage.format)
    if not chosen.finished(stage):
        raise DrawRefused("not_finished", "no winner can be declared before the last match is over")
    return stage.after(Closed(winners_of(stage)))


def winners_of(stage: Stage) -> tuple[int, ...]:
    """All entrants in first place."""
    return tuple(sorted(p.entrant for p in format_of(stage.format).places(stage) if p.first == 1))
