"""Listening sockets, and the addresses of this machine in local networks."""

import contextlib
import fcntl
import socket
import struct
import sys

# The ioctl that asks for an interface's IPv4 address; both put it at the same place of the answer.
SIOCGIFADDR = 0xC0206921 if sys.platform == "darwin" else 0x8915
STREAMS_GRACE = 3  # seconds that open live pages get before a stop of the web process closes them
MADE_UP = ("docker", "br-", "veth", "virbr", "vmnet", "tun", "tap", "utun")
"""Virtual interfaces (containers, virtual machines, tunnels), unreachable for phones."""


def interface_addresses() -> list[str]:
    """IPv4 addresses of active interfaces without loopback, virtual ones last.

    Reads the interfaces themselves: a venue's network can lack a default route.
    """
    found: list[tuple[bool, str]] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _index, name in socket.if_nameindex():
            with contextlib.suppress(OSError):  # without an address, or not up
                answer = fcntl.ioctl(asking, SIOCGIFADDR, struct.pack("256s", name[:15].encode()))
                found.append((name.startswith(MADE_UP), socket.inet_ntoa(answer[20:24])))
    ordered = [address for _made_up, address in sorted(found, key=lambda each: each[0])]
    return [address for address in dict.fromkeys(ordered) if not address.startswith("127.")]


def listen(address: str) -> socket.socket:
    """A listening socket for ``host:port``; an IPv6 host is in brackets.

    Raises:
        OSError: the port is taken or the address is not this machine's.
    """
    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = host == "::" and socket.has_dualstack_ipv6()
    return socket.create_server((host, int(port)), family=family, backlog=512, dualstack_ipv6=both)
