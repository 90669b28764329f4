"""Schema of a chouette table in the API.

Views (``scoring.chouettes.queries.chouettes``) return the plain data itself; these classes describe it for
API clients, and ``tests/scoring/chouettes/test_answers.py`` compares the two.
"""

from typing import Any

from rest_framework import serializers

from clubs.http.problems import MEDIA_TYPE
from clubs.http.serializers import ProblemBody
from scoring.sheets.api.answers import LineOut, MisfitOut, Plain


class HouseTextOut(serializers.Serializer[Any]):
    """House rules in sentences."""

    name = serializers.CharField(allow_blank=True)
    title = serializers.CharField()
    rules = serializers.ListField(child=serializers.CharField())


class TableHouseOut(HouseTextOut):
    digest = serializers.CharField(help_text="Identifies the rules that a new player agrees to.")
    announced = HouseTextOut(allow_null=True, help_text="The rules announced for the next game.")


class TablePlayerOut(serializers.Serializer[Any]):
    """A player in the log: place, role and balance."""

    ref = serializers.CharField()
    role = serializers.CharField()
    place = serializers.IntegerField(allow_null=True, help_text="Place in the rotation, from 1.")
    agreed = serializers.BooleanField(help_text="Whether they agreed to the current rules.")
    presence = serializers.CharField()
    proxy = serializers.CharField(allow_null=True, help_text="The player who decides for them.")
    still_in = serializers.BooleanField()
    name = serializers.CharField()
    short = serializers.CharField()
    stake = serializers.IntegerField()
    points = serializers.IntegerField()
    minor = serializers.IntegerField()
    balance = serializers.CharField(allow_blank=True)
    proxy_name = serializers.CharField(allow_blank=True)
    records = serializers.BooleanField(help_text="Whether they have an account or a phone to record with.")


class CubeOfferOut(serializers.Serializer[Any]):
    by = serializers.CharField(help_text="`box` or `team`.")
    value = serializers.IntegerField()


class TableCubeOut(serializers.Serializer[Any]):
    """A cube of the game: against the box, or an extra."""

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
    """The current game."""

    number = serializers.IntegerField()
    cubes = TableCubeOut(many=True)
    opening_doubles = serializers.IntegerField()


class BoardOut(serializers.Serializer[Any]):
    """The board record of a chouette game: its match and the page to record it."""

    match = serializers.CharField()
    page = serializers.CharField()


class ShareOut(serializers.Serializer[Any]):
    """A player's gain in a game, or possible gain."""

    points = serializers.IntegerField()
    minor = serializers.IntegerField()
    money = serializers.CharField(allow_blank=True)


class LedgerLineOut(ShareOut):
    ref = serializers.CharField()


class PlayedGameOut(serializers.Serializer[Any]):
    """A finished game with its ledger."""

    number = serializers.IntegerField()
    box = serializers.CharField()
    captain = serializers.CharField()
    partner = serializers.CharField(allow_null=True)
    words = serializers.CharField()
    seq = serializers.IntegerField(allow_null=True, help_text="The event that ended it.")
    match = serializers.CharField(allow_null=True, help_text="Its board record, if any.")
    ledger = LedgerLineOut(many=True)


class PaymentOut(serializers.Serializer[Any]):
    """One payment, in minor units: made, or still to make.

    Mark it as paid by an event of the kind `paid` with `payer`, `receiver` and `minor`; take that back by a
    correction of its `seq` to `nothing`.
    """

    payer = serializers.CharField()
    receiver = serializers.CharField()
    minor = serializers.IntegerField()
    money = serializers.CharField()
    words = serializers.CharField()
    sentence = serializers.CharField(help_text="The same without the amount.")
    paid = serializers.BooleanField()
    seq = serializers.IntegerField(allow_null=True, help_text="The event that says that it was paid.")
    by = serializers.CharField(allow_blank=True, help_text="Who recorded that.")
    at = serializers.DateTimeField(allow_null=True, help_text="When they recorded it.")


class PaymentsOut(serializers.Serializer[Any]):
    """The payments that settle every balance, those made included, on one page."""

    items = PaymentOut(many=True)
    next = serializers.URLField(allow_null=True)


class ChouetteSummaryOut(serializers.Serializer[Any]):
    """A chouette in a few lines."""

    text = serializers.CharField()
    picture = serializers.URLField(help_text="The same as a PNG, for the same viewers.")


class TableCodeOut(serializers.Serializer[Any]):
    """The join code and its page."""

    code = serializers.CharField()
    page = serializers.CharField()
    qr = serializers.CharField(help_text="The page's address as a QR code, an SVG element.")
    renews = serializers.BooleanField(help_text="Whether you can renew the code.")


class ChouetteOut(serializers.Serializer[Any]):
    """A table as its viewer sees it.

    Money is in minor units, and 0 in a club that plays for points only.
    """

    chouette = serializers.CharField()
    title = serializers.CharField()
    club = serializers.CharField()
    seq = serializers.IntegerField(help_text="Number of events in the log; send it as `after`.")
    version = serializers.IntegerField()
    status = serializers.CharField(help_text="`open` or `closed`.")
    may_write = serializers.BooleanField()
    writer = serializers.CharField(help_text="Your identity as a writer, opaque.")
    you = serializers.CharField(allow_null=True, help_text="Your ref in the log, if you have a seat.")
    points_only = serializers.BooleanField()
    currency = serializers.CharField()
    decimals = serializers.IntegerField(help_text="Digits of the currency's minor unit.")
    stake = serializers.IntegerField(help_text="Usual stake, in minor units per point.")
    house = TableHouseOut()
    consultation = serializers.CharField()
    players = TablePlayerOut(many=True, help_text="In rotation order.")
    placed = serializers.BooleanField()
    to_roll = serializers.ListField(child=serializers.CharField())
    game = TableGameOut(allow_null=True)
    board = BoardOut(allow_null=True, help_text="The board record of the current game, if any.")
    actions = serializers.ListField(
        child=Plain(),
        help_text="What can be recorded now: `kind`, `label`, `by`, `cubes`, `players`, `body`.",
    )
    refusals = serializers.DictField(
        child=serializers.CharField(), help_text="Why other kinds of event cannot be recorded, by kind."
    )
    possible_gains = serializers.DictField(
        child=serializers.DictField(child=ShareOut()),
        help_text="Each player's gain for each possible result of the game.",
    )
    games = PlayedGameOut(many=True, help_text="The last 20.")
    lines = LineOut(many=True, help_text="The last 30 log entries in words.")
    payments = PaymentOut(many=True, help_text="The payments made and the fewest that settle the rest.")
    join = TableCodeOut(allow_null=True)
    ahead = Plain(help_text="The rules engine's state, for recording offline.")
    movable_seats = serializers.ListField(
        child=serializers.CharField(), help_text="Guests whose seats you can move to another phone."
    )


class TableProblem(ProblemBody):
    """A problem with the current table.

    `behind`: others recorded the entries in `theirs` since. `does_not_fit`: nothing was corrected.
    """

    theirs = LineOut(many=True, required=False)
    state = ChouetteOut(required=False)
    does_not_fit = MisfitOut(required=False)


TABLE = {200: ChouetteOut, (409, MEDIA_TYPE): TableProblem}
"""Responses to every change of a table."""
