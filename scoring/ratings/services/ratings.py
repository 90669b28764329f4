"""Keep rating lists up to date with the log of final results.

What rates, and how, is decided in ``scoring.formulas``. A change is computed without the list's lock, held
against faster writers by the list's version, and written together with the "done" of the work that asked
for it: no match rates twice however often a worker is killed.
"""

from collections import deque
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from heapq import merge
from operator import attrgetter

from django.db import transaction
from django.db.models import Prefetch, QuerySet, Sum, prefetch_related_objects
from django.utils.timezone import now

from clubs.attempts import MovedError, settled
from clubs.live.topics import publish
from clubs.models import Club, Player, WorkStatus
from clubs.work import services as work
from scoring.formulas.elo import formula_named
from scoring.formulas.policy import MatchFacts, RatingPolicy, Unrated
from scoring.formulas.streams import Moved, Rated, RatingCorrection, Standings, replayed
from scoring.models import Colour, Match, MatchStatus, Rating, RatingList, RatingUpdate, Seat
from scoring.ratings.queries.rating_log import (
    first_place,
    in_pieces,
    links,
    rated_among,
    rated_log,
    standings_before,
    stored_numbers,
)
from scoring.ratings.services.rating_rows import (
    stage_changes,
    stage_standings,
    staging,
    write_all,
    write_changed,
)
from scoring.rules.endings import Ending

MOST_FOLLOWED = 20_000
"""Changed results that are followed through the log; more are replayed from its beginning."""
REPLAYED_A_SECOND = 1000
"""Changes that a slow, busy machine replays: the lease of the work is as long."""
CLOCKS_APART = timedelta(minutes=10)
BATCH_PATIENCE = timedelta(minutes=5)
"""How long the list waits for the files of an upload; then it follows those that are there."""


def main_list(club: Club) -> RatingList:
    """The club's rating list, created on first use."""
    rating_list, _ = RatingList.objects.get_or_create(club=club, name="", defaults={"formula": "fibs"})
    return rating_list


def ask_for_update(*, match: Match) -> list[RatingUpdate]:
    """Queue an update of each of the club's lists after a changed result.

    Call it in the transaction that changed the result.
    """
    lists = list(RatingList.objects.filter(club=match.club_id))
    if all(rating_list.name for rating_list in lists):
        lists.append(main_list(match.club))
    return [RatingUpdate.objects.create(list=rating_list, match=match) for rating_list in lists]


def delay_updates(*, match: Match | None) -> None:
    """Delay the list's update until the match's upload batch is complete."""
    queued = RatingUpdate.objects.filter(match=match, status=WorkStatus.QUEUED)
    queued.update(available_at=now() + BATCH_PATIENCE)


def release_updates(*, club: Club) -> None:
    """Release delayed updates once the batch is complete."""
    queued = RatingUpdate.objects.filter(list__club=club, status=WorkStatus.QUEUED)
    queued.filter(available_at__gt=now()).update(available_at=now())


def unrated_because(match: Match) -> Unrated | None:
    """Why a match does not rate on its club's list, or None. Load the match with ``with_players()``."""
    return RatingPolicy().unrated_because(_facts(match))


@dataclass(frozen=True, slots=True)
class _Seen:
    """The list's state and time before its log was read."""

    rating_list: RatingList
    at: datetime

    @classmethod
    def now(cls, list_pk: int) -> "_Seen":
        return cls(RatingList.objects.select_related("club").get(pk=list_pk), now())


def update_list(update: RatingUpdate) -> None:
    """Update a list with all queued work and finish that work.

    ``update`` is work that the caller has claimed. Raises WorkLostError when somebody else has it by now.
    """
    work.heartbeat(update, lease=_lease(update.list_id))
    settled(partial(_follow_waiting, update))


def replay_list(*, rating_list: RatingList) -> None:
    """Replay the whole log and replace the list by the outcome."""
    with transaction.atomic(), staging():
        seen = _Seen.now(rating_list.pk)
        stage_log(seen.rating_list)
        _write_all(seen)


def _lease(list_pk: int) -> timedelta:
    """Lease long enough to replay the whole list within one transaction."""
    rated = Rating.objects.filter(list=list_pk).aggregate(number=Sum("matches"))["number"] or 0
    return RatingUpdate.LEASE + timedelta(seconds=rated // REPLAYED_A_SECOND)


def _follow_waiting(update: RatingUpdate) -> None:
    """Follow queued work, read before the matches so that no change is missed."""
    seen = _Seen.now(update.list_id)
    waiting = dict(
        _not_followed(seen.rating_list).exclude(status=WorkStatus.RUNNING).values_list("pk", "match_id")
    )
    matches = {update.match_id, *waiting.values()}
    with staging():
        if follow := len(matches) <= MOST_FOLLOWED:
            _stage_changed(seen.rating_list, matches)
        else:
            stage_log(seen.rating_list)
        with work.finish(update):
            if follow:
                _write_changed(seen, matches)
            else:
                _write_all(seen)
            for some in in_pieces(waiting):
                _not_followed(seen.rating_list).filter(pk__in=some).exclude(status=WorkStatus.RUNNING).update(
                    status=WorkStatus.DONE, finished_at=now()
                )


def _not_followed(rating_list: RatingList) -> QuerySet[RatingUpdate]:
    """Queued work whose results are not in the list's rows yet."""
    open_or_failed = [WorkStatus.QUEUED, WorkStatus.RUNNING, WorkStatus.FAILED]
    return RatingUpdate.objects.filter(list=rating_list, status__in=open_or_failed)


def follow_waiting_for_now(rating_list: RatingList) -> None:
    """Follow all queued results in a transaction that will be rolled back."""
    waiting = set(_not_followed(rating_list).values_list("match_id", flat=True))
    with staging():
        if len(waiting) > MOST_FOLLOWED:
            stage_log(rating_list)
            write_all(rating_list)
        elif waiting:
            _stage_changed(rating_list, waiting)
            write_changed(rating_list, waiting)


def stage_log(rating_list: RatingList) -> None:
    """Compute the whole list from its results."""
    standings: Standings = {}
    log = rated_log(rating_list.club)
    stage_changes(replayed(log, standings, formula=formula_named(rating_list.formula)))
    stage_standings(standings)


def _stage_changed(rating_list: RatingList, matches: Collection[int]) -> None:
    """Stage the rows that change with the results of these matches."""
    correction, moved = _corrected(rating_list, rated_among(matches))
    stage_changes(moved)
    stage_standings(correction.standings)


def _corrected(
    rating_list: RatingList, changed: Mapping[int, Rated | None]
) -> tuple[RatingCorrection, Iterator[Moved]]:
    """The correction for these results, and the matches it changes."""
    correction = RatingCorrection(
        changed,
        stored=partial(stored_numbers, rating_list),
        entered=standings_before(rating_list, [rated for rated in changed.values() if rated is not None]),
        formula=formula_named(rating_list.formula),
    )
    since = first_place(rating_list, changed)
    return correction, correction.moved(links(rating_list, since) if since else ())


def _write_changed(seen: _Seen, matches: Collection[int]) -> None:
    """Write the staged rows unless the list has changed since they were computed."""
    current = _locked(seen.rating_list)
    if current.version != seen.rating_list.version:
        raise MovedError
    write_changed(current, matches)
    _publish_next(current)


def _write_all(seen: _Seen) -> None:
    """Write the whole list, then follow results added since the log was read."""
    current = _locked(seen.rating_list)
    write_all(current)
    if current.version != seen.rating_list.version:
        done = RatingUpdate.objects.filter(
            list=current, status=WorkStatus.DONE, finished_at__gte=seen.at - CLOCKS_APART
        )
        matches = set(done.values_list("match_id", flat=True))
        _stage_changed(current, matches)
        write_changed(current, matches)
    _publish_next(current)


def _locked(rating_list: RatingList) -> RatingList:
    return RatingList.objects.select_for_update(no_key=True).get(pk=rating_list.pk)


def _publish_next(rating_list: RatingList) -> None:
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
    """Preview the rating changes of a hypothetical result; changes nothing.

    Load the match with its result. ``winner`` is a colour or empty; without ``played`` the match would count
    as unfinished. The list is taken as it will be once the result is corrected: with the results that wait to
    be followed.
    """
    rating_list = RatingList.objects.filter(club=match.club_id, name="").select_related("club").first()
    if rating_list is None:
        return []
    seats = Seat.objects.select_related("player__person")
    prefetch_related_objects([match], Prefetch("sides__seats", seats))
    facts = replace(_facts(match), finished=played, final=True, has_winner=bool(winner), ending=ending)
    supposed = None
    if RatingPolicy().unrated_because(facts) is None:
        white, black = match.white.players[0].pk, match.black.players[0].pk
        sides = (white, black) if winner == Colour.WHITE else (black, white)
        supposed = Rated(match.pk, match.ref, match.played_at, match.length, *sides)
    with transaction.atomic():
        standings = _standings_if(rating_list, match.pk, supposed)
        return _shifts(rating_list, standings)


def _standings_if(rating_list: RatingList, match_pk: int, supposed: Rated | None) -> Standings:
    """Standings of all players affected by this or queued results."""
    waiting = set(_not_followed(rating_list).values_list("match_id", flat=True))
    if len(waiting) <= MOST_FOLLOWED:
        changed = rated_among(waiting | {match_pk}) | {match_pk: supposed}
        correction, moved = _corrected(rating_list, changed)
        deque(moved, maxlen=0)
        return correction.standings
    standings: Standings = {}
    others = (rated for rated in rated_log(rating_list.club) if rated.match != match_pk)
    log = merge(others, [supposed] if supposed else [], key=attrgetter("place"))
    deque(replayed(log, standings, formula=formula_named(rating_list.formula)), maxlen=0)
    return standings


def _shifts(rating_list: RatingList, standings: Standings) -> list[RatingShift]:
    found = []
    for some in in_pieces(standings):
        ratings = Rating.objects.filter(list=rating_list, player__in=some)
        before = dict(ratings.values_list("player_id", "value"))
        after = {pk: standings[pk].rating for pk in some if standings[pk].matches}
        others = [pk for pk in some if before.get(pk) != after.get(pk)]
        players = Player.objects.with_person().in_bulk(others)
        found += [RatingShift(players[pk], before.get(pk), after.get(pk)) for pk in others]
    return found


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
