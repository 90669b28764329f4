"""What the API answers of a sheet: its view (``scoring.sheets.queries.scoresheet``).

Views answer with the plain data itself: these classes describe it for programs, and
``tests/scoring/sheets/test_answers.py`` holds them against it.
"""

from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from clubs.http.problems import MEDIA_TYPE
from clubs.http.serializers import OBJECT, ProblemBody

COLOUR = "`white` or `black`."


@extend_schema_field(OBJECT)
class Plain(serializers.JSONField):
    """A part of a view whose fields depend on something else, as it is."""


class ProfileShownOut(serializers.Serializer[Any]):
    """The rules under which the match was opened, in sentences."""

    name = serializers.CharField()
    title = serializers.CharField()
    rules = serializers.ListField(child=serializers.CharField())


class RuleOptionsOut(serializers.Serializer[Any]):
    """The rule options of the match (``scoring.rules.options.RuleOptions``)."""

    cube = serializers.BooleanField()
    max_cube = serializers.IntegerField(allow_null=True)
    crawford = serializers.BooleanField()
    holland = serializers.BooleanField()
    forbid_dead_cube = serializers.BooleanField()
    jacoby = serializers.BooleanField()
    beavers = serializers.BooleanField()
    raccoons = serializers.BooleanField()
    automatic_doubles = serializers.IntegerField()
    penalty_majority = serializers.BooleanField()
    premature_roll = serializers.CharField()
    premature_cube = serializers.CharField()
    die_on_checker = serializers.CharField()
    moves_policy = serializers.CharField()


class ScoreSideOut(serializers.Serializer[Any]):
    """One side's name and score."""

    name = serializers.CharField(allow_blank=True)
    points = serializers.IntegerField(help_text="Capped at the match length.")
    raw = serializers.IntegerField()
    away = serializers.IntegerField(allow_null=True, help_text="Null in money play.")
    penalty_points = serializers.IntegerField(help_text="Of these points, those given by penalty.")
    clock_ms = serializers.IntegerField(allow_null=True)


class BothSidesOut(serializers.Serializer[Any]):
    white = serializers.IntegerField()
    black = serializers.IntegerField()


class PositionOut(serializers.Serializer[Any]):
    """Checkers of each side in its own numbering: 0 off, 1 to 24, 25 the bar."""

    white = serializers.ListField(child=serializers.IntegerField())
    black = serializers.ListField(child=serializers.IntegerField())


class CubeOut(serializers.Serializer[Any]):
    value = serializers.IntegerField()
    owner = serializers.CharField(allow_null=True, help_text=f"{COLOUR} Null while the cube is centred.")
    offered = serializers.IntegerField(allow_null=True, help_text="The value offered by a double.")
    in_use = serializers.BooleanField()
    turned = serializers.BooleanField()


class ResignationOut(serializers.Serializer[Any]):
    by = serializers.CharField(help_text=COLOUR)
    level = serializers.IntegerField(help_text="1 a single game, 2 a gammon, 3 a backgammon.")
    phase = serializers.CharField()


class SheetGameOut(serializers.Serializer[Any]):
    """The current game."""

    number = serializers.IntegerField()
    phase = serializers.CharField()
    on_roll = serializers.CharField(allow_null=True, help_text=COLOUR)
    to_act = serializers.CharField(allow_null=True, help_text=COLOUR)
    position = PositionOut()
    cube = CubeOut()
    roll = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    automatic_doubles = serializers.IntegerField()
    rolls = BothSidesOut(help_text="Rolls by each side in this game.")
    resign_offered = ResignationOut(allow_null=True)
    pips = BothSidesOut()
    xgid = serializers.CharField(allow_null=True)


class SheetActionOut(serializers.Serializer[Any]):
    """An event that can be entered next."""

    kind = serializers.CharField()
    by = serializers.CharField(allow_null=True, help_text=COLOUR)
    levels = serializers.ListField(child=serializers.IntegerField())


class PlaysOut(serializers.Serializer[Any]):
    """Every legal sequence of moves for the current roll; a move is `[from, to]`."""

    side = serializers.CharField(help_text=COLOUR)
    sequences = serializers.ListField(
        child=serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    )
    forced = serializers.BooleanField()


class FinishedGameOut(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    winner = serializers.CharField(help_text=COLOUR)
    win = serializers.CharField(help_text="`single`, `gammon` or `backgammon`.")
    cube = serializers.IntegerField()
    ended = serializers.CharField()
    white = serializers.IntegerField(help_text="The score after this game.")
    black = serializers.IntegerField()
    crawford = serializers.BooleanField()


class LineOut(serializers.Serializer[Any]):
    """A line of the log in words, after corrections."""

    seq = serializers.IntegerField()
    kind = serializers.CharField()
    body = Plain(help_text="What happened; its fields depend on `kind`.")
    words = serializers.CharField(allow_blank=True)
    by = serializers.CharField(allow_null=True, allow_blank=True)
    at = serializers.DateTimeField()
    replaces = serializers.IntegerField(allow_null=True, help_text="The `seq` of the event it corrects.")
    undone = serializers.BooleanField()
    corrected = serializers.BooleanField()
    note = serializers.CharField(allow_blank=True)


class SheetResultOut(serializers.Serializer[Any]):
    """The result of the match and who has not confirmed it yet."""

    winner = serializers.CharField(allow_null=True, help_text=COLOUR)
    white = serializers.IntegerField()
    black = serializers.IntegerField()
    ended = serializers.CharField()
    final = serializers.BooleanField()
    revision = serializers.IntegerField()
    waiting_for = serializers.ListField(child=serializers.CharField())
    dispute_until = serializers.DateTimeField(allow_null=True)
    disputed_by = serializers.ListField(child=serializers.CharField())
    may_confirm = serializers.BooleanField()
    may_dispute = serializers.BooleanField()


class ClockOut(serializers.Serializer[Any]):
    """The match clock at the time `now`."""

    running = serializers.CharField(allow_blank=True, help_text=f"{COLOUR} Empty while the clock is stopped.")
    since = serializers.DateTimeField(allow_null=True)
    now = serializers.DateTimeField()
    delay_ms = serializers.IntegerField()
    white_ms = serializers.IntegerField()
    black_ms = serializers.IntegerField()


class OnBoardOut(serializers.Serializer[Any]):
    """The part of a scoresheet that changes with every event."""

    crawford = serializers.CharField(help_text="`before`, `now`, `after` or `off`.")
    sign = serializers.CharField(allow_blank=True)
    game = SheetGameOut()
    actions = SheetActionOut(many=True, help_text="Events that can be entered next, and by whom.")
    refusals = serializers.DictField(
        child=serializers.CharField(), help_text="Why other events cannot be entered."
    )
    plays = PlaysOut(allow_null=True)


class SheetStandingOut(OnBoardOut):
    """A scoresheet without its rules, finished games and log lines."""

    length = serializers.IntegerField(help_text="Points to win, 0 for a money session.")
    status = serializers.CharField(help_text="`playing`, `suspended` or `over`.")
    ending = serializers.CharField(allow_null=True, help_text="How the match ended; null until it is over.")
    writer = serializers.CharField(
        allow_null=True, help_text="Identifies the writer; null for a viewer who cannot write."
    )
    may_write = serializers.BooleanField()
    directs = serializers.BooleanField()
    your_side = serializers.CharField(allow_null=True)
    white = ScoreSideOut()
    black = ScoreSideOut()
    result = SheetResultOut(allow_null=True)
    flags = serializers.ListField(child=serializers.CharField())
    clock = ClockOut(allow_null=True)


class SheetOut(SheetStandingOut):
    """A scoresheet as its viewer sees it."""

    match = serializers.CharField()
    seq = serializers.IntegerField(
        help_text="Number of events in the log; send it as `after` with the next entry."
    )
    version = serializers.IntegerField()
    profile = ProfileShownOut(allow_null=True)
    options = RuleOptionsOut(help_text="The rule options of the match.")
    games = FinishedGameOut(many=True)
    timeline = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="Scores of a match in their order, from its start; empty in a money session.",
    )
    one_game = serializers.BooleanField(help_text="The record is a game of a chouette and ends with it.")
    lines = LineOut(many=True, help_text="The last 30 log lines in words.")
    earlier = serializers.CharField(allow_null=True, help_text="Page with the earlier lines.")


class ChangedOut(SheetStandingOut):
    """The fields of the scoresheet that have changed."""

    def get_fields(self) -> dict[str, Any]:
        fields = super().get_fields()
        for each in fields.values():
            each.required = False
        return fields


class SheetNewsOut(serializers.Serializer[Any]):
    """Changes to the scoresheet since the version `follows`, which the client `holds`."""

    follows = serializers.IntegerField()
    seq = serializers.IntegerField()
    version = serializers.IntegerField()
    changes = ChangedOut()
    keep = serializers.IntegerField(help_text="Number of lines that are unchanged.")
    earlier = serializers.CharField(allow_null=True, help_text="Page with the other lines.")


class SheetChangesOut(SheetNewsOut):
    """Answer to entries from a client that `holds` the version they follow."""

    lines = LineOut(many=True, help_text="Lines to append.")


class MisfitOut(serializers.Serializer[Any]):
    """The first later event that a correction makes impossible."""

    seq = serializers.IntegerField()
    line = LineOut(allow_null=True)
    reason = serializers.CharField()


class SheetProblem(ProblemBody):
    """An error with the current state of the scoresheet.

    `behind`: someone else recorded the lines in `theirs` first; `state` is the scoresheet, or `changes` what
    changed since the version `follows`. `does_not_fit`: nothing was corrected.
    """

    theirs = LineOut(many=True, required=False)
    state = SheetOut(required=False)
    follows = serializers.IntegerField(required=False)
    seq = serializers.IntegerField(required=False)
    version = serializers.IntegerField(required=False)
    changes = ChangedOut(required=False)
    keep = serializers.IntegerField(required=False)
    earlier = serializers.CharField(required=False, allow_null=True)
    does_not_fit = MisfitOut(required=False)


SHEET = {200: SheetOut, (409, MEDIA_TYPE): SheetProblem}
"""The answers to every change of a scoresheet."""

APPENDED = {
    200: PolymorphicProxySerializer(
        component_name="SheetAfter", serializers=[SheetOut, SheetChangesOut], resource_type_field_name=None
    ),
    (409, MEDIA_TYPE): SheetProblem,
}


class ClaimOut(serializers.Serializer[Any]):
    """A new scoring link. The code is shown only once; the page opens the match."""

    code = serializers.CharField()
    page = serializers.URLField()
    qr = serializers.CharField(help_text="QR code of the page's address as an SVG element.")
    side = serializers.CharField(allow_null=True)
    expires_at = serializers.DateTimeField()


class EndedClaimsOut(serializers.Serializer[Any]):
    revoked = serializers.IntegerField(help_text="Number of scoring links revoked.")
