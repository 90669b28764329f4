"""Times in a video: read, written, and put into its address."""

import pytest

from scoring.notation.typed import AmbiguousPlay, read_timed_line
from scoring.notation.videos import link_at, read_time, time_words
from scoring.rules.errors import InvalidNotation
from scoring.rules.events import MatchStarted
from scoring.rules.sheet import begin


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("0:00", 0), ("12:34", 754), ("90:00", 5400), ("1:02:34", 3754), ("24:00:00", 86400)],
)
def test_a_time_is_read(text: str, seconds: int) -> None:
    assert read_time(text) == seconds
    assert read_time(time_words(seconds)) == seconds


@pytest.mark.parametrize(
    "text", ["", "12", "12:60", "1:60:00", "24:00:01", "-1:00", "12:34:56:78", "١٢:٣٤", "1234:00"]
)
def test_what_is_no_time_is_refused_by_name(text: str) -> None:
    with pytest.raises(InvalidNotation, match="is not a time in a video; write it as") as refused:
        read_time(text)
    assert refused.value.parameters["time"] == text


@pytest.mark.parametrize(
    ("address", "there"),
    [
        (
            "https://www.youtube.com/watch?v=abc&t=90s&list=x",
            "https://www.youtube.com/watch?v=abc&list=x&t=754s",
        ),
        ("https://m.youtube.com/watch?v=abc#t=90", "https://m.youtube.com/watch?v=abc&t=754s"),
        ("https://youtu.be/abc", "https://youtu.be/abc?t=754s"),
        ("https://www.youtube.com/live/abc?si=x", "https://www.youtube.com/live/abc?si=x&t=754s"),
        (
            "https://www.youtube-nocookie.com/embed/abc?start=5",
            "https://www.youtube-nocookie.com/embed/abc?start=754",
        ),
        ("https://www.twitch.tv/videos/123?t=1h2m3s", "https://www.twitch.tv/videos/123?t=754s"),
        ("https://vimeo.com/123/hash?share=copy#t=9s", "https://vimeo.com/123/hash?share=copy#t=754s"),
        ("https://player.vimeo.com/video/123", "https://player.vimeo.com/video/123#t=754s"),
        ("https://club.example/a.mp4?x=1#t=1", "https://club.example/a.mp4?x=1#t=754"),
        ("https://youtube.com.example/watch?v=abc", "https://youtube.com.example/watch?v=abc#t=754"),
        ("https://notyoutube.com/watch?v=abc", "https://notyoutube.com/watch?v=abc#t=754"),
    ],
)
def test_an_address_opens_at_a_time_as_its_site_does_it(address: str, there: str) -> None:
    assert link_at(address, 754) == there
    assert link_at(there, 754) == there


def test_a_line_may_begin_with_its_time() -> None:
    state = begin(MatchStarted(5))
    assert read_timed_line(state, "31 85 65")[0] is None
    seconds, events = read_timed_line(state, " @12:34 31 85 65")
    assert (seconds, [event.kind for event in events]) == (754, ["opening_roll", "play"])


def test_a_readings_line_keeps_its_time_and_an_error_its_place() -> None:
    state = begin(MatchStarted(5))
    with pytest.raises(AmbiguousPlay) as ambiguous:
        read_timed_line(state, "@12:34 64 24/18")
    lines = ambiguous.value.parameters["lines"]
    assert lines
    assert all(line.startswith("@12:34 64 ") for line in lines)
    with pytest.raises(InvalidNotation) as refused:
        read_timed_line(state, "@12:34 xx")
    assert refused.value.parameters["at"] == 7
    for line in ("@12:99 31", "@ 31", "@"):
        with pytest.raises(InvalidNotation, match="is not a time in a video"):
            read_timed_line(state, line)
    with pytest.raises(InvalidNotation, match="the line is empty"):
        read_timed_line(state, "@12:34")
