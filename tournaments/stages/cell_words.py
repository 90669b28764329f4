"""The state of a match in words: beside its cell and for screen readers."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from html import escape

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.formats.dates import local, time_of_day
from tournaments.stages.queries.stage_picture import Picture, PictureCell, SideMark

NO_CLUBS: Mapping[int, str] = {}


class CellWords:
    """The words of one picture's cells, each looked up once."""

    def __init__(
        self, picture: Picture, titles: Mapping[int, str], clubs: Mapping[int, str] = NO_CLUBS
    ) -> None:
        """``titles`` are the escaped names of the entrants by number, ``clubs`` their clubs to tell."""
        self.picture, self.titles, self.clubs = picture, titles, clubs

    @cached_property
    def words(self) -> Mapping[str, str]:
        return {
            "live": _("playing"),
            "called": _("called"),
            "ready": _("not started"),
            "open": _("unconfirmed"),
            "table": _("Table %(number)s"),
            "seed": _("seed"),
            "match": _("Match %(number)s"),
            "won": _("%(name)s won"),
            "bye": _("bye"),
            "loser": _("loser → %(number)s"),
            "gone": _("withdrawn"),
            "winner_to": _("winner to %(number)s"),
            "loser_to": _("loser to %(number)s"),
            "penalty": _("penalty"),
            "drops": _("takes the loser of %(number)s"),
        }

    def name(self, mark: SideMark) -> str:
        return self.titles.get(mark.number) or escape(mark.words)

    def side(self, mark: SideMark) -> str:
        """A name with its club, and whether it has withdrawn."""
        club = self.clubs.get(mark.number)
        name = f"{self.name(mark)} ({escape(club)})" if club else self.name(mark)
        return f"{name} ({self.words['gone']})" if mark.gone else name

    def place(self, cell: PictureCell, tag: str) -> str:
        """The table of a match and the time of its call, else empty.

        Times are the venue's: one drawing is shown to everyone. A script turns them into minutes, by the
        ``tag`` around them.
        """
        if cell.placed is None or cell.state not in {"live", "called", "ready"}:
            return ""
        found = []
        if cell.placed.table:
            found.append(self.words["table"] % {"number": cell.placed.table})
        if any(cell.placed.penalties):
            found.append(self.words["penalty"])
        elif cell.placed.called_at and cell.state != "ready":
            at = local(cell.placed.called_at, self.picture.stage.flight.event.tz)
            found.append(f'<{tag} data-since="{at.isoformat()}">{time_of_day(at)}</{tag}>')
        return " · ".join(found)

    def beside(self, cell: PictureCell, tag: str) -> str:
        """The text above a match: its table, outcome, or where its loser goes."""
        place = self.place(cell, tag)
        if place:
            return place
        if cell.state in {"live", "called", "ready", "open"}:
            return self.words[cell.state]
        if cell.words or cell.state == "walkover":
            return escape(cell.words)
        return self.words["loser"] % {"number": cell.loser_to} if cell.loser_to else ""

    def number(self, cell: PictureCell) -> str:
        """The number of a match, and of those whose losers play in it."""
        return f"{cell.number} ← {', '.join(map(str, cell.drops))}" if cell.drops else str(cell.number)

    def in_words(self, cell: PictureCell) -> str:
        """The state of a match in words, for screen readers."""
        won = next((mark for mark in (cell.a, cell.b) if mark.won), None)
        words: list[str] = [escape(cell.words)] if cell.words else []
        if won is not None:
            words.insert(0, self.words["won"] % {"name": self.titles[won.number]})
            if won.points is not None:
                words[0] += f" {cell.a.points}–{cell.b.points}"
        if cell.state in {"live", "called", "ready", "open", "bye"}:
            words.append(self.words[cell.state])
        words += self.penalties(cell)
        return ", ".join(words)

    def penalties(self, cell: PictureCell) -> Iterator[str]:
        """Who has been given penalty points in a match under way."""
        given = cell.placed.penalties if cell.placed else (0, 0)
        for mark, points in zip((cell.a, cell.b), given, strict=True):
            if points and mark.number:
                said = ngettext(
                    "%(count)s penalty point to %(name)s", "%(count)s penalty points to %(name)s", points
                )
                yield said % {"count": points, "name": self.titles[mark.number]}

    def whole(self, cell: PictureCell, round_title: str) -> str:
        """A match in one sentence: for tooltips and screen readers."""
        sides = " – ".join(map(self.side, (cell.a, cell.b)))
        match = self.words["match"] % {"number": cell.number}
        words = [f"{escape(round_title)}, {match}: {sides}"]
        stands = self.in_words(cell)
        if stands:
            words.append(stands)
        for key, number in (("winner_to", cell.winner_to), ("loser_to", cell.loser_to)):
            if number:
                words.append(self.words[key] % {"number": number})
        words += [self.words["drops"] % {"number": number} for number in cell.drops]
        return "; ".join(words)
