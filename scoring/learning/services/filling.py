"""Make cards from analysed matches and keep them true to the analysis that stands."""

from collections.abc import Iterable, Mapping
from datetime import date

from django.db import transaction
from django.db.models import Exists, OuterRef

from clubs.models import Player, WorkStatus
from clubs.work import services as work
from scoring.analysis.queries.analyses import decision_of
from scoring.analysis.queries.performances import analysed_among, standing_analyses
from scoring.learning.queries.cards import today
from scoring.learning.queries.faced import Positions, faced_by, positions_of
from scoring.models import Card, CardEnd, CardFill, CardState, Match, Seat
from scoring.notation.xgid import decode_xgid
from scoring.rules.sides import Side
from scoring.theory.cards import LIMIT, CardKind, FacedRoll, card_kind, cards_of
from scoring.theory.decisions import Decision

BATCH = 25
Key = tuple[int, str]
"""A decision of a match: the event's seq and the kind."""


def refresh_cards(*, match: Match) -> None:
    """Bring the cards of a match in line with its standing analysis; call it in a transaction.

    Cards are made for players with an account who play alone at their side. A card whose decision is no
    mistake by now, or stands in another position, retires. Nothing happens while no analysis stands.
    """
    analysis = standing_analyses([match], None).get(match.pk)
    seats = {} if analysis is None else _seats(match)
    if analysis is None or not (seats or match.cards.exists()):
        return
    positions = positions_of(match)
    decisions = [decision_of(row) for row in analysis.decisions.order_by("number")]
    for player, colour in seats.items():
        _refresh_side(match, player, Side(colour), decisions, positions)
    Card.objects.filter(match=match).exclude(player__in=seats).delete()


def ask_to_fill(*, player: Player) -> CardFill | None:
    """Queue the making of cards from the player's earlier matches, None while that waits or runs.

    Call it in a transaction.
    """
    standing = CardFill.objects.filter(player=player, status__in=[WorkStatus.QUEUED, WorkStatus.RUNNING])
    Player.objects.select_for_update(no_key=True, of=("self",)).get(pk=player.pk)
    return None if standing.exists() else CardFill.objects.create(player=player)


def fill_cards(fill: CardFill) -> None:
    """Make the cards of all analysed matches of a player; the caller has claimed ``fill``.

    Each match is a transaction of its own, and done twice gives nothing twice: a worker that is killed leaves
    what it has made, and the next one goes on.
    """
    matches = (
        analysed_among(Match.objects.of_player(fill.player), None).select_related("sheet").order_by("pk")
    )
    keys = list(matches.values_list("pk", flat=True))
    for start in range(0, len(keys), BATCH):
        CardFill.objects.filter(pk=fill.pk).update(done_matches=start, all_matches=len(keys))
        work.heartbeat(fill)
        for match in Match.objects.select_related("sheet").filter(pk__in=keys[start : start + BATCH]):
            with transaction.atomic():
                refresh_cards(match=match)
    with work.finish(fill) as current:
        current.done_matches = current.all_matches = len(keys)


def drop_cards_of_others(*, player: Player) -> None:
    """Drop the player's cards of matches in which they do not play any more."""
    seats = Seat.objects.filter(match=OuterRef("match"), player=player)
    Card.objects.of_player(player).exclude(Exists(seats)).delete()


def _seats(match: Match) -> dict[int, str]:
    """The colours of players with an account who sit alone, by the player's pk (one query)."""
    partner = Seat.objects.filter(side=OuterRef("side")).exclude(pk=OuterRef("pk"))
    seats = Seat.objects.filter(~Exists(partner), match=match, player__user__isnull=False)
    return dict(seats.values_list("player", "side__colour"))


def _refresh_side(
    match: Match, player: int, side: Side, decisions: Iterable[Decision], positions: Positions
) -> None:
    day = today()
    own = [each for each in decisions if each.side is side and _xgid(each, positions)]
    faced = {each.ref: at for each in own if (at := _faced(each, positions))}
    drafts = {_key(each): kind for each, kind in cards_of(own, faced, side)}
    by_key = {_key(each): each for each in own}
    known = {
        (card.event_seq, card.decision): card for card in match.cards.filter(player=player).order_by("pk")
    }
    for key, card in known.items():
        _refresh(card, by_key.get(key), faced, positions, day)
    Card.objects.bulk_create(
        [
            Card(
                player_id=player,
                match=match,
                event_seq=key[0],
                decision=key[1],
                colour=side,
                kind=kind,
                xgid=_xgid(by_key[key], positions),
                error=by_key[key].error or 0.0,
                due=day,
            )
            for key, kind in drafts.items()
            if key not in known
        ],
        ignore_conflicts=True,
    )


def _refresh(
    card: Card, decision: Decision | None, faced: Mapping[str, FacedRoll], positions: Positions, day: date
) -> None:
    """Keep a card, ask it as a new one, or retire it; a right decision's card goes instead of retiring."""
    kind = card_kind(decision, faced.get(decision.ref)) if decision else None
    if decision is not None and kind is not None:
        xgid = _xgid(decision, positions)
        card.error = decision.error or 0.0
        if card.kind != kind or card.xgid != xgid or card.state == CardState.RETIRED:
            card.kind, card.xgid = kind, xgid
            card.state, card.end, card.due, card.in_a_row, card.wrong = CardState.WAITING, "", day, 0, 0
        card.save()
    elif card.kind == CardKind.FINE:
        card.delete()
    elif card.state != CardState.RETIRED:
        moved = decision is None or _xgid(decision, positions) != card.xgid
        is_error = decision is not None and (decision.error or 0.0) >= LIMIT
        card.state, card.due = CardState.RETIRED, None
        card.end = CardEnd.CORRECTED if moved else CardEnd.UNCLEAR if is_error else CardEnd.FINE
        card.save()


def _key(decision: Decision) -> Key:
    return int(decision.ref), decision.kind.value


def _xgid(decision: Decision, positions: Positions) -> str:
    return positions.at(int(decision.ref), decision.kind)


def _faced(decision: Decision, positions: Positions) -> FacedRoll | None:
    xgid = positions.at(int(decision.ref), decision.kind)
    return faced_by(decode_xgid(xgid)) if xgid and not decision.kind.is_cube else None
