"""Match identity: a match recorded here and imported from files is one row.

A match that is over is named by the digest of its players and plays, so that a file of it becomes a second
source. Where a file was there first, the sheet's match stands for both: the other gives its files away and is
void. What was recorded by results alone is named by no digest (5-3 happens twice); a file of ours names the
match and the seq that it was written at, and is believed when it tells what the log told then.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import product
from operator import attrgetter

from django.db import IntegrityError, transaction
from django.db.models import F

from clubs.lookalikes import clean_name
from clubs.models import Club, User
from clubs.models.person import NAME_LENGTH, sort_key
from scoring.log.queries.sheets import events_of
from scoring.log.services.sheets import lock_sheet
from scoring.models import Alias, Colour, Confirmation, Match, MatchPhoto, MatchStatus, Source, Upload
from scoring.notation.identity import match_digest, match_digest_of
from scoring.notation.mat import mat_name, read_mat, write_mat
from scoring.notation.ready import ReadyRecord
from scoring.rules.endings import Ending
from scoring.rules.errors import ScoringError
from scoring.rules.events import Event, Played
from scoring.rules.match_state import MatchState
from scoring.sheets.queries.exports import FILE_TAG
from scoring.sheets.services.decisions import void_match
from scoring.sheets.services.file_analyses import put_to_sheet
from scoring.sheets.services.results import Yes
from scoring.sheets.services.videos import move_video

# Two matches may begin alike; six plays with the same dice are one match.
TELLING = 6
MOST_NAMES = 5
LONGEST_SEQ = 9


def match_of_record(
    *, club: Club, record: ReadyRecord, content: bytes, meant: tuple[str, str]
) -> Match | None:
    """The club's match that a file repeats; None if it is new.

    Found by the file's own bytes, by players and plays (names as they stand, or of whom they mean here:
    ``meant``), or by the tag of a file of ours.
    """
    read = record.record
    matches = Match.objects.filter(club=club)
    # Looked up by itself: joined, each match of the club might be asked for its files.
    told = list(Source.objects.filter(sha256=sha256(content).hexdigest()).values_list("match_id", flat=True))
    if told and (same_file := matches.filter(pk__in=told).order_by("pk").first()):
        return same_file
    digests = {record.digest}
    if meant != read.players:
        digests.add(match_digest_of(meant, read.length, read.events))
    # In their order only when they are there: asked for the first, all matches might be read in their order.
    by_plays = sorted(matches.filter(digest__in=digests), key=attrgetter("pk"))
    return by_plays[0] if by_plays else _tagged(club, record)


def meant_names(names: tuple[str, str], known: Mapping[str, Alias]) -> tuple[str, str]:
    """Player names by key for a file's names, using the club's aliases."""
    aliases = (known.get(sort_key(clean_name(name)[:NAME_LENGTH].rstrip())) for name in names)
    white, black = (alias.player.name if alias else name for alias, name in zip(aliases, names, strict=True))
    return white, black


def name_match(*, match: Match, state: MatchState) -> Match | None:
    """Update the match's digest; returns the locked imported match it replaces.

    The caller holds the sheet, and lets the other one give way (``give_way``) when the result is written.
    """
    digest, twin = "", None
    if state.outcome is not None and state.outcome.reason is not Ending.VOID:
        digests = _digests(match)
        others = Match.objects.filter(club=match.club_id, digest__in=digests).exclude(pk=match.pk)
        twin = others.filter(sheet__profile={}).first()
        digest = digests[0] if digests else ""
        if others.exclude(sheet__profile={}).filter(digest=digest).exists():
            # Written on two sheets: which of them counts is for people to say, and neither hides the other.
            digest = ""
    if twin is not None:
        lock_sheet(twin.sheet_id)
        Match.objects.filter(pk=twin.pk).update(digest="")
    if digest != match.digest:
        try:
            with transaction.atomic():
                Match.objects.filter(pk=match.pk).update(digest=digest)
        except IntegrityError:  # a file of this match has been read at the same moment
            return name_match(match=match, state=state)
        match.digest = digest
    return twin


def given_before(twin: Match | None) -> list[Yes]:
    """A director's confirmation of the imported match, kept for the recorded one."""
    if twin is None or twin.status != MatchStatus.FINISHED:
        return []
    said = Confirmation.objects.filter(match=twin, side="", revision=F("match__result__revision"))
    return [Yes("", user=confirmation.user) for confirmation in said.select_related("user")]


def give_way(*, twin: Match, to: Match, user: User | None) -> None:
    """Move the sources, photos and video of ``twin`` to the recorded match and void ``twin``."""
    known = Source.objects.filter(match=to).values("sha256")
    given = list(Source.objects.filter(match=twin).exclude(sha256__in=known))
    Source.objects.filter(pk__in=[source.pk for source in given]).update(match=to)
    for source in given:
        put_to_sheet(source=source, match=to)
    Upload.objects.filter(match=twin).update(match=to)
    shown = MatchPhoto.objects.filter(match=to, removed_at=None).values("sha256")
    MatchPhoto.objects.filter(match=twin).exclude(removed_at=None, sha256__in=shown).update(match=to)
    move_video(twin=twin, to=to)
    if twin.status != MatchStatus.VOID:
        void_match(match=twin, user=user, reason=f"the same match stands on its own sheet: {to.ref}")


def is_told_by(match: Match, record: ReadyRecord) -> bool:
    """Whether the file agrees with the match's log. Load the sheet too."""
    events = [numbered.event for numbered in events_of(match.sheet)]
    read = record.record
    told = {_told(read.players, read.length, events), match_digest_of(read.players, read.length, events)}
    return record.digest in told


def _digests(match: Match) -> list[str]:
    """Digests for all file names of the players, own names first; none for few plays."""
    events = [numbered.event for numbered in events_of(match.sheet)]
    if sum(isinstance(event, Played) for event in events) < TELLING:
        return []
    seated = Match.objects.with_players().get(pk=match.pk)
    names = [_names_of(seated, colour) for colour in Colour.values]
    return list(dict.fromkeys(_told(players, match.length, events) for players in product(*names)))


def _names_of(match: Match, colour: str) -> list[str]:
    side = match.side(colour)
    if len(side.players) > 1:
        return [side.name]
    aliases = Alias.objects.in_club(match.club).filter(player=side.players[0]).order_by("pk")
    return list(dict.fromkeys([side.name, *aliases.values_list("name", flat=True)[:MOST_NAMES]]))


def _told(players: Sequence[str], length: int, events: Sequence[Event]) -> str:
    """The digest of the match's own file, or of the log if the format cannot hold it."""
    white, black = map(mat_name, players)
    try:
        return match_digest(read_mat(write_mat((white, black), events).encode()))
    except ScoringError:
        return match_digest_of((white, black), length, events)


def _tagged(club: Club, record: ReadyRecord) -> Match | None:
    ref, _slash, seq = dict(record.record.tags).get(FILE_TAG, "").partition("/")
    match = Match.objects.filter(club=club, ref=ref).select_related("sheet").first() if ref else None
    if match is None or not seq.isascii() or not seq.isdigit() or len(seq) > LONGEST_SEQ:
        return None
    events = [numbered.event for numbered in events_of(match.sheet, upto=int(seq))]
    read = record.record
    if not events or _told(read.players, read.length, events) != record.digest:
        return None
    return match
