"""Rulings, appeals and conduct reports.

An appeals committee has 3 or 5 members without an interest in the match (docs/reference/tournaments.md,
"Rulings"). Everything is in the event's log, free text in notes. Only directors can read conduct reports.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from clubs.models import Membership, Player, User
from clubs.models.player import PlayerQuerySet
from tournaments.core.brackets.formats import Elimination
from tournaments.core.formats.table import format_of
from tournaments.core.stages.slots import LoserOf, WinnerOf
from tournaments.core.stages.stage import Stage
from tournaments.events.services.events import OvertakenRefused
from tournaments.log.queries.authors import author_of
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import lock_event, note
from tournaments.models import DeskEvent, EntrantMember, Event, PairingRow, PairingState
from tournaments.stages.services.stages import load, numbers_of
from tournaments.words.clauses import cited

COMMITTEES = (3, 5)
ARROW, CITED = "\n→ ", "\n§ "
"""Prefixes of the decision and the cited rule in the note of a ruling."""


def rule_on(
    *,
    event: Event,
    user: User,
    happened: str,
    decision: str,
    clause: str = "",
    rule: str = "",
    pairing: PairingRow | None = None,
) -> DeskEvent:
    """Record a ruling: what happened, the rule it cites and the decision.

    ``clause`` is a clause of the event's rules (``tournaments.words.clauses``), stored with its value;
    ``rule`` is another rule as text. Raises DeskRefused if a text is missing, and for an unknown clause.
    """
    if not happened.strip() or not decision.strip():
        raise DeskRefused(_("Enter what happened and what was decided."), code="text")
    kept = cited(event.rules, clause) if clause else None
    body: dict[str, Any] = {"clause": kept} if kept else {}
    if clause and kept is None:
        raise DeskRefused(
            _("The rules of this event have no clause “%(clause)s”.") % {"clause": clause}, code="clause"
        )
    with transaction.atomic():
        return note(
            event=event,
            kind="ruling",
            user=user,
            text=happened.strip() + ARROW + decision.strip() + (CITED + rule.strip() if rule.strip() else ""),
            pairing=pairing.ref if pairing else None,
            **body,
        )


def appeal(
    *, event: Event, ruling: int, committee: Sequence[Player], user: User, reason: str = ""
) -> DeskEvent:
    """Appeal a ruling (by its number in the log) to a committee of 3 or 5.

    Raises DeskRefused for an unknown ruling, another number of members, duplicates, and an interested member;
    OvertakenRefused if it was already appealed.
    """
    with transaction.atomic():
        lock_event(event)
        entry = _standing(event, ruling, "ruling")
        if DeskEvent.objects.filter(event=event, kind="appeal", body__ruling=ruling).exists():
            raise OvertakenRefused(_("This ruling has already been appealed."), ruling=ruling)
        members = {player.pk for player in committee}
        if len(committee) not in COMMITTEES or len(members) < len(committee):
            raise DeskRefused(
                _("A committee has 3 or 5 different members, not %(count)s.") % {"count": len(members)},
                code="committee",
            )
        interested = interested_in(pairing_of_entry(entry))
        if (author := author_of(entry)) is not None:
            interested.add(author.pk)
        if partial := [player.name for player in committee if player.pk in interested]:
            raise DeskRefused(
                _(
                    "%(names)s cannot sit on this committee: they made the ruling, play in this match, or "
                    "are the partner or next opponent of someone in it."
                )
                % {"names": ", ".join(partial)},
                code="interested",
            )
        return note(
            event=event,
            kind="appeal",
            user=user,
            text=reason,
            ruling=ruling,
            pairing=entry.body.get("pairing"),
            committee=[player.ref for player in committee],
        )


def decide_appeal(*, event: Event, ruling: int, upheld: bool, decision: str, user: User) -> DeskEvent:
    """Record the committee's decision: the ruling is ``upheld`` or overturned.

    Raises DeskRefused without an appeal or a text, OvertakenRefused for a second decision.
    """
    if not decision.strip():
        raise DeskRefused(_("Enter the committee’s decision and reasons."), code="text")
    with transaction.atomic():
        lock_event(event)
        entry = _standing(event, ruling, "ruling")
        if not DeskEvent.objects.filter(event=event, kind="appeal", body__ruling=ruling).exists():
            raise DeskRefused(_("This ruling has not been appealed."), code="no_appeal")
        if DeskEvent.objects.filter(event=event, kind="appeal_decided", body__ruling=ruling).exists():
            raise OvertakenRefused(_("This appeal has already been decided."), ruling=ruling)
        return note(
            event=event,
            kind="appeal_decided",
            user=user,
            text=decision,
            ruling=ruling,
            upheld=upheld,
            pairing=entry.body.get("pairing"),
        )


def report_conduct(*, event: Event, about: Sequence[Player], text: str, user: User) -> DeskEvent:
    """Write a conduct report for directors.

    Raises DeskRefused without a player or text.
    """
    if not about or not text.strip():
        raise DeskRefused(_("Enter who the report is about and what happened."), code="text")
    with transaction.atomic():
        refs = [player.ref for player in about]
        return note(event=event, kind="conduct", user=user, text=text, about=refs)


def interested_in(pairing: PairingRow | None) -> set[int]:
    """Players (by key) with an interest in a match.

    Those who play in it, their partners anywhere in the event, and their current and possible next opponents.
    """
    if pairing is None:
        return set()
    playing = _players_of([pairing.a_id, pairing.b_id])
    event = pairing.stage.flight.event_id
    rows = EntrantMember.objects.filter(flight__event=event, active=True)
    own = set(rows.filter(player__in=playing).values_list("entrant_id", flat=True))
    open_now = PairingRow.objects.filter(
        Q(a__in=own) | Q(b__in=own), stage__flight__event=event, state=PairingState.OPEN
    ).values_list("a_id", "b_id")
    entrants = own | {pk for pair in open_now for pk in pair} | _next_entrants(pairing)
    return playing | _players_of(entrants)


def eligible_for(event: Event, entry: DeskEvent) -> PlayerQuerySet:
    """Members of the club and players of the event without an interest."""
    barred = interested_in(pairing_of_entry(entry))
    entered = EntrantMember.objects.filter(flight__event=event, active=True).values("player")
    people = Membership.objects.in_club(event.club).values("player")
    found = Player.objects.current().filter(Q(pk__in=entered) | Q(pk__in=people)).exclude(pk__in=barred)
    if (author := author_of(entry)) is not None:
        found = found.exclude(pk=author.pk)
    return found.with_person().order_by("person__sort_key", "pk")


def pairing_of_entry(entry: DeskEvent) -> PairingRow | None:
    """The pairing of a log entry, if any."""
    ref = entry.body.get("pairing")
    return PairingRow.objects.select_related("stage__flight").filter(ref=ref).first() if ref else None


def _standing(event: Event, seq: int, kind: str) -> DeskEvent:
    entry = DeskEvent.objects.filter(event=event, seq=seq, kind=kind).first()
    if entry is None or DeskEvent.objects.filter(event=event, undoes=seq).exists():
        raise DeskRefused(
            _("There is no ruling %(number)s in this event’s log.") % {"number": seq}, code="no_ruling"
        )
    return entry


def _players_of(entrants: Iterable[int | None]) -> set[int]:
    rows = EntrantMember.objects.filter(entrant__in=[pk for pk in entrants if pk is not None])
    return set(rows.values_list("player_id", flat=True))


def _next_entrants(pairing: PairingRow) -> set[int]:
    """In a bracket, possible opponents of the winner and the loser in the next match."""
    fmt = format_of(pairing.stage.format)
    if not isinstance(fmt, Elimination):
        return set()
    value = load(pairing.stage)
    numbers = numbers_of(pairing.stage)
    return {numbers[n].pk for n in _next_numbers(fmt, value, pairing.number) if n in numbers}


def _next_numbers(fmt: Elimination, value: Stage, match: int) -> set[int]:
    state = fmt.resolution(value)
    bracket = state.bracket
    found: set[int] = set()
    for target in (bracket.winner_goes_to(match), bracket.loser_goes_to(match)):
        if target is None:
            continue
        found |= {state.a[target], state.b[target]}
        for slot in bracket.slots(target):
            if isinstance(slot, WinnerOf | LoserOf):
                found |= {state.a[slot.match], state.b[slot.match]}
    return found
