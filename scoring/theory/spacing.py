"""When a card comes back: intervals that grow with every right answer in a row.

Source: docs/players/mistakes.md, "When a card comes back".

A wrong answer sends the card back to the first interval. Three right answers in a row make it learned: it
still comes back for the longer intervals, and is done after the last of them. The fourth wrong answer since
the card was new or learned parks it.
"""

from dataclasses import dataclass

INTERVALS = (1, 3, 7, 21, 60)
"""Days until a card comes back after so many right answers in a row, from one on."""

LEARNED_AFTER = 3
PARKED_AFTER = 4


@dataclass(frozen=True, slots=True)
class CardProgress:
    """The right answers in a row, and the wrong ones since the card was new or learned."""

    in_a_row: int = 0
    wrong: int = 0

    @property
    def is_learned(self) -> bool:
        return self.in_a_row >= LEARNED_AFTER

    @property
    def is_parked(self) -> bool:
        return self.wrong >= PARKED_AFTER

    @property
    def interval(self) -> int | None:
        """Days until the card comes back; None where it does not: parked, or right after the last interval.

        >>> [CardProgress(in_a_row=n).interval for n in (1, 2, 3, 4, 5, 6)]
        [1, 3, 7, 21, 60, None]
        >>> CardProgress(wrong=1).interval, CardProgress(wrong=4).interval
        (1, None)
        """
        if self.is_parked or self.in_a_row > len(INTERVALS):
            return None
        return INTERVALS[max(self.in_a_row, 1) - 1]

    def after(self, *, right: bool) -> "CardProgress":
        """The progress after one more answer.

        >>> CardProgress(in_a_row=2, wrong=3).after(right=True)
        CardProgress(in_a_row=3, wrong=0)
        >>> CardProgress(in_a_row=4).after(right=False)
        CardProgress(in_a_row=0, wrong=1)
        """
        if not right:
            return CardProgress(0, self.wrong + 1)
        in_a_row = self.in_a_row + 1
        return CardProgress(in_a_row, 0 if in_a_row >= LEARNED_AFTER else self.wrong)
