"""Erase and export a player's scoring data."""

from typing import Any

from django.db.models import Prefetch, Q
from django.utils.timezone import now

from clubs.models import Note, Player
from scoring.log.queries.chouettes import shows_money
from scoring.log.services.notes import erase_note
from scoring.models import Alias, ChouettePlayer, Claim, Ledger, Match, Objection, SheetEvent, Source, Upload


def forget_names(player: Player) -> None:
    """Erase the player's names in files and the files of their matches.

    The matches themselves stay as they were recorded; a file's digest stays, so that it is recognised should
    somebody bring it again. The opponents lose the file too: it names both.
    """
    Alias.objects.filter(player=player).delete()
    Alias.objects.filter(claimed_by=player, confirmed_at=None).update(claimed_by=None)
    matches = Match.objects.filter(seats__player=player)
    Source.objects.filter(match__in=matches).update(
        content=None, filename="", flags=[], facts=[], comments=[]
    )
    Upload.objects.filter(match__in=matches).delete()


def forget_notes(player: Player) -> None:
    """Erase the player's notes on sheets and disputes; logs keep refs and digests.

    Of a chouette also what came from a phone without a login, which writes there no longer.
    """
    phones = Claim.objects.filter(chouette_player__player=player)
    phones.filter(revoked_at=None).update(revoked_at=now())
    noted = SheetEvent.objects.filter(note__isnull=False)
    written = Q(pk__in=noted.filter(claim__in=phones.values("pk")).values("note"))
    if player.user_id is not None:
        objected = Objection.objects.filter(user=player.user_id, note__isnull=False)
        written |= Q(pk__in=noted.filter(user=player.user_id).values("note"))
        written |= Q(pk__in=objected.values("note"))
    for note in Note.objects.filter(written, erased_at=None):
        erase_note(note)


def own_notes(player: Player) -> list[str]:
    """What the player wrote on sheets."""
    notes = SheetEvent.objects.filter(user=player.user_id, note__isnull=False, user__isnull=False)
    return list(notes.order_by("pk").values_list("note__text", flat=True))


def own_matches(player: Player) -> list[dict[str, Any]]:
    """The player's matches for their data export: refs, never opponents' names."""
    matches = Match.objects.filter(seats__player=player).select_related("club").distinct().order_by("pk")
    return [
        {
            "ref": match.ref,
            "club": match.club.ref,
            "length": match.length,
            "played": match.played_at.isoformat(),
            "status": match.status,
        }
        for match in matches
    ]


def own_chouettes(player: Player) -> list[dict[str, Any]]:
    """The player's chouettes with their results: refs, never other names.

    Money is in minor units, and left out where it is shown nowhere.
    """
    seats = ChouettePlayer.objects.filter(player=player).select_related("chouette__club").order_by("pk")
    lines = Ledger.objects.select_related("game").order_by("game__number")
    return [
        {
            "ref": seat.chouette.ref,
            "club": seat.chouette.club.ref,
            "seat": seat.ref,
            "joined": seat.joined_at.isoformat(),
            **({"currency": seat.chouette.currency} if shows_money(seat.chouette) else {}),
            "games": [
                {"number": line.game.number, "points": line.points}
                | ({"minor": line.minor} if shows_money(seat.chouette) else {})
                for line in seat.ledger.all()
            ],
        }
        for seat in seats.prefetch_related(Prefetch("ledger", lines))
    ]


def own_names(player: Player) -> list[str]:
    """The player's names in files."""
    return list(Alias.objects.filter(player=player).order_by("pk").values_list("name", flat=True))
