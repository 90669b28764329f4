"""Analysed matches for tests, whose verdicts the test gives: no engine is asked."""

from dataclasses import asdict
from datetime import timedelta

from django.utils.timezone import now

from clubs.models import Club, User, WorkStatus
from scoring.files.services.imports import import_file
from scoring.models import Analysis, DecisionRow, Match
from scoring.rules.events import Played
from scoring.signals import analysed
from scoring.theory.decisions import Candidate, DecisionKind
from tests.factories import ClubFactory, MembershipFactory, UserFactory
from tests.scoring.records import SHORT_MATCH

PLAYS = ("8/4 6/4", "8/5 6/5", "24/13", "24/14", "8/3 6/3", "13/11 6/5")
OTHERS = (
    ("24/20 13/11", "13/7"),
    ("24/23 13/10", "13/9"),
    ("24/18 13/8", "13/7 13/8"),
    ("24/18 13/9", "13/7 13/9"),
    ("13/8 24/21", "13/5"),
    ("13/11 24/23", "24/21"),
)
"""What else could have been played at each of ``PLAYS``: the best, and another."""


def a_player(club: Club | None = None) -> User:
    """A member with a player."""
    user = UserFactory.create()
    MembershipFactory.create(club=club or ClubFactory.create(), player__user=user)
    return user


def analysed_match(
    club: Club, user: User, *, losses=None, white: str = "Ana", black: str = "Ben", days: int = 0
) -> Match:
    """The short match, played by the user's player as White, with errors of these sizes.

    ``losses`` has an error for each of White's three plays, 0 for a right one.
    """
    number = Match.objects.count()
    text = SHORT_MATCH.replace("Ana", f"{white} {number}").replace("Ben", f"{black} {number}")
    match, report = import_file(club=club, filename="a.mat", content=text.encode(), final=True)
    assert match, report
    Match.objects.filter(pk=match.pk).update(played_at=now() - timedelta(days=days))
    match.white.seats.update(player=user.player)
    match = Match.objects.with_players().select_related("sheet").get(pk=match.pk)
    analyse(match, losses or [0.2, 0.1, 0.0])
    return match


def analyse(match: Match, losses: list[float], *, preset: str = "", engine: str = "test 1") -> Analysis:
    """Store an analysis with these errors of White's plays, and tell of it as the worker does."""
    seqs = list(match.sheet.events.filter(kind=Played.kind).order_by("seq").values_list("seq", flat=True))
    preset = preset or f"p{match.analyses.count()}"
    analysis = Analysis.objects.create(
        match=match,
        head_seq=match.sheet.head_seq,
        head_hash=match.sheet.head_hash,
        preset=preset,
        label=f"{engine} {preset}",
        status=WorkStatus.DONE,
        finished_at=now() + timedelta(seconds=match.analyses.count()),
        summary={"match": {"white": {}, "black": {}}, "games": {}},
    )
    for number, (seq, played) in enumerate(zip(seqs, PLAYS, strict=True)):
        best, third = OTHERS[number]
        loss = losses[number // 2] if number % 2 == 0 else 0.0
        ranked = [(best, 0.0), (third, 0.1), (played, loss)] if loss else [(played, 0.0), (best, 0.06)]
        candidates = [
            Candidate(action, 0.1 - lost, (0.5, 0.1, 0, 0.1, 0), "2-ply", played=action == played)
            for action, lost in ranked
        ]
        DecisionRow.objects.create(
            analysis=analysis,
            number=number,
            event_seq=seq,
            game=1,
            ply=number + 1,
            kind=DecisionKind.CHECKER,
            colour="white" if number % 2 == 0 else "black",
            played=played,
            candidates=[asdict(candidate) for candidate in candidates],
            error=loss,
            counted=True,
        )
    analysed.send(sender=Match, match=match)
    return analysis
