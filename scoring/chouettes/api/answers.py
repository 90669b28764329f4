"""What the API answers of a table: its view (``scoring.chouettes.queries.chouettes``).

Views answer with the plain data itself: these classes describe it for programs, and
``tests/scoring/chouettes/test_answers.py`` holds them against it.
"""

from typing import Any

from rest_framework import serializers

from clubs.http.problems import MEDIA_TYPE
from clubs.http.serializers import ProblemBody
from scoring.sheets.api.answers import LineOut, MisfitOut, Plain


class ChouetteOut(serializers.Serializer[Any]):
    """A table as its viewer sees it. Money is in minor units; it is 0 where a club plays for points only."""

    chouette = serializers.CharField()
    title = serializers.CharField()
    club = serializers.CharField()
    seq = serializers.IntegerField(help_text="How many events the log has: what the next entry follows.")
    version = serializers.IntegerField()
    status = serializers.CharField(help_text="`open` or `closed`.")
    may_write = serializers.BooleanField()
    writer = serializers.CharField(help_text="Opaque: who you write as.")
    you = serializers.CharField(allow_null=True, help_text="Your own name in the log, if you sit there.")
    points_only = serializers.BooleanField()
    currency = serializers.CharField()
    decimals = serializers.IntegerField(help_text="Digits of the currency's minor unit.")
    stake = serializers.IntegerField(help_text="The table's own, minor units a point.")
    house = Plain(help_text="The rules that hold, in sentences, and those announced for the next game.")
    consultation = serializers.CharField()
    players = serializers.ListField(child=Plain(), help_text="In the order of the rotation.")
    placed = serializers.BooleanField()
    throw_now = serializers.ListField(child=serializers.CharField())
    game = Plain(allow_null=True, help_text="The game that is on: every cube with its value and owner.")
    board = Plain(allow_null=True, help_text="Where the game that is on is recorded on a board.")
    actions = serializers.ListField(child=Plain(), help_text="What may be recorded now.")
    refusals = Plain(help_text="Why the rest may not be.")
    stakes_to_win = Plain(help_text="What each player would win or lose in each way the board can end.")
    games = serializers.ListField(child=Plain(), help_text="The last 20 with their ledgers.")
    lines = serializers.ListField(child=Plain(), help_text="The last 30 lines in words.")
    payments = serializers.ListField(child=Plain(), help_text="The fewest that settle the night.")
    join = Plain(allow_null=True, help_text="The code by which others sit down.")
    hands = serializers.ListField(
        child=serializers.CharField(), help_text="Guests whose seats you may open for another phone."
    )


class PaymentOut(serializers.Serializer[Any]):
    """Somebody pays somebody so much, in minor units."""

    payer = serializers.CharField()
    receiver = serializers.CharField()
    minor = serializers.IntegerField()
    money = serializers.CharField()
    words = serializers.CharField()


class PaymentsOut(serializers.Serializer[Any]):
    """The payments after which everybody is even, on one page."""

    items = PaymentOut(many=True)
    next = serializers.URLField(allow_null=True)


class TableProblem(ProblemBody):
    """An error that tells what the table is now.

    `behind`: somebody else has written since, the lines in `theirs`. `does_not_fit`: nothing was corrected.
    """

    theirs = LineOut(many=True, required=False)
    state = ChouetteOut(required=False)
    does_not_fit = MisfitOut(required=False)


TABLE = {200: ChouetteOut, (409, MEDIA_TYPE): TableProblem}
"""What every change of a table answers."""
