"""Requests every page and API list of a large club: start, middle and end.

The addresses come from the URL configuration, so new ones are included. Left out are those whose arguments a
large club has no object for, and those that answer no GET.
"""

import base64
import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.db import connection
from django.http.response import HttpResponseBase
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from clubs.models import Membership, OutgoingMail, User
from deploy.large_lists import LargeClub
from scoring.models import Alias, Analysis, Match, Rating, Upload
from tournaments.models import EntrantRow, PairingRow

FIRST, MIDDLE, LAST = "first", "middle", "last"
MOST_PAGES = 120  # that are gone through one by one to find the last

ONE_THING = {
    "clubs:my_data": "an export",
    "api:my_data": "an export",
    "tournaments:club": "a club's front page: eight lists of a few rows each",
    "scoring:player": "a player's overview: several lists of a few rows each",
    "tournaments:now": "the first page: ten lists of a few rows each",
    "tournaments:event": "one event with its whole field",
    "tournaments:desk": "one event's desk",
    "api:desk": "one event's desk",
    "tournaments:report": "the report of one event",
    "tournaments:event_file": "an export",
    "api:event_file": "an export",
    "tournaments:report_csv": "an export",
    "tournaments:report_json": "an export",
    "tournaments:new_ruling": "a form about one event",
    "tournaments:wall": "one event's wall",
    "tournaments:pairing": "one pairing",
    "tournaments:print_cards": "a print with a code for each table",
    "scoring:match_pdf": "a print",
    "scoring:slip_pdf": "a print",
}
"""Pages other than lists, whose number of queries is larger but constant."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One request of a page: its queries, CPU time in ms, and size."""

    name: str
    viewer: str
    place: str
    address: str
    queries: int
    cpu_ms: float
    size: int

    def __str__(self) -> str:
        return f"{self.name}, {self.viewer}, {self.place}"


def addresses(resolver: URLResolver | None = None, space: str = "") -> Iterator[tuple[str, URLPattern]]:
    """All named addresses of ours, e.g. ``("scoring:matches", ...)``."""
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLResolver):
            yield from addresses(entry, f"{space}{entry.namespace}:" if entry.namespace else space)
        elif entry.name and space:
            yield f"{space}{entry.name}", entry


def walk(
    world: LargeClub, *, times: int = 0, viewers: Sequence[str] = ("member", "director"), lists: bool = False
) -> Iterator[Visit]:
    """Request every page and list as these viewers; with ``lists`` only lists.

    The outbox is requested as a site administrator. CPU time is the minimum of ``times``. Raises
    RuntimeError for a page that fails.
    """
    values = arguments(world)
    for viewer in viewers:
        client = signed_in(getattr(world, viewer))
        for name, pattern in addresses():
            wanted = pattern.pattern.regex.groupindex
            known = name not in UNANSWERED and all(argument in values for argument in wanted)
            if known and (is_list(name, pattern) or not lists):
                address = reverse(name, kwargs={argument: values[argument] for argument in wanted})
                yield from visits(client, world, name, viewer, address, times)
    admin = User.objects.create_superuser(email=f"admin@{world.club.slug}.invalid")
    outbox = reverse("clubs:outbox")
    yield from visits(signed_in(admin), world, "clubs:outbox", "administrator", outbox, times)


def is_list(name: str, pattern: URLPattern) -> bool:
    """Whether the address is a paginated list."""
    return name in FAR or hasattr(getattr(pattern.callback, "cls", None), "ordering")


UNANSWERED = {"clubs:live"}


def signed_in(user: User) -> Client:
    client = Client(HTTP_HOST="127.0.0.1")
    client.force_login(user)
    return client


def arguments(world: LargeClub) -> dict[str, Any]:
    """Values for the arguments of addresses, by name."""
    flight = world.stage.flight
    return {
        "club": world.club.slug,
        "player": world.player.ref,
        "event": world.event.ref,
        "stage": world.stage.ref,
        "flight": flight.ref,
        "batch": world.batch,
        "upload": Upload.objects.filter(batch=world.batch)[0].ref,
        "alias": world.alias.ref,
        "match": world.match.ref,
        "analysis": Analysis.objects.done().filter(match__club=world.club)[0].ref,
        "entrant": EntrantRow.objects.filter(flight=flight)[0].ref,
        "pairing": PairingRow.objects.filter(stage=world.stage).order_by("number")[0].ref,
        "table": 1,
        "number": 1,
        "seq": 1,
    }


def visits(
    client: Client, world: LargeClub, name: str, viewer: str, address: str, times: int
) -> Iterator[Visit]:
    """The page at its positions; none if the viewer sees nothing."""
    first = visit(client, name, viewer, FIRST, address, times)
    if first is None:
        return
    yield first
    for place, there in zip((MIDDLE, LAST), further(client, world, name, address), strict=False):
        found = visit(client, name, viewer, place, there, times)
        if found is None:
            raise RuntimeError(f"{there} shows nothing, though a page leads there")
        yield found


def visit(client: Client, name: str, viewer: str, place: str, address: str, times: int) -> Visit | None:
    """Request one page. Raises RuntimeError if it fails."""
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address)
        size = len(answer.getvalue() if answer.streaming else answer.content)
        queries = len(captured.captured_queries)
    if answer.status_code >= 500:
        raise RuntimeError(f"{name} answered {answer.status_code}: {address}")
    if answer.status_code != 200:
        return None
    spent = [opened(client, address) for _n in range(times)]
    return Visit(name, viewer, place, address, queries, min(spent, default=0.0), size)


def opened(client: Client, address: str) -> float:
    """CPU milliseconds of a page."""
    began = time.process_time()
    answer = client.get(address)
    if answer.streaming:
        answer.getvalue()
    return 1000 * (time.process_time() - began)


def further(client: Client, world: LargeClub, name: str, address: str) -> list[str]:
    """The addresses of the list's middle and last page; none for a single page."""
    if name in FAR:
        refs = FAR[name](world)
        if len(refs) > 2:
            return [f"{address}?after={refs[len(refs) // 2]}", f"{address}?after={refs[-2]}"]
        return []
    pages = list(following_of(client, address))
    return [pages[len(pages) // 2], pages[-1]] if pages else []


def following_of(client: Client, address: str) -> Iterator[str]:
    """The pages after the first, by their links."""
    here = address
    for _n in range(MOST_PAGES):
        following = next_of(client.get(here), here)
        if not following:
            return
        here = following
        yield here
    raise RuntimeError(f"{address} has more than {MOST_PAGES} pages: name its places in FAR")


def next_of(answer: HttpResponseBase, here: str) -> str:
    """The address of the next page, "" on the last."""
    kind = answer.headers.get("Content-Type", "")
    if answer.streaming or not kind.startswith(("text/html", "application/json")):
        return ""
    text = answer.content.decode()  # type: ignore[attr-defined]  # it does not stream
    if kind.startswith("application/json"):
        body = json.loads(text)
        parts = urlsplit(body.get("next") or "") if isinstance(body, dict) else urlsplit("")
        return f"{parts.path}?{parts.query}" if parts.query else ""
    if link := re.search(r'<a[^>]*rel="next"[^>]*href="([^"]+)"', text):
        target, path = link[1].replace("&amp;", "&"), urlsplit(here).path
        target = path + target if target.startswith("?") else target
        return target if urlsplit(target).path == path else ""
    return ""


def _cursor(*keys: str) -> str:
    return base64.urlsafe_b64encode(json.dumps(keys).encode()).decode().rstrip("=")


def _matches(world: LargeClub) -> list[str]:
    return list(Match.objects.in_club(world.club).newest_first().values_list("ref", flat=True))


def _match_cursors(world: LargeClub) -> list[str]:
    rows = Match.objects.in_club(world.club).newest_first().values_list("played_at", "ref")
    return [_cursor(at.isoformat(), ref) for at, ref in rows]


def _people(world: LargeClub) -> list[str]:
    rows = Membership.objects.in_club(world.club).order_by("-role", "player__person__sort_key", "pk")
    return list(rows.values_list("player__ref", flat=True))


def _by_name(world: LargeClub) -> list[str]:
    rows = Membership.objects.in_club(world.club).filter(player__user=None)
    return list(rows.order_by("player__person__sort_key", "player").values_list("player__ref", flat=True))


def _rated(world: LargeClub) -> list[str]:
    return list(
        Rating.objects.filter(list__club=world.club).best_first().values_list("player__ref", flat=True)
    )


FAR: dict[str, Callable[[LargeClub], list[str]]] = {
    "scoring:matches": _matches,
    "scoring:club_matches": _matches,
    "scoring:rating_list": _rated,
    "scoring:names": lambda world: list(
        Alias.objects.in_club(world.club).order_by("key", "pk").values_list("ref", flat=True)
    ),
    "scoring:name": _by_name,
    "scoring:guests": _by_name,
    "clubs:people": _people,
    "clubs:outbox": lambda _world: list(
        OutgoingMail.objects.order_by("-queued_at", "-pk").values_list("ref", flat=True)
    ),
    "api:club_matches": _match_cursors,
}
"""Cursors of long lists, in order."""
