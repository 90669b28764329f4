"""Verify how ties were settled: lots against the hash shown before, playoffs against who was level."""

from collections.abc import Iterator

from tournaments.core.formats.table import format_of
from tournaments.core.play.ties import SETTLED, playoff_pairings, sealed_for
from tournaments.core.stages.format import Fault
from tournaments.core.stages.results import stage_results
from tournaments.core.stages.stage import LotSealed, Stage, TieSettled, seed_hash


def tie_faults(before: Stage, entry: LotSealed | TieSettled) -> Iterator[Fault]:
    """Faults of a lot announced or a tie settled after ``before``."""
    tied = list(entry.tied)
    if before.format not in SETTLED or not set(tied) <= set(before.present) or len(set(tied)) < 2:
        yield Fault("not_tied", f"{tied} cannot be level in this stage")
        return
    if not format_of(before.format).finished(before):
        yield Fault("tie_in_play", f"a tie of {tied} was settled before the last match ended")
    results = stage_results(before)
    if len({results.score(n) for n in tied}) > 1:
        yield Fault("not_tied", f"{tied} do not have the same score")
    if isinstance(entry, LotSealed):
        return
    if entry.how == "lot":
        sealed = sealed_for(before, entry.tied)
        if sealed is None:
            yield Fault("lot_not_sealed", f"a lot among {tied} was drawn that was not announced")
        elif sealed.seed_hash != seed_hash(entry.seed):
            yield Fault("lot_seed", f"the seed of the lot among {tied} does not match the hash shown before")
    if entry.how == "playoff":
        length = next((p.length for p in entry.pairings), None)
        wanted = playoff_pairings(before, entry.tied, length)
        if [(p.number, p.a, p.b) for p in entry.pairings] != [(p.number, p.a, p.b) for p in wanted]:
            yield Fault("playoff", f"the playoff of {tied} does not pair each two of them once")
