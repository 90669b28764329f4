"""The player page of an app above, to which lists link."""

from collections.abc import Callable

from clubs.models import Player

Address = Callable[[Player], str]
_addresses: list[Address] = []


def register(address: Address) -> None:
    """Link players to the page at ``address``; call it in ``AppConfig.ready``."""
    _addresses.append(address)


def page_of(player: Player) -> str:
    """The URL of the player's page, "" if no app has one."""
    return next((address(player) for address in _addresses), "")
