"""Domain signals of matches and chouette boards."""

from django.dispatch import Signal

from clubs.refusals import Refused


class ResultRefused(Refused):
    """A receiver refuses a result change; the message is for users.

    Code that changes results lets it pass, so that the transaction is undone, and shows it.
    """

    def __init__(self, message: str, *, code: str = "refused") -> None:
        super().__init__(message)
        self.code = code


result_changed = Signal()
"""Sent as ``result_changed(sender=Match, match, before, after, hold)`` inside the transaction that finished,
corrected, confirmed or voided the match. ``before`` (None at first) and ``after`` are values of
``scoring.sheets.services.results.ResultValue``. ``hold`` is what the caller of the service gave for its
receivers, unread here: what it has locked and decided above a match; None from everybody else. A receiver
may raise :class:`ResultRefused`."""

board_changed = Signal()
"""Sent as ``board_changed(sender=Match, match, state, author)`` inside the transaction that changed the
record of a chouette's game, for which :mod:`scoring.chouettes.services.boards` answers: the table writes by
the services of the sheet, and so stands above them. What it refuses undoes the change."""

score_changed = Signal()
"""Sent as ``score_changed(sender=Match, match)`` inside the transaction, with the match's sheet locked, when
a game of a match that goes on is over or something before was corrected: the score may be another. Nothing
hangs on it but what people see."""

record_over = Signal()
"""Sent as ``record_over(sender=Match, match)`` inside the transaction in which the table ended the game whose
record ``match`` is, or in which what an engine had said of it fell with a correction at the table."""

analysed = Signal()
"""Sent as ``analysed(sender=Match, match)`` inside the transaction that stored an analysis of the match, or
counted its decisions again."""

file_analysed = Signal()
"""Sent as ``file_analysed(sender=FileAnalysis, analysis)`` inside the transaction that put a file's analysis
to the sheet of its match."""
