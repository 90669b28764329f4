"""Scoresheets: opened, written event by event, corrected, reported, by the services of the pages."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public, SignedIn, club_permission
from clubs.http.base import Access, ApiRequest, ApiView, ClubApiRequest
from clubs.http.problems import about
from clubs.http.serializers import Strict
from clubs.models import Club, Player, Role, Scope
from scoring.log.api import REVISION, known_match
from scoring.log.queries.writers import Author, author_of
from scoring.log.services.sheets import require_here
from scoring.models import ClaimSide, ClubProfile, Match
from scoring.profiles.queries.profile_words import sentences
from scoring.profiles.queries.profiles import profile_named, profiles_of
from scoring.profiles.services.profiles import keep_profile, retire_profile
from scoring.rules.profiles import profile_to_plain
from scoring.sheets.queries.scoresheet import view_for
from scoring.sheets.services.claims import make_claim, revoke_claims
from scoring.sheets.services.corrections import correct, undo_last
from scoring.sheets.services.entries import LONGEST_KEY, MOST_ENTRIES, EntryRefused, record
from scoring.sheets.services.requests import correction_in, entries_in, move_clock
from scoring.sheets.services.results import object_to_result
from scoring.sheets.services.transcription import record_text

OBJECT = {"type": "object", "additionalProperties": True}


@extend_schema_field(OBJECT)
class Plain(serializers.JSONField):
    """A part of a sheet's view as it is."""


class SheetOut(serializers.Serializer[Any]):
    """A sheet as its viewer sees it. Positions are each side's own numbering: 0 off, 1 to 24, 25 the bar."""

    match = serializers.CharField()
    seq = serializers.IntegerField(help_text="How many events the log has: what the next entry follows.")
    version = serializers.IntegerField()
    length = serializers.IntegerField(help_text="Points to win, 0 for a money session.")
    status = serializers.CharField(help_text="`playing`, `suspended` or `over`.")
    writer = serializers.CharField(
        allow_null=True, help_text="What the viewer writes as: one word for each login; null for who watches."
    )
    may_write = serializers.BooleanField()
    directs = serializers.BooleanField()
    your_side = serializers.CharField(allow_null=True)
    profile = Plain(allow_null=True)
    options = Plain(help_text="The options of the rules under which the match is played.")
    white = Plain()
    black = Plain()
    crawford = serializers.CharField(help_text="`before`, `now`, `after` or `off`.")
    sign = serializers.CharField(allow_blank=True)
    game = Plain()
    actions = serializers.ListField(child=Plain(), help_text="What may be entered next, by whom.")
    refusals = Plain(help_text="Why the rest may not be.")
    plays = Plain(allow_null=True, help_text="Every legal sequence of steps for the roll that waits.")
    games = serializers.ListField(child=Plain())
    lines = serializers.ListField(child=Plain(), help_text="The last 30 lines in words.")
    earlier = serializers.CharField(allow_null=True)
    result = Plain(allow_null=True)
    flags = serializers.ListField(child=serializers.CharField())
    clock = Plain(allow_null=True)


class NewMatch(Strict):
    """A match to be opened: refs of one or two players of the club a side."""

    white = serializers.ListField(child=serializers.CharField(max_length=20), min_length=1, max_length=2)
    black = serializers.ListField(child=serializers.CharField(max_length=20), min_length=1, max_length=2)
    length = serializers.IntegerField(
        min_value=0, max_value=999, help_text="Points to win, 0 for money play."
    )
    profile = serializers.CharField(max_length=40, default="wbf", help_text="A profile of the club, by name.")
    handicap_white = serializers.IntegerField(min_value=0, default=0)
    handicap_black = serializers.IntegerField(min_value=0, default=0)
    played_at = serializers.DateTimeField(
        required=False, allow_null=True, default=None, help_text="When it was played; now, if it is left out."
    )


class ProfileOut(serializers.Serializer[Any]):
    """A rules profile with its rules in sentences."""

    name = serializers.CharField()
    title = serializers.CharField()
    values = serializers.SerializerMethodField()
    rules = serializers.SerializerMethodField()

    @extend_schema_field(OBJECT)
    def get_values(self, profile: Any) -> dict[str, Any]:
        return profile_to_plain(profile)

    def get_rules(self, profile: Any) -> list[str]:
        return sentences(profile)


class ProfilesOut(serializers.Serializer[Any]):
    """All profiles of a club, on one page."""

    items = ProfileOut(many=True)
    next = serializers.URLField(allow_null=True)


class NewProfile(Strict):
    """A profile of the club's own, in the form in which `values` shows one."""

    values = serializers.DictField()


class NewEntry(Strict):
    """One event under a key of the writer's own."""

    key = serializers.CharField(max_length=LONGEST_KEY)
    kind = serializers.CharField(max_length=24)
    body = serializers.DictField(required=False, help_text="Its fields depend on `kind`.")


class NewEntries(Strict):
    """Events that follow the event `after`: all are written, or none."""

    after = serializers.IntegerField(min_value=0)
    entries = serializers.ListField(child=NewEntry(), min_length=1, max_length=MOST_ENTRIES)


class Undo(Strict):
    after = serializers.IntegerField(min_value=0)
    key = serializers.CharField(max_length=LONGEST_KEY)


class EntryCorrection(Undo):
    """Another event in the place of the event `seq`; the kind `voided` takes it away."""

    seq = serializers.IntegerField(min_value=1)
    kind = serializers.CharField(max_length=24)
    body = serializers.DictField(required=False)
    reason = serializers.CharField(max_length=1000)
    cut = serializers.BooleanField(default=False, help_text="Take away what does not fit any more.")


class Typed(Undo):
    """A line as a transcriber types it: `31 85 65`, `d`, `t`."""

    text = serializers.CharField(max_length=200)


class ClockAction(Strict):
    action = serializers.ChoiceField(["start", "press", "pause", "set"])
    side = serializers.ChoiceField(["white", "black"], required=False)
    white_ms = serializers.IntegerField(required=False)
    black_ms = serializers.IntegerField(required=False)


class NewClaim(Strict):
    side = serializers.ChoiceField([choice for choice in ClaimSide.values if choice], required=False)


class ClaimOut(serializers.Serializer[Any]):
    """A new claim. The code is shown this once; `/score/<code>/` opens the match."""

    code = serializers.CharField()
    side = serializers.CharField(allow_null=True)
    expires_at = serializers.DateTimeField()


class NewObjection(Strict):
    reason = serializers.CharField(max_length=1000, required=False, default="", allow_blank=True)
    revision = serializers.IntegerField(min_value=1, required=False, help_text=REVISION)


def opened_sheet(request: ApiRequest, ref: str) -> tuple[Match, Author]:
    """The match and what the viewer writes as. Raises Http404 or PermissionDenied, and ResultRefused for
    a match that lives on another machine.
    """
    match, role = known_match(request.user, ref)
    author = author_of(match, request.user, role=role)
    if author is None:
        raise PermissionDenied(_("Only its players, its scorers and the club's directors write this match."))
    require_here(match.sheet)
    return match, author


def players_named(club: Club, refs: list[str], field: str) -> list[Player]:
    """The club's players of these refs, in their order. Raises ValidationError for anybody else."""
    found = {
        player.ref: player
        for player in Player.objects.current().filter(memberships__club=club, ref__in=refs).distinct()
    }
    if unknown := [ref for ref in refs if ref not in found]:
        message = _("Nobody of this club has this ref: %(refs)s.") % {"refs": ", ".join(unknown)}
        raise ValidationError({field: [ErrorDetail(message, "unknown_player")]})
    return [found[ref] for ref in refs]


@contextmanager
def entries_named() -> Iterator[None]:
    """Say which entry was refused, and why, as the rules say it."""
    try:
        yield
    except EntryRefused as refused:
        with about(f"entries.{refused.at}"):
            raise refused.error from refused


def shown(view: ApiView, request: Request, ref: str) -> Response:
    """The sheet as it is now: what all of its changes answer with."""
    match, role = known_match(request.user, ref)
    author = author_of(match, request.user, role=role)
    return view.one(SheetOut, view_for(match.sheet, match, author))


class OneSheet(ApiView):
    access = {"GET": Access(Public)}

    @extend_schema(responses=SheetOut, summary="A match's scoresheet as it stands")
    def get(self, request: Request, match: str) -> Response:
        return shown(self, request, match)


class SheetUndo(ApiView):
    access = {"POST": Access(SignedIn, Scope.RECORD)}

    @extend_schema(request=Undo, responses=SheetOut, summary="Take back the last event of a scoresheet")
    def post(self, request: ApiRequest, match: str) -> Response:
        found, author = opened_sheet(request, match)
        with entries_named():
            undo_last(match=found, author=author, **self.valid(Undo))
        return shown(self, request, match)


class SheetCorrections(ApiView):
    access = {"POST": Access(SignedIn, Scope.RECORD)}

    @extend_schema(request=EntryCorrection, responses=SheetOut, summary="Correct an event of a scoresheet")
    def post(self, request: ApiRequest, match: str) -> Response:
        """409 `does_not_fit` names the first later event that does not fit any more, unless `cut` is true."""
        found, author = opened_sheet(request, match)
        with entries_named():
            correct(match=found, author=author, **correction_in(self.valid(EntryCorrection), author))
        return shown(self, request, match)


class SheetText(ApiView):
    access = {"POST": Access(SignedIn, Scope.RECORD)}

    @extend_schema(request=Typed, responses=SheetOut, summary="Record a typed line on a scoresheet")
    def post(self, request: ApiRequest, match: str) -> Response:
        found, author = opened_sheet(request, match)
        with entries_named():
            record_text(match=found, author=author, **self.valid(Typed))
        return shown(self, request, match)


class SheetClock(ApiView):
    access = {"POST": Access(SignedIn, Scope.RECORD)}

    @extend_schema(request=ClockAction, responses=SheetOut, summary="Start, press or stop the match clock")
    def post(self, request: ApiRequest, match: str) -> Response:
        found, author = opened_sheet(request, match)
        move_clock(found, author, self.valid(ClockAction))
        return shown(self, request, match)


class SheetClaims(ApiView):
    access = {"POST": Access(SignedIn, Scope.RECORD), "DELETE": Access(SignedIn, Scope.RECORD)}

    @extend_schema(
        request=NewClaim, responses={201: ClaimOut}, summary="Let somebody without a login score a match"
    )
    def post(self, request: ApiRequest, match: str) -> Response:
        found, author = opened_sheet(request, match)
        claim, code = make_claim(match=found, author=author, side=self.valid(NewClaim).get("side", ""))
        row = {"code": code, "side": claim.side or None, "expires_at": claim.expires_at}
        return self.one(ClaimOut, row, status=201)

    @extend_schema(request=None, responses={204: None}, summary="End every claim to score a match")
    def delete(self, request: ApiRequest, match: str) -> Response:
        found, _author = opened_sheet(request, match)
        revoke_claims(match=found)
        return Response(status=204)


class Objections(ApiView):
    access = {"POST": Access(SignedIn, Scope.RECORD)}

    @extend_schema(request=NewObjection, responses=SheetOut, summary="Object to a match's result")
    def post(self, request: ApiRequest, match: str) -> Response:
        """The result waits for a director then; 409 when it is final, or when one does not play here."""
        found, author = opened_sheet(request, match)
        object_to_result(match=found, side=author.side, user=author.user, **self.valid(NewObjection))
        return shown(self, request, match)


class ClubProfiles(ApiView):
    access = {
        "GET": Access(club_permission()),
        "POST": Access(club_permission(Role.DIRECTOR), Scope.DIRECT),
    }

    @extend_schema(responses=ProfilesOut, summary="The rules profiles of a club")
    def get(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        return self.one(ProfilesOut, {"items": profiles_of(request.club), "next": None})

    @extend_schema(request=NewProfile, responses=ProfileOut, summary="Keep a rules profile of the club's own")
    def post(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002
        profile = keep_profile(club=request.club, values=self.valid(NewProfile)["values"])
        return self.one(ProfileOut, profile)


class OneClubProfile(ApiView):
    access = {
        "GET": Access(club_permission()),
        "DELETE": Access(club_permission(Role.DIRECTOR), Scope.DIRECT),
    }

    @extend_schema(responses=ProfileOut, summary="A rules profile of a club")
    def get(self, request: ClubApiRequest, club: str, profile: str) -> Response:  # noqa: ARG002
        found = next((each for each in profiles_of(request.club) if each.name == profile), None)
        if found is None:
            raise Http404(_("There is no such profile."))
        return self.one(ProfileOut, found)

    @extend_schema(request=None, responses={204: None}, summary="Retire a rules profile of the club's own")
    def delete(self, request: ClubApiRequest, club: str, profile: str) -> Response:  # noqa: ARG002
        """No new match is played by it, those that have begun keep it; kept anew it is in use again."""
        row = get_object_or_404(ClubProfile.objects.in_club(request.club), name=profile)
        retire_profile(club=request.club, name=row.name)
        return Response(status=204)


def append_entries(view: ApiView, request: ApiRequest, ref: str) -> Match:
    """Write the entries of a request's body."""
    match, author = opened_sheet(request, ref)
    body = view.valid(NewEntries)
    with entries_named():
        return record(match=match, author=author, after=body["after"], entries=entries_in(body, author))


def match_arguments(view: ApiView, club: Club) -> dict[str, Any]:
    """The arguments of ``open_match`` in a request's body."""
    body = view.valid(NewMatch)
    with about("profile", body["profile"]):
        profile = profile_named(club, body["profile"])
    return {
        "white": players_named(club, body["white"], "white"),
        "black": players_named(club, body["black"], "black"),
        "length": body["length"],
        "profile": profile,
        "handicap": (body["handicap_white"], body["handicap_black"]),
        "played_at": body["played_at"],
    }
