"""What can be wrong with a result log or a rating list's settings."""


class RatingError(Exception):
    """Base of the typed errors; `code` and `parameters` are stable, the text is for developers."""

    code = "rating_error"

    def __init__(self, message: str, **parameters: object) -> None:
        super().__init__(message)
        self.parameters = parameters


class UnknownFormula(RatingError):
    """The key names no declared formula, or one of its parameters is missing or out of range."""

    code = "unknown_formula"


class InvalidResult(RatingError):
    """A single result cannot be rated: a player against himself, no length, no time zone."""

    code = "invalid_result"


class LogOutOfOrder(RatingError):
    """The log is not strictly increasing by (played_at, ref), or starts before its snapshot ends."""

    code = "log_out_of_order"


class InvalidSnapshot(RatingError):
    """A stored snapshot cannot be read, or belongs to another formula."""

    code = "invalid_snapshot"
