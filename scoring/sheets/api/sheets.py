"""API of scoresheets: read, record, undo, correct, confirm, dispute."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import segno
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public
from clubs.http.addresses import for_phones
from clubs.http.base import Access
from clubs.http.etags import version_tag
from clubs.http.problems import about, told
from clubs.models import Scope
from scoring.log.api import LETTING_IN, ClaimView, number_in, or_claim, seen_match, session_of
from scoring.log.queries.words import text_of, with_names
from scoring.log.queries.writers import Author, ref_of
from scoring.log.services.sheets import require_here
from scoring.models import Match, MatchStatus, SheetEvent
from scoring.rules.errors import ScoringError
from scoring.rules.sides import Side
from scoring.sheets.api.answers import APPENDED, SHEET, ClaimOut, EndedClaimsOut, SheetOut
from scoring.sheets.api.bodies import (
    ClockAction,
    EntryCorrection,
    NewClaim,
    NewConfirmation,
    NewDispute,
    NewEntries,
    Typed,
    Undo,
)
from scoring.sheets.api.conflicts import misfit, overtaken
from scoring.sheets.queries.opened_match import Opened, seen_match_of, writer_of
from scoring.sheets.queries.scoresheet import lines_after, names_of, view_for
from scoring.sheets.queries.sheet_changes import changes_for, missing_for
from scoring.sheets.services.appends import SheetOvertakenRefused, append
from scoring.sheets.services.claims import make_claim, revoke_claims
from scoring.sheets.services.corrections import correct, undo_last
from scoring.sheets.services.entries import ConflictRefused, EntryRefused
from scoring.sheets.services.refolds import CorrectionRefused
from scoring.sheets.services.requests import correction_in, entries_in, keys_in, move_clock
from scoring.sheets.services.results import confirm_result, object_to_result
from scoring.sheets.services.transcription import record_text
from scoring.signals import ResultRefused

logger = logging.getLogger(__name__)

Writers = or_claim("the players of the match, directors of its club and holders of a scoring link")


@contextmanager
def entries_named(names: Mapping[Side, str] | None = None) -> Iterator[None]:
    """Raise the rules' error of a refused entry with its index, and players' names in place of sides."""
    try:
        yield
    except EntryRefused as refused:
        with about(f"entries.{refused.at}"):
            raise with_names(refused.error, names or {}) from refused


@contextmanager
def reason_told(names: Mapping[Side, str]) -> Iterator[None]:
    """Raise the rules' error of a refused entry or typed line, with players' names in place of sides."""
    try:
        yield
    except EntryRefused as refused:
        raise with_names(refused.error, names) from refused
    except ScoringError as error:
        raise with_names(error, names) from None


class SheetView(ClaimView):
    """Base of scoresheet endpoints. Changes answer with the current scoresheet."""

    opened: Opened | None = None
    """The match, once the writer is known."""
    writer: Author
    status: str
    """The status of the match when it was opened."""

    def open(self, ref: str, keys: list[str] | None = None) -> Opened:
        """The match as the viewer sees it. Raises Http404 if it is hidden or unknown."""
        opened = seen_match_of(ref, self.request.user, session_of(self.request), keys or ())
        if opened is None:
            raise Http404(_("There is no match %(ref)s.") % {"ref": ref})
        return opened

    def author(self, opened: Opened) -> Author | None:
        return writer_of(opened, self.request.user, session_of(self.request))

    def writable(self, ref: str, keys: list[str] | None = None) -> tuple[Opened, Author]:
        """The match and its writer.

        Raises Http404, PermissionDenied, or ResultRefused for a match moved to another computer.
        """
        opened = self.open(ref, keys)
        author = self.author(opened)
        if author is None:
            raise PermissionDenied(_("Only its players, its scorers and directors can record this match."))
        require_here(opened.match.sheet)
        self.require_writer(author)
        self.opened, self.writer, self.status = opened, author, opened.match.status
        return opened, author

    def shown(self, match: Match, author: Author | None) -> Response:
        """The scoresheet of a loaded match as plain data; ``SheetOut`` describes it."""
        return Response(view_for(match.sheet, match, author))

    def changed(self, match: Match) -> Response:
        """The scoresheet after a change; ``match`` is what the service returned."""
        assert self.opened is not None  # noqa: S101 - who writes has opened it
        found = self.opened.match
        if match.status != MatchStatus.PLAYING or self.status != MatchStatus.PLAYING:
            return self.now(match.ref)
        # who plays and who writes is as it was loaded: only the sheet has moved on
        found.version, found.sheet = match.version, match.sheet
        return self.shown(found, self.writer)

    def now(self, ref: str) -> Response:
        """The scoresheet reloaded."""
        opened = self.open(ref)
        return self.shown(opened.match, self.author(opened))

    def explained(self, error: Exception) -> Exception:
        opened = self.opened
        if opened is None:
            return error
        if isinstance(error, CorrectionRefused):
            match = opened.match
            lines = lines_after(match.sheet, names_of(match), error.seq - 1)
            return misfit(error, lines, text_of(error.error, names_of(match)))
        if isinstance(error, ConflictRefused | IntegrityError):
            return self._overtaken(error, opened)
        return error

    def _overtaken(self, error: ConflictRefused | IntegrityError, opened: Opened) -> Exception:
        """A conflict with the lines in between and the changes or the whole scoresheet."""
        try:
            found = self._present(error, opened)
        except Http404 as gone:
            return gone
        match, author, body = found.match, self.author(found), self.request.data
        after, holds = number_in(body, "after"), number_in(body, "holds")
        theirs = lines_after(match.sheet, names_of(match), after)
        news = missing_for(match, author, follows=holds, after=after, theirs=theirs)
        members = {**(news or {"state": view_for(match.sheet, match, author)}), "theirs": theirs}
        said = _("Someone else recorded the same entry at the same moment. Reload the page and check it.")
        return overtaken(error, members, at_once=said)

    def _present(self, error: Exception, opened: Opened) -> Opened:
        """The current match: reloaded only if someone else has written since."""
        if isinstance(error, SheetOvertakenRefused):
            return error.opened
        if isinstance(error, ConflictRefused) and error.seq == opened.match.sheet.head_seq:
            return opened
        return self.open(opened.match.ref)


class OneSheet(SheetView):
    access = {"GET": Access(Public)}

    @extend_schema(responses=SheetOut, summary="Get a match's scoresheet")
    def get(self, request: Request, match: str) -> Response:  # noqa: ARG002
        opened = self.open(match)
        found, author = opened.match, self.author(opened)
        who = f"{ref_of(author)}-{author.side or ''}{int(author.directs)}" if author else "-"
        tag = version_tag(found.version, found.sheet.head_seq, who, get_language())
        return self.tagged(tag, lambda: self.shown(found, author))


class SheetEventOut(serializers.ModelSerializer[SheetEvent]):
    """One event of a sheet. ``replaces`` is the ``seq`` of the event that it corrects."""

    body = serializers.DictField(help_text="What happened; its fields depend on `kind`.")

    class Meta:
        model = SheetEvent
        fields = ["seq", "kind", "body", "replaces", "at", "hash"]


class MatchEvents(SheetView):
    access = {"GET": Access(Public), "POST": Access(Writers, Scope.RECORD)}
    ordering = ("seq",)
    one_transaction = False

    @extend_schema(responses=SheetEventOut(many=True), summary="List the events of a match's scoresheet")
    def get(self, request: Request, match: str) -> Response:
        """The log is append-only; each hash covers the event and the previous hash."""
        found = seen_match(request.user, match)
        return self.listed(SheetEvent.objects.filter(sheet=found.sheet), SheetEventOut)

    @extend_schema(request=NewEntries, responses=APPENDED, summary="Record events on a match's scoresheet")
    def post(self, request: Request, match: str) -> Response:
        """All entries are written or none; 409 when someone else has written since `after`.

        An entry with a known key is answered as the first time and not written again. A client that `holds`
        the version the entries follow may get only the changes.
        """
        sent = request.data
        opened, author = self.writable(match, keys_in(sent) if isinstance(sent, Mapping) else None)
        body = self.valid(NewEntries)
        if "differs" in body:
            logger.warning("A page finds other legal plays, match %s: %r", match, body["differs"])
        with entries_named(names_of(opened.match)):
            entries = entries_in(body, author)
            try:
                changed = append(opened=opened, author=author, after=body["after"], entries=entries)
            except ResultRefused as barred:
                raise told(barred, field_name=f"entries.{len(entries) - 1}") from barred
        if isinstance(changed, Match):
            return self.changed(changed)
        if body.get("holds") != changed.version:
            return self.shown(opened.match, author)
        news = changes_for(
            opened.match,
            author,
            follows=changed.version,
            before=changed.before,
            state=changed.state,
            events=changed.rows,
        )
        return Response(news)


class SheetUndo(SheetView):
    access = {"POST": Access(Writers, Scope.RECORD)}

    @extend_schema(request=Undo, responses=SHEET, summary="Undo the last event of a scoresheet")
    def post(self, request: Request, match: str) -> Response:  # noqa: ARG002
        opened, author = self.writable(match)
        with reason_told(names_of(opened.match)):
            return self.changed(undo_last(match=opened.match, author=author, **self.valid(Undo)))


class SheetCorrections(SheetView):
    access = {"POST": Access(Writers, Scope.RECORD)}

    @extend_schema(request=EntryCorrection, responses=SHEET, summary="Correct an event of a scoresheet")
    def post(self, request: Request, match: str) -> Response:  # noqa: ARG002
        """409 `does_not_fit` names the first later event that no longer fits, unless `cut` is true."""
        opened, author = self.writable(match)
        correction = correction_in(self.valid(EntryCorrection), author)
        with reason_told(names_of(opened.match)):
            return self.changed(correct(match=opened.match, author=author, **correction))


class SheetText(SheetView):
    access = {"POST": Access(Writers, Scope.RECORD)}

    @extend_schema(request=Typed, responses=SHEET, summary="Record a typed line on a scoresheet")
    def post(self, request: Request, match: str) -> Response:  # noqa: ARG002
        """An ambiguous line gives 422: `parameters` has the `readings`, and in `lines` the line for each."""
        opened, author = self.writable(match)
        with reason_told(names_of(opened.match)):
            return self.changed(record_text(match=opened.match, author=author, **self.valid(Typed)))


class SheetClock(SheetView):
    access = {"POST": Access(Writers, Scope.RECORD)}

    @extend_schema(request=ClockAction, responses=SHEET, summary="Start, press or stop the match clock")
    def post(self, request: Request, match: str) -> Response:  # noqa: ARG002
        opened, author = self.writable(match)
        return self.changed(move_clock(opened.match, author, self.valid(ClockAction)))


class SheetClaims(SheetView):
    access = {"POST": Access(Writers, Scope.RECORD), "DELETE": Access(Writers, Scope.RECORD)}
    throttle_classes = LETTING_IN

    @extend_schema(request=NewClaim, responses={201: ClaimOut}, summary="Create a scoring link for a match")
    def post(self, request: Request, match: str) -> Response:
        opened, author = self.writable(match)
        side = self.valid(NewClaim).get("side", "")
        claim, code = make_claim(match=opened.match, author=author, side=side)
        page = claim_address(request._request, code)
        qr = segno.make(page).svg_inline(scale=4, border=2, omitsize=True)
        row = {"code": code, "page": page, "qr": qr, "side": claim.side or None}
        return self.one(ClaimOut, {**row, "expires_at": claim.expires_at}, status=201)

    @extend_schema(
        request=None, responses={200: EndedClaimsOut}, summary="Revoke all scoring links of a match"
    )
    def delete(self, request: Request, match: str) -> Response:  # noqa: ARG002
        opened, author = self.writable(match)
        if author.user is None:
            raise PermissionDenied(_("Sign in to revoke scoring links."))
        return self.one(EndedClaimsOut, {"revoked": revoke_claims(match=opened.match)})


class Confirmations(SheetView):
    access = {"POST": Access(Writers, Scope.RECORD)}

    @extend_schema(request=NewConfirmation, responses=SHEET, summary="Confirm a match's result")
    def post(self, request: Request, match: str) -> Response:  # noqa: ARG002
        """A director settles it; a player or scorer confirms for one side. 409 if none is asked."""
        opened, author = self.writable(match)
        confirm_result(
            match=opened.match,
            user=author.user,
            as_director=author.directs,
            claim=author.claim,
            **self.valid(NewConfirmation),
        )
        return self.now(match)


class Disputes(SheetView):
    access = {"POST": Access(Writers, Scope.RECORD)}

    @extend_schema(request=NewDispute, responses=SHEET, summary="Dispute a match's result")
    def post(self, request: Request, match: str) -> Response:  # noqa: ARG002
        """A director then decides. 409 if the result is final or the caller does not play in the match."""
        opened, author = self.writable(match)
        object_to_result(
            match=opened.match,
            side=author.side,
            user=author.user,
            claim=author.claim,
            **self.valid(NewDispute),
        )
        return self.now(match)


def claim_address(request: HttpRequest, code: str) -> str:
    """The address that opens a scoring link."""
    return for_phones(request, reverse("scoring:join_sheet", args=[code]))
