"""Entry restrictions of a flight, as data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from clubs.models import Title
from scoring.codec import from_plain
from scoring.drawing import figures
from tournaments.core.prizes.pools import SidePool


@dataclass(frozen=True, slots=True)
class Eligibility:
    """Ratings from ``rating_from`` to under ``rating_below`` (the club's main list; a pair or team by its
    mean); ``unrated`` whether unrated players can enter. Titles from ``title_from`` to under ``title_below``
    are codes of ``clubs.models.Title``, as the club has written them down; a pair or team needs it of each of
    its players. A director can override all of it. Raises ValueError for an unknown title.
    """

    rating_from: float | None = None
    rating_below: float | None = None
    unrated: bool = True
    title_from: str = ""
    title_below: str = ""

    def __post_init__(self) -> None:
        for code in (self.title_from, self.title_below):
            if code and code not in Title.__members__:
                raise ValueError(f"there is no title {code!r}: {', '.join(Title.__members__)}")

    @property
    def open(self) -> bool:
        """Whether anyone can enter."""
        return self == Eligibility()

    def admits(self, rating: float | None) -> bool:
        """Whether this rating (None: unrated) can enter.

        >>> Eligibility(rating_below=1600).admits(1600.0)
        False
        """
        if rating is None:
            return self.unrated
        above = self.rating_from is None or rating >= self.rating_from
        return above and (self.rating_below is None or rating < self.rating_below)

    @property
    def asks_for_titles(self) -> bool:
        """Whether it has to be known who has which title."""
        return bool(self.title_from or self.title_below)

    def admits_title(self, title: Title | None) -> bool:
        """Whether this title (None: no title) can enter.

        >>> Eligibility(title_below="M3").admits_title(None)
        True
        """
        if self.title_from and (title is None or title < Title[self.title_from]):
            return False
        return not self.title_below or title is None or title < Title[self.title_below]

    def keeps_out(self, rating: float | None, players: Sequence[tuple[str, Title | None]]) -> str:
        """Why these players cannot enter, in the reader's language; empty if they can.

        ``players`` are name and title each; ``rating`` is their common one.
        """
        if not self.admits(rating):
            told = {"rating": figures.rating(rating)}
            shown = _("unrated players") if rating is None else _("players rated %(rating)s") % told
            return _("This division is not open to %(rating)s. A director can override this.") % {
                "rating": shown
            }
        for name, title in players:
            if not self.admits_title(title):
                words = {
                    "rule": self.titles_in_words,
                    "name": name,
                    "title": _("no title") if title is None else title.label,
                }
                return (
                    _("This division is for %(rule)s. %(name)s has %(title)s. A director can override this.")
                    % words
                )
        return ""

    @property
    def excludes_everyone(self) -> str:
        """The impossible limit: ``"rating_below"``, ``"title_below"`` or empty."""
        least, below = self.rating_from, self.rating_below
        if least is not None and below is not None and below <= least:
            return "rating_below"
        if self.title_from and self.title_below and Title[self.title_from] >= Title[self.title_below]:
            return "title_below"
        return ""

    @property
    def titles_in_words(self) -> str:
        """The allowed titles in the reader's language; empty for any."""
        names = {
            "least": Title[self.title_from].label if self.title_from else "",
            "below": Title[self.title_below].label if self.title_below else "",
        }
        if self.title_from and self.title_below:
            return _("titles from %(least)s and below %(below)s") % names
        if self.title_from:
            return _("titles from %(least)s") % names
        return _("titles below %(below)s") % names if self.title_below else ""


def titled(kept: int | None) -> Title | None:
    """The title as a membership keeps it."""
    return None if kept is None else Title(kept)


def eligibility_of(plain: Mapping[str, Any]) -> Eligibility:
    """Read a flight's entry restrictions. Raises InvalidValue for invalid data."""
    found: Eligibility = from_plain(Eligibility, dict(plain), "eligibility")
    return found


def pools_of(plain: Sequence[Any]) -> tuple[SidePool, ...]:
    """Read a flight's side pools. Raises InvalidValue or PrizeRefused if invalid."""
    found: tuple[SidePool, ...] = from_plain(tuple[SidePool, ...], list(plain), "pools")
    return found
