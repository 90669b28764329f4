"""Related rows of a stage, read in its own query as plain values.

Whom it feeds, who was sent to it, who declined, which of its draws were undone.
"""

from functools import cache

from django.contrib.postgres.expressions import ArraySubquery
from django.db import connection
from django.db.models import F, Model, OuterRef, Q
from django.db.models.expressions import RawSQL
from django.db.models.functions import JSONObject

from tournaments.models.drawn_field import EarlierDraw, EarlierEntrant
from tournaments.models.feeds import Declined, Feed, Sent

RULES, FED, DECLINED, EARLIER = ALONG = ("along_rules", "along_fed", "along_declined", "along_earlier")


@cache
def along(stages: type[Model]) -> dict[str, RawSQL]:
    """The annotations that add these rows, by ``ALONG``; compiled to SQL once.

    Compiling takes longer than the query. They refer to the table by name, so they cannot be used in a
    subquery of stages.
    """
    query = stages._default_manager.annotate(**_along()).query
    compiler = query.get_compiler(connection=connection)
    found = {}
    for name, each in query.annotations.items():
        sql, params = compiler.compile(each)
        found[name] = RawSQL(sql, tuple(params), each.output_field)  # noqa: S611 - made by Django itself
    return found


def _along() -> dict[str, ArraySubquery]:
    here = OuterRef("pk")
    rules = Feed.objects.filter(stage=here).order_by("number")
    fed = Feed.objects.filter(into=here, sent=True).order_by("stage__position", "number")
    sent = Sent.objects.filter(feed=here).order_by("place").values_list("entrant__ref")
    declined = Declined.objects.filter(stage=here).order_by("at", "pk")
    earlier = EarlierDraw.objects.filter(stage=here).order_by("number")
    # Late entrants have no `drawn`, substitutes another one.
    beside = EarlierEntrant.objects.filter(Q(drawn=None) | ~Q(drawn=F("entrant")), draw=here)
    late = beside.order_by("number").values_list(JSONObject(drawn="drawn__ref", entrant="entrant__ref"))
    told = ("seed", "seed_hash", "drawn_at", "taken_back_at", "dice_hash", "dice_seed")
    draw = JSONObject(**{name: name for name in told}, beside=ArraySubquery(late))
    return {
        RULES: ArraySubquery(rules.values_list(JSONObject(kind="kind", amount="amount", into="into__ref"))),
        FED: ArraySubquery(fed.values_list(JSONObject(source="stage__ref", entrants=ArraySubquery(sent)))),
        DECLINED: ArraySubquery(declined.values_list("entrant__ref")),
        EARLIER: ArraySubquery(earlier.values_list(draw)),
    }
