"""Entrants: a player, doubles pair or team, known only by refs.

An entrant's *number* is its place in the field, from 1; brackets, pairings and outcomes speak of numbers. A
late entrant takes the next free number, so numbers never change their owner once something has been played.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.core.stages.errors import DrawRefused


@dataclass(frozen=True, slots=True)
class Entrant:
    """One side of a draw.

    ``members`` are the refs of the players behind the entrant: one in singles, two in doubles, more in a
    team; empty means that the entrant is one player with the entrant's own ref. ``rating`` orders seeds,
    higher first. ``club``, ``country`` and ``met`` (refs of recent opponents) feed protection, see
    ``seeding``. ``seed`` is the director's, from 1: it comes before every rating. Entrants with a label in
    common must not be paired (``never``), or only where all else would be worse (``avoid``), see ``bans``.
    """

    ref: str
    rating: float | None = None
    members: tuple[str, ...] = ()
    club: str | None = None
    country: str | None = None
    met: frozenset[str] = frozenset()
    seed: int | None = None
    never: frozenset[str] = frozenset()
    avoid: frozenset[str] = frozenset()

    @property
    def strength(self) -> tuple[float, float]:
        """Sort key for seeding, best first: by seed, then by rating.

        >>> field = [Entrant("a", 1900), Entrant("b", 1500, seed=1), Entrant("c")]
        >>> [entrant.ref for entrant in sorted(field, key=lambda each: each.strength)]
        ['b', 'a', 'c']
        """
        last = float("inf")
        return (
            last if self.seed is None else float(self.seed),
            last if self.rating is None else -self.rating,
        )

    @property
    def people(self) -> tuple[str, ...]:
        return self.members or (self.ref,)


Field = Sequence[Entrant]


def check_field(field: Field, *, minimum: int) -> None:
    """Refuse a field that cannot be drawn.

    Raises:
        DrawRefused: ``too_few_entrants``, ``entrant_twice`` (one ref twice) or ``player_twice`` (one player
            behind two entrants, who would meet themselves).
    """
    if len(field) < minimum:
        raise DrawRefused(
            "too_few_entrants",
            f"{len(field)} entrants; this format needs at least {minimum}",
            entrants=len(field),
            minimum=minimum,
        )
    refs: set[str] = set()
    people: set[str] = set()
    for entrant in field:
        if entrant.ref in refs:
            raise DrawRefused(
                "entrant_twice", f"entrant {entrant.ref} is in the field twice", ref=entrant.ref
            )
        refs.add(entrant.ref)
        for person in entrant.people:
            if person in people:
                raise DrawRefused("player_twice", f"player {person} is in two entrants", ref=person)
            people.add(person)
