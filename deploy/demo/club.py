"""The demo club's rows, recorded step by step by the services for real ones."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from random import Random
from time import monotonic, sleep

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.utils.crypto import salted_hmac
from django.utils.timezone import now

from clubs.clubs.services.clubs import add_player, create_club
from clubs.models import Club, DemoProgress, Membership, Openness, Player, Role, User, WorkStatus
from clubs.people.services.names import register_player
from clubs.work import services as work
from clubs.work.services import WorkLostError
from deploy.demo.cast import FILE_NAMES, LOGINS, CastMember
from deploy.demo.chouette import record_chouette
from deploy.demo.event import record_events
from deploy.demo.plan import UNCONFIRMED, ZONE, DemoPlan, File, Size
from deploy.demo.playing import MatchPlan
from scoring.analysis.services.analyses import request_analysis
from scoring.files.services.aliases import claim_name
from scoring.files.services.imports import import_upload, receive_files
from scoring.log.queries.writers import Author
from scoring.models import Alias, Analysis, Match, RatingUpdate, Upload
from scoring.notation.mat import write_mat
from scoring.ratings.services.ratings import update_list
from scoring.rules.events import Event, MatchStarted
from scoring.rules.profiles import STANDARD_PROFILE, Profile, ReportPolicy
from scoring.sheets.services.entries import MOST_ENTRIES, Entry, record
from scoring.sheets.services.openings import open_match

NAME = "Sete Rios Demo Club"
EMAILS = ("director@demo.invalid", "member@demo.invalid")
"""The demo accounts; no mail can reach ``.invalid`` (RFC 2606)."""

PROFILE = Profile("club-night", "Club night", options=STANDARD_PROFILE.options, report=ReportPolicy.BOTH)
"""Both sides confirm, so that the demo has results awaiting confirmation."""

SHORT, RECENT = 2, 50  # points, matches: from among these some are analysed at once

LAST_STEP = 1
"""The step after the matches: everything else in the club."""
PATIENCE, LOOK_AGAIN = 600.0, 0.5  # seconds


@dataclass(frozen=True, slots=True)
class DemoLogin:
    """How to sign in to the demo club."""

    role: str
    email: str
    password: str


def demo_password(email: str) -> str:
    """A password derived from the secret key, unique to this site."""
    digest = salted_hmac("deploy.demo", email, secret=settings.SECRET_KEY, algorithm="sha256").hexdigest()
    return "-".join(digest[n : n + 4] for n in (0, 4, 8, 12))


def logins() -> list[DemoLogin]:
    """The demo's accounts, even before they exist."""
    roles = ("director", "member")
    return [DemoLogin(role, email, demo_password(email)) for role, email in zip(roles, EMAILS, strict=True)]


def keep_passwords() -> None:
    """Give the demo's accounts the passwords of the secret key as it is, if it was changed."""
    for user in User.objects.filter(email__in=EMAILS):
        if not user.check_password(demo_password(user.email)):
            user.set_password(demo_password(user.email))
            user.save(update_fields=["password"])


def found_demo(plan: DemoPlan, *, seed: int, day: date, size: Size) -> DemoProgress:
    """Create the club and its members without matches: the first step, atomic."""
    with transaction.atomic():
        players = [_sign_up(email, person.name) for email, person in zip(EMAILS, plan.people, strict=False)]
        director = players[0].user
        if director is None:
            raise RuntimeError("a demo account has no player")
        club = create_club(
            user=director, name=NAME, tz=str(ZONE), currency="EUR", lists_open_to=Openness.EVERYONE
        )
        Club.objects.filter(pk=club.pk).update(is_demo=True)
        club.refresh_from_db()
        players += _members(club, plan.people)
        Membership.objects.create(club=club, player=players[1], role=Role.MEMBER)
        return DemoProgress.objects.create(
            club=club,
            seed=seed,
            day=day,
            members=size.members,
            matches=size.matches,
            analysed=size.analysed,
            players=[player.pk for player in players],
            total=len(plan.fixtures) + LAST_STEP + size.analysed,
        )


def fill_demo(progress: DemoProgress, plan: DemoPlan, played: Iterable[tuple[int, Sequence[Event]]]) -> None:
    """Record the remaining matches, each with its count, and then the rest.

    ``played`` has the matches of ``games_left`` in order. Ratings follow; analyses are left queued.
    """
    count = len(plan.fixtures)
    players = _cast(progress)
    rest: dict[int, Sequence[Event]] = {}
    for number, events in played:
        if number >= count:
            rest[number] = events
            continue
        fixture = plan.fixtures[number]
        with _step(progress, number):
            pair = players[fixture.white], players[fixture.black]
            confirmed = number < count - UNCONFIRMED
            match = _match(progress.club, pair, players[0], events, at=fixture.at, confirmed=confirmed)
            # To analyse all would take an hour; a few are asked for at the end.
            Analysis.objects.filter(match=match).delete()
    if progress.done == count:
        with _step(progress, count):
            _rest(progress, plan, players, rest)
    _rate(progress.club)


def games_left(progress: DemoProgress, plan: DemoPlan) -> dict[int, MatchPlan]:
    """The matches to record, by number; none if only analyses are missing."""
    if progress.done > len(plan.fixtures):
        return {}
    return {number: game for number, game in plan.games.items() if number >= progress.done}


@contextmanager
def _step(progress: DemoProgress, number: int) -> Iterator[None]:
    """One step with its count in one transaction, never repeated."""
    with transaction.atomic():
        locked = DemoProgress.objects.select_for_update().get(pk=progress.pk)
        if locked.done != number:
            raise RuntimeError(f"expected step {number} of the demo next, but {locked.done} are done")
        yield
        DemoProgress.objects.filter(pk=progress.pk).update(done=number + 1)
    progress.done = number + 1


def _cast(progress: DemoProgress) -> list[Player]:
    found = Player.objects.with_person().select_related("user").in_bulk(progress.players)
    return [found[key] for key in progress.players]


def accounts_of(progress: DemoProgress) -> list[Player]:
    """The players of the demo's accounts."""
    return _cast(progress)[:LOGINS]


def _rest(
    progress: DemoProgress, plan: DemoPlan, players: list[Player], played: Mapping[int, Sequence[Event]]
) -> None:
    """Files, the match in progress, the chouette, events, a claim, and analyses."""
    club, director, count = progress.club, _user(players[0]), len(plan.fixtures)
    for file in plan.files:
        _upload(club, director, file, played[file.number])
    host, member = players[:LOGINS]
    _match(club, (member, host), host, played[plan.live], at=now(), confirmed=False)
    record_chouette(club=club, director=director, players=players, rng=Random(count))  # noqa: S311
    levels = {person.name: person.level for person in plan.people}
    record_events(club=club, director=director, players=players, levels=levels, rng=Random(count))  # noqa: S311
    claim_name(alias=Alias.objects.in_club(club).get(name=FILE_NAMES[0]), player=players[1])
    _leave_analyses(club, progress.analysed + Size().left_to_workers)


def _user(player: Player) -> User:
    if player.user is None:
        raise RuntimeError("a demo account has no player")
    return player.user


def _sign_up(email: str, name: str) -> Player:
    """The player of a demo account, which an earlier demo may have left behind."""
    left = User.objects.with_email(email).first()
    user = left or User.objects.create_user(email)
    user.set_password(demo_password(email))
    user.save()
    EmailAddress.objects.get_or_create(user=user, email=email, defaults={"verified": True, "primary": True})
    return Player.objects.with_person().filter(user=user).first() or register_player(name=name, user=user)


def _members(club: Club, people: Sequence[CastMember]) -> list[Player]:
    """Members without an account, in cast order."""
    return [add_player(club=club, name=person.name, role=Role.MEMBER).player for person in people[LOGINS:]]


def _match(
    club: Club,
    pair: tuple[Player, Player],
    host: Player,
    events: Sequence[Event],
    *,
    at: datetime,
    confirmed: bool,
) -> Match:
    """A match on its scoresheet, written by the director; confirmed, it is final."""
    [start] = [event for event in events[:1] if isinstance(event, MatchStarted)]
    director = _user(host)
    match = open_match(
        club=club,
        white=pair[:1],
        black=pair[1:],
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
    return match


def _upload(club: Club, director: User, file: File, events: Sequence[Event]) -> None:
    """Upload a match file with unclaimed names."""
    tags = {"Site": "Sete Rios", "EventDate": f"{file.at:%Y.%m.%d}", "EventTime": f"{file.at:%H.%M}"}
    content = write_mat(FILE_NAMES, events, tags).encode()
    [upload] = receive_files(club=club, user=director, files=[(file.name, content)])
    claimed = work.claim(Upload, ref=upload.ref)
    if claimed is None:
        raise RuntimeError("another process has taken an upload of this transaction")
    import_upload(claimed)


def _rate(club: Club) -> None:
    """Update the rating list; wait for a worker that is doing so."""
    unfinished = RatingUpdate.objects.filter(
        list__club=club, status__in=[WorkStatus.QUEUED, WorkStatus.RUNNING]
    )
    end = monotonic() + PATIENCE
    while (asked := unfinished.order_by("status", "pk").first()) is not None:
        claimed = work.claim(RatingUpdate, ref=asked.ref)
        if claimed is not None:
            with suppress(WorkLostError):  # a worker has followed it with its own
                update_list(claimed)
        elif monotonic() > end:
            raise RuntimeError("no worker updates the rating list of the demo club")
        else:
            sleep(LOOK_AGAIN)


def _leave_analyses(club: Club, count: int) -> None:
    """Queue analyses of the shortest of the newest matches, first of those that an account has played."""
    asked = Analysis.objects.filter(match__club=club).order_by("-match__played_at", "pk")
    newest = list(asked.values_list("pk", flat=True))[:1]
    Analysis.objects.filter(match__club=club).exclude(pk__in=newest).delete()
    ended = Match.objects.in_club(club).finished().filter(board=None)
    lately = ended.exclude(analyses__pk__in=newest).select_related("sheet").order_by("-played_at", "pk")
    own = set(lately.filter(seats__player__user__isnull=False).values_list("pk", flat=True)[:RECENT])
    quickest = sorted(
        lately[:RECENT],
        key=lambda match: (match.length > SHORT, match.pk not in own, match.sheet.head_seq, match.pk),
    )
    for match in quickest[: count - len(newest)]:
        request_analysis(match=match)
