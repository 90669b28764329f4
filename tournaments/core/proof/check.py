"""Verify a draw from its archive: redraw it, replay it, judge each pairing.

The rules that are judged are named in docs/engineers/formats.md; the tests plant each fault in
docs/reference/tournaments.md, "Faults a draw must not have".
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from scoring.rules.errors import InvalidValue
from tournaments.core.brackets.formats import Elimination
from tournaments.core.formats.table import FORMATS, reads
from tournaments.core.play.acts import (
    draw_random,
    forbidden_at_first,
    locked_by,
    may_withdraw_round,
    require_nothing_played_on,
    winners_of,
)
from tournaments.core.play.sections import PlayedSections, played_sections
from tournaments.core.proof.archive import Archive, drawn_stage, from_body, json_object, match_claims
from tournaments.core.proof.event_archive import EventArchive, event_from_body, feeding_faults
from tournaments.core.proof.tie_check import tie_faults
from tournaments.core.stages.errors import DrawError
from tournaments.core.stages.format import Fault, Format
from tournaments.core.stages.outcomes import NO_OUTCOME
from tournaments.core.stages.pairings import Pairing
from tournaments.core.stages.stage import (
    Closed,
    Entered,
    Entry,
    LotSealed,
    Paired,
    Replaced,
    Reported,
    Returned,
    RoundWithdrawn,
    Stage,
    TieSettled,
    seed_hash,
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The findings of a check, and the sections of each stage that was replayed, by its name in an event."""

    findings: tuple[Fault, ...]
    sections: Mapping[str, PlayedSections] = field(default_factory=dict)

    @property
    def faults(self) -> tuple[Fault, ...]:
        return tuple(f for f in self.findings if f.severity == "fault")

    @property
    def warnings(self) -> tuple[Fault, ...]:
        return tuple(f for f in self.findings if f.severity == "warning")

    @property
    def accepted(self) -> bool:
        return not self.faults


def check_text(text: str) -> Verdict:
    """Check an archive of a stage or an event as JSON text.

    An unreadable one has exactly one fault, which says why.
    """
    try:
        body = json_object(text)
        if "stages" in body:
            return check_event(event_from_body(body))
        return check(from_body(body))
    except (DrawError, InvalidValue) as error:
        return Verdict((Fault(error.code, str(error)),))


def check_event(event: EventArchive) -> Verdict:
    """Check every stage of an event and the feeding between them."""
    verdicts = {name: check(archive) for name, archive in event.stages.items()}
    findings = [
        replace(finding, message=f"{name}: {finding.message}")
        for name, verdict in verdicts.items()
        for finding in verdict.findings
    ]
    if all(finding.severity == "warning" for finding in findings):
        findings.extend(feeding_faults(event))
    sections = {name: found for name, verdict in verdicts.items() for found in verdict.sections.values()}
    return Verdict(tuple(findings), sections)


def check(archive: Archive) -> Verdict:
    """Check an archive."""
    sections: dict[str, PlayedSections] = {}
    return Verdict(tuple(_findings(archive, sections)), sections)


def _findings(archive: Archive, sections: dict[str, PlayedSections]) -> Iterator[Fault]:
    """All findings; ``sections`` gets those of the replayed stage, with the empty name."""
    chosen = FORMATS[archive.format]
    yield from _draw_faults(archive, chosen)
    stage = drawn_stage(archive)
    try:
        yield from chosen.judge_draw(stage)
        if (refused := forbidden_at_first(stage)) is not None:
            yield Fault(refused.code, str(refused))
        for index, entry in enumerate(archive.log):
            yield from _entry_faults(chosen, stage, entry, f"log[{index}]")
            stage = stage.after(entry)
        yield from _places_once(chosen, stage)
        yield from _claim_faults(archive, chosen, stage)
        sections[""] = found = played_sections(stage)
        yield from _prize_faults(stage, found)
    except DrawError as error:
        yield Fault(error.code, str(error))


def _draw_faults(archive: Archive, chosen: Format) -> Iterator[Fault]:
    if archive.seed_hash != seed_hash(archive.seed):
        yield Fault("seed_hash", "the seed does not match the hash shown before the draw")
    if not reads(chosen, archive.version):
        message = f"drawn by version {archive.version} of {archive.format}; this is version {chosen.version}"
        yield Fault("version", message)
        return
    try:
        order = chosen.draw(archive.field, archive.options, draw_random(archive.seed))
    except DrawError as error:
        yield Fault(error.code, str(error))
        return
    if order != archive.order:
        yield Fault("draw", "drawing again from the stored seed gives another order")


def _report_faults(before: Stage, report: Reported, where: str) -> Iterator[Fault]:
    number, outcome = report.pairing, report.outcome
    if outcome is not None and outcome.ended in NO_OUTCOME:
        yield Fault("no_outcome", f"{where}: a match that ended {outcome.ended} has no outcome")
    locked = () if report.decided else locked_by(before, number, outcome)
    if locked:
        message = f"{where}: the winner of pairing {number} was changed after {list(locked)} depended on it"
        yield Fault("locked", message)


def _entry_faults(chosen: Format, before: Stage, entry: Entry, where: str) -> Iterator[Fault]:
    match entry:
        case Paired(pairings, by_hand):
            yield from (
                Fault(f.code, f"{where}: {f.message}", f.severity) for f in chosen.judge(before, entry)
            )
            due = chosen.due(before)
            if not by_hand and _who(pairings) != _who(due):
                yield Fault(
                    "not_reproducible", f"{where}: pairing again from the same results gives other pairings"
                )
        case Reported():
            yield from _report_faults(before, entry, where)
        case Entered() | Returned() | Replaced() | RoundWithdrawn():
            yield from _change_faults(chosen, before, entry, where)
        case LotSealed() | TieSettled():
            yield from (Fault(f.code, f"{where}: {f.message}", f.severity) for f in tie_faults(before, entry))
        case Closed(winners):
            yield from _closing_faults(chosen, before, winners, where)
        case _:
            pass


def _change_faults(
    chosen: Format, before: Stage, entry: Entered | Returned | Replaced | RoundWithdrawn, where: str
) -> Iterator[Fault]:
    """Report a change of who plays, or of a round, that was not possible then."""
    match entry:
        case Entered(entrant, order):
            if order != chosen.admit(before, entrant):
                yield Fault("late_entry", f"{where}: late entrant {entrant.ref} did not get the right place")
        case Returned(entrant, taken_back):
            if taken_back:
                require_nothing_played_on(before, entrant)
            else:
                chosen.require_return(before, entrant)
        case Replaced(number):
            if before.begun(number):
                yield Fault("already_played", f"{where}: entrant {number} was replaced after having played")
        case RoundWithdrawn(number):
            if number != before.rounds or not may_withdraw_round(before):
                yield Fault("not_withdrawable", f"{where}: round {number} was withdrawn after it had begun")


def _closing_faults(chosen: Format, before: Stage, winners: tuple[int, ...], where: str) -> Iterator[Fault]:
    if not chosen.finished(before):
        yield Fault("not_finished", f"{where}: a winner was declared before the last match ended")
    elif winners != winners_of(before):
        message = f"{where}: {list(winners)} were declared winners, {list(winners_of(before))} won"
        yield Fault("winner", message)


def _who(pairings: tuple[Pairing, ...]) -> list[tuple[int, int, int, int]]:
    return [(p.number, p.round, p.a, p.b) for p in pairings]


def _places_once(chosen: Format, stage: Stage) -> Iterator[Fault]:
    placed = Counter(p.entrant for p in chosen.places(stage))
    for number in range(1, len(stage.field) + 1):
        if placed[number] != 1:
            yield Fault("placed", f"entrant {number} is placed {placed[number]} times")


def _prize_faults(stage: Stage, found: PlayedSections) -> Iterator[Fault]:
    """Report prizes of a finished stage without a win; a warning for a table that no win decided."""
    if not stage.closed:
        return
    if found.prizes_without_a_win:
        message = f"a share of {found.prizes_without_a_win} of the paid won no match"
        yield Fault("prize_without_a_win", message)
    for table in found.without_a_winner:
        message = f"{table}: no match of it was won over the board, so its prize goes to the main table"
        yield Fault("no_winner", message, "warning")


def _claim_faults(archive: Archive, chosen: Format, stage: Stage) -> Iterator[Fault]:
    if not isinstance(chosen, Elimination):
        if archive.bracket:
            yield Fault("bracket", f"{archive.format} has no bracket, but the archive states one")
        return
    claimed = {claim.match: claim for claim in archive.bracket}
    for true in match_claims(chosen, stage):
        said = claimed.get(true.match)
        if said is not None and said != true:
            message = f"match {true.match} is stated as {said.slots} {said.holds} {said.status}"
            yield Fault("bracket", f"{message}; it is {true.slots} {true.holds} {true.status}")
