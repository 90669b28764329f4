"""API of links that show a match to everyone who has them."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from clubs.access import SignedIn
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.serializers import Strict
from clubs.models import Role, Scope, User
from scoring.log.api import known_match
from scoring.models import LinkShows, Match, ShareLink
from scoring.sharing.queries.embedding import snippet_of
from scoring.sharing.queries.links import links_to, numbers_of, own_links
from scoring.sharing.services.links import DAYS, end_link, make_link, require_sharing


class LinkOut(serializers.ModelSerializer[ShareLink]):
    """A link without its address, which is told only when it is made.

    ``event_seq`` is the entry of the sheet whose decision it shows; null where it shows the match.
    ``ends_at`` is when it ends, or ended; ``opened`` how often its first page was opened.
    """

    match = serializers.SlugRelatedField[Any](slug_field="ref", read_only=True)
    made_by = serializers.SerializerMethodField(help_text="The ref of the player who made it.")
    ends_at = serializers.DateTimeField(read_only=True)
    ended = serializers.BooleanField(source="has_ended", read_only=True)

    class Meta:
        model = ShareLink
        fields = ["ref", "match", "shows", "event_seq", "made_by", "made_at", "ends_at", "ended", "opened"]

    @extend_schema_field({"type": "string"})
    def get_made_by(self, link: ShareLink) -> str:
        return str(link.made_by.ref)


class MadeLinkOut(LinkOut):
    """A new link with its address, told only now; ``embed`` is HTML that shows its decision elsewhere."""

    address = serializers.SerializerMethodField()
    embed = serializers.SerializerMethodField(help_text="Empty unless the link shows one decision.")

    class Meta(LinkOut.Meta):
        fields = [*LinkOut.Meta.fields, "address", "embed"]

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_address(self, _link: ShareLink) -> str:
        return str(self.context["address"])

    @extend_schema_field({"type": "string"})
    def get_embed(self, _link: ShareLink) -> str:
        return str(self.context["embed"])


class NewLink(Strict):
    """What the link shows, and for how many days."""

    shows = serializers.ChoiceField(LinkShows.choices)
    days = serializers.ChoiceField([(days, str(days)) for days in DAYS], default=DAYS[1])
    step = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=2**31 - 1,
        default=None,
        help_text="The step of the decision, as the match page numbers them; for `decision` only.",
    )

    def validate(self, body: dict[str, Any]) -> dict[str, Any]:
        if (body["shows"] == LinkShows.DECISION) != (body["step"] is not None):
            raise serializers.ValidationError({"step": [_("Send a step for a decision, and only then.")]})
        return body


class MatchLinks(ApiView):
    access = {"GET": Access(SignedIn), "POST": Access(SignedIn, Scope.RECORD)}
    ordering = ("-made_at", "pk")

    @extend_schema(responses=LinkOut(many=True), summary="List the links to a match, newest first")
    def get(self, request: ApiRequest, match: str) -> Response:
        """For the players of the match and directors of its club."""
        found, _role = _shareable(request.user, match)
        return self.listed(links_to(found), LinkOut)

    @extend_schema(request=NewLink, responses={201: MadeLinkOut}, summary="Make a link to a match")
    def post(self, request: ApiRequest, match: str) -> Response:
        """The answer has the address; it is not told again. 409 where a player keeps the analysis.

        With an `Idempotency-Key`, the answer is kept for a repeat as long as every other.
        """
        found, role = _shareable(request.user, match)
        body = self.valid(NewLink)
        link, secret = make_link(
            user=request.user,
            match=found,
            role=role,
            shows=LinkShows(body["shows"]),
            days=int(body["days"]),
            step=body["step"],
        )
        address = request.build_absolute_uri(reverse("scoring:shared", args=[secret]))
        embed = ""
        if link.event_seq is not None:
            step = numbers_of(found)[link.event_seq]
            framed = request.build_absolute_uri(reverse("scoring:shared_embed", args=[secret, step]))
            embed = snippet_of(framed, f"{found.white.name} – {found.black.name}")
        context = {**self.get_serializer_context(), "address": address, "embed": embed}
        response = Response(MadeLinkOut(link, context=context).data, status=201)
        response.headers["Location"] = request.build_absolute_uri(reverse("api:link", args=[link.ref]))
        return response


class MyLinks(ApiView):
    access = {"GET": Access(SignedIn)}
    ordering = ("-made_at", "pk")

    @extend_schema(responses=LinkOut(many=True), summary="List the links that you made, newest first")
    def get(self, request: ApiRequest) -> Response:
        return self.listed(own_links(request.user).select_related("made_by"), LinkOut)


class OneLink(ApiView):
    access = {"GET": Access(SignedIn), "DELETE": Access(SignedIn, Scope.RECORD)}

    @extend_schema(responses=LinkOut, summary="Get one of your links")
    def get(self, request: ApiRequest, link: str) -> Response:
        found = own_links(request.user).select_related("made_by").filter(ref=link).first()
        if found is None:
            raise _no_link(link)
        return self.one(LinkOut, found)

    @extend_schema(responses={204: None}, summary="End a link")
    def delete(self, request: ApiRequest, link: str) -> Response:
        """Your own; players of the match and directors end every link to it. Its address then answers 410."""
        try:
            end_link(user=request.user, ref=link)
        except ShareLink.DoesNotExist as error:
            raise _no_link(link) from error
        return Response(status=204)


def _shareable(user: User, ref: str) -> tuple[Match, Role | None]:
    match, role = known_match(user, ref)
    require_sharing(user, match, role)
    return match, role


def _no_link(ref: str) -> Http404:
    return Http404(_("There is no link %(ref)s.") % {"ref": ref})
