"""Which matches rate and who is listed."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from scoring.formulas.policy import (
    BELGIUM_LISTING,
    EVERYONE,
    GERMANY_LISTING,
    ListingStatus,
    MatchFacts,
    RatingPolicy,
    Unrated,
)
from scoring.rules.endings import Ending

NOW = datetime(2026, 6, 1, tzinfo=UTC)
FACTS = MatchFacts(7, (("a",), ("b",)), finished=True, final=True, has_winner=True)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({}, None),
        ({"finished": False}, Unrated.UNFINISHED),
        ({"final": False}, Unrated.NOT_FINAL),
        ({"has_winner": False}, Unrated.NO_WINNER),
        ({"length": 0}, Unrated.MONEY),
        ({"players": (("a", "c"), ("b", "d"))}, Unrated.NOT_SINGLES),
        ({"players": (("a",), ("a",))}, Unrated.SAME_PLAYER),
        ({"friendly": True}, Unrated.FRIENDLY),
        ({"has_guest": True}, None),
        ({"ending": Ending.TIME}, None),
        ({"ending": Ending.PENALTY}, None),
        ({"ending": Ending.NO_SHOW}, Unrated.ENDING),
        ({"ending": Ending.RETIRED}, Unrated.ENDING),
        ({"ending": Ending.VOID}, Unrated.ENDING),
    ],
)
def test_the_default_policy_rates_finished_final_singles_matches(changed, reason):
    assert RatingPolicy().unrated_because(replace(FACTS, **changed)) == reason


def test_a_club_may_choose_otherwise():
    policy = RatingPolicy(
        endings=frozenset(Ending),
        minimum_length=3,
        maximum_length=9,
        rates_friendlies=True,
        rates_guests=False,
    )
    friendly_retirement = replace(FACTS, friendly=True, ending=Ending.RETIRED)
    assert policy.unrated_because(friendly_retirement) is None
    assert policy.unrated_because(replace(FACTS, length=1)) is Unrated.LENGTH
    assert policy.unrated_because(replace(FACTS, length=11)) is Unrated.LENGTH
    assert policy.unrated_because(replace(FACTS, has_guest=True)) is Unrated.GUEST


@pytest.mark.parametrize(
    ("policy", "experience", "days_ago", "status"),
    [
        (EVERYONE, 0, None, ListingStatus.UNLISTED),
        (EVERYONE, 1, 4000, ListingStatus.LISTED),
        (BELGIUM_LISTING, 99, 1, ListingStatus.PROVISIONAL),
        (BELGIUM_LISTING, 100, 1, ListingStatus.LISTED),
        (GERMANY_LISTING, 199, 1, ListingStatus.UNLISTED),
        (GERMANY_LISTING, 200, 365, ListingStatus.LISTED),
        (GERMANY_LISTING, 200, 366, ListingStatus.UNLISTED),
    ],
)
def test_listing_follows_experience_and_activity(policy, experience, days_ago, status):
    last_played = None if days_ago is None else NOW - timedelta(days=days_ago)
    assert policy.status(experience=experience, last_played=last_played, at=NOW) is status
