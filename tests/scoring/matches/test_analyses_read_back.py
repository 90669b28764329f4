"""What is written of an analysis, as OGXM or `.sgf`, is read again as the same decisions under its label."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from scoring.engines.annotated import annotated
from scoring.matches.queries.analysed_ogxm import write_analysed_ogxm
from scoring.matches.queries.analysed_sgf import write_analysed_sgf
from scoring.notation.formats import read_match
from scoring.notation.ogxm_analysis import stated_label
from scoring.notation.record import MatchRecord
from scoring.notation.transcript import transcript
from scoring.theory.decisions import Decision, DecisionKind
from tests.scoring.gnubg_files import saved_by_gnubg
from tests.shared_data import require_shared_data, shared_files
from tests.tiers import sized

ANALYSED = [*shared_files("xg/*.xg"), *shared_files("matches/*.sgf"), *shared_files("xg/*.sgf")]
LABEL = "gnubg 1.07.001 fast@1 Kazaross-XG2"

Judged = dict[int, list[Decision]]
Writer = Callable[[MatchRecord, Judged], bytes]


def as_ogxm(record: MatchRecord, judged: Judged) -> bytes:
    return write_analysed_ogxm(record.players, record.events, {}, judged, label=LABEL, timestamp=1)


def as_sgf(record: MatchRecord, judged: Judged) -> bytes:
    return write_analysed_sgf(record.players, record.events, {}, judged, label=LABEL).encode()


def decisions_in(record: MatchRecord) -> Sequence[Decision]:
    assert record.annotations is not None
    return annotated(record.annotations, record.events, [str(n) for n in range(len(record.events))]).decisions


def by_step(record: MatchRecord, decisions: Sequence[Decision]) -> Judged:
    """The decisions of each step; those of a roll that was not played have none."""
    numbers = {}
    for step in transcript(enumerate(record.events)):
        numbers[str(step.seq)] = step.number
        if step.roll_seq is not None:
            numbers[str(step.roll_seq)] = step.number
    found: Judged = defaultdict(list)
    for decision in decisions:
        if decision.ref in numbers:
            found[numbers[decision.ref]].append(decision)
    return found


def compared(decision: Decision) -> Decision:
    """A decision without what no file keeps exactly: a play's notation, its error to the last decimal."""
    candidates = [replace(each, action="" if each.position else each.action) for each in decision.candidates]
    return replace(decision, played="", candidates=tuple(candidates), error=None)


def rolled_out(decision: Decision) -> Decision:
    """The decision with intervals, as if its best candidates had been rolled out."""
    own = decision.kind is DecisionKind.CHECKER
    wide = [
        replace(each, interval=0.0123 if n < 2 or not own else None)
        if each.action not in {"pass", "double/pass"}
        else each
        for n, each in enumerate(decision.candidates)
    ]
    return replace(decision, candidates=tuple(wide))


@pytest.mark.parametrize("path", sized(ANALYSED[3:4], ANALYSED), ids=lambda path: path.name)
@pytest.mark.parametrize("write", [as_ogxm, as_sgf])
def test_every_decision_is_read_again(path: Path, write: Writer) -> None:
    record = read_match(path.read_bytes())
    judged = by_step(record, [rolled_out(each) for each in decisions_in(record)])
    again = read_match(write(record, judged))
    assert again.annotations is not None
    assert (again.annotations.stated, again.annotations.damaged) == (LABEL, 0)
    told = sorted(
        (each for decisions in judged.values() for each in decisions), key=lambda each: int(each.ref)
    )
    read = sorted(decisions_in(again), key=lambda each: int(each.ref))
    assert len(told) > 150
    assert [compared(each) for each in told] == [compared(each) for each in read]
    assert [each.error for each in told] == pytest.approx([each.error for each in read], abs=1e-4)


def test_gnubg_keeps_the_analysis(tmp_path: Path) -> None:
    record = read_match((require_shared_data() / "matches" / "charlot1-charlot2_7p.xg").read_bytes())
    told = decisions_in(record)
    [saved] = saved_by_gnubg(tmp_path, [as_sgf(record, by_step(record, told)).decode()])
    again = read_match(saved)
    assert again.annotations is not None
    assert again.annotations.stated == "", "another program wrote this file since"
    kept = decisions_in(again)
    assert [each.ref for each in kept] == [each.ref for each in told]
    assert [each.error for each in kept] == pytest.approx([each.error for each in told], abs=1e-4)


@pytest.mark.parametrize(
    ("info", "label"),
    [
        ({"model_id": LABEL}, LABEL),
        ({"model_id": "x" * 200, "eval_level": "3ply"}, f"{'x' * 40} - 3ply unknown"),
        ({"model_id": "a <b> c\n d e", "met_id": "kazaross-xg2"}, "a-b-c-d-e - unknown Kazaross-XG2"),
        ({}, "unknown - unknown unknown"),
    ],
)
def test_the_label_of_a_file_has_four_plain_parts(info: dict[str, str], label: str) -> None:
    assert stated_label(info) == label
