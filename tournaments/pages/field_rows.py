"""Rows of the list of players, as HTML text: a template takes ten times as long for each."""

from collections.abc import Sequence
from html import escape

from django.utils.translation import gettext as _

from tournaments.pages.queries.field_lines import FieldLine


def field_rows(lines: Sequence[FieldLine], *, seeded: bool) -> str:
    """The rows of a division; each has a seed where the field is ``seeded``."""
    seed, rating = (
        f'<span class="visually-hidden">{escape(word)} </span>' for word in (_("Seed"), _("Rating"))
    )
    absent = f' <span class="badge waiting">{escape(_("Not checked in"))}</span>'
    return "".join(_row(line, seed if seeded else "", rating, absent) for line in lines)


def _row(line: FieldLine, seed: str, rating: str, absent: str) -> str:
    within = f'<span class="seed">{seed}{line.seed}</span>' if seed else ""
    within += f"<bdi>{escape(line.title)}</bdi>{_beside(line.pools)}{absent if line.absent else ''}"
    within += f'{_beside(line.paid)}<span class="rating">{rating + line.rating if line.rating else ""}</span>'
    own = ' class="own"' if line.own else ""
    if line.page:
        return f'<li{own}><a class="whole-line" href="{escape(line.page)}">{within}</a></li>'
    return f'<li{own}><span class="whole-line">{within}</span></li>'


def _beside(words: str) -> str:
    return f' <span class="muted small">{escape(words)}</span>' if words else ""
