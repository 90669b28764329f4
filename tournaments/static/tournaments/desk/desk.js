// Script of the desk: results in two taps, keyboard shortcuts and offline entries. Without it, all forms still work.

import { Entries } from "./entries.js";
import { ask, post as postTo } from "../../scoring/sheets/asking.js";
import { make, newKey, say } from "../../scoring/sheets/words.js";

/**
 * @typedef {import("./entries.js").Entry} Entry
 * @typedef {{ row: string, at: number, says: string }} Place a control: its row, its index there, and its text
 * @typedef {{ open: (Place | null)[], place: Place | null, inDesk: boolean, checkedIn: boolean }} Held what is restored after the part is replaced
 */

const config = JSON.parse(document.getElementById("desk-config").textContent);
const AGAIN = 4000;

const desk = () => document.getElementById("desk");
const notices = document.getElementById("desk-notices");
/** @type {(is: boolean) => void} */
const offline = (is) =>
  document.dispatchEvent(new CustomEvent("midpoint:line", { detail: { state: is ? "offline" : "" } }));
const refresh = () => window.htmx.trigger(desk(), "live");

// A toast for the action just done, with its undo, once the desk shows it.
let done = false;
const showDone = () => {
  const newest = [...desk().querySelectorAll(".latest > li:first-child")];
  const seq = (/** @type {HTMLElement} */ each) => Number(each.dataset.seq);
  const line = done && newest.sort((a, b) => seq(b) - seq(a)).find((each) => each.matches(":has(form)"));
  done = false;
  if (!line) return;
  const toast = make("div", { class: "toast", role: "status" });
  toast.append(...[...line.children].map((each) => each.cloneNode(true)));
  for (const key of toast.querySelectorAll("[data-key]")) key.removeAttribute("data-key");
  notices.replaceChildren(toast);
  toast.dispatchEvent(new CustomEvent("midpoint:toast", { bubbles: true }));
};
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.target === desk()) showDone();
});

const tell = () => {
  document.dispatchEvent(
    new CustomEvent("midpoint:unsent", { detail: { count: entries.waiting.length + entries.others } }),
  );
  for (const row of document.querySelectorAll(".unsent-entry")) row.remove();
  for (const entry of entries.waiting) {
    const place = entry.target && document.getElementById(entry.target);
    if (place)
      place.append(make("p", { class: "unsent-entry badge unsent" }, say("unsent", { what: entry.words })));
  }
};

/** @type {(level: string, words: string) => void} */
const notice = (level, words) => {
  notices.replaceChildren(
    make(
      "div",
      { class: `message ${level}`, role: level === "error" ? "alert" : "status" },
      make("p", {}, words),
    ),
  );
};

/**
 * Say that sending has stopped; all entries are kept.
 * @type {(why: string) => void}
 */
const stopped = (why) =>
  notice("error", [why, say("sign_in", { name: config.writer.name })].filter(Boolean).join(" "));

/** @type {(entry: Entry, why: string) => void} */
const overtaken = (entry, why) => {
  const place = document.getElementById("overtaken");
  place.querySelector("[data-overtaken]").append(make("li", {}, `${entry.words}: ${why}`));
  place.hidden = false;
};
document.querySelector("[data-seen]").addEventListener("click", () => {
  const place = document.getElementById("overtaken");
  place.hidden = true;
  place.querySelector("[data-overtaken]").replaceChildren();
});

/** @type {(entry: Entry) => Promise<import("./entries.js").Answer | null>} */
const post = ({ url, body, key }) => postTo(url, body, { "Idempotency-Key": key });

/** Whether the user of this page is still signed in; null while offline. */
const isWriter = async () => {
  const answer = await ask(config.me);
  return answer && answer.status === 200 && answer.data?.email === config.login;
};

const entries = new Entries({
  queue: `desk:${config.event}`,
  writer: config.writer,
  post,
  isWriter,
  page: {
    changed: () => tell(),
    sent: () => {
      done = true;
      refresh();
    },
    offline,
    stopped,
    overtaken,
    resumed: () => notices.replaceChildren(),
  },
});

/**
 * Send an entry now, or with `queues` as soon as there is a connection.
 * @type {(entry: Pick<Entry, "url" | "words" | "target" | "body">, way: { queues: boolean }) => Promise<void>}
 */
const send = async (entry, { queues }) => {
  notices.replaceChildren();
  const whole = {
    key: newKey(),
    writer: config.writer,
    page: location.pathname,
    title: document.title,
    ...entry,
  };
  if (queues) {
    await entries.keep(whole);
    await entries.flush();
    return;
  }
  const own = await isWriter();
  if (own === false) {
    stopped("");
    return;
  }
  const answer = own && (await post(whole));
  offline(answer === null);
  if (answer === null) notice("warning", say("needs_line"));
  else if (answer.status >= 400) notice("error", answer.data?.detail ?? String(answer.status));
  else done = !entry.url.endsWith("/undo/");
  refresh();
};

const NUMBERS = new Set(["table", "points", "seen", "board"]);
/** @type {(form: HTMLFormElement, submitter: HTMLElement | null) => Record<string, any>} */
const bodyOf = (form, submitter) => {
  /** @type {Record<string, unknown>} */
  const body = {};
  for (const [name, value] of new FormData(form, submitter)) {
    const json = /** @type {HTMLElement | null} */ (form.elements.namedItem(name))?.dataset?.json;
    if (name === "csrfmiddlewaretoken" || value === "" || json === "") continue;
    if (json !== undefined) body[name] = JSON.parse(json);
    else body[name] = NUMBERS.has(name) && /^\d+$/.test(String(value)) ? Number(value) : value;
  }
  return body;
};

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-send]");
  if (!form) return;
  event.preventDefault();
  const target = form.closest("[id]")?.id;
  const words = form.dataset.words ?? event.submitter?.textContent.trim() ?? "";
  send(
    { url: form.dataset.send, body: bodyOf(form, event.submitter), words, target },
    { queues: "queue" in form.dataset },
  );
});

// Results: one tap opens the scores, another records one.
const report = /** @type {HTMLDialogElement} */ (document.getElementById("report"));
/** @type {(link: HTMLAnchorElement) => void} */
const openReport = (link) => {
  const { report: url, length, a, b, seen, board } = link.dataset;
  const target = link.closest("[data-match]").id;
  const record = (/** @type {number[]} */ points) => {
    report.close();
    const body = { ended: "played", points, seen: Number(seen), ...(board && { board: Number(board) }) };
    send({ url, body, words: say("result", { a, b, points: points.join("–") }), target }, { queues: true });
  };
  /** @type {(name: string, points: (loser: number) => number[]) => HTMLElement} */
  const column = (name, points) =>
    make(
      "div",
      { class: "column" },
      make("h3", {}, say("wins", { name })),
      ...Array.from({ length: Number(length) }, (_each, loser) =>
        make(
          "button",
          { type: "button", class: "secondary", onclick: () => record(points(loser)) },
          points(loser).join("–"),
        ),
      ),
    );
  document.getElementById("report-name").textContent = `${a} – ${b}`;
  report.querySelector("a[data-other]").href = link.href;
  report.querySelector("[data-scores]").replaceChildren(
    column(a, (loser) => [Number(length), loser]),
    column(b, (loser) => [loser, Number(length)]),
  );
  report.showModal();
};
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-report]");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  openReport(link);
});

// Keyboard shortcuts, unless a field has the focus.
const rows = () => [...desk().querySelectorAll("[data-match]")];
/** @type {(by: number) => void} */
const step = (by) => {
  const all = rows();
  const at = all.indexOf(document.activeElement.closest("[data-match]"));
  const next = all[Math.min(all.length - 1, Math.max(0, at < 0 ? 0 : at + by))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
};
const OF_A_MATCH = new Set("tsryopmnN");
/**
 * The control of a key: in the focused match, else anywhere, the next one each time.
 * @type {(key: string, at: HTMLElement) => HTMLElement | undefined}
 */
const named = (key, at) => {
  const name = `[data-key="${CSS.escape(key)}"]`;
  const own = at.closest("[data-match]")?.querySelector(name);
  if (own || OF_A_MATCH.has(key)) return own;
  const all = [...desk().querySelectorAll(name)].filter((each) => !each.closest("[data-match]"));
  return all[(all.indexOf(at) + 1) % all.length];
};
/**
 * Focus a control and open the details around it.
 * @type {(place: HTMLElement) => void}
 */
const reach = (place) => {
  for (let fold = place.closest("details"); fold; fold = fold.parentElement.closest("details"))
    fold.open = true;
  place.focus();
  place.scrollIntoView({ block: "nearest" });
};
document.addEventListener("keydown", (event) => {
  const { activeElement: at } = document;
  if (event.metaKey || event.ctrlKey || event.altKey || report.open || !at.closest("#desk")) return;
  if (event.key === "Escape") (at.closest("[data-match]") ?? desk()).focus();
  else if (at.matches("input, select, textarea")) return;
  else if (event.key === "j" || event.key === "k") step(event.key === "j" ? 1 : -1);
  else {
    const found = named(event.key, at);
    if (!found) return;
    if ("keyFocus" in found.dataset) reach(found);
    else found.click();
  }
  event.preventDefault();
});

// When the part is replaced after a change, restore focus, open details and unsent entries.
const FOLDS = "[data-match] details, [data-row] details";
const CONTROLS = "a, button, input, select, summary";
/** @type {(element: HTMLElement, selector: string) => Place | null} */
const placeOf = (element, selector) => {
  const row = element.closest?.("[data-match], [data-row]");
  return (
    row && {
      row: row.id,
      at: [...row.querySelectorAll(selector)].indexOf(element),
      says: element.textContent.trim(),
    }
  );
};
/** @type {(place: Place, selector: string) => HTMLElement | undefined} */
const placed = ({ row, at }, selector) => document.getElementById(row)?.querySelectorAll(selector)[at];
/** @type {Held | null} */
let held = null;
/**
 * Focus the same control if its text is the same, else the next check-in, the match or the desk.
 * @type {(held: Held) => void}
 */
const refocus = ({ place, inDesk, checkedIn }) => {
  if (!inDesk) return;
  const same = place && placed(place, CONTROLS);
  const next = checkedIn && desk().querySelector("[data-key=i]");
  const row = place && document.getElementById(place.row);
  const to = same?.textContent.trim() === place?.says ? same : next || (row?.matches("[data-match]") && row);
  (to || desk()).focus({ preventScroll: true });
};
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target.id !== "desk") return;
  const at = document.activeElement;
  held = {
    open: [...desk().querySelectorAll(FOLDS)]
      .filter((fold) => fold.matches("[open]"))
      .map((fold) => placeOf(fold, "details")),
    place: placeOf(at, CONTROLS),
    inDesk: desk().contains(at),
    checkedIn: at.matches?.("[data-key=i]"),
  };
  // Do not replace a form while someone types in it.
  if (document.activeElement.matches?.("#desk input, #desk select")) detail.shouldSwap = false;
});
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target.id !== "desk" || !held) return;
  for (const fold of held.open) placed(fold, "details")?.setAttribute("open", "");
  refocus(held);
  tell();
});

const stayUsable = async () => {
  const workers = navigator.serviceWorker;
  if (!workers) return; // not served over HTTPS: entries are kept, but a reload needs a connection
  workers.addEventListener("message", () => {
    document.documentElement.dataset.kept = "yes";
  });
  await workers.register(config.worker);
  const { active } = await workers.ready;
  active.postMessage({
    page: location.pathname,
    parts: performance.getEntriesByType("resource").map((entry) => entry.name),
  });
};

window.addEventListener("load", () =>
  stayUsable().catch((error) => console.warn("this device cannot store the page for offline use", error)),
);
window.addEventListener("online", () => entries.flush());
setInterval(() => entries.waiting.length && entries.flush(), AGAIN);
entries
  .open()
  .then(() => {
    if (entries.others) notice("warning", say("others", { count: entries.others }));
    if (entries.waiting.length) entries.flush();
  })
  .catch((error) => console.warn("the entries stored on this device cannot be read", error));
if (window.matchMedia("(pointer: fine)").matches && document.activeElement === document.body)
  desk().focus({ preventScroll: true });
