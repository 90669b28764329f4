"""A rating list follows the log of final results: each change of a result replays the list from there on.

What rates, and how, is decided in ``scoring.ratings``; here its values are read from rows and written to
rows. A list is locked while it is replayed, and the replay is written together with the "done" of the work
that asked for it, so that no match rates twice however often a worker is killed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Q
from django.utils.timezone import now

from clubs.live import publish
from clubs.models import Club, Player, WorkStatus
from clubs.services import work
from scoring.models import Match, MatchStatus, Rating, RatingChange, RatingList, RatingUpdate
from scoring.ratings.formulas import formula_named
from scoring.ratings.policy import Ending, MatchFacts, RatingPolicy, Unrated
from scoring.ratings.replay import (
    PlayerChange,
    RatedResult,
    Replay,
    Snapshot,
    Standing,
    formula_label,
    replay,
)

LogKey = tuple[datetime, str]


def main_list(club: Club) -> RatingList:
    """The club's rating list, made when it is first asked for."""
    rating_list, _ = RatingList.objects.get_or_create(club=club, name="", defaults={"formula": "fibs"})
    return rating_list


def ask_for_update(*, match: Match) -> list[RatingUpdate]:
    """Note that a result changed: one piece of work for each of the club's lists.

    Call it in the transaction that changed the result.
    """
    lists = list(RatingList.objects.filter(club=match.club_id))
    if all(rating_list.name for rating_list in lists):
        lists.append(main_list(match.club))
    return [RatingUpdate.objects.create(list=rating_list, match=match) for rating_list in lists]


def unrated_because(match: Match) -> Unrated | None:
    """Why a match does not rate on its club's list, or None. Load the match with ``with_players()``."""
    return RatingPolicy().unrated_because(_facts(match))


def update_list(update: RatingUpdate) -> None:
    """Replay a list from the earliest match of all waiting work on, and finish all of that work.

    ``update`` is work that the caller has claimed. Raises WorkLostError when somebody else has it by now.
    """
    with work.finish(update) as current:
        rating_list = RatingList.objects.select_for_update(no_key=True).get(pk=current.list_id)
        queued = RatingUpdate.objects.filter(list=rating_list, status=WorkStatus.QUEUED)
        waiting = list(queued.select_for_update(skip_locked=True))
        match_ids = {current.match_id, *(other.match_id for other in waiting)}
        replay_list(rating_list=rating_list, since=_earliest_place(rating_list, match_ids))
        RatingUpdate.objects.filter(pk__in=[other.pk for other in waiting]).update(
            status=WorkStatus.DONE, finished_at=now()
        )


def replay_list(*, rating_list: RatingList, since: LogKey | None = None) -> None:
    """Write the list anew from a place in the log on (None: from the beginning). The caller locks it."""
    formula = formula_named(rating_list.formula)
    stale = RatingChange.objects.on_list(rating_list)
    log = Match.objects.in_club(rating_list.club).final()
    if since is not None:
        stale = stale.since(since)
        log = log.filter(Q(played_at__gt=since[0]) | Q(played_at=since[0], ref__gte=since[1]))
    rated = {m.ref: m for m in log.with_players().order_by("played_at", "ref") if unrated_because(m) is None}
    players = {player.ref: player for match in rated.values() for player in _both(match)}
    players |= {p.ref: p for p in Player.objects.filter(pk__in=stale.values("player_id"))}
    start = Snapshot(formula_label(formula), None, _standings(rating_list, players.values(), since))
    replayed = replay(map(_rated_result, rated.values()), formula=formula, start=start)
    stale.delete()
    RatingChange.objects.bulk_create(_change_rows(rating_list, replayed, rated, players, start))
    _write_ratings(rating_list, players, replayed.end)
    rating_list.version += 1
    rating_list.save(update_fields=["version"])
    publish(rating_list.ref, rating_list.version)


@dataclass(frozen=True, slots=True)
class RatingShift:
    """A player's rating now and as it would be; None without one."""

    player: Player
    before: float | None
    after: float | None


def shifts_if(*, match: Match, winner: str, ending: Ending, played: bool = True) -> list[RatingShift]:
    """Whose rating on the club's main list would be another if the match had ended so. Changes nothing.

    ``winner`` is a colour or empty; without ``played`` the match would count as unfinished. The list is
    replayed from the match on, as it will be once the result is corrected.
    """
    rating_list = RatingList.objects.filter(club=match.club_id, name="").first()
    match = Match.objects.with_players().get(pk=match.pk)
    if rating_list is None:
        return []
    since = (match.played_at, match.ref)
    facts = replace(_facts(match), finished=played, final=True, has_winner=bool(winner), ending=ending)
    counts = RatingPolicy().unrated_because(facts) is None
    later = Match.objects.in_club(match.club).final().exclude(pk=match.pk)
    later = later.filter(Q(played_at__gt=since[0]) | Q(played_at=since[0], ref__gt=since[1]))
    rated = [m for m in later.with_players().order_by("played_at", "ref") if unrated_because(m) is None]
    players = {player.ref: player for each in (match, *rated) for player in _seated(each)}
    results = [_rated_result(each) for each in rated]
    if counts:
        white, black = match.white.players[0].ref, match.black.players[0].ref
        sides = (white, black) if winner == "white" else (black, white)
        results.insert(0, RatedResult(match.ref, match.played_at, match.length, *sides))
    formula = formula_named(rating_list.formula)
    start = Snapshot(formula_label(formula), None, _standings(rating_list, players.values(), since))
    end = replay(results, formula=formula, start=start).end.standings
    now_at = dict(
        Rating.objects.filter(list=rating_list, player__ref__in=players).values_list("player__ref", "value")
    )
    after = {ref: end[ref].rating for ref in players if ref in end}
    return [
        RatingShift(player, now_at.get(ref), after.get(ref))
        for ref, player in players.items()
        if now_at.get(ref) != after.get(ref)
    ]


def _seated(match: Match) -> list[Player]:
    return [*match.white.players, *match.black.players]


def _facts(match: Match) -> MatchFacts:
    result = getattr(match, "result", None)
    return MatchFacts(
        length=match.length,
        players=(
            tuple(player.ref for player in match.white.players),
            tuple(player.ref for player in match.black.players),
        ),
        finished=match.status == MatchStatus.FINISHED and result is not None,
        final=result is not None and result.final_at is not None,
        has_winner=result is not None and bool(result.winner),
        ending=Ending(result.ended) if result is not None and result.ended else Ending.PLAYED,
        friendly=match.friendly,
    )


def _both(match: Match) -> tuple[Player, Player]:
    """Winner and loser of a match that rates."""
    white, black = match.white, match.black
    if match.result.winner == black.colour:
        white, black = black, white
    return white.players[0], black.players[0]


def _rated_result(match: Match) -> RatedResult:
    winner, loser = _both(match)
    return RatedResult(match.ref, match.played_at, match.length, winner.ref, loser.ref)


def _earliest_place(rating_list: RatingList, match_ids: set[int]) -> LogKey:
    """The first place in the log that these matches touch: where they stand now and where they stood."""
    places = set(Match.objects.filter(pk__in=match_ids).values_list("played_at", "ref"))
    changes = RatingChange.objects.on_list(rating_list).filter(match_id__in=match_ids)
    places |= set(changes.values_list("played_at", "match_ref"))
    return min(places)


def _standings(
    rating_list: RatingList, players: Iterable[Player], since: LogKey | None
) -> dict[str, Standing]:
    """Where the players stood just before a place in the log; those not named stand at the start."""
    if since is None:
        return {}
    last = (
        RatingChange.objects.on_list(rating_list)
        .filter(player__in=[player.pk for player in players])
        .before(since)
        .order_by("player_id", "-played_at", "-match_ref")
        .distinct("player_id")
        .select_related("player")
    )
    return {
        row.player.ref: Standing(row.after, row.experience_after, row.number, row.played_at) for row in last
    }


def _change_rows(
    rating_list: RatingList,
    replayed: Replay,
    matches: Mapping[str, Match],
    players: Mapping[str, Player],
    start: Snapshot,
) -> list[RatingChange]:
    numbers = {ref: standing.matches for ref, standing in start.standings.items()}
    rows = []
    for change in replayed.changes:
        for moved, other in ((change.winner, change.loser), (change.loser, change.winner)):
            numbers[moved.player] = numbers.get(moved.player, 0) + 1
            rows.append(
                RatingChange(
                    list=rating_list,
                    match=matches[change.ref],
                    match_ref=change.ref,
                    played_at=change.played_at,
                    length=change.length,
                    weight=change.weight,
                    won=moved is change.winner,
                    opponent=players[other.player],
                    opponent_before=other.before,
                    number=numbers[moved.player],
                    **_arithmetic(moved, players),
                )
            )
    return rows


def _arithmetic(moved: PlayerChange, players: Mapping[str, Player]) -> dict[str, object]:
    return {
        "player": players[moved.player],
        "before": moved.before,
        "after": moved.after,
        "probability": moved.probability,
        "k": moved.k,
        "experience_before": moved.experience_before,
        "experience_after": moved.experience_after,
    }


def _write_ratings(rating_list: RatingList, players: Mapping[str, Player], end: Snapshot) -> None:
    """The current standing of each player; who has no rated match left leaves the list."""
    gone = [player.pk for ref, player in players.items() if ref not in end.standings]
    Rating.objects.filter(list=rating_list, player__in=gone).delete()
    Rating.objects.bulk_create(
        [
            Rating(
                list=rating_list,
                player=players[ref],
                value=standing.rating,
                experience=standing.experience,
                matches=standing.matches,
                last_played_at=standing.last_played,
            )
            for ref, standing in end.standings.items()
            if standing.last_played is not None
        ],
        update_conflicts=True,
        unique_fields=["list", "player"],
        update_fields=["value", "experience", "matches", "last_played_at"],
    )
