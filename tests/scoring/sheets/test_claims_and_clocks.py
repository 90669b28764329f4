"""Guests score one match by a code; the clock runs down, and a line is typed."""

from datetime import timedelta

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Role
from scoring.log.queries.writers import SESSION_KEY, Author, author_of, claim_in
from scoring.models import Claim, ClockState
from scoring.rules.errors import IllegalAction, InvalidValue
from scoring.rules.events import Suspended
from scoring.rules.sides import Side
from scoring.sheets.queries.scoresheet import view_for
from scoring.sheets.services.claims import ClaimRefused, claim_of, make_claim, open_claim, revoke_claims
from scoring.sheets.services.clocks import pause_clock, press_clock, set_clock, start_clock
from scoring.sheets.services.results import confirm_result
from scoring.sheets.services.transcription import record_text
from tests.factories import member
from tests.scoring.sheets.writing import author, loaded, two_players, win, write

pytestmark = pytest.mark.django_db


def test_a_code_opens_this_match_and_no_other_until_its_result_is_final() -> None:
    match, other = two_players(1), two_players(1)
    claim, code = make_claim(match=match, author=author(match, "white"))
    assert code.replace("-", "") not in claim.code_hash
    session = SessionStore()
    assert open_claim(code=code.lower().replace("-", " "), session=session) == match
    assert claim_in(session, match) == claim
    assert claim_in(session, other) is None
    who = author_of(match, member(other.club), role=None, claim=claim)
    assert who == Author(claim=claim)
    match = write(match, win(Side.WHITE))
    confirm_result(match=match, user=author(match, "black").user, as_director=False)
    assert claim_of(code) is None
    assert author_of(loaded(match), member(other.club), role=None, claim=claim) is None


def test_a_code_ends_when_it_expires_or_is_revoked() -> None:
    match = two_players()
    _claim, code = make_claim(match=match, author=author(match, "white"))
    _claim, another = make_claim(match=match, author=author(match, "white"))
    Claim.objects.filter(pk=_claim.pk).update(expires_at=now())
    assert claim_of(another) is None
    assert revoke_claims(match=match) == 1
    with pytest.raises(ClaimRefused, match="is mistyped, revoked or expired, or the result is final"):
        open_claim(code=code, session=SessionStore())


def test_who_may_let_whom_confirm() -> None:
    match = two_players(1)
    with pytest.raises(ClaimRefused, match="other side"):
        make_claim(match=match, author=author(match, "white"), side="black")
    director = Author(member(match.club, Role.DIRECTOR), directs=True)
    claim, _code = make_claim(match=match, author=director, side="black")
    with pytest.raises(ClaimRefused, match="Sign in"):
        make_claim(match=match, author=Author(claim=claim, side="black"))
    match = write(match, win(Side.WHITE))
    confirm_result(match=match, user=None, as_director=False, claim=claim)
    assert loaded(match).result.final_by == "confirmed"


def test_a_guest_writes_through_the_pages() -> None:
    match = two_players()
    _claim, code = make_claim(match=match, author=author(match, "white"))
    client = Client()
    session = client.session
    open_claim(code=code, session=session)
    session.save()
    assert SESSION_KEY in session
    entry = {"key": "a", "kind": "opening_roll", "body": {"white": 3, "black": 1}}
    address = reverse("api:match_events", args=[match.ref])
    body = {"after": 1, "entries": [entry]}
    answer = client.post(address, body, content_type="application/json")
    assert (answer.status_code, answer.json()["seq"]) == (200, 2)
    row = loaded(match).sheet.events.get(seq=2)
    assert (row.user, row.claim) == (None, _claim)
    assert Client().post(address, body, content_type="application/json").status_code == 401


def at(match, seconds: int) -> None:
    """Let the clock's turn have begun so many seconds ago."""
    ClockState.objects.filter(sheet=match.sheet).update(since=now() - timedelta(seconds=seconds))


def test_the_delay_is_used_before_the_reserve_and_a_flag_only_shows() -> None:
    match = two_players(3)
    start_clock(match=match, side="white")
    at(match, 10)
    press_clock(match=match, side="white")
    clock = ClockState.objects.get(sheet=match.sheet)
    assert (clock.white_ms, clock.black_ms, clock.running) == (360_000, 360_000, "black")
    at(match, 112)
    press_clock(match=match, side="black")
    press_clock(match=match, side="black")
    clock.refresh_from_db()
    assert 255_000 < clock.black_ms <= 260_000
    at(match, 500)
    pause_clock(match=match)
    shown = view_for(match.sheet, loaded(match), None)["clock"]
    assert shown["white_ms"] < 0
    assert write(match, win(Side.WHITE)).sheet.head_seq == 2


def test_a_touch_counts_from_when_it_was_made_but_never_from_before_the_last_one() -> None:
    match = two_players(3)
    start_clock(match=match, side="white")
    at(match, 100)
    press_clock(match=match, side="white", ago_ms=50_000)
    clock = ClockState.objects.get(sheet=match.sheet)
    assert 321_000 < clock.white_ms <= 322_000  # 50 s less 12 s of delay
    pause_clock(match=match, ago_ms=90_000)
    clock.refresh_from_db()
    assert (clock.black_ms, clock.running) == (360_000, "")
    press_clock(match=match, side="black", ago_ms=10 * 3_600_000)
    clock.refresh_from_db()
    assert clock.since is not None
    assert now() - clock.since < timedelta(hours=1, minutes=1)
    with pytest.raises(InvalidValue, match="-1 ms"):
        pause_clock(match=match, ago_ms=-1)


def test_a_clock_stops_when_play_does_and_is_set_by_directors() -> None:
    match = two_players(3)
    with pytest.raises(IllegalAction, match="no clock has been started"):
        pause_clock(match=match)
    start_clock(match=match, side="black")
    match = write(match, Suspended())
    clock = ClockState.objects.get(sheet=match.sheet)
    assert (clock.running, clock.since) == ("", None)
    with pytest.raises(IllegalAction, match="suspended"):
        start_clock(match=match, side="black")
    with pytest.raises(IllegalAction, match="director"):
        set_clock(match=match, author=author(match, "white"), white_ms=1, black_ms=1)
    with pytest.raises(IllegalAction, match="without a clock"):
        start_clock(match=two_players(0), side="white")


def test_a_typed_line_is_recorded_once() -> None:
    match = two_players()
    who = author(match, "white")
    for _time in range(2):
        record_text(match=match, author=who, after=1, key="k", text="31 85 65")
    match = loaded(match)
    assert [row.client_key for row in match.sheet.events.order_by("seq")] == ["start", "k", "k~2"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("r1 66", "a roll is not possible now: Ana must answer the resignation"),
        ("64 99/1", "“99/1” is not a move. Type it like 8/5."),
        ("xyz", "“xyz” is neither a roll nor a command."),
    ],
)
def test_a_refused_line_is_told_by_its_words_and_the_players_names(text: str, told: str) -> None:
    match = two_players()
    who = author(match, "white")
    record_text(match=match, author=who, after=1, key="k", text="31 85 65")
    assert who.user is not None
    client = Client()
    client.force_login(who.user)
    line = {"after": 3, "key": "l", "text": text}
    answer = client.post(reverse("api:sheet_text", args=[match.ref]), line, content_type="application/json")
    assert (answer.status_code, answer.json()["detail"]) == (422, told)


def test_a_code_is_made_on_the_page_with_the_address_that_opens_it() -> None:
    match = two_players()
    who = author(match, "white")
    assert who.user is not None
    client = Client()
    client.force_login(who.user)
    made = client.post(reverse("api:sheet_claims", args=[match.ref]), {}, content_type="application/json")
    assert made.status_code == 201
    told = made.json()
    assert told["page"].endswith(f"/score/{told['code']}/")
    assert told["qr"].startswith("<svg")
    claim = claim_of(told["code"])
    assert claim is not None
    assert claim.sheet == match.sheet
    ended = client.delete(reverse("api:sheet_claims", args=[match.ref]))
    assert ended.json() == {"revoked": 1}
    assert claim_of(told["code"]) is None
