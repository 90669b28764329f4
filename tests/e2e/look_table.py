"""The table of the measured crawl: a row for each page and role, and the budgets that it breaks."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.e2e.measures import DESK, PHONE, SIZES, TARGET, Load, Look

Faults = dict[str, dict[str, list[str]]]

MOST_BYTES = 100_000
EVERY_PART = "clubs:style"
"""Shows every part once: it loads them all, and has no action."""
SLOWEST_PAINT = 1500
"""Milliseconds. Told and never asserted: it depends on what else the machine does."""


@dataclass(frozen=True)
class Measured:
    """A page as somebody of a role: its looks at each size and scheme, what axe says, and its load.

    ``load`` is None where the page was loaded as another role already.
    """

    page: str
    role: str
    looks: list[Look] = field(default_factory=list)
    axe: dict[str, list[str]] = field(default_factory=dict)
    load: Load | None = None

    def at(self, width: int) -> Look:
        return next(each for each in self.looks if each.width == width)

    @property
    def overflow(self) -> int:
        return max(each.overflow for each in self.looks)

    @property
    def small(self) -> list[str]:
        return list(dict.fromkeys(each for look in self.looks for each in look.small))

    @property
    def violations(self) -> list[str]:
        return list(dict.fromkeys(each for lines in self.axe.values() for each in lines))


def _over(row: Measured) -> list[str]:
    return [
        f"{each.overflow} px too wide at {each.width}, {each.scheme}" for each in row.looks if each.overflow
    ]


def _large(row: Measured) -> list[str]:
    load = row.load
    if load is None or row.page == EVERY_PART or load.code <= MOST_BYTES:
        return []
    return [f"{load.code} bytes: HTML {load.html}, CSS {load.css}, JS {load.js}"]


def _shifts(row: Measured) -> list[str]:
    shifts = row.load is not None and round(row.load.cls, 2) > 0
    return [f"{row.load.cls}: {', '.join(row.load.shifted)}"] if row.load and shifts else []


def _below(row: Measured) -> list[str]:
    seen = [row.at(size["width"]) for size in (PHONE, DESK)]
    return [
        f"“{each.main.name}” ends at {each.main.bottom} at {each.width} px"
        for each in seen
        if each.main and not each.main.in_sight and row.page != EVERY_PART
    ]


def _several(row: Measured) -> list[str]:
    heads = [each.name for each in row.at(DESK["width"]).actions if each.in_head]
    return [f"in the head: {', '.join(heads)}"] if len(heads) > 1 else []


def _late(row: Measured) -> list[str]:
    late = row.load is not None and row.load.lcp_ms > SLOWEST_PAINT
    return [f"{row.load.lcp_ms} ms: {row.load.largest}"] if row.load and late else []


ASSERTED: Mapping[str, Callable[[Measured], list[str]]] = {
    "bytes": _large,
    "shift": _shifts,
    "overflow": _over,
    "targets": lambda row: row.small,
    "axe": lambda row: row.violations,
    "main action in sight": _below,
    "one main action": _several,
}
TOLD: Mapping[str, Callable[[Measured], list[str]]] = {"largest paint": _late}
WORDS = {
    "bytes": f"HTML, CSS and JS at most {MOST_BYTES // 1000} KB over the wire, cold cache",
    "shift": "layout shift 0.00 while loading on a slow phone",
    "overflow": "nothing wider than its screen, at any size",
    "targets": f"targets {TARGET} px on phones",
    "axe": "axe finds nothing",
    "main action in sight": f"main action in the first screen, {PHONE['width']} and {DESK['width']} px wide",
    "one main action": "at most one filled button in the head of a page",
    "largest paint": f"largest paint within {SLOWEST_PAINT} ms on a slow phone (told, never asserted)",
}


def broken(
    rows: Iterable[Measured], budgets: Mapping[str, Callable[[Measured], list[str]]] = ASSERTED
) -> Faults:
    """What is wrong, by budget and page; one line for each role and fault."""
    found: Faults = {name: {} for name in budgets}
    for row in rows:
        for name, of in budgets.items():
            if faults := of(row):
                found[name].setdefault(row.page, []).extend(f"as {row.role}: {each}" for each in faults)
    return found


def written(rows: list[Measured], folder: Path) -> None:
    """Keep the table as ``look.txt`` and ``look.json``."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "look.txt").write_text("\n".join([*text(rows), ""]))
    faults = broken(rows, {**ASSERTED, **TOLD})
    whole = {"budgets": WORDS, "broken": faults, "rows": [asdict(row) for row in rows]}
    (folder / "look.json").write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n")


def text(rows: list[Measured]) -> Iterator[str]:
    """The table, a line for each budget, and which pages have several main actions or none."""
    widths = [str(size["width"]) for size in SIZES]
    yield _line(
        "page", "role", "KB", "req", "LCP", "CLS", *widths, "over", "act 390", "act 1280", "small", "axe"
    )
    for row in sorted(rows, key=lambda row: (row.page, row.role)):
        load = row.load
        loaded = (
            (f"{load.code / 1000:.1f}", str(load.requests), f"{load.lcp_ms:.0f}", f"{load.cls:g}")
            if load
            else ("", "", "", "")
        )
        heights = [str(row.at(size["width"]).height) for size in SIZES]
        acts = [_place(row.at(size["width"])) for size in (PHONE, DESK)]
        counts = [str(len(each) or "") for each in (row.small, row.violations)]
        yield _line(row.page, row.role, *loaded, *heights, str(row.overflow or ""), *acts, *counts)
    yield ""
    yield from summary(rows)
    yield ""
    yield _names("several filled buttons", [row for row in rows if _actions(row) > 1])
    yield _names("no filled button", [row for row in rows if _actions(row) == 0])


def summary(rows: list[Measured]) -> Iterator[str]:
    """One line for each budget: how many pages keep it, and the worst."""
    pages = {row.page for row in rows}
    loads = [row.load for row in rows if row.load]
    faults = broken(rows, {**ASSERTED, **TOLD})
    worst = {
        "bytes": f"largest {max(load.code for load in loads)} bytes",
        "shift": f"largest {max(load.cls for load in loads):g}",
        "overflow": f"widest by {max(row.overflow for row in rows)} px",
        "targets": f"{sum(len(row.small) for row in rows)} small targets",
        "axe": f"{sum(len(row.violations) for row in rows)} elements",
        "largest paint": f"latest {max(load.lcp_ms for load in loads):.0f} ms",
    }
    for name, pages_of in faults.items():
        kept = f"{len(pages) - len(pages_of)} of {len(pages)} pages"
        yield f"{name:22}{kept:18}{worst.get(name, ''):26}{WORDS[name]}"


def _line(*cells: str) -> str:
    widths = (34, 9, 7, 5, 6, 7, *(6 for _size in SIZES), 6, 10, 10, 6, 5)
    left = "".join(cell.ljust(width) for cell, width in zip(cells[:2], widths[:2], strict=True))
    return left + "".join(cell.rjust(width) for cell, width in zip(cells[2:], widths[2:], strict=True))


def _place(look: Look) -> str:
    """Where the main action ends, marked where that is out of sight; how many there are if several."""
    if look.main is None:
        return "-"
    several = f"{len(look.actions)}x " if len(look.actions) > 1 else ""
    return f"{several}{look.main.bottom}{'' if look.main.in_sight else '!'}"


def _actions(row: Measured) -> int:
    return len(row.at(DESK["width"]).actions)


def _names(title: str, rows: list[Measured]) -> str:
    roles: dict[str, list[str]] = {}
    for row in rows:
        roles.setdefault(row.page, []).append(row.role)
    names = [f"{page} ({', '.join(each)})" for page, each in sorted(roles.items())]
    return f"{title}, on {len(names)} pages: {', '.join(names)}"
