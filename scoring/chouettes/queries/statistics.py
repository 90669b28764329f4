"""A player's chouette statistics in a club: by role, by opponent, biggest swings."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from clubs.models import Club, Player
from scoring.log.queries.chouettes import shows_money
from scoring.models import Chouette, ChouettePlayer
from scoring.rules.chouette.pairs import points_between
from scoring.rules.chouette.session_state import ScoredGame
from scoring.rules.logs import CHOUETTE_LOG

MOST_TABLES = 500


@dataclass(frozen=True, slots=True)
class Swing:
    """The game with the largest gain or loss: table, number and points."""

    table: Chouette
    number: int
    points: int


@dataclass(slots=True)
class Opponent:
    """An opponent across a cube.

    ``points`` are the player's net gain from them: cubes against the box, extras, settlements and takeovers.
    ``games`` counts the games in which they met.
    """

    player: Player
    games: int = 0
    points: int = 0


@dataclass(slots=True)
class Statistics:
    """Sums over finished games; the box's partner counts as neither box nor crew."""

    nights: int = 0
    games: int = 0
    points: int = 0
    minor: dict[str, int] = field(default_factory=dict)
    box_games: int = 0
    box_won: int = 0
    box_points: int = 0
    crew_games: int = 0
    crew_won: int = 0
    crew_points: int = 0
    captain_games: int = 0
    captain_won: int = 0
    best: Swing | None = None
    worst: Swing | None = None
    opponents: list[Opponent] = field(default_factory=list)

    @property
    def box_rate(self) -> float | None:
        """Percentage of games won as box; None before the first."""
        return 100 * self.box_won / self.box_games if self.box_games else None

    @property
    def crew_rate(self) -> float | None:
        """Percentage of games won as crew."""
        return 100 * self.crew_won / self.crew_games if self.crew_games else None

    @property
    def captain_rate(self) -> float | None:
        """Percentage of games won as the starting captain."""
        return 100 * self.captain_won / self.captain_games if self.captain_games else None


def statistics_of(club: Club, player: Player) -> Statistics:
    """Statistics over the player's finished games in the club (three queries)."""
    seats = ChouettePlayer.objects.filter(player=player, seated=True, chouette__club=club)
    tables = list(
        Chouette.objects.with_sheet().filter(pk__in=seats.values("chouette")).order_by("-pk")[:MOST_TABLES]
    )
    people: dict[int, dict[str, Player]] = {}
    for row in ChouettePlayer.objects.filter(chouette__in=tables).select_related("player__person"):
        people.setdefault(row.chouette_id, {})[row.ref] = row.player
    found = Statistics()
    opponents: dict[int, Opponent] = {}
    for table in tables:
        state = CHOUETTE_LOG.state_from_plain(json.loads(table.sheet.state))
        named = people[table.pk]
        me = next(ref for ref, each in named.items() if each.pk == player.pk)
        games = [game for game in state.games if me in game.seating.players]
        found.nights += bool(games)
        for game in games:
            _count(found, table, game, me)
            _meet(opponents, game, me, named)
    found.opponents = sorted(
        opponents.values(), key=lambda each: (-each.games, each.player.person.sort_key, each.player.pk)
    )
    return found


def _count(found: Statistics, table: Chouette, game: ScoredGame, me: str) -> None:
    line = next(line for line in game.ledger if line.player == me)
    won = line.points > 0
    found.games += 1
    found.points += line.points
    if shows_money(table):
        found.minor[table.currency] = found.minor.get(table.currency, 0) + line.minor
    if game.seating.box == me:
        found.box_games, found.box_won = found.box_games + 1, found.box_won + won
        found.box_points += line.points
    elif me in game.seating.crew:
        found.crew_games, found.crew_won = found.crew_games + 1, found.crew_won + won
        found.crew_points += line.points
    if game.seating.captain == me:
        found.captain_games, found.captain_won = found.captain_games + 1, found.captain_won + won
    swing = Swing(table, game.number, line.points)
    if line.points > 0 and (found.best is None or line.points > found.best.points):
        found.best = swing
    if line.points < 0 and (found.worst is None or line.points < found.worst.points):
        found.worst = swing


def _meet(opponents: dict[int, Opponent], game: ScoredGame, me: str, named: Mapping[str, Player]) -> None:
    """Add this game's opponents, those met at zero points included."""
    for (one, other), points in points_between(game).items():
        if one == me:
            player = named[other]
            opponent = opponents.setdefault(player.pk, Opponent(player))
            opponent.games += 1
            opponent.points += points
