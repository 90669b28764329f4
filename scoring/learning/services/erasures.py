"""Erase and export a player's cards."""

from typing import Any

from clubs.models import Player
from scoring.models import Card, CardFill, CardSession, CardSharing, WeekAnswer


def forget_cards(player: Player) -> None:
    """Delete all cards of a player with their answers, what they share, and their answers in clubs."""
    CardSession.objects.filter(player=player).delete()
    Card.objects.of_player(player).delete()
    CardFill.objects.filter(player=player).delete()
    CardSharing.objects.filter(player=player).delete()
    WeekAnswer.objects.filter(player=player).delete()


def own_cards(player: Player) -> list[dict[str, Any]]:
    """The player's cards for their data export."""
    cards = Card.objects.of_player(player).select_related("match").order_by("pk")
    return [
        {
            "match": card.match.ref,
            "event": card.event_seq,
            "kind": card.kind,
            "decision": card.decision,
            "xgid": card.xgid,
            "error": card.error,
            "state": card.state,
            "due": card.due and card.due.isoformat(),
            "right_in_a_row": card.in_a_row,
            "wrong": card.wrong,
        }
        for card in cards
    ]


def own_shared(player: Player) -> dict[str, list[dict[str, Any]]]:
    """What the player shares with clubs, and their answers there, for their data export."""
    sharing = CardSharing.objects.filter(player=player).select_related("club").order_by("pk")
    answers = WeekAnswer.objects.filter(player=player).select_related("position__club").order_by("pk")
    return {
        "sharing": [
            {"club": each.club.slug, "coach": each.coach, "position_of_the_week": each.quiz}
            for each in sharing
        ],
        "answers": [
            {
                "club": each.position.club.slug,
                "week": each.position.week.isoformat(),
                "given": each.given,
                "right": each.right,
                "loss": each.loss,
            }
            for each in answers
        ],
    }
