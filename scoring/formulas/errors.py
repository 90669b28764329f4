"""Errors of result logs and rating list settings."""


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
    """A result cannot be rated: it has no length."""

    code = "invalid_result"
