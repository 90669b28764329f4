// The big screen: cycles through panels, scrolls long ones, and shows the time and, while offline, the age of its data.
// It keeps showing the last data until an update arrives.

import { formats } from "../../clubs/formats.js";
import { breakTimer } from "./break_timer.js";
import {
  ASKS,
  aspectOf,
  below,
  following,
  HOLDS,
  isOld,
  LEAPS,
  minutesSince,
  overflows,
  STAYS,
  screenfuls,
  step,
  whole,
} from "./wall_pace.js";

(() => {
  const { during, opening } = window.midpoint;
  const UNROLLS = 350; // one name
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const wall = () => document.getElementById("wall");
  /** @type {(time: number) => Promise<unknown>} */
  const wait = (time) =>
    new Promise((done) => {
      setTimeout(done, time);
    });

  // The time in the club's time zone.
  const clock = document.querySelector("[data-clock]");
  let heard = Date.now();
  const age = document.querySelector(".age");
  const tick = () => {
    clock.textContent = formats().timeOfDay(Date.now());
    const minutes = document.body.dataset.minutes;
    for (const place of document.querySelectorAll("[data-since]"))
      place.textContent = minutes.replace("%m", String(minutesSince(place.dataset.since, Date.now())));
    age.hidden = !isOld(heard, Date.now());
    if (!age.hidden) age.textContent = age.dataset.wordsOld.replace("%t", formats().timeOfDay(heard));
  };
  setInterval(tick, 1000);

  // The screen: how large it is, as it was chosen on this computer, and its shape. The server says how large letters are.
  const screens = /** @type {HTMLSelectElement} */ (document.querySelector("[data-screen]"));
  const KEPT = "midpoint-screen";
  const given = new URLSearchParams(window.location.search).get("inches");
  /** @returns {string | null} */
  const keptSize = () => {
    try {
      return window.localStorage.getItem(KEPT);
    } catch {
      return null; // storage that is switched off: the usual size
    }
  };
  let chosen = given ?? keptSize();
  const inches = () => chosen ?? wall().dataset.inches;
  const hand = window.matchMedia("(max-width: 47.99rem)"); // a phone is read from the hand
  const address = () => {
    const { dataset } = wall();
    if (hand.matches) return dataset.part;
    return `${dataset.part}&inches=${inches()}&aspect=${aspectOf(window.innerWidth, window.innerHeight)}`;
  };
  const letters = () => {
    if (hand.matches) document.body.style.removeProperty("--line");
    else document.body.style.setProperty("--line", `${Number(wall().dataset.tenths) / 100}vw`);
  };

  // Updates. The stream only announces a new version; the part is fetched with its ETag.
  let fetching = false;
  let again = false;
  const update = async () => {
    if (fetching) {
      again = true;
      return;
    }
    fetching = true;
    try {
      const place = wall();
      const asked = address();
      const headers = { "If-None-Match": place.dataset.etag };
      const answer = await during(fetch(asked, { headers, cache: "no-store" }));
      if (answer.ok || answer.status === 304) heard = Date.now();
      if (answer.status === 200) replace(await during(answer.text()));
    } catch {
      // the age is shown
    } finally {
      fetching = false;
      if (again) {
        again = false;
        update();
      }
    }
  };
  /** @type {(html: string) => void} */
  const replace = (html) => {
    const made = document.createElement("template");
    made.innerHTML = html;
    const fresh = made.content.querySelector("#wall");
    if (!fresh) return;
    const key = document.querySelector(".panel.shown")?.dataset.key;
    const was = document.querySelector(".panel.shown .roll")?.scrollTop ?? 0;
    wall().replaceWith(fresh);
    const same = [...fresh.querySelectorAll(".panel")].find((panel) => panel.dataset.key === key);
    if (same) {
      show(same);
      const place = same.querySelector(".roll");
      if (leafed.key === key) showPage(place, leafed.page);
      else place.scrollTop = was;
    } else turn();
    letters();
    tick();
    fitCalls();
  };
  /** @type {EventSource | null} */
  let stream = null;
  const listen = () => {
    stream = opening(new EventSource(wall().dataset.live));
    stream.addEventListener("version", (event) => {
      heard = Date.now();
      if (Number(event.data) > Number(wall().dataset.version)) update();
    });
    stream.addEventListener("error", () => {
      if (stream?.readyState === EventSource.CLOSED) setTimeout(listen, 5000);
    });
  };
  // Browsers open at most six connections to a site, and keep those of cached pages.
  window.addEventListener("pagehide", () => stream?.close());
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) listen();
  });
  setInterval(update, ASKS);
  window.addEventListener("online", update);

  // Show panels in turn and scroll long ones.
  let turning = 0;
  const panels = () => [...document.querySelectorAll(".panel")];
  /** @type {(panel: HTMLElement) => void} */
  const show = (panel) => {
    for (const each of panels()) each.classList.toggle("shown", each === panel);
    panel.parentElement.dataset.turns = "1";
  };
  /** @type {(place: HTMLElement, round: number, most?: number) => Promise<void>} */
  const roll = async (place, round, most = Infinity) => {
    const ends = Date.now() + most;
    await wait(HOLDS);
    while (turning === round && place.isConnected && Date.now() < ends) {
      if (below(place) <= 1) break;
      if (still.matches) {
        place.scrollBy({ top: place.clientHeight * 0.9, behavior: "instant" });
        await wait(LEAPS);
      } else {
        const from = performance.now();
        const time = await new Promise(requestAnimationFrame);
        place.scrollTop += step(time - from);
      }
    }
    await wait(HOLDS);
  };
  /** @type {(place: HTMLElement | null) => HTMLElement[]} */
  const listedIn = (place) => [...(place?.querySelectorAll(".round > ol > li, .places > li") ?? [])];
  // Show lists by pages of whole rows, below their heading; news in between change the rows, not the page.
  const leafed = { key: "", page: 0 };
  /** @type {(place: HTMLElement, page: number) => boolean} Whether there is such a page. */
  const showPage = (place, page) => {
    const rows = listedIn(place);
    for (const row of rows) row.hidden = false;
    const stands = rows.map((row) => row.getBoundingClientRect());
    if (!stands.length) return false;
    const head = stands[0].top - place.getBoundingClientRect().top;
    const bounds = screenfuls(stands, place.clientHeight - head)[page];
    if (!bounds) return false;
    for (const [number, row] of rows.entries()) row.hidden = number < bounds[0] || number >= bounds[1];
    return true;
  };
  /** @type {(key: string, round: number) => Promise<void>} */
  const leaf = async (key, round) => {
    leafed.key = key;
    for (leafed.page = 0; turning === round; leafed.page += 1) {
      /** @type {HTMLElement | null} */
      const place = document.querySelector(`.panel[data-key="${key}"] .roll`);
      if (!place || !showPage(place, leafed.page)) break;
      await wait(LEAPS);
    }
    if (turning === round) leafed.key = "";
  };
  const turn = async () => {
    turning += 1;
    const round = turning;
    while (turning === round) {
      const all = panels();
      if (!all.length) return;
      const panel = following(
        all,
        all.find((each) => each.classList.contains("shown")),
      );
      show(panel);
      const key = panel.dataset.key;
      if (panel.dataset.fresh) await unroll(panel, round);
      const place = panel.querySelector(".roll");
      if (place) place.scrollTop = 0;
      const listed = listedIn(place);
      for (const row of listed) row.hidden = false;
      if (listed.length && overflows(place)) {
        await leaf(key, round);
        continue;
      }
      await wait(STAYS / 2);
      // An update may have replaced the panel: scroll the current one.
      const now = document.querySelector(`.panel[data-key="${key}"] .roll`);
      if (now && overflows(now)) await roll(now, round);
      else await wait(STAYS / 2);
    }
  };
  // Show calls by pages of whole rows, then the next matches that fit, and the number of the others.
  let screenful = 0;
  const fitCalls = () => {
    const place = document.querySelector(".calls .roll");
    /** @type {(name: string) => HTMLElement[]} */
    const rows = (name) => [...place.querySelectorAll(name)];
    const [called, next] = [rows(".new, .begun, .nothing"), rows(".next")];
    const [heading, more] = rows(".heading, .more");
    const show = (/** @type {HTMLElement[]} */ all, first = 0, end = all.length) => {
      for (const [number, row] of all.entries()) row.hidden = number < first || number >= end;
    };
    const stand = (/** @type {Element} */ row) => {
      const { top, bottom } = row.getBoundingClientRect();
      const from = place.getBoundingClientRect().top;
      return { top: top - from, bottom: bottom - from };
    };
    for (const all of [called, next, rows(".heading, .more")]) show(all);
    const room = place.clientHeight;
    const all = screenfuls(called.map(stand), room);
    screenful %= all.length;
    const [first, end] = all[screenful];
    show(called, first, end);
    if (!more) return;
    const waiting = Number(more.dataset.waiting);
    const words = document.body.dataset;
    more.textContent = words.more;
    const line = stand(more).bottom - stand(next[next.length - 1]).bottom;
    const fit = end < called.length ? 0 : whole(next.map(stand), waiting, room, line);
    show(next, 0, fit);
    heading.hidden = fit === 0;
    more.textContent = (fit ? words.more : words.waiting).replace("%n", String(waiting - fit));
    more.hidden = fit === waiting || stand(more).bottom > room;
  };

  // Show a new draw once on each screen, name by name.
  const told = new Set();
  /** @type {(panel: HTMLElement, round: number) => Promise<void>} */
  const unroll = async (panel, round) => {
    const mark = `${panel.dataset.key} ${panel.dataset.fresh}`;
    if (told.has(mark) || still.matches) return;
    told.add(mark);
    panel.classList.add("unrolling");
    const place = panel.querySelector(".roll");
    for (const name of panel.querySelectorAll(":is(.m.first, .round:first-child) .s")) {
      if (turning !== round || !panel.isConnected) break;
      name.classList.add("told");
      const below = name.getBoundingClientRect().bottom - place.getBoundingClientRect().bottom;
      if (below > 0) place.scrollBy({ top: below + place.clientHeight / 2, behavior: "smooth" });
      await wait(UNROLLS);
    }
    panel.classList.remove("unrolling");
  };

  const full = document.querySelector("[data-full]");
  full.hidden = !document.fullscreenEnabled;
  full.addEventListener("click", () => document.documentElement.requestFullscreen());
  document.addEventListener("fullscreenchange", () => {
    full.hidden = Boolean(document.fullscreenElement);
  });
  // Keep the screen on if the browser supports it.
  const stayAwake = () => navigator.wakeLock?.request("screen").catch(() => {});
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") stayAwake();
  });

  screens.closest("label").hidden = given !== null || hand.matches;
  screens.value = String(inches());
  screens.addEventListener("change", () => {
    chosen = screens.value;
    try {
      window.localStorage.setItem(KEPT, chosen);
    } catch {
      // storage that is switched off: chosen for this visit
    }
    update();
  });
  stayAwake();
  letters();
  breakTimer(update);
  tick();
  listen();
  fitCalls();
  // The panels for a screen of this size first.
  update().then(() => {
    if (!document.querySelector(".panel.shown")) turn();
  });
  window.addEventListener("resize", () => {
    fitCalls();
    update();
  });
  setInterval(() => {
    screenful += 1;
    fitCalls();
  }, LEAPS);
})();
