"""Client addresses, and site addresses that other devices can reach."""

from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest


def for_phones(request: HttpRequest, path: str) -> str:
    """Return the absolute address of a path for another device.

    On the server's own machine the browser shows ``localhost``, which other devices cannot reach: then the
    result has the address in the local network (``VENUE_URLS``), if this machine listens there.
    """
    if is_loopback(request) and settings.VENUE_URLS:
        return f"{settings.VENUE_URLS[0]}{path}"
    return request.build_absolute_uri(path)


def others_reach(request: HttpRequest) -> bool:
    """Whether other devices can reach the address of :func:`for_phones`."""
    return bool(settings.VENUE_URLS) or not is_loopback(request)


def is_loopback(request: HttpRequest) -> bool:
    """Whether the request's host name is a loopback name."""
    host = request.get_host().rsplit(":", 1)[0] if "]" not in request.get_host() else request.get_host()
    host = host.partition("]")[0].strip("[")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def counted_as(host: str) -> str:
    """Return the address that limits count by: for IPv6 the network.

    The owner of an IPv6 network can use any address in it.

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
