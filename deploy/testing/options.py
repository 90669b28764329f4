"""The command line of ``manage.py test``, apart from pytest's arguments."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SEPARATE = ("browser", "chaos")
"""Markers of the kinds of test that run in a separate pytest process."""

HELP = """usage: manage.py test [--fast | --long] [options] [pytest arguments]

Run the tests that must pass before a change lands, in at most ten minutes on two cores: first pure,
PostgreSQL and worker tests and, beside them, tests that kill whole installations, then browser tests. Select
tests with a path or -k; all other arguments go to pytest.

  --fast         at most two minutes: no browser, no worker, nothing that commits or takes long
  --long         all tests, including soaks, brute force, mutants, coverage and full matrices
  --times        print the 30 slowest tests and the seconds per folder
  --record       --times, and save the seconds in tests/seconds.json, used to balance processes
  --steady N     run the selected tests N times in a row while 8 other processes keep the machine busy;
                 faster with -n 9, where nine tests at a time are each other's load
  --look FOLDER  measure every page at five sizes and write the table to FOLDER; with --long as every role
  --no-browser   leave out the browser tests and print their number
  --no-chaos     leave out the tests that kill installations and print their number
"""


class UsageError(Exception):
    """Arguments that exclude each other; the message says what to do."""


@dataclass(frozen=True)
class Options:
    """The parsed options. ``rounds`` is 0 without ``--steady``.

    ``look`` is the folder for the table of the measured crawl, empty unless ``--look`` was given.
    """

    arguments: tuple[str, ...] = ()
    without: frozenset[str] = frozenset()
    expression: str = ""
    tier: str = "short"
    times: bool = False
    record: bool = False
    rounds: int = 0
    look: str = ""

    @classmethod
    def read(cls, words: Sequence[str]) -> "Options":
        """Parse a command line.

        Raises:
            UsageError: ``--fast`` with ``--long`` or ``--look``, a ``--steady`` without number or selection,
                or a ``--look`` without a folder.
        """
        waiting, rest, expression, rounds, look = list(words), [], "", 0, ""
        flags: set[str] = set()
        while waiting:
            word = waiting.pop(0)
            if word in FLAGS:
                flags.add(word)
            elif word == "--steady":
                rounds = _rounds(waiting)
            elif word == "--look":
                look = _folder(waiting)
            elif word == "-m" and waiting:
                expression = waiting.pop(0)
            elif word.startswith("-m") and len(word) > 2:
                expression = word[2:].removeprefix("=")
            else:
                rest.append(word)
        if {"--fast", "--long"} <= flags:
            raise UsageError("--fast and --long exclude each other; give one of them")
        if look and "--fast" in flags:
            raise UsageError("--look needs a browser, which --fast leaves out; give one of them")
        if rounds and not rest:
            raise UsageError("--steady needs a selection: manage.py test --steady 20 tests/e2e/test_desk.py")
        return cls(
            arguments=(*rest, LOOK) if look and not any(map(_is_path, rest)) else tuple(rest),
            without=frozenset(kind for kind in SEPARATE if f"--no-{kind}" in flags),
            expression=expression,
            tier="fast" if "--fast" in flags else "long" if "--long" in flags else "short",
            times=bool({"--times", "--record"} & flags),
            record="--record" in flags,
            rounds=rounds,
            look=look,
        )

    def markers(self, kind: str) -> str:
        """The marker expression that selects one kind of test."""
        own = kind if kind in SEPARATE else " and ".join(f"not {name}" for name in SEPARATE)
        return f"({self.expression}) and ({own})" if self.expression else own

    @property
    def processes(self) -> int:
        """The number of pytest processes: from ``-n``, or one."""
        words = " ".join(self.arguments)
        number = re.search(r"(?:^| )(?:-n|--numprocesses)[ =]?(\d+)(?: |$)", words)
        return max(1, int(number[1])) if number else 1

    @property
    def everything(self) -> bool:
        """Whether no tests were selected, so that several processes pay off."""
        return not self.arguments or all(word in {"-q", "-v", "-x"} for word in self.arguments)


FLAGS = {"--fast", "--long", "--times", "--record", *(f"--no-{kind}" for kind in SEPARATE)}


LOOK = "tests/e2e/test_look.py"
"""The measured crawl."""


def _is_path(word: str) -> bool:
    return word.startswith("tests")


def _folder(waiting: list[str]) -> str:
    """The folder, absolute: the tests run in the checkout's."""
    name = waiting.pop(0) if waiting else ""
    if not name or name.startswith("-"):
        raise UsageError(f"--look needs a folder for its table, not {name!r}")
    return str(Path(name).absolute())


def _rounds(waiting: list[str]) -> int:
    number = waiting.pop(0) if waiting else ""
    if not number.isdecimal() or not 1 <= int(number) <= 1000:
        raise UsageError(f"--steady needs a number of rounds from 1 to 1000, not {number!r}")
    return int(number)
