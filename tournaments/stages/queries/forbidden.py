"""The list of forbidden pairs of a flight, and the labels by which draws know it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from django.db.models import Prefetch

from clubs.models import Membership
from tournaments.models import EntrantRow, Flight, ForbiddenEntrant, ForbiddenKind, ForbiddenPairs


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of an entrant: see ``tournaments.core.stages.entrants.Entrant``."""

    never: frozenset[str] = frozenset()
    avoid: frozenset[str] = frozenset()


NO_LABELS = Labels()


def list_of(flight: Flight) -> list[ForbiddenPairs]:
    """The lines of a flight's list in the order they were added, with their entrants' names.

    At most five queries, one for an empty list.
    """
    named = ForbiddenEntrant.objects.order_by("pk").select_related("entrant")
    named = named.prefetch_related("entrant__members__player__person")
    found = ForbiddenPairs.objects.filter(flight=flight).order_by("pk")
    return list(found.prefetch_related(Prefetch("entrants", named)))


def version_of(lines: Iterable[ForbiddenPairs]) -> str:
    """Identifies a state of the list: which lines it has, and how strict each is."""
    told = " ".join(f"{line.ref}:{line.never}" for line in lines)
    return sha256(told.encode()).hexdigest()[:16]


def labels_of(flight: Flight, entrants: Sequence[EntrantRow]) -> Mapping[str, Labels]:
    """The labels of these entrants of a flight by ref, for those who have any.

    Load them ``with_players()``. At most three queries, one for an empty list. Labels are opaque: a published
    draw shows who was kept apart and not why.
    """
    lines = list(ForbiddenPairs.objects.filter(flight=flight).order_by("pk").prefetch_related("entrants"))
    titles = _titles(flight, entrants) if any(each.kind == ForbiddenKind.TITLE for each in lines) else {}
    never: dict[str, set[str]] = {each.ref: set() for each in entrants}
    avoid: dict[str, set[str]] = {each.ref: set() for each in entrants}
    for line in lines:
        kept = never if line.never else avoid
        named = {each.entrant_id for each in line.entrants.all()}
        for entrant in entrants:
            kept[entrant.ref].update(_labels(line, entrant, named, titles))
    return {
        ref: Labels(frozenset(never[ref]), frozenset(avoid[ref])) for ref in never if never[ref] or avoid[ref]
    }


def _labels(
    line: ForbiddenPairs, entrant: EntrantRow, named: set[int], titles: Mapping[int, int]
) -> Iterator[str]:
    match line.kind:
        case ForbiddenKind.NAMES if entrant.pk in named:
            yield line.ref
        case ForbiddenKind.CLUB if club := club_of(entrant):
            yield _label(line, club)
        case ForbiddenKind.TITLE:
            for player in entrant.players:
                if player.pk in titles:
                    yield _label(line, str(titles[player.pk]))


def _label(line: ForbiddenPairs, value: str) -> str:
    return f"{line.ref}-{sha256(f'{line.ref} {value}'.encode()).hexdigest()[:8]}"


def line_of(label: str) -> str:
    """The ref of the line of the list that gave a label."""
    return label.split("-", maxsplit=1)[0]


def _titles(flight: Flight, entrants: Sequence[EntrantRow]) -> dict[int, int]:
    """Titles on the member list by player, for those who have one (one query)."""
    players = {player.pk for entrant in entrants for player in entrant.players}
    rows = Membership.objects.in_club(flight.event.club).filter(player__in=players, title__isnull=False)
    return {player: title for player, title in rows.values_list("player_id", "title") if title is not None}


def club_of(entrant: EntrantRow) -> str | None:
    """The club that an entrant plays for, whatever the capitals; None if none was entered."""
    return " ".join(entrant.from_club.casefold().split()) or None
