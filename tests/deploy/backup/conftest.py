"""An installation with something of everything in it, and what its tables come to."""

import secrets
from pathlib import Path

import pytest
from django.core.mail import EmailMessage
from django.db import connection, transaction
from django.utils.timezone import now

from clubs.mail.services import keep_mail
from clubs.models import Club, WorkStatus
from deploy.backup.restoring import digest_of
from deploy.backup.tables import one_notation, our_tables, state_of, tables_in
from scoring.files.services.imports import import_file
from scoring.models import RatingUpdate
from scoring.ratings.services.ratings import main_list, replay_list
from scoring.rules.sides import Side
from tests.factories import ClubFactory
from tests.scoring.records import short_match
from tests.scoring.sheets.writing import play_turns, two_players, win, write

HOSTILE = "Ñ\t\\N \\. \N{RIGHT-TO-LEFT OVERRIDE}\"'\N{LINE SEPARATOR}\n"


@pytest.fixture
def var(tmp_path: Path, settings) -> Path:
    """A ``var/`` of its own, with keys in it."""
    settings.VAR = made = tmp_path / "var"
    made.mkdir()
    for name in ("secret_key", "push_key.pem"):
        (made / name).write_bytes(secrets.token_bytes(40).hex().encode())
    return made


@pytest.fixture
def full(transactional_db, var: Path) -> Club:
    """A club with rated matches, one that waits to be rated, sheets, mail, and signs that COPY escapes."""
    club = ClubFactory.create(name=HOSTILE.strip())
    for white, black in (("Ana", "Ben"), ("Ben", "Cleo"), ("Cleo", "Ana"), ("Ana", "Dov")):
        import_file(club=club, filename="a.mat", content=short_match(white, black), final=True)
    replay_list(rating_list=main_list(club))
    RatingUpdate.objects.update(status=WorkStatus.DONE, finished_at=now())
    import_file(club=club, filename="b.mat", content=short_match("Dov", "Ben"), final=True)
    play_turns(two_players(club=club), 6)
    write(two_players(length=3, club=club), win(Side.WHITE))
    with transaction.atomic():
        keep_mail(EmailMessage("Code Ñ", HOSTILE, "us@example.org", ["ana@example.org"]))
    return club


def digests(*, without: tuple[str, ...] = ()) -> dict[str, str]:
    """The SHA-256 of each table of the test database."""
    with transaction.atomic(), connection.cursor() as cursor:
        one_notation(cursor)
        tables, ours = tables_in(cursor), our_tables(state_of(connection))
        return {name: digest_of(cursor, tables[name]) for name in sorted(ours - set(without))}
