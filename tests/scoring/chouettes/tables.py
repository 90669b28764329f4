"""Short ways to open a table of chouette, to seat people at it and to write on its log in tests."""

from itertools import count
from typing import Any

from clubs.models import Club, Role, User
from scoring.chouettes.services.chouettes import record, table_state
from scoring.chouettes.services.tables import join_table, open_table
from scoring.log.queries.chouettes import SeenTable, seen_table
from scoring.log.queries.writers import Author
from scoring.models import Chouette, ChouettePlayer
from scoring.profiles.queries.houses import BUILT_IN, House
from scoring.rules.chouette.events import Answered, ChouetteEvent, GameBegun, GameOver, Offered, PlacesAgreed
from scoring.rules.chouette.options import ChouetteOptions
from scoring.rules.match import Win
from scoring.sheets.services.entries import Entry
from tests.factories import ClubFactory, member

NAMES = ("Ana", "Jon", "Eva", "Leo", "Mia", "Ken", "Zoe")
_keys = count(1)


class Night:
    """A table with the first of ``NAMES`` at it, Ana in the box and Jon captain; refs by name."""

    def __init__(
        self, players: int = 3, *, club: Club | None = None, stake: int = 100, **options: Any
    ) -> None:
        self.club = club or ClubFactory.create()
        self.refs: dict[str, str] = {}
        house = House("our-house", ChouetteOptions(**options)) if options else BUILT_IN["house"]
        names = NAMES[:players]
        self.users: dict[str, User] = {name: member(self.club, Role.MEMBER, name=name) for name in names}
        self.chouette = open_table(
            club=self.club, user=self.users[names[0]], title="Friday night", house=house, stake=stake
        )
        for name in names:
            self.sit(name)
        self.write(PlacesAgreed(tuple(self.refs[name] for name in names)))

    def sit(self, name: str, stake: int | None = None) -> ChouettePlayer:
        """Seat a member of the club, new or known."""
        if name not in self.users:
            self.users[name] = member(self.club, Role.MEMBER, name=name)
        row = join_table(chouette=self.chouette, user=self.users[name], stake=stake)
        self.refs[name] = row.ref
        return row

    def author(self, name: str = "Ana") -> Author:
        return Author(user=self.users[name])

    @property
    def head(self) -> int:
        return self.loaded.sheet.head_seq

    @property
    def loaded(self) -> Chouette:
        """The table as the database has it."""
        return Chouette.objects.with_sheet().get(pk=self.chouette.pk)

    @property
    def state(self) -> Any:
        return table_state(self.loaded.sheet)

    def seen(self, name: str = "Ana") -> SeenTable:
        found = seen_table(self.users[name], self.chouette.ref)
        assert found is not None
        return found

    def write(self, *events: ChouetteEvent, by: str = "Ana") -> None:
        """Append events at the head."""
        entries = [Entry(f"key-{next(_keys)}", event) for event in events]
        record(chouette=self.chouette, author=self.author(by), after=self.head, entries=entries)

    def play(self, *, box_won: bool = True, win: Win = Win.SINGLE) -> None:
        """A whole game without cubes."""
        self.write(GameBegun(), GameOver(box_won=box_won, win=win))

    def offer(self, by: str, *cubes: str) -> Offered:
        return Offered(self.refs[by], tuple(self.refs[name] for name in cubes or (by,)))

    def answer(self, by: str, takes: str = "", passes: str = "") -> Answered:
        return Answered(
            self.refs[by],
            tuple(self.refs[name] for name in takes.split()),
            tuple(self.refs[name] for name in passes.split()),
        )

    def balances(self) -> dict[str, tuple[int, int]]:
        names = {ref: name for name, ref in self.refs.items()}
        return {names[ref]: both for ref, both in self.state.balances.items()}
