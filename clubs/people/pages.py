"""A player's own page, which an app above has: lists of members link to what it registers."""

from collections.abc import Callable

from clubs.models import Player

Address = Callable[[Player], str]
_addresses: list[Address] = []


def register(address: Address) -> None:
    """Let lists link to the page at ``address``; call it in ``AppConfig.ready``."""
    _addresses.append(address)


def page_of(player: Player) -> str:
    """The address of the player's page, "" where no app has one."""
    return next((address(player) for address in _addresses), "")
