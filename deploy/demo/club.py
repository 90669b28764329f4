"""The demo club's rows: recorded by the services that record real matches, all in one transaction."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.utils.crypto import salted_hmac
from django.utils.timezone import now

from clubs.models import Club, Membership, Openness, Player, Role, User
from clubs.services import work
from clubs.services.clubs import add_player, create_club
from clubs.services.people import register_player
from deploy.demo.cast import FILE_NAMES, LOGINS, CastMember
from deploy.demo.chouette import record_chouette
from deploy.demo.event import record_events
from deploy.demo.plan import UNCONFIRMED, ZONE, DemoPlan, File, Size
from scoring.models import Alias, Analysis, RatingUpdate, Upload
from scoring.notation.mat import write_mat
from scoring.profiles import STANDARD_PROFILE, Profile, ReportPolicy
from scoring.queries.writers import Author
from scoring.rules.events import Event, MatchStarted
from scoring.services.aliases import claim_name
from scoring.services.entries import MOST_ENTRIES, Entry, record
from scoring.services.imports import import_upload, receive_files
from scoring.services.opening import open_match
from scoring.services.ratings import update_list

NAME = "Sete Rios Demo Club"
EMAILS = ("director@demo.invalid", "member@demo.invalid")
"""The logins; no mail can ever reach ``.invalid`` (RFC 2606)."""

PROFILE = Profile("club-night", "Club night", options=STANDARD_PROFILE.options, report=ReportPolicy.BOTH)
"""Both sides confirm: a result that nobody confirms waits, so that there is one to be seen."""

SHORT, RECENT = 2, 50  # points, matches: from among these some are analysed at once

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class DemoLogin:
    """How to sign in to the demo club."""

    role: str
    email: str
    password: str


def demo_password(email: str) -> str:
    """A password that only this installation knows: it follows from the installation's secret key."""
    digest = salted_hmac("deploy.demo", email, secret=settings.SECRET_KEY, algorithm="sha256").hexdigest()
    return "-".join(digest[n : n + 4] for n in (0, 4, 8, 12))


def logins() -> list[DemoLogin]:
    """The demo's logins, whether or not it was made."""
    roles = ("director", "member")
    return [DemoLogin(role, email, demo_password(email)) for role, email in zip(roles, EMAILS, strict=True)]


def record_demo(
    plan: DemoPlan, played: Mapping[int, Sequence[Event]], size: Size, on_progress: Progress
) -> Club:
    """The whole club, or nothing of it: people, matches, ratings, a chouette, events, a file, a claim.

    Analyses stay queued for the short matches of the newest nights, the newest first.
    """
    with transaction.atomic():
        players = [_sign_up(email, person.name) for email, person in zip(EMAILS, plan.people, strict=False)]
        director = players[0].user
        if director is None:
            raise RuntimeError("a login of the demo has lost its player")
        club = create_club(
            user=director, name=NAME, tz=str(ZONE), currency="EUR", lists_open_to=Openness.EVERYONE
        )
        Club.objects.filter(pk=club.pk).update(is_demo=True)
        club.refresh_from_db()
        players += _members(club, plan.people)
        Membership.objects.create(club=club, player=players[1], role=Role.MEMBER)
        count = len(plan.fixtures)
        for done, fixture in enumerate(plan.fixtures, start=1):
            pair = players[fixture.white], players[fixture.black]
            confirmed = done <= count - UNCONFIRMED
            _match(club, director, pair, played[fixture.number], at=fixture.at, confirmed=confirmed)
            on_progress(done, count)
        for file in plan.files:
            _upload(club, director, file, played[file.number])
        host, member = players[:LOGINS]
        _match(club, director, (member, host), played[plan.live], at=now(), confirmed=False)
        record_chouette(club=club, director=director, players=players, rng=Random(count))  # noqa: S311
        levels = {person.name: person.level for person in plan.people}
        record_events(club=club, director=director, players=players, levels=levels, rng=Random(count))  # noqa: S311
        claim_name(alias=Alias.objects.in_club(club).get(name=FILE_NAMES[0]), player=players[1])
        _rate(club)
        _leave_analyses(club, size.analysed + size.left_to_workers)
        return club


def _sign_up(email: str, name: str) -> Player:
    """The player of a login of the demo; one that an earlier demo left behind, with a real match, goes on."""
    left = User.objects.with_email(email).first()
    user = left or User.objects.create_user(email)
    user.set_password(demo_password(email))
    user.save()
    EmailAddress.objects.get_or_create(user=user, email=email, defaults={"verified": True, "primary": True})
    return Player.objects.with_person().filter(user=user).first() or register_player(name=name, user=user)


def _members(club: Club, people: Sequence[CastMember]) -> list[Player]:
    """Those without a login, in the order of the cast."""
    return [add_player(club=club, name=person.name, role=Role.MEMBER).player for person in people[LOGINS:]]


def _match(
    club: Club,
    director: User,
    players: tuple[Player, Player],
    events: Sequence[Event],
    *,
    at: datetime,
    confirmed: bool,
) -> None:
    """A match on its scoresheet, written by the director; confirmed, it is final at once."""
    [start] = [event for event in events[:1] if isinstance(event, MatchStarted)]
    match = open_match(
        club=club,
        white=players[:1],
        black=players[1:],
        length=start.length,
        profile=PROFILE,
        user=director,
        played_at=at.astimezone(UTC),
    )
    author = Author(user=director, directs=confirmed)
    for first in range(1, len(events), MOST_ENTRIES):
        entries = [
            Entry(f"demo-{number}", event)
            for number, event in enumerate(events[first : first + MOST_ENTRIES], start=first)
        ]
        record(match=match, author=author, after=first, entries=entries)


def _upload(club: Club, director: User, file: File, events: Sequence[Event]) -> None:
    """A match file as somebody might bring it, with names that nobody has claimed."""
    tags = {"Site": "Sete Rios", "EventDate": f"{file.at:%Y.%m.%d}", "EventTime": f"{file.at:%H.%M}"}
    content = write_mat(FILE_NAMES, events, tags).encode()
    [upload] = receive_files(club=club, user=director, files=[(file.name, content)])
    claimed = work.claim(Upload, ref=upload.ref)
    if claimed is None:
        raise RuntimeError("an upload of this transaction was taken by somebody else")
    import_upload(claimed)


def _rate(club: Club) -> None:
    """The rating list, replayed once for all results."""
    asked = RatingUpdate.objects.filter(list__club=club).order_by("pk").first()
    claimed = work.claim(RatingUpdate, ref=asked.ref) if asked else None
    if claimed is None:
        raise RuntimeError("no result of the demo asked for a rating")
    update_list(claimed)


def _leave_analyses(club: Club, count: int) -> None:
    """Keep the analysis of the uploaded match and of the quickest among the newest: to analyse all would take
    an hour. Nobody has seen the others: they were asked for in this very transaction.
    """
    asked = Analysis.objects.filter(match__club=club)
    newest = asked.order_by("-match__played_at", "pk").values_list("pk", "match__length", "head_seq")
    lately = [(length > SHORT, events, pk) for pk, length, events in newest[1:RECENT]]
    kept = [newest[0][0], *(pk for _long, _events, pk in sorted(lately)[: count - 1])]
    asked.exclude(pk__in=kept).delete()
