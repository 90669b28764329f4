"""The plan of a demo club, computed from a seed before play. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

from deploy.demo.cast import LOGINS, CastMember, cast
from deploy.demo.playing import MatchPlan
from deploy.demo.season import Fixture, season
from deploy.demo.strength import Strength

ZONE = ZoneInfo("Europe/Lisbon")
UNCONFIRMED = 3
MOST_MATCHES, LARGEST_SEED = 10_000, 10**18
SLIP_AFTER, BROKEN_OFF_AFTER, LIVE_AFTER = 12, 70, 34  # events


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a demo club."""

    members: int = 26
    matches: int = 200
    analysed: int = 6
    left_to_workers: int = 3


@dataclass(frozen=True, slots=True)
class File:
    """A match written to a file and uploaded, between the file's two guests."""

    number: int
    name: str
    at: datetime


@dataclass(frozen=True, slots=True)
class DemoPlan:
    """The cast, the fixtures, and how each is to be played.

    ``games`` has every match by number, also those without a fixture: the ``files``, and ``live``, which is
    in progress between the users who can sign in. The newest ``UNCONFIRMED`` fixtures await confirmation.
    """

    people: tuple[CastMember, ...]
    fixtures: tuple[Fixture, ...]
    games: dict[int, MatchPlan]
    files: tuple[File, ...]
    live: int


def demo_plan(seed: int, today: date, size: Size | None = None) -> DemoPlan:
    """The plan of a seed. The date only shifts the nights.

    Raises ValueError for a size that no demo has.
    """
    size = size or Size()
    if size.matches <= UNCONFIRMED:
        raise ValueError(f"a demo has at least {UNCONFIRMED + 1} matches, not {size.matches}")
    if size.matches > MOST_MATCHES:
        raise ValueError(f"a demo has at most {MOST_MATCHES} matches, not {size.matches}")
    if not 0 <= size.analysed <= MOST_MATCHES:
        raise ValueError(f"a demo has 0 to {MOST_MATCHES} analysed matches, not {size.analysed}")
    if abs(seed) > LARGEST_SEED:
        raise ValueError(f"a demo's seed is at most {LARGEST_SEED}, not {seed}")
    dice = Random(f"midpoint demo {seed}")  # noqa: S311 - to be made again, not a secret
    people = cast(size.members, dice)
    fixtures = season(people, upto=today, zone=ZONE, matches=size.matches, dice=dice)
    games = {f.number: _game(seed, f, people) for f in fixtures}
    last, night = len(fixtures), fixtures[-1].at
    guests = Strength.at(0.8), Strength.at(0.3)
    host, member = (Strength.at(person.level) for person in people[:LOGINS])
    games[last] = MatchPlan(1, *guests, f"{seed}/slip", slip_after=SLIP_AFTER)
    games[last + 1] = MatchPlan(5, *guests, f"{seed}/off", broken_off_after=BROKEN_OFF_AFTER)
    games[last + 2] = MatchPlan(3, member, host, f"{seed}/live", broken_off_after=LIVE_AFTER)
    files = (
        File(last, "sete-rios-friendly.mat", night + timedelta(hours=1)),
        File(last + 1, "sete-rios-last-train.mat", night + timedelta(hours=2)),
    )
    return DemoPlan(tuple(people), tuple(fixtures), games, files, last + 2)


def _game(seed: int, fixture: Fixture, people: Sequence[CastMember]) -> MatchPlan:
    white, black = (Strength.at(people[n].level) for n in (fixture.white, fixture.black))
    return MatchPlan(fixture.length, white, black, f"{seed}/{fixture.number}")
