"""The errors of the pure core: each has a code, a template and the values that fill it.

Two families matter to a caller (CONTRIBUTING.md, "House rules"): *it cannot be read*
(:class:`InvalidNotation`, :class:`InvalidValue`) and *it is not allowed* (:class:`IllegalPlay`,
:class:`IllegalAction`).  The text is English and names the value; an interface translates by ``template`` and
fills in ``parameters``.

>>> error = IllegalPlay("blocked", "{move} is blocked: {count} checkers on the {point} point",
...                     move="24/18", count=4, point=18)
>>> error.code, error.parameters["count"], str(error)
('blocked', 4, '24/18 is blocked: 4 checkers on the 18 point')
"""

from typing import Any, Self


class ScoringError(Exception):
    """Base of every error that the rules and the notations raise.

    ``code``        a stable identifier in snake case, unique inside its class;
    ``template``    the English sentence with named fields: the key of a translation;
    ``parameters``  the values of those fields, plain strings and numbers.
    """

    def __init__(self, code: str, template: str, **parameters: Any) -> None:
        self.code = code
        self.template = template
        self.parameters = parameters
        super().__init__(template.format(**parameters))

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.code, self.template, self.parameters)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return (self.code, self.template, self.parameters) == (other.code, other.template, other.parameters)

    def __hash__(self) -> int:
        return hash((type(self), self.code, str(self)))


def _rebuild(kind: type[ScoringError], code: str, template: str, parameters: dict[str, Any]) -> ScoringError:
    return kind(code, template, **parameters)


class InvalidValue(ScoringError, ValueError):
    """A value that no board, die, cube, score or ledger can have (17 checkers, a die of 7, a cube of 3)."""


class InvalidNotation(ScoringError, ValueError):
    """A text that cannot be read.

    ``at`` is the offset of the first unreadable character, from 0; ``line`` is the line of a file, from 1.
    Either is None where it has no meaning: an identifier has no lines, a file is told by its line.
    """

    def __init__(
        self, code: str, template: str, *, at: int | None = None, line: int | None = None, **parameters: Any
    ) -> None:
        self.at = at
        self.line = line
        place = {"at": at} if line is None else {"line": line}
        super().__init__(code, template, **place, **parameters)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (
            type(self),
            self.code,
            self.template,
            {**self.parameters, "at": self.at, "line": self.line},
        )

    def on_line(self, line: int) -> Self:
        """The same error, told by a file's line (from 1) in place of an offset."""
        rest = {key: value for key, value in self.parameters.items() if key not in {"at", "line"}}
        return type(self)(
            self.code, "line {line}: " + self.template.replace("{at}", str(self.at)), line=line, **rest
        )


class IllegalPlay(ScoringError):
    """A play that is illegal with this roll; the text says why."""


class IllegalAction(ScoringError):
    """An event that is illegal in this state; the text says why."""
