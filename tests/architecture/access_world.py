"""The world of the access matrix: a club with its people, and an object for every kind of ref.

A new argument of a URL needs one entry in ``VALUES``: a function of the world and the viewer that makes or
finds what the argument names. It is called once for all cells of a row; one that asks who the viewer is, or
changes what the viewers may do, stands in ``OF_ITS_CELL`` and is called inside each cell's transaction.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.core.mail import EmailMessage
from django.db import transaction
from django.test import Client
from django.utils.timezone import now

from clubs.accounts.services.setup import new_setup_token
from clubs.accounts.services.tokens import make_token
from clubs.clubs.services.clubs import token_digest
from clubs.mail.services import keep_mail
from clubs.models import Club, Invitation, Openness, OutgoingMail, Player, Role, User, Visibility, WorkStatus
from clubs.people.services.merges import merge_players
from clubs.people.services.names import player_of
from clubs.refs import new_ref
from scoring.chouettes.services.seats import open_seat
from scoring.chouettes.services.tables import add_to_table, join_table, open_table
from scoring.engines.asked import asked_of
from scoring.files.services.aliases import player_named
from scoring.files.services.imports import import_file
from scoring.files.services.photos import add_photos
from scoring.helping.services.helpers import ask_for_helper
from scoring.log.queries.writers import Author
from scoring.models import (
    Alias,
    Analysis,
    Card,
    CardAnswer,
    CardSession,
    Chouette,
    ChouettePlayer,
    Depth,
    FileAnalysis,
    Helper,
    LinkShows,
    Match,
    MatchNote,
    MatchStatus,
    NoteFor,
    PositionAnalysis,
    Upload,
)
from scoring.notation.xgid import decode_xgid
from scoring.players.services.newcomers import Newcomer
from scoring.positions.services.saved import save_position
from scoring.profiles.queries.houses import BUILT_IN as BUILT_IN_HOUSES
from scoring.profiles.services.houses import keep_house
from scoring.profiles.services.profiles import keep_profile
from scoring.rules.profiles import BUILT_IN, profile_to_plain
from scoring.sharing.services.links import make_link
from scoring.sheets.queries.opened_match import open_match_of
from tests.architecture.access_rules import VIEWERS
from tests.clubs.test_pictures import a_picture
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, UserFactory, member
from tests.scoring.records import short_match
from tests.tournaments.factories import an_event, drawn, open_pairings
from tournaments.calcutta.services import open_auction
from tournaments.desk.services.rulings import rule_on
from tournaments.entries.services.check_ins import open_door
from tournaments.following.services import calendar_key
from tournaments.models import (
    Auction,
    DeskEvent,
    EntrantRow,
    Event,
    EventStatus,
    EventTable,
    ForbiddenKind,
    Prize,
    StageRow,
    StageStatus,
)
from tournaments.stages.services.forbidden import forbid

INVITATION_TOKEN = "an-invitation-to-the-club"
AN_OFFER = "-b----E-C---eE---c-e----B-:0:0:-1:D:0:0:0:3:10"


@dataclass(frozen=True)
class World:
    """A club, public or hidden, and a signed-in client for each viewer."""

    club: Club
    users: dict[str, User]
    clients: dict[str, Client]

    @classmethod
    def make(cls, *, hidden: bool) -> "World":
        visibility = Visibility.MEMBERS if hidden else Visibility.PUBLIC
        # Its lists are open, so that a match that is not final is as visible as the club.
        # What outsiders see by default is in tests/scoring/matches/test_strangers.py.
        club = ClubFactory.create(
            slug="the-club", name="The Club", visibility=visibility, lists_open_to=Openness.EVERYONE
        )
        users = {role.name.lower(): member(club, role) for role in Role}
        # Another owner, so that the first may leave.
        member(club, Role.OWNER)
        users["stranger"] = member(ClubFactory.create(slug="another-club"), Role.OWNER)
        users["admin"] = UserFactory.create(is_superuser=True)
        clients = {viewer: Client(raise_request_exception=False) for viewer in VIEWERS}
        for viewer, user in users.items():
            clients[viewer].force_login(user)
        return cls(club, users, clients)

    def furnished(self) -> "World":
        """With what most rows ask for: a match, and an event that is announced."""
        a_match(self, "owner")
        an_announced_event(self, "owner")
        return self

    def hide(self, *, hidden: bool) -> None:
        """Make the club a hidden or a public one."""
        self.club.visibility = Visibility.MEMBERS if hidden else Visibility.PUBLIC
        self.club.save(update_fields=["visibility"])


def a_player(world: World, _viewer: str) -> str:
    """The ref of a member of the club who has no login."""
    player = PlayerFactory.create(name="Nobody in particular")
    MembershipFactory.create(club=world.club, player=player)
    return player.ref


def an_invitation(world: World, _viewer: str) -> str:
    return Invitation.objects.create(
        club=world.club,
        email="invited@example.org",
        role=Role.MEMBER,
        invited_by=world.users["owner"],
        token_digest=token_digest(INVITATION_TOKEN),
        expires_at=now() + timedelta(days=1),
    ).ref


def an_invitation_token(world: World, viewer: str) -> str:
    an_invitation(world, viewer)
    return INVITATION_TOKEN


def a_mail(_world: World, _viewer: str) -> str:
    ref: str = keep_mail(EmailMessage("subject", "text", "a@example.org", ["b@example.org"])).ref
    return ref


def a_token_of_the_viewer(world: World, viewer: str) -> str:
    user = world.users.get(viewer) or world.users["owner"]
    token, _text = make_token(user=user, label="cell", scopes=[], expires_at=None)
    return token.ref


def a_token_of_somebody_else(_world: World, _viewer: str) -> str:
    token, _text = make_token(user=UserFactory.create(), label="theirs", scopes=[], expires_at=None)
    return token.ref


def a_setup_token(_world: World, _viewer: str) -> str:
    """The first-start page's key, while there is no administrator."""
    User.objects.update(is_superuser=False)
    token = new_setup_token()
    assert token
    return token


def a_match(world: World, _viewer: str) -> str:
    """A real one, from a file."""
    match = Match.objects.filter(club=world.club).first()
    if match is None:
        match, report = import_file(club=world.club, filename="a.mat", content=short_match("Ana", "Ben"))
        assert match, report
    return match.ref


def a_match_to_watch(world: World, viewer: str) -> str:
    """One that is not over: there the sheet is shown to those who only watch, too."""
    ref = a_match(world, viewer)
    Match.objects.filter(ref=ref).update(status=MatchStatus.UNFINISHED)
    return ref


def a_note(world: World, viewer: str) -> str:
    """A member's note for the club."""
    match = Match.objects.get(ref=a_match(world, viewer))
    author = player_of(user=world.users["member"])
    return MatchNote.objects.create(match=match, author=author, audience=NoteFor.CLUB, text="Mind it").ref


def a_photo(world: World, viewer: str) -> str:
    """A photo of a match that the member added."""
    match = Match.objects.get(ref=a_match(world, viewer))
    [photo] = add_photos(match=match, user=world.users["member"], name="a.png", content=a_picture())
    return photo.ref


def a_link(world: World, viewer: str) -> tuple[str, str]:
    """The ref and the secret of a link of the owner's to a match."""
    owner = world.users["owner"]
    player_of(user=owner)  # locks the owner, before the club for the match
    opened = open_match_of(a_match(world, viewer), owner)
    assert opened is not None
    link, secret = make_link(user=owner, match=opened.match, role=opened.role, shows=LinkShows.MATCH, days=7)
    return link.ref, secret


SUMMARY: dict[str, Any] = {"match": {"white": {}, "black": {}}, "games": {}}
"""Of an analysis without a decision."""


def an_analysis(world: World, viewer: str) -> str:
    match = Match.objects.get(ref=a_match(world, viewer))
    return Analysis.objects.create(match=match, head_seq=0, head_hash="", preset="fast").ref


def a_position(_world: World, _viewer: str) -> str:
    """The analysis of a position that none of the viewers asked about."""
    asked = asked_of(decode_xgid("-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10"))
    key = {"digest": asked.digest, "level": Depth.STANDARD, "engine": "gammonview", "preset": "fast"}
    return PositionAnalysis.objects.get_or_create(**key, defaults={"question": asked.plain})[0].ref


def a_saved_position(world: World, _viewer: str) -> str:
    """A position that the member has saved."""
    xgid = "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10"
    return save_position(user=world.users["member"], xgid=xgid, name="Opening").ref


def a_helper(world: World, _viewer: str) -> str:
    """The computer of the member, which waits for a director."""
    user = world.users["member"]
    known = Helper.objects.current().filter(user=user).first()
    return (known or ask_for_helper(user=user, club=world.club, name="Desktop")[0]).ref


def a_file_analysis(world: World, viewer: str) -> str:
    match = Match.objects.get(ref=a_match(world, viewer))
    return FileAnalysis.objects.get_or_create(
        source=match.sources.get(),
        defaults={"program": "gnubg", "exact_label": "gnubg file analysis Kazaross-XG2", "summary": SUMMARY},
    )[0].ref


def a_name(world: World, viewer: str) -> str:
    """A name of the file that somebody of the club says is theirs."""
    a_match(world, viewer)
    alias = Alias.objects.filter(club=world.club).order_by("pk")[0]
    alias.claimed_by = Player.objects.get(ref=a_player(world, viewer))
    alias.save()
    return alias.ref


def a_free_name(world: World, viewer: str) -> str:
    a_match(world, viewer)
    return Alias.objects.filter(club=world.club, claimed_by=None).order_by("pk")[0].ref


def a_player_of_a_match(world: World, viewer: str) -> str:
    a_match(world, viewer)
    return Alias.objects.filter(club=world.club).order_by("pk")[0].player.ref


def an_unclaimed_player(world: World, _viewer: str) -> str:
    """The ref of a player whom only the club's files know."""
    with transaction.atomic():
        return player_named(club=world.club, name=f"Unclaimed {new_ref()}").ref


def a_merge(world: World, viewer: str) -> str:
    """A guest who was merged into a member, in each cell another one."""
    guest, into = (Player.objects.get(ref=a_player(world, viewer)) for _each in range(2))
    return merge_players(guest=guest, into=into, club=world.club).ref


def a_profile(world: World, _viewer: str) -> str:
    """The name of a rules profile of the club's own."""
    values = profile_to_plain(BUILT_IN["us"]) | {"name": "tuesday", "title": "Tuesday rules"}
    return keep_profile(club=world.club, values=values).name


def a_chouette(world: World, _viewer: str) -> str:
    """A table at which the member sits; made once for all cells of a row."""
    known = Chouette.objects.filter(club=world.club).first()
    if known is None:
        user = world.users["member"]
        known = open_table(club=world.club, user=user, title="Friday night", house=BUILT_IN_HOUSES["house"])
        join_table(chouette=known, user=user)
    return known.ref


def an_open_seat(world: World, viewer: str) -> str:
    """The secret of a guest's seat that was opened for another phone."""
    table = Chouette.objects.get(ref=a_chouette(world, viewer))
    author = Author(user=world.users["member"])
    guest = ChouettePlayer.objects.filter(chouette=table, player__user=None).first() or add_to_table(
        chouette=table, author=author, newcomer=Newcomer(name="Leo")
    )
    return open_seat(chouette=table, author=author, player=guest.ref, key=new_ref())


def a_house(world: World, _viewer: str) -> str:
    """The name of house rules of the club's own."""
    return keep_house(club=world.club, name="friday", title="Friday rules", values={}).name


def an_upload(world: World, _viewer: str) -> Upload:
    """A file of some other member, whose import broke down."""
    return Upload.objects.create(
        club=world.club, user=member(world.club), batch=new_ref(), filename="a.mat", status=WorkStatus.FAILED
    )


def an_announced_event(world: World, _viewer: str) -> Event:
    """An event of the club with four players, not drawn."""
    known = Event.objects.filter(club=world.club, status=EventStatus.ANNOUNCED).first()
    return known or an_event(4, club=world.club)


def a_drawn_stage(world: World, viewer: str) -> StageRow:
    known = StageRow.objects.filter(flight__event__club=world.club, status=StageStatus.RUNNING).first()
    return known or drawn(an_announced_event(world, viewer))


def a_season(world: World, _viewer: str) -> str:
    """A Keizer of four that is played."""
    return drawn(an_event(4, club=world.club, format_key="keizer")).ref


def a_ladder(world: World, _viewer: str) -> str:
    """A ladder of four that is played."""
    return drawn(an_event(4, club=world.club, format_key="ladder")).ref


def a_prize(world: World, viewer: str) -> str:
    """A prize that was written down; made once for all arguments of a row."""
    entrant = EntrantRow.objects.filter(flight__event=an_announced_event(world, viewer))[0]
    found, _new = Prize.objects.get_or_create(
        flight=entrant.flight, entrant=entrant, source="main", defaults={"amount": 1000}
    )
    return found.ref


def an_auction(world: World, viewer: str) -> Auction:
    """An auction in which nothing is sold."""
    flight = an_announced_event(world, viewer).flights.get()
    known = Auction.objects.filter(flight=flight).first()
    return known or open_auction(flight=flight, rake=0, most_back=50, percentages=(100,), user=None)


def a_forbidden_line(world: World, viewer: str) -> str:
    """A line of the list of forbidden pairs."""
    flight = an_announced_event(world, viewer).flights.get()
    return forbid(flight=flight, kind=ForbiddenKind.CLUB, never=False, user=None).ref


def an_entrant_of_the_draw(world: World, viewer: str) -> str:
    return a_drawn_stage(world, viewer).numbers.order_by("number")[0].entrant.ref


def a_player_whom_the_viewer_knows(world: World, viewer: str) -> str:
    """The viewer; for a visitor somebody of the club."""
    return player_of(user=world.users.get(viewer) or world.users["owner"]).ref


def a_door(world: World, viewer: str) -> str:
    return open_door(event=an_announced_event(world, viewer))


def a_table(world: World, viewer: str) -> str:
    event = an_announced_event(world, viewer)
    return str(EventTable.objects.get_or_create(event=event, number=1)[0].number)


def an_entry_of_the_log(world: World, viewer: str) -> str:
    """A ruling in the log of the event that is announced."""
    event = an_announced_event(world, viewer)
    known = DeskEvent.objects.filter(event=event, kind="ruling").first()
    entry = known or rule_on(
        event=event, user=world.users["owner"], happened="The dice were cocked.", decision="Roll again."
    )
    return str(entry.seq)


def a_card(world: World, viewer: str) -> Card:
    """A card of the member, with an analysis that judges it."""
    match = Match.objects.select_related("sheet").get(ref=a_match(world, viewer))
    player = player_of(user=world.users["member"])
    analysis, is_new = Analysis.objects.get_or_create(
        match=match,
        head_hash=match.sheet.head_hash,
        engine="test",
        preset="fast",
        defaults={"head_seq": 0, "label": "test 1 fast", "status": WorkStatus.DONE, "summary": SUMMARY},
    )
    if is_new:
        named = [
            {"action": each, "equity": 0.0, "level": "", "probabilities": None} for each in ("take", "pass")
        ]
        analysis.decisions.create(
            number=0,
            event_seq=3,
            game=1,
            ply=1,
            kind="response",
            colour="white",
            counted=True,
            candidates=named,
        )
    values = {"colour": "white", "kind": "error", "xgid": AN_OFFER, "error": 0.1, "due": now().date()}
    return Card.objects.get_or_create(
        player=player, match=match, event_seq=3, decision="response", defaults=values
    )[0]


def a_card_session(world: World, viewer: str) -> CardSession:
    card = a_card(world, viewer)
    return CardSession.objects.get_or_create(player=card.player, finished_at=None, defaults={"card": card})[0]


def a_card_answer(world: World, viewer: str) -> str:
    session = a_card_session(world, viewer)
    answer = CardAnswer.objects.get_or_create(
        session=session,
        card=a_card(world, viewer),
        defaults={"number": 1, "given": "take", "right": True, "loss": 0.0, "best": "take", "played": "pass"},
    )[0]
    return answer.ref


Value = Callable[[World, str], str]
VALUES: dict[str, Value] = {
    "reader": lambda _world, _viewer: "engineers",
    "topic": lambda _world, _viewer: "architecture",
    "chouette": a_chouette,
    "open_seat": an_open_seat,
    "house": a_house,
    "club": lambda world, _viewer: world.club.slug,
    "player": a_player,
    "invitation": an_invitation,
    "invitation_token": an_invitation_token,
    "setup_token": a_setup_token,
    "mail": a_mail,
    "task": lambda _world, _viewer: OutgoingMail.TASK,
    "own_token": a_token_of_the_viewer,
    "foreign_token": a_token_of_somebody_else,
    "match": a_match,
    "match_to_watch": a_match_to_watch,
    "own_card": lambda world, viewer: a_card(world, viewer).ref,
    "session": lambda world, viewer: a_card_session(world, viewer).ref,
    "answer": a_card_answer,
    "alias": a_name,
    "merge": a_merge,
    "unclaimed": an_unclaimed_player,
    "free_name": a_free_name,
    "match_player": a_player_of_a_match,
    "profile": a_profile,
    "step": lambda _world, _viewer: "1",
    "note": a_note,
    "photo": a_photo,
    "link": lambda world, viewer: a_link(world, viewer)[0],
    "share_secret": lambda world, viewer: a_link(world, viewer)[1],
    "analysis": an_analysis,
    "file_analysis": a_file_analysis,
    "position": a_position,
    "saved": a_saved_position,
    "helper": a_helper,
    "lease": lambda _world, _viewer: new_ref(),
    "upload": lambda world, viewer: an_upload(world, viewer).ref,
    "batch": lambda world, viewer: an_upload(world, viewer).batch,
    "ref": lambda world, _viewer: world.club.ref,
    "event": lambda world, viewer: an_announced_event(world, viewer).ref,
    "entrant": lambda world, viewer: (
        EntrantRow.objects.filter(flight__event=an_announced_event(world, viewer))[0].ref
    ),
    "stage": lambda world, viewer: a_drawn_stage(world, viewer).ref,
    "ladder": a_ladder,
    "season": a_season,
    "flight": lambda world, viewer: an_announced_event(world, viewer).flights.get().ref,
    "prize": a_prize,
    "line": a_forbidden_line,
    "auctioned": lambda world, viewer: an_auction(world, viewer).flight.ref,
    "lot": lambda world, viewer: an_auction(world, viewer).lots.order_by("number")[0].ref,
    "account": lambda world, viewer: Prize.objects.get(ref=a_prize(world, viewer)).entrant.ref,
    "calendar_key": lambda world, _viewer: calendar_key(user=world.users["member"]).key,
    "table": lambda _world, _viewer: "1",
    "drawn_entrant": an_entrant_of_the_draw,
    "own_player": a_player_whom_the_viewer_knows,
    "pairing": lambda world, viewer: open_pairings(a_drawn_stage(world, viewer))[0].ref,
    "door": a_door,
    "number": a_table,
    "seq": an_entry_of_the_log,
    "code": lambda _world, _viewer: "invalid",
    "address": lambda _world, _viewer: "nowhere/at/all/",
    "pk": lambda _world, _viewer: "1",
}

OF_ITS_CELL = {"own_token", "own_player", "setup_token"}
