"""Check a seating on its own."""

from collections import Counter
from collections.abc import Iterator, Sequence

from tournaments.core.stages.entrants import Field
from tournaments.core.stages.format import Fault
from tournaments.core.stages.protection import clashes, kept_apart
from tournaments.core.stages.seeding import SeatingOptions


def seating_faults(field: Field, seating: Sequence[int], options: SeatingOptions) -> Iterator[Fault]:
    """Faults of a seating.

    It has everyone once, no match with two byes, byes to whom they are due, seeds in different parts,
    protection kept. Protection that is not kept is a warning: a club can be too large to be kept apart.
    """
    seated = Counter(n for n in seating if n)
    for number in range(1, len(field) + 1):
        if seated[number] != 1:
            yield Fault("seated", f"entrant {number} is seated {seated[number]} times")
    for number in seated.keys() - set(range(1, len(field) + 1)):
        yield Fault("seated", f"{number} is seated but not in the field")
    empty = [i // 2 + 1 for i in range(0, len(seating), 2) if not seating[i] and not seating[i + 1]]
    for match in empty:
        yield Fault("two_byes", f"match {match} has two byes while others must play")
    if sum(seated.values()) == len(field) == len(seated) and not empty:
        yield from _seeds_apart(field, seating, options)
        yield from _byes_due(field, seating, options)
        early = clashes(seating, kept_apart(field, options.protect, options.protect_rounds))
        if not early and clashes(seating, options.kept_apart(field)):
            message = "a family of forbidden pairs is not in as many parts of the bracket as it has entrants"
            yield Fault("family", message, "warning")
        if early:
            yield Fault("protection", "protected entrants can meet in the protected rounds", "warning")


def _ranked(field: Field, options: SeatingOptions) -> list[tuple[tuple[float, float], int]]:
    """(strength, number), best first, of those whose rank the draw must respect."""
    if options.seeding == "lot":
        return []
    ranked = [
        ((float(n), 0.0) if options.seeding == "hand" else each.strength, n)
        for n, each in enumerate(field, 1)
    ]
    ranked.sort()
    return ranked[: options.seeds]


def _seeds_apart(field: Field, seating: Sequence[int], options: SeatingOptions) -> Iterator[Fault]:
    """The best 2, 4, 8, ... seeds that do not sit in different halves, quarters, eighths, ...

    Only where ratings tell them apart.
    """
    ranked = _ranked(field, options)
    chosen = {n for n, e in enumerate(field, 1) if e.ref in options.chosen_byes}
    part = 2
    while part <= len(ranked) and part <= len(seating) // 2:
        clear = part == len(ranked) or ranked[part - 1][0] < ranked[part][0]
        best = [n for _, n in ranked[:part]]
        if clear and not chosen and len({seating.index(n) * part // len(seating) for n in best}) < part:
            yield Fault("seeds", f"the top {part} seeds are not in {part} different parts of the bracket")
        part *= 2


def _byes_due(field: Field, seating: Sequence[int], options: SeatingOptions) -> Iterator[Fault]:
    resting = {seating[i ^ 1] for i, n in enumerate(seating) if n == 0}
    refs = {field[n - 1].ref for n in resting}
    if options.byes == "chosen":
        for ref in options.chosen_byes:
            if ref not in refs:
                yield Fault("byes", f"{ref} should have a bye and has none")
        return
    ranked = _ranked(field, options)
    if options.byes != "seed" or not ranked or not resting:
        return
    strength = {n: value for value, n in ranked}
    last = (float("inf"), float("inf"))
    worst = max(strength.get(n, last) for n in resting)
    missed = [n for n in strength if n not in resting and strength[n] < worst]
    tier_of_last = (len(resting) - 1).bit_length()
    order = {n: index for index, (_, n) in enumerate(ranked)}
    # Protection may move a bye inside a tier; a better tier never goes without.
    if any(order[n].bit_length() < tier_of_last for n in missed):
        yield Fault("byes", f"entrants {sorted(missed)} are seeded above an entrant with a bye")
