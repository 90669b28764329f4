"""Stages with what hangs on them, read in the stages' own statement as plain values: whom they feed, who was
sent to them, who said no, which draws of them were taken back.
"""

from django.contrib.postgres.expressions import ArraySubquery
from django.db import models
from django.db.models import F, OuterRef, Q
from django.db.models.functions import JSONObject

from tournaments.models.drawn import EarlierDraw, EarlierEntrant
from tournaments.models.feeding import Declined, Feed, Sent

OUT, IN, DECLINED, EARLIER = WAYS = ("ways_out", "ways_in", "ways_declined", "ways_earlier")


class StageQuerySet(models.QuerySet["StageRow"]):
    def with_ways(self) -> "StageQuerySet":
        """What ``StageRow.rules``, ``fed``, ``declined`` and ``superseded`` say, loaded along (no query more)."""
        here = OuterRef("pk")
        out = Feed.objects.filter(stage=here).order_by("number")
        sent = Sent.objects.filter(feed=here).order_by("place").values_list("entrant__ref")
        fed = Feed.objects.filter(into=here, sent=True).order_by("stage__position", "number")
        declined = Declined.objects.filter(stage=here).order_by("at", "pk")
        # Whoever came late has no `drawn`, whoever took over a place another one.
        beside = EarlierEntrant.objects.filter(Q(drawn=None) | ~Q(drawn=F("entrant")), draw=here)
        earlier = EarlierDraw.objects.filter(stage=here).order_by("number")
        told = ("seed", "seed_hash", "drawn_at", "taken_back_at", "dice_hash", "dice_seed")
        return self.annotate(
            ways_out=ArraySubquery(
                out.values_list(JSONObject(kind="kind", amount="amount", into="into__ref"))
            ),
            ways_in=ArraySubquery(
                fed.values_list(JSONObject(source="stage__ref", entrants=ArraySubquery(sent)))
            ),
            ways_declined=ArraySubquery(declined.values_list("entrant__ref")),
            ways_earlier=ArraySubquery(
                earlier.values_list(
                    JSONObject(
                        **{name: name for name in told},
                        beside=ArraySubquery(
                            beside.order_by("number").values_list(
                                JSONObject(drawn="drawn__ref", entrant="entrant__ref")
                            )
                        ),
                    )
                )
            ),
        )
