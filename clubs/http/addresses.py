"""Addresses that other people's devices reach, as QR codes hold them, and those that requests come from."""

from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest


def for_phones(request: HttpRequest, path: str) -> str:
    """The absolute address of a path for somebody else's device.

    Whoever sits at the machine that serves looks at ``localhost``, which is no other device's: then it is the
    address of the local network (``VENUE_URLS``), as far as this machine listens there.
    """
    if is_loopback(request) and settings.VENUE_URLS:
        return f"{settings.VENUE_URLS[0]}{path}"
    return request.build_absolute_uri(path)


def others_reach(request: HttpRequest) -> bool:
    """Whether the address that :func:`for_phones` gives is one that other devices can reach."""
    return bool(settings.VENUE_URLS) or not is_loopback(request)


def is_loopback(request: HttpRequest) -> bool:
    """Whether the browser asked for this machine by a name that means itself everywhere."""
    host = request.get_host().rsplit(":", 1)[0] if "]" not in request.get_host() else request.get_host()
    host = host.partition("]")[0].strip("[")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def counted_as(host: str) -> str:
    """The address that limits count by: of an IPv6 address its network, in which its owner takes any other.

    >>> counted_as("192.0.2.1"), counted_as("2001:db8::7")
    ('192.0.2.1', '2001:db8::/64')
    """
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return host
    return str(address.ipv4_mapped or ip_network((address, 64), strict=False))
