"""What can be measured of a page in a browser: its size, its main action, its targets, its load.

A page names its main action in one way: it is the one filled button in ``main``, a ``.button`` or what sends
a form, that is neither ``.secondary`` nor ``.plain`` nor ``.danger``. The head of a page has at most one.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, CDPSession, Page, ViewportSize

from tests.e2e.settled import settle

Scheme = Literal["light", "dark"]

SIZES: tuple[ViewportSize, ...] = (
    {"width": 360, "height": 640},
    {"width": 390, "height": 844},
    {"width": 768, "height": 1024},
    {"width": 1280, "height": 850},
    {"width": 1920, "height": 1080},
)
PHONE, DESK = SIZES[1], SIZES[3]
WIDEST_PHONE = 600
TARGET = 44
"""CSS pixels that a finger needs each way (WCAG 2.2, success criterion 2.5.5)."""
SLOWER = 4
"""How many times slower than here the phone computes whose load is measured."""
MOBILE = {
    "offline": False,
    "latency": 165,
    "downloadThroughput": 9_000_000 / 8 * 0.9,
    "uploadThroughput": 1_500_000 / 8 * 0.9,
}
"""Chromium's own "Fast 4G": milliseconds to the answer, bytes a second."""
CODE = {"Document": "html", "Stylesheet": "css", "Script": "js"}

GEOMETRY = """() => {
  const main = document.querySelector("main") ?? document.body;
  const probe = document.createElement("button");
  probe.className = "secondary";
  main.append(probe);
  const hollow = getComputedStyle(probe).backgroundColor;
  probe.remove();
  const bare = (element) => {
    const colour = getComputedStyle(element).backgroundColor;
    return colour === hollow || colour === "transparent" || /^rgba.*, 0\\)$/.test(colour);
  };
  const buttons = ".button, [role=button], input[type=submit], button:not([type=button], [type=reset])";
  const others = ".secondary, .outline, .plain, .danger, :disabled, [aria-disabled=true]";
  const acts = (each) =>
    !each.matches(`.visually-hidden, ${others}`) && each.checkVisibility({ visibilityProperty: true });
  const filled = [...main.querySelectorAll(buttons)].filter((each) => acts(each) && !bare(each));
  const told = filled.map((each) => {
    const box = each.getBoundingClientRect();
    const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return {
      name: (each.innerText || each.value || each.ariaLabel || "").trim().replace(/\\s+/g, " "),
      bottom: Math.round(box.bottom + scrollY),
      in_sight: box.top >= 0 && box.bottom <= innerHeight && at !== null && each.contains(at),
      in_head: each.closest(".page-head") !== null,
    };
  });
  return {
    height: document.documentElement.scrollHeight,
    overflow: Math.max(0, document.documentElement.scrollWidth - innerWidth),
    actions: told,
  };
}"""

SMALL_TARGETS = """(least) => {
  const kinds =
    "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab]";
  const shown = [...document.querySelectorAll(kinds)].filter(
    (each) => !each.matches(":disabled, .skip") && each.checkVisibility({ visibilityProperty: true }),
  );
  const fits = (width, height) => width >= least - 0.5 && height >= least - 0.5;
  const measured = (each) => {
    const boxes = [each, ...(each.labels ?? [])].map((one) => one.getBoundingClientRect());
    const [left, top] = [Math.min(...boxes.map((b) => b.left)), Math.min(...boxes.map((b) => b.top))];
    return [Math.max(...boxes.map((b) => b.right)) - left, Math.max(...boxes.map((b) => b.bottom)) - top];
  };
  // A link in running text: its block says something beside its links and buttons.
  const isInText = (each) => {
    if (!each.matches("a, button.term") || !getComputedStyle(each).display.startsWith("inline")) return false;
    let block = each.parentElement;
    while (block && getComputedStyle(block).display === "inline") block = block.parentElement;
    if (!block || getComputedStyle(block).display.includes("flex")) return false;
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    let said = "";
    while (walker.nextNode()) {
      if (!walker.currentNode.parentElement.closest(kinds)) said += walker.currentNode.data;
    }
    return /\\p{L}{2,}/u.test(said);
  };
  // What a finger hits may be larger than the box: a part that is laid over it, or its label.
  const reached = (each) => {
    each.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    // One that is broken over lines has a box for each: the largest is what a finger aims at.
    const boxes = [...each.getClientRects()].sort((a, b) => b.width * b.height - a.width * a.height);
    const [x, y] = [boxes[0].x + boxes[0].width / 2, boxes[0].y + boxes[0].height / 2];
    const hits = (dx, dy) => {
      const at = document.elementFromPoint(x + dx, y + dy);
      return at !== null && (each.contains(at) || [...(each.labels ?? [])].some((one) => one.contains(at)));
    };
    const along = (dx, dy) => {
      let far = 0;
      while (far < least && hits(dx * (far + 1), dy * (far + 1))) far += 1;
      return far;
    };
    return [along(-1, 0) + along(1, 0) + 1, along(0, -1) + along(0, 1) + 1];
  };
  // On a board a point is as wide as a thirteenth of the screen: the place of a target is its meaning.
  const isEssential = (each) => each.closest("svg") !== null;
  const large = new Set();
  const small = [];
  for (const each of shown) {
    const box = each.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) continue;
    if (fits(...measured(each))) large.add(each.href);
    else if (!isInText(each) && !isEssential(each)) small.push(each);
  }
  const told = [];
  for (const each of small) {
    if (each.href && large.has(each.href)) continue;
    const [width, height] = reached(each);
    if (fits(width, height)) continue;
    const text = (each.innerText || each.ariaLabel || each.name || "").trim().replace(/\\s+/g, " ");
    const named = [each.localName, ...each.classList].join(".");
    told.push(`${named} "${text.slice(0, 40)}" ${Math.round(width)}x${Math.round(height)}`);
  }
  scrollTo({ top: 0, behavior: "instant" });
  return told;
}"""

OBSERVERS = """
  window.measured = { largest: 0, what: "", shift: 0, shifted: [] };
  const named = (node) => {
    const element = node instanceof Element ? node : node?.parentElement;
    return element ? [element.localName, ...element.classList].join(".") : "";
  };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      window.measured.largest = entry.startTime;
      window.measured.what = named(entry.element);
    }
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      window.measured.shift += entry.value;
      window.measured.shifted.push(...entry.sources.map((source) => named(source.node)));
    }
  }).observe({ type: "layout-shift", buffered: true });
"""
PAINTED = (
    "() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(window.measured), 100)))"
)


@dataclass(frozen=True)
class Action:
    """A filled button: its name, where it ends in pixels from the top, whether it is seen at once."""

    name: str
    bottom: int
    in_sight: bool
    in_head: bool


@dataclass(frozen=True)
class Look:
    """A page as it stands at one size in one scheme. ``small`` targets are measured on phones alone."""

    width: int
    scheme: Scheme
    height: int
    overflow: int
    actions: tuple[Action, ...]
    small: tuple[str, ...] = ()

    @property
    def main(self) -> Action | None:
        """The main action: that of the head, or the first."""
        return next((each for each in self.actions if each.in_head), next(iter(self.actions), None))


@dataclass
class Load:
    """What a page took to load on a slow phone whose cache is cold; sizes in bytes as they were sent."""

    html: int = 0
    css: int = 0
    js: int = 0
    other: int = 0
    requests: int = 0
    lcp_ms: float = 0
    largest: str = ""
    cls: float = 0
    shifted: tuple[str, ...] = ()

    @property
    def code(self) -> int:
        return self.html + self.css + self.js


def look_at(page: Page, cdp: CDPSession, size: ViewportSize, scheme: Scheme) -> Look:
    """Measure the settled page at this size: it is resized, as by turning a screen, and not loaded again."""
    phone = size["width"] < WIDEST_PHONE
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    cdp.send("Emulation.setTouchEmulationEnabled", {"enabled": phone})
    page.set_viewport_size(size)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    settle(page)
    found = page.evaluate(GEOMETRY)
    actions = tuple(Action(**each) for each in found["actions"])
    small = page.evaluate(SMALL_TARGETS, TARGET) if phone and scheme == "light" else ()
    return Look(size["width"], scheme, found["height"], found["overflow"], actions, tuple(small))


def violations(page: Page) -> list[str]:
    """Every violation that axe finds on a page that was opened with ``bypass_csp``, one line an element."""
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [f"{each['id']}: {node['html'][:160]}" for each in found for node in each["nodes"]]


@dataclass
class Slow:
    """A phone that computes ``SLOWER`` times slower on a mobile network and keeps nothing."""

    context: BrowserContext
    page: Page = field(init=False)
    kinds: dict[str, str] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    requests: int = 0

    def __post_init__(self) -> None:
        self.context.add_init_script(OBSERVERS)
        self.page = self.context.new_page()
        cdp = self.context.new_cdp_session(self.page)
        cdp.on("Network.requestWillBeSent", self._asked)
        cdp.on("Network.responseReceived", self._answered)
        cdp.on("Network.loadingFinished", self._finished)
        cdp.send("Network.enable")
        cdp.send("Network.setCacheDisabled", {"cacheDisabled": True})
        cdp.send("Network.emulateNetworkConditions", MOBILE)
        cdp.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})

    def loads(self, address: str) -> Load:
        self.page.goto("about:blank")
        self.kinds.clear()
        self.sizes.clear()
        self.requests = 0
        self.page.goto(address)
        settle(self.page)
        painted = self.page.evaluate(PAINTED)
        load = Load(
            requests=self.requests,
            lcp_ms=round(painted["largest"]),
            largest=painted["what"],
            cls=round(painted["shift"], 3),
            shifted=tuple(dict.fromkeys(filter(None, painted["shifted"]))),
        )
        for request, size in self.sizes.items():
            kind = self.kinds.get(request, "other")
            setattr(load, kind, getattr(load, kind) + size)
        return load

    def _asked(self, event: dict[str, Any]) -> None:
        if not event["request"]["url"].startswith(("data:", "blob:", "about:")):
            self.requests += 1

    def _answered(self, event: dict[str, Any]) -> None:
        is_part = event["type"] in {"XHR", "Fetch"} and event["response"]["mimeType"] == "text/html"
        self.kinds[event["requestId"]] = "html" if is_part else CODE.get(event["type"], "other")

    def _finished(self, event: dict[str, Any]) -> None:
        self.sizes[event["requestId"]] = round(event["encodedDataLength"])
