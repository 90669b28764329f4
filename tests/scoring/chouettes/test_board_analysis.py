"""A chouette's game that was recorded on the board, through a real worker with a real engine."""

import pytest

from clubs.models import WorkStatus
from scoring.matches.queries.match_page import MatchPage
from scoring.models import Analysis, DecisionOwner
from scoring.rules.chouette.events import CubeBeavered, GameOver
from scoring.rules.match import Win
from tests.children import WorkerChild
from tests.scoring.chouettes.test_boards import BOX, OPENING, TEAM, Recorded

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_worker_judges_plays_at_the_acting_captains_cube_and_decisions_at_their_owners(
    worker: WorkerChild,
):
    """Jon, the captain, passes: from then on Eva moves for the crew, at her own cube on 4."""
    night = Recorded()
    night.on_board(*OPENING, *TEAM)
    night.write(night.offer("Ana", "Jon", "Eva", "Leo"))
    night.write(night.answer("Jon", passes="Jon"), night.answer("Eva", takes="Eva"))
    night.write(night.answer("Leo", passes="Leo"), CubeBeavered(night.refs["Eva"], night.refs["Eva"]))
    night.on_board(*BOX, *TEAM)
    night.write(GameOver(box_won=True, win=Win.SINGLE))
    worker.drain(patience=240)
    analysis = Analysis.objects.get(match=night.match)
    assert analysis.status == WorkStatus.DONE
    assert "gammonview" in analysis.label or "gnubg" in analysis.label
    names = {ref: name for name, ref in night.refs.items()}
    owners = DecisionOwner.objects.filter(decision__analysis=analysis).select_related("decision", "player")
    told = [
        (
            owner.decision.kind,
            owner.decision.played if owner.decision.kind != "checker" else owner.decision.event_seq,
            names[owner.player.ref],
            [names[key] for key in owner.cubes],
        )
        for owner in owners.order_by("decision__number", "pk")
    ]
    plays = [each[1:] for each in told if each[0] == "checker"]
    assert plays == [
        (3, "Ana", ["Jon"]),
        (5, "Jon", ["Jon"]),
        (7, "Ana", ["Eva"]),
        (9, "Eva", ["Eva"]),
    ]
    assert ("response", "beaver", "Eva", ["Eva"]) in told
    assert {each[2] for each in told if each[:2] == ("response", "pass")} == {"Jon", "Leo"}
    assert ("double", "double", "Ana", ["Jon", "Eva", "Leo"]) in told
    rates = dict(MatchPage(night.board_with_sides, judged=True).owner_performances)
    assert set(rates) == set(night.refs)
    assert sum(rate.checker_counted for rate in rates.values()) == sum(
        decision.counted for decision in analysis.decisions.filter(kind="checker")
    )
