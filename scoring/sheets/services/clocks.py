"""The match clock: reserve and delay from the profile, pressed at the end of a turn; a flag is only shown.

While a side's clock runs, the delay of the turn is used up first, then the reserve, which may go below zero:
what a fallen flag means is for the players and the director, and is recorded as an end of the match.

A touch counts from when it was made: ``ago_ms`` says how long it took to arrive, on a slow line or on none.
It never counts from before the clock was started or pressed last.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.timezone import now

from clubs.live.topics import publish
from scoring.log.queries.writers import Author
from scoring.log.services.sheets import lock_match, state_of
from scoring.models import ClockState, Match, Sheet
from scoring.rules.errors import IllegalAction, InvalidValue
from scoring.rules.profiles import profile_from_plain
from scoring.rules.sides import Side

LONGEST_MS = 24 * 3600 * 1000
# What the columns hold: a clock that nobody stopped for a month must not keep a match from ending.
MOST_MS = 2_000_000_000
LONGEST_WAY_MS = 3600 * 1000
"""A touch that was longer on its way counts as this long."""


def start_clock(*, match: Match, side: str, ago_ms: int = 0) -> Match:
    """Start a side's clock; the first start sets it up from the profile.

    Where it runs already nothing changes: the delay of a turn is given once.

    Raises IllegalAction where the profile has no clock or the match is over; InvalidValue for no side or a
    time to come.
    """
    with transaction.atomic():
        sheet, current = lock_match(match)
        _require_playing(sheet)
        clock = _clock(sheet) or _set_up(sheet)
        if clock.running != _side(side).value:
            run(clock, _side(side), _touched_at(clock, ago_ms))
        return _written(clock, current)


def press_clock(*, match: Match, side: str, ago_ms: int = 0) -> Match:
    """Stop the side's clock and start the other's; pressing twice changes nothing.

    Raises IllegalAction when there is no clock or the match is not being played; InvalidValue for no side or
    a time to come.
    """
    with transaction.atomic():
        sheet, current = lock_match(match)
        _require_playing(sheet)
        clock, pressed = _required(sheet), _side(side)
        if clock.running != pressed.other.value:
            run(clock, pressed.other, _touched_at(clock, ago_ms))
        return _written(clock, current)


def pause_clock(*, match: Match, ago_ms: int = 0) -> Match:
    """Stop the running clock. Raises IllegalAction without a clock, InvalidValue for a time to come."""
    with transaction.atomic():
        sheet, current = lock_match(match)
        clock = _required(sheet)
        stop(clock, _touched_at(clock, ago_ms))
        return _written(clock, current)


def set_clock(*, match: Match, author: Author, white_ms: int, black_ms: int) -> Match:
    """Set both reserves, in milliseconds, and leave the clock stopped: a director's correction.

    Raises IllegalAction for anybody else, InvalidValue for a reserve that no clock shows.
    """
    if not author.directs:
        raise IllegalAction("for_directors", "only directors can enter this: {kind}", kind="clock")
    for value in (white_ms, black_ms):
        if not -LONGEST_MS <= value <= LONGEST_MS:
            raise InvalidValue("clock_ms", "a clock cannot show {value} milliseconds", value=value)
    with transaction.atomic():
        sheet, current = lock_match(match)
        clock = _clock(sheet) or _set_up(sheet)
        clock.white_ms, clock.black_ms = white_ms, black_ms
        clock.running, clock.since = "", None
        return _written(clock, current)


def stop_clock(sheet: Sheet) -> None:
    """Stop the clock of a suspended or finished match. The caller holds the sheet."""
    clock = _clock(sheet)
    if clock is not None and clock.running:
        stop(clock, now())
        clock.version += 1
        clock.save()


def _clock(sheet: Sheet) -> ClockState | None:
    """The clock row locked with the sheet, so that its views see changes."""
    return getattr(sheet, "clock", None)


def _required(sheet: Sheet) -> ClockState:
    clock = _clock(sheet)
    if clock is None:
        raise IllegalAction("no_clock", "no clock has been started for this match")
    return clock


def _require_playing(sheet: Sheet) -> None:
    status = state_of(sheet).status
    if status != "playing":
        raise IllegalAction(f"match_{status.value}", "the match is {status}", status=status.value)


def _set_up(sheet: Sheet) -> ClockState:
    terms = profile_from_plain(sheet.profile).clock if sheet.profile else None
    length = state_of(sheet).score.length
    if terms is None or not length:
        raise IllegalAction("no_clock_terms", "this match is played without a clock")
    reserve = min(1000 * terms.reserve_seconds_per_point * length, MOST_MS)
    return ClockState(sheet=sheet, white_ms=reserve, black_ms=reserve, delay_ms=1000 * terms.delay_seconds)


def _touched_at(clock: ClockState, ago_ms: int) -> datetime:
    if ago_ms < 0:
        raise InvalidValue("clock_ago", "a clock cannot be touched {value} ms ago", value=ago_ms)
    at = now() - timedelta(milliseconds=min(ago_ms, LONGEST_WAY_MS))
    return max(at, clock.since) if clock.since else at


def _side(side: str) -> Side:
    if side not in set(Side):
        raise InvalidValue("clock_side", "{side!r} is neither white nor black", side=side)
    return Side(side)


def stop(clock: ClockState, at: datetime) -> None:
    """Subtract the time used beyond the delay from the running side's reserve."""
    if not clock.running or clock.since is None:
        return
    used = max(0, (at - clock.since) // timedelta(milliseconds=1) - clock.delay_ms)
    if clock.running == Side.WHITE:
        clock.white_ms = max(clock.white_ms - used, -MOST_MS)
    else:
        clock.black_ms = max(clock.black_ms - used, -MOST_MS)
    clock.running, clock.since = "", None


def run(clock: ClockState, side: Side, at: datetime) -> None:
    """Stop the clock that runs and start the one of ``side``."""
    stop(clock, at)
    clock.running, clock.since = side.value, at


def _written(clock: ClockState, match: Match) -> Match:
    clock.version += 1
    clock.save()
    match.version += 1
    match.save(update_fields=["version"])
    publish(match.ref, match.version)
    return match
