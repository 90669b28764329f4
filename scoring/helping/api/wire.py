"""The wire of helpers: claim, heartbeat, answer, release. Their program is ``scoring.helper``."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from clubs.http.base import Access, ApiView
from clubs.http.serializers import Strict
from clubs.tasks import wake
from scoring.codec import to_plain
from scoring.helper import PROTOCOL
from scoring.helping.api.authentication import HelperRate, HelperRequest, HelperToken, OfHelper
from scoring.helping.queries.lendable import wanted_labels
from scoring.helping.services.answers import take_answer
from scoring.helping.services.helpers import require_allowed
from scoring.helping.services.holding import HEARTBEAT_SECONDS, extend, release
from scoring.helping.services.leases import MOST_QUESTIONS, claim_lease, require_protocol
from scoring.models import Helper, HelperLease, HelperStatus, LeaseStatus

ASK_AGAIN_SECONDS = 60
_LABEL = 120


class HelperClaimIn(Strict):
    """What the helper speaks, and the labels that its engines give."""

    protocol = serializers.IntegerField(min_value=0, max_value=1_000_000)
    labels = serializers.ListField(child=serializers.CharField(max_length=_LABEL), max_length=20)


class HelperLeaseOut(serializers.Serializer[Any]):
    """Questions to answer before the lease ends."""

    ref = serializers.CharField()
    until = serializers.DateTimeField()
    heartbeat_seconds = serializers.IntegerField(help_text="How often to send a heartbeat.")
    engine = serializers.CharField()
    label = serializers.CharField(help_text="The label that the answer must have.")  # type: ignore[assignment]
    request = serializers.DictField(help_text="Preset, rules and questions: `AnalysisRequest`.")


class HelperClaimOut(serializers.Serializer[Any]):
    """A lease, or null if nothing waits; then ask again later."""

    lease = HelperLeaseOut(allow_null=True)
    ask_again_seconds = serializers.IntegerField()


class HelperHeartbeatIn(Strict):
    """How many questions are answered."""

    done = serializers.IntegerField(min_value=0, max_value=1_000_000)


class HelperHeartbeatOut(serializers.Serializer[Any]):
    """The new end of the lease."""

    until = serializers.DateTimeField()


class HelperAnswerIn(Strict):
    """The decisions of each question, in order."""

    label = serializers.CharField(max_length=_LABEL)  # type: ignore[assignment]
    cpu_seconds = serializers.FloatField(min_value=0, max_value=10_000_000)
    answers = serializers.ListField(
        child=serializers.ListField(child=serializers.DictField(), max_length=2), max_length=MOST_QUESTIONS
    )


class HelperAnswerOut(serializers.Serializer[Any]):
    """What became of an answer; ``reason`` says why it was not accepted."""

    status = serializers.ChoiceField(LeaseStatus.choices)
    reason = serializers.CharField(allow_blank=True)


class HelperReleaseIn(Strict):
    """Whether the engine failed; then the helper does not get these questions again."""

    failed = serializers.BooleanField(default=False)


class HelperStateOut(serializers.Serializer[Any]):
    """The helper itself. ``wanted`` are the labels of what waits, empty unless it is allowed."""

    name = serializers.CharField()
    club = serializers.CharField()
    status = serializers.ChoiceField(HelperStatus.choices)
    reason = serializers.CharField(allow_blank=True)
    protocol = serializers.IntegerField()
    wanted = serializers.ListField(child=serializers.CharField())


class HelperView(ApiView):
    """Views of helpers: their token only, their rate."""

    authentication_classes = [HelperToken]
    throttle_classes = [HelperRate]


class HelperState(HelperView):
    access = {"GET": Access(OfHelper)}

    @extend_schema(responses=HelperStateOut, summary="Get this helper's status")
    def get(self, request: HelperRequest) -> Response:
        helper = request.auth
        allowed = helper.status == HelperStatus.ALLOWED
        told: dict[str, Any] = {"name": helper.name, "club": helper.club.name, "status": helper.status}
        told |= {"reason": helper.reason, "wanted": sorted(wanted_labels(helper)) if allowed else []}
        return self.one(HelperStateOut, told | {"protocol": PROTOCOL})


class HelperClaims(HelperView):
    access = {"POST": Access(OfHelper)}

    @extend_schema(request=HelperClaimIn, responses=HelperClaimOut, summary="Ask for questions to answer")
    def post(self, request: HelperRequest) -> Response:
        """The most urgent that helpers get. Refused with a code: `helper_outdated`, `helper_waiting`,
        `helper_paused`, `not_a_member`, `helpers_off`, `helper_label`, `too_many_leases`.
        """
        body = self.valid(HelperClaimIn)
        require_protocol(body["protocol"])
        given = claim_lease(helper=request.auth, labels=body["labels"])
        told: dict[str, Any] = {"lease": None, "ask_again_seconds": ASK_AGAIN_SECONDS}
        if given is not None:
            lease = given.lease
            told["lease"] = {
                "ref": lease.ref,
                "until": lease.until,
                "heartbeat_seconds": HEARTBEAT_SECONDS,
                "engine": lease.label.partition(" ")[0],
                "label": lease.label,
                "request": to_plain(given.request),
            }
        return self.one(HelperClaimOut, told)


class HelperHeartbeat(HelperView):
    access = {"POST": Access(OfHelper)}

    @extend_schema(request=HelperHeartbeatIn, responses=HelperHeartbeatOut, summary="Renew a lease")
    def post(self, request: HelperRequest, lease: str) -> Response:
        """Refused with the code `lease_lost` after its end."""
        done = self.valid(HelperHeartbeatIn)["done"]
        require_allowed(request.auth)
        return self.one(HelperHeartbeatOut, extend(_lease(request.auth, lease), done=done))


class HelperAnswer(HelperView):
    access = {"POST": Access(OfHelper)}
    one_transaction = False

    @extend_schema(
        request=HelperAnswerIn, responses=HelperAnswerOut, summary="Answer the questions of a lease"
    )
    def post(self, request: HelperRequest, lease: str) -> Response:
        """Checked against the replay at once, by a sample later. Refused with the code `lease_lost` after the
        lease's end. Sent again, it gets the status so far.
        """
        body = self.valid(HelperAnswerIn)
        taken = take_answer(lease=_lease(request.auth, lease), **body)
        wake(taken.analysis)
        return self.one(HelperAnswerOut, {"status": taken.status, "reason": taken.reason})


class HelperRelease(HelperView):
    access = {"POST": Access(OfHelper)}

    @extend_schema(request=HelperReleaseIn, responses={204: None}, summary="Give a lease back")
    def post(self, request: HelperRequest, lease: str) -> Response:
        found = _lease(request.auth, lease)
        release(found, **self.valid(HelperReleaseIn))
        wake(found.analysis)
        return Response(status=204)


def _lease(helper: Helper, ref: str) -> HelperLease:
    rows = HelperLease.objects.select_related("analysis__match__sheet")
    found = rows.filter(helper=helper, ref=ref).first()
    if found is None:
        raise Http404(_("This helper has no lease %(ref)s.") % {"ref": ref})
    found.helper = helper
    return found
