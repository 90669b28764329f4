"""Match files become matches: all of a file or nothing, a match once, and nothing repaired in silence."""

from pathlib import Path

import pytest

from clubs.models import Club, Membership, Player, Role
from clubs.work import services as work
from scoring.chouettes.services.damage import damage_of
from scoring.files.services.imports import club_for_imports, import_file, import_upload, receive_files
from scoring.models import Match, MatchStatus, RatingUpdate, Seat, Sheet, SheetEvent, Source, Upload
from scoring.sheets.services.results import confirm_result
from tests.factories import ClubFactory, UserFactory, member
from tests.races import at_once
from tests.scoring.records import SHORT_MATCH, short_match

pytestmark = pytest.mark.django_db

# file: (players, length, capped score, winner, finished), read off the files by hand
EXPECTED = {
    "BoardLord-Llabba_7pt_studio.txt": (["BoardLord", "Llabba"], 7, [7, 2], "BoardLord", True),
    "Llabba-petruhl_11pt_studio.txt": (["Llabba", "petruhl"], 11, [8, 11], "petruhl", True),
    "Magic-Lasse_5pt_studio.txt": (["Magic", "Lasse"], 5, [4, 5], "Lasse", True),
    "Moderntavla31-Llabba_9pt_studio.txt": (["Moderntavla31", "Llabba"], 9, [3, 9], "Llabba", True),
    "charlot1-charlot2_7p.mat": (["charlot1", "charlot2"], 7, [7, 2], "charlot1", True),
    "charlot1-charlot2_7p.sgf": (["charlot1", "charlot2"], 7, [7, 2], "charlot1", True),
    "charlot1-charlot2_7p.xg": (["charlot1", "charlot2"], 7, [7, 2], "charlot1", True),
    "galaxy-11730001.txt": (["lasse", "docr"], 7, [6, 7], "docr", True),
    "galaxy-12456124.txt": (["lasse", "tdm06"], 7, [7, 0], "lasse", True),
    "galaxy-1574521.txt": (["lasse", "hornet"], 1, [0, 1], "hornet", True),
    "galaxy-6800849.txt": (["lasse", "simon_haag"], 3, [3, 2], "lasse", True),
    "galaxy-7940391.txt": (["zeus200", "lasse"], 16, [0, 4], None, False),
    "galaxy-8062348.txt": (["bb2106", "lasse"], 2, [2, 0], "bb2106", True),
    "galaxy-9923551.txt": (["lasse", "beaver89"], 5, [1, 5], "beaver89", True),
    "solnze-Lasse_3pt_studio.txt": (["solnze", "Lasse"], 3, [3, 0], "solnze", True),
}


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.mark.parametrize("name", EXPECTED)
def test_every_real_file_imports_as_it_was_played(club: Club, shared_data: Path, name: str) -> None:
    content = (shared_data / "matches" / name).read_bytes()
    match, report = import_file(club=club, filename=name, content=content, final=True)
    players, length, score, winner, finished = EXPECTED[name]
    assert report.error is None
    assert (report.players, report.length, report.score) == (players, length, score)
    assert (report.winner, report.finished) == (winner, finished)
    assert match is not None
    assert damage_of(match.sheet) is None


def test_an_unlimited_game_is_unfinished_and_unrated(club: Club, shared_data: Path) -> None:
    content = (shared_data / "matches" / "galaxy-7940391.txt").read_bytes()
    match, report = import_file(club=club, filename="galaxy-7940391.txt", content=content, final=True)
    assert match is not None
    assert match.status == MatchStatus.UNFINISHED
    assert {flag["code"] for flag in report.flags} == {"unlimited", "unfinished"}
    assert not RatingUpdate.objects.exists()


def test_the_same_match_from_three_files_is_one_match_with_three_sources(
    club: Club, shared_data: Path
) -> None:
    refs = set()
    for ending in ("mat", "xg", "sgf", "mat"):
        path = shared_data / "matches" / f"charlot1-charlot2_7p.{ending}"
        _, report = import_file(club=club, filename=path.name, content=path.read_bytes(), final=True)
        refs.add(report.match)
    assert len(refs) == 1
    assert set(Source.objects.values_list("format", flat=True)) == {"mat", "xg", "sgf"}
    assert Source.objects.count() == 3


def test_an_unsupported_file_says_so(club: Club) -> None:
    match, report = import_file(club=club, filename="x.zip", content=b"PK\x03\x04...")
    assert match is None
    assert report.error is not None
    assert report.error["code"] == "unsupported_format"


def test_a_file_that_tells_no_match_stores_nothing_and_names_the_line(club: Club) -> None:
    damaged = SHORT_MATCH.replace("Ana : 0", "Ana")
    match, report = import_file(club=club, filename="damaged.mat", content=damaged.encode())
    assert match is None
    assert report.error is not None
    assert report.error["line"] == 4
    assert "'Ana                          Ben : 0' does not name two players" in report.error["message"]
    assert not Sheet.objects.exists()
    assert not Player.objects.exists()


def test_a_damaged_play_that_one_play_alone_fits_is_repaired_and_said(club: Club) -> None:
    damaged = SHORT_MATCH.replace("42: 8/4 6/4", "42: 8/x 6/4")
    match, report = import_file(club=club, filename="damaged.mat", content=damaged.encode())
    assert match is not None
    assert report.winner == "Ben"
    assert [(flag["code"], flag["turn"], flag["detail"]) for flag in report.flags] == [
        ("repaired", 1, "8/x 6/4 → 8/4 6/4")
    ]
    whole, again = import_file(club=club, filename="whole.mat", content=SHORT_MATCH.encode())
    assert whole == match
    assert again.known


@pytest.mark.parametrize(
    "content", [b"", b"\x00\xff" * 50, b"hello", b"\x1f\x8b\x08damaged", b" 5 point match\n"]
)
def test_what_is_no_match_is_refused(club: Club, content: bytes) -> None:
    match, report = import_file(club=club, filename="x.mat", content=content)
    assert match is None
    assert report.error is not None
    assert report.error["message"]
    assert not Match.objects.exists()


def test_a_byte_order_mark_and_a_missing_last_line_are_survived(club: Club) -> None:
    broken_off = "\n".join(SHORT_MATCH.rstrip().split("\n")[:-1])
    match, report = import_file(club=club, filename="x.mat", content=b"\xef\xbb\xbf" + broken_off.encode())
    assert report.error is None
    assert match is not None
    assert report.players == ["Ana", "Ben"]


def test_an_illegal_play_is_kept_as_played_and_flagged(club: Club) -> None:
    content = SHORT_MATCH.replace("42: 8/4 6/4", "42: 8/5 6/3").encode()
    match, report = import_file(club=club, filename="x.mat", content=content)
    assert match is not None
    assert "illegal_accepted" in {flag["code"] for flag in report.flags}
    played = SheetEvent.objects.filter(sheet=match.sheet, kind="play", body__status="illegal_accepted").get()
    assert played.body["moves"] == [[8, 5], [6, 3]]


def test_names_become_guests_and_are_found_again(club: Club) -> None:
    first, _ = import_file(club=club, filename="a.mat", content=short_match("Ana", "Ben"))
    second, _ = import_file(club=club, filename="b.mat", content=short_match("ana", "Cleo"))
    assert first is not None
    assert second is not None
    white = {Seat.objects.get(match=m, side__colour="white").player for m in (first, second)}
    assert len(white) == 1
    assert not Membership.objects.filter(club=club).exists()


def test_what_nobody_sees_in_a_name_is_in_no_report(club: Club) -> None:
    """The report showed names with their direction marks, which turn the rest of its line round."""
    content = short_match("\u202eAna\u200b", "\u200b\u200c")
    match, report = import_file(club=club, filename="a.mat", content=content)
    assert match is not None
    assert report.players == [match.white.name, match.black.name]
    assert report.players[0] == "Ana"
    assert report.players[1].startswith("Unnamed player ")


def test_a_file_that_names_one_player_twice_has_two(club: Club) -> None:
    match, report = import_file(club=club, filename="a.mat", content=short_match("Bot", "Bot"))
    assert report.players == ["Bot", "Bot"]
    assert match is not None
    assert Seat.objects.filter(match=match).values("player").distinct().count() == 2


def test_a_members_import_waits_for_the_other_side(club: Club) -> None:
    user = member(club, name="Ana")
    match, _ = import_file(club=club, filename="a.mat", content=short_match("Ana", "Ben"), user=user)
    assert match is not None
    assert match.result.final_at is None
    ana = Player.objects.get(user=user)
    Seat.objects.filter(match=match, side__colour="white").update(player=ana)
    ben = UserFactory.create()
    Player.objects.filter(seats__match=match, seats__side__colour="black").update(user=ben)
    assert confirm_result(match=match, user=ben, as_director=False).final_at is not None
    assert RatingUpdate.objects.filter(match=match).exists()


def test_a_director_who_brings_the_same_file_makes_it_final(club: Club) -> None:
    content = short_match("Ana", "Ben")
    match, _ = import_file(club=club, filename="a.mat", content=content, user=member(club))
    again, _ = import_file(
        club=club, filename="a.mat", content=content, user=member(club, Role.DIRECTOR), final=True
    )
    assert match == again
    assert again is not None
    again.result.refresh_from_db()
    assert again.result.final_at is not None


def test_a_date_in_the_file_is_when_the_match_was_played(club: Club) -> None:
    dated = b'; [EventDate "2024.05.14"]\n; [EventTime "17.52"]\n' + short_match("Ana", "Ben")
    match, _ = import_file(club=club, filename="a.mat", content=dated)
    assert match is not None
    assert match.played_at.isoformat() == "2024-05-14T17:52:00+00:00"


@pytest.mark.parametrize("date", ["2024.13.40", "yesterday", "9999.01.01"])
def test_an_impossible_date_is_not_believed(club: Club, date: str) -> None:
    dated = f'; [EventDate "{date}"]\n'.encode() + short_match("Ana", "Ben")
    match, report = import_file(club=club, filename="a.mat", content=dated)
    assert report.error is None
    assert match is not None
    assert abs((match.played_at - match.created_at).total_seconds()) < 60


def test_imports_go_to_the_only_club_or_to_one_of_their_own() -> None:
    assert club_for_imports().slug == "imports"
    assert club_for_imports().slug == "imports"
    Club.objects.all().delete()
    only = ClubFactory.create()
    ClubFactory.create(is_demo=True)  # what is put there is removed with it
    assert club_for_imports() == only
    ClubFactory.create()
    assert club_for_imports().slug == "imports"
    with pytest.raises(Club.DoesNotExist):
        club_for_imports("nowhere")


def test_an_upload_becomes_a_match_and_a_report(club: Club) -> None:
    user = member(club, Role.DIRECTOR)
    good, bad = receive_files(
        club=club, user=user, files=[("a.mat", short_match("Ana", "Ben")), ("b.mat", b"nonsense")]
    )
    for upload in (good, bad):
        claimed = work.claim(Upload, ref=upload.ref)
        assert claimed is not None
        import_upload(claimed)
        upload.refresh_from_db()
    assert good.match is not None
    assert good.match.result.final_at is not None
    assert good.content is None
    assert bad.match is None
    assert bad.report is not None
    assert bad.report["error"]["code"]


@pytest.mark.django_db(transaction=True)
def test_two_imports_of_one_file_at_once_make_one_match() -> None:
    club = ClubFactory.create()
    content = short_match("Ana", "Ben")
    results = at_once(*[lambda: import_file(club=club, filename="a.mat", content=content, final=True)] * 4)
    assert len({report.match for _, report in results}) == 1
    assert Match.objects.count() == 1
    assert Source.objects.count() == 1


def test_a_line_without_end_is_skipped_at_once(club: Club) -> None:
    content = SHORT_MATCH.replace("42: 8/4 6/4", "42: " + "8/4 " * 100_000).encode()
    _, report = import_file(club=club, filename="x.mat", content=content)
    assert report.flags[0]["code"] == "line_skipped"
    assert len(report.flags[0]["detail"]) == 60
