// A draw that is followed: what changes is replaced in place; a name is lit through the whole draw; the bracket is
// pulled and zoomed with a mouse, and goes round by round under a thumb. Everything can be read without it.

import { followed as followedHere } from "../following/followed.js";

(() => {
  const { during, opening } = window.midpoint;
  const stage = () => document.getElementById("stage");

  // What changes. A stream brings the changed parts; where none gets through, the page asks now and then.
  const OPENS_WITHIN = 8000;
  const ASKS_EVERY = 15000;
  const LARGE_WITHIN = 3000; // a large part is fetched by everybody: not at the same moment
  /** @type {EventSource | null} */
  let stream = null;
  let asking = 0;
  /** @type {(state: string) => void} */
  const setLine = (state) => document.dispatchEvent(new CustomEvent("midpoint:line", { detail: { state } }));

  /** @type {(id: string, html: string) => void} */
  const replace = (id, html) => {
    const old = document.getElementById(id);
    if (!old) return;
    const made = document.createElement("template");
    made.innerHTML = html;
    const fresh = made.content.firstElementChild;
    fresh.classList.add("changed");
    old.replaceWith(fresh);
  };
  /** @type {(id: string) => Promise<void>} */
  const fetchPart = async (id) => {
    const place = stage();
    const answer = await during(fetch(`${place.dataset.changes}?part=${encodeURIComponent(id)}`));
    if (answer.ok) replace(id, await during(answer.text()));
    light();
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
      if (html === null) during(later(Math.random() * LARGE_WITHIN)).then(() => fetchPart(id));
      else replace(id, html);
    }
    light();
  };
  const ask = async () => {
    const place = stage();
    if (!place?.dataset.changes) return;
    try {
      const answer = await during(
        fetch(`${place.dataset.changes}?since=${place.dataset.version}`, { cache: "no-cache" }),
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
    if (!place?.dataset.changes || stream) return;
    stream = opening(new EventSource(`${place.dataset.changes}?since=${place.dataset.version}`));
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

  // Names: lit while pointed at or focused, kept while followed.
  let followed = new Set();
  /** @type {(number: string) => NodeListOf<HTMLElement>} */
  const marks = (number) => document.querySelectorAll(`[data-e="${number}"]`);
  /** @type {(number: string, on: boolean) => void} */
  const path = (number, on) => {
    for (const mark of marks(number)) {
      mark.classList.toggle("lit", on);
      mark.closest(".m")?.classList.toggle("path", on);
    }
  };
  const light = () => {
    for (const number of followed) for (const mark of marks(number)) mark.classList.add("kept");
  };
  /** @type {string | null} */
  let lit = null;
  /** @type {(event: UIEvent) => void} */
  const point = (event) => {
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
    if (!address || (!local.length && !place.dataset.signedIn)) return;
    const query = local.map((ref) => `player=${encodeURIComponent(ref)}`).join("&");
    const answer = await during(fetch(`${address}?${query}`)).catch(noAnswer);
    if (!answer?.ok) return;
    followed = new Set((await during(answer.json())).entrants);
    light();
    const first = [...followed][0];
    const last = first && [...marks(first)].filter((mark) => mark.closest(".round")).pop();
    if (last && narrow.matches) showRound(last.closest(".round"));
  };

  // Pull and zoom.
  const narrow = window.matchMedia("(max-width: 47.99rem)");
  const STEPS = [0.3, 0.4, 0.5, 0.65, 0.8, 1, 1.25, 1.6];
  let zoom = 1;
  /** @type {(value: number) => void} */
  const setZoom = (value) => {
    zoom = value;
    // On the root: htmx copies the attributes of what it swaps, and our policy refuses style attributes.
    document.documentElement.style.setProperty("--zoom", String(value));
  };
  const fit = () => {
    const sheet = document.querySelector(".bracket .sheet");
    if (!sheet) return;
    setZoom(1);
    const columns = sheet.querySelector(".columns");
    const room = Math.min(
      sheet.clientWidth / columns.scrollWidth,
      (window.innerHeight * 0.85) / columns.scrollHeight,
    );
    setZoom(Math.max(STEPS[0], Math.min(1.25, Math.floor(room * 100) / 100)));
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-zoom]");
    if (!button) return;
    const way = Number(button.dataset.zoom);
    if (way === 0) fit();
    else
      setZoom(
        (way > 0 ? STEPS.find((step) => step > zoom + 0.01) : STEPS.findLast((step) => step < zoom - 0.01)) ??
          zoom,
      );
  });
  document.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey || !event.target.closest(".bracket .sheet")) return;
      event.preventDefault();
      setZoom(Math.max(STEPS[0], Math.min(STEPS.at(-1), zoom * (event.deltaY > 0 ? 0.9 : 1.1))));
    },
    { passive: false },
  );
  /** @type {{ sheet: HTMLElement, x: number, y: number, left: number, top: number, far: boolean } | null} */
  let pull = null;
  document.addEventListener("pointerdown", (event) => {
    const sheet =
      event.pointerType === "mouse" && event.button === 0 && event.target.closest(".bracket .sheet");
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

  // Rounds under a thumb: the tab of the round that is shown says so, and a tab goes there.
  /** @type {(round: HTMLElement) => void} */
  const showRound = (round) => {
    round.closest(".sheet").scrollTo({ left: round.offsetLeft - round.parentElement.offsetLeft });
  };
  document.addEventListener("click", (event) => {
    const link = /** @type {HTMLAnchorElement | null} */ (event.target.closest(".tabs a"));
    if (!link || !narrow.matches) return;
    event.preventDefault();
    showRound(document.getElementById(link.hash.slice(1)));
  });
  const watchRounds = () => {
    const seen = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          if (!entry.isIntersecting) continue;
          const round = entry.target.closest(".round");
          for (const tab of round.closest(".bracket, .rounds").querySelectorAll(".tabs a")) {
            if (tab.getAttribute("href") === `#${round.id}`) {
              tab.setAttribute("aria-current", "true");
              tab.parentElement.parentElement.scrollTo({ left: tab.offsetLeft - 80 });
            } else tab.removeAttribute("aria-current");
          }
        }
      },
      { threshold: 0.6 },
    );
    for (const round of document.querySelectorAll(".round")) seen.observe(round.querySelector("h3"));
    if (!narrow.matches) return;
    // The round that is being played is what people came for.
    for (const section of document.querySelectorAll(".bracket")) {
      const open = section.querySelector(".m.live, .m.called, .m.ready, .m.waiting");
      showRound(open ? open.closest(".round") : section.querySelector(".round:last-child"));
    }
  };

  const begin = () => {
    if (!stage()) return;
    for (const zooms of document.querySelectorAll(".zoom"))
      zooms.hidden = narrow.matches || !document.querySelector(".bracket");
    setZoom(zoom);
    listen();
    watchRounds();
    learnFollowed();
  };
  document.addEventListener("DOMContentLoaded", begin);
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.elt.id === "stage") begin();
  });
})();
