"""A chouette of the demo club, recorded by the services for real ones.

Six play, one joins late, a cube is settled, a result is corrected, and the last game is in progress, with a
double awaiting its answers.
"""

from collections.abc import Sequence
from random import Random

from clubs.models import Club, Player, User
from scoring.chouettes.services.chouettes import record, table_state
from scoring.chouettes.services.corrections import correct
from scoring.chouettes.services.tables import add_to_table, join_table, open_table
from scoring.log.queries.writers import Author
from scoring.models import Chouette
from scoring.players.services.newcomers import Newcomer
from scoring.profiles.queries.houses import House
from scoring.profiles.services.houses import keep_house
from scoring.rules.chouette.events import (
    Answered,
    ChouetteEvent,
    CubeBeavered,
    CubeSettled,
    GameBegun,
    GameOver,
    Offered,
    PlacesThrown,
    PlaceThrow,
)
from scoring.rules.chouette.game_state import TableGame
from scoring.rules.chouette.options import ChouetteOptions, Extras
from scoring.rules.chouette.session import apply_event
from scoring.rules.chouette.session_state import SessionState
from scoring.rules.codec import to_plain
from scoring.rules.match import Win
from scoring.sheets.services.entries import Entry

TITLE = "Friday chouette"
HOUSE = ChouetteOptions(settlements=True, extras=Extras.OPTIONAL, takes_captain=True)
AT_FIRST, GAMES, LATE_AFTER, SETTLED_IN = 5, 9, 4, 6
STAKE, SMALL_STAKE = 100, 50
DOUBLES, TAKES, BEAVERS, BOX_WINS = 0.35, 0.7, 0.2, 0.55
WINS = (Win.SINGLE,) * 7 + (Win.GAMMON,) * 3


def record_chouette(*, club: Club, director: User, players: Sequence[Player], rng: Random) -> Chouette:
    """Record the chouette.

    ``players`` begins with those who can sign in; six of them play, four or five in a smaller club.
    """
    house = _house(club)
    table = open_table(club=club, user=director, title=TITLE, house=house, stake=STAKE)
    first = min(AT_FIRST, len(players) - 1)
    for player in players[:first]:
        _seat(table, director, player)
    line = table_state(_loaded(table).sheet).line
    dice = rng.sample(range(1, 7), len(line))
    throws = tuple(PlaceThrow(ref, (die,)) for ref, die in zip(line, dice, strict=True))
    _write(table, director, [PlacesThrown(throws)])
    for number in range(1, GAMES + 1):
        state = table_state(_loaded(table).sheet)
        _write(table, director, a_game(state, rng, settled=number == SETTLED_IN))
        if number == LATE_AFTER:
            _seat(table, director, players[first], stake=SMALL_STAKE)
    _correct_last(table, director)
    _write(table, director, _still_on(table_state(_loaded(table).sheet)))
    return _loaded(table)


def a_game(state: SessionState, rng: Random, *, settled: bool = False) -> list[ChouetteEvent]:
    """A lively game: early doubles, brave takes."""
    events: list[ChouetteEvent] = []

    def happens(event: ChouetteEvent) -> TableGame | None:
        nonlocal state
        state = apply_event(state, event)
        events.append(event)
        return state.game

    game = happens(GameBegun())
    assert game is not None  # noqa: S101 - it has just begun
    box = game.seating.box
    doubled = tuple(player for player in game.seating.crew if rng.random() < DOUBLES)
    for player in doubled:
        game = happens(Offered(player, (player,)))
    if doubled:
        captain = game.captain if game else None
        takes = tuple(player for player in doubled if player == captain or rng.random() < TAKES)
        game = happens(Answered(box, takes, tuple(player for player in doubled if player not in takes)))
        if game is not None and takes and rng.random() < BEAVERS:
            game = happens(CubeBeavered(box, takes[0]))
    if game is not None and settled:
        live = [cube.key for cube in game.cubes if cube.live]
        game = happens(CubeSettled(live[-1], 1))
    if game is not None:
        happens(GameOver(box_won=rng.random() < BOX_WINS, win=rng.choice(WINS)))
    return events


def _still_on(state: SessionState) -> list[ChouetteEvent]:
    """Play the last game up to an open double by the next of the crew."""
    box, captain, following = state.line[0], *state.crew[:2]
    return [
        GameBegun(),
        Offered(captain, (captain,)),
        Answered(box, takes=(captain,)),
        Offered(following, (following,)),
    ]


def _house(club: Club) -> House:
    return keep_house(
        club=club, name="friday-house", title="Friday house rules", values=to_plain(HOUSE, full=True)
    )


def _seat(table: Chouette, director: User, player: Player, stake: int | None = None) -> None:
    if player.user is not None:
        join_table(chouette=table, user=player.user, stake=stake)
    else:
        newcomer = Newcomer(ref=player.ref)
        add_to_table(chouette=table, author=Author(user=director), newcomer=newcomer, stake=stake)


def _write(table: Chouette, director: User, events: Sequence[ChouetteEvent]) -> None:
    head = _loaded(table).sheet.head_seq
    entries = [Entry(f"demo-{head + n}", event) for n, event in enumerate(events, start=1)]
    record(chouette=table, author=Author(user=director), after=head, entries=entries)


def _correct_last(table: Chouette, director: User) -> None:
    """Correct the last game: the other side won."""
    sheet = _loaded(table).sheet
    over = sheet.events.filter(kind=GameOver.kind).order_by("seq").last()
    if over is None:
        raise RuntimeError("no game of the demo chouette was finished")
    event = GameOver(box_won=not over.body["box_won"], win=Win.SINGLE)
    correct(
        chouette=table,
        author=Author(user=director),
        after=sheet.head_seq,
        key="demo-correction",
        seq=over.seq,
        event=event,
        reason="It was the other side that won.",
    )


def _loaded(table: Chouette) -> Chouette:
    return Chouette.objects.with_sheet().get(pk=table.pk)
