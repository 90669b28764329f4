"""Erasure and export of the email addresses of entries."""

from clubs.models import Player
from tournaments.models import EntrantRow


def forget_entry_addresses(player: Player) -> None:
    """Erase the email addresses of the player's entries."""
    EntrantRow.objects.filter(members__player=player).exclude(email="").update(email="")


def own_entry_addresses(player: Player) -> list[str]:
    """Export the email addresses that directors noted on the player's entries."""
    found = EntrantRow.objects.filter(members__player=player).exclude(email="")
    return sorted(set(found.values_list("email", flat=True)))
