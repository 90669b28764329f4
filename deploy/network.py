"""The addresses of this machine in its local networks."""

import contextlib
import fcntl
import socket
import struct
import sys

# The ioctl that asks for an interface's IPv4 address; both put it at the same place of the answer.
SIOCGIFADDR = 0xC0206921 if sys.platform == "darwin" else 0x8915
MADE_UP = ("docker", "br-", "veth", "virbr", "vmnet", "tun", "tap", "utun")
"""Interfaces of containers, virtual machines and tunnels: no phone of the venue comes in there."""


def interface_addresses() -> list[str]:
    """The IPv4 addresses of the interfaces that are up, without loopback; made-up interfaces last.

    Asks the interfaces themselves: a venue's network may have no way out, and so no default route.
    """
    found: list[tuple[bool, str]] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _index, name in socket.if_nameindex():
            with contextlib.suppress(OSError):  # without an address, or not up
                answer = fcntl.ioctl(asking, SIOCGIFADDR, struct.pack("256s", name[:15].encode()))
                found.append((name.startswith(MADE_UP), socket.inet_ntoa(answer[20:24])))
    ordered = [address for _made_up, address in sorted(found, key=lambda each: each[0])]
    return [address for address in dict.fromkeys(ordered) if not address.startswith("127.")]
