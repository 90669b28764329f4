"""API of notes on matches."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from clubs.access import SignedIn
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.serializers import Strict
from clubs.models import Scope
from scoring.log.api import known_match
from scoring.models import MatchNote, NoteFor
from scoring.models.note import NOTE_LENGTH
from scoring.sharing.queries.notes import notes_seen_by
from scoring.sharing.services.notes import delete_note, edit_note, write_note


class NoteOut(serializers.ModelSerializer[MatchNote]):
    """A note. ``event_seq`` is the entry of the sheet that it is on; null for the whole match."""

    match = serializers.SlugRelatedField[Any](slug_field="ref", read_only=True)
    author = serializers.SerializerMethodField(help_text="The author's ref.")

    class Meta:
        model = MatchNote
        fields = ["ref", "match", "event_seq", "author", "audience", "text", "created_at", "edited_at"]

    @extend_schema_field({"type": "string"})
    def get_author(self, note: MatchNote) -> str:
        return str(note.author.ref)


class NewNote(Strict):
    """A note in plain text."""

    text = serializers.CharField(max_length=NOTE_LENGTH)
    audience = serializers.ChoiceField(NoteFor.choices, default=NoteFor.ME)
    event_seq = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=2**31 - 1, default=None
    )


class ChangedNote(Strict):
    """What a note says now."""

    text = serializers.CharField(max_length=NOTE_LENGTH)
    audience = serializers.ChoiceField(NoteFor.choices)


class MatchNotes(ApiView):
    access = {"GET": Access(SignedIn), "POST": Access(SignedIn, Scope.RECORD)}
    ordering = ("created_at", "pk")

    @extend_schema(responses=NoteOut(many=True), summary="List the notes on a match that you can read")
    def get(self, request: ApiRequest, match: str) -> Response:
        found, _role = known_match(request.user, match)
        return self.listed(notes_seen_by(request.user).filter(match=found), NoteOut)

    @extend_schema(request=NewNote, responses={201: NoteOut}, summary="Write a note on a match")
    def post(self, request: ApiRequest, match: str) -> Response:
        found, _role = known_match(request.user, match)
        body = self.valid(NewNote)
        seq = body["event_seq"]
        if seq is not None and seq > found.sheet.head_seq:
            message = _("The scoresheet has %(events)s entries.") % {"events": found.sheet.head_seq}
            raise serializers.ValidationError({"event_seq": [message]})
        body["audience"] = NoteFor(body["audience"])
        note = write_note(user=request.user, match=found, **body)
        return self.created(NoteOut, note, "api:note", note=note.ref)


class OneNote(ApiView):
    access = {
        "GET": Access(SignedIn),
        "PUT": Access(SignedIn, Scope.RECORD),
        "DELETE": Access(SignedIn, Scope.RECORD),
    }

    @extend_schema(responses=NoteOut, summary="Get a note")
    def get(self, request: ApiRequest, note: str) -> Response:
        found = notes_seen_by(request.user).filter(ref=note).first()
        if found is None:
            raise _no_note(note)
        return self.one(NoteOut, found)

    @extend_schema(request=ChangedNote, responses=NoteOut, summary="Change one of your notes")
    def put(self, request: ApiRequest, note: str) -> Response:
        body = self.valid(ChangedNote)
        try:
            changed = edit_note(
                user=request.user, ref=note, text=body["text"], audience=NoteFor(body["audience"])
            )
        except MatchNote.DoesNotExist as error:
            raise _no_note(note) from error
        return self.one(NoteOut, changed)

    @extend_schema(responses={204: None}, summary="Delete a note")
    def delete(self, request: ApiRequest, note: str) -> Response:
        """Your own; directors also delete notes for their club."""
        try:
            delete_note(user=request.user, ref=note)
        except MatchNote.DoesNotExist as error:
            raise _no_note(note) from error
        return Response(status=204)


def _no_note(ref: str) -> Http404:
    return Http404(_("There is no note %(ref)s.") % {"ref": ref})
