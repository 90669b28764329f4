"""Every page and list of a large club: number of queries and CPU time.

The addresses are those of the URL configuration; lists are opened at their first, middle and last page, by a
member and by a director. The processor is this process's, the least of five; what the server's process spent
for all of them is told beside it.
"""

import time
from collections.abc import Iterator

from django.core.management import call_command
from django.urls import reverse

from clubs.models import Club
from deploy.benches.ratings import processor_of_server
from deploy.figures import Figure
from deploy.large_lists import fill_lists
from deploy.list_walk import FIRST, ONE_THING, Visit, signed_in, visit, walk

ENGINES = True
PLAYERS = 5_000
MATCHES = 100_000
EVENTS = 500
TIMES = 5


def run() -> Iterator[Figure]:
    """Raise RuntimeError when a page fails."""
    call_command("collectstatic", interactive=False, verbosity=0)  # pages name their files by content
    club = Club.objects.create(slug="large", name="Large")
    began = time.process_time()
    world = fill_lists(club=club, players=PLAYERS, matches=MATCHES, events=EVENTS)
    size = f"{MATCHES} matches, {PLAYERS} players, {EVENTS} events"
    yield Figure("lists_fill_cpu_s", time.process_time() - began, "CPU s", size=size)
    server = processor_of_server()
    visits = list(walk(world, times=TIMES))
    server = 1000 * (processor_of_server() - server) / (len(visits) * (TIMES + 1))
    lists = [each for each in visits if each.name not in ONE_THING]
    for each in visits:
        yield Figure(f"lists_cpu_ms {each}", each.cpu_ms, "CPU ms", size=f"{each.queries} queries")
    yield from largest("lists", lists)
    yield from largest("pages", [each for each in visits if each.name in ONE_THING])
    yield Figure("lists_postgres_cpu_ms", server, "CPU ms", size=f"mean of {len(visits)} pages")
    member = signed_in(world.member)
    form = visit(member, "scoring:new_match", "member", FIRST, _at("scoring:new_match", club), 0)
    search = f"{_at('clubs:find_people', club)}?q=player+12"
    found = visit(member, "clubs:find_people", "member", FIRST, search, TIMES)
    if form is None or found is None:
        raise RuntimeError("a member is shown no form for a new match, or finds nobody")
    yield Figure("new_match_bytes", form.size, "bytes", size=size)
    yield Figure("find_people_cpu_ms", found.cpu_ms, "CPU ms", size=f"{found.queries} queries; {size}")


def _at(name: str, club: Club) -> str:
    return reverse(name, args=[club.slug])


def largest(name: str, visits: list[Visit]) -> Iterator[Figure]:
    """The pages with the most queries and with the most CPU time."""
    asking, spending = (max(visits, key=key) for key in (_queries, _cpu))
    yield Figure(f"{name}_max_queries", asking.queries, "queries", size=f"{asking}; of {len(visits)} pages")
    yield Figure(f"{name}_max_cpu_ms", spending.cpu_ms, "CPU ms", size=f"{spending}; of {len(visits)} pages")


def _queries(visit: Visit) -> int:
    return visit.queries


def _cpu(visit: Visit) -> float:
    return visit.cpu_ms
