"""What the head of a ``.mat`` file says of the rules that were played by."""

from collections.abc import Mapping
from dataclasses import replace

from scoring.notation.mat_layout import number_in
from scoring.rules.errors import InvalidNotation, InvalidValue
from scoring.rules.options import RuleOptions

_ON = frozenset({"on", "true", "yes", "1"})


def options_of(tags: Mapping[str, str], line: int) -> RuleOptions:
    """The options that the tags name.  Raises :class:`InvalidNotation` for another game than backgammon."""
    variation = tags.get("Variation", "Backgammon")
    if variation.strip().lower() not in {"backgammon", ""}:
        raise InvalidNotation(
            "variation", "line {line}: {variation!r} is not backgammon", line=line, variation=variation
        )
    options = RuleOptions()
    limit = tags.get("CubeLimit", "")
    if limit.isascii() and limit.isdigit():
        try:
            options = replace(options, max_cube=number_in(limit, line))
        except InvalidValue as error:
            raise InvalidNotation(
                "cube_limit", "line {line}: {reason}", line=line, reason=str(error)
            ) from error
    on = {key: tags[key].lower() in _ON for key in ("Crawford", "Jacoby", "Beaver") if key in tags}
    return replace(
        options,
        crawford=on.get("Crawford", options.crawford),
        jacoby=on.get("Jacoby", options.jacoby),
        beavers=on.get("Beaver", options.beavers),
    )
