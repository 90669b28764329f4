"""The analysis, comments and facts that stand in `.xg` files."""

import gzip
import struct
import zlib

import pytest

from scoring.notation.annotations import MOST_COMMENTS, Annotations
from scoring.notation.formats import annotations_in, read_match
from scoring.notation.identity import match_digest
from scoring.notation.inflating import LARGEST_CONTENT
from scoring.notation.record import MatchRecord
from scoring.notation.rtf import plain_text
from scoring.notation.xg_analysis import xg_annotations
from scoring.notation.xg_file import CUBE, GAME_HEADER, HEADER, LARGEST_COMMENTS, MOVE, RECORD
from tests.scoring.xg_files import changed, of_kind, without_analysis
from tests.shared_data import shared_files
from tests.tiers import sized


@pytest.fixture
def xg(shared_data):
    return (shared_data / "xg" / "match_with_comment.xg").read_bytes()


def told_by(record: MatchRecord) -> Annotations:
    assert record.annotations is not None
    return record.annotations


def annotations(data: bytes) -> Annotations:
    return told_by(read_match(data))


def test_a_real_file_says_where_it_was_played_and_what_was_thought(xg):
    told = annotations(xg)
    assert told.facts == (("Event", "Entrainement live"), ("Site", "Café Jussieu, Paris"))
    said = [(moment.game, moment.dice, moment.comment) for moment in told.moments if moment.comment]
    assert said == [
        (1, (5, 4), "coup assez difficile"),
        (1, (6, 6), "les double 66 sont toujpurs difficiles à trouver"),
    ]
    assert (told.damaged, told.unread) == (0, "")
    assert annotations_in(xg) == annotations_in(gzip.compress(xg)) == told


def test_the_round_is_read(shared_data):
    told = annotations((shared_data / "xg" / "ronde1_7p.xg").read_bytes())
    assert dict(told.facts)["Round"] == "Double consultation round 1"


def test_a_play_has_depth_chances_and_equities_of_its_candidates(xg):
    play = annotations(xg).moments[0]
    assert (play.position, play.dice, play.luck) == ("-b----E-C---eE---c-e----B-", (6, 3), 0.0083)
    best, second, *_ = play.options
    assert (best.action, best.equity, best.level) == ("24/18 13/10", 0.0083, "opening book")
    assert best.position == "-b----E-C-A-eD---cAe----A-"
    assert best.probabilities == (0.5045, 0.1344, 0.0068, 0.14, 0.0062)
    assert (second.action, second.equity) == ("24/15", -0.003)


def test_a_cube_has_the_doublers_three_equities(xg):
    cube = next(moment for moment in annotations(xg).moments if moment.dice is None)
    assert [(option.action, option.equity) for option in cube.options] == [
        ("no double", -0.0085),
        ("double/take", -0.3726),
        ("double/pass", 1.0),
    ]
    assert cube.options[0].level == "2-ply"


@pytest.mark.parametrize("path", shared_files("xg/*.xg"))
def test_a_match_that_was_never_analysed_is_the_same_match(path):
    data = path.read_bytes()
    bare = read_match(changed(data, without_analysis))
    assert match_digest(bare) == match_digest(read_match(data))
    assert [flag.code for flag in bare.flags] == [flag.code for flag in read_match(data).flags]
    assert bare.annotations is not None
    assert not bare.annotations.is_analysed


def test_a_part_of_an_analysis_is_kept(xg):
    part = changed(xg, lambda records: without_analysis(records, plays_from=10))
    told = annotations(part)
    assert sum(bool(moment.options) for moment in told.moments if moment.dice) == 10
    assert match_digest(read_match(part)) == match_digest(read_match(xg))


@pytest.mark.parametrize("number", [float("nan"), -7.5, *sized([], [float("inf"), float("-inf"), 3e38])])
@pytest.mark.parametrize("place", [1408, *sized([], [1408 + 12]), 1408 + 16])
def test_a_number_of_a_play_that_cannot_be_one_costs_its_analysis_alone(xg, number, place):
    def spoil(records: bytearray) -> None:
        at = list(of_kind(records, MOVE))[3]
        struct.pack_into("<f", records, at + place, number)

    spoilt = read_match(changed(xg, spoil))
    assert match_digest(spoilt) == match_digest(read_match(xg))
    assert [(flag.code, flag.detail) for flag in spoilt.flags if "damaged" in flag.code] == [
        ("analysis_damaged", "1")
    ]
    assert (
        sum(bool(m.options) for m in told_by(spoilt).moments)
        == sum(bool(m.options) for m in annotations(xg).moments) - 1
    )


@pytest.mark.parametrize("number", [float("nan"), 1e30, *sized([], [float("inf")])])
@pytest.mark.parametrize("place", [124, 160, *sized([], [136, 152, 156])])
def test_a_number_of_a_cube_that_cannot_be_one_costs_its_analysis_alone(xg, number, place):
    def spoil(records: bytearray) -> None:
        at = next(
            at for at in of_kind(records, CUBE) if struct.unpack_from("<f", records, at + 160)[0] == 1.0
        )
        struct.pack_into("<f", records, at + place, number)

    told = annotations(changed(xg, spoil))
    assert told.damaged == 1


@pytest.mark.parametrize("count", [33, 2**31 - 1, -1, -(2**31)])
def test_a_count_of_plays_that_cannot_be_costs_the_analysis_or_is_refused(xg, count):
    def spoil(records: bytearray) -> None:
        struct.pack_into("<i", records, list(of_kind(records, MOVE))[3] + 188, count)

    assert xg_annotations(changed(xg, spoil)).damaged == 1


def test_impossible_positions_and_moves_cost_the_analysis(xg):
    def spoil(records: bytearray) -> None:
        first, second, third, *_ = of_kind(records, MOVE)
        records[first + 124 : first + 150] = b"\x7f" * 26
        records[second + 124 : second + 150] = b"\x0f" * 26
        struct.pack_into("<8b", records, third + 1024, 5, 20, 127, -128, 3, 3, 0, 1)

    assert xg_annotations(changed(xg, spoil)).damaged == 3


def test_comments_that_cannot_be_opened_are_said(xg):
    cut = xg[:-300]
    record = read_match(cut)
    assert record.annotations is not None
    assert not any(moment.comment for moment in record.annotations.moments)
    assert match_digest(record) == match_digest(read_match(xg))
    broken = xg[: len(xg) - 700] + b"\x00" * 40 + xg[len(xg) - 660 :]
    assert [flag.code for flag in read_match(broken).flags][-1:] == ["comments_unread"]


def test_numbers_of_comments_that_there_are_not_mean_none(xg):
    def spoil(records: bytearray) -> None:
        for at in of_kind(records, MOVE):
            struct.pack_into("<i", records, at + 2524, 2**31 - 1)
        for number, at in enumerate(of_kind(records, GAME_HEADER)):
            struct.pack_into("<2i", records, at + 56, number, -5)

    told = annotations(changed(xg, spoil))
    assert not any(moment.comment for moment in told.moments)
    assert told.remarks == (
        (1, "coup assez difficile"),
        (2, "les double 66 sont toujpurs difficiles à trouver"),
    )


def test_a_directory_of_many_parts_is_opened_so_far(xg):
    many = xg + zlib.compress(b"\x08temp.xgc") * 50
    assert read_match(many).finished == read_match(xg).finished


def test_the_analysis_in_a_gzip_envelope_is_read(xg):
    assert annotations(gzip.compress(xg)) == annotations(xg)


@pytest.mark.parametrize(
    ("rtf", "text"),
    [
        (
            rb"{\rtf1\ansi {\fonttbl{\f0 Arial;}}{\*\generator X;}\pard one\par two\line three\tab four}",
            "one\ntwo\nthree\tfour",
        ),
        (rb"{\rtf1 \'e9\u8364? \{a\}\\}", "é€ {a}\\"),
        (rb"{\rtf1 {\pict 00ff}after}", "after"),
        (rb"{\rtf1 \u-10179?\u-8704? \u55357? half}", "\U0001f600 \ufffd half"),
        (b"{\\rtf1 " + b"{" * 100_000, ""),
        (b"{\\rtf1 }}}}}text", ""),
        (b"not rtf \xe9", "not rtf é"),
    ],
)
def test_a_comment_is_read_as_plain_text(rtf, text):
    assert plain_text(rtf) == text


def test_a_candidate_without_numbers_is_left_out(xg):
    def empty(records: bytearray) -> None:
        at = next(of_kind(records, MOVE))
        records[at + 1408 + 28 : at + 1408 + 56] = bytes(28)

    whole, less = annotations(xg).moments[0].options, xg_annotations(changed(xg, empty)).moments[0].options
    assert less == (whole[0], *whole[2:])


def with_comments(data: bytes, comments: bytes, *extra: bytes, copies: int = 1) -> bytes:
    """The file with these comments as its second part, every play and game naming the first of them."""

    def name_the_first(records: bytearray) -> None:
        for at in of_kind(records, MOVE):
            struct.pack_into("<i", records, at + 2524, 0)
        at = next(of_kind(records, GAME_HEADER))
        struct.pack_into("<2i", records, at + 56, 0, 0)
        records[at:] = records[at : at + RECORD] * copies + records[at + RECORD :]

    kept = changed(data, name_the_first)
    start = HEADER + struct.unpack_from("<I", kept, 20)[0]
    stream = zlib.decompressobj()
    stream.decompress(kept[start:])
    names = [b"temp.xgi", b"temp.xgc", *(b"other" for _ in extra)]
    directory = b"".join((bytes([len(name)]) + name).ljust(532, b"\0") for name in names)
    parts = [zlib.compress(part) for part in (comments, *extra, directory)]
    return kept[: len(kept) - len(stream.unused_data)] + b"".join(parts)


def test_a_comment_is_told_so_often_and_no_more(xg):
    """Failed with 3,000 remarks and more, each of 4,000 characters."""
    told = xg_annotations(with_comments(xg, b"x" * 4000, copies=3000))
    said = len(told.remarks) + sum(bool(moment.comment) for moment in told.moments)
    assert said == MOST_COMMENTS


def test_huge_comments_are_said_to_be_unread(xg):
    """Failed: 64 MB of braces were read to their end, for a minute."""
    told = xg_annotations(with_comments(xg, b"{\\rtf1 so" + b"{" * LARGEST_COMMENTS))
    assert "more than 4194304" in told.unread
    assert not any(moment.comment for moment in told.moments)


@pytest.mark.long
def test_the_parts_of_a_file_have_one_limit_together(xg):
    """Failed: up to eight parts of 64 MB each were held at once."""
    half = bytes(LARGEST_CONTENT // 2)
    told = xg_annotations(with_comments(xg, b"so", half, half))
    assert "is larger than" in told.unread
    assert not any(moment.comment for moment in told.moments)
