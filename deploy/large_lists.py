"""Everything around a large club's matches, written by COPY.

Members, names in files, events, uploads, chouettes and analyses, for throw-away databases like
``deploy.large_club``: every list that grows with a club has enough other rows that a query over all of them
shows.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from hashlib import sha256
from itertools import islice
from random import Random

from django.apps import apps
from django.db import connection, transaction
from django.utils.timezone import now

from clubs.models import (
    ApiToken,
    Club,
    Invitation,
    Membership,
    Merge,
    OutgoingMail,
    Player,
    Role,
    Scope,
    User,
)
from clubs.models.mail import Delivery
from clubs.models.person import sort_key
from clubs.models.work import WorkStatus
from deploy.copied_rows import Copied
from deploy.large_club import BEGINNING, fill, refs_without_end
from scoring.models import (
    Alias,
    Analysis,
    Chouette,
    ChouetteGame,
    ChouettePlayer,
    ChouetteStatus,
    Ledger,
    Match,
    Rating,
    Result,
    Sheet,
    Upload,
)
from scoring.profiles.queries.houses import BUILT_IN
from scoring.profiles.queries.profiles import profiles_of
from scoring.ratings.services.ratings import main_list, replay_list
from scoring.rules.chouette.events import SessionStarted
from scoring.rules.chouette.session import begin_session
from scoring.rules.logs import CHOUETTE_LOG
from scoring.sheets.services.openings import open_match
from tournaments.core.stages.seeding import bracket_size
from tournaments.core.stages.stage import seed_hash
from tournaments.models import (
    Board,
    DeskEvent,
    EntrantMember,
    EntrantRow,
    Event,
    EventStatus,
    EventTable,
    FeePayment,
    Flight,
    Follow,
    PairingRow,
    PairingState,
    StageEntrant,
    StageRow,
    StageStatus,
)

LABEL = "gammonview 3.1.0 fast@2"
UNCONFIRMED = 50  # matches, the newest
FIELD = 16  # entrants of a usual event
LARGE_FIELD = 500
WITHOUT_PENALTIES = '{"penalties":[0,0]}'
"""As much of a sheet's state as the desk reads."""
FILES = 40  # in a batch
_SUMS = {
    **dict.fromkeys(("checker_loss", "cube_loss", "luck"), 0.4),
    **dict.fromkeys(("checker_counted", "cube_counted", "luck_rolls"), 50),
}


@dataclass(frozen=True, slots=True)
class LargeClub:
    """The club, its viewers, and the objects with the longest lists."""

    club: Club
    member: User
    director: User
    player: Player
    event: Event
    stage: StageRow
    batch: str
    alias: Alias
    match: Match


def fill_lists(*, club: Club, players: int, matches: int, events: int) -> LargeClub:
    """Add players, matches and events to the club, and what belongs to them.

    The member has played as many matches as anyone; every fifth player is known only from files.
    """
    keys = fill(club=club, players=players, matches=matches, seed=club.pk)
    at = now() - timedelta(days=1)
    matches_played = list(Match.objects.in_club(club).newest_first().values_list("pk", flat=True))
    Result.objects.filter(match__in=matches_played[:UNCONFIRMED]).update(final_at=None, final_by="")
    logins = zip(("member", "director"), keys, strict=False)
    member, director = (_login(f"{name}@{club.slug}.invalid", key) for name, key in logins)
    copied = Copied(club)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        _people(copied, club, keys, director)
        alias = _names(copied, club, keys)
        _analyses(copied, club, matches_played)
        batch = _uploads(copied, club, member, matches_played)
        _tables(copied, club, keys)
        event, stage = _events(copied, club, keys, events, iter(matches_played))
        _of_the_users(copied, member, director, keys)
        _merges(copied, club, keys, director)
        cursor.execute("SET LOCAL session_replication_role = origin")
    replay_list(rating_list=main_list(club))
    Rating.objects.filter(list__club=club).update(last_played_at=at)
    with connection.cursor() as cursor:
        # By name: without names it holds the server's shared tables until the caller's transaction ends.
        ours = map(apps.get_app_config, ("clubs", "scoring", "tournaments"))
        tables = [model._meta.db_table for app in ours for model in app.get_models()]
        cursor.execute(f"ANALYZE {', '.join(tables)}")
    match = _under_way(club, director, keys, stage)
    player = Player.objects.with_person().get(pk=keys[0])
    return LargeClub(club, member, director, player, event, stage, batch, alias, match)


def _under_way(club: Club, director: User, keys: list[int], stage: StageRow) -> Match:
    """A started match at the board of the stage's first pairing."""
    white, black = Player.objects.filter(pk__in=keys[:2]).order_by("pk")
    profile = profiles_of(club)[0]
    match = open_match(club=club, white=[white], black=[black], length=5, profile=profile, user=director)
    first = Board.objects.filter(pairing__stage=stage).order_by("pairing__number").values("pk")[:1]
    Board.objects.filter(pk__in=first).update(match=match)
    return match


def _login(email: str, key: int) -> User:
    user = User.objects.create_user(email=email)
    Player.objects.filter(pk=key).update(user=user)
    return user


def _people(copied: Copied, club: Club, keys: list[int], director: User) -> None:
    roles = {keys[0]: Role.MEMBER, keys[1]: Role.DIRECTOR}
    copied(
        Membership(club=club, player_id=key, role=roles.get(key, Role.GUEST if key % 3 else Role.MEMBER))
        for at, key in enumerate(keys)
        if at < 2 or at % 5
    )
    until = now() + timedelta(days=7)
    copied(
        Invitation(
            club=club,
            email=f"invited{n}@large.invalid",
            invited_by=director,
            token_digest=sha256(f"{club.slug} {n}".encode()).hexdigest(),
            expires_at=until,
        )
        for n in range(len(keys) // 20)
    )


def _names(copied: Copied, club: Club, keys: list[int]) -> Alias:
    """A name in files for each player; the member claims every hundredth."""
    rows = copied(
        Alias(
            club=club,
            name=f"file name {key}",
            key=sort_key(f"file name {key}"),
            player_id=key,
            claimed_by_id=keys[0] if at % 100 == 2 else None,
        )
        for at, key in enumerate(keys)
    )
    waiting: Alias = rows[-1]
    return waiting


def _analyses(copied: Copied, club: Club, matches: list[int]) -> None:
    """Analyses of every tenth match; some are queued."""
    summary = {"match": {"white": _SUMS, "black": _SUMS}, "games": {}}
    usual = {"head_seq": 0, "head_hash": "", "preset": "fast@2"}
    done = {**usual, "label": LABEL, "status": WorkStatus.DONE, "summary": summary}
    copied(
        Analysis(club=club, match_id=match, **(usual if n < 20 else done))
        for n, match in enumerate(matches[::10])
    )


def _uploads(copied: Copied, club: Club, member: User, matches: list[int]) -> str:
    """Batches of uploads; return the ref of the largest, with 200 files."""
    refs = refs_without_end(Random(f"batches of {club.pk}"))  # noqa: S311 - a reproducible club
    batches = [next(refs) for _n in range(len(matches) // FILES // 3 + 1)]
    report = {"file": "a.mat", "players": ["Ana", "Ben"], "length": 5, "score": [5, 3], "flags": []}
    for batch, count in [(batches[0], 5 * FILES), *((each, FILES) for each in batches[1:])]:
        copied(
            Upload(
                club=club,
                user=member,
                batch=batch,
                filename=f"{n}.mat",
                sha256=f"{n}",
                status=WorkStatus.DONE,
                match_id=matches[n % len(matches)],
                report=report,
            )
            for n in range(count)
        )
    return batches[0]


def _tables(copied: Copied, club: Club, keys: list[int]) -> None:
    """One chouette per ten players, each of four players and three games."""
    house = BUILT_IN["house"]
    begun = begin_session(SessionStarted(house.options, house.name))
    state = CHOUETTE_LOG.state_bytes(begun).decode()
    sheets = copied(Sheet(club=club, kind="chouette", state=state) for _n in range(max(3, len(keys) // 10)))
    tables = copied(
        Chouette(
            club=club,
            sheet=sheet,
            title=f"Chouette {n}",
            currency="EUR",
            status=ChouetteStatus.CLOSED,
            closed_at=BEGINNING,
        )
        for n, sheet in enumerate(sheets)
    )
    people = [
        copied(
            ChouettePlayer(chouette=table, player_id=keys[(4 * n + seat) % len(keys)], seated=True)
            for n, table in enumerate(tables)
        )
        for seat in range(4)
    ]
    for number in range(1, 4):
        games = copied(
            ChouetteGame(
                chouette=table, number=number, begun_seq=number, end_seq=number + 1, finished_at=BEGINNING
            )
            for table in tables
        )
        for seat, points in zip(people, (3, -1, -1, -1), strict=True):
            copied(
                Ledger(game=game, player=player, points=points, minor=100 * points)
                for game, player in zip(games, seat, strict=True)
            )


def _events(
    copied: Copied, club: Club, keys: list[int], count: int, matches: Iterator[int]
) -> tuple[Event, StageRow]:
    """Events days apart, most of them over.

    The first has the largest field and the longest log. Returns it and its stage.
    """
    running, coming = max(1, count // 50), max(1, count // 25)
    statuses = [EventStatus.FINISHED] * (count - running - coming)
    statuses += [EventStatus.RUNNING] * running + [EventStatus.ANNOUNCED] * coming
    events = copied(
        Event(
            club=club,
            name=f"Event {n}",
            status=status,
            starts_at=now() + timedelta(days=3 * (n - count + coming)),
        )
        for n, status in enumerate(statuses)
    )
    flights = copied(Flight(event=event) for event in events)
    stages = copied(
        StageRow(
            flight=flight,
            name="Main",
            format="knockout",
            seed=str(n),
            seed_hash=seed_hash(str(n)),
            status=_status_of_stage(flight.event),
            seats=bracket_size(_size(n, keys)) if flight.event.status == EventStatus.FINISHED else 0,
        )
        for n, flight in enumerate(flights)
    )
    _fields(copied, flights, stages, keys, matches)
    Sheet.objects.filter(match__board__isnull=False, state="").update(state=WITHOUT_PENALTIES)
    copied(
        DeskEvent(
            event=events[0],
            seq=seq,
            kind="list_entered",
            body={"flight": flights[0].ref, "entries": 1},
            hash=f"{seq:064x}",
        )
        for seq in range(1, 10 * FIELD + 1)
    )
    copied(EventTable(event=events[0], number=number) for number in range(1, 101))
    return events[0], stages[0]


def _size(at: int, keys: list[int]) -> int:
    """The entrants of the division at this place."""
    return min(LARGE_FIELD if at == 0 else FIELD, len(keys) // 2 * 2)


def _status_of_stage(event: Event) -> str:
    return {EventStatus.FINISHED: StageStatus.FINISHED}.get(EventStatus(event.status), StageStatus.PLANNED)


def _fields(
    copied: Copied, flights: list[Flight], stages: list[StageRow], keys: list[int], matches: Iterator[int]
) -> None:
    """Entrants of each division, numbered in its stage and paired once if over."""
    dice = Random(4)  # noqa: S311 - a reproducible club
    for at, (flight, stage) in enumerate(zip(flights, stages, strict=True)):
        size = _size(at, keys)
        entrants = copied(EntrantRow(flight=flight, payment=FeePayment.CASH) for _n in range(size))
        chosen = dice.sample(keys, size)
        copied(
            EntrantMember(entrant=entrant, flight=flight, player_id=key)
            for entrant, key in zip(entrants, chosen, strict=True)
        )
        if stage.status == StageStatus.PLANNED:
            continue
        copied(
            StageEntrant(flight=flight, stage=stage, number=n, entrant=each, drawn=each, seat=n)
            for n, each in enumerate(entrants, 1)
        )
        pairings = copied(
            PairingRow(
                stage=stage,
                number=n,
                round=1,
                a=one,
                b=other,
                winner=one,
                state=PairingState.DECIDED,
                ended="played",
                length=5,
            )
            for n, (one, other) in enumerate(zip(entrants[::2], entrants[1::2], strict=True), 1)
        )
        boards = zip(pairings, islice(matches, len(pairings)), strict=False)
        copied(Board(pairing=pairing, match_id=match) for pairing, match in boards)


def _of_the_users(copied: Copied, member: User, director: User, keys: list[int]) -> None:
    """Followed players, tokens and sent mail of the viewers."""
    copied(Follow(user=member, player_id=key) for key in keys[2 : 2 + len(keys) // 20])
    copied(
        ApiToken(user=user, label=f"token {n}", prefix="mp_", digest=f"{user.pk}-{n}", scopes=[Scope.READ])
        for user in (member, director)
        for n in range(60)
    )
    mail = partial(
        OutgoingMail, recipients=["a@large.invalid"], sender="b@large.invalid", text="", message=b""
    )
    copied(
        mail(
            subject=f"Mail {n}",
            message_id=f"<{n}.{member.pk}@large>",
            status=WorkStatus.DONE,
            delivery=Delivery.values[0],
        )
        for n in range(len(keys))
    )


def _merges(copied: Copied, club: Club, keys: list[int], director: User) -> None:
    """Guests merged into the member."""
    guests = copied(Player(merged_into_id=keys[0]) for _n in range(max(3, len(keys) // 100)))
    copied(
        Merge(club=club, guest=guest, into_id=keys[0], name=f"Guest {n}", by=director)
        for n, guest in enumerate(guests)
    )
