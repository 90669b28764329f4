"""Why a helper is refused."""

from typing import Any

from clubs.refusals import Refused


class HelperRefused(Refused):
    """Something about helpers that cannot be done now; ``code`` says what."""

    def __init__(self, code: str, text: str, **parameters: Any) -> None:
        super().__init__(text)
        self.code, self.parameters = code, parameters


class HelperNotAllowed(HelperRefused):
    """The helper gets no matches: it waits for a director, is paused, or its owner left the club."""
