"""Short ways to open a match and to write on its sheet in tests."""

from itertools import count
from typing import Any

from scoring.log.queries.writers import Author
from scoring.log.services.sheets import state_of
from scoring.models import Match
from scoring.rules.dice import Roll
from scoring.rules.endings import GameEnd
from scoring.rules.events import Event, GameRecorded, OpeningRolled, Played, Rolled
from scoring.rules.game import Phase
from scoring.rules.match import Win
from scoring.rules.plays import legal_plays
from scoring.rules.profiles import BUILT_IN, Profile
from scoring.rules.sides import Side
from scoring.sheets.services.entries import Entry, record
from scoring.sheets.services.openings import open_match
from tests.factories import ClubFactory, PlayerFactory, UserFactory

_keys = count(1)


def two_players(
    length: int = 3, profile: Profile = BUILT_IN["wbf"], club: Any = None, *, friendly: bool = False
) -> Match:
    """A new match between Ana (White) and Ben, who both have a login; ``friendly``: Ana opens it herself."""
    players = [PlayerFactory.create(name=name, user=UserFactory.create()) for name in ("Ana", "Ben")]
    match = open_match(
        club=club or ClubFactory.create(),
        white=[players[0]],
        black=[players[1]],
        length=length,
        profile=profile,
        user=players[0].user if friendly else None,
    )
    return loaded(match)


def loaded(match: Match) -> Match:
    """The match as the database has it, with players, result and sheet."""
    return Match.objects.with_players().select_related("sheet").get(pk=match.pk)


def author(match: Match, colour: str) -> Author:
    """The player of a side as an author."""
    return Author(match.side(colour).players[0].user, side=colour)


def write(match: Match, *events: Event, by: str = "white") -> Match:
    """Append events at the head."""
    match = loaded(match)
    entries = [Entry(f"key-{next(_keys)}", event) for event in events]
    record(match=match, author=author(match, by), after=match.sheet.head_seq, entries=entries)
    return loaded(match)


def win(
    side: Side, level: Win = Win.SINGLE, cube: int = 1, ended: GameEnd = GameEnd.BORNE_OFF
) -> GameRecorded:
    """A recorded game."""
    return GameRecorded(side, level, cube, ended)


def play_turns(match: Match, turns: int) -> Match:
    """Play rolls and first legal plays, game after game if need be, until so many turns are recorded."""
    for number in range(turns):
        match = loaded(match)
        state = state_of(match.sheet)
        first: Event = Rolled(Roll(3, 1) if number % 2 else Roll(4, 2))
        if state.game.phase is Phase.OPENING:
            first = OpeningRolled(6, 5)
        roll = Roll(6, 5) if isinstance(first, OpeningRolled) else first.dice  # type: ignore[union-attr]
        side = Side.WHITE if isinstance(first, OpeningRolled) else state.game.player
        plays = legal_plays(state.game.seen_by(side), roll)
        match = write(match, first, Played(plays[0].moves if plays else ()))
    return match
