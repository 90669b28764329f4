"""The values in the rows of a list of entries, checked one by one."""

from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from clubs.lists.columns import LEAST_RATING
from clubs.lists.values import folded, number_in, words_in, yes_in

LONGEST_CLUB = 60
HIGHEST_RATING, HIGHEST_SEED = 10_000, 9_999


class RowFault(Exception):
    """A value of a row that cannot be used."""


def pools_in(cells: Sequence[tuple[str, str]], known: Sequence[str]) -> list[str]:
    """The side pools that cells name, or that a heading names and its cell says yes to.

    ``cells`` have their headings. Raises RowFault for a pool that is not ``known``.
    """
    keys = {folded(key): key for key in known}
    found: list[str] = []
    for cell, heading in cells:
        said = yes_in(cell) if folded(cell) not in keys else None
        if said is False:
            continue
        parts = words_in(cell)
        if said:
            only = known[0] if len(known) == 1 else ""
            parts = [heading if folded(heading) in keys else only or cell]
        for part in parts:
            if folded(part) not in keys:
                raise RowFault(_no_pool(part, known))
            found.append(keys[folded(part)])
    return list(dict.fromkeys(found))


def rating_in(text: str) -> float:
    """A rating. Raises RowFault."""
    found = number_in(text)
    if found is None or not LEAST_RATING <= found <= HIGHEST_RATING:
        digits = "".join(each for each in text if each.isdigit())
        if found is not None and len(digits) == 4 and found < LEAST_RATING:
            raise RowFault(
                _("“%(text)s” is not a rating. Did you mean %(digits)s?") % {"text": text, "digits": digits}
            )
        raise RowFault(
            _("“%(text)s” is not a rating. Enter a number from %(least)s to %(most)s, or leave it blank.")
            % {"text": text, "least": LEAST_RATING, "most": HIGHEST_RATING}
        )
    return float(found)


def seed_in(text: str) -> int:
    """A seed. Raises RowFault."""
    found = number_in(text.strip("#. )"))
    if found is None or found != int(found) or not 1 <= found <= HIGHEST_SEED:
        raise RowFault(
            _("“%(text)s” is not a seed. Enter a whole number from 1, or leave it blank.") % {"text": text}
        )
    return int(found)


def club_in(text: str) -> str:
    """The club that an entrant plays for. Raises RowFault for a long name."""
    if len(text) > LONGEST_CLUB:
        raise RowFault(_("A club has at most %(most)s characters.") % {"most": LONGEST_CLUB})
    return text


def email_in(text: str) -> str:
    """An email address. Raises RowFault."""
    address = text.removeprefix("mailto:")
    if address:
        try:
            validate_email(address)
        except ValidationError as error:
            raise RowFault(_("“%(text)s” is not an email address.") % {"text": text}) from error
    return address


def _no_pool(part: str, known: Sequence[str]) -> str:
    if not known:
        return _("This division has no side pools. Leave “%(name)s” out.") % {"name": part}
    return _("There is no side pool “%(name)s”. Use one of these: %(known)s.") % {
        "name": part,
        "known": ", ".join(known),
    }
