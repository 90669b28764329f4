"""Prize refusals in the reader's language, with amounts in the club's currency."""

import pytest

from tournaments.core.prizes.money import PrizeRefused, divide
from tournaments.core.prizes.payouts import Award, pay_places, pay_side_pool, record_deal
from tournaments.core.prizes.pools import SidePool, require_eligible
from tournaments.words.prizes import in_prize_words

HIGH = SidePool("High", 1000, needs="Low")
LIMITED = SidePool("Novice", 1000, rating_below=1500.0)


@pytest.mark.parametrize(
    ("refuse", "said"),
    [
        (
            lambda: require_eligible(HIGH, rating=None, pools_entered=["High"]),
            "Side pool High requires side pool Low.",
        ),
        (
            lambda: require_eligible(LIMITED, rating=1612.4, pools_entered=[]),
            "Side pool Novice is for ratings under 1500, not 1612.4.",
        ),
        (
            lambda: require_eligible(LIMITED, rating=None, pools_entered=[]),
            "Side pool Novice is for ratings under 1500. Unrated players cannot enter it.",
        ),
        (
            lambda: record_deal([Award(1, 6000, "main"), Award(2, 4000, "main")], {1: 5000, 2: 4900}),
            "The deal adds up to 99.00 EUR, but these prizes add up to 100.00 EUR.",
        ),
        (lambda: pay_side_pool(LIMITED, {1}, []), "No member of side pool Novice has a place yet."),
        (lambda: pay_places(100, (100,), []), "No places are decided yet."),
        (lambda: divide(5, ()), "cannot divide 5: there are no shares"),
    ],
)
def test_a_prize_refusal_is_a_sentence_with_its_code(refuse, said):
    with pytest.raises(PrizeRefused) as plain:
        refuse()
    with pytest.raises(PrizeRefused) as worded, in_prize_words("EUR"):
        refuse()
    assert (str(worded.value), worded.value.code) == (said, plain.value.code)
