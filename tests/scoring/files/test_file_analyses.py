"""The analysis in a match file is kept beside ours: once, under its label, never added to our figures."""

from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.utils.timezone import now
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from clubs.models import Club, Role, Scope, Visibility, WorkStatus
from clubs.work import services as work
from scoring.analysis.queries.label_words import label_words
from scoring.analysis.queries.performances import labels_in, performance_of, pooled, standing_analyses
from scoring.analysis.services.play_sums import sum_up_all
from scoring.files.services.imports import import_file, import_upload
from scoring.log.queries.writers import Author
from scoring.matches.queries.match_page import MatchPage
from scoring.matches.queries.matches import lines_of
from scoring.models import Analysis, DecisionRow, FileAnalysis, FileDecision, Match, Source, Upload
from scoring.notation.mat import read_mat
from scoring.players.services.erasures import forget_names
from scoring.ratings.services.ratings import main_list, replay_list
from scoring.rules.events import Played
from scoring.rules.plays import Move
from scoring.sheets.services.corrections import correct
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, member
from tests.scoring.files.test_flagged_files import uploaded, words_of
from tests.scoring.records import short_match
from tests.scoring.sgf_files import Cube, Play, act, game, money_session, roll
from tests.scoring.sheets.writing import two_players, write
from tests.scoring.xg_files import changed, without_analysis

pytestmark = pytest.mark.django_db
VISITOR = AnonymousUser()

XG_LABEL, SGF_LABEL = "eXtreme Gammon, from the file", "GNU Backgammon, from the file"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(slug="bilbao", visibility=Visibility.PUBLIC)


def imported(club: Club, content: bytes, name: str = "a.sgf") -> Match:
    match, report = import_file(club=club, filename=name, content=content, final=True)
    assert report.error is None, report.error
    assert match is not None
    return match


def analysed_game() -> bytes:
    """A match to one point whose two plays are judged; the first is a blunder, with a comment."""
    first = [Play("8/5 6/5", 0.16), Play("24/20", -0.02)]
    nodes = [
        roll("W", "31", "24/20", plays=first, comment="Why not the point?"),
        roll("B", "64", "24/14", plays=[Play("24/14", 0.1), Play("8/2 6/2", 0.05)]),
    ]
    return game(nodes, result="W+1R", length=1).encode()


@pytest.mark.parametrize("way", ["page", "api", "command"])
def test_an_analysed_xg_keeps_its_analysis_by_each_way(
    client: Client, club: Club, shared_data: Path, way: str
) -> None:
    path = shared_data / "xg" / "match_with_comment.xg"
    if way == "command":
        call_command("import_match", str(path), club=club.slug, stdout=StringIO())
    elif way == "page":
        client.force_login(member(club))
        uploaded(client, club, path)
    else:
        files = {"match_files": SimpleUploadedFile(path.name, path.read_bytes())}
        api = with_token(member(club), Scope.RECORD)
        assert api.post(f"/api/v1/clubs/{club.slug}/uploads/", files, format="multipart").status_code == 202
        while upload := work.claim(Upload):
            import_upload(upload)
    analysis = FileAnalysis.objects.get()
    assert (analysis.program, label_words(analysis.exact_label)) == ("xg", XG_LABEL)
    assert analysis.left_out == 3
    assert analysis.decisions.count() == 316
    source = Source.objects.get()
    assert source.facts == [["Event", "Entrainement live"], ["Site", "Café Jussieu, Paris"]]
    assert [comment["text"] for comment in source.comments] == [
        "coup assez difficile",
        "les double 66 sont toujpurs difficiles à trouver",
    ]


def test_importing_again_adds_nothing(club: Club) -> None:
    match = imported(club, money_session().encode())
    before = list(FileDecision.objects.values_list("pk", flat=True))
    assert imported(club, money_session().encode()) == match
    assert list(FileDecision.objects.values_list("pk", flat=True)) == before
    assert FileAnalysis.objects.count() == Source.objects.count() == 1


@pytest.mark.long
def test_a_second_file_of_the_match_has_its_own_analysis(club: Club, shared_data: Path) -> None:
    names = ("test.mat", "test.xg", "test.sgf")
    matches = {imported(club, (shared_data / "xg" / name).read_bytes(), name) for name in names}
    assert len(matches) == 1
    programs = FileAnalysis.objects.order_by("source__at").values_list("program", flat=True)
    assert list(programs) == ["xg", "gnubg"]
    [match] = matches
    page = MatchPage(Match.objects.with_players().select_related("sheet").get(pk=match.pk), 2, judged=True)
    assert [label_words(each.exact_label) for each in page.labels] == [XG_LABEL, SGF_LABEL]
    assert [word.label for word in page.file_words] == [SGF_LABEL]
    assert all(word.judgements for word in page.file_words)


def test_it_stands_on_the_page_under_its_label(client: Client, club: Club) -> None:
    match = imported(club, analysed_game())
    page = client.get(match.get_absolute_url()).content.decode()
    words = words_of(page)
    assert f'aria-label="{SGF_LABEL}"' in page
    assert '<section class="verdict judgement blunder"' in page
    assert "No cube." in words, "a match to one point has none"
    assert "Blunder −0.180" in words
    assert "Why not the point? Comment in a.sgf" in words
    assert f"Analysis: {SGF_LABEL}" in words
    ours(match)
    page = client.get(match.get_absolute_url()).content.decode()
    words = words_of(page)
    assert "Analysis: engine 1, fast" in words
    assert f"Other analyses: {SGF_LABEL}" in words
    assert "The play error −0.180" in words.replace("blunder", "error")
    assert "2-ply · 50.0% (G 13.0%, B 0.5%) – 50.0% (G 13.0%, B 0.5%)" in words
    assert f"PR: {SGF_LABEL}" in words
    chosen = client.get(
        f"{match.get_absolute_url()}?analysis={FileAnalysis.objects.get().ref}"
    ).content.decode()
    assert f"Analysis: {SGF_LABEL}" in words_of(chosen)
    assert f"/2/?analysis={FileAnalysis.objects.get().ref}" in chosen
    partial = client.get(
        f"/matches/{match.ref}/1/", headers={"HX-Request": "true", "HX-Target": "stage"}
    ).content.decode()
    assert f'aria-label="{SGF_LABEL}"' in partial


def test_facts_and_comments_stand_with_the_file(client: Client, club: Club) -> None:
    match = imported(club, money_session().encode())
    words = words_of(client.get(match.get_absolute_url()).content.decode())
    for fact in ("Event: Winter night", "Site: The cellar", "Round: 2", "Annotator: Cleo"):
        assert fact in words
    assert "A friendly session Comment on the match" in words


def test_marks_in_a_comment_are_text(client: Client, club: Club) -> None:
    nodes = [roll("W", "31", "8/5 6/5", comment="<script>alert(1)</script>\u202e\x07")]
    match = imported(club, game(nodes, result="W+1R", length=1).encode())
    page = client.get(match.get_absolute_url()).content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;</blockquote>" in page
    assert "\u202e" not in page


def test_a_file_without_an_analysis_has_none(client: Client, club: Club, shared_data: Path) -> None:
    bare = changed((shared_data / "xg" / "ronde1_7p.xg").read_bytes(), without_analysis)
    match = imported(club, bare, "a.xg")
    assert not FileAnalysis.objects.exists()
    assert ["Round", "Double consultation round 1"] in Source.objects.get().facts
    page = client.get(match.get_absolute_url()).content.decode()
    assert "Analyses from files" not in page


def ours(match: Match) -> Analysis:
    """An analysis of ours that is done."""
    Analysis.objects.filter(match=match).delete()
    sums = {"checker_loss": 0.5, "checker_counted": 10}
    return Analysis.objects.create(
        match=match,
        head_seq=match.sheet.head_seq,
        head_hash=match.sheet.head_hash,
        preset="fast",
        label="engine 1 fast",
        status=WorkStatus.DONE,
        finished_at=now(),
        summary={"match": {"white": sums, "black": sums}, "games": {"1": {"white": sums, "black": sums}}},
    )


def test_our_figures_know_nothing_of_it(club: Club) -> None:
    match = imported(club, analysed_game())
    loaded = Match.objects.with_players().select_related("sheet").get(pk=match.pk)
    Analysis.objects.all().delete()
    clubs = Club.objects.filter(pk=club.pk)
    assert labels_in(clubs, VISITOR) == []
    assert standing_analyses([loaded], VISITOR) == {}
    page = MatchPage(loaded, judged=True)
    assert (page.own, page.analysis) == (None, FileAnalysis.objects.get())
    line = lines_of([loaded], VISITOR)[0]
    assert (line.white.pr, line.label.split()[0]) == (90.0, "gnubg")  # told under the label of the file
    analysis = ours(match)
    player = loaded.white.players[0]
    assert labels_in(clubs, VISITOR) == ["engine 1 fast"]
    assert standing_analyses([loaded], VISITOR) == {match.pk: analysis}
    assert (
        pooled([player.pk], matches=Match.objects.all(), label="engine 1 fast", viewer=VISITOR)[
            player.pk
        ].checker_counted
        == 10
    )
    for label in (XG_LABEL, SGF_LABEL):
        assert pooled([player.pk], matches=Match.objects.all(), label=label, viewer=VISITOR) == {}


def test_our_own_analysis_does_not_touch_it(club: Club) -> None:
    match = imported(club, analysed_game())
    before = list(FileDecision.objects.order_by("pk").values())
    ours(match)
    Analysis.objects.all().delete()
    assert list(FileDecision.objects.order_by("pk").values()) == before
    assert not DecisionRow.objects.exists()


@pytest.mark.parametrize("content", [analysed_game(), money_session().encode()], ids=["short", "long"])
def test_the_page_takes_the_same_queries_for_any_analysed_match(
    client: Client, club: Club, content: bytes, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    match = imported(club, content)
    with django_assert_num_queries(7):
        client.get(match.get_absolute_url())


def test_the_api_gives_it(club: Club) -> None:
    match = imported(club, analysed_game())
    api = APIClient()
    [told] = api.get(f"/api/v1/matches/{match.ref}/file-analyses/").json()["items"]
    assert (told["program"], told["label"], told["filename"]) == ("gnubg", SGF_LABEL, "a.sgf")
    assert (told["exact_label"], told["counting"]) == ("gnubg file analysis Kazaross-XG2", "xg@1")
    assert (told["match"], told["left_out"], told["is_current"]) == (match.ref, 0, True)
    assert told["pr"] == {"white": pytest.approx(90.0), "black": 0.0}
    decisions = api.get(told["decisions"]).json()["items"]
    assert [(each["kind"], each["played"]) for each in decisions] == [
        ("checker", "24/20"),
        ("checker", "24/14"),
    ]
    best = decisions[0]["candidates"][0]
    assert (best["action"], best["equity"], best["level"]) == ("8/5 6/5", 0.16, "2-ply")
    assert best["probabilities"] == [0.5, 0.13, 0.005, 0.13, 0.005]
    [source] = api.get(f"/api/v1/matches/{match.ref}/").json()["sources"]
    assert source["comments"] == [{"game": 1, "event_seq": 3, "text": "Why not the point?"}]
    assert source["facts"] == {}


def test_nobody_reads_it_who_may_not_see_the_match(club: Club) -> None:
    match = imported(club, analysed_game())
    ref = FileAnalysis.objects.get().ref
    Club.objects.filter(pk=club.pk).update(visibility=Visibility.MEMBERS)
    api = APIClient()
    for path in (f"matches/{match.ref}/file-analyses/", f"file-analyses/{ref}/decisions/"):
        assert api.get(f"/api/v1/{path}").status_code == 404


def test_a_correction_hides_what_was_judged_otherwise(client: Client, club: Club) -> None:
    match = imported(club, analysed_game())
    director = Author(member(club, Role.DIRECTOR), directs=True)
    better = Played((Move(8, 5), Move(6, 5)))
    head = match.sheet.head_seq
    correct(match=match, author=director, after=head, key="k", seq=3, event=better, reason="mistyped")
    page = MatchPage(Match.objects.with_players().select_related("sheet").get(pk=match.pk), 1, judged=True)
    assert page.analysed_files[0].is_corrected
    assert not page.file_words or not page.file_words[0].judgements


def test_erasing_a_player_takes_comments_and_facts_along(club: Club) -> None:
    match = imported(club, money_session().encode())
    forget_names(match.white.players[0])
    source = Source.objects.get()
    assert (source.comments, source.facts, source.content) == ([], [], None)
    imported(club, money_session().encode())
    assert Source.objects.get().comments == []


@pytest.mark.parametrize("spoilt", ["nan", "inf", "-inf", "1e999", "99"])
def test_a_hostile_analysis_leaves_the_match_with_a_flag(client: Client, club: Club, spoilt: str) -> None:
    chances = (spoilt, 0.1, 0.1, 0.1, 0.1)
    equity = "1e4" if spoilt == "99" else spoilt
    nodes = [
        roll("W", "31", "8/5 6/5", plays=[Play("8/5 6/5", 0.1, chances)], luck=spoilt),
        roll("B", "64", "24/14", cube=Cube(spoilt, spoilt), plays=[Play("24/14", equity)]),
    ]
    match = imported(club, game(nodes, result="W+1R", length=1).encode())
    assert [flag["code"] for flag in Source.objects.get().flags] == ["analysis_damaged"]
    page = client.get(match.get_absolute_url())
    assert page.status_code == 200
    assert "impossible numbers and was left out" in words_of(page.content.decode())


def test_the_same_match_as_sgf_and_mat_says_so_with_the_link(
    client: Client, club: Club, shared_data: Path
) -> None:
    client.force_login(member(club))
    files = [shared_data / "matches" / f"charlot1-charlot2_7p.{ending}" for ending in ("sgf", "mat")]
    uploaded(client, club, files[0])
    match = Match.objects.get()
    page = uploaded(client, club, files[1])
    assert "The club already has this match. The file was added to it." in words_of(page)
    assert f'<a href="{match.get_absolute_url()}">this match</a>' in page


def test_a_match_with_takes_and_passes_shows_both_judgements(client: Client, club: Club) -> None:
    nodes = [
        roll("W", "31", "8/5 6/5"),
        roll("B", "64", "24/14"),
        act("W", "double", cube=Cube(0.55, 0.5)),
        act("B", "drop", comment="timid"),
    ]
    match = imported(club, game(nodes, result="W+1", length=3, rules="Crawford").encode())
    last = client.get(f"/matches/{match.ref}/4/").content.decode()
    assert '<section class="verdict judgement' in last
    assert "timid" in last
    assert "Cube action" in client.get(f"/matches/{match.ref}/3/").content.decode()


def test_another_formats_file_of_a_match_has_no_analysis(club: Club) -> None:
    imported(club, short_match("Ana", "Ben"), "a.mat")
    assert not FileAnalysis.objects.exists()
    assert Source.objects.get().facts == []


def test_an_analysis_follows_its_file_to_the_match_on_its_sheet() -> None:
    """The file was there first; then the same match is finished on its sheet, which has other entries."""
    written = two_players(1)
    content = game(
        [
            roll("W", "42", "8/4 6/4", plays=[Play("8/4 6/4", 0.1), Play("24/20", 0.0)], comment="good"),
            roll("B", "31", "8/5 6/5"),
            roll("W", "65", "24/13"),
            roll("B", "64", "24/14"),
            roll("W", "53", "8/3 6/3"),
            roll("B", "21", "13/11 6/5"),
        ],
        result="B+1R",
        length=1,
    ).encode()
    from_file = imported(written.club, content)
    assert from_file != written
    write(written, *read_mat(short_match("Ana", "Ben")).events[1:])
    source = Source.objects.get()
    assert source.match == written
    assert source.comments[0]["text"] == "good"
    [decision] = source.analysis.decisions.all()
    assert decision.event_seq == source.comments[0]["event_seq"] == 3
    assert source.analysis.head_hash == Match.objects.get(pk=written.pk).sheet.head_hash


def test_a_players_play_is_shown_under_the_files_label_on_request(
    client: Client, club: Club, shared_data: Path
) -> None:
    for name in ("test.xg", "test.sgf"):
        match = imported(club, (shared_data / "xg" / name).read_bytes(), name)
    Analysis.objects.all().delete()
    ours(match)
    list(sum_up_all())
    player = Match.objects.with_players().get(pk=match.pk).white.players[0]
    page = f"/players/{player.ref}/play/"
    for label, words in (("xg", XG_LABEL), ("gnubg", SGF_LABEL)):
        shown = words_of(client.get(page, {"label": f"{label} file analysis Kazaross-XG2"}).content.decode())
        assert f"Analysed by {words}." in shown
        own = FileAnalysis.objects.get(program=label)
        counted = performance_of(own, "white").counted
        assert f"from 1 analysed match · {counted} decisions" in shown
        assert f"{words} 1" in shown
        assert "engine 1, fast 1" in shown


def test_a_rating_list_shows_the_prs_of_the_chosen_label(
    client: Client, club: Club, shared_data: Path
) -> None:
    imported(club, (shared_data / "xg" / "test.xg").read_bytes(), "test.xg")
    replay_list(rating_list=main_list(club))
    page = f"/clubs/{club.slug}/ratings/"
    usual = words_of(client.get(page).content.decode())
    assert f"Analysis behind the PR: {XG_LABEL}" in usual
    assert "14.0" in usual, "the PR of Black that eXtreme Gammon shows"
    ours(Match.objects.get())
    own = words_of(client.get(page).content.decode())
    assert "Analysis behind the PR: engine 1, fast" in own
    assert "14.0" not in own
    again = client.get(f"{page}?label=xg+file+analysis+Kazaross-XG2").content.decode()
    assert "14.0" in words_of(again)
