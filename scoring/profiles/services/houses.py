"""Saving, retiring and restoring a club's house rules; tables keep their copy."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.timezone import now

from clubs.models import Club
from scoring.models import HouseRules
from scoring.profiles.queries.houses import BUILT_IN, House, house_of, options_from_plain
from scoring.rules.codec import check_text, to_plain
from scoring.rules.errors import InvalidValue

LONGEST_NAME = 40
LONGEST_TITLE = 80


def keep_house(
    *,
    club: Club,
    name: str,
    title: str,
    values: Mapping[str, Any],
    new: bool = False,
    seen: int | None = None,
) -> House:
    """Create or change a club's house rules; retired ones are restored.

    ``values`` is the plain form of ChouetteOptions. ``new`` refuses a name that is taken, ``seen`` (a
    version) rules changed since. Raises InvalidValue for these, for invalid values, and for the name of
    built-in rules.
    """
    options = options_from_plain(values)
    _check_name(name, title)
    plain = to_plain(options, full=True)
    with transaction.atomic():
        Club.objects.select_for_update(no_key=True).get(pk=club.pk)
        row = HouseRules.objects.in_club(club).filter(name=name).first()
        if row is None:
            return house_of(
                HouseRules.objects.create(club=club, name=name, title=title.strip(), values=plain)
            )
        if new:
            raise InvalidValue(
                "house_taken", "the club already has house rules {name}: edit those instead", name=name
            )
        if seen is not None and seen != row.version:
            raise InvalidValue(
                "house_changed",
                "someone else changed the house rules {name}: reload the page and try again",
                name=name,
            )
        row.title, row.values, row.retired_at = title.strip(), plain, None
        row.version += 1
        row.save(update_fields=["title", "values", "retired_at", "version"])
    return house_of(row)


def retire_house(*, club: Club, name: str, retired: bool = True) -> HouseRules:
    """Retire a club's house rules or, with ``retired`` False, restore them.

    Idempotent.

    Raises HouseRules.DoesNotExist for an unknown name.
    """
    with transaction.atomic():
        row = HouseRules.objects.in_club(club).select_for_update(no_key=True).get(name=name)
        if (row.retired_at is not None) is not retired:
            row.retired_at, row.version = now() if retired else None, row.version + 1
            row.save(update_fields=["retired_at", "version"])
    return row


def _check_name(name: str, title: str) -> None:
    if name in BUILT_IN:
        raise InvalidValue(
            "house_built_in", "the house rules {name} are built in: choose another name", name=name
        )
    if not name.isascii() or not name.replace("-", "").isalnum() or len(name) > LONGEST_NAME:
        raise InvalidValue(
            "house_slug",
            "{name!r} is not a short name: use at most {most} letters, digits and hyphens",
            name=name,
            most=LONGEST_NAME,
        )
    check_text(title, where="title")
    if not 1 <= len(title.strip()) <= LONGEST_TITLE:
        raise InvalidValue(
            "house_title",
            "{title!r} is not a title: use 1 to {most} characters",
            title=title,
            most=LONGEST_TITLE,
        )
