"""Write, edit and delete notes on matches."""

from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.access import role_of
from clubs.models import Player, Role, User
from clubs.people.services.names import player_of
from clubs.refusals import Refused
from scoring.log.queries.results import side_of
from scoring.models import Match, MatchNote, NoteFor
from scoring.models.note import NOTE_LENGTH

MOST = 200
"""Notes of one player on one match."""


class NoteRefused(Refused):
    """The note cannot be kept so; the message says why and what to do."""


@transaction.atomic
def write_note(
    *, user: User, match: Match, text: str, audience: NoteFor, event_seq: int | None = None
) -> MatchNote:
    """Keep a note on a match that the user can see, or on one entry of its sheet.

    Load the match ``with_players()`` and its sheet. Raises NoteRefused.
    """
    text = _checked(text)
    _check_audience(user, match, audience)
    author = player_of(user=user)  # locks the user: two notes at once are counted one after the other
    if MatchNote.objects.filter(match=match, author=author).count() >= MOST:
        raise NoteRefused(
            _("You already have %(most)s notes on this match. Delete one first.") % {"most": MOST}
        )
    return MatchNote.objects.create(
        match=match, author=author, text=text, audience=audience, event_seq=event_seq
    )


@transaction.atomic
def edit_note(*, user: User, ref: str, text: str, audience: NoteFor) -> MatchNote:
    """Change one of the user's notes.

    Of two changes at once the later holds. Raises MatchNote.DoesNotExist for a note of another player, and
    NoteRefused.
    """
    note = MatchNote.objects.get(ref=ref, author__user=user)
    match = Match.with_boards.with_players().get(pk=note.match_id)
    note.text = _checked(text)
    _check_audience(user, match, audience)
    note.audience, note.edited_at = audience, now()
    note.save(update_fields=["text", "audience", "edited_at"])
    return note


def delete_note(*, user: User, ref: str) -> None:
    """Delete one of the user's notes; directors also delete notes for their club.

    Raises MatchNote.DoesNotExist where there is none, or it is not theirs to delete.
    """
    note = MatchNote.objects.select_related("match__club", "author").get(ref=ref)
    role = role_of(user, note.match.club)
    directs = role is not None and role >= Role.DIRECTOR and note.audience == NoteFor.CLUB
    if note.author.user_id != user.pk and not directs:
        raise MatchNote.DoesNotExist
    MatchNote.objects.filter(pk=note.pk).delete()


def forget_match_notes(player: Player) -> None:
    """Delete the notes of an erased player."""
    MatchNote.objects.filter(author=player).delete()


def _checked(text: str) -> str:
    cleaned = text.replace("\r\n", "\n").strip()
    if not cleaned:
        raise NoteRefused(_("A note needs text. Write something, or delete the note."))
    if len(cleaned) > NOTE_LENGTH:
        raise NoteRefused(
            _("This note has %(length)s characters; %(most)s are allowed. Shorten it.")
            % {"length": len(cleaned), "most": NOTE_LENGTH}
        )
    return cleaned


def _check_audience(user: User, match: Match, audience: NoteFor) -> None:
    if audience == NoteFor.PLAYERS and side_of(match, user) is None:
        raise NoteRefused(_("Only the players of a match can write notes for its players. Choose “Only me”."))
    if audience == NoteFor.CLUB and role_of(user, match.club) is None:
        raise NoteRefused(
            _("Only members of %(club)s can write notes for the club. Choose “Only me”.")
            % {"club": match.club}
        )
