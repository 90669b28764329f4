"""Play by the analyses that match files bring: a label of its own, never pooled with ours."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import AnalysesShown, Club, WorkStatus
from scoring.analysis.queries.performances import performance_of
from scoring.analysis.queries.told import judged_among
from scoring.analysis.services.play_sums import files_without_sums, sum_up_all
from scoring.analysis.services.recounts import recount_all
from scoring.files.services.imports import import_file
from scoring.log.queries.visible import seen_among
from scoring.matches.queries.matches import lines_of
from scoring.models import Analysis, FileAnalysis, Match, SidePlay
from scoring.players.queries.play_rows import labels_among, newest_analysed, newest_of_all
from scoring.sharing.services.privacy import choose_privacy
from tests.factories import ClubFactory
from tests.scoring.learning.analysed import a_player, analyse, analysed_match
from tests.scoring.matches.test_list_pages import words

pytestmark = pytest.mark.django_db
XG = "xg file analysis Kazaross-XG2"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def match(club, shared_data) -> Match:
    content = (shared_data / "xg" / "test.xg").read_bytes()
    match, report = import_file(club=club, filename="test.xg", content=content, final=True)
    assert match, report
    return Match.objects.with_players().select_related("sheet").get(pk=match.pk)


def test_the_sums_of_a_file_are_the_rates_of_its_summary(match):
    analysis = FileAnalysis.objects.get()
    for colour in ("white", "black"):
        row, told = SidePlay.objects.get(colour=colour), performance_of(analysis, colour)
        assert (row.file_analysis, row.match, row.label) == (analysis, match, XG)
        assert row.counted == told.counted > 0
        assert row.loss == pytest.approx(told.checker_loss + told.cube_loss)


def test_the_file_is_one_label_to_choose_and_ours_another(match, client):
    user = a_player(match.club)
    match.white.seats.update(player=user.player)
    SidePlay.objects.filter(side=match.white).update(player=user.player)
    analysed_match(match.club, user)
    list(sum_up_all())
    client.force_login(user)
    address = reverse("scoring:player_play", args=[user.player.ref])
    shown = words(client.get(address, {"label": XG}))
    assert "Analysed by eXtreme Gammon, from the file." in shown
    assert "from 1 analysed match " in shown
    told = client.get(reverse("api:player_play", args=[user.player.ref])).json()
    assert sorted(told["labels"].items()) == [("test 1 p1", 1), (XG, 1)]
    assert told["matches"] == 1


def test_a_club_shows_the_biggest_blunder_of_a_file(match, client):
    page = client.get(reverse("scoring:club_play", args=[match.club.slug]))
    told = client.get(reverse("api:club_play", args=[match.club.slug])).json()
    assert told["analysed_by"] == XG
    assert told["blunder"]["error"] == pytest.approx(max(row.worst for row in SidePlay.objects.all()))
    assert "Biggest blunder" in words(page)


def test_of_two_files_of_one_program_the_newest_counts(match, client):
    first = FileAnalysis.objects.get()
    source = first.source
    source.pk, source.ref, source.sha256 = None, "222222222z", "1" * 64
    source.save()
    FileAnalysis.objects.create(
        source=source, program="xg", exact_label=XG, head_hash=first.head_hash, summary=first.summary
    )
    list(sum_up_all())
    assert SidePlay.objects.count() == 4
    assert len(newest_of_all(Match.objects.all(), label=XG, viewer=a_player())) == 2


def test_sums_of_a_file_are_made_again_after_a_recount(match):
    FileAnalysis.objects.update(counting="another@1")
    assert labels_among(Match.objects.all(), viewer=a_player()) == []
    assert len(list(recount_all())) == 1
    assert files_without_sums().count() == 1
    assert list(sum_up_all()) == [FileAnalysis.objects.get().ref]
    assert labels_among(Match.objects.all(), viewer=a_player()) == [XG]


def test_a_corrected_match_is_no_more_in_the_play_of_its_file(match):
    FileAnalysis.objects.update(head_hash="another")
    assert newest_of_all(Match.objects.all(), label=XG, viewer=a_player()) == []


def test_the_matches_of_a_label_are_found_in_an_index(club):
    user = a_player(club)
    made = [analysed_match(club, user, days=day) for day in range(3)]
    analyse(made[0], [0.0, 0.0, 0.0], engine="other 2")
    list(sum_up_all())
    label = made[1].analyses.exclude(label="").get().label
    matches = seen_among(Match.objects.in_club(club), user)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_bitmapscan = off")
    plan = newest_analysed(matches, label=label, viewer=user).explain()
    assert "using side_play_of_match" in plan
    found = newest_of_all(matches, label=label, viewer=user)
    assert [each.match_ref for each in found[::2]] == [each.ref for each in made]


def test_lists_show_the_rates_of_a_file_until_there_are_ours(match, client):
    user = a_player(match.club)
    match.white.seats.update(player=user.player)
    client.force_login(user)
    found = Match.objects.with_players().filter(pk=match.pk)
    (line,) = lines_of(found, user)
    assert (line.label, line.white.pr) == (XG, performance_of(FileAnalysis.objects.get(), "white").pr)
    page = words(client.get(reverse("scoring:matches"), {"show": "analysed"}))
    assert "PR by XG file: eXtreme Gammon, from the file" in page
    choose_privacy(user=user, shown=AnalysesShown.PLAYERS)
    visitor = AnonymousUser()
    assert (lines_of(found, visitor)[0].label, judged_among(found, visitor).exists()) == ("", False)
    summary = {"match": {"black": {"checker_loss": 0.1, "checker_counted": 10}}}
    head = {"head_seq": match.sheet.head_seq, "head_hash": match.sheet.head_hash}
    done = {"status": WorkStatus.DONE, "finished_at": now(), "preset": "p", "summary": summary}
    Analysis.objects.create(match=match, label="ours 1 p", **head, **done)
    (line,) = lines_of(found, user)
    assert (line.label, line.white.pr, line.black.pr) == ("ours 1 p", None, 5.0)
    assert "PR by ours" in words(client.get(reverse("scoring:matches")))
