"""The child, `python -m scoring.engines.conversion --parent PID --memory BYTES`: see scoring.engines.process.

Standard input: `{"format", "content": base64}`. Standard output, one object a line: `{"part": text}`, which
joined are the OGXM document as JSON; or `{"refused": {"code", "template", "parameters"}}`.
"""

import base64
import json
import sys
from typing import Any

from scoring.engines.containment import enter
from scoring.notation.formats import FileFormat, document
from scoring.rules.errors import InvalidNotation

PART = 256 * 1024
"""Characters of a line's text."""


def main() -> int:
    """Convert one file; 0 if it was converted or the refusal was reported."""
    say = enter("scoring.engines.conversion", __doc__)
    request = json.load(sys.stdin)
    try:
        found = document(FileFormat(request["format"]), base64.b64decode(request["content"]))
    except InvalidNotation as error:
        parameters = {name: _plain(value) for name, value in error.parameters.items()}
        say({"refused": {"code": error.code, "template": error.template, "parameters": parameters}})
        return 0
    text = json.dumps(found)
    for start in range(0, len(text), PART):
        say({"part": text[start : start + PART]})
    return 0


def _plain(value: Any) -> Any:
    return value if isinstance(value, int | float | str | None) else str(value)


if __name__ == "__main__":
    sys.exit(main())
