import json
from dataclasses import replace

import pytest

from tests.tournaments.core.fields import field_of
from tournaments.core.brackets.elimination import KnockoutOptions
from tournaments.core.formats.groups import interleave, spread
from tournaments.core.formats.table import format_of
from tournaments.core.formats.tables import stage_table
from tournaments.core.play import acts
from tournaments.core.play.feeding import Rest, Top, feed, ranking_of
from tournaments.core.proof.archive import archive_of
from tournaments.core.proof.check import check_event, check_text
from tournaments.core.proof.event_archive import EventArchive, Feeding, event_text
from tournaments.core.rounds.round_robin import RoundRobinOptions
from tournaments.core.stages.outcomes import Outcome
from tournaments.core.standings.tables import TableOptions

TABLE = TableOptions(("sonneborn_berger", "lot"), lot_seed="event")
RULES = (Top(2, "cup"), Rest("consolation"))


def played(key, field, options, seed):
    drawn = stage = acts.open_stage(key, field, options, seed=seed)
    while not format_of(key).finished(stage):
        stage = acts.publish(stage)
        for p in stage.open_pairings():
            stage = acts.report(stage, p.number, Outcome(min(p.a, p.b), max(p.a, p.b)))
    return stage, archive_of(acts.close(stage), drawn=drawn)


@pytest.fixture
def event():
    stages, parts = {}, []
    for name, group in zip(("A", "B"), spread(field_of(8), 2), strict=True):
        stage, stages[name] = played("round_robin", group, RoundRobinOptions(), name)
        order = [row.place.entrant for row in stage_table(stage, TABLE)]
        parts.append(feed(ranking_of(stage, order), RULES))
    for name in ("cup", "consolation"):
        field = interleave([part[name] for part in parts])
        _, stages[name] = played("knockout", field, KnockoutOptions(seeding="hand"), name)
    return EventArchive(stages, (Feeding(("A", "B"), RULES, table=TABLE),))


def test_event_of_groups_and_two_cups_is_accepted(event):
    text = event_text(event)
    assert check_text(text).findings == ()
    assert check_event(event).accepted


def test_stage_that_was_not_fed_by_its_rules_is_rejected(event):
    swapped = {**event.stages, "cup": event.stages["consolation"]}
    assert [f.code for f in check_event(replace(event, stages=swapped)).faults] == ["feeding"]
    declined = replace(event.feedings[0], declined=(event.stages["A"].field[0].ref,))
    assert {f.code for f in check_event(replace(event, feedings=(declined,))).faults} == {"feeding"}


def test_stage_still_being_played_cannot_have_fed_another(event):
    group = event.stages["A"]
    open_group = replace(group, log=group.log[:2])
    found = check_event(replace(event, stages={**event.stages, "A": open_group}))
    assert [f.message for f in found.faults] == [
        "A, B: this stage is still in progress and cannot feed another"
    ]


def test_fault_of_a_stage_names_the_stage(event):
    wrong = replace(event.stages["B"], seed="another")
    found = check_event(replace(event, stages={**event.stages, "B": wrong}))
    assert all(f.message.startswith("B: ") for f in found.faults)
    assert "seed_hash" in {f.code for f in found.faults}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"waiting_list": ["x"]}, "unknown_key"),
        ({"edition": 2}, "edition"),
        ({"stages": []}, "wrong_type"),
        ({"feedings": [{"sources": ["Z"], "rules": []}]}, "unknown_stage"),
        ({"feedings": [{"sources": ["A"], "rules": [{"kind": "best"}]}]}, "wrong_type"),
    ],
)
def test_unreadable_events_say_why(event, change, code):
    body = json.loads(event_text(event)) | change
    assert [f.code for f in check_text(json.dumps(body)).faults] == [code]


def test_unknown_tie_break_is_a_fault_not_a_crash(event):
    feeding = replace(event.feedings[0], table=TableOptions(("elo",)))
    assert [f.code for f in check_event(replace(event, feedings=(feeding,))).faults] == ["feeding"]
