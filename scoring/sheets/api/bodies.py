"""Request bodies of scoresheets."""

from rest_framework import serializers

from clubs.http.serializers import Strict
from scoring.log.api import REVISION
from scoring.log.services.notes import LONGEST_NOTE
from scoring.models import ClaimSide
from scoring.notation.typed import LONGEST_LINE
from scoring.sheets.services.entries import LONGEST_KEY, MOST_ENTRIES

LONGEST_DIFFERENCE = 500


class NewEntry(Strict):
    """One event with a key that the writer chooses."""

    key = serializers.CharField(max_length=LONGEST_KEY)
    kind = serializers.CharField(max_length=24)
    body = serializers.DictField(required=False, help_text="Its fields depend on `kind`.")


class NewEntries(Strict):
    """Events that follow the event `after`. All are written or none."""

    after = serializers.IntegerField(min_value=0)
    entries = serializers.ListField(child=NewEntry(), min_length=1, max_length=MOST_ENTRIES)
    holds = serializers.IntegerField(
        required=False,
        help_text="The `version` you hold. The answer may contain only the changes since then.",
    )
    differs = serializers.CharField(
        required=False,
        max_length=LONGEST_DIFFERENCE,
        help_text="A position and roll for which you find other legal plays than the server. It is logged.",
    )


class Undo(Strict):
    after = serializers.IntegerField(min_value=0)
    key = serializers.CharField(max_length=LONGEST_KEY)


class EntryCorrection(Undo):
    """An event that replaces the event `seq`; the kind `voided` removes it."""

    seq = serializers.IntegerField(min_value=1)
    kind = serializers.CharField(max_length=24)
    body = serializers.DictField(required=False)
    reason = serializers.CharField(max_length=LONGEST_NOTE, default="", allow_blank=True)
    cut = serializers.BooleanField(default=False, help_text="Also remove later events that no longer fit.")


class Typed(Undo):
    """A line as a transcriber types it: `31 85 65`, `d`, `t`.

    `@12:34` before it notes that time in the match's video.
    """

    text = serializers.CharField(max_length=LONGEST_LINE, allow_blank=True)


class ClockAction(Strict):
    action = serializers.ChoiceField(["start", "press", "pause", "set"])
    side = serializers.ChoiceField(["white", "black"], required=False)
    white_ms = serializers.IntegerField(required=False)
    black_ms = serializers.IntegerField(required=False)
    ago_ms = serializers.IntegerField(
        required=False,
        min_value=0,
        help_text="How long ago it was touched; it counts from then. At most 1 h.",
    )


class NewClaim(Strict):
    """A scoring link; with a `side` it can also confirm the result for that side."""

    side = serializers.ChoiceField(
        [choice for choice in ClaimSide.values if choice], required=False, allow_blank=True
    )


class NewConfirmation(Strict):
    revision = serializers.IntegerField(min_value=1, required=False, help_text=REVISION)


class NewDispute(Strict):
    reason = serializers.CharField(max_length=LONGEST_NOTE, default="", allow_blank=True)
    revision = serializers.IntegerField(min_value=1, required=False, help_text=REVISION)
