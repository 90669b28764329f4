"""Whose word about the real address counts."""

import pytest

from deploy.proxies import TrustedProxies, counted_as

CADDY = TrustedProxies.read(["127.0.0.1", "::1", "172.16.0.0/12"])
TOLD = [
    (b"x-forwarded-for", b"203.0.113.9"),
    (b"x-forwarded-proto", b"https"),
    (b"x-real-ip", b"203.0.113.9"),
]


def scope(peer: str, *headers: tuple[bytes, bytes]) -> dict[str, object]:
    return {"type": "http", "client": (peer, 4711), "scheme": "http", "headers": [(b"host", b"x"), *headers]}


@pytest.mark.parametrize("peer", ["127.0.0.1", "::1", "192.0.2.1"])
def test_without_trusted_proxies_nobody_is_believed_not_even_this_machine(peer: str):
    found = TrustedProxies().resolved(scope(peer, *TOLD))
    assert (found["client"], found["scheme"], found["headers"]) == ((peer, 4711), "http", [(b"host", b"x")])


def test_a_trusted_proxy_tells_address_and_scheme():
    found = CADDY.resolved(scope("127.0.0.1", *TOLD))
    assert (found["client"], found["scheme"]) == (("203.0.113.9", 0), "https")


def test_somebody_beside_the_proxy_is_not_believed():
    assert CADDY.resolved(scope("192.0.2.1", *TOLD))["client"] == ("192.0.2.1", 4711)


@pytest.mark.parametrize(
    ("told", "real"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("198.51.100.1, 203.0.113.9", "203.0.113.9"),  # the first is what the sender claimed
        ("198.51.100.1, 203.0.113.9, 172.18.0.4", "203.0.113.9"),  # two proxies of ours
        ("198.51.100.1, unknown, 172.18.0.4", "172.18.0.4"),
        ("172.18.0.9, 172.18.0.4", "172.18.0.9"),
        ("", "127.0.0.1"),
        ("garbage", "127.0.0.1"),
        ("9" * 5000, "127.0.0.1"),
        ("203.0.113.9:5123", "203.0.113.9"),
        ("[2001:db8::7]:5123", "2001:db8::7"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("203.0.113.9,", "127.0.0.1"),
    ],
)
def test_the_nearest_address_that_no_proxy_of_ours_has_is_the_real_one(told: str, real: str):
    assert CADDY.client_of("127.0.0.1", told) == real


def test_several_headers_are_one_list():
    two = [(b"x-forwarded-for", b"198.51.100.1"), (b"x-forwarded-for", b"203.0.113.9")]
    assert CADDY.resolved(scope("127.0.0.1", *two))["client"] == ("203.0.113.9", 0)


def test_a_household_with_ipv6_counts_as_one():
    assert counted_as("2001:db8:1:2:aaaa::1") == counted_as("2001:db8:1:2:bbbb::9") == "2001:db8:1:2::/64"
    assert counted_as("2001:db8:1:3::1") != counted_as("2001:db8:1:2::1")
    assert counted_as("::ffff:192.0.2.7") == counted_as("192.0.2.7") == "192.0.2.7"
