"""What the head of a ``.mat`` file says of the rules that were played by."""

from collections.abc import Mapping
from dataclasses import replace

from scoring.notation.record import RecordFlag
from scoring.rules.errors import InvalidNotation, InvalidValue
from scoring.rules.options import RuleOptions

_ON = frozenset({"on", "true", "yes", "1"})
_LONGEST_LIMIT = 5


def options_of(tags: Mapping[str, str], line: int) -> tuple[RuleOptions, list[RecordFlag]]:
    """The options that the tags name, and a flag for a highest cube that cannot be.

    Raises :class:`InvalidNotation` for another game than backgammon.
    """
    variation = tags.get("Variation", "Backgammon")
    if variation.strip().lower() not in {"backgammon", ""}:
        raise InvalidNotation(
            "variation",
            "line {line}: {variation!r} is not backgammon: only backgammon matches can be read",
            line=line,
            variation=variation[:40],
        )
    options, flags = RuleOptions(), []
    limit = tags.get("CubeLimit", "")
    if limit.isascii() and limit.isdigit():
        try:
            options = replace(options, max_cube=int(limit) if len(limit) <= _LONGEST_LIMIT else 0)
        except InvalidValue:
            flags.append(RecordFlag(line, "line_skipped", f'[CubeLimit "{limit[:20]}"]'))
    on = {key: tags[key].lower() in _ON for key in ("Crawford", "Jacoby", "Beaver") if key in tags}
    return replace(
        options,
        crawford=on.get("Crawford", options.crawford),
        jacoby=on.get("Jacoby", options.jacoby),
        beavers=on.get("Beaver", options.beavers),
    ), flags
