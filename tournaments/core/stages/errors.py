"""Errors of draws.

Messages name the value, in the numbers of the draw: programs read them. People read a sentence in names that
an interface makes of ``code`` and ``params`` (``tournaments.words.refusals``).
"""


class DrawError(Exception):
    """Base of every error that a director can act on; anything else is a bug.

    ``code`` is a stable word such as ``"too_few_entrants"``; ``params`` are the values in the message.
    """

    def __init__(self, code: str, message: str, **params: object) -> None:
        super().__init__(message)
        self.code = code
        self.params = params


class DrawRefused(DrawError):
    """Readable, but not allowed.

    Too few entrants, a result for a match without both entrants, a locked correction.
    """


class InvalidArchive(DrawError):
    """An archive that cannot be read: not JSON, another edition, unknown format."""
