"""A player's personal data: the one row that an erasure deletes."""

import unicodedata
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.lookalikes import clean_name, skeleton
from clubs.models.player import Player

NAME_LENGTH = 100


def sort_key(name: str) -> str:
    """A key that sorts names by code point in natural order, without collations.

    Case, accents and runs of spaces do not count; Spanish and Basque ñ is a letter of its own after n.

    >>> sorted(["Ñausti", "Nzuri", "Ítalo", "iker"], key=sort_key)
    ['iker', 'Ítalo', 'Nzuri', 'Ñausti']
    """
    composed = unicodedata.normalize("NFC", " ".join(name.split())).casefold()
    letters = unicodedata.normalize("NFKD", composed.replace("ñ", "n~"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


class Person(models.Model):
    """Personal data of a player; an erasure deletes this row.

    ``skeleton`` is equal for names that look alike.
    """

    player = models.OneToOneField(Player, on_delete=models.PROTECT, related_name="person")
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    sort_key = models.CharField(max_length=4 * NAME_LENGTH, editable=False, db_collation="C")
    skeleton = models.CharField(
        max_length=4 * NAME_LENGTH, editable=False, default="", db_index=True, db_collation="C"
    )

    class Meta:
        constraints = [models.CheckConstraint(condition=~models.Q(name=""), name="person_has_a_name")]
        indexes = [models.Index(fields=["sort_key", "player"], name="person_by_name")]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **options: Any) -> None:
        self.name = clean_name(self.name)
        self.sort_key = sort_key(self.name)[: 4 * NAME_LENGTH]
        self.skeleton = skeleton(self.name)[: 4 * NAME_LENGTH]
        if (fields := options.get("update_fields")) is not None and "name" in fields:
            options["update_fields"] = {*fields, "sort_key", "skeleton"}
        super().save(*args, **options)
