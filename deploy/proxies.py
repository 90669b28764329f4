"""The real client address of a request behind trusted proxies."""

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

FORWARDED_FOR, FORWARDED_PROTO = b"x-forwarded-for", b"x-forwarded-proto"
TOLD_BY_PROXIES = frozenset(
    {
        FORWARDED_FOR,
        FORWARDED_PROTO,
        b"x-forwarded-host",
        b"x-forwarded-port",
        b"x-forwarded-server",
        b"x-real-ip",
        b"forwarded",
    }
)
HOUSEHOLD = 64  # bits of an IPv6 address that one connection to the internet commonly has to itself

Scope = dict[str, Any]


@dataclass(frozen=True, slots=True)
class TrustedProxies:
    """Proxies whose ``X-Forwarded-*`` headers are trusted; others' are dropped."""

    networks: tuple[IPv4Network | IPv6Network, ...] = ()

    @classmethod
    def read(cls, words: Iterable[str]) -> "TrustedProxies":
        """Parse addresses and networks such as ``172.16.0.0/12``. Raises ValueError."""
        return cls(tuple(ip_network(word.strip()) for word in words if word.strip()))

    def trusts(self, host: str) -> bool:
        address = parsed(host)
        return address is not None and any(address in network for network in self.networks)

    def resolved(self, scope: Scope) -> Scope:
        """The ASGI scope with real client and scheme, without untrusted headers."""
        peer = scope["client"][0] if scope.get("client") else ""
        if not self.trusts(peer):
            headers = [(name, value) for name, value in scope["headers"] if name not in TOLD_BY_PROXIES]
            return {**scope, "headers": headers}
        told = b",".join(value for name, value in scope["headers"] if name == FORWARDED_FOR)
        real = self.client_of(peer, told.decode("latin-1"))
        schemes = [value for name, value in scope["headers"] if name == FORWARDED_PROTO]
        scheme = "https" if schemes and schemes[-1].strip().lower() == b"https" else scope["scheme"]
        return {**scope, "client": (real, 0), "scheme": scheme}

    def client_of(self, peer: str, forwarded_for: str) -> str:
        """The nearest untrusted address in ``X-Forwarded-For``.

        Each proxy appends at the end. Anything before an invalid address could be forged, and is ignored.
        """
        found = peer
        for word in reversed(forwarded_for.split(",")):
            address = parsed(word.strip())
            if address is None:
                break
            found = str(address)
            if not self.trusts(found):
                break
        return found


def parsed(text: str) -> IPv4Address | IPv6Address | None:
    """An address, with or without port or brackets; None for anything else."""
    host = text.strip()
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def counted_as(host: str) -> str:
    """The address that limits count by: for IPv6 the /64 network.

    A household chooses the last 64 bits itself.
    """
    address = parsed(host)
    if isinstance(address, IPv6Address):
        return str(ip_network((address, HOUSEHOLD), strict=False))
    return str(address) if address else host
