"""A Keizer season: announced, played and corrected, with its points on the page and in the API."""

import pytest

from clubs.models import Role
from tests.factories import member
from tests.tournaments.factories import an_event, drawn, open_pairings, other_side, win
from tournaments.core.proof.check import check_text
from tournaments.core.stages.outcomes import Gone
from tournaments.desk.services.departures import leave
from tournaments.entries.services.late_entries import come_back
from tournaments.models import PairingRow, StageRow
from tournaments.stages.services.archives import archive_text
from tournaments.stages.services.rounds import let_rounds_wait, pair_round

pytestmark = pytest.mark.django_db


def read(client, stage):
    rows = client.get(f"/api/v1/stages/{stage.ref}/standings/").json()["rows"]
    assert {each["key"] for row in rows for each in row["tie_breaks"]} == {"keizer_value"}
    return [(row["score"], row["tie_breaks"][0]["value"]) for row in rows]


def test_a_season_shows_points_and_values_counts_an_absence_and_follows_a_correction(client):
    event = an_event(6, format_key="keizer")
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    let_rounds_wait(stage=stage, wait=True, user=director)
    for row in open_pairings(stage):
        win(row, director)
    assert read(client, stage) == [(13, 7), (9, 5), (6, 6), (5, 3), (4, 4), (2, 2)]
    page = client.get(stage.get_absolute_url()).text
    assert "Value" in page
    away = other_side(PairingRow.objects.filter(stage=stage).order_by("number")[0])
    leave(entrant=away, how=Gone.WITHDRAWN, user=director)
    pair_round(stage=stage, user=director)
    rows = open_pairings(stage)
    assert away.pk not in {pk for row in rows for pk in (row.a_id, row.b_id)}
    for row in rows:
        win(row, director)
    come_back(entrant=away, user=director)
    before = read(client, stage)
    pair_round(stage=stage, user=director)
    first = PairingRow.objects.filter(stage=stage, round=1).order_by("number")[1]
    win(first, director, a=False, reason="typo", decided=True)
    assert read(client, stage) != before
    assert len(open_pairings(stage)) == 3
    assert check_text(archive_text(StageRow.objects.get(pk=stage.pk))).faults == ()
