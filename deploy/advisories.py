"""Known vulnerabilities of locked packages, checked offline.

``advisories.txt`` has a line for each: the package, the first version without it, its name in the public
lists, and an address where this can be read. ``pip-audit`` (CONTRIBUTING.md) asks those lists themselves;
what it finds is noted there, so that no lock goes back below it.
"""

import re
from dataclasses import dataclass
from pathlib import Path

KNOWN = Path(__file__).with_name("advisories.txt")
_PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([0-9][0-9.]*)", re.MULTILINE)
_LINE = re.compile(
    r"(?P<package>[a-z0-9-]+) (?P<mended>\d+(?:\.\d+)*) (?P<name>(?:CVE|GHSA|PYSEC)-[\w-]+)"
    r" (?P<read>https://\S+)"
)


@dataclass(frozen=True, slots=True)
class Advisory:
    package: str
    mended: str
    name: str
    read: str


def known(text: str) -> list[Advisory]:
    """The entries of an advisory list. Raises ValueError for an invalid line."""
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line and not line.startswith("#"):
            match = _LINE.fullmatch(line)
            if match is None:
                raise ValueError(f"line {number}: {line!r} is not “package version CVE-… https://…”")
            found.append(Advisory(**match.groupdict()))
    return found


def vulnerable(lock: Path, advisories: list[Advisory]) -> list[str]:
    """Locked packages older than an advisory's fix, each with the remedy."""
    pinned = {name.lower(): version for name, version in _PINNED.findall(lock.read_text())}
    return [
        f"{lock.name}: {each.package} {pinned[each.package]} has {each.name}; lock {each.mended} or newer"
        for each in advisories
        if each.package in pinned and parts(pinned[each.package]) < parts(each.mended)
    ]


def parts(version: str) -> tuple[int, ...]:
    """The numbers of a release, without trailing zeros: 5.2 is 5.2.0."""
    numbers = [int(part) for part in version.strip(".").split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)
