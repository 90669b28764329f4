"""The message to an unsupported Python; any Python 3 can compile this file."""

import shutil

SUPPORTED = ("3.13", "3.12", "3.11")


def explain(version, executable):  # type: ignore[no-untyped-def]
    """The message for a Python outside 3.11-3.13: its version, and which to use."""
    found = [name for name in ("python" + number for number in SUPPORTED) if shutil.which(name)]
    if found:
        advice = "Run it with %s instead: %s manage.py up" % (found[0], found[0])  # noqa: UP031
    else:
        advice = "Install one of them (Debian 12's own python3 is one) and run manage.py with it."
    needed = "Midpoint needs Python 3.11, 3.12 or 3.13; %s is Python %d.%d." % (  # noqa: UP031
        executable or "this",
        version[0],
        version[1],
    )
    return needed + "\n" + advice
