// A draw that is followed: what changes is replaced in place; a name is lit through the whole draw; the bracket is
// pulled and zoomed with a mouse, and goes round by round under a thumb. Everything can be read without it.

import { followed as followedHere } from "../following/followed.js";
import "./draw_names.js";

(() => {
  const { during, opening } = window.midpoint;
  const SVG = "http://www.w3.org/2000/svg";
  const stage = () => document.getElementById("stage");
  const OPEN = ".m.live, .m.called, .m.ready, .m.waiting"; // a match that is still to be played

  // What changes. A stream brings the changed parts; where none gets through, the page asks now and then.
  const OPENS_WITHIN = 8000;
  const ASKS_EVERY = 15000;
  const LARGE_WITHIN = 3000; // all pages fetch a large part: not at the same moment
  /** @type {EventSource | null} */
  let stream = null;
  let listens = "";
  let asking = 0;
  /** @type {(state: string) => void} */
  const setLine = (state) => document.dispatchEvent(new CustomEvent("midpoint:line", { detail: { state } }));

  /** @type {(id: string, html: string) => void} */
  const replace = (id, html) => {
    const old = document.getElementById(id);
    if (!old) return;
    const made = document.createElement("template");
    // A piece of the sheet is read as what it is: inside a picture a link is another element.
    const drawn = old.namespaceURI === SVG;
    made.innerHTML = drawn ? `<svg>${html}</svg>` : html;
    const fresh = drawn ? made.content.firstElementChild.firstElementChild : made.content.firstElementChild;
    fresh.classList.add("changed");
    const focused = old.contains(document.activeElement);
    if (old.hasAttribute("aria-current")) fresh.setAttribute("aria-current", "true");
    old.replaceWith(fresh);
    if (focused) (fresh.matches("a") ? fresh : fresh.querySelector("a"))?.focus({ preventScroll: true });
  };
  /** Parts that this script replaces are no swap of htmx: other scripts hear of them by an event of their own. */
  const partsReplaced = () => {
    light();
    document.dispatchEvent(new CustomEvent("midpoint:parts"));
  };
  /** @type {(place: HTMLElement, name: string, value: string) => string} The address of what changes. */
  const changesWith = (place, name, value) => {
    const address = new URL(place.dataset.changes, window.location.href);
    address.searchParams.set(name, value);
    return address.href;
  };
  /** @type {(id: string) => Promise<void>} */
  const fetchPart = async (id) => {
    const place = stage();
    const answer = await during(fetch(changesWith(place, "part", id)));
    if (answer.ok) replace(id, await during(answer.text()));
    partsReplaced();
  };
  /** @type {(time: number) => Promise<unknown>} */
  const later = (time) =>
    new Promise((done) => {
      setTimeout(done, time);
    });
  /** @type {(news: { version: number, whole?: boolean, parts: Record<string, string | null> }) => void} */
  const take = (news) => {
    const place = stage();
    if (!place || news.version <= Number(place.dataset.version)) return;
    if (news.whole) {
      window.htmx.trigger(place, "refetch");
      return;
    }
    place.dataset.version = String(news.version);
    for (const [id, html] of Object.entries(news.parts)) {
      if (!document.getElementById(id)) continue; // of a piece that is not shown
      if (html === null) during(later(Math.random() * LARGE_WITHIN)).then(() => fetchPart(id));
      else replace(id, html);
    }
    partsReplaced();
  };
  const ask = async () => {
    const place = stage();
    if (!place?.dataset.changes) return;
    try {
      const answer = await during(
        fetch(changesWith(place, "since", place.dataset.version), { cache: "no-cache" }),
      );
      if (answer.status === 404) stopAsking();
      if (answer.ok) take(await during(answer.json()));
    } catch {
      setLine("offline");
    }
  };
  const stopAsking = () => {
    clearInterval(asking);
    asking = 0;
  };
  const keepAsking = () => {
    if (asking) return;
    asking = setInterval(ask, ASKS_EVERY);
    ask();
  };
  const listen = () => {
    const place = stage();
    if (!place?.dataset.changes || (stream && listens === place.dataset.changes)) return;
    stream?.close();
    listens = place.dataset.changes;
    stream = opening(new EventSource(changesWith(place, "since", place.dataset.version)));
    const patience = setTimeout(keepAsking, OPENS_WITHIN);
    stream.addEventListener("open", () => {
      clearTimeout(patience);
      stopAsking();
      setLine("live");
    });
    stream.addEventListener("changes", (event) => take(JSON.parse(event.data)));
    stream.addEventListener("error", () => {
      setLine(navigator.onLine ? "" : "offline");
      if (stream?.readyState !== EventSource.CLOSED) return;
      clearTimeout(patience);
      stream = null;
      keepAsking();
    });
  };
  window.addEventListener("pagehide", () => {
    stream?.close();
    stream = null;
    stopAsking();
  });
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) listen();
  });

  // Names: lit while pointed at or focused, kept while followed; the way of a name through the sheet with them.
  let followed = new Set();
  /** @type {(number: string) => NodeListOf<HTMLElement>} */
  const marks = (number) => document.querySelectorAll(`[data-e="${number}"]`);
  /**
   * The matches of a name with the lines that lead on from them: won ones, and those that it may still play.
   * @type {(number: string) => Map<Element, boolean>}
   */
  const wayOf = (number) => {
    const way = new Map();
    for (const mark of document.querySelectorAll(`.tree [data-e="${number}"]`)) {
      const match = mark.closest(".m");
      way.set(match, false);
      const open = match.matches(".live, .called, .ready, .waiting, .open");
      if (!open && !mark.matches(".won")) continue;
      let next = match;
      while (next?.dataset.to) {
        const line = document.getElementById(next.id.replace("m", "l"));
        if (line) way.set(line, open);
        next = open ? document.getElementById(`m${next.dataset.to}`) : null;
        if (next) way.set(next, true);
      }
    }
    return way;
  };
  /** @type {(number: string, on: boolean) => void} */
  const path = (number, on) => {
    for (const mark of marks(number)) mark.classList.toggle("lit", on);
    for (const [each, may] of wayOf(number)) {
      each.classList.toggle("path", on);
      each.classList.toggle("may", on && may);
    }
    if (!on && number !== chosen) light();
  };
  /** A name that was asked for stays lit until another one is. */
  let chosen = "";
  document.addEventListener("midpoint:name", (event) => {
    if (chosen) path(chosen, false);
    chosen = event.detail.entrant;
    light();
  });
  const light = () => {
    if (chosen) path(chosen, true);
    for (const number of followed) {
      for (const mark of marks(number)) mark.classList.add("kept");
      for (const [each, may] of wayOf(number)) {
        each.classList.add("path");
        each.classList.toggle("may", may);
      }
    }
    tick();
  };
  // Minutes since a call; without a script its time stands there. An estimate that is past says nothing.
  const tick = () => {
    for (const place of document.querySelectorAll("[data-est]"))
      if (Date.parse(place.dataset.est) < Date.now()) place.textContent = "…";
    const words = stage()?.dataset.minutes;
    if (!words) return;
    for (const place of document.querySelectorAll("[data-since]")) {
      const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(place.dataset.since)) / 60000));
      if (minutes < 600) place.textContent = words.replace("%m", String(minutes));
    }
  };
  setInterval(tick, 20000);
  /** @type {string | null} */
  let lit = null;
  /** @type {(event: UIEvent) => void} Also the match that the loser of this one plays, and those whose losers play here. */
  const point = (event) => {
    const match = event.target.closest?.(".tree .m");
    for (const each of document.querySelectorAll(".m.drop")) each.classList.remove("drop");
    if (match)
      for (const each of document.querySelectorAll(
        `#m${match.dataset.loser || "none"}, .tree [data-loser="${match.id.slice(1)}"]`,
      ))
        each.classList.add("drop");
    const number = event.target.closest?.("[data-e]")?.dataset.e ?? null;
    if (number === lit) return;
    if (lit !== null) path(lit, false);
    lit = number;
    if (lit !== null) path(lit, true);
  };
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse") point(event);
  });
  document.addEventListener("focusin", point);
  /** @returns {Response | null} */
  const noAnswer = () => null;
  const learnFollowed = async () => {
    const place = stage();
    if (!place?.dataset.changes) return;
    const local = [...followedHere()];
    const address = place.dataset.followed;
    const found = place.dataset.found ? [Number(place.dataset.found)] : [];
    if (address && (local.length || place.dataset.signedIn)) {
      const query = local.map((ref) => `player=${encodeURIComponent(ref)}`).join("&");
      const answer = await during(fetch(`${address}?${query}`)).catch(noAnswer);
      if (answer?.ok) {
        const { entrants, own } = await during(answer.json());
        found.push(...entrants);
        if (own.length)
          document.dispatchEvent(new CustomEvent("midpoint:own", { detail: { entrant: String(own[0]) } }));
      }
    }
    if (!found.length) return;
    followed = new Set(found);
    light();
    const first = [...followed][0];
    const matches = first ? [...marks(first)].filter((mark) => mark.closest(".round")) : [];
    const shown =
      matches.find((mark) => mark.closest(OPEN)) ?? matches.at(matches[0]?.closest(".rounds") ? 0 : -1);
    if (shown && narrow.matches && !window.location.hash) showRound(shown.closest(".round"));
  };

  // Pull and zoom. At first a sheet is as large as it was drawn.
  const narrow = window.matchMedia("(max-width: 47.99rem)");
  const STEPS = [0.3, 0.4, 0.5, 0.65, 0.8, 1, 1.25, 1.6];
  let zoom = 0;
  /** @returns {NodeListOf<HTMLElement>} */
  const sheets = () => document.querySelectorAll(".bracket > .sheet");
  /** @type {(sheet: HTMLElement) => number} How wide the sheet was drawn. */
  const drawnWidth = (sheet) => Number(sheet.querySelector(".tree").getAttribute("viewBox").split(" ")[2]);
  /** How large the first sheet is now, by its own measure. */
  const shown = () => {
    const [sheet] = sheets();
    return sheet ? sheet.querySelector(".tree").getBoundingClientRect().width / drawnWidth(sheet) : 1;
  };
  /** @type {(value: number) => void} Zero is as large as it was drawn. */
  const setZoom = (value) => {
    zoom = value;
    for (const sheet of sheets()) {
      sheet.toggleAttribute("data-enlarged", value > 0);
      const fit = /** @type {HTMLElement} */ (sheet.firstElementChild);
      fit.style.fontSize = value ? `${value * 16}px` : "";
    }
  };
  document.addEventListener("midpoint:size", (event) => setZoom(event.detail.size));
  /** The widest sheet as wide as its box. */
  const fit = () => {
    const widest = Math.max(...[...sheets()].map(drawnWidth));
    const [sheet] = sheets();
    setZoom(sheet.clientWidth >= widest ? 0 : sheet.clientWidth / widest);
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-zoom]");
    if (!button) return;
    const way = Number(button.dataset.zoom);
    if (way === 0) fit();
    else
      setZoom(
        (way > 0
          ? STEPS.find((step) => step > shown() + 0.01)
          : STEPS.findLast((step) => step < shown() - 0.01)) ?? shown(),
      );
  });
  document.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey || !event.target.closest(".bracket .sheet")) return;
      event.preventDefault();
      setZoom(Math.max(STEPS[0], Math.min(STEPS.at(-1), shown() * (event.deltaY > 0 ? 0.9 : 1.1))));
    },
    { passive: false },
  );
  /** @type {{ sheet: HTMLElement, x: number, y: number, left: number, top: number, far: boolean } | null} */
  let pull = null;
  document.addEventListener("pointerdown", (event) => {
    const sheet =
      event.pointerType === "mouse" && event.button === 0 && event.target.closest(".sheet[data-enlarged]");
    if (!sheet) return;
    pull = {
      sheet,
      x: event.clientX,
      y: event.clientY,
      left: sheet.scrollLeft,
      top: sheet.scrollTop,
      far: false,
    };
  });
  document.addEventListener("pointermove", (event) => {
    if (!pull) return;
    const [dx, dy] = [event.clientX - pull.x, event.clientY - pull.y];
    if (!pull.far && Math.hypot(dx, dy) < 6) return;
    pull.far = true;
    pull.sheet.classList.add("pulled");
    pull.sheet.scrollTo(pull.left - dx, pull.top - dy);
  });
  document.addEventListener("pointerup", () => {
    pull?.sheet.classList.remove("pulled");
    setTimeout(() => {
      pull = null;
    });
  });
  document.addEventListener(
    "click",
    (event) => {
      if (pull?.far) event.preventDefault(); // the end of a pull is no tap on the match under it
    },
    true,
  );
  document.addEventListener("dragstart", (event) => {
    if (event.target.closest?.(".bracket .sheet")) event.preventDefault();
  });

  // Keys in the sheet: right is the winner's next match, left one that feeds it, up and down stay in the round.
  /** @type {(match: HTMLElement, key: string) => HTMLElement | undefined} */
  const beside = (match, key) => {
    /** @type {HTMLElement[]} */
    const all = [...match.closest(".tree").querySelectorAll("a.m")];
    if (key === "ArrowRight") return all.find((each) => each.id === `m${match.dataset.to}`);
    if (key === "ArrowLeft") return all.find((each) => `m${each.dataset.to}` === match.id);
    const here = match.getBoundingClientRect();
    const column = all.filter((each) => Math.abs(each.getBoundingClientRect().left - here.left) < 3);
    column.sort((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top);
    return column[column.indexOf(match) + (key === "ArrowDown" ? 1 : -1)];
  };
  document.addEventListener("keydown", (event) => {
    const match = event.target.closest?.(".tree a.m");
    if (!match || !event.key.startsWith("Arrow") || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    beside(match, event.key)?.focus();
  });

  // Rounds under a thumb: the head of the round that is shown says so, and goes there. The sheet of cards is as
  // high as the round that is shown.
  /** @type {(columns: HTMLElement, round: HTMLElement) => void} */
  const tell = (columns, round) => {
    columns.style.blockSize = narrow.matches ? `${round.offsetHeight}px` : "";
    for (const head of columns.previousElementSibling.querySelectorAll("a")) {
      const here = head.hash === `#${round.id}`;
      head.toggleAttribute("aria-current", here);
      if (here) head.parentElement.scrollTo({ left: head.offsetLeft - head.parentElement.clientWidth / 3 });
    }
  };
  /** @type {(round: HTMLElement) => void} */
  const showRound = (round) => {
    const columns = round.parentElement;
    const first = /** @type {HTMLElement} */ (columns.firstElementChild);
    columns.scrollTo({ left: round.offsetLeft - first.offsetLeft, behavior: "instant" });
    tell(columns, round);
  };
  document.addEventListener("click", (event) => {
    const link = /** @type {HTMLAnchorElement | null} */ (event.target.closest(".round-heads a"));
    if (!link || !narrow.matches) return;
    event.preventDefault();
    showRound(document.getElementById(link.hash.slice(1)));
  });
  const watchRounds = () => {
    if (!narrow.matches) return;
    for (const columns of document.querySelectorAll(".hand > .columns")) {
      let soon = 0;
      columns.addEventListener("scroll", () => {
        clearTimeout(soon);
        soon = setTimeout(() => {
          const index = Math.round(columns.scrollLeft / columns.clientWidth);
          const round = /** @type {HTMLElement | undefined} */ (columns.children[index]);
          if (round) tell(columns, round);
        }, 80);
      });
      // The round that is being played is what people came for.
      const open = columns.querySelector(OPEN);
      const first = columns.closest(".rounds") ? columns.firstElementChild : columns.lastElementChild;
      const round = /** @type {HTMLElement | null} */ (open ? open.closest(".round") : first);
      if (round) showRound(round);
    }
  };

  /** What is being played is what people came for: a sheet that is wider than its box begins there. */
  const showOpen = () => {
    for (const sheet of document.querySelectorAll(".sheet")) {
      const open = sheet.querySelector(OPEN);
      if (!open || sheet.scrollWidth <= sheet.clientWidth) continue;
      const left = open.getBoundingClientRect().left - sheet.getBoundingClientRect().left;
      sheet.scrollTo({ left: sheet.scrollLeft + left - sheet.clientWidth / 3, behavior: "instant" });
    }
  };
  const begin = () => {
    if (!stage()) return;
    for (const zooms of document.querySelectorAll(".zoom"))
      zooms.hidden = narrow.matches || !document.querySelector(".bracket");
    setZoom(zoom);
    showOpen();
    tick();
    listen();
    watchRounds();
    learnFollowed();
  };
  document.addEventListener("DOMContentLoaded", begin);
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.elt.id === "stage") begin();
    // The draw in progress is another one now.
    const current = document.getElementById("event-now")?.dataset.current;
    if (event.detail.elt.id === "event-now" && current && current !== stage()?.dataset.stage)
      window.htmx.trigger(stage(), "refetch");
  });
})();
