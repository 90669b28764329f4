"""How well a club or an event plays: PR list, the luckiest and the best-played match, the biggest blunder.

All figures are of one label and of the newest matches that the viewer can see
(`scoring.players.queries.play_rows`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scoring.analysis.queries.analyses import decision_of
from scoring.analysis.queries.worst import WorstError, worst_error, worst_from
from scoring.log.queries.sheets import events_of
from scoring.matches.queries.addresses import decision_address
from scoring.models import FileDecision, SidePlay
from scoring.players.queries.play_rows import PlayedMatch
from scoring.theory.play_sums import FEWEST, LossTally

LISTED = 25
"""Players in each part of the PR list at most."""


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player's decisions in all the matches."""

    player_ref: str
    player: str
    matches: int
    tally: LossTally


@dataclass(frozen=True, slots=True)
class PlayedPair:
    """A match and both players' decisions together."""

    match_ref: str
    first: PlayedMatch
    second: PlayedMatch

    @property
    def tally(self) -> LossTally:
        return self.first.tally + self.second.tally


@dataclass(frozen=True, slots=True)
class BlunderLine:
    """The biggest blunder: who, in which match, and where."""

    played: PlayedMatch
    worst: WorstError
    address: str


@dataclass(frozen=True, slots=True)
class GroupPlay:
    """What the page shows. ``players`` are ranked by PR; ``unranked`` have too few decisions for that.

    Those with most decisions come first there; ``few`` counts all of them.
    The best-played match is the one of the lowest PR of both players together, among those with `FEWEST`
    decisions.
    """

    matches: int
    total: LossTally
    players: list[PlayerLine]
    unranked: list[PlayerLine]
    few: int
    luckiest: PlayedMatch | None
    best: PlayedPair | None
    blunder: BlunderLine | None

    @property
    def most_accurate(self) -> PlayerLine | None:
        return self.players[0] if self.players else None


def group_play(played: Sequence[PlayedMatch]) -> GroupPlay:
    """The figures of these matches (four queries at most)."""
    lines = list(_players(played))
    listed = sorted(
        (line for line in lines if not line.tally.is_few),
        key=lambda line: (line.tally.pr or 0.0, line.player_ref),
    )
    few = sorted(
        (line for line in lines if line.tally.is_few and line.tally.counted),
        key=lambda line: (-line.tally.counted, line.player_ref),
    )
    matches = [line for line in _matches(played) if line.tally.counted >= FEWEST]
    lucky = [each for each in played if each.dice.luck_rolls and each.dice.luck > 0]
    return GroupPlay(
        matches=len({each.match_ref for each in played}),
        total=sum((each.tally for each in played), LossTally()),
        players=listed[:LISTED],
        unranked=few[:LISTED],
        few=len(few),
        luckiest=max(lucky, key=lambda each: each.dice.luck, default=None),
        best=min(matches, key=lambda line: line.tally.pr or 0.0, default=None),
        blunder=_blunder(played),
    )


def _players(played: Iterable[PlayedMatch]) -> Iterable[PlayerLine]:
    groups: dict[str, list[PlayedMatch]] = {}
    for each in played:
        groups.setdefault(each.player_ref, []).append(each)
    for ref, rows in groups.items():
        yield PlayerLine(ref, rows[0].player, len(rows), sum((row.tally for row in rows), LossTally()))


def _matches(played: Iterable[PlayedMatch]) -> Iterable[PlayedPair]:
    first: dict[str, PlayedMatch] = {}
    for each in played:
        other = first.setdefault(each.match_ref, each)
        if other is not each:
            yield PlayedPair(each.match_ref, other, each)


def _blunder(played: Sequence[PlayedMatch]) -> BlunderLine | None:
    largest = max(played, key=lambda each: each.worst, default=None)
    if largest is None or not largest.worst:
        return None
    sums = SidePlay.objects.select_related("analysis", "file_analysis", "match__sheet").get(pk=largest.key)
    worst = worst_from(sums.analysis.summary) if sums.analysis else _worst_in_file(sums)
    return BlunderLine(largest, worst, decision_address(sums.match, worst.seq)) if worst else None


def _worst_in_file(sums: SidePlay) -> WorstError | None:
    """The biggest error by a file's analysis, which keeps none in its summary (two queries)."""
    rows = FileDecision.objects.filter(analysis=sums.file_analysis).order_by("number")
    log = [(numbered.seq, numbered.event) for numbered in events_of(sums.match.sheet)]
    return worst_error([decision_of(row) for row in rows], log)
