"""What the API answers of a table: its view (``scoring.chouettes.queries.chouettes``).

Views answer with the plain data itself: these classes describe it for programs, and
``tests/scoring/chouettes/test_answers.py`` holds them against it.
"""

from typing import Any

from rest_framework import serializers

from clubs.http.problems import MEDIA_TYPE
from clubs.http.serializers import ProblemBody
from scoring.sheets.api.answers import LineOut, MisfitOut, Plain


class HouseShownOut(serializers.Serializer[Any]):
    """House rules in sentences."""

    name = serializers.CharField(allow_blank=True)
    title = serializers.CharField()
    rules = serializers.ListField(child=serializers.CharField())


class HouseThatHoldsOut(HouseShownOut):
    digest = serializers.CharField(help_text="What a newcomer agrees to by it.")
    announced = HouseShownOut(allow_null=True, help_text="The rules announced for the next game.")


class TablePlayerOut(serializers.Serializer[Any]):
    """Somebody whom the log knows: where they sit, as what, and what they have won."""

    ref = serializers.CharField()
    role = serializers.CharField()
    place = serializers.IntegerField(allow_null=True, help_text="In the rotation, from 1.")
    agreed = serializers.BooleanField(help_text="To the rules that hold.")
    presence = serializers.CharField()
    proxy = serializers.CharField(allow_null=True, help_text="Who decides for them.")
    still_in = serializers.BooleanField()
    name = serializers.CharField()
    short = serializers.CharField()
    stake = serializers.IntegerField()
    points = serializers.IntegerField()
    minor = serializers.IntegerField()
    balance = serializers.CharField(allow_blank=True)
    proxy_name = serializers.CharField(allow_blank=True)


class CubeOfferOut(serializers.Serializer[Any]):
    by = serializers.CharField(help_text="`box` or `team`.")
    value = serializers.IntegerField()


class TableCubeOut(serializers.Serializer[Any]):
    """One of the cubes between the box and its crew."""

    key = serializers.CharField()
    player = serializers.CharField()
    against = serializers.CharField(allow_null=True)
    holder = serializers.CharField(allow_null=True)
    value = serializers.IntegerField()
    owner = serializers.CharField(allow_null=True)
    offered = CubeOfferOut(allow_null=True)
    state = serializers.CharField()
    name = serializers.CharField()
    words = serializers.CharField()


class TableGameOut(serializers.Serializer[Any]):
    """The game that is on."""

    number = serializers.IntegerField()
    cubes = TableCubeOut(many=True)
    opening_doubles = serializers.IntegerField()


class BoardOut(serializers.Serializer[Any]):
    """The record of a chouette's game on a board: the match to write on, and its page."""

    match = serializers.CharField()
    page = serializers.CharField()


class ShareOut(serializers.Serializer[Any]):
    """What a game brings somebody, or would bring."""

    points = serializers.IntegerField()
    minor = serializers.IntegerField()
    money = serializers.CharField(allow_blank=True)


class LedgerLineOut(ShareOut):
    ref = serializers.CharField()


class PlayedGameOut(serializers.Serializer[Any]):
    """A game that is over, with its ledger."""

    number = serializers.IntegerField()
    box = serializers.CharField()
    captain = serializers.CharField()
    partner = serializers.CharField(allow_null=True)
    words = serializers.CharField()
    seq = serializers.IntegerField(allow_null=True, help_text="The event that ended it.")
    match = serializers.CharField(allow_null=True, help_text="Its record on a board.")
    ledger = LedgerLineOut(many=True)


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


class TableCodeOut(serializers.Serializer[Any]):
    """The code by which others sit down, with the page that it opens."""

    code = serializers.CharField()
    page = serializers.CharField()
    qr = serializers.CharField(help_text="The page's address as a QR code: an SVG element.")
    renews = serializers.BooleanField(help_text="Whether you may give the table another code.")


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
    house = HouseThatHoldsOut()
    consultation = serializers.CharField()
    players = TablePlayerOut(many=True, help_text="In the order of the rotation.")
    placed = serializers.BooleanField()
    throw_now = serializers.ListField(child=serializers.CharField())
    game = TableGameOut(allow_null=True)
    board = BoardOut(allow_null=True, help_text="Where the game that is on is recorded on a board.")
    actions = serializers.ListField(
        child=Plain(),
        help_text="What may be recorded: `kind`, `label`, `by`, `cubes`, `players`, `body`.",
    )
    refusals = serializers.DictField(child=serializers.CharField(), help_text="Why the rest may not be.")
    stakes_to_win = serializers.DictField(
        child=serializers.DictField(child=ShareOut()),
        help_text="What each player would win or lose in each way the board can end.",
    )
    games = PlayedGameOut(many=True, help_text="The last 20.")
    lines = LineOut(many=True, help_text="The last 30 lines in words.")
    payments = PaymentOut(many=True, help_text="The fewest that settle the night.")
    join = TableCodeOut(allow_null=True)
    ahead = Plain(help_text="The state from which a page goes on without a line, as the rules have it.")
    hands = serializers.ListField(
        child=serializers.CharField(), help_text="Guests whose seats you may open for another phone."
    )


class TableProblem(ProblemBody):
    """An error that tells what the table is now.

    `behind`: somebody else has written since, the lines in `theirs`. `does_not_fit`: nothing was corrected.
    """

    theirs = LineOut(many=True, required=False)
    state = ChouetteOut(required=False)
    does_not_fit = MisfitOut(required=False)


TABLE = {200: ChouetteOut, (409, MEDIA_TYPE): TableProblem}
"""What every change of a table answers."""
