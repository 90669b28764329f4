"""Times in a video of a match: read, written, and put into its address.

>>> link_at("https://youtu.be/dQw4w9WgXcQ?si=abc", read_time("12:34"))
'https://youtu.be/dQw4w9WgXcQ?si=abc&t=754s'
>>> link_at("https://vimeo.com/76979871", 754)
'https://vimeo.com/76979871#t=754s'
>>> link_at("https://club.example/final.mp4", 754)
'https://club.example/final.mp4#t=754'
"""

import re
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from scoring.rules.errors import InvalidNotation

LONGEST_VIDEO = 24 * 60 * 60
"""Seconds; a time after it is a slip."""

_TIME = re.compile(r"(?:(?P<hours>\d{1,2}):)?(?P<minutes>\d{1,3}):(?P<seconds>[0-5]\d)", re.ASCII)
_ASKED = frozenset({"youtube.com", "youtu.be", "youtube-nocookie.com", "twitch.tv"})
"""Sites that take the time in the query."""
_VIMEO = frozenset({"vimeo.com"})


def read_time(text: str) -> int:
    """The seconds of ``12:34`` or ``1:02:34``. Raises InvalidNotation."""
    found = _TIME.fullmatch(text)
    hours, minutes, seconds = (int(part or 0) for part in found.groups()) if found else (0, 0, 0)
    total = 3600 * hours + 60 * minutes + seconds
    if found is None or (found["hours"] and minutes > 59) or total > LONGEST_VIDEO:
        message = "{time!r} is not a time in a video; write it as 12:34 or 1:02:34"
        raise InvalidNotation("video_time", message, time=text)
    return total


def time_words(seconds: int) -> str:
    """A time as players show it.

    >>> time_words(754), time_words(3754)
    ('12:34', '1:02:34')
    """
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def link_at(address: str, seconds: int) -> str:
    """The address that opens a video at a time."""
    before, after = around_time(address)
    return f"{before}{seconds}{after}"


def around_time(address: str) -> tuple[str, str]:
    """What an address that opens a video at a time has before the seconds, and after them.

    Another time in the address gives way. YouTube, Twitch and Vimeo have parameters of their own; everywhere
    else it is a media fragment (W3C Media Fragments URI 1.0, section 4.2.1).

    >>> around_time("https://youtu.be/dQw4w9WgXcQ")
    ('https://youtu.be/dQw4w9WgXcQ?t=', 's')
    """
    parts = urlsplit(address)
    site = ".".join((parts.hostname or "").split(".")[-2:])
    if site in _ASKED:
        asked = parse_qsl(parts.query, keep_blank_values=True)
        kept = [(name, value) for name, value in asked if name not in {"t", "start"}]
        name, after = ("start", "") if parts.path.startswith("/embed/") else ("t", "s")
        return urlunsplit(parts._replace(query=urlencode([*kept, (name, "")]), fragment="")), after
    return urlunsplit(parts._replace(fragment="t=")), "s" if site in _VIMEO else ""
